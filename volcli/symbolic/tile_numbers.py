"""Loops over tiles, recognized by their bounds: which tile a point is in, and where points are without tiles.

Let v be the variable of a loop `for v = l to u step s` around loops over points x. It counts tiles if some
linear function h of x keeps to

    c * v <= h(x) <= c * v + w - 1          w = s and c = 1, or s = 1 and w = c

wherever the body is run: v is the only one of l, l + s, l + 2 * s, ... that does so. The points that are run
for some v are those of the projection along v, if for each of these the v that belongs to h(x) is in the
bounds of the loops: v = l + s * floor((h(x) - l) / s), or v = floor(h(x) / c). That is proved with the
number of the tile as an integer; a rational projection would have points of no tile, of tiles of tiles that
do not divide.

    for o = 0 to n step b { for i = o to min(o + b, n) }         h = i, 0 <= i < n

Several loops over tiles are taken from the inside to the outside, those of tiles of tiles with them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product

from volcli.language.expressions import (
    Atom,
    Dim,
    Expression,
    Monomial,
    NotAffine,
    Parameter,
    Value,
    constant,
    expression_of_atom,
    substitute,
)
from volcli.language.reads import Disjunction
from volcli.symbolic.alternatives import Alternatives
from volcli.symbolic.context import Context, tightened
from volcli.symbolic.floors import at_least, below
from volcli.symbolic.fourier_motzkin import LinearSystem, coefficient, combined, is_over
from volcli.symbolic.scanning import needed

_ONE = constant(1)


@dataclass(frozen=True)
class CountedLoop:
    """`for variable = max(lower) to min(upper) step step`, without its end.

    Of a bound that is a quotient by a value, `quotients` has what is at least 0 instead: v >= ceil(n / p) is
    p * v - n >= 0.
    """

    variable: Atom
    lower: tuple[Expression, ...]
    upper: tuple[Expression, ...]
    step: Expression = _ONE
    quotients: Mapping[Expression, Expression] = field(default_factory=dict[Expression, Expression])
    """By what they take the place of: `at_least` and `below` of the bound."""

    @property
    def inequalities(self) -> tuple[Expression, ...]:
        """What is at least 0 in each iteration."""
        here = expression_of_atom(self.variable)
        found = (*(at_least(here, e) for e in self.lower), *(below(here, e) for e in self.upper))
        return tuple(self.quotients.get(each, each) for each in found)

    @property
    def atoms(self) -> set[Atom]:
        """All that its bounds and its step speak of."""
        return {atom for e in (*self.inequalities, *self.lower, self.step) for atom in e.atoms()}


@dataclass(frozen=True)
class TileOf:
    """`factor * tile <= form <= factor * tile + width - 1`: the tile that a point is in."""

    tile: CountedLoop
    form: Expression
    factor: Expression
    width: Expression


@dataclass(frozen=True)
class PointsOfTiles:
    """Which points loops reach, from the outermost, if those over tiles are left out.

    FACTS and CHOICES are what is known of the symbols. Loops whose bounds have nothing to do with each other
    are looked at one after the other: proofs take much longer from more facts.
    """

    facts: tuple[Expression, ...]
    choices: tuple[Disjunction, ...] = ()

    def in_whole_steps(self, loop: CountedLoop) -> CountedLoop:
        """LOOP with ends as near as its steps get to them: v <= e - s, not v <= e - 1, where e is l + q * s.

        Of `for v = 0 to n - n mod s step s { for i = v to v + s }` the projection has i < n - n mod s then.
        """
        if loop.step == _ONE or len(loop.lower) != 1:
            return loop
        count = expression_of_atom(Parameter("count"))
        value = loop.lower[0] + loop.step * count
        inside = (count, loop.step - 1, *(below(value, each) for each in loop.upper))
        known = Alternatives((*self.facts, *inside), self.choices)
        before = {each: each - loop.step for each in loop.upper}
        return replace(loop, upper=tuple(b + 1 if known.proves(b - value) else e for e, b in before.items()))

    def tiles(self, loops: Sequence[CountedLoop], candidates: Collection[Atom]) -> list[TileOf]:
        """Those of LOOPS over CANDIDATES that count tiles. Raises NotAffine."""
        return [each for known, part in self._parts(loops) for each in known.tiles_of(part, candidates)]

    def points(self, loops: Sequence[CountedLoop], tiles: Collection[Atom]) -> tuple[Expression, ...]:
        """What is at least 0 at all points that LOOPS reach, without the variables of TILES.

        What speaks of the innermost one, and what is known of the others does not imply. Raises NotAffine.
        """
        known, part = next(each for each in self._parts(loops) if loops[-1] in each[1])
        left = known.system(part)
        for each in reversed(part):
            left = _projected(left, each.variable) if each.variable in tiles else left
        kept = [each for each in left.inequalities if not is_over(each, tiles)]
        found = [each for each in kept if is_over(each, [loops[-1].variable])]
        around = left.context.assuming(*(each for each in kept if each not in found))
        return tuple(needed(found, around))

    def covers(
        self, points: Sequence[Expression], loops: Sequence[CountedLoop], tiles: Sequence[TileOf]
    ) -> bool:
        """Whether LOOPS run each of POINTS in one of TILES, and no others."""
        for known, part in self._parts(loops):
            inside = [each.variable for each in part]
            own = [each for each in points if is_over(each, inside)]
            order = [tile for loop in part for tile in tiles if tile.tile == loop]
            if not known.covers_all(own, part, order):
                return False
        return True

    def _parts(self, loops: Sequence[CountedLoop]) -> Iterator[tuple[PointsOfTiles, list[CountedLoop]]]:
        """LOOPS in parts that share no variable, each with what is known of its symbols."""
        every = {each.variable for each in loops}
        conditions = [*self.facts, *(e for choice in self.choices for each in choice for e in each)]
        speaking = [set(each.atoms()) & every for each in conditions]
        speaking += [each.atoms & every for each in loops]
        left = list(loops)
        while left:
            inside = _closure({left[0].variable}, speaking)
            part = [each for each in left if each.variable in inside]
            left = [each for each in left if each.variable not in inside]
            symbols = set(filter(_is_symbol, (atom for loop in part for atom in loop.atoms)))
            about = _closure(symbols, [set(filter(_is_symbol, each.atoms())) for each in conditions])
            facts = tuple(each for each in self.facts if not about.isdisjoint(each.atoms()))
            choices = (
                each
                for each in self.choices
                if any(not about.isdisjoint(e.atoms()) for case in each for e in case)
            )
            yield PointsOfTiles(facts, tuple(choices)), part

    def system(self, loops: Sequence[CountedLoop]) -> LinearSystem:
        """The points that LOOPS reach."""
        sizes = (each for each in self.facts if not any(isinstance(a, Monomial) for a in each.atoms()))
        context = Context((*sizes, *(each.step - 1 for each in loops)))
        inequalities = dict.fromkeys(tightened(f) for e in loops for f in e.inequalities)
        return LinearSystem(tuple(each.variable for each in loops), tuple(inequalities), context)

    def tiles_of(self, loops: Sequence[CountedLoop], candidates: Collection[Atom]) -> list[TileOf]:
        """Those of LOOPS over CANDIDATES that count tiles, the innermost first. Raises NotAffine."""
        left = self.system(loops)
        found: list[TileOf] = []
        for tile in reversed([each for each in loops if each.variable in candidates]):
            pair = _pair(left, tile, candidates)
            if pair is not None:
                found.append(pair)
                left = _projected(left, tile.variable)
        return found

    def covers_all(
        self, points: Sequence[Expression], loops: Sequence[CountedLoop], tiles: Sequence[TileOf]
    ) -> bool:
        """Whether LOOPS run each of POINTS in one of TILES, the outermost first: wherever these begin."""
        firsts = product(*(each.tile.lower for each in tiles))
        return all(self._covers_from(points, loops, tiles, first) for first in firsts)

    def _covers_from(
        self,
        points: Sequence[Expression],
        loops: Sequence[CountedLoop],
        tiles: Sequence[TileOf],
        firsts: Sequence[Expression],
    ) -> bool:
        """The same where FIRSTS are the greatest of the lower bounds of TILES."""
        numbers: dict[Atom, Expression] = {}
        inside: list[Expression] = []
        at_points = Alternatives((*self.facts, *points), self.choices)
        for number, (each, first) in enumerate(zip(tiles, firsts, strict=True)):
            loop = each.tile
            count = expression_of_atom(Parameter(f"tile{number}"))
            inside += [substitute(first - e, numbers.get) for e in loop.lower if e != first]
            start, step = (substitute(e, numbers.get) for e in (first, loop.step))
            numbers[loop.variable] = count if step == _ONE else start + step * count
            offset = substitute(each.form - each.factor * expression_of_atom(loop.variable), numbers.get)
            inside += [offset, each.width - 1 - offset]
            if step != _ONE:
                inside.append(step - 1)
            elif not at_points.proves(each.width - 1):
                return False
        facts = [*(substitute(each, numbers.get) for each in self.facts), *points, *inside]
        choices = [
            tuple(tuple(substitute(e, numbers.get) for e in case) for case in choice)
            for choice in self.choices
        ]
        for goal in (substitute(each, numbers.get) for loop in loops for each in loop.inequalities):
            if goal not in facts and not Alternatives(facts, choices).proves(goal):
                return False
            facts.append(goal)
        return True


def _projected(left: LinearSystem, variable: Atom) -> LinearSystem:
    """LEFT without VARIABLE. Raises NotAffine if that depends on the sign of a value."""
    signs: list[Expression] = []
    for each in left.inequalities:
        factor = coefficient(each, variable)
        if not factor.is_constant:
            sign = 1 if _is_positive(left, factor) else -1
            if sign < 0 and not _is_positive(left, -factor):
                raise NotAffine("a projection that depends on the sign of a value")
            signs.append(sign * factor - 1)
    known = LinearSystem(left.variables, left.inequalities, left.context.assuming(*signs))
    rest = tuple(each for each in left.variables if each != variable)
    return LinearSystem(rest, tuple(dict.fromkeys(map(tightened, combined(known, variable)))), known.context)


def _is_positive(left: LinearSystem, factor: Expression) -> bool:
    """Whether FACTOR >= 1 wherever LEFT has a point: b * t <= i <= b * t + b - 1 gives b >= 1."""
    return left.context.proves(factor - 1) or left.context.assuming(*left.inequalities).proves(factor - 1)


def _closure(found: set[Atom], groups: Sequence[set[Atom]]) -> set[Atom]:
    """FOUND, and all that are in one of GROUPS with one of these."""
    while True:
        more = found.union(*(each for each in groups if not found.isdisjoint(each)))
        if more == found:
            return found
        found = more


def _is_symbol(atom: Atom) -> bool:
    return isinstance(atom, Value | Dim | Parameter)


def _pair(left: LinearSystem, tile: CountedLoop, candidates: Collection[Atom]) -> TileOf | None:
    """The function of points that TILE counts, by what is LEFT of the loops."""
    here = expression_of_atom(tile.variable)
    known = left.context.assuming(*(each for each in left.inequalities if is_over(each, [tile.variable])))
    for form, factor in _above(left, tile.variable):
        if is_over(form, candidates) or not is_over(form, left.variables):
            continue
        width = factor if tile.step == _ONE else tile.step
        end = factor * here + width - 1 - form
        is_counted = tile.step == _ONE or factor == _ONE
        is_stated = any((end - each).is_constant and (end - each).constant >= 0 for each in left.inequalities)
        if is_counted and (is_stated or known.proves(end)):
            return TileOf(tile, form, factor, width)
    return None


def _above(left: LinearSystem, variable: Atom) -> Iterator[tuple[Expression, Expression]]:
    """`(h, c)` with c * VARIABLE <= h in LEFT, for c >= 1."""
    for each in left.inequalities:
        factor = -coefficient(each, variable)
        if factor != constant(0) and _is_positive(left, factor):
            yield each + factor * expression_of_atom(variable), factor
