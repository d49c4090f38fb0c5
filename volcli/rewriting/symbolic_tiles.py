"""Loops over tiles whose sizes are values: a band of loops, scanned in another order.

Let i_1, ..., i_n be the loops of a band and B_k >= 1 the size of the tiles along i_k. A point is in the tile

    t_k = floor(i_k / B_k)        B_k * t_k <= i_k < B_k * t_k + B_k

and with several levels the tiles are tiled in turn: B'_k * t'_k <= t_k < B'_k * t'_k + B'_k. The loops over
t', then over t, then over the points scan that system (`volcli.symbolic.scanning`), for all sizes: also such
as do not divide, or are larger than the loops. A size that is not known to be positive is taken to be at
least 1, by `maxsi`: the order of the iterations changes, and nothing else.

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
    Value,
    substitute,
    value_of,
)
from volcli.model.memory.nests import Level
from volcli.model.values.store import BoundsStore
from volcli.rewriting.builder import Builder
from volcli.rewriting.changes import Changes
from volcli.rewriting.materialize import Materializer
from volcli.rewriting.tiled_bands import TiledBand, band_as_system, check, tiled_nest
from volcli.symbolic.scanning import Quotient, ScanLoop, ScanNest, unchecked

_GREATER_OR_EQUAL = IntegerAttr(5, i64)
"""arith.cmpi sge"""


@dataclass
class SymbolicTiles:
    """Makes the loops of bands in the place of their outermost ones; BOUNDS are those of their function."""

    changes: Changes
    bounds: BoundsStore
    _order: dict[Value | Dim, int] = field(default_factory=dict[Value | Dim, int])
    _constants: dict[int, SSAValue] = field(default_factory=dict[int, SSAValue])
    _outside: Builder | None = None

    def tile(self, levels: Sequence[Level], sizes: Sequence[Sequence[SSAValue]]) -> None:
        """Tile LEVELS by SIZES, those of the outermost tiles first.

        Raises NotAffine, before anything is changed, if that is not possible.
        """
        outermost, body = levels[0].op, levels[-1].op.regions[0].block
        check(levels)
        band = band_as_system(levels, self._folded)
        for value in _values(band.inequalities):
            if _is_inside(value, outermost):
                raise NotAffine("a bound is computed between the loops")
        nest, context = tiled_nest(band, [[value_of(size) for size in level] for level in sizes])
        builder = self.changes.before(outermost)
        self._constants.clear()
        self._outside = builder
        if nest is not None:
            positive = {size: self._positive(builder, size) for size in dict.fromkeys(_all(sizes))}
            known: dict[Atom, Expression] = {Value(s): value_of(p) for s, p in positive.items()}
            made = _Made(band, levels, self.changes.unit.parsed.names.of)
            guard = unchecked(nest, context)
            if guard:
                self._guarded(builder, guard, nest, known, made)
            else:
                self._loops(builder, nest.loops, known, made)
        assert body.parent is not None
        self.changes.erase(outermost)

    def _folded(self, expression: Expression) -> Expression:
        """EXPRESSION, or the constant that it is."""
        known = self.bounds.definitions.resolve(expression)
        return known if known.is_constant else expression

    def _positive(self, builder: Builder, size: SSAValue) -> SSAValue:
        """SIZE, or 1 if that is larger."""
        low = self.bounds.constant_bounds(size).lower
        if low is not None and low >= 1:
            return size
        return builder.make("arith.maxsi", [size, self._constant(1)], called=builder.name(size, "size"))

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
        materializer = Materializer(builder, self._place, use_arith=True, constant=self._constant)
        return materializer.value(substitute(form, known.get))

    def _constant(self, number: int) -> SSAValue:
        """NUMBER, made once, in front of all loops."""
        assert self._outside is not None
        if number not in self._constants:
            self._constants[number] = self._outside.constant(number)
        return self._constants[number]

    def _place(self, variable: Value | Dim) -> tuple[int, int]:
        """Operands in the order in which they were asked for first."""
        return self._order.setdefault(variable, len(self._order)), 0


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
