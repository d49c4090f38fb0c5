"""Pictures of sets of elements: the regions of a value, and the MARS of a tile."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce

import islpy as isl

from volcli.diagnostics import Diagnostic, UsageError
from volcli.facts.mars import MarsFact
from volcli.facts.regions import RegionsFact
from volcli.model.mars.tilings.tiling import HyperplaneTiling
from volcli.model.mars.tilings.vectors import tuple_text
from volcli.presburger.sets.build import DIM, at_values, number
from volcli.presburger.sets.names import parameters_in, parameters_of_space, without
from volcli.report.drawing.raster import Layer, NoRaster, SetPicture
from volcli.report.drawing.set_svg import set_svg

_ORIGIN = re.compile(r"o\d+\Z")


@dataclass(frozen=True, repr=False)
class ElementPicture:
    """Sets of elements in a plane of one or two dimensions; `sets` has the numbers."""

    sets: SetPicture

    @property
    def svg(self) -> str:
        """The picture as the text of an SVG file."""
        try:
            return set_svg(self.sets)
        except NoRaster as why:
            raise refused(str(why)) from None

    def _repr_svg_(self) -> str:
        return self.svg

    def __str__(self) -> str:
        """The picture as text."""
        from volcli.report.drawing.set_pictures import set_picture
        from volcli.report.lines import as_text

        return as_text(set_picture(self.sets))

    def __repr__(self) -> str:
        return f"<ElementPicture {self.sets.heading}>"


def refused(why: str) -> UsageError:
    """There is no picture, and WHY."""
    note = "give numbers with --set, of parameters and of dimensions; the tables of `analyze` have no limits"
    return UsageError(Diagnostic("V011", f"there is no picture: {why}", note=note))


def regions_picture(fact: RegionsFact, numbers: Mapping[str, int]) -> ElementPicture:
    """The regions of a value, with NUMBERS for parameters and for dimensions that are not drawn.

    Raises UsageError: V011 if there is no picture, V005 for a number of nothing.
    """
    if fact.domain is None:
        raise refused(f"the regions of {fact.value} are unknown: {fact.reason}")
    parts = [
        (f"{label}: {count}", region.set) for region in fact.regions for label, count, _ in (region.cells(),)
    ]
    notes = () if fact.exact else (f"over-approximate: {fact.reason}",)
    return ElementPicture(sets_drawn(f"regions of {fact.value}", parts, numbers, notes))


def mars_picture(fact: MarsFact, numbers: Mapping[str, int]) -> ElementPicture:
    """The sets of the first class of tiles in FACT, with NUMBERS for sizes and origins.

    Raises UsageError: V011 if there is no picture, V005 for a number of nothing.
    """
    if not fact.exact:
        raise refused(f"the sets of {fact.array} are unknown: {fact.reason}")
    if not fact.classes:
        raise refused(f"no tile has a set of {fact.array}")
    first = fact.classes[0]
    verb = "read" if fact.kind == "read" else "produced"
    if first.sizes is not None:
        members = [(index, None) for index in range(len(fact.sets))]
        of, settled = "", _origins(fact, numbers)
    else:
        members = list(first.members)
        of, settled = f" by the tile {tuple_text(first.example)}", numbers
    parts = [
        (
            f"{index + 1}. to {', '.join(fact.sets[index].consumers)}{f': {count}' * bool(count)}",
            fact.sets[index].points.set,
        )
        for index, count in members
    ]
    are_alike = len(fact.classes) == 1 or first.sizes is not None
    notes = () if are_alike else (f"so for {first.title}",)
    return ElementPicture(sets_drawn(f"{fact.array} {verb}{of}, tile {fact.tile}", parts, settled, notes))


def _origins(fact: MarsFact, numbers: Mapping[str, int]) -> Mapping[str, int]:
    """NUMBERS, and the origin of the example, the first class's, where that is not given."""
    sizes = HyperplaneTiling.parse(fact.tile).sizes
    found = dict(numbers)
    for plane, (size, times) in enumerate(zip(sizes, fact.classes[0].example, strict=True)):
        number = size if isinstance(size, int) else numbers.get(size, 0)
        found.setdefault(f"o{plane}", number * times)
    return found


