"""Whether the order of tiles keeps the dependences of a program whose loops run in steps that are values.

Two programs do the same in the same order (`volcli.equivalence.congruence`): V, the program before with loops
that count their iterations, i = a + p * k, and U, the program after without tiles. In U, tiles ran along

    h = f_1 * k_1 + ... + f_n * k_n + r        with f_m = c_m * p_m for numbers c_m

and the numbering of their values shows what that is in the program before: c_1 * i_1 + ... + c_n * i_n and
something that no loop changes. There the dependences are known: none may go back along it. h = f * k of the
outermost loop inside the tiles alone grows with i, for what its first value depends on is the same then.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import IndexType
from xdsl.ir import Block, Operation, SSAValue

from volcli.equivalence.congruence.functions import numbered
from volcli.equivalence.congruence.numbering import NotCongruent, ValueNumbers
from volcli.language.expressions import (
    Atom,
    Expression,
    NotAffine,
    constant,
    expression_of_atom,
    loop,
    value_of,
)
from volcli.model.function import FunctionModel
from volcli.model.memory.accesses.site import Site
from volcli.model.memory.loops.tilings import Tilings
from volcli.rewriting.changes.counted_steps import CountedVersion
from volcli.rewriting.changes.untiling import TileOrder
from volcli.rewriting.ground.bound_uses import loops_in
from volcli.symbolic.fourier_motzkin import coefficient, is_over
from volcli.symbolic.polynomials import exact_quotient


@dataclass(frozen=True)
class _Function:
    """The sum of induction variables, by their positions in the function, times `factors`, and a `rest`.

    If it `is_counted`, it is about the number of the iteration in place of the induction variable.
    """

    factors: Mapping[int, int]
    rest: Expression
    is_counted: bool = False

    def beside(self, other: _Function) -> int | None:
        """The difference of the rests of this and OTHER, where both are about the same; else None."""
        if self.is_counted or other.is_counted:
            return 0 if self == other else None
        difference = self.rest - other.rest
        return difference.constant if difference.is_constant else None


def is_alike_in_order(
    before: FunctionModel, version: CountedVersion, after: FunctionModel, orders: Sequence[TileOrder]
) -> bool:
    """Whether VERSION of BEFORE does the same in the same order as AFTER, and ORDERS keep its dependences."""
    numbers = numbered(version.model, after)
    if numbers is None:
        return False
    try:
        return all(_TileFunctions(before, version, after, numbers).is_kept(each) for each in orders)
    except (NotCongruent, NotAffine):
        return False


@dataclass(frozen=True, eq=False)
class _TileFunctions:
    """Functions of the iterations of AFTER as those of BEFORE, of which VERSION has the same NUMBERS."""

    before: FunctionModel
    version: CountedVersion
    after: FunctionModel
    numbers: ValueNumbers

    def is_kept(self, order: TileOrder) -> bool:
        """Whether no dependence in BEFORE goes back along the functions of ORDER. Raises NotAffine."""
        new, old = list(loops_in(self.after.function)), list(loops_in(self.before.function))
        if len(new) != len(old) or order.loop not in new:
            return False
        first = new.index(order.loop)
        found: dict[tuple[int, ...], tuple[_Function, int]] = {}
        one: _Function | None = None
        for block, form in order.functions.items():
            around = _around(block, new)
            function = self._function(form, around, first)
            one = function if one is None else one
            rest = function.beside(one)
            if rest is None or found.setdefault(around, (function, rest)) != (function, rest):
                return False

        def functions(site: Site) -> Sequence[Expression]:
            around = _around(site.op.parent, old)
            if around not in found:
                raise NotAffine("an access between loops over tiles")
            function, rest = found[around]
            total = constant(rest)
            for k, level in enumerate(site.levels):
                if level.op in old:
                    total += function.factors.get(old.index(level.op), 0) * loop(k)
            return [total]

        legality = Tilings(self.before.loops_as_written)
        is_ordered = legality.order(old[first]) is None
        return is_ordered and legality.reversed(old[first], functions) is None

    def _function(self, form: Expression, around: Sequence[int], first: int) -> _Function:
        """FORM, a function of the loops AROUND of which the tiles were around the FIRST. Raises NotAffine."""
        kind = IndexType()
        left = self.numbers.expression(form, kind)
        counters = list(loops_in(self.version.model.function))
        found: dict[int, int] = {}
        variables = {k: self._counter(counters[k].regions[0].block.args[0]) for k in around}
        inside = {variables[k] for k in around if k >= first}
        for position in reversed([k for k in around if k >= first]):
            factor = coefficient(left, variables[position])
            if factor == constant(0):
                continue
            value = self.numbers.expression(value_of(self.version.values[position]), kind)
            number = exact_quotient(factor, coefficient(value, variables[position]))
            others = inside - {variables[position]}
            if position == first and factor.is_constant and not is_over(left, others) and not found:
                rest = left - factor * expression_of_atom(variables[first])
                return _Function({first: factor.constant}, rest, is_counted=True)
            if number is None or not number.is_constant:
                raise NotAffine("tiles along a function that the program before does not have")
            found[position] = number.constant
            left -= number * value
        if is_over(left, inside):
            raise NotAffine("tiles that are counted from different points")
        return _Function(found, left)

    def _counter(self, value: SSAValue) -> Atom:
        found = self.numbers.expression(value_of(value), IndexType()).single_atom
        assert found is not None
        return found


def _around(block: Block | None, loops: Sequence[Operation]) -> tuple[int, ...]:
    """The positions among LOOPS of those around BLOCK, the outermost first."""
    found: list[int] = []
    op = None if block is None else block.parent_op()
    while op is not None:
        if op in loops:
            found.append(loops.index(op))
        op = op.parent_op()
    return tuple(reversed(found))
