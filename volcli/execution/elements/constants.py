"""The numbers that attributes state."""

# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownParameterType=false
# Values are numbers of any type, and arrays of any dtype.

from __future__ import annotations

import itertools
import math
from typing import Any, cast

import numpy as np
from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    DenseResourceAttr,
    FloatAttr,
    IntegerAttr,
    ShapedType,
    TensorType,
)
from xdsl.ir import Attribute, Operation

from volcli.diagnostics.counted import counted
from volcli.execution.demand.demand import deferred
from volcli.execution.elements.elementwise import array_of
from volcli.execution.memory.machine import Machine
from volcli.execution.numbers.formats import Format, format_of
from volcli.execution.numbers.values import Tensor
from volcli.execution.outcomes import Unsupported
from volcli.execution.table import Perform
from volcli.language.resources import ResourceKey


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
    if isinstance(attribute, DenseResourceAttr):
        return _of_resource(attribute)
    if not isinstance(attribute, DenseIntOrFPElementsAttr):
        raise Unsupported(None, f"the constant {str(attribute)[:80]} is not executed")
    kind = cast(ShapedType, attribute.type)
    shape, format = tuple(kind.get_shape()), format_of(cast(Any, kind).element_type)
    is_splat = len(attribute.data.data) == cast(Any, kind).element_type.compile_time_size
    numbers = itertools.islice(attribute.iter_values(), 1 if is_splat else None)
    data = array_of([_number(value, format) for value in numbers], format.dtype)
    if is_splat:
        return Tensor(np.broadcast_to(data.reshape(()), shape))
    return Tensor(data.reshape(shape))


def _of_resource(attribute: DenseResourceAttr) -> Tensor:
    """The elements that the end of the file has; truths have a byte each, as all others whole bytes."""
    key = attribute.resource_handle.data
    kind = cast("Any", attribute.type)
    shape, format = tuple(kind.get_shape()), format_of(kind)
    try:
        data = key.table.elements(key) if isinstance(key, ResourceKey) else None
    except ValueError as error:
        raise Unsupported(None, f"the resource '{key}' cannot be read: {error}") from None
    if data is None:
        next_step = "write the program with its resources: `mlir-opt` leaves them out only if it is told to"
        raise Unsupported(None, f"the file does not have the elements of the resource '{key}'", next_step)
    dtype = np.dtype(format.dtype)
    if dtype.kind == "O" or (format.width != 8 * dtype.itemsize and format.width != 1):
        raise Unsupported(None, f"resources of {kind.element_type} are not executed")
    if len(data) != (size := math.prod(shape) * dtype.itemsize):
        raise Unsupported(
            None, f"the resource '{key}' has {counted(f'{len(data):,}', 'byte')}, and {kind} has {size:,}"
        )
    return Tensor(np.frombuffer(data, dtype).reshape(shape))


def constant(op: Operation, attribute: Attribute) -> Perform:
    """The execution of OP: the number or the tensor of ATTRIBUTE."""
    if isinstance(attribute, IntegerAttr | FloatAttr):
        number = scalar_of(attribute)
        return lambda machine: number
    value, is_tensor = elements_of(attribute), isinstance(op.results[0].type, TensorType)

    def perform(machine: Machine) -> Tensor:
        return deferred(machine, op, value) if machine.options.demands and is_tensor else value

    return perform


def _number(value: Any, format: Format) -> Any:
    if format.kind == "complex":
        return complex(*value) if isinstance(value, tuple) else complex(value)
    return format.number(value)
