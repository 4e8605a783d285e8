"""Messages of JSON-RPC 2.0: what a text asks for, one call or a batch of them, and the text of the replies."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, TypeAlias

from attrs import frozen

from aodrules.arguments import format_argument
from aodrules.rpc.problems import RpcProblemError, refused
from aodrules.source.wording import count

VERSION = "2.0"
LARGEST_BATCH = 100
"""How many calls a message may hold."""
DEEPEST = 100
"""How deep lists and objects of a message may lie in each other."""

Answer: TypeAlias = Callable[[str, Any], Any]
"""Gives the result of a method with parameters, as plain data."""


@frozen
class Request:
    """One call."""

    method: str
    params: Any
    id: str | int | None
    is_notification: bool
    """Whether nobody waits for a reply."""


def reply_to(text: str, answer: Answer) -> str | None:
    """Return the reply to a message; nothing to notifications."""
    try:
        found = _parse(text)
    except RpcProblemError as problem:
        return write(_error(None, problem))
    if not isinstance(found, list):
        reply = _reply(found, answer)
        return None if reply is None else write(reply)
    replies = [reply for each in found if (reply := _reply(each, answer)) is not None]
    return write(replies) if replies else None


def notification(method: str, params: dict[str, Any]) -> str:
    """Return the message that tells something without being asked."""
    return write({"jsonrpc": VERSION, "method": method, "params": params})


def too_large(largest: int) -> str:
    """Return the reply to a message that is too long to be looked at."""
    problem = refused("no-request", f"the message is too large: at most {count(largest, 'character')} are read")
    return write(_error(None, problem))


def not_utf8() -> str:
    """Return the reply to a message that is no text."""
    return write(_error(None, refused("no-json", "the message is not in UTF-8")))


def write(message: Any) -> str:
    """Return a message as text on one line."""
    text = json.dumps(message, ensure_ascii=False, separators=(",", ":"))
    # Halves of signs, which JSON can hold and UTF-8 cannot, are only there if somebody sent them.
    return text if text.isascii() or not _has_halves(text) else json.dumps(message, separators=(",", ":"))


def _has_halves(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    return False


def _parse(text: str) -> Any:
    """Return one call or a list of them, not yet looked at."""
    try:
        found = json.loads(text, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as wrong:
        why = str(wrong) if isinstance(wrong, json.JSONDecodeError) else "a part of it is too long or too deep"
        raise refused("no-json", f"this is no JSON: {why}") from None
    if _is_deep(found):
        raise refused("no-request", f"the message is too deep: at most {DEEPEST} lists and objects in each other")
    if isinstance(found, list):
        if not found:
            raise refused("no-request", "the batch holds no call")
        if len(found) > LARGEST_BATCH:
            raise refused("no-request", f"a batch holds at most {count(LARGEST_BATCH, 'call')}, not {len(found):,}")
    return found


def _refuse_constant(word: str) -> Any:
    raise json.JSONDecodeError(f"{word} is no number of JSON", word, 0)


def _is_deep(found: Any) -> bool:
    level = [found]
    for _ in range(DEEPEST):
        parts = [part.values() if isinstance(part, dict) else part for part in level if isinstance(part, dict | list)]
        level = [inner for part in parts for inner in part]
        if not level:
            return False
    return True


def _reply(found: Any, answer: Answer) -> dict[str, Any] | None:
    try:
        request = _request(found)
    except RpcProblemError as problem:
        return _error(_id_of(found), problem)
    try:
        result = answer(request.method, request.params)
    except RpcProblemError as problem:
        return None if request.is_notification else _error(request.id, problem)
    return None if request.is_notification else {"jsonrpc": VERSION, "id": request.id, "result": result}


def _error(id_: str | int | None, problem: RpcProblemError) -> dict[str, Any]:
    return {"jsonrpc": VERSION, "id": id_, "error": problem.plain()}


def _request(found: Any) -> Request:
    if not isinstance(found, dict):
        raise refused("no-request", f"a call is an object, not {format_argument(found)}")
    if found.get("jsonrpc") != VERSION:
        raise refused("no-request", f'a call says `"jsonrpc": "{VERSION}"`')
    if not isinstance(found.get("method"), str):
        raise refused("no-request", "a call names its `method` as a text")
    if "id" in found and not _is_id(found["id"]):
        raise refused("no-request", "the `id` of a call is a text, a whole number or null")
    if unknown := sorted(found.keys() - {"jsonrpc", "method", "params", "id"}):
        raise refused("no-request", f"a call has no part {format_argument(unknown[0])}")
    return Request(found["method"], found.get("params", {}), found.get("id"), "id" not in found)


def _id_of(found: Any) -> str | int | None:
    id_ = found.get("id") if isinstance(found, dict) else None
    return id_ if _is_id(id_) else None


def _is_id(value: Any) -> bool:
    return value is None or (isinstance(value, str | int) and not isinstance(value, bool))
