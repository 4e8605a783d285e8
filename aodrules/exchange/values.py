"""Public values as JSON, and back.

A value is an object of its public parts, by their names. What belongs to a running game, such as the words of a
language, stays there. A place in a document is told by path, line and column, and its text is left out.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, overload

import attrs
import cattrs
from cattrs.gen import make_dict_structure_fn, make_dict_unstructure_fn, override

from aodrules.arguments import format_argument
from aodrules.errors import NotationError
from aodrules.play.event_types import Event, EventPiece
from aodrules.play.settings import Setting
from aodrules.play.states import Hidden, plain_value
from aodrules.play.surroundings import Around, Surroundings
from aodrules.play.views import Decision, Snapshot, View
from aodrules.source.diagnostics import Diagnostic, Report
from aodrules.source.spans import Source, Span
from aodrules.source.wording import join

_T = TypeVar("_T")
LARGEST = 1 << 24
"""The longest text that is read, in characters."""
_PLACE = ("line", "column", "end_line", "end_column")


def to_json(value: object) -> str:
    """Return a public value, or a list, tuple or dictionary of these, as JSON.

    Examples:
        >>> import aodrules
        >>> game = aodrules.load("nim").new_game(players=2, seed=1)
        >>> print(aodrules.to_json(game.ranking[0]))
        {"place":1,"player":"first","shared":true,"judged":[["total(player)",0]],"decided_by":null}

    Raises:
        TypeError: It is nothing that has a form in JSON, such as a running game.
        NotationError: A number in it has too many digits to be written.
    """
    try:
        return json.dumps(to_plain(value), ensure_ascii=False, separators=(",", ":"))
    except ValueError:
        raise NotationError("this cannot be written as JSON: a number in it has too many digits") from None


def to_plain(value: object) -> Any:
    """Return what `to_json` writes as dictionaries, lists, texts, numbers, flags and `None`.

    Examples:
        >>> import aodrules
        >>> game = aodrules.load("nim").new_game(players=2, seed=1)
        >>> aodrules.to_plain(game.ranking[0])["judged"]
        [['total(player)', 0]]

    Raises:
        TypeError: As for `to_json`.
    """
    if value is None or isinstance(value, bool | int | str):
        return str(value) if isinstance(value, str) else value  # words in a language become a plain text
    if isinstance(value, View):
        value = value.snapshot()
    if is_data(type(value)):
        return converter().unstructure(value)
    if isinstance(value, Mapping):
        return {str(name): to_plain(part) for name, part in value.items()}
    if isinstance(value, Sequence):
        return [to_plain(part) for part in value]
    raise TypeError(f"{format_argument(value)} has no form in JSON")


@overload
def from_json(text: str | bytes, of: type[_T], /) -> _T: ...
@overload
def from_json(text: object, of: Any, /) -> Any: ...
def from_json(text: object, of: Any, /) -> Any:
    """Return the value that JSON holds, or plain data like it.

    What is read has no game behind it: actions, questions and events know their ids, but no words of a language.

    Examples:
        >>> import aodrules
        >>> game = aodrules.load("nim").new_game(players=2, seed=1)
        >>> text = aodrules.to_json(game.actions[0])
        >>> aodrules.from_json(text, aodrules.Action) == game.actions[0]
        True

    Args:
        text: The JSON as a text, or what it holds: dictionaries and lists.
        of: The class of the value, or a list, tuple or dictionary of it; a view is read as a `Snapshot`.

    Raises:
        NotationError: It is no JSON, or something else; the message says where.
    """
    if of is View:
        raise TypeError("a view is read as a `Snapshot`")
    data = _parse(text) if isinstance(text, str | bytes | bytearray) else text
    try:
        return read_plain(data, of)
    except NotationError as wrong:
        raise NotationError(f"this is no {_name(of)}: {wrong}") from None


def read_plain(data: object, of: Any) -> Any:
    """Return the value that plain data stands for.

    Raises:
        NotationError: It stands for none; the message says what is expected, and where.
    """
    try:
        return converter().structure(data, of)
    except (cattrs.BaseValidationError, cattrs.StructureHandlerNotFoundError, TypeError, ValueError) as wrong:
        raise NotationError(_explain(wrong)) from None
    except RecursionError:
        raise NotationError("it is too deep") from None


def _parse(text: str | bytes | bytearray) -> Any:
    if len(text) > LARGEST:
        raise NotationError(f"the JSON is too long: more than {LARGEST:,} characters")
    try:
        return json.loads(text, parse_constant=_refuse_constant, parse_float=_refuse_constant)
    except (ValueError, RecursionError) as wrong:
        told = str(wrong) if isinstance(wrong, json.JSONDecodeError) else "a part of it is too long or too deep"
        raise NotationError(f"this is no JSON of ours: {told}") from None


def _refuse_constant(_text: str) -> Any:
    raise json.JSONDecodeError("only whole numbers are written here", _text, 0)


def _name(of: Any) -> str:
    if isinstance(of, type):
        return of.__name__
    if of == Event:
        return "Event"
    return format_argument(of) if get_origin(of) is None else str(of)


def _explain(wrong: Exception) -> str:
    """Return what is wrong first, and where."""
    told = cattrs.transform_error(wrong, path="it", format_exception=_explain_one)
    what, _, where = told[0].rpartition(" @ ")
    return f"{what} at `{where.removeprefix('it').lstrip('.') or 'the top'}`"


def _explain_one(wrong: BaseException, _type: Any) -> str:
    if isinstance(wrong, KeyError):
        return f"{wrong} is missing"
    if isinstance(wrong, cattrs.ForbiddenExtraKeysError):
        return f"there is no {', '.join(sorted(map(format_argument, wrong.extra_fields)))}"
    return str(wrong) if isinstance(wrong, _MismatchError) else "something else is expected"


class _MismatchError(ValueError):
    """Something of another type than it should be."""


# How the parts of values are written and read.


@cache
def converter() -> cattrs.Converter:
    """Return what turns values into plain data and back."""
    found = cattrs.Converter(forbid_extra_keys=True, unstruct_collection_overrides={tuple: list})
    for type_ in (int, str, bool):
        found.register_structure_hook(type_, partial(_read_scalar, expected=type_))
    found.register_structure_hook(type(None), _read_nothing)
    found.register_structure_hook_func(lambda of: of is Any, lambda data, _of: read_value(data))
    found.register_unstructure_hook_func(lambda of: of is Any, plain_value)
    found.register_structure_hook_factory(attrs.has, lambda of: _reader_of(of, found))
    found.register_unstructure_hook_factory(attrs.has, lambda of: _writer_of(of, found))
    found.register_structure_hook_func(_is_sequence, lambda data, of: _read_items(found, data, of))
    found.register_structure_hook_func(_is_mapping, lambda data, of: _read_mapping(found, data, of))
    found.register_structure_hook_func(_holds_any_value, lambda data, of: _read_piece_or_value(found, data, of))
    found.register_unstructure_hook_func(_holds_any_value, lambda value: _write_piece_or_value(found, value))
    found.register_structure_hook_func(lambda of: bool(kinds_of(of)), lambda data, of: _read_kind(found, data, of))
    found.register_structure_hook_func(_is_told_by_shape, lambda data, of: _read_by_shape(found, data, of))
    _register_special(found)
    return found


def is_data(of: type) -> bool:
    """Whether values of a class are written part by part: what is compared by identity belongs to a running game."""
    return attrs.has(of) and of.__eq__ is not object.__eq__


def public_fields(of: type) -> list[attrs.Attribute[Any]]:
    """Return the parts of a value that are written, with their types."""
    # A value of the rules is any value here: its type is told in words, because it may hold others like itself.
    attrs.resolve_types(of, localns={"Value": Any})
    return [one for one in attrs.fields(of) if not one.name.startswith("_")]


def _overrides(of: type) -> dict[str, Any]:
    """Return which parts of a class are left out, and which are written although no value is made with them."""
    shown = {one.name for one in public_fields(of)}
    left_out = {one.name: override(omit=True) for one in attrs.fields(of) if one.name not in shown}
    return left_out | {name: override(omit=False) for name in _constants(of)}


def _constants(of: type) -> dict[str, Any]:
    """Return the parts of a class that are always the same."""
    return {one.name: one.default for one in public_fields(of) if not one.init}


def _reader_of(of: type, found: cattrs.Converter) -> Callable[[Any, Any], Any]:
    names, constants = [one.name for one in public_fields(of)], _constants(of)
    overrides = {name: told for name, told in _overrides(of).items() if name not in constants}
    read: Callable[[Any, Any], Any] = make_dict_structure_fn(of, found, _cattrs_forbid_extra_keys=True, **overrides)

    def read_object(data: Any, given: Any) -> Any:
        if not isinstance(data, dict):
            raise _MismatchError(f"an object is expected, not {format_argument(data)}")
        for name in names:
            if name not in data:
                raise _MismatchError(f"{name!r} is missing")
        for name, constant in constants.items():
            if data[name] != constant:
                raise _MismatchError(f"{constant} is expected as {name}, not {format_argument(data[name])}")
        return read({name: part for name, part in data.items() if name not in constants}, given)

    return read_object


def _writer_of(of: type, found: cattrs.Converter) -> Callable[[Any], Any]:
    return make_dict_unstructure_fn(of, found, **_overrides(of))


def is_union(of: Any) -> bool:
    """Whether a type is one of several."""
    return get_origin(of) in (Union, UnionType)


def _holds_any_value(of: Any) -> bool:
    return is_union(of) and Any in get_args(of)


def _write_piece_or_value(found: cattrs.Converter, value: Any) -> Any:
    return found.unstructure(value) if isinstance(value, EventPiece) else plain_value(value)


def _read_piece_or_value(found: cattrs.Converter, data: Any, of: Any) -> Any:
    """Return a piece if there may be one, else a value of the rules: only numbers stand by ids there."""
    is_piece = EventPiece in get_args(of) and isinstance(data, dict) and isinstance(data.get("kind"), str)
    return found.structure(data, EventPiece) if is_piece else read_value(data)


@cache
def kinds_of(of: Any) -> dict[str, type]:
    """Return the classes of a union by the only `kind` that each has; nothing if they are not told apart by it."""
    found: dict[str, type] = {}
    for each in get_args(of) if is_union(of) else ():
        parts = {one.name: one.type for one in public_fields(each)} if attrs.has(each) else {}
        if get_origin(parts.get("kind")) is Literal:
            found |= dict.fromkeys(get_args(parts["kind"]), each)
        elif each is not NoneType:
            return {}
    return found


def _read_kind(found: cattrs.Converter, data: Any, of: Any) -> Any:
    if data is None and NoneType in get_args(of):
        return None
    if not isinstance(data, dict):
        raise _MismatchError(f"an object is expected, not {format_argument(data)}")
    kind = data.get("kind")
    if not isinstance(kind, str) or kind not in kinds_of(of):
        raise _MismatchError(f"something of one of the kinds {', '.join(kinds_of(of))} is expected")
    return found.structure(data, kinds_of(of)[kind])


_SHAPES = {int: "a whole number", str: "a text", bool: "true or false", list: "a list", dict: "an object"}


def _shape(of: Any) -> type | None:
    """Return what a value of a type is in JSON, if it is always the same."""
    if of in (int, str, bool):
        return of if isinstance(of, type) else None
    if _is_sequence(of):
        return list
    return dict if _is_mapping(of) or attrs.has(of) else None


def _shapes_of(of: Any) -> list[type | None]:
    return [_shape(each) for each in get_args(of) if each is not NoneType]


def _is_told_by_shape(of: Any) -> bool:
    """Whether a type is one of several of which no two look alike in JSON."""
    shapes = _shapes_of(of) if is_union(of) else []
    return len(shapes) > 1 and None not in shapes and len(set(shapes)) == len(shapes)


def _read_by_shape(found: cattrs.Converter, data: Any, of: Any) -> Any:
    if data is None and NoneType in get_args(of):
        return None
    shape = list if isinstance(data, tuple) else type(data)
    for each in get_args(of):
        if _shape(each) is shape:
            return found.structure(data, each)
    words = join([_SHAPES[each] for each in _shapes_of(of) if each is not None], "or")
    raise _MismatchError(f"{words} is expected, not {format_argument(data)}")


def _read_scalar(data: Any, _of: Any, expected: type) -> Any:
    if type(data) is not expected:
        raise _MismatchError(f"{_SHAPES[expected]} is expected, not {format_argument(data)}")
    return data


def _read_nothing(data: Any, _of: Any) -> None:
    if data is not None:
        raise _MismatchError(f"null is expected, not {format_argument(data)}")


def _is_sequence(of: Any) -> bool:
    return getattr(of, "__origin__", None) in (tuple, list)


def _read_items(found: cattrs.Converter, data: Any, of: Any) -> Any:
    """Return a list or tuple; cattrs would take any text or object for one."""
    if not isinstance(data, list | tuple):
        raise _MismatchError(f"a list is expected, not {format_argument(data)}")
    types = list(of.__args__)
    if of.__origin__ is tuple and types[-1:] != [...]:
        if len(types) != len(data):
            raise _MismatchError(f"{len(types)} items are expected, not {len(data)}")
    else:
        types = [types[0]] * len(data)
    return of.__origin__(found.structure(item, type_) for item, type_ in zip(data, types, strict=True))


def _is_mapping(of: Any) -> bool:
    return get_origin(of) in (dict, Mapping)


def _read_mapping(found: cattrs.Converter, data: Any, of: Any) -> Any:
    if not isinstance(data, dict) or not all(isinstance(name, str) for name in data):
        raise _MismatchError(f"an object is expected, not {format_argument(data)}")
    return {name: found.structure(part, of.__args__[1]) for name, part in data.items()}


def read_value(data: Any) -> Any:
    """Return a value of the rules: an id, number, flag or nothing, several of these, counts by id, something hidden."""
    if data is None or isinstance(data, bool | int | str):
        return data
    if isinstance(data, list | tuple):
        return tuple(map(read_value, data))
    if not isinstance(data, dict) or not all(isinstance(name, str) for name in data):
        raise _MismatchError(f"a value of the rules is expected, not {format_argument(data)}")
    if _is_hidden(data):
        return converter().structure(data, Hidden)
    return {name: read_value(part) for name, part in data.items()}


def _register_special(found: cattrs.Converter) -> None:
    """Register the values that are written otherwise than part by part."""
    found.register_unstructure_hook(str, str)
    found.register_unstructure_hook(Hidden, plain_value)
    found.register_structure_hook(Hidden, _read_hidden)
    found.register_structure_hook_func(
        lambda of: is_union(of) and set(get_args(of)) == {EventPiece, Hidden},
        lambda data, _of: found.structure(data, Hidden if _is_hidden(data) else EventPiece),
    )
    found.register_unstructure_hook(Surroundings, lambda value: [found.unstructure(one) for one in value])
    found.register_structure_hook(Surroundings, lambda data, _of: Surroundings(found.structure(data, list[Around])))
    _register_decision(found)
    found.register_unstructure_hook(Span, _write_place)
    found.register_structure_hook(Span, _read_place)
    found.register_unstructure_hook(Report, lambda report: {"diagnostics": found.unstructure(list(report))})
    found.register_structure_hook(Report, lambda data, _of: _read_report(found, data))
    found.register_unstructure_hook(Snapshot, lambda value: _write_snapshot(found, value))
    found.register_structure_hook(Snapshot, lambda data, _of: _read_snapshot(found, data))
    found.register_unstructure_hook(Setting, _write_setting)
    found.register_structure_hook(Setting, _read_setting)


def _is_hidden(data: Any) -> bool:
    return isinstance(data, dict) and isinstance(data.get("hidden"), str)


def _register_decision(found: cattrs.Converter) -> None:
    """Register questions, which are written with the steps and loops around them."""
    write, read = _writer_of(Decision, found), _reader_of(Decision, found)

    def write_decision(value: Decision) -> dict[str, Any]:
        return {**write(value), "around": found.unstructure(value.around)}

    def read_decision(data: Any, of: Any) -> Decision:
        if not isinstance(data, dict) or "around" not in data:
            raise _MismatchError(f"an object with the key around is expected, not {format_argument(data)}")
        around = found.structure(data["around"], Surroundings)
        made: Decision = read({name: part for name, part in data.items() if name != "around"}, of)
        return attrs.evolve(made, around=lambda: around)

    found.register_unstructure_hook(Decision, write_decision)
    found.register_structure_hook(Decision, read_decision)


def _check_keys(data: Any, *names: str) -> None:
    """Check that something is an object with exactly these keys."""
    if not isinstance(data, dict):
        raise _MismatchError(f"an object is expected, not {format_argument(data)}")
    if set(data) != set(names):
        raise _MismatchError(f"the keys {', '.join(names)} are expected, not {', '.join(map(str, data)) or 'none'}")


def _read_hidden(data: Any, _of: Any) -> Hidden:
    _check_keys(data, "hidden", "count", "shows")
    kind, count = _read_scalar(data["hidden"], str, str), _read_scalar(data["count"], int, int)
    if not isinstance(data["shows"], dict):
        raise _MismatchError("an object is expected under `shows`")
    return Hidden(kind, count, tuple((name, read_value(told)) for name, told in data["shows"].items()))


def _write_place(span: Span) -> dict[str, Any]:
    return {"path": span.path} | dict(zip(_PLACE, span.sort_key[1:], strict=True))


def _read_place(data: Any, _of: Any) -> Span:
    _check_keys(data, "path", *_PLACE)
    return Span(
        Source(_read_scalar(data["path"], str, str), ""), *(_read_scalar(data[name], int, int) for name in _PLACE)
    )


def _read_report(found: cattrs.Converter, data: Any) -> Report:
    _check_keys(data, "diagnostics")
    report = Report()
    for each in found.structure(data["diagnostics"], list[Diagnostic]):
        report.add(each)
    return report


def _write_snapshot(found: cattrs.Converter, value: Snapshot) -> dict[str, Any]:
    parts = {one.name: getattr(value, one.name) for one in attrs.fields(Snapshot)}
    return {name: part if name == "state" else found.unstructure(part) for name, part in parts.items()}


def _read_snapshot(found: cattrs.Converter, data: Any) -> Snapshot:
    """Return a snapshot; its state stays plain data."""
    attrs.resolve_types(Snapshot)
    _check_keys(data, *(one.name for one in attrs.fields(Snapshot)))
    types: dict[str, Any] = {one.name: one.type for one in attrs.fields(Snapshot) if one.name != "state"}
    parts = {name: found.structure(data[name], type_) for name, type_ in types.items()}
    _check_plain(data["state"])
    return Snapshot(state=dict(data["state"]), **parts)


def _check_plain(state: Any) -> None:
    if not isinstance(state, dict) or not _is_plain(state):
        raise _MismatchError(f"plain data is expected as the state, not {format_argument(state)}")


def _is_plain(data: Any) -> bool:
    if isinstance(data, dict):
        return all(isinstance(name, str) and _is_plain(part) for name, part in data.items())
    return all(map(_is_plain, data)) if isinstance(data, list) else data is None or isinstance(data, bool | int | str)


def _write_setting(setting: Setting) -> dict[str, Any]:
    """Return a setting; of choices that are numbers only the least and the most."""
    low_high, found = setting.choices, {"id": setting.id, "type": setting.type}
    is_range = isinstance(low_high, range)
    choices = {"from": low_high[0], "to": low_high[-1]} if is_range else plain_value(tuple(setting.choices))
    return {**found, "choices": choices, "default": plain_value(setting.default)}


def _read_setting(data: Any, _of: Any) -> Setting:
    _check_keys(data, "id", "type", "choices", "default")
    id_, type_ = (_read_scalar(data[name], str, str) for name in ("id", "type"))
    choices = data["choices"]
    if isinstance(choices, dict):
        _check_keys(choices, "from", "to")
        low, high = (_read_scalar(choices[name], int, int) for name in ("from", "to"))
        return Setting(id_, type_, range(low, high + 1), read_value(data["default"]))
    if not isinstance(choices, list | tuple):
        raise _MismatchError(f"a list is expected as choices, not {format_argument(choices)}")
    return Setting(id_, type_, read_value(choices), read_value(data["default"]))
