"""The values that affine maps and bases are at: those of operands."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineMap, AffineSet

from volcli.language.affine_maps import evaluate
from volcli.language.expressions import Expression, NotAffine, value_of
from volcli_dialects.affine.index import DelinearizeIndexOp, LinearizeIndexOp
from volcli_dialects.cases.sizes import mixed


def dims_and_symbols(
    map_: AffineMap | AffineSet, operands: Sequence[SSAValue]
) -> tuple[list[Expression], list[Expression]]:
    """The values of OPERANDS as the dims and the symbols of a map; raises NotAffine if there are others."""
    values = [value_of(operand) for operand in operands]
    if len(values) != map_.num_dims + map_.num_symbols:
        raise NotAffine("the map does not fit the operands")
    return values[: map_.num_dims], values[map_.num_dims :]


def applied(map_: AffineMap, operands: Sequence[SSAValue]) -> tuple[Expression, ...]:
    """The results of a map at OPERANDS."""
    at = dims_and_symbols(map_, operands)
    return tuple(evaluate(result, *at) for result in map_.results)


def basis_of(op: DelinearizeIndexOp | LinearizeIndexOp, count: int) -> list[Expression | None]:
    """The size of the basis at each of COUNT digits; None for the outermost where it has none."""
    sizes = mixed(op.static_basis, op.dynamic_basis)
    if len(sizes) not in (count, count - 1):
        raise NotAffine("the basis does not fit the digits")
    return [*[None] * (count - len(sizes)), *sizes]


def inner_basis(op: DelinearizeIndexOp | LinearizeIndexOp, count: int) -> list[Expression]:
    """The sizes of COUNT digits but the outermost."""
    return [size for size in basis_of(op, count)[1:] if size is not None]
