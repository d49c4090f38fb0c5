"""The numbers that attributes state."""

# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownParameterType=false
# Values are numbers of any type, and arrays of any dtype.

from __future__ import annotations

from typing import Any, cast

import numpy as np
from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    DenseResourceAttr,
    FloatAttr,
    IntegerAttr,
    ShapedType,
)
from xdsl.ir import Attribute

from volcli.execution.elementwise import array_of
from volcli.execution.formats import Format, format_of
from volcli.execution.outcomes import Unsupported
from volcli.execution.values import Tensor


def scalar_of(attribute: Attribute) -> Any:
    """The number of an attribute with a scalar type.

    >>> from xdsl.dialects.builtin import i8, f32
    >>> scalar_of(IntegerAttr(200, i8)), scalar_of(FloatAttr(0.1, f32))
    (-56, np.float32(0.1))
    """
    if not isinstance(attribute, IntegerAttr | FloatAttr):
        raise Unsupported(None, f"the constant {attribute} is not executed")
    return format_of(cast(Any, attribute).type).number(cast(Any, attribute).value.data)


def elements_of(attribute: Attribute) -> Tensor:
    """The tensor of a dense attribute. A splat takes the memory of one element."""
    if not isinstance(attribute, DenseIntOrFPElementsAttr):
        what = "a resource" if isinstance(attribute, DenseResourceAttr) else str(attribute)[:80]
        raise Unsupported(None, f"the constant {what} is not executed")
    kind = cast(ShapedType, attribute.type)
    shape, format = tuple(kind.get_shape()), format_of(cast(Any, kind).element_type)
    values = [_number(value, format) for value in attribute.get_values()]
    data = array_of(values, format.dtype)
    if len(values) == 1:
        return Tensor(np.broadcast_to(data.reshape(()), shape))
    return Tensor(data.reshape(shape))


def _number(value: Any, format: Format) -> Any:
    if format.kind == "complex":
        return complex(*value) if isinstance(value, tuple) else complex(value)
    return format.number(value)
