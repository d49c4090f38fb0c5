"""The tiles of a value, in boxes of which each has one piece of code (IMPACT 2023, section 5.3).

A value of sizes N tiled by T has the tiles q with `0 <= q_d < ceil(N_d / T_d)`; tile q is the slice of offset
`T * q` and size `min(T, N - T * q)`. What has to be computed for a tile depends on signs of expressions in q:
whether it is a whole one, whether a window of the source begins before it, or ends after it. So the box of
all tiles is cut where such a sign changes, and what comes of it again, until one code is right for all tiles
of a box.

    figure 1, 256 x 256 by 16 x 16: rows start at `32 * q - 1` of a source with 512 rows and need 35 of them:
    cut at 1 and 15, and the same for columns: the interior is 1 <= q < 15, and there are eight boxes at its
    edges and corners.

A sign changes at one number of one index if the expression is linear in it, and has no other one. Cuts may be
expressions over sizes: then a box may have no tile, and its loop does not run. A cut decides its sign in both
parts, and the code asks for finitely many, so this ends. The number of boxes is limited; what is undecided
then, the code has to find out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import TypeVar

import islpy as isl

from volcli.language.expressions import (
    Expression,
    Maximum,
    Minimum,
    Parameter,
    constant,
    loop,
    maximum,
    minimum,
    parameter,
    renamed,
)
from volcli.presburger.expressions.read_back import extremum
from volcli.presburger.measures.box import is_hyperrectangle, simple_hull
from volcli.presburger.sets import build
from volcli.presburger.sets.build import DIM
from volcli.presburger.sets.coalescing import coalesced
from volcli.presburger.sets.names import without
from volcli.rewriting.tensors.scope import Scope

T = TypeVar("T")


@dataclass(frozen=True)
class TileBox:
    """The tiles with `lower_d <= q_d < upper_d`; `names` are the parameters that stand for q."""

    names: tuple[str, ...]
    lower: tuple[Expression, ...]
    upper: tuple[Expression, ...]

    @classmethod
    def all(cls, sizes: Sequence[Expression], tiles: Sequence[int]) -> TileBox:
        """All tiles of a value of these SIZES; a dimension tiled by 0 has one."""
        # no value has a name with a prime: such a parameter is none of the function
        names = tuple(f"q{d}'" for d in range(len(sizes)))
        upper = tuple(n.ceildiv(t) if t else constant(1) for n, t in zip(sizes, tiles, strict=True))
        return cls(names, (constant(0),) * len(sizes), upper)

    @property
    def index(self) -> tuple[Expression, ...]:
        """The tile index: the number where there is one only, else the parameter that stands for it."""
        return tuple(
            low if self.is_single(d) else parameter(name)
            for d, (name, low) in enumerate(zip(self.names, self.lower, strict=True))
        )

    @property
    def looped(self) -> list[int]:
        """The dimensions along which there may be several tiles, or none."""
        return [d for d in range(len(self.names)) if not self.is_single(d)]

    def is_single(self, dimension: int) -> bool:
        """Whether there is just one index along DIMENSION."""
        low, count = self.lower[dimension], self.upper[dimension] - self.lower[dimension]
        return low.is_constant and count == constant(1)

    @property
    def points(self) -> isl.Set:
        """The tiles, as a set of the parameters."""
        bounds = zip(self.index, self.lower, self.upper, strict=True)
        each = tuple(e for q, low, high in bounds for e in (q - low, high - 1 - q))
        return build.nonnegative(0, each).params()

    @property
    def tiles(self) -> isl.Set:
        """The tiles, as a set of indices."""
        rank = len(self.names)
        # an index that is a number takes the place of its parameter in the other bounds
        known = {name: loop(d) for d, name in enumerate(self.names)}
        bounds = zip(map(loop, range(rank)), self.lower, self.upper, strict=True)
        each = tuple(renamed(e, known) for q, low, high in bounds for e in (q - low, high - 1 - q))
        return build.nonnegative(rank, each)

    def up_to(self, end: Expression, dimension: int) -> TileBox:
        """The tiles from its first one to END along DIMENSION."""
        return self._bounded(self.lower, with_item(self.upper, dimension, end))

    def cut(self, dimension: int, at: Expression, context: isl.Set) -> tuple[TileBox, TileBox]:
        """Its tiles before the index AT along DIMENSION, and from there on; CONTEXT is known of any tile."""
        before = _simpler(minimum(at, self.upper[dimension]), context)
        behind = _simpler(maximum(at, self.lower[dimension]), context)
        return (
            self._bounded(self.lower, with_item(self.upper, dimension, before)),
            self._bounded(with_item(self.lower, dimension, behind), self.upper),
        )

    def only(self, tiles: isl.Set) -> TileBox | None:
        """Those of its tiles that are in TILES, a set of parameters, by bounds over indices of outer loops.

        None if there are no such bounds.
        """
        lower, upper = self.lower, self.upper
        inside = self.points.intersect(tiles)
        for d in self.looped:
            line = _along(inside, [self.names[d]], [self.names[k] for k in self.looped if k > d])
            low, high = (extremum(line, lower=side) for side in (True, False))
            if low is None or high is None or not low.exact or not high.exact:
                return None
            lower, upper = with_item(lower, d, low.expression), with_item(upper, d, high.expression + 1)
        found = self._bounded(lower, upper)
        return found if found.points.is_equal(inside) else None

    def _bounded(self, lower: tuple[Expression, ...], upper: tuple[Expression, ...]) -> TileBox:
        """These bounds, with numbers for indices that have one value only."""
        found = replace(self, lower=lower, upper=upper)
        for d, name in enumerate(self.names):
            if found.is_single(d):
                known = {name: found.lower[d]}
                lists = (tuple(renamed(e, known) for e in side) for side in (found.lower, found.upper))
                found = TileBox(self.names, *lists)
        return found


@dataclass
class Cut(Exception):
    """Better code can be made for each of `boxes`, which are together a box but for tiles to be left out."""

    boxes: tuple[TileBox, ...]


@dataclass
class BoxScope(Scope):
    """Where the code for all tiles of `box` is made."""

    box: TileBox = field(default_factory=lambda: TileBox((), (), ()))
    may_cut: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        hull = simple_hull(coalesced(self.context))
        if hull.is_subset(self.context):
            self.context = hull

    def _cut_at(self, dimension: int, at: Expression) -> Cut:
        return Cut(self.box.cut(dimension, at, self.view.store.context()))

    def sign(self, expression: Expression) -> bool | None:
        """Whether EXPRESSION is at least 0 for all tiles, or for none; raises Cut where that can be had."""
        known = super().sign(expression)
        if known is None and self.may_cut and (cut := self._cut_by_sign(expression)) is not None:
            raise self._cut_at(*cut)
        return known

    def settle(self, *expressions: Expression) -> None:
        """Raises Cut where an extremum in one of EXPRESSIONS is one of its operands in some tiles."""
        for expression in expressions if self.may_cut else ():
            for atom in expression.atoms():
                if isinstance(atom, Minimum | Maximum):
                    for left, right in combinations(atom.operands, 2):
                        self.sign(left - right)

    def narrow(self, parameters: isl.Set) -> None:
        """Raises Cut if something is so for tiles in PARAMETERS only, and these or the others are a box."""
        if not self.may_cut:
            return
        inside = self.context.intersect(parameters)
        outside = self.context.subtract(inside)
        if inside.is_empty() or outside.is_empty():
            return
        for each in (inside, outside):
            if not is_hyperrectangle(self._tiles(each)):
                continue
            for d in self.box.looped:
                if (at := self._end(each, d)) is not None:
                    raise self._cut_at(d, at)

    def skip(self, parameters: isl.Set) -> None:
        """Raises Cut if loops can leave out the tiles that are not in PARAMETERS."""
        if not self.context.is_subset(parameters) and (fewer := self.box.only(parameters)) is not None:
            raise Cut((fewer,))

    def _tiles(self, parameters: isl.Set) -> isl.Set:
        """PARAMETERS as a set of tiles."""
        return _along(parameters, [self.box.names[d] for d in self.box.looped], [])

    def _end(self, parameters: isl.Set, dimension: int) -> Expression | None:
        """Where the tiles in PARAMETERS begin or end along DIMENSION, inside of the box."""
        others = [self.box.names[d] for d in self.box.looped if d != dimension]
        line = _along(parameters, [self.box.names[dimension]], others)
        for lower in (True, False):
            found = extremum(line, lower=lower)
            if found is None or not found.exact:
                continue
            at = found.expression if lower else found.expression + 1
            if self._is_inside(dimension, at):
                return at
        return None

    def _is_inside(self, dimension: int, at: Expression) -> bool:
        """Whether there may be tiles before AT and from it on."""
        before = super().sign(at - self.box.lower[dimension] - 1)
        return before is not False and super().sign(self.box.upper[dimension] - 1 - at) is not False

    def _cut_by_sign(self, expression: Expression) -> tuple[int, Expression] | None:
        """Where EXPRESSION, `c * q_d + r` with a number c, changes its sign: from `ceil(-r / c)` on."""
        position = {name: d for d, name in enumerate(self.box.names)}
        own = [(a, c) for a, c in expression.terms if isinstance(a, Parameter) and a.name in position]
        inner = [a for a in expression.atoms() if isinstance(a, Parameter) and a.name in position]
        if len(own) != 1 or len(inner) != 1:
            return None
        ((atom, factor),) = own
        rest = expression - parameter(atom.name) * factor
        # c < 0: it is at least 0 up to floor(r / -c)
        at = (-rest).ceildiv(factor) if factor > 0 else rest // -factor + 1
        d = position[atom.name]
        return (d, at) if self._is_inside(d, at) else None


def in_boxes(
    whole: TileBox, context: isl.Set, code: Callable[[TileBox, bool], T], most: int
) -> Sequence[tuple[TileBox, T]]:
    """The tiles of WHOLE in boxes, at MOST so many, with the CODE that is right for all tiles of each.

    CODE is asked for a box, and whether it may be cut; CONTEXT is what is known of parameters.
    """
    found: list[tuple[TileBox, T]] = []
    rest = [whole]
    while rest:
        box = rest.pop(0)
        if box.points.intersect(context).is_empty():
            continue
        try:
            found.append((box, code(box, len(found) + len(rest) + 1 < most)))
        except Cut as cut:
            rest[:0] = cut.boxes
    return found


def with_item(numbers: tuple[Expression, ...], position: int, number: Expression) -> tuple[Expression, ...]:
    """NUMBERS with another one at POSITION."""
    return (*numbers[:position], number, *numbers[position + 1 :])


def _simpler(extremum: Expression, context: isl.Set) -> Expression:
    """EXTREMUM without operands that never are it alone, for the parameters in CONTEXT."""
    atom = extremum.single_atom
    if not isinstance(atom, Minimum | Maximum):
        return extremum
    kept = list(atom.operands)
    sign = 1 if isinstance(atom, Minimum) else -1
    for each in atom.operands:
        others = [other for other in kept if other != each]
        if any(
            context.is_subset(build.nonnegative(0, ((each - other) * sign,)).params()) for other in others
        ):
            kept = others
    return minimum(*kept) if sign == 1 else maximum(*kept)


def _along(parameters: isl.Set, names: Sequence[str], forgotten: Sequence[str]) -> isl.Set:
    """The parameters called NAMES as the dimensions of a set, whatever those FORGOTTEN are."""
    found = without(isl.Set.from_params(parameters), *forgotten)
    for name in names:
        rank, position = found.dim(DIM.set), found.find_dim_by_name(DIM.param, name)
        if position < 0:
            found = found.add_dims(DIM.set, 1)
        else:
            found = found.move_dims(DIM.set, rank, DIM.param, position, 1)
    return coalesced(found)
