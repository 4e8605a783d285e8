"""The library for programs in other languages: JSON-RPC 2.0 over standard input and output, and over WebSocket.

`messages` reads requests and writes replies, `problems` says what is refused and why. `parameters` and `results` are
what is sent, `method` is one row of the table, `methods` the table: of `rules_methods`, `table_methods`,
`game_methods` and `looking_methods`; `openrpc` describes it. `service` keeps the `open_games` and answers for each of
the `sessions`, `states` opens games that others keep, `rules_words` loads rules by their word. `positions` are told as
somebody may see them, `following` tells what changed, with `patches`. `stdio` and `websocket` carry it.
"""
