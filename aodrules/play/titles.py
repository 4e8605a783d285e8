"""What rules are called, with what they are played with, and what stands at an address in them."""

from __future__ import annotations

from contextlib import suppress

from aodrules.errors import UnknownNameError
from aodrules.play.components import said_texts
from aodrules.play.labels import FALLBACK, plain_words
from aodrules.play.lookup import text_at
from aodrules.play.rules_context import RulesContext
from aodrules.syntax.documents import Document


def rules_title(book: RulesContext, language: str) -> str:
    """Return the name of the game or edition, without variants."""
    if book.ruleset.edition:
        return document_name(book, book.ruleset.edition, language)
    return book.words.find("game", language) or plain_words(book.summary.name)


def whole_title(book: RulesContext, language: str) -> str:
    """Return the name of the game or edition and those of its variants."""
    names = (document_name(book, name, language) for name in book.summary.variants)
    return " + ".join([rules_title(book, language), *names])


def document_name(book: RulesContext, name: str, language: str) -> str:
    """Return what an edition or variant is called in a language, or its name in plain letters."""
    for document in documents_named(book, name):
        said = said_texts(document.root, "name")
        if language in said or FALLBACK in said:
            return said.get(language) or said[FALLBACK]
    return plain_words(name)


def documents_named(book: RulesContext, name: str) -> list[Document]:
    """Return the documents of a game, edition, module or variant."""
    return [each for each in book.ruleset.documents if each.head is not None and each.head.name.text == name]


def address_name(book: RulesContext, address: str, language: str) -> str | None:
    """Return what a node is called, or the nearest one around it that has a name; nothing if none has."""
    labels, parts = book.labels(language), address.split(".")
    for end in range(len(parts), 0, -1):
        around = ".".join(parts[:end])
        if book.words.find(around, language) is not None:
            with suppress(UnknownNameError):  # there are words for what only other editions have
                return text_at(book, around, language, {})
    if parts[0] == "kinds" and len(parts) > 1 and parts[1] in book.checked.kinds:
        return labels.kind(parts[1])
    is_member = len(parts) > 1 and parts[0] in book.checked.kinds and parts[1] in book.checked.kinds[parts[0]].members
    return labels.member(parts[0], parts[1]) if is_member else None
