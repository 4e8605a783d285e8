"""What a layout says, sorted by what it is about."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

from attrs import frozen

from aodrules.picture.theme import Theme, is_colour_name


@frozen(eq=False)
class PictureLayout:
    """The parts of a picture by id, as they are written; they were checked when the rules were."""

    parts: Mapping[str, Mapping[str, Any]]

    def with_key(self, key: str) -> dict[str, Mapping[str, Any]]:
        """Return the parts of one sort by id."""
        return {id_: body for id_, body in self.parts.items() if key in body}

    @cached_property
    def seats(self) -> dict[str, Mapping[str, Any]]:
        """What is said of the looks of seats."""
        return {str(body["seat"]): body for body in self.with_key("seat").values()}

    @cached_property
    def omitted(self) -> frozenset[str]:
        """The fields that are not shown."""
        return frozenset(str(each) for body in self.with_key("omit").values() for each in body["omit"])

    @cached_property
    def _icons(self) -> dict[str, Mapping[str, Any]]:
        found = {}
        for body in (*self.with_key("icon").values(), *self.with_key("like").values()):
            of = body["of"]
            found.update({str(each): body for each in (of if isinstance(of, list) else [of])})
        return found

    def icon(self, address: str) -> Mapping[str, Any] | None:
        """Return the icon that is said of a member or kind, or of what it looks like."""
        return self._icons.get(address)

    def colour(self, name: str | None, theme: Theme) -> str | None:
        """Return a colour by its name in the layout or here, or as it is written."""
        if name is None or name == "none" or name.startswith("#"):
            return name
        body = self.parts.get(name)
        if body is not None and "colour" in body:
            return str(body.get("dark", body["colour"]) if theme.name == "dark" else body["colour"])
        return theme.colour(name) if is_colour_name(name) else None
