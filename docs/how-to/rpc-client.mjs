// Plays a whole game through `aodrules serve --rpc`: node rpc-client.mjs [RULES] [LANGUAGE]
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

const server = spawn("aodrules", ["serve", "--rpc"], { stdio: ["pipe", "pipe", "inherit"] });
const waiting = new Map();
let last = 0;

createInterface({ input: server.stdout }).on("line", (line) => {
  const { id, result, error } = JSON.parse(line);
  const { resolve, reject } = waiting.get(id);
  waiting.delete(id);
  if (error) reject(Object.assign(new Error(error.message), error));
  else resolve(result);
});

function call(method, params) {
  last += 1;
  server.stdin.write(JSON.stringify({ jsonrpc: "2.0", id: last, method, params }) + "\n");
  return new Promise((resolve, reject) => waiting.set(last, { resolve, reject }));
}

const [rules = "nim", language = "en"] = process.argv.slice(2);
const { game } = await call("game.new", { rules, seed: 1 });
let turn = 0;
for (;;) {
  const { over, view } = await call("game.view", { game });
  if (over) break;
  const seat = view.decision.player;
  const mine = await call("game.view", { game, seat, language });
  const chosen = mine.view.actions.length - 1; // somebody clicks
  console.log(`${seat}: ${mine.words.decision}: ${mine.words.actions[chosen]}`);
  const action = mine.view.actions[chosen];
  const after = await call("game.answer", { game, seat, action, after: turn, language });
  for (const sentence of after.words.events) console.log(`  ${sentence}`);
  turn = after.answers;
}
for (const { place, player, judged } of await call("game.ranking", { game })) {
  console.log(`${place}. ${player} (${judged.map(([what, much]) => `${what} ${much}`).join(", ")})`);
}
await call("game.answer", { game, action: "once more" }).catch(({ message, data }) => {
  console.log(`${data.kind}: ${message}`);
});
server.stdin.end();
