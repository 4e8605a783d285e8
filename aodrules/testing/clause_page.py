"""The map of clauses as a page: the gaps, then chapter by chapter what each clause rests on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from aodrules.pages import Markup, Section, anchor, element, join, page
from aodrules.play.labels import plain_words
from aodrules.source.wording import count
from aodrules.testing.clause_map import Cited, ClauseCoverage, ClauseMap, Gap, Ruling, map_summary


def clause_page(found: ClauseMap) -> str:
    """Return the map as a page of its own."""
    by_id = {each.id: each for each in found.clauses}
    chapters = (_chapter(found, title, id_, [by_id[each] for each in ids]) for id_, title, ids in found.chapters)
    sections = [_gaps(found), *chapters, *_rulings(found)]
    return page(f"Clauses of {found.title}", *(each for each in sections if each is not None), lead=_lead(found))


def _lead(found: ClauseMap) -> Iterator[Markup]:
    told = f"{map_summary(found).partition(': ')[2]}."
    yield element("p", told[:1].upper() + told[1:], class_="lead")
    games = f"{count(found.games, 'random game')} came" if found.games else ""
    played = f" Played tells how often {games} by." if games else ""
    about = "Each clause opens to name the places in the rules that model it, and what tests it."
    yield element("p", about + played, class_="faint")


def _gaps(found: ClauseMap) -> Section | None:
    if not found.gaps:
        return None
    return Section("Gaps", "gaps", (element("ul", *(element("li", *_gap(each, found)) for each in found.gaps)),))


def _gap(gap: Gap, found: ClauseMap) -> Iterator[str]:
    """Iterate over the parts of a line on a gap: a link to what it is in, if that stands on the page."""
    sort, _, id_ = gap.what.partition(" ")
    ids = {"clause": [each.id for each in found.clauses], "ruling": [each.id for each in found.rulings]}
    yield element("a", gap.what, href=f"#{anchor(sort, id_)}") if id_ in ids.get(sort, ()) else gap.what
    yield f": {gap.why} "
    yield element("small", str(gap.span))


def _chapter(found: ClauseMap, title: str, id_: str, clauses: list[ClauseCoverage]) -> Section:
    return Section(title, anchor("chapter", id_), tuple(_clause(found, each) for each in clauses))


def _clause(found: ClauseMap, clause: ClauseCoverage) -> Markup:
    lines = (
        *((f"stands in {clause.source}",) if clause.source else ()),
        *(_node_line(found, each) for each in clause.nodes),
        *_test_lines(found, "scenario", clause.scenarios),
        *_test_lines(found, "property", clause.properties),
        *(element("b", each) for each in clause.gaps),
    )
    told = join(", ".join(_counts(found, clause)), " ", element("code", clause.id))
    inside = element("ul", *(element("li", line) for line in lines))
    kind = "gap" if clause.gaps else "overridden" if clause.is_overridden else ""
    return element(
        "div",
        element("p", clause.says),
        element("details", element("summary", told), inside) if lines else element("p", told, class_="faint"),
        id_=anchor("clause", clause.id),
        class_=f"entry {kind}".rstrip(),
    )


def _counts(found: ClauseMap, clause: ClauseCoverage) -> Iterator[str]:
    """Iterate over what a clause is and how much there is to name of it."""
    if clause.kind:
        yield clause.kind
    if clause.is_overridden:
        yield "overridden"
    several = ((clause.nodes, "place", "places"), (clause.scenarios, "scenario", "scenarios"))
    for some, noun, nouns in (*several, (clause.properties, "property", "properties")):
        if some:
            yield f"{len(some):,} {noun if len(some) == 1 else nouns}"
    if found.games:
        yield f"played {count(clause.exercised, 'time')}" if clause.exercised else "never played"


def _node_line(found: ClauseMap, node: Cited) -> Markup:
    name = found.names.get(node.address, "")
    told = element("span", element("code", node.address), f" {node.span}", class_="told-as")
    return join("modelled by ", name, " " if name else "", told)


def _test_lines(found: ClauseMap, sort: str, ids: Iterable[str]) -> Iterator[Markup]:
    verb = "shown by" if sort == "scenario" else "tested by"
    for id_ in ids:
        name = found.names.get(f"{sort} {id_}") or plain_words(id_)
        yield join(f"{verb} {name} ", element("span", element("code", id_), class_="told-as"))


def _rulings(found: ClauseMap) -> Iterator[Section]:
    if found.rulings:
        yield Section("Rulings", "rulings", tuple(_ruling(found, each) for each in found.rulings))


def _ruling(found: ClauseMap, ruling: Ruling) -> Markup:
    lines = (
        *_test_lines(found, "scenario", ruling.scenarios),
        *_test_lines(found, "property", ruling.properties),
        *((f"shown by no scenario: {ruling.why_no_scenario}",) if ruling.why_no_scenario else ()),
        *(element("b", each) for each in ruling.gaps),
    )
    told = join("played: ", element("b", plain_words(ruling.reading).lower()), " ", element("code", ruling.id))
    inside = element("ul", *(element("li", line) for line in lines))
    return element(
        "div",
        element("p", ruling.question),
        element("details", element("summary", told), inside) if lines else element("p", told, class_="faint"),
        id_=anchor("ruling", ruling.id),
        class_="entry gap" if ruling.gaps else "entry",
    )
