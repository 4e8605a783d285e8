"""Words for people: the texts and names of a game, in the language asked for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import frozen

FALLBACK = "en"


@frozen(eq=False)
class Words:
    """The texts of a ruleset, by address and language."""

    texts: Mapping[str, Mapping[str, str]]

    def find(self, address: str, language: str) -> str | None:
        """Return the words for an address, in another language if there are none in this one."""
        found = self.texts.get(address)
        if not found:
            return None
        return found.get(language) or found.get(FALLBACK) or next(iter(found.values()))

    def say(self, address: str, language: str) -> str:
        """Return the words for an address, or its last part in plain letters."""
        return self.find(address, language) or plain_words(address)

    def seat(self, seat: str, language: str) -> str:
        """Return what a seat is called, or its id in plain letters."""
        return self.find(f"player.{seat}", language) or seat.replace("_", " ")

    def filled(self, template: str, arguments: Mapping[str, Any]) -> str:
        """Return a text with `{name}` replaced by the argument of that name."""
        for name, value in arguments.items():
            template = template.replace(f"{{{name}}}", str(value))
        return template


def plain_words(address: str) -> str:
    """Return the last part of an address in plain letters: `place_worker` gives `Place worker`."""
    words = address.rsplit(".", 1)[-1].replace("_", " ").replace("-", " ")
    return words[:1].upper() + words[1:]
