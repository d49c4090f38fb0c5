"""A place in the program where operations are put."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from xdsl.builder import Builder
from xdsl.context import Context
from xdsl.dialects.builtin import IndexType, IntegerAttr, TensorType
from xdsl.ir import Attribute, BlockArgument, Operation, OpResult, SSAValue
from xdsl.rewriter import InsertPoint

from volcli.language.expressions import Dim, Value
from volcli.language.interface import operation_name

Variable = Value | Dim

_AFFINE_LOOPS = ("affine.for", "affine.parallel")


@dataclass
class Site:
    """A place in the program where operations are put, one behind the other: before `op`."""

    op: Operation
    context: Context
    _builder: Builder = field(init=False)

    def __post_init__(self) -> None:
        self._builder = Builder(InsertPoint.before(self.op))

    def make(
        self,
        name: str,
        operands: Sequence[SSAValue],
        *,
        result: Attribute | None = None,
        properties: dict[str, Attribute] | None = None,
    ) -> SSAValue:
        """The result (an index, if no type is given) of a new operation NAME of OPERANDS."""
        kind = self.context.get_op(name)
        made = kind.create(
            operands=operands, result_types=[result or IndexType()], properties=properties or {}
        )
        made.location = self.op.location
        self._builder.insert(made)
        return made.results[0]

    def constant(self, value: int) -> SSAValue:
        """A new `arith.constant VALUE : index`."""
        number = IntegerAttr(value, IndexType())
        return self.make("arith.constant", [], properties={"value": number})

    def leaf(self, variable: Variable) -> SSAValue:
        """The value that VARIABLE is, as an index; a size is asked for anew."""
        value = variable.value
        if isinstance(variable, Dim):
            position = self.constant(variable.dimension)
            dialect = "tensor" if isinstance(value.type, TensorType) else "memref"
            return self.make(f"{dialect}.dim", [value, position])
        return value if isinstance(value.type, IndexType) else self.make("arith.index_cast", [value])


def is_affine_dimension(value: SSAValue) -> bool:
    """Whether VALUE depends on an affine loop: affine maps may not take it as a symbol."""
    if isinstance(value, BlockArgument):
        owner = value.block.parent_op()
        return owner is not None and operation_name(owner) in _AFFINE_LOOPS
    assert isinstance(value, OpResult)
    return operation_name(value.op) == "affine.apply" and any(map(is_affine_dimension, value.op.operands))
