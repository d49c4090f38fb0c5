"""Loops over tiles whose sizes are values: a tree of loops, scanned in another order.

With functions h_1, ..., h_m of the iterations (the loops' variables themselves, or any hyperplanes) and sizes
B_k >= 1 a point is in the tile

    t_k = floor(h_k / B_k)        B_k * t_k <= h_k < B_k * t_k + B_k

and with several levels the tiles are tiled in turn: B'_k * t'_k <= t_k < B'_k * t'_k + B'_k. The loops over
t', then over t, then over the points scan that system (`volcli.rewriting.nests.scanned_trees`), for all
sizes: also such as do not divide, or are larger than the loops. The size of a tile is the value that was
given, at least 1 and at most a number whose powers fit into 64 bits, by `maxsi` and `minsi`: B' * B could be
anything else. So the order of the iterations changes, and nothing else. A value that is a size may be a
bound, too, which it is as it was: the bound of a loop from 0 to 0 is not 1.

Source: P. Suriana (2016), sections 4.1 and 4.3.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import prod

from xdsl.ir import Operation, SSAValue

from volcli.language.expressions import (
    Atom,
    Expression,
    Monomial,
    NotAffine,
    Parameter,
    Value,
    constant,
    expression_of_atom,
    value_of,
)
from volcli.limits import rewriting as limits
from volcli.model.memory.buffers.nests import LoopLevels
from volcli.model.values.store.store import BoundsStore
from volcli.rewriting.changes.changes import Changes
from volcli.rewriting.code.index_code import IndexCode
from volcli.rewriting.code.materialize import extremum_chain
from volcli.rewriting.ground.builder import Builder
from volcli.rewriting.ground.hyperplanes import TileFamily
from volcli.rewriting.nests.affine_tree_code import AffineTreeCode, is_affine
from volcli.rewriting.nests.carried_values import check_carried
from volcli.rewriting.nests.checked_plans import check_plan
from volcli.rewriting.nests.loop_trees import TreeLoop
from volcli.rewriting.nests.scanned_trees import WAVE, TileSystem, most_factors, planned, tiles
from volcli.rewriting.nests.tile_origins import by_origins
from volcli.rewriting.nests.tree_code import TreeCode, names_of_loops, steps_of
from volcli.rewriting.nests.tree_making import tree_of

_DEEP = "the points and their order are proved; the values of deep nests are not compared"
_WAVES = "the tiles of one wave have bounds of too many loops to look for races once more"


@dataclass(frozen=True, eq=False)
class _TileSize:
    """What a VALUE says of a size: at least `least` and at most `most`, where it need not be so.

    A product of the size and `factors` that may be large is at most most * most: so it is less, of these.
    """

    value: SSAValue
    number: int
    least: int | None
    most: int | None
    known: int | None = None
    factors: tuple[SSAValue, ...] = ()

    @property
    def parameter(self) -> Parameter:
        return Parameter(f"b{self.number}")

    @property
    def form(self) -> Expression:
        """The number or the value, or the parameter that stands for what becomes of it."""
        if self.known is not None:
            return constant(self.known)
        is_plain = self.least is None and self.most is None
        return value_of(self.value) if is_plain else expression_of_atom(self.parameter)


@dataclass
class SymbolicTiles:
    """Makes loops in the place of others; NESTS and BOUNDS are those of their function."""

    changes: Changes
    nests: LoopLevels
    bounds: BoundsStore

    def tree(self, root: Operation, tilings: Sequence[TileFamily]) -> TreeLoop:
        """The loop ROOT, and those inside that TILINGS are over. Raises NotAffine."""
        wanted = {variable for tiling in tilings for variable in tiling.variables}
        tree = tree_of(root, wanted, self.nests, self.bounds)
        check_carried(tree)
        return tree

    def tile(
        self,
        tree: TreeLoop,
        tilings: Sequence[TileFamily],
        sizes: Sequence[Sequence[SSAValue]],
        *,
        wavefront: int = 0,
    ) -> None:
        """Tile TREE by SIZES along TILINGS, those of the outermost tiles first.

        With a WAVEFRONT of n > 1 tiles run along the sum of their first n numbers, and those of one sum along
        the second to the n-th number in parallel. Raises NotAffine, before anything is changed, if that is
        not possible.
        """
        outermost, results = tree.level.op, [each.initial for each in tree.cells]
        if wavefront > 1 and tree.makers:
            raise NotAffine("it carries a value, and tiles of one wave have no order")
        functions = [
            [each.at({loop.induction_variable: loop.value for loop in statement.around}) for each in tilings]
            for statement in tree.statements
        ]
        factors = _factors(tree)
        facts = [*(fact for each in tree.steps for fact in each.facts), *self._signs(factors)]
        bits = limits.TILE_SIZE_BITS // max(2, len(sizes))
        while True:
            large = tuple(each for each in factors if not self._is_small(each, 2**bits))
            given = {
                size: self._tile_size(size, n, 2**bits, large) for n, size in enumerate(_distinct(sizes))
            }
            forms = [[given[size].form for size in level] for level in sizes]
            around = tiles(functions, forms, wavefront, facts)
            by_numbers = planned(tree, around)
            plan = None
            if by_numbers is not None:
                plan = by_origins(by_numbers, around.variables, around.context)
            fewer = limits.TILE_SIZE_BITS // max(2, most_factors(plan)) if plan is not None else bits
            if fewer >= bits:
                break
            bits = fewer
        if plan is not None and by_numbers is not None:
            check_plan(self.changes, tree, around, by_numbers)
            if plan.depth > limits.CHECKED_DEPTH:
                self.changes.proved_otherwise = _DEEP
            builder = self.changes.before(outermost)
            index = IndexCode(builder)
            known = {atom: e for tile in given.values() for atom, e in _bounded(builder, index, tile).items()}
            known |= steps_of(tree, builder, index, self.bounds)
            names = self._names(tree, tilings, around)
            parallel = frozenset[Atom](around.variables[1 : max(wavefront, 1)])
            kind = AffineTreeCode if not parallel and is_affine(plan, tree) else TreeCode
            code = kind(self.changes, index, names, parallel, cells=results)
            code.put(builder, plan, known)
            self.changes.without_order(code.unordered, because=_WAVES)
            results = code.cells
        self.changes.replace(outermost, results)

    def lengths(self, sizes: Sequence[Sequence[SSAValue]]) -> list[Expression | None]:
        """How long the tiles of SIZES are along each function at most, where these are constants."""
        found: list[Expression | None] = []
        for column in zip(*sizes, strict=True):
            known = [self.bounds.constant_bounds(size).upper for size in column]
            most = [max(each, 1) for each in known if each is not None]
            found.append(constant(prod(most)) if len(most) == len(known) else None)
        return found

    def _signs(self, factors: Iterable[SSAValue]) -> Iterator[Expression]:
        """What is known of FACTORS: n - 1 >= 0."""
        for value in factors:
            known = self.bounds.constant_bounds(value)
            if known.lower is not None:
                yield value_of(value) - known.lower
            if known.upper is not None:
                yield known.upper - value_of(value)

    def _names(
        self, tree: TreeLoop, tilings: Sequence[TileFamily], around: TileSystem
    ) -> dict[Atom, str | None]:
        """What the loops are called: `i`, `i_tile` of tiles, `t_i_tile` of tiles along t + i."""
        name_of = self.changes.unit.parsed.names.of
        found = names_of_loops(self.changes, tree)
        for number, variable in enumerate(around.variables):
            of = tilings[number % len(tilings)].alternatives[0].terms
            words = [name_of(each).removeprefix("%") for each, _ in of]
            is_named = not any(word.isdecimal() for word in words)
            found[variable] = f"{'_'.join(words)}_tile" if is_named else None
        if WAVE in found:
            found[WAVE] = "wave"
        return found

    def _is_small(self, value: SSAValue, most: int) -> bool:
        """Whether VALUE is at MOST this, and at least the negative of it."""
        known = self.bounds.constant_bounds(value)
        return (
            known.lower is not None
            and known.upper is not None
            and -most <= known.lower <= known.upper <= most
        )

    def _tile_size(self, size: SSAValue, number: int, most: int, factors: tuple[SSAValue, ...]) -> _TileSize:
        """The tile size for SIZE, the NUMBER-th one, which is at MOST this, and less with large FACTORS."""
        known = self.bounds.constant_bounds(size)
        is_positive = known.lower is not None and known.lower >= 1
        is_small = known.upper is not None and known.upper <= most and not factors
        exact = known.lower if is_positive and is_small and known.lower == known.upper else None
        return _TileSize(size, number, None if is_positive else 1, None if is_small else most, exact, factors)


def _bounded(builder: Builder, index: IndexCode, tile: _TileSize) -> dict[Atom, Expression]:
    """The parameter of TILE, if it has one, and the value that it stands for."""
    made, called = tile.value, builder.name(tile.value, "size")
    if tile.known is not None:
        return {}
    if tile.least is not None:
        made = builder.make("arith.maxsi", [made, index.constant(tile.least)], called=called)
    if tile.most is not None:
        most = _most(builder, index, tile.most, tile.factors)
        made = builder.make("arith.minsi", [made, most], called=called)
    return {} if made is tile.value else {tile.parameter: value_of(made)}


def _most(builder: Builder, index: IndexCode, most: int, factors: Sequence[SSAValue]) -> SSAValue:
    """MOST, or so much less that the product with FACTORS is at most its square: never less than 1."""
    if not factors:
        return index.constant(most)
    left = index.constant(most * most)
    for value in factors:
        absolute = [value, index.number(builder, -value_of(value), {}), index.constant(1)]
        left = builder.make("arith.floordivsi", [left, extremum_chain(builder, absolute, greatest=True)])
    least = extremum_chain(builder, [index.constant(1), left], greatest=True)
    return extremum_chain(builder, [index.constant(most), least], greatest=False)


def _factors(tree: TreeLoop) -> list[SSAValue]:
    """The values that bounds in TREE have as factors of products."""
    atoms = (atom for each in tree.loops for form in each.inequalities for atom, _ in form.terms)
    factors = (factor for atom in atoms if isinstance(atom, Monomial) for factor in atom.factors)
    return list(dict.fromkeys(factor.value for factor in factors if isinstance(factor, Value)))


def _distinct(sizes: Sequence[Sequence[SSAValue]]) -> list[SSAValue]:
    """All of SIZES, each once."""
    return list(dict.fromkeys(size for level in sizes for size in level))
