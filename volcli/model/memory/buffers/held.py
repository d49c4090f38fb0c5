"""The memory of values that are not memrefs: the buffer of a tensor, what a converted pointer points to.

    %m = bufferization.to_buffer %t : tensor<8xf32> to memref<8xf32>            the buffer of %t
    %a = builtin.unrealized_conversion_cast %s : !llvm.struct<...> to memref<8xf32>

A value has one buffer: whatever memrefs are made of it are the same memory, and their elements d are one. Of
which memory that is, bufferization decides later; what it can decide is

- for an argument of the function, memory that is older than the function, or a copy: no buffer that the
  function allocates itself, and assumed to be no other argument's, as two memrefs are;
- for a constant, memory of its own, which is older than the function, too;
- for a tensor of which nothing else is made (`tensor.empty` that only becomes a buffer), new memory;
- for any other tensor, the memory of one that it is computed from, or that is computed from it, in any
  number of steps, as each of these may be done in place (and an empty tensor may be put where its result
  goes), or new memory. These tensors are a *component*: no tensor of one is in the memory of another one's.

A component in which there is a call, or another operation with unknown effects, may be in any memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property

from xdsl.dialects.builtin import MemRefType, TensorType, UnrankedTensorType
from xdsl.ir import Attribute, BlockArgument, Operation, OpResult, SSAValue
from xdsl.traits import ConstantLike, IsTerminator, is_side_effect_free
from xdsl.utils.hints import isa

from volcli.language import questions
from volcli.language.memory import is_memref
from volcli.language.unchanged import operations_in
from volcli.model.memory.buffers.roots import Origin, Root
from volcli.model.stated_effects import has_unknown_effects
from volcli.model.symbols import entry_of

_IN_PLACE = "it is the buffer of a tensor that may be computed in place"


class HeldMemory:
    """The buffers of one function's values that are not memrefs; ROOT_OF gives those of its memrefs."""

    def __init__(self, function: Operation, root_of: Callable[[SSAValue], Root]) -> None:
        self._function = function
        self._root_of = root_of
        self._roots: dict[SSAValue, frozenset[Root] | None] = {}

    def root(self, memref: SSAValue) -> Root | None:
        """The buffer that MEMREF shows of another value; None if it shows none, or that may be any memory."""
        held = held_by(memref)
        first = None if held is None else self._first.get(held)
        if held is None or first is None or not _have_one_index(first, memref):
            return None
        if isinstance(held, BlockArgument) and held.block is entry_of(self._function):
            return Root(Origin.ARGUMENT, first, held=held)
        if not _is_tensor(held):
            return None
        if isinstance(held, OpResult) and held.op.has_trait(ConstantLike, value_if_unregistered=False):
            return Root(Origin.ARGUMENT, first, held=held)
        if self._is_only_a_buffer(held):
            return Root(Origin.ALLOCATION, first, held=held)
        among = self._among(held)
        return None if among is None else Root(Origin.UNKNOWN, first, None, _IN_PLACE, among, held=held)

    @cached_property
    def _first(self) -> dict[SSAValue, SSAValue]:
        """For each value that is held, the first memref that is made of it."""
        found: dict[SSAValue, SSAValue] = {}
        for op in operations_in(self._function):
            for result in op.results:
                if is_memref(result) and (held := held_by(result)) is not None:
                    found.setdefault(held, result)
        return found

    @staticmethod
    def _is_only_a_buffer(held: SSAValue) -> bool:
        """Whether HELD is a tensor that comes from nothing and becomes nothing but a buffer."""
        if not isinstance(held, OpResult) or not _is_new(held.op):
            return False
        return all(held_by(r) is held for use in held.uses for r in use.operation.results or (held,))

    # -- components ------------------------------------------------------------------------------------

    def _among(self, held: SSAValue) -> frozenset[Root] | None:
        """The buffers that HELD may be in; None if these may be any."""
        component = self._components.get(held, (held,))
        representative = component[0]
        if representative not in self._roots:
            self._roots[representative] = None  # while it is found out
            self._roots[representative] = self._roots_of(component)
        return self._roots[representative]

    def _roots_of(self, component: tuple[SSAValue, ...]) -> frozenset[Root] | None:
        found: set[Root] = {Root(Origin.ALLOCATION, component[0])}
        for value in component:
            if isinstance(value, BlockArgument):
                if value.block is entry_of(self._function):
                    found.add(Root(Origin.ARGUMENT, self._first.get(value, value), held=value))
                continue
            assert isinstance(value, OpResult)
            if has_unknown_effects(value.op) or not self._function.is_ancestor(value.op):
                return None
            for memref in filter(is_memref, value.op.operands):
                root = self._root_of(memref)
                if root.origin is Origin.UNKNOWN and not root.among:
                    return None
                found |= root.among or {root.behind or root}
            if value.op.has_trait(ConstantLike, value_if_unregistered=False):
                found.add(Root(Origin.ARGUMENT, self._first.get(value, value), held=value))
        return frozenset(found)

    @cached_property
    def _components(self) -> dict[SSAValue, tuple[SSAValue, ...]]:
        """The tensors that may be in one memory as each one may be, in the order of the text."""
        parent: dict[SSAValue, SSAValue] = {}

        def representative(value: SSAValue) -> SSAValue:
            while parent.setdefault(value, value) is not value:
                value = parent[value]
            return value

        for op in operations_in(self._function):
            if op is self._function:
                continue
            first, *others = [*map(representative, filter(_is_tensor, _together(op, self._function)))] or [
                None
            ]
            for other in others:
                if first is not None and other is not None:
                    parent[representative(other)] = representative(first)
        groups: dict[SSAValue, list[SSAValue]] = {}
        for value in list(parent):
            groups.setdefault(representative(value), []).append(value)
        return {value: tuple(group) for group in groups.values() for value in group}


def held_by(memref: SSAValue) -> SSAValue | None:
    """The value that is not a memref and whose memory MEMREF is."""
    return questions.memory_of(memref.op) if isinstance(memref, OpResult) else None


def _together(op: Operation, function: Operation) -> Iterator[SSAValue]:
    """The values that OP may compute in the place of each other."""
    yield from op.operands
    yield from op.results
    around = [op]
    parent = op.parent_op()
    if op.has_trait(IsTerminator) and parent is not None and parent is not function:
        around.append(parent)
        yield from parent.results
    for each in around:
        for region in each.regions:
            for block in region.blocks:
                yield from block.args
    for block in op.successors:
        yield from block.args


def _is_new(op: Operation) -> bool:
    """Whether OP makes a tensor of nothing that is in memory."""
    from_memory = any(_is_tensor(value) or is_memref(value) for value in op.operands)
    return not from_memory and not op.regions and is_side_effect_free(op)


def _is_tensor(value: SSAValue) -> bool:
    return isinstance(value.type, TensorType | UnrankedTensorType)


def _have_one_index(left: SSAValue, right: SSAValue) -> bool:
    """Whether an index of LEFT is one of RIGHT, if both are the same memory."""
    first, second = left.type, right.type
    if not isa(first, MemRefType[Attribute]) or not isa(second, MemRefType[Attribute]):
        return False
    is_one_kind = first.element_type == second.element_type and first.memory_space == second.memory_space
    return is_one_kind and first.get_num_dims() == second.get_num_dims()
