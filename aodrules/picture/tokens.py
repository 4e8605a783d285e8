"""How single things look: pieces with an icon or a name, seats, backs of what is hidden."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from aodrules.lang.types import Member
from aodrules.picture.items import ShownItem
from aodrules.picture.scene import Mark, Node
from aodrules.picture.style import GAP, Drawn, Style, box, flow, path, words
from aodrules.picture.text_size import fitted, text_width
from aodrules.picture.theme import readable_on

HEIGHT = 24
"""Of every token, so that a row of them is even."""
_SIZE = 12.5
_WIDEST = 280
_NAMES = ((15.0, 1), (14.0, 1), (13.0, 1), (14.0, 2), (12.5, 2), (11.0, 2), (11.0, 3), (9.5, 3), (8.5, 3))
_TOLD = ((12.0, 1), (11.0, 1), (11.0, 2), (10.0, 2), (9.0, 3))
_SHORT = ((12.0, 1), (11.0, 1), (10.0, 1), (9.0, 1))
_PLATE_NAMES = ((12.0, 1), (11.0, 1), (10.0, 1), (10.0, 2), (9.0, 2), (8.0, 2), (7.0, 2), (7.0, 1))
_ABOUT = (16.0, 15.0, 14.0, 13.0, 12.0, 11.0, 10.0, 9.0, 8.5)


def token(style: Style, id_: str, item: ShownItem, *, small: bool = False, named: bool = False) -> Drawn:
    """Return how a thing, or so many equal ones, looks; if small, without its name; if named, with it."""
    if item.member is None:
        return _back(style, id_, item, is_small=small)
    if item.kind == "player":
        return _seat(style, id_, item)
    if small or (not named and style.icon(item.kind, item.member) is not None):
        return _symbol(style, id_, item)
    return _chip(style, id_, item)


def _node(style: Style, id_: str, item: ShownItem, label: str, marks: list[Mark]) -> Node:
    """Return the node of a thing with all that is the same for all of them."""
    classes = ["piece" if item.is_piece else "mention", f"kind-{item.kind}"]
    owner = "" if item.owner is None else f"{style.say('player', item.owner)}: "
    if item.owner is not None:
        classes.append(f"seat-{item.owner}")
    if item.member is None:
        classes.append("hidden")
    many = f"{item.many} × " if item.many > 1 else ""
    symbol = "" if item.member is None else style.symbol(item.kind, item.member)
    about = "" if item.member is None else style.about(item.kind, item.member)
    title = f"{owner}{many}{label}" + (f": {about}" if about else "")
    pieces = item.many if item.is_piece else 0
    return Node(id_, tuple(classes), 0, 0, 1, symbol, label, title, pieces, tuple(marks))


def _symbol(style: Style, id_: str, item: ShownItem) -> Drawn:
    """Return a disc in the colour of the owner, or a tile in the colour of the member, with the icon on it."""
    assert item.member is not None
    icon, owner = style.icon(item.kind, item.member), item.owner
    if owner is None:
        fill = style.hue(item.kind, item.member)
        marks = [box(1, 1, 22, 22, fill, style.theme.colour("ink"), 5)]
        ink = readable_on(fill)
    else:
        look = style.seats[owner]
        ink = look.ink
        marks = [disc(style, owner, 12, 12, 11)]
    if icon is None:
        marks.append(words(style.short(item.kind, item.member), 12, 15.8, 10.5, ink, anchor="middle", bold=True))
    else:
        marks.append(path(icon["icon"], ink, ("transform", "translate(4 4) scale(0.6667)")))
    width = _add_letter(style, item, marks) or _add_number(style, item, marks)
    width = _add_count(style, item, marks, width)
    return Drawn(_node(style, id_, item, style.say(item.kind, item.member), marks), width, HEIGHT)


def disc(style: Style, seat: str, x: float, y: float, radius: float) -> Mark:
    """Return a disc in the colour of a seat, its rim in the pattern of the seat."""
    look = style.seats[seat]
    dashes = (("stroke-dasharray", look.dashes), ("stroke-linecap", "round")) if look.dashes else ()
    return (
        "circle",
        (
            ("cx", x),
            ("cy", y),
            ("r", radius),
            ("fill", look.fill),
            ("stroke", look.ink),
            ("stroke-width", 1.6),
            *dashes,
        ),
        "",
    )


def _add_letter(style: Style, item: ShownItem, marks: list[Mark]) -> float:
    """Add the letter of the owner at the bend of a token and return how wide it is; nothing if it has no owner."""
    if item.owner is None:
        return 0
    _add_badge(style, style.seats[item.owner].letter, marks)
    return HEIGHT + 2


def _add_number(style: Style, item: ShownItem, marks: list[Mark]) -> float:
    """Add the number that the layout wants on a member, and return how wide the token is."""
    number = None if item.member is None else style.number_on(item.kind, item.member)
    if number is None:
        return HEIGHT
    _add_badge(style, str(number), marks)
    return HEIGHT + 2


def _add_badge(style: Style, text: str, marks: list[Mark]) -> None:
    paper, ink = style.theme.colour("card"), style.theme.colour("ink")
    half = max(5.2, text_width(text, 7.5, bold=True) / 2 + 1.2)
    marks.append(
        ("circle", (("cx", 20), ("cy", 19.5), ("r", half), ("fill", paper), ("stroke", ink), ("stroke-width", 0.7)), "")
    )
    marks.append(words(text, 20, 22.3, 7.5, ink, anchor="middle", bold=True))


def _add_count(style: Style, item: ShownItem, marks: list[Mark], width: float) -> float:
    if item.many < 2:
        return width
    many = f"×{item.many}"
    marks.append(words(many, width + 2, 16.5, _SIZE, style.theme.colour("ink"), bold=True))
    return width + 4 + text_width(many, _SIZE, bold=True)


def _seat(style: Style, id_: str, item: ShownItem) -> Drawn:
    assert item.member is not None
    look = style.seats[item.member]
    letter = words(look.letter, 12, 16.5, _SIZE, look.ink, anchor="middle", bold=True)
    node = _node(style, id_, item, style.say("player", item.member), [disc(style, item.member, 12, 12, 11), letter])
    return Drawn(node._replace(classes=(*node.classes, f"seat-{item.member}")), HEIGHT, HEIGHT)


def _chip(style: Style, id_: str, item: ShownItem) -> Drawn:
    """Return a small card with the name of a member and what tells whose it is."""
    assert item.member is not None
    name, colour = style.say(item.kind, item.member), style.theme.colour
    many = f" ×{item.many}" if item.many > 1 else ""
    icon = None if item.owner else style.icon(item.kind, item.member)
    start = 29.0 if item.owner or icon else 13.0
    width = min(start + text_width(name, _SIZE) + text_width(many, _SIZE, bold=True) + 6, _WIDEST)
    marks = [box(0, 0.5, width, HEIGHT - 1, colour("card"), colour("line"))]
    if item.owner:
        look = style.seats[item.owner]
        marks += [disc(style, item.owner, 14, 12, 9.5)]
        marks += [words(look.letter, 14, 15.8, 10.5, look.ink, anchor="middle", bold=True)]
    elif icon:
        fill = style.hue(item.kind, item.member)
        marks.append(box(3, 2.5, 22, 19, fill, None, 4))
        marks.append(path(icon["icon"], readable_on(fill), ("transform", "translate(6 4) scale(0.6667)")))
    else:
        marks.append(box(3, 4, 5, HEIGHT - 8, style.hue(item.kind, item.member), None, 2))
    room = width - start - text_width(many, _SIZE, bold=True) - 5
    marks.append(words(name, start, 16.5, _SIZE, colour("ink"), room=room))
    if many:
        marks.append(words(many.strip(), width - 5, 16.5, _SIZE, colour("ink"), anchor="end", bold=True))
    return Drawn(_node(style, id_, item, name, marks), width, HEIGHT)


def card(style: Style, id_: str, item: ShownItem, size: tuple[float, float], known: Sequence[Drawn] = ()) -> Drawn:
    """Return a card with the name of a member, what it does, and at its foot what is known of it."""
    if item.member is None or item.kind == "player":
        return token(style, id_, item)
    (width, height), colour = size, style.theme.colour
    name = style.say(item.kind, item.member)
    told = style.told(item.kind, item.member)
    about = style.about(item.kind, item.member) or ("" if told else style.printed(item.kind, item.member))
    hue, inner = style.hue(item.kind, item.member), width - 14
    icon = style.icon(item.kind, item.member)
    marks = [box(0.5, 0.5, width - 1, height - 1, colour("card"), colour("line"), 6)]
    marks.append(path(f"M0.5 7Q0.5 0.5 7 0.5H{width - 7:.1f}Q{width - 0.5:.1f} 0.5 {width - 0.5:.1f} 7V9H0.5Z", hue))
    left, y = 7.0, 26.0
    many = f"×{item.many}" if item.many > 1 else ""
    room = inner - (text_width(many, _SIZE, bold=True) + 4 if many else 0)
    if icon is not None and _has_room(
        name, room - 22, _NAMES
    ):  # a long name takes its room, and the edge has its colour
        marks.append(box(6, 13, 18, 18, hue, None, 4))
        marks.append(path(icon["icon"], readable_on(hue), ("transform", "translate(8 15) scale(0.5833)")))
        left, room = 29.0, room - 22
    size_, lines = fitted(name, room, _NAMES, bold=True)
    for line in lines:
        marks.append(words(line, left, y, size_, colour("ink"), bold=True))
        y += size_ + 2
    if many:
        marks.append(words(many, width - 7, 26, _SIZE, colour("ink"), anchor="end", bold=True))
    if left > 7:
        y = max(y, 44.0)
    foot, _, end = flow(known, width - 14, 4, left=7)
    foot = tuple(node.at(node.x, height - end - 4 + node.y) for node in foot)
    if told:
        size_, lines = fitted(told, width - 14, _TOLD)
        end += len(lines) * (size_ + 1.5) + 3
        for number, line in enumerate(lines):
            marks.append(words(line, 7, height - end + 4 + number * (size_ + 1.5), size_, colour("ink")))
    room, least = height - end - y + (4 if told else 8), 0 if told else 1
    ways = tuple((each, most) for each in _ABOUT if (most := max(least, int(room // (each * 1.22)))))
    size_, lines = fitted(about, width - 14, ways) if ways else (_ABOUT[-1], ("…",) if about else ())
    for line in lines:
        marks.append(words(line, 7, y + size_ - 9, size_, colour("faint")))
        y += size_ * 1.22
    return Drawn(_node(style, id_, item, name, marks)._replace(inside=foot), width, height)


def _has_room(name: str, room: float, ways: tuple[tuple[float, int], ...]) -> bool:
    """Whether all of the name of a card can stand in so much room in one of these ways."""
    return not any(line.endswith("…") for line in fitted(name, room, ways, bold=True)[1])


def plate(style: Style, id_: str, item: ShownItem, size: tuple[float, float], on: Sequence[Drawn] = ()) -> Drawn:
    """Return a flat card with the name of a member, the number that the layout wants there, and what lies on it."""
    if item.member is None or item.kind == "player":
        return token(style, id_, item)
    (width, height), colour = size, style.theme.colour
    name, number = style.say(item.kind, item.member), style.number_on(item.kind, item.member)
    hue = style.hue(item.kind, item.member)
    marks = [box(0.5, 0.5, width - 1, height - 1, colour("card"), colour("line")), box(0.5, 0.5, 5, height - 1, hue)]
    beside = 0.0 if number is None else text_width(str(number), 10.5, bold=True) + 4
    is_above = number is not None and _has_room(name, width - 12 - beside, _SHORT)
    if number is not None:
        y = 12.5 if is_above else height - 5
        marks.append(words(str(number), width - 5, y, 10.5, colour("faint"), anchor="end", bold=True))
    high = 0.52 * height if on else height - 4
    ways = tuple(way for way in _PLATE_NAMES if way[0] * 1.15 * way[1] <= high) or _PLATE_NAMES[-1:]
    size_, lines = (
        fitted(name, width - 12 - beside, _SHORT, bold=True) if is_above else fitted(name, width - 12, ways, bold=True)
    )
    beside = 0.0 if is_above else beside
    y = size_ + 2
    for line in lines:
        marks.append(words(line, 9, y, size_, colour("ink"), bold=True))
        y += size_ * 1.1
    top = y - size_ + 1
    scale = min(
        1.0, (height - top - 2) / HEIGHT, (width - 12 - beside) / max(1.0, sum(each.width + GAP for each in on))
    )
    inside, _, _ = flow(on, 10 * width, GAP)
    laid = tuple(node.at(9 + node.x * scale, height - 2 - HEIGHT * scale, round(scale, 3)) for node in inside)
    return Drawn(_node(style, id_, item, name, marks)._replace(inside=laid), width, height)


def _back(style: Style, id_: str, item: ShownItem, *, is_small: bool) -> Drawn:
    """Return the back of something hidden, with what is printed there."""
    fill = style.theme.colour("back")
    ink = readable_on(fill)
    told = ", ".join(_shown(style, item.kind, name, value) for name, value in item.shows)
    marks = [
        box(1, 1, 18, 22, fill, style.theme.colour("ink"), 3),
        path("M4 7L10 3L16 7L16 17L10 21L4 17Z", "none", ("stroke", ink), ("stroke-width", 1)),
        words("?", 10, 16.3, _SIZE, ink, anchor="middle", bold=True),
    ]
    width = 20.0
    if item.owner is not None:
        width = _add_letter(style, item, marks)
    width = _add_count(style, item, marks, width)
    if told and not is_small:
        marks.append(words(told, width + 4, 16.5, 11, style.theme.colour("faint")))
        width += 6 + text_width(told, 11)
    label = f"{style.labels.phrase('hidden')} ({told})" if told else style.labels.phrase("hidden")
    return Drawn(_node(style, id_, item, label, marks), width, HEIGHT)


def _shown(style: Style, kind: str, name: str, value: Any) -> str:
    """Return what the back of a piece tells by one attribute."""
    type_ = style.labels.rules.attributes[style.labels.attribute_address(kind, name)].type
    if isinstance(value, bool):
        return style.labels.attribute(kind, name) if value else ""
    said = style.labels.value(type_, value)
    return said if isinstance(type_, Member) else f"{style.labels.attribute(kind, name)} {said}"
