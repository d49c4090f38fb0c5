"""Copies of operations and values, and operations beside them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from xdsl.dialects.builtin import AnyFloat as FloatType
from xdsl.dialects.builtin import FloatAttr, IndexType, IntegerAttr, IntegerType, i1, i64
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.utils.hints import isa

from volcli.model.structured.decisions import Test
from volcli.model.structured.graph import NotStructured

OperationNamed = Callable[[str], type[Operation]]
Values = list[SSAValue]


@dataclass
class Structured:
    """A copy of a function, with what each of its operations and values is a copy of.

    `results` are the values that stand for the results of operations that the copy has not: of calls.
    """

    function: Operation
    operations: dict[Operation, Operation] = field(default_factory=dict[Operation, Operation])
    values: dict[SSAValue, SSAValue] = field(default_factory=dict[SSAValue, SSAValue])
    results: dict[SSAValue, SSAValue] = field(default_factory=dict[SSAValue, SSAValue])

    def copies(self) -> dict[SSAValue, SSAValue]:
        """What stands in the copy for each value of the function."""
        return {original: copy for copy, original in self.values.items()} | self.results


class Copier:
    """Copies a function piece by piece; `at` is the original of what it makes beside the copies."""

    def __init__(self, function: Operation, operation: OperationNamed) -> None:
        self._operation = operation
        self._of: dict[SSAValue, SSAValue] = {}
        self.at: Operation = function
        copy = function.clone_without_regions()
        copy.parent = function.parent  # for symbols: what is around it does not know of the copy
        self.made = Structured(copy, {copy: function})

    def bind(self, originals: Sequence[SSAValue], copies: Sequence[SSAValue]) -> None:
        for original, copy in zip(originals, copies, strict=True):
            self._of[original] = copy
            self.made.values.setdefault(copy, original)

    def mapped(self, values: Sequence[SSAValue]) -> Values:
        return [self._of.get(value, value) for value in values]

    def copy(self, op: Operation, into: Block) -> None:
        copy = op.clone(self._of)
        into.add_op(copy)
        for inner, original in zip(copy.walk(), op.walk(), strict=True):
            self.made.operations[inner] = original
            self.bind(original.results, inner.results)
            for region, of in zip(inner.regions, original.regions, strict=True):
                for block, blocks_of in zip(region.blocks, of.blocks, strict=True):
                    self.bind(blocks_of.args, block.args)

    def make(
        self,
        name: str,
        into: Block,
        operands: Sequence[SSAValue] = (),
        types: Sequence[Attribute] = (),
        regions: Sequence[Block] = (),
        **properties: Attribute,
    ) -> Operation:
        op = self._operation(name).create(
            operands=operands,
            result_types=types,
            properties=properties,
            regions=[Region(block) for block in regions],
        )
        into.add_op(op)
        self.made.operations[op] = self.at
        return op

    def number(self, number: int, kind: Attribute, into: Block) -> SSAValue:
        """NUMBER as a value of type KIND."""
        value: Attribute
        if isinstance(kind, IndexType) or isa(kind, IntegerType):
            value = IntegerAttr(number, kind)
        elif isinstance(kind, FloatType):
            value = FloatAttr(float(number), kind)
        else:
            raise NotStructured
        return self.make("arith.constant", into, types=[kind], value=value).results[0]

    def holds(self, when: Sequence[Test], into: Block) -> SSAValue:
        """Whether one of the tests WHEN holds."""
        found: SSAValue | None = None
        for value, number in when:
            (holds,) = self.mapped([value])
            if number is not None:
                other = self.number(number, value.type, into)
                equal = IntegerAttr(0, i64)
                holds = self.make("arith.cmpi", into, (holds, other), [i1], predicate=equal).results[0]
            found = holds if found is None else self.make("arith.ori", into, (found, holds), [i1]).results[0]
        assert found is not None
        return found

    def copy_before_end(self, block: Block, into: Block) -> Operation:
        end = block.last_op
        if end is None:
            raise NotStructured
        for op in block.ops:
            if op is not end:
                self.copy(op, into)
        self.at = end
        return end
