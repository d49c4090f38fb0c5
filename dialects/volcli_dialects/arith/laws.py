"""What arithmetic gives whatever its operands are: x - x = 0, x * 0 = 0, x & x = x."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith

from volcli.language.questions import Law, laws
from volcli_dialects.arith.compare import CmpiOp, SelectOp

_ANY = (0, 1)
_REFLEXIVE = ("eq", "sle", "sge", "ule", "uge")


@laws.case(CmpiOp)
def comparison_laws(op: CmpiOp) -> Sequence[Law]:
    """x <= x is true, x < x is false."""
    predicate = arith.CMPI_COMPARISON_OPERATIONS[op.predicate.value.data]
    return [Law(equal=_ANY, number=-1 if predicate in _REFLEXIVE else 0)]


def _absorbing(number: int) -> list[Law]:
    """x * 0 = 0 = 0 * x"""
    return [Law(given=(position, number), number=number) for position in _ANY]


def _neutral(number: int) -> list[Law]:
    """x + 0 = x = 0 + x"""
    return [Law(given=(position, number), operand=1 - position) for position in _ANY]


laws.case(arith.AddiOp)(lambda op: _neutral(0))
laws.case(arith.SubiOp)(lambda op: [Law(equal=_ANY, number=0), Law(given=(1, 0), operand=0)])
laws.case(arith.MuliOp)(lambda op: [*_absorbing(0), *_neutral(1)])
# All bits of -1 are set: of an i1, it is true.
laws.case(arith.AndIOp)(lambda op: [Law(equal=_ANY, operand=0), *_absorbing(0), *_neutral(-1)])
laws.case(arith.OrIOp)(lambda op: [Law(equal=_ANY, operand=0), *_absorbing(-1), *_neutral(0)])
laws.case(arith.XOrIOp)(lambda op: [Law(equal=_ANY, number=0), *_neutral(0)])
# Nothing is said of x / x, which is undefined for 0.
laws.case(arith.DivSIOp, arith.DivUIOp, arith.CeilDivSIOp, arith.CeilDivUIOp, arith.FloorDivSIOp)(
    lambda op: [Law(given=(1, 1), operand=0)]
)
laws.case(arith.RemSIOp, arith.RemUIOp)(lambda op: [Law(given=(1, 1), number=0)])
# What shifts by more than the width is undefined.
laws.case(arith.ShLIOp, arith.ShRSIOp, arith.ShRUIOp)(
    lambda op: [Law(given=(1, 0), operand=0), Law(given=(0, 0), number=0)]
)
laws.case(arith.MaxSIOp, arith.MinSIOp, arith.MaxUIOp, arith.MinUIOp, arith.MaximumfOp, arith.MinimumfOp)(
    lambda op: [Law(equal=_ANY, operand=0)]
)
laws.case(SelectOp)(
    lambda op: [Law(equal=(1, 2), operand=1), Law(given=(0, -1), operand=1), Law(given=(0, 0), operand=2)]
)
