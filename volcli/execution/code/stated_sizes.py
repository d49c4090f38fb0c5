"""Sizes that types of results state: an operation that gives a tensor or vector of others is undefined.

%0 = stablehlo.bitcast_convert %a : (tensor<?xf32>) -> tensor<4xi32>        for an %a of five elements
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from xdsl.dialects.builtin import TensorType, VectorType
from xdsl.ir import Operation

from volcli.execution.memory.views import check_sizes
from volcli.execution.numbers.formats import sizes_in_memory
from volcli.execution.numbers.values import Tensor
from volcli.execution.table import Perform


def with_stated_sizes(op: Operation, perform: Perform) -> Perform:
    """PERFORM of OP, which then raises Undefined if what it gives is no value of its type."""
    kinds = [each.type for each in op.results]
    if not any(isinstance(kind, TensorType | VectorType) for kind in kinds):
        return perform
    stated = [(kind, sizes_in_memory(kind)) for kind in kinds]

    def performed(*arguments: Any) -> Any:
        found = perform(*arguments)
        values = cast("Sequence[Any]", found) if isinstance(found, list | tuple) else (found,)
        for (kind, sizes), value in zip(stated, values, strict=True):
            if isinstance(value, Tensor) and value.shape != sizes:
                check_sizes(op, kind, value.shape, "a tensor")
        return cast(Any, found)

    return performed
