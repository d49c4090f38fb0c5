"""What arithmetic gives whatever its operands are: x - x = 0, x * 0 = 0, x & x = x."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith
from xdsl.ir import Operation

from volcli.language.questions import Law, laws
from volcli_dialects.arith.compare import CmpiOp, SelectOp

_ANY = (0, 1)
_REFLEXIVE = ("eq", "sle", "sge", "ule", "uge")


@laws.case(arith.AddiOp)
def sum_laws(op: arith.AddiOp) -> Sequence[Law]:
    return _neutral(0)


@laws.case(arith.SubiOp)
def difference_laws(op: arith.SubiOp) -> Sequence[Law]:
    return [Law(equal=_ANY, number=0), Law(given=(1, 0), operand=0)]


@laws.case(arith.MuliOp)
def product_laws(op: arith.MuliOp) -> Sequence[Law]:
    return [*_absorbing(0), *_neutral(1)]


@laws.case(arith.AndIOp)
def conjunction_laws(op: arith.AndIOp) -> Sequence[Law]:
    """All bits of -1 are set: of an i1, it is true."""
    return [Law(equal=_ANY, operand=0), *_absorbing(0), *_neutral(-1)]


@laws.case(arith.OrIOp)
def disjunction_laws(op: arith.OrIOp) -> Sequence[Law]:
    return [Law(equal=_ANY, operand=0), *_absorbing(-1), *_neutral(0)]


@laws.case(arith.XOrIOp)
def exclusive_laws(op: arith.XOrIOp) -> Sequence[Law]:
    return [Law(equal=_ANY, number=0), *_neutral(0)]


@laws.case(arith.DivSIOp, arith.DivUIOp, arith.CeilDivSIOp, arith.CeilDivUIOp, arith.FloorDivSIOp)
def quotient_laws(op: Operation) -> Sequence[Law]:
    """Nothing is said of x / x, which is undefined for 0."""
    return [Law(given=(1, 1), operand=0)]


@laws.case(arith.RemSIOp, arith.RemUIOp)
def remainder_laws(op: Operation) -> Sequence[Law]:
    return [Law(given=(1, 1), number=0)]


@laws.case(arith.ShLIOp, arith.ShRSIOp, arith.ShRUIOp)
def shift_laws(op: Operation) -> Sequence[Law]:
    """What shifts by more than the width is undefined."""
    return [Law(given=(1, 0), operand=0), Law(given=(0, 0), number=0)]


@laws.case(arith.MaxSIOp, arith.MinSIOp, arith.MaxUIOp, arith.MinUIOp, arith.MaximumfOp, arith.MinimumfOp)
def extremum_laws(op: Operation) -> Sequence[Law]:
    return [Law(equal=_ANY, operand=0)]


@laws.case(CmpiOp)
def comparison_laws(op: CmpiOp) -> Sequence[Law]:
    """x <= x is true, x < x is false."""
    predicate = arith.CMPI_COMPARISON_OPERATIONS[op.predicate.value.data]
    return [Law(equal=_ANY, number=-1 if predicate in _REFLEXIVE else 0)]


@laws.case(SelectOp)
def selection_laws(op: SelectOp) -> Sequence[Law]:
    return [
        Law(equal=(1, 2), operand=1),
        Law(given=(0, -1), operand=1),
        Law(given=(0, 0), operand=2),
    ]


def _absorbing(number: int) -> list[Law]:
    """x * 0 = 0 = 0 * x"""
    return [Law(given=(position, number), number=number) for position in _ANY]


def _neutral(number: int) -> list[Law]:
    """x + 0 = x = 0 + x"""
    return [Law(given=(position, number), operand=1 - position) for position in _ANY]
