"""Calls that pass one memref for several arguments.

call @f(%m, %x, %m)        of @f, argument 2 is the memory of argument 0
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from xdsl.ir import Operation

from volcli.language.memory import is_memref
from volcli.model.memory.buffers.roots import Root, SharedArgument

SharedPairs = tuple[tuple[int, int], ...]
"""Arguments, by number, each with an earlier one."""


@dataclass(frozen=True)
class SharingCalls:
    """Calls of any function that pass the memory of earlier arguments for later ones, in these pairs."""

    pairs: SharedPairs

    def pass_apart(self, function: Operation, first: Root, second: Root) -> bool:
        """Of other arguments nothing is known."""
        return False

    def shared(self, function: Operation) -> Mapping[int, SharedArgument]:
        """The arguments that are earlier ones."""
        return {number: SharedArgument(always=earlier) for number, earlier in self.pairs}


def shared_operands(call: Operation) -> SharedPairs:
    """The arguments of CALL for which it passes the same memref as for earlier ones."""
    operands = list(call.operands)
    numbers = ((k, operands.index(value)) for k, value in enumerate(operands) if is_memref(value))
    return tuple((k, first) for k, first in numbers if first < k)
