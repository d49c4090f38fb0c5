"""Where a function that can be walked back reads and writes memory: loops around, roots of views, writers.

A function can be walked back if its loops are counted, and each memref is an argument, an allocation, or a
part of one: then one of its elements was last written by an iteration that subscripts decide.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.dialects.builtin import NoneAttr, ShapedType
from xdsl.ir import Block, Operation, OpResult, SSAValue
from xdsl.ir.affine import AffineDimExpr
from xdsl.traits import IsTerminator

from volcli.execution.outcomes import Defect, Undefined, Unsupported
from volcli.execution.table import executions, prepare, scalars
from volcli.execution.walking.walked import (
    Allocated,
    ChosenRegion,
    Copied,
    ElementRead,
    ElementWrite,
    EndedMemory,
    PartOf,
    Repeated,
    StructuredWrite,
    Walked,
    walked,
)
from volcli.language.interface import operation_name
from volcli.language.memory import is_memref
from volcli.language.programs.blocks import home


class WalkSites:
    """The operations of FUNCTION, by what they do. Raises Unsupported if it cannot be walked back."""

    def __init__(self, function: Operation) -> None:
        self.function = function
        if len(function.regions[0].blocks) != 1:
            raise Unsupported(function, "it has branches between blocks")
        self.entry: Block = function.regions[0].blocks[0]
        self.kinds: dict[Operation, Walked] = {}
        self._loops: dict[Block, tuple[Operation, ...]] = {self.entry: ()}
        self._writers: dict[tuple[Block, SSAValue], dict[Operation, None]] = {}
        self._writes: dict[tuple[Operation, SSAValue], dict[Operation, None]] = {}
        self._position: dict[Operation, int] = {}
        self._depths: dict[SSAValue, int] = {}
        self._paths: dict[SSAValue, tuple[SSAValue, list[Operation]]] = {}
        self.freed: dict[SSAValue, Operation] = {}
        self._visit()

    def loops(self, block: Block) -> tuple[Operation, ...]:
        """The loops around the operations of BLOCK, outermost first."""
        return self._loops[block]

    def depth(self, value: SSAValue) -> int:
        """How many loops are around the operation that makes VALUE; the number of a loop is inside of it."""
        if value not in self._depths:
            block = home(value)
            assert block is not None
            self._depths[value] = len(self._loops[block])
        return self._depths[value]

    def kind(self, op: Operation | None) -> Walked | None:
        """What OP does, if it is no computation of numbers from numbers."""
        return self.kinds.get(op) if op is not None else None

    def writers(self, block: Block, root: SSAValue, before: Operation | None) -> Iterator[Operation]:
        """The operations of BLOCK that write ROOT, or have some that do, last first; those BEFORE one."""
        end = None if before is None else self._position[before]
        for op in reversed(self._writers.get((block, root), {})):
            if end is None or self._position[op] < end:
                yield op

    def writes(self, loop: Operation, root: SSAValue) -> Sequence[Operation]:
        """The operations in LOOP that write ROOT."""
        return tuple(self._writes.get((loop, root), ()))

    def path(self, memory: SSAValue) -> tuple[SSAValue, list[Operation]]:
        """The argument or allocation that MEMORY is a part of, and the parts on the way, outermost first."""
        if memory not in self._paths:
            self._paths[memory] = self._path(memory)
        return self._paths[memory]

    def _path(self, memory: SSAValue) -> tuple[SSAValue, list[Operation]]:
        parts: list[Operation] = []
        while isinstance(memory, OpResult) and isinstance(part := self.kinds.get(memory.op), PartOf):
            parts.insert(0, memory.op)
            memory = part.source
        is_root = memory in self.entry.args or (
            isinstance(memory, OpResult) and isinstance(self.kinds.get(memory.op), Allocated)
        )
        layout = getattr(memory.type, "layout", None)
        if not is_root or not isinstance(layout, NoneAttr):
            owner = memory.owner if isinstance(memory.owner, Operation) else memory.owner.parent_op()
            what = "only arguments and allocations in row-major order are walked back"
            raise Unsupported(owner or self.function, what)
        return memory, parts

    def check_alive(self, op: Operation, root: SSAValue) -> None:
        """Raises Undefined if ROOT ends before OP, which reads it."""
        if self.is_ended(op, root):
            raise Undefined(op, Defect.LIFETIME, "use of memory after its end")

    def is_ended(self, op: Operation, root: SSAValue) -> bool:
        """Whether ROOT ends before OP."""
        free = self.freed.get(root)
        return free is not None and self._position[self._top(op)] > self._position[free]

    def _top(self, op: Operation) -> Operation:
        """The operation of the function's block that OP is in."""
        while op.parent is not self.entry:
            parent = op.parent_op()
            assert parent is not None
            op = parent
        return op

    # -- what there is ---------------------------------------------------------------------------------

    def _visit(self) -> None:
        waiting = [self.entry]
        while waiting:
            block = waiting.pop()
            for position, op in enumerate(block.ops):
                self._position[op] = position
                found = self._classified(op)
                if found is None:
                    continue
                self.kinds[op] = found
                if isinstance(found, Repeated | ChosenRegion):
                    inner = (op,) if isinstance(found, Repeated) else ()
                    for region in op.regions:
                        for each in region.blocks:
                            self._loops[each] = (*self._loops[block], *inner)
                            waiting.append(each)
        for op, found in self.kinds.items():
            for memory in self.read(op):
                self.path(memory)
            for memory in self.written(op, found):
                self._note(op, self.path(memory)[0])
            if isinstance(found, StructuredWrite):
                self._check_structured(op, found)
            if isinstance(found, Copied) and self.path(found.source)[0] is self.path(found.target)[0]:
                raise Unsupported(op, "a copy inside of one memory is not walked back")
            if isinstance(found, EndedMemory):
                self._free(op, found)
        for key, writers in self._writers.items():
            self._writers[key] = dict.fromkeys(sorted(writers, key=self._position.__getitem__))

    def _classified(self, op: Operation) -> Walked | None:
        """What OP does. Raises Unsupported if that is not known."""
        if (found := walked(op)) is not None:
            if any(len(region.blocks) > 1 for region in op.regions):
                raise Unsupported(op, "it has branches between blocks")
            return found
        if not op.has_trait(IsTerminator):
            is_number = not op.regions and not any(
                isinstance(each.type, ShapedType) for each in (*op.operands, *op.results)
            )
            if not is_number or not (scalars.answers(type(op)) or executions.answers(type(op))):
                raise Unsupported(op, f"'{operation_name(op)}' is not walked back")
        return None

    @staticmethod
    def written(op: Operation, found: Walked) -> list[SSAValue]:
        """The memory that OP writes, or makes."""
        match found:
            case ElementWrite():
                return [found.memory]
            case Copied():
                return [found.target]
            case StructuredWrite():
                return [op.operands[-1]]
            case Allocated():
                return [op.results[0]]
            case _:
                return []

    def read(self, op: Operation) -> list[SSAValue]:
        """The memory that OP reads."""
        match self.kinds.get(op):
            case ElementRead(memory=memory):
                return [memory]
            case Copied(source=source):
                return [source]
            case StructuredWrite():
                return [each for each in op.operands if is_memref(each)]
            case _:
                return []

    def _note(self, op: Operation, root: SSAValue) -> None:
        inner = op
        while True:
            block = inner.parent
            assert block is not None
            self._writers.setdefault((block, root), {})[inner] = None
            if block is self.entry:
                break
            parent = block.parent_op()
            assert parent is not None
            self._writes.setdefault((parent, root), {})[op] = None
            inner = parent

    def _free(self, op: Operation, found: EndedMemory) -> None:
        root, parts = self.path(found.memory)
        if op.parent is not self.entry or parts or root in self.entry.args:
            raise Unsupported(op, "memory that ends is walked back if the function made it, and ends it")
        if root in self.freed:
            raise Undefined(op, Defect.LIFETIME, "memory is freed twice")
        self.freed[root] = op

    def _check_structured(self, op: Operation, found: StructuredWrite) -> None:
        """Raises Unsupported if OP has several outputs, or points without an order that share an element."""
        output = found.maps[-1]
        dims = [each.position for each in output.results if isinstance(each, AffineDimExpr)]
        rest = set(range(output.num_dims)) - set(dims)
        is_plain = len(dims) == len(output.results) == len(set(dims)) and not rest & set(found.parallel)
        memory = op.operands[-1]
        root = self.path(memory)[0]
        for operand, each in zip(op.operands, found.maps, strict=False):
            if is_memref(operand) and self.path(operand)[0] is root:
                is_plain = is_plain and operand is memory and each == output
        regions = [inner for inner in op.walk() if inner is not op and inner.regions]
        if not is_plain or found.outputs != 1 or regions or len(found.maps) != len(op.operands):
            raise Unsupported(op, f"'{operation_name(op)}' of this form is not walked back")


def works_on_memory(function: Operation) -> bool:
    """Whether FUNCTION has memory, and no tensors, and can be walked back."""
    prepare(function.walk())
    values = [value for op in function.walk() for value in (*op.operands, *op.results)]
    if not any(map(is_memref, values)):
        return False
    try:
        WalkSites(function)
    except Undefined:
        return True
    except Unsupported:
        return False
    return True
