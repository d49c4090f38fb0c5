"""MARS: what data flows between tiles, by array, as sets of elements with the same consumers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from volcli.diagnostics.counted import counted
from volcli.facts.fact import EXACT, Certainty, Fact, Where, json_fields
from volcli.facts.mars_layout import MarsLayout
from volcli.model.mars.tilings.vectors import tuple_text
from volcli.presburger.sets.named import NamedSet


@dataclass(frozen=True)
class MarsRow:
    """One set: its elements, and the tiles that consume it, relative to the tile."""

    points: NamedSet
    consumers: tuple[str, ...]


@dataclass(frozen=True)
class MarsClass:
    """Tiles whose sets have the same form, for sizes of one residue.

    `sizes` (a condition) and `tiles` say which (None: all), `example` is one of them. `members` are the sets
    that they have, by number, and how many elements each has, a polynomial of the sizes (None: no
    polynomial). For the sizes of `exceptions` some sets are empty: each is a condition, and how many sets are
    left."""

    sizes: str | None
    tiles: NamedSet | None
    example: tuple[int, ...]
    members: tuple[tuple[int, str | None], ...]
    exceptions: tuple[tuple[str, int], ...] = ()

    def to_json(self) -> dict[str, Any]:
        sets = tuple({"set": index, "count": count} for index, count in self.members)
        exceptions = tuple({"sizes": where, "sets": count} for where, count in self.exceptions)
        return json_fields(self, "sizes tiles example sets exceptions", sets=sets, exceptions=exceptions)

    @property
    def title(self) -> str:
        """`tiles { [t0, t1] : (t0 + t1) mod 2 = 0 } if s mod 2 = 1 and s >= 3`."""
        where = [] if self.tiles is None else [f"tiles {self.tiles}"]
        return " ".join(where + ([] if self.sizes is None else [f"if {self.sizes}"])) or "all tiles"


@dataclass(frozen=True, repr=False)
class MarsFact(Fact):
    """The MARS of one array in one tiling: of what tiles read, or of what they produce for others.

    `flow_in` is how many sets of other tiles a tile reads, of values that tiles produce, where that is the
    same for all. The sets are those of the tiles that it `covers`; so many `others` hold something, too
    (None: it depends on symbols). If `only_whole`, whole tiles alone count as consumers. Tiles of one
    class have the same sets up to translation; if `by_sizes`, sets of the same sizes. If `is_partial`, the
    reads get other elements at the ends of loops, which are in no set. Where a size is a
    symbol, it covers all tiles that are, with their consumers, `inside` of these iterations (None: all), of
    which those in `runs` are executed (None: all). `reader` is the line of the outermost loop of the
    consumers, if it is not that of the tiles that produce the sets; `writer` is what produces them (None: the
    sets are of what was there before)."""

    question = "mars"
    columns = ("array", "set", "consumers", "elements", "bursts", "bytes")

    array: str
    kind: Literal["read", "produced"]
    tile: str
    sets: tuple[MarsRow, ...]
    classes: tuple[MarsClass, ...]
    invariant: bool
    flow_in: int | None
    covers: NamedSet | None
    others: int | None
    only_whole: bool
    by_sizes: bool
    is_partial: bool
    inside: NamedSet | None
    runs: NamedSet | None
    reader: int | None
    writer: Where | None
    layout: MarsLayout | None
    exact: bool
    reason: str | None
    assumptions: tuple[str, ...] = ()

    @property
    def subject(self) -> str:
        return f"{self.array} {self.kind}"

    def _fields(self) -> Mapping[str, Any]:
        sets = tuple(
            {"set": row.points.text, "consumers": list(row.consumers), "count": self._count(index)}
            for index, row in enumerate(self.sets)
        )
        writer = None if self.writer is None else self.writer.to_json()
        names = "array kind tile invariant sets classes flow_in covers others only_whole by_sizes inside runs"
        return json_fields(
            self,
            f"{names} is_partial reader writer layout exact reason assumptions",
            sets=sets,
            writer=writer,
        )

    def _count(self, index: int) -> str | None:
        """How many elements the set INDEX has, in the first class of tiles that has it."""
        return next((count for each in self.classes for k, count in each.members if k == index), None)

    @property
    def certainty(self) -> Certainty:
        return EXACT if self.exact else Certainty("unknown", self.reason)

    def content(self) -> Any:
        return {"tile": self.tile, "sets": self._fields()["sets"]}

    def annotation(self) -> list[str]:
        if not self.exact:
            return [f"mars {self.subject}: unknown: {self.reason}"]
        lines = [f"mars {self.subject}, tile {self.tile}:"]
        for number, row, count in self._numbered():
            lines.append(
                f"  {number}. {row.points} to {', '.join(row.consumers)}{f': {count}' * bool(count)}"
            )
        return lines + [f"  {line}" for line in self._notes("this nest")]

    def rows(self) -> list[tuple[str, ...]]:
        if not self.exact:
            return [(self.subject, "unknown", self.reason or "", "", "", "")]
        found: list[tuple[str, ...]] = [
            ("", f"{number}. {row.points}", ", ".join(row.consumers), count, "", "")
            for number, row, count in self._numbered()
        ]
        if self.writer is not None:
            found.append(("", f"written at line {self.writer.place.line}", "", "", "", ""))
        for line in self._notes(f"the loops at line {self.reader}"):
            found += self._moved() if line == self._in_order else [("", line, "", "", "", "")]
        found[0] = (self.subject, *found[0][1:])
        return found

    def _moved(self) -> list[tuple[str, ...]]:
        """What one tile reads: from the array as it is declared, and from sets in order."""
        if self.layout is None:
            return []
        layout, rows = self.layout, self.layout.rows
        where = "row-major order" if rows is None else rows.where
        elements, size = layout.elements or "parametric", layout.size or ""
        before = (
            ("parametric", "parametric", "")
            if rows is None
            else (rows.elements or "parametric", rows.bursts_text, rows.size or "")
        )
        said = [("", f"{self._first}a tile reads in {where}", "", *before)]
        if layout.bursts is not None:
            ordered = f"{self._first}a tile reads in the order {layout.order_text}"
            said.append(("", ordered, "", elements, str(layout.bursts), size))
        return said

    @property
    def has_directions(self) -> bool:
        """Whether consumers are any number of steps along a direction away: `(0, 0) + p (1, 0)`."""
        return any(" + p" in text for row in self.sets for text in row.consumers)

    def _numbered(self) -> list[tuple[int, MarsRow, str]]:
        """The sets with their numbers, and counts if these are the same for all tiles."""
        single = len(self.classes) == 1 and not self.classes[0].exceptions
        return [
            (index + 1, row, (self._count(index) or "parametric") if single else "")
            for index, row in enumerate(self.sets)
        ]

    def _classes(self) -> list[str]:
        """The tiles, how many sets they have, and of how many elements."""
        lines: list[str] = []
        for each in self.classes:
            if len(self.classes) > 1 or each.exceptions or each.sizes is not None or each.tiles is not None:
                sizes = "; ".join(f"{index + 1}: {count or 'parametric'}" for index, count in each.members)
                lines.append(
                    f"{each.title}{self._shown(each)}: {counted(len(each.members), 'set')}, of {sizes}"
                    if sizes
                    else f"{each.title}: no set"
                )
            lines += [f"if {where}: {counted(count, 'set')}" for where, count in each.exceptions]
        return lines

    def _shown(self, one: MarsClass) -> str:
        """Whose sets are those of the class ONE, if its tiles differ in them.

        Where consumers are relative in all tiles, or sizes are symbols, they are what any tile has.
        """
        if not one.members or one.sizes is not None or self.covers is None:
            return ""
        by_position = any(self.sets[k].consumers[0].startswith(("{", "[")) for k, _ in one.members)
        if one.tiles is None and not by_position:
            return ""
        tiles = self.covers.set if one.tiles is None else self.covers.set.intersect(one.tiles.set)
        return "" if tiles.is_singleton() else f", of which {tuple_text(one.example)} is shown"

    @property
    def _are_several(self) -> bool:
        """Whether some tiles, or some sizes, have other sets than the first class."""
        return len(self.classes) > 1 or any(each.exceptions for each in self.classes)

    @property
    def _first(self) -> str:
        """The tiles that this answer covers; None: all."""
        return f"{self.classes[0].title}: " if self._are_several else ""

    @property
    def _in_order(self) -> str | None:
        """The order of the sets, and in how many bursts a tile reads."""
        if self.layout is None or self.layout.bursts is None:
            return None
        rows, size = self.layout.rows, ""
        if rows is not None and None not in (rows.size, self.layout.size) and rows.size != self.layout.size:
            size = f"; {counted(self.layout.size or 0, 'byte')}, and {rows.size}"
        before = "" if rows is None or rows.bursts is None else f", {rows.bursts_text} in {rows.where}"
        order = self.layout.order_text
        return (
            f"{self._first}in the order {order}: {counted(self.layout.bursts, 'burst')} a tile{before}{size}"
        )

    def _notes(self, readers: str) -> list[str]:
        """What is said after the sets, with how the nest of the READERS is called."""
        notes = self._classes()
        if self.reason is not None:
            notes.append(self.reason)
        if self.reader is not None:
            notes.append(f"consumers are tiles of {readers}")
        if self.flow_in is not None:
            whose = f"one of {readers} reads" if self.reader is not None else "and reads"
            of = "them" if self.reader is not None else "other tiles"
            notes.append(
                f"{self._first}a tile produces {counted(len(self.classes[0].members), 'set')}, "
                f"{whose} {self.flow_in} of {of}"
            )
        if self._in_order is not None:
            notes.append(self._in_order)
        return [*notes, *self._where(), *(f"if {text}" for text in self.assumptions)]

    def _where(self) -> Iterator[str]:
        """The tiles that have these sets, and how many others there are."""
        if self.inside is not None:
            holes = "" if self.runs is None else f", of which {self.runs} are executed"
            yield f"for tiles that are, with their consumers, inside {self.inside}{holes}"
        if not self.classes:
            return
        if self.covers is not None:
            shown = self._shown(self.classes[0]) if len(self.classes) == 1 else ""
            yield f"for tiles {self.covers}{shown}"
            if self.others != 0:
                others = "other tiles" if self.others is None else counted(self.others, "other tile")
                yield f"not for {others}, at the ends of loops"
            if self.has_directions and not self.only_whole:
                yield "consumers are among these tiles"
        if self.only_whole:
            yield "only whole tiles count as consumers"
        if self.is_partial:
            yield "what these reads get elsewhere at the ends of loops is in no set"
        if self.by_sizes:
            yield "tiles of one class have sets of the same sizes, which may have other forms"
