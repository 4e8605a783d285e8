"""Make links from the pages to the package's modules work on the site: each linked module becomes a page.

A page links a function so that the link works in the repository, too:
``[`name`](../../aodrules/folder/module.py)``. On the site it leads to the line where the function begins.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

_LINK = re.compile(r"\[`(?P<name>[\w.]+)`\]\((?P<up>(?:\.\./)+)(?P<module>aodrules/[\w/]+\.py)\)")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add a page for each module that a page links."""
    linked = {found["module"] for page in files.documentation_pages() for found in _LINK.finditer(page.content_string)}
    for module in sorted(linked):
        text = (Path(config.config_file_path).parent / module).read_text(encoding="utf-8")
        page = f"# {module}\n\n````python\n{text}````\n"
        files.append(File.generated(config, f"source/{module.removesuffix('.py')}.md", content=page))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Turn links to modules into links to their pages, at the line where the name begins."""

    def link(found: re.Match[str]) -> str:
        text = (Path(config.config_file_path).parent / found["module"]).read_text(encoding="utf-8")
        above = found["up"].removesuffix("../")  # The pages are one folder nearer than the package.
        target = f"{above}source/{found['module'].removesuffix('.py')}.md"
        return f"[`{found['name']}`]({target}#__codelineno-0-{line_of(found['name'], text)})"

    return _LINK.sub(link, markdown)


def line_of(name: str, text: str) -> int:
    """Return the line where a function or method of a module begins."""
    scope: ast.AST = ast.parse(text)
    for part in name.split("."):
        scope = next(
            node
            for node in ast.iter_child_nodes(scope)
            if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name == part
        )
    assert isinstance(scope, ast.FunctionDef | ast.ClassDef)
    return scope.lineno
