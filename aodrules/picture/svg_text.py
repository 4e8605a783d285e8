"""A scene as SVG: presentation attributes and classes only, so that the strictest content security policy can hold."""

from __future__ import annotations

import re
from functools import lru_cache
from html import escape

from aodrules.picture.scene import Mark, Node, Scene

FONT = "system-ui, 'Segoe UI', 'Noto Sans', 'DejaVu Sans', sans-serif"
# What XML does not allow in a text at all.
_FORBIDDEN = re.compile("[^\\t\\n\\r\\u0020-\\ud7ff\\ue000-\\ufffd\\U00010000-\\U0010ffff]")


def svg_text(scene: Scene, prefix: str = "") -> str:
    """Return a scene as SVG; the prefix comes before every id, so that several pictures can stand on one page."""
    names = (_quoted(f"{prefix}picture-title"), _quoted(f"{prefix}picture-description"))
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {scene.width:g} {scene.height:g}" '
        f'class="aodrules-picture" role="img" lang="{_quoted(scene.language)}" font-family="{FONT}" '
        f'aria-labelledby="{names[0]} {names[1]}">'
        f'<title id="{names[0]}">{_text(scene.title)}</title><desc id="{names[1]}">{_text(scene.description)}</desc>'
    )
    parts = [head]
    _write(scene.root, prefix, parts)
    parts.append("</svg>\n")
    return "".join(parts)


def _write(node: Node, prefix: str, parts: list[str]) -> None:
    parts.append(f'<g id="{_quoted(prefix + node.id)}"{_attributes(node)}>')
    if node.title:
        parts.append(f"<title>{_text(node.title)}</title>")
    parts.extend(map(_mark, node.marks))
    for inner in node.inside:
        _write(inner, prefix, parts)
    parts.append("</g>")


def _attributes(node: Node) -> str:
    found = f' class="{_quoted(" ".join(node.classes))}"' if node.classes else ""
    if node.x or node.y or node.scale != 1:
        scaled = f" scale({node.scale:g})" if node.scale != 1 else ""
        found += f' transform="translate({node.x:g} {node.y:g}){scaled}"'
    if node.symbol:
        found += f' data-symbol="{_quoted(node.symbol)}"'
    return f'{found} data-count="{node.pieces}"' if node.pieces else found


@lru_cache(maxsize=20_000)
def _mark(mark: Mark) -> str:
    tag, attributes, text = mark
    written = "".join(
        f' {name}="{_quoted(value) if isinstance(value, str) else f"{value:g}"}"' for name, value in attributes
    )
    return f"<{tag}{written}>{_text(text)}</{tag}>" if text else f"<{tag}{written}/>"


@lru_cache(maxsize=5_000)
def _text(text: str) -> str:
    return escape(_FORBIDDEN.sub("\ufffd", text), quote=False)


@lru_cache(maxsize=5_000)
def _quoted(text: str) -> str:
    return escape(_FORBIDDEN.sub("\ufffd", text))
