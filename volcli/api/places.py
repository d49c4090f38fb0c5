"""From lines of a file to the accesses that begin there, and back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from volcli.diagnostics import Diagnostic, Place, UsageError
from volcli.limits import printing as limits
from volcli.model.function import FunctionModel
from volcli.model.memory.accesses.site import Site
from volcli.model.memory.steps.explanations import Pair, pairs_between, pairs_of_site
from volcli.passes.base import Unit

Spot = tuple[int, int | None]


@dataclass(frozen=True, eq=False)
class Entry:
    """An access, its function and its place."""

    model: FunctionModel
    site: Site
    place: Place


class AccessesByPlace:
    """The accesses of a program, chunk by chunk, by their places in a file."""

    def __init__(self, units: Sequence[Unit], file: str) -> None:
        self._file = file
        self._entries = [
            Entry(model, site, unit.parsed.written_at(site.op))
            for unit in units
            for model in unit.models()
            for site in model.memory.sites
        ]
        begins = {(entry.place.line, entry.place.column) for entry in self._entries}
        self._in_line = Counter(line for line, _ in begins)
        self._texts = {id(entry.site): self._text(entry.place) for entry in self._entries}

    def _text(self, place: Place) -> str:
        return f"{place.line}:{place.column}" if self._in_line[place.line] > 1 else str(place.line)

    def text(self, site: Site) -> str:
        """What `--at` takes for SITE."""
        return self._texts[id(site)]

    def pairs(self, spots: Sequence[Spot]) -> list[Pair]:
        """The pairs of accesses at SPOTS: of the first with the second, or of the only one with all others.

        Raises UsageError (V010) if there is none.
        """
        found = [self._at(spot) for spot in spots]
        if len(found) == 1:
            every = [pair for entry in found[0] for pair in pairs_of_site(entry.model.memory, entry.site)]
            if not every:
                message = "no other access uses the buffer of this access, or none of them writes"
                raise UsageError(Diagnostic("V010", message, found[0][0].place))
            return list({(id(pair.source), id(pair.sink)): pair for pair in every}.values())
        first, second = found
        if first[0].model is not second[0].model:
            names = f"@{first[0].model.name} and @{second[0].model.name}"
            message = f"the two accesses are in different functions, {names}"
            raise UsageError(Diagnostic("V010", message, second[0].place))
        memory = first[0].model.memory
        pairs = pairs_between(memory, [e.site for e in first], [e.site for e in second])
        if not pairs:
            message = "both accesses only read: their order does not matter"
            raise UsageError(
                Diagnostic("V010", message, second[0].place, "name a line that writes to the buffer")
            )
        return pairs

    @staticmethod
    def drawable(pairs: Sequence[Pair], spots: Sequence[Spot]) -> list[Pair]:
        """Those of PAIRS that one picture can show: of one access, the ones that are in all of its loops."""
        if len(spots) > 1:
            return list(pairs)
        found = [
            pair for pair in pairs if pair.common == max(len(s.levels) for s in (pair.source, pair.sink))
        ]
        if not found:
            message = "there is no picture: no other access is in the same loops"
            raise UsageError(Diagnostic("V011", message, note="name the source and the sink: --at LINE,LINE"))
        return found

    def _at(self, spot: Spot) -> list[Entry]:
        line, column = spot
        found = [e for e in self._entries if e.place.line == line and column in (None, e.place.column)]
        if found:
            return found
        where = "in this line" if column is None else "at this place"
        place = Place(self._file, line, column or 1)
        raise UsageError(
            Diagnostic("V010", f"no access to memory begins {where}", place, self._nearest(line))
        )

    def _nearest(self, line: int) -> str:
        if not self._entries:
            return "no operation of this file that was read accesses a memref"
        by_distance = sorted(self._entries, key=lambda e: (abs(e.place.line - line), e.place))
        texts = list(dict.fromkeys(self._text(entry.place) for entry in by_distance))[
            : limits.NEAREST_ACCESSES
        ]
        return f"the nearest accesses begin at {', '.join(sorted(texts, key=_number))}"


def _number(text: str) -> list[int]:
    return [int(part) for part in text.split(":")]
