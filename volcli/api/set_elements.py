"""Where one element is among the sets that tiles read or produce: its set, and the tiles that consume it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import islpy as isl

from volcli.api.set_pictures import without_parameters
from volcli.diagnostics import Diagnostic, UsageError
from volcli.diagnostics.counted import counted
from volcli.facts.mars import MarsClass, MarsFact
from volcli.model.mars.tilings.vectors import tuple_text
from volcli.presburger.sets.build import DIM, number

if TYPE_CHECKING:
    from volcli.api.program import Program

_ELEMENT = re.compile(r"\s*(?P<array>%?[\w$.#-]+)\s*\[(?P<index>[-\d,\s]*)\]\s*\Z")


@dataclass(frozen=True)
class SetElement:
    """`%a[3, 5]`: an element of an array, or an iteration of its writer."""

    array: str
    index: tuple[int, ...]

    @classmethod
    def parse(cls, text: str) -> SetElement:
        """The element that TEXT is. Raises UsageError (V002)."""
        match = _ELEMENT.match(text)
        try:
            if match is None:
                raise ValueError
            words = [word for word in match["index"].split(",") if word.strip()]
            return cls(match["array"].removeprefix("%"), tuple(map(int, words)))
        except ValueError:
            message = f"'{text}' is not an element such as a[3, 5]"
            raise UsageError(Diagnostic("V002", message)) from None

    def __str__(self) -> str:
        return f"%{self.array}[{', '.join(map(str, self.index))}]"


def consumers_of_element(
    program: Program, tile: str, element: SetElement, numbers: Mapping[str, int]
) -> Iterator[str]:
    """The consumers of ELEMENT in tiles of TILE, for sizes with these NUMBERS. Raises UsageError (V005)."""
    facts = [fact for function in program.functions for fact in function.mars(tile)]
    own = [fact for fact in facts if fact.array.removeprefix("%") == element.array]
    if not own:
        names = ", ".join(dict.fromkeys(fact.array for fact in facts))
        message = f"no tile reads %{element.array}"
        raise UsageError(
            Diagnostic("V005", message, note=f"arrays that are read: {names}" if names else None)
        )
    for fact in own:
        yield ""
        yield f"{fact.subject}, tile {fact.tile}"
        if not fact.exact:
            yield f"  unknown: {fact.reason}"
            continue
        for one in fact.classes:
            members = [index for index, _ in one.members] if one.sizes is None else range(len(fact.sets))
            yield from (f"  {line}" for line in _of_class(fact, one, members, element, numbers))
            if one.sizes is not None:
                break  # sets over sizes and origins are those of all classes
        yield from (f"  {line}" for line in _moved(fact))


def _of_class(
    fact: MarsFact, one: MarsClass, members: Sequence[int], element: SetElement, numbers: Mapping[str, int]
) -> Iterator[str]:
    """The sets among MEMBERS, those of a tile of the class ONE, that have ELEMENT, and their consumers."""
    tile = f"the tile {tuple_text(one.example)}"
    where = tile if one.sizes is None else "the tile at (o0, o1, ...)"
    found = False
    for index in members:
        row = fact.sets[index]
        held = _holding(row.points.set, element, numbers)
        if held.is_empty():
            continue
        found = True
        text = str(held).rpartition("{")[2].removesuffix("}").strip().removeprefix(":").strip()
        yield f"{element} is in set {index + 1} of {where}{f' if {text}' if text else ''}"
        among = f", among tiles {fact.covers}" if fact.covers is not None and fact.has_directions else ""
        others = " and others" * bool(among and fact.others != 0)
        yield f"  consumed by {', '.join(row.consumers)}{among}{others}"
    if not found:
        yield f"{element} is in no set of {where}"


def _holding(points: isl.Set, element: SetElement, numbers: Mapping[str, int]) -> isl.Set:
    """The parameters, but for NUMBERS, for which ELEMENT is one of POINTS. Raises UsageError (V005)."""
    rank = points.dim(DIM.set)
    if rank != len(element.index):
        names = ", ".join(points.get_dim_name(DIM.set, k) or f"d{k}" for k in range(rank))
        message = (
            f"{element} has {counted(len(element.index), 'coordinate')}, and elements have {rank}: {names}"
        )
        raise UsageError(Diagnostic("V005", message))
    for position, coordinate in enumerate(element.index):
        points = points.fix_val(DIM.set, position, number(coordinate))
    return without_parameters(points, numbers).params().coalesce()


def _moved(fact: MarsFact) -> Iterator[str]:
    """What a tile reads from outside: elements, bytes, and bursts in both layouts."""
    layout = fact.layout
    if layout is None:
        return
    size = "" if layout.size is None else f", {counted(layout.size, 'byte')}"
    rows = ""
    if layout.rows is not None and layout.rows.bursts is not None:
        rows = f", {_bursts(layout.rows.bursts_text)} from the array as it is"
    elements = counted(layout.elements or "a parametric number of", "element")
    ordered = ""
    if layout.bursts is not None:
        ordered = f", {_bursts(layout.bursts)} from sets in the order {layout.order_text}"
    yield f"a tile reads {elements}{size}{rows}{ordered}"


def _bursts(count: object) -> str:
    return f"in {counted(str(count), 'burst')}"
