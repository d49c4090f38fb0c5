"""What BEFORE states of data: where that does not hold it is undefined, or may be another number.

    cf.assert %b                                        defined where %b holds
    vector.transfer_read {in_bounds = [true]}           defined where all lanes are in bounds
    arith.subf %x, %x fastmath<nnan>                    0, or poison for %x = NaN

That the programs are computed from other elements need not matter in the calls that count: only an execution
shows that they differ.
"""

from __future__ import annotations

from typing import cast

from xdsl.dialects.arith import FastMathFlagsAttr
from xdsl.dialects.builtin import ArrayAttr, IntegerAttr
from xdsl.ir import Attribute, Operation

from volcli.model.stated_effects import is_assertion


def restricts(op: Operation) -> bool:
    """Whether OP states something of data that it is applied to, or of the sizes that it needs."""
    return is_assertion(op) or any(map(_allows, (*op.properties.items(), *op.attributes.items())))


def _allows(stated: tuple[str, Attribute]) -> bool:
    name, value = stated
    if isinstance(value, FastMathFlagsAttr):
        return bool(value.data)
    if name != "in_bounds" or not isinstance(value, ArrayAttr):
        return False
    truths = cast("ArrayAttr[Attribute]", value).data
    return any(isinstance(each, IntegerAttr) and bool(each.value.data) for each in truths)
