"""Loops over tiles whose sizes are values: a band of loops, scanned in another order.

Let i_1, ..., i_n be the loops of a band and B_k >= 1 the size of the tiles along i_k. A point is in the tile

    t_k = floor(i_k / B_k)        B_k * t_k <= i_k < B_k * t_k + B_k

and with several levels the tiles are tiled in turn: B'_k * t'_k <= t_k < B'_k * t'_k + B'_k. The loops over
t', then over t, then over the points scan that system (`volcli.symbolic.scanning`), for all sizes: also such
as do not divide, or are larger than the loops. The size of a tile is the value that was given, at least 1 and
at most a number whose powers fit into 64 bits, by `maxsi` and `minsi`: B' * B could be anything else. So the
order of the iterations changes, and nothing else. A value that is a size may be a bound, too, which it is as
it was: the bound of a loop from 0 to 0 is not 1.

Source: P. Suriana (2016), section 4.1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from xdsl.dialects.builtin import IndexType, IntegerAttr, IntegerType, i64
from xdsl.ir import Block, Operation, Region, SSAValue

from volcli.language import questions
from volcli.language.expressions import (
    Atom,
    Dim,
    Expression,
    NotAffine,
    Parameter,
    Value,
    expression_of_atom,
    substitute,
    value_of,
)
from volcli.model.memory.nests import Level
from volcli.model.values.store import BoundsStore
from volcli.rewriting.builder import Builder
from volcli.rewriting.changes import Changes
from volcli.rewriting.materialize import AsAskedFor, Materializer
from volcli.rewriting.tiled_bands import TiledBand, band_as_system, check, tiled_nest
from volcli.symbolic.scanning import Quotient, ScanLoop, ScanNest, unchecked

_GREATER_OR_EQUAL = IntegerAttr(5, i64)
"""arith.cmpi sge"""


@dataclass(frozen=True, eq=False)
class _TileSize:
    """What a VALUE says of a size: at least `least` and at most `most`, where it need not be so."""

    value: SSAValue
    number: int
    least: int | None
    most: int | None

    @property
    def parameter(self) -> Parameter:
        return Parameter(f"b{self.number}")

    @property
    def form(self) -> Expression:
        """The value, or the parameter that stands for what becomes of it."""
        is_plain = self.least is None and self.most is None
        return value_of(self.value) if is_plain else expression_of_atom(self.parameter)


@dataclass
class SymbolicTiles:
    """Makes the loops of bands in the place of their outermost ones; BOUNDS are those of their function."""

    changes: Changes
    bounds: BoundsStore
    _order: AsAskedFor = field(default_factory=AsAskedFor)
    _constants: dict[int, SSAValue] = field(default_factory=dict[int, SSAValue])
    _outside: Builder | None = None

    def tile(self, levels: Sequence[Level], sizes: Sequence[Sequence[SSAValue]]) -> None:
        """Tile LEVELS by SIZES, those of the outermost tiles first.

        Raises NotAffine, before anything is changed, if that is not possible.
        """
        outermost = levels[0].op
        check(levels)
        band = band_as_system(levels, self._folded)
        for value in _values(band.inequalities):
            if _is_inside(value, outermost):
                raise NotAffine("a bound is computed between the loops")
        tiles = {
            size: self._tile_size(size, n, len(sizes)) for n, size in enumerate(dict.fromkeys(_all(sizes)))
        }
        nest, context = tiled_nest(band, [[tiles[size].form for size in level] for level in sizes])
        builder = self.changes.before(outermost)
        self._constants.clear()
        self._outside = builder
        if nest is not None:
            known = {atom: e for tile in tiles.values() for atom, e in self._bounded(builder, tile).items()}
            made = _Made(band, levels, self.changes.unit.parsed.names.of)
            guard = unchecked(nest, context)
            if guard:
                self._guarded(builder, guard, nest, known, made)
            else:
                self._loops(builder, nest.loops, known, made)
        self.changes.erase(outermost)

    def _folded(self, expression: Expression) -> Expression:
        """EXPRESSION, or the constant that it is."""
        known = self.bounds.definitions.resolve(expression)
        return known if known.is_constant else expression

    def _tile_size(self, size: SSAValue, number: int, levels: int) -> _TileSize:
        """The tile size for SIZE, the NUMBER-th one of LEVELS of tiles."""
        known = self.bounds.constant_bounds(size)
        is_positive = known.lower is not None and known.lower >= 1
        most = 2 ** min(30, 60 // levels)
        is_small = known.upper is not None and known.upper <= most
        return _TileSize(size, number, None if is_positive else 1, None if is_small else most)

    def _bounded(self, builder: Builder, tile: _TileSize) -> dict[Atom, Expression]:
        """The parameter of TILE, if it has one, and the value that it stands for."""
        made, called = tile.value, builder.name(tile.value, "size")
        if tile.least is not None:
            made = builder.make("arith.maxsi", [made, self._constant(tile.least)], called=called)
        if tile.most is not None:
            made = builder.make("arith.minsi", [made, self._constant(tile.most)], called=called)
        return {} if made is tile.value else {tile.parameter: value_of(made)}

    # -- loops -----------------------------------------------------------------------------------------

    def _guarded(
        self,
        builder: Builder,
        guard: Sequence[Expression],
        nest: ScanNest,
        known: dict[Atom, Expression],
        made: _Made,
    ) -> None:
        """The loops of NEST in an scf.if that runs where all of GUARD are >= 0."""
        least = [self._number(builder, condition, known) for condition in guard]
        smallest = least[0]
        for each in least[1:]:
            smallest = builder.make("arith.minsi", [smallest, each])
        holds = builder.make(
            "arith.cmpi",
            [smallest, self._constant(0)],
            result=IntegerType(1),
            properties={"predicate": _GREATER_OR_EQUAL},
        )
        block = Block()
        inside = builder.inside(block)
        self._loops(inside, nest.loops, known, made)
        inside.operation("scf.yield", [])
        builder.operation("scf.if", [holds], regions=[Region([block]), Region()])

    def _loops(
        self, builder: Builder, loops: Sequence[ScanLoop], known: dict[Atom, Expression], made: _Made
    ) -> None:
        """LOOPS, the outermost first, around the body; KNOWN are what variables are here."""
        if not loops:
            self._body(builder, known, made)
            return
        loop, *rest = loops
        if (value := loop.value) is not None:
            self._loops(builder, rest, {**known, loop.variable: substitute(value, known.get)}, made)
            return
        lower = self._extremum(builder, loop.lower, known, up=True)
        upper = self._extremum(builder, loop.upper, known, up=False)
        block = Block(arg_types=[IndexType()])
        index = block.args[0]
        index.name_hint = made.name(loop.variable)
        inside = builder.inside(block)
        self._loops(inside, rest, {**known, loop.variable: value_of(index)}, made)
        inside.operation("scf.yield", [])
        builder.operation("scf.for", [lower, upper, self._constant(1)], regions=[Region([block])])

    def _body(self, builder: Builder, known: dict[Atom, Expression], made: _Made) -> None:
        """The operations of the innermost loop, with what its induction variables are here."""
        block = made.levels[-1].op.regions[0].block
        for op in list(block.walk()):
            self._make_plain(op)
        for level, value in zip(made.levels, made.band.values, strict=True):
            assert level.variable is not None
            level.variable.replace_all_uses_with(self._number(builder, substitute(value, known.get), {}))
        for op in list(block.ops):
            if op is not block.last_op:
                builder.take(op)

    def _make_plain(self, op: Operation) -> None:
        """An access by a map takes the variables of affine loops only: it becomes one by index values."""
        make = questions.plain_access(op)
        if make is None:
            return
        accesses = questions.accesses(op)
        assert accesses is not None
        builder = self.changes.before(op)
        indices = [self._number(builder, e, {}) for e in accesses[0].index if isinstance(e, Expression)]
        new = builder.insert(make(indices))
        self.changes.replace(op, new.results)

    # -- numbers ---------------------------------------------------------------------------------------

    def _extremum(
        self, builder: Builder, bounds: Sequence[Quotient], known: dict[Atom, Expression], *, up: bool
    ) -> SSAValue:
        """The maximum of lower BOUNDS, or the minimum of the first numbers behind upper ones."""
        name = "arith.maxsi" if up else "arith.minsi"
        first, *others = [self._quotient(builder, each, known, up=up) for each in bounds]
        for other in others:
            first = builder.make(name, [first, other])
        return first

    def _quotient(
        self, builder: Builder, bound: Quotient, known: dict[Atom, Expression], *, up: bool
    ) -> SSAValue:
        if bound.is_whole:
            return self._number(builder, bound.numerator if up else bound.numerator + 1, known)
        numerator = self._number(builder, bound.numerator, known)
        denominator = self._number(builder, bound.denominator, known)
        if up:
            return builder.make("arith.ceildivsi", [numerator, denominator])
        last = builder.make("arith.floordivsi", [numerator, denominator])
        return builder.make("arith.addi", [last, self._constant(1)])

    def _number(self, builder: Builder, form: Expression, known: dict[Atom, Expression]) -> SSAValue:
        materializer = Materializer(builder, self._order, use_arith=True, constant=self._constant)
        return materializer.value(substitute(form, known.get))

    def _constant(self, number: int) -> SSAValue:
        """NUMBER, made once, in front of all loops."""
        assert self._outside is not None
        if number not in self._constants:
            self._constants[number] = self._outside.constant(number)
        return self._constants[number]


@dataclass(frozen=True, eq=False)
class _Made:
    """What the loops of one band are made for: the loops that they stand for, and their names."""

    band: TiledBand
    levels: Sequence[Level]
    name_of: Callable[[SSAValue], str]

    def name(self, variable: Atom) -> str | None:
        """What the loop over VARIABLE is called: `i`, or `i_tile` of tiles."""
        kind, _, number = str(variable).partition("_")
        of = self.levels[int(number or kind[1:])].variable
        assert of is not None
        own = self.name_of(of).removeprefix("%")
        return None if own.isdecimal() else f"{own}_tile" if number else own


def _values(forms: Iterable[Expression]) -> list[SSAValue]:
    """The values that FORMS speak of."""
    found = (atom for form in forms for atom in form.atoms())
    return list(dict.fromkeys(atom.value for atom in found if isinstance(atom, Value | Dim)))


def _is_inside(value: SSAValue, op: Operation) -> bool:
    return op.is_ancestor(value.owner)


def _all(sizes: Sequence[Sequence[SSAValue]]) -> Iterator[SSAValue]:
    return (size for level in sizes for size in level)
