"""Building operations: each at a place of the program, with the source place of what it stands for.

A value that is made may be given a name to begin with: `%c4`, `%t_d0`, `%n_ub`. It is printed under that name
if the user's text has none like it, else with a suffix.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from xdsl.builder import Builder as Inserter
from xdsl.context import Context
from xdsl.dialects.builtin import IndexType, IntegerAttr, TensorType
from xdsl.ir import Attribute, Block, BlockArgument, Operation, OpResult, Region, SSAValue
from xdsl.rewriter import InsertPoint

from volcli.frontend.parse.names import Names
from volcli.language.expressions import Dim, Value
from volcli.language.interface import operation_name

Variable = Value | Dim

_AFFINE_LOOPS = ("affine.for", "affine.parallel")


@dataclass
class Builder:
    """Puts operations at a `point`, one after the other, with the source place of `origin`.

    `names` are those of the program's values; each operation that is made is added to `made`.
    """

    origin: Operation | None
    context: Context
    point: InsertPoint
    names: Names = field(default_factory=Names)
    made: dict[Operation, None] = field(default_factory=dict[Operation, None])
    _inserter: Inserter = field(init=False)

    def __post_init__(self) -> None:
        self._inserter = Inserter(self.point)

    @classmethod
    def before(cls, op: Operation, context: Context) -> Builder:
        """A builder of what stands before OP."""
        return cls(op, context, InsertPoint.before(op))

    def make(
        self,
        name: str,
        operands: Sequence[SSAValue],
        *,
        result: Attribute | None = None,
        properties: dict[str, Attribute] | None = None,
        called: str | None = None,
    ) -> SSAValue:
        """The result (an index, if no type is given) of a new operation NAME of OPERANDS."""
        kind = self.context.get_op(name)
        made = kind.create(
            operands=operands, result_types=[result or IndexType()], properties=properties or {}
        )
        value = self.insert(made).results[0]
        if called is not None:
            value.name_hint = called
        return value

    def operation(
        self,
        name: str,
        operands: Sequence[SSAValue],
        *,
        results: Sequence[Attribute] = (),
        properties: dict[str, Attribute] | None = None,
        regions: Sequence[Region] = (),
    ) -> Operation:
        """A new operation NAME of OPERANDS, with RESULTS of these types."""
        kind = self.context.get_op(name)
        made = kind.create(
            operands=operands, result_types=results, properties=properties or {}, regions=regions
        )
        return self.insert(made)

    def known(self, op: Operation) -> Operation:
        """OP, which stands nowhere yet, as the context makes it: of the class that cases know."""
        types = [result.type for result in op.results]
        made = self.operation(op.name, op.operands, results=types, properties=op.properties)
        op.erase()
        return made

    def inside(self, block: Block) -> Builder:
        """A builder of what stands at the end of BLOCK."""
        return Builder(self.origin, self.context, InsertPoint.at_end(block), self.names, self.made)

    def insert(self, op: Operation) -> Operation:
        """Put OP, which stands nowhere yet, at the place."""
        if self.origin is not None:
            op.location = self.origin.location
        self._inserter.insert(op)
        self.made[op] = None
        return op

    def take(self, op: Operation) -> None:
        """Put OP, which stands elsewhere, at the place; it keeps its own source place."""
        op.detach()
        self._inserter.insert(op)

    def constant(self, value: int) -> SSAValue:
        """A new `arith.constant VALUE : index`."""
        number = IntegerAttr(value, IndexType())
        called = f"c{value}" if value >= 0 else f"cm{-value}"
        return self.make("arith.constant", [], properties={"value": number}, called=called)

    def leaf(self, variable: Variable) -> SSAValue:
        """The value that VARIABLE is, as an index; a size is asked for anew."""
        value = variable.value
        if isinstance(variable, Dim):
            position = self.constant(variable.dimension)
            dialect = "tensor" if isinstance(value.type, TensorType) else "memref"
            called = self.name(value, f"d{variable.dimension}")
            return self.make(f"{dialect}.dim", [value, position], called=called)
        if isinstance(value.type, IndexType):
            return value
        return self.make("arith.index_cast", [value], called=self.name(value, "index"))

    def name(self, value: SSAValue, what: str) -> str | None:
        """`n_ub` for the 'ub' of `%n`; None for a value that has no name but a number."""
        name = self.names.of(value).removeprefix("%")
        return f"{re.sub('[^A-Za-z0-9_]', '_', name)}_{what}" if re.match("[A-Za-z_]", name) else None


def is_affine_dimension(value: SSAValue) -> bool:
    """Whether VALUE depends on an affine loop: affine maps may not take it as a symbol."""
    if isinstance(value, BlockArgument):
        owner = value.block.parent_op()
        return owner is not None and operation_name(owner) in _AFFINE_LOOPS
    assert isinstance(value, OpResult)
    return operation_name(value.op) == "affine.apply" and any(map(is_affine_dimension, value.op.operands))
