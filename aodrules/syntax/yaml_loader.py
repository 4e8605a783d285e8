"""The parser of YAML's events: libyaml where there is one, else the parser in Python, made to agree with it."""

from __future__ import annotations

from typing import Any

import yaml
from yaml.scanner import ScannerError

_SPACES = "\0 \t\r\n\x85\u2028\u2029"
_FLOW_SIGNS = ",[]{}"


class PythonLoader(yaml.SafeLoader):
    """The parser in Python. In flow style it takes `Why?` as a word and refuses `a:` before a comma, like libyaml."""

    def scan_plain(self) -> Any:
        """Return the plain scalar that begins here."""
        chunks: list[str] = []
        spaces: list[str] = []
        start = end = self.get_mark()
        indent = self.indent + 1
        while self.peek() != "#":
            length = self._word_length()
            if length == 0:
                break
            self.allow_simple_key = False
            chunks += [*spaces, self.prefix(length)]
            self.forward(length)
            end = self.get_mark()
            spaces = self.scan_plain_spaces(indent, start) or []
            if not spaces or (not self.flow_level and self.column < indent):
                break
        return yaml.ScalarToken("".join(chunks), True, start, end)  # noqa: FBT003 - the parser's own signature

    def _word_length(self) -> int:
        """Return how many signs of a plain scalar follow without a space."""
        length = 0
        while (sign := self.peek(length)) not in _SPACES and not (self.flow_level and sign in _FLOW_SIGNS):
            follows = self.peek(length + 1)
            if sign == ":" and follows in _SPACES:
                break
            if sign == ":" and self.flow_level and follows in _FLOW_SIGNS + "?":
                self.forward(length)
                raise ScannerError("while scanning a plain scalar", None, "found unexpected ':'", self.get_mark())
            length += 1
        return length


LOADER: Any = getattr(yaml, "CSafeLoader", PythonLoader)
