// Noughts and crosses on boardgame.io, uniformly random legal moves, as a local client plays it.
// Usage: node play.cjs SECONDS. Prints JSON: moves with a choice for each second of processor time, and versions.
// The legal moves are listed here, by the free cells: boardgame.io itself does not list them.
"use strict";

const { Client } = require("boardgame.io/client");

const LINES = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

const game = {
  setup: () => ({ cells: Array(9).fill(null) }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    mark: ({ G, playerID }, cell) => {
      if (G.cells[cell] !== null) return "INVALID_MOVE";
      G.cells[cell] = playerID;
    },
  },
  endIf: ({ G, ctx }) => {
    if (LINES.some((line) => line.every((cell) => G.cells[cell] === ctx.currentPlayer))) return { winner: ctx.currentPlayer };
    if (G.cells.every((cell) => cell !== null)) return { draw: true };
  },
};

/** Play one game and return how many moves had an alternative. */
function play(client) {
  client.reset();
  let made = 0;
  for (let state = client.getState(); !state.ctx.gameover; state = client.getState()) {
    const free = state.G.cells.flatMap((mark, cell) => (mark === null ? [cell] : []));
    if (free.length > 1) made += 1;
    client.moves.mark(free[Math.floor(Math.random() * free.length)]);
  }
  return made;
}

function rate(client, seconds) {
  const start = process.cpuUsage();
  for (let made = 0; ; ) {
    made += play(client);
    const used = process.cpuUsage(start);
    const passed = (used.user + used.system) / 1e6;
    if (passed >= seconds) return made / passed;
  }
}

const seconds = Number(process.argv[2] ?? "0.4");
const client = Client({ game, numPlayers: 2, debug: false });
client.start();
rate(client, 0.5); // The code is made fast by Node while it runs; that is not measured.
const found = rate(client, seconds);
client.stop();
console.log(JSON.stringify({ rate: found, node: process.version, version: require("boardgame.io/package.json").version }));
