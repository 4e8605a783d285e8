"""How many pieces a move can bring at once, and how much work that is without what it sets off."""

from __future__ import annotations

from attrs import frozen

from aodrules.check.analyse.costs import Amount, LoopRounds, plain
from aodrules.check.analyse.weights import MOVED, room_to_look_through, room_to_search
from aodrules.check.analyse.work_context import WorkContext
from aodrules.check.checked import Field
from aodrules.check.steps import Draw, FieldPlace, Move, PlaceReference
from aodrules.lang.types import Bag, ListOf


@frozen(eq=False)
class MoveWork:
    """Counts the pieces of moves and draws, by the places they come from and go to."""

    context: WorkContext

    def loop(self, step: Move | Draw) -> LoopRounds:
        """Return the pieces of a move as a loop over them."""
        return LoopRounds(self.pieces(step), "for each piece that is moved", step.span)

    def pieces(self, step: Move | Draw) -> int:
        """Return how many pieces can be moved at once: no more than there are in one place and fit into the other."""
        sizes = self.context.ranges.sizes
        pieces = sizes.most_players if step.kind == "player" else sizes.pieces(step.kind)
        most = min(self._room(step.source, step), self._room(step.target, step), pieces)
        if isinstance(step, Draw) or step.count is not None:
            return min(most, self.context.interval(step.count).most if step.count else most)
        return min(most, 1) if step.what is not None else most

    def carrying(self, step: Move | Draw) -> Amount:
        """Return the work of taking pieces out of one place and putting them into the other, one by one."""
        ends = (step.source, step.target)
        places = [(place, [self.context.rules.fields.get(name) for name in self._fields(place)]) for place in ends]
        ranges, at_once, each_time = self.context.ranges, 0, 0
        for place, fields in places:
            looks = (room_to_look_through(each, ranges) * self._parts(each, place, step) for each in fields if each)
            at_once += max(looks, default=0)
            each_time += max((room_to_search(each, ranges) for each in fields if each is not None), default=0)
        return plain(at_once, step.span) + plain(MOVED + each_time, step.span).in_loop(self.loop(step))

    def _fields(self, place: PlaceReference) -> frozenset[str]:
        return self.context.graph.fields_of(self.context.caller, place)

    def _room(self, place: PlaceReference, step: Move | Draw) -> int:
        """Return how many pieces a place can hold."""
        if isinstance(place, FieldPlace) and place.index is not None:
            return 1
        fields = (self.context.rules.fields.get(name) for name in self._fields(place))
        return max((self._room_of(each) * self._parts(each, place, step) for each in fields if each), default=0)

    def _room_of(self, of: Field) -> int:
        return self.context.ranges.sizes.field(of).most if isinstance(of.type, Bag | ListOf) else 1

    def _parts(self, of: Field, place: PlaceReference, step: Move | Draw) -> int:
        """Return how many parts of a field a step takes pieces from or brings them to: one for each of their owners."""
        is_by_owner = None in place.at if isinstance(place, FieldPlace) else of.owner_dimension is not None
        is_of_one = step.owner is not None or (isinstance(step, Move) and step.what is not None)
        return self.context.ranges.sizes.most_players if is_by_owner and not is_of_one else 1