def sets_drawn(
    title: str, parts: Sequence[tuple[str, isl.Set]], numbers: Mapping[str, int], notes: tuple[str, ...]
) -> SetPicture:
    """PARTS, of one space, in the plane of the two dimensions that are left. Raises UsageError."""
    everything = [points for _, points in parts]
    if not everything:
        raise refused("there is no element")
    names = _names(everything[0])
    known = {*names, *(name for points in everything for name in parameters_of_space(points))}
    wrong = [name for name in numbers if name not in known and not _ORIGIN.match(name)]
    if wrong:
        message = f"no dimension and no parameter of {title} is called '{wrong[0]}'"
        raise UsageError(Diagnostic("V005", message, note=f"it has {', '.join(sorted(known))}"))
    fixed: list[isl.Set] = [_fixed(points, numbers) for points in everything]
    if all(points.is_empty() for points in fixed):
        raise refused("no element is left")
    left = list(dict.fromkeys(name for points in fixed for name in parameters_in(points)))
    if left:
        raise refused(f"it depends on {', '.join(left)}: give numbers, as --set {left[0]}=8")
    free = [name for name in names if name not in numbers]
    settled = dict(numbers)
    for name in list(free):
        if len(free) <= 2:
            break
        place = _only_place(fixed, names.index(name))
        if place is not None:
            settled[name] = place
            free.remove(name)
            fixed = [points.fix_val(DIM.set, names.index(name), number(place)) for points in fixed]
    if len(free) > 2:
        chosen = " ".join(f"--set {name}=0" for name in free[2:])
        raise refused(f"the sets differ in several dimensions, {', '.join(free)}: fix some, as {chosen}")
    layers = [
        Layer(text, _projected(points, [names.index(name) for name in free]))
        for (text, _), points in zip(parts, fixed, strict=True)
        if not points.is_empty()
    ]
    if not free:
        raise refused("no dimension is left: fix fewer")
    return SetPicture(title, tuple(free), tuple(layers), settled, notes)


def _names(points: isl.Set) -> list[str]:
    found = [points.get_dim_name(DIM.set, k) for k in range(points.dim(DIM.set))]
    return [name or f"d{k}" for k, name in enumerate(found)]


def _fixed(points: isl.Set, numbers: Mapping[str, int]) -> isl.Set:
    """POINTS where dimensions have these NUMBERS, and parameters, which they lose."""
    points = without_parameters(points, numbers)
    for position, name in enumerate(_names(points)):
        if name in numbers:
            points = points.fix_val(DIM.set, position, number(numbers[name]))
    return points


def without_parameters(points: isl.Set, values: Mapping[str, int]) -> isl.Set:
    """POINTS where their parameters have these VALUES, without those."""
    return without(at_values(points, values), *values)


def _only_place(every: Sequence[isl.Set], position: int) -> int | None:
    """A coordinate at POSITION that shows all there is: EVERY set is the same at all of them, or empty."""
    whole = reduce(isl.Set.union, every)
    first = whole.dim_min_val(position)
    if not first.is_int():
        return None
    rest = whole.dim(DIM.set) - position - 1
    along = whole.eliminate(DIM.set, position + 1, rest).eliminate(DIM.set, 0, position)
    same = all(each.eliminate(DIM.set, position, 1).intersect(along).is_equal(each) for each in every)
    return first.to_python() if same else None


def _projected(points: isl.Set, kept: Sequence[int]) -> isl.Set:
    """POINTS, whose other coordinates are fixed, in the plane of KEPT."""
    points = points.project_out_all_params()
    for position in reversed(range(points.dim(DIM.set))):
        if position not in kept:
            points = points.project_out(DIM.set, position, 1)
    return points.reset_tuple_id() if points.has_tuple_id() else points
