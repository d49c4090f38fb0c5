"""What is made for the loops of structured operations: operations, arrays beside tensors, and sizes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseArrayBase,
    IndexType,
    IntegerAttr,
    MemRefType,
    TensorType,
    i32,
)
from xdsl.ir import Attribute, Block, BlockArgument, Operation, Region, SSAValue
from xdsl.utils.hints import isa

from volcli.language.expressions import Atom, Dim, Expression, NotAffine, Value, dim_of, substitute, value_of
from volcli.language.memory import is_memref
from volcli.model.structured.copying import OperationNamed, Structured

SizesOf = Callable[[SSAValue], Sequence[Expression]]
"""The sizes of a value, over values that hold them and sizes of others: equal sizes are one expression."""


Put = Callable[[Operation], object]
"""Puts an operation somewhere, after those that it has put there before."""


class Unfolding:
    """Puts loops beside operations of a copy, and arrays beside tensors."""

    def __init__(
        self,
        made: Structured,
        operation: OperationNamed,
        sizes: SizesOf,
        note: Callable[[Operation], None] | None = None,
    ) -> None:
        """NOTE is told of each operation that is made."""
        self._made = made
        self._note = note
        self._sizes = sizes
        self._copies = {original: copy for copy, original in made.values.items()}
        self._before: dict[SSAValue, None] = {}
        self._operation = operation
        self._arrays: dict[SSAValue, SSAValue] = {}
        self._at = made.function

    def stand_at(self, op: Operation) -> None:
        """What is made from now on belongs to OP, and uses what is defined before it."""
        self._at = op
        self._before = dict.fromkeys(_defined_before(self._made.function, op))

    def array(self, value: SSAValue) -> SSAValue:
        """The array with the elements of VALUE, a tensor or a memref."""
        return self._arrays.get(value, value)

    def make(
        self,
        name: str,
        put: Put,
        operands: Sequence[SSAValue] = (),
        types: Sequence[Attribute] = (),
        regions: Sequence[Region] = (),
        **properties: Attribute,
    ) -> Operation:
        op = self._operation(name).create(
            operands=operands, result_types=types, properties=properties, regions=regions
        )
        op.location = self._at.location
        put(op)
        self._made.operations[op] = self._made.operations.get(self._at, self._at)
        if self._note is not None:
            self._note(op)
        return op

    def leaf(self, atom: Value | Dim, put: Put) -> SSAValue:
        """The index that ATOM is."""
        if isinstance(atom, Value):
            return atom.value
        position = IntegerAttr(atom.dimension, IndexType())
        number = self.make("arith.constant", put, (), [IndexType()], value=position).results[0]
        dialect = "memref" if is_memref(atom.value) else "tensor"
        return self.make(f"{dialect}.dim", put, (atom.value, number), [IndexType()]).results[0]

    def resolved(self, size: Expression) -> Expression:
        """SIZE over what is defined before the operation; as it is, if it is over other values."""
        try:
            return substitute(size, self._size)
        except NotAffine:
            return size

    def _size(self, atom: Atom) -> Expression | None:
        if not isinstance(atom, Dim):
            return None
        original = self._made.values.get(atom.value, atom.value)
        form = self._sizes(original)[atom.dimension]
        found = substitute(form, self._copied)
        known = (each.value in self._before for each, _ in found.terms if isinstance(each, Value | Dim))
        return found if len(found.terms) == len(tuple(filter(None, known))) else None

    def _copied(self, atom: Atom) -> Expression | None:
        """ATOM, over values of the original, over their copies."""
        match atom:
            case Dim(value, dimension):
                return dim_of(self._copies.get(value, value), dimension)
            case Value(value):
                return value_of(self._copies.get(value, value))
            case _:
                return None

    def lay(self, value: SSAValue) -> None:
        """Put an array beside VALUE, if that is a tensor and there is none yet."""
        kind = value.type
        if value in self._arrays or not isa(kind, TensorType[Attribute]):
            return
        put = self._behind(value)
        shape = kind.get_shape()
        sizes = [self.leaf(Dim(value, d), put) for d, size in enumerate(shape) if size == DYNAMIC_INDEX]
        of_memory = MemRefType(kind.element_type, shape)
        segments = DenseArrayBase.from_list(i32, [len(sizes), 0])
        made = self.make("memref.alloc", put, sizes, [of_memory], operandSegmentSizes=segments)
        array = self._arrays[value] = made.results[0]
        self.call(array, value)

    def _behind(self, value: SSAValue) -> Put:
        """Puts operations where VALUE has just been made, in their order."""
        if isinstance(value, BlockArgument):
            assert value.block.first_op is not None
            return before(value.block.first_op)
        owner = value.owner
        assert isinstance(owner, Operation)
        assert owner.next_op is not None, "a block ends with a terminator, which has no results"
        self._at = owner
        return before(owner.next_op)

    def call(self, made: SSAValue, value: SSAValue) -> None:
        """MADE has the name of VALUE."""
        self._made.values[made] = self._made.values.get(value, value)


def before(op: Operation) -> Put:
    """Puts operations before OP."""
    block = op.parent
    assert block is not None
    return lambda made: block.insert_op_before(made, op)


def at_end_of(block: Block) -> Put:
    """Puts operations at the end of BLOCK."""
    return lambda made: block.add_op(made)


def _defined_before(function: Operation, op: Operation) -> Iterator[SSAValue]:
    """The values of the first block of FUNCTION that are defined before OP, or what holds OP, runs."""
    block = function.regions[0].blocks[0]
    yield from block.args
    for other in block.ops:
        if other.is_ancestor(op):
            return
        yield from other.results
