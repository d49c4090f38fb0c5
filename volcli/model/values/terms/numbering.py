"""The order of a function's values and operations: each is numbered where it is complete."""

from __future__ import annotations

from xdsl.ir import Block, Operation, SSAValue


class Numbering:
    """When each value and operation of FUNCTION is complete: the result of a loop behind its body."""

    def __init__(self, function: Operation) -> None:
        self._values: dict[SSAValue, int] = {}
        self._places: dict[Operation, int] = {}
        self._next = 0
        for region in function.regions:
            for block in region.blocks:
                self._block(block)

    def __len__(self) -> int:
        return self._next

    def place(self, op: Operation) -> int:
        """When OP has run, in the order of the text; a loop runs before what is in it, and ends behind it."""
        return self._places.get(op, -1)

    def position(self, value: SSAValue) -> int:
        """When VALUE is complete."""
        return self._values.get(value, -1)

    def _block(self, block: Block) -> None:
        for argument in block.args:
            self._values[argument] = self._fresh()
        for op in block.ops:
            for region in op.regions:
                for inner in region.blocks:
                    self._block(inner)
            self._places[op] = self._fresh()
            for result in op.results:
                self._values[result] = self._fresh()

    def _fresh(self) -> int:
        self._next += 1
        return self._next - 1
