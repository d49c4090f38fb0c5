"""The lifetimes of the memory of one function, and what its calls do to those of what they pass.

Wrong is what

- accesses memory that was freed, or returns it;
- frees memory twice, or what is not what an allocation gave (`frees.py`);
- lets memory on the stack leave the function, or the memref.alloca_scope, that allocated it: by returning it,
  or by storing it where it is found afterwards, itself or in a called function.

It is certain where each execution that gets there does so. What may be so, for some executions or for all
that is known, is told apart: `check` leaves it out, and `diff` does not call such a program equal.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from xdsl.dialects.builtin import TensorType, UnrankedTensorType
from xdsl.dialects.memref import AllocaOp, AllocaScopeOp
from xdsl.ir import BlockArgument, Operation, SSAValue
from xdsl.traits import IsTerminator

from volcli.language import questions
from volcli.language.expressions import NotAffine
from volcli.language.memory import Effect, MemoryAccess, is_memref
from volcli.language.unchanged import operations_in
from volcli.model.memory.buffers.buffers import Buffers, ReturnedMemrefs
from volcli.model.memory.buffers.roots import Origin, Root
from volcli.model.memory.lifetimes.answers import Misuse, Wrong
from volcli.model.memory.lifetimes.frees import Free, on_stack
from volcli.model.memory.lifetimes.regions import runs_always
from volcli.model.memory.lifetimes.states import State
from volcli.model.memory.lifetimes.summaries import UNKNOWN, CallEnds
from volcli.model.memory.lifetimes.walk import Walk, driven
from volcli.model.stated_effects import effects_of, has_unknown_effects, stated_accesses
from volcli.model.symbols import called_by, entry_of


class Lifetimes(Walk):
    """The lifetimes of FUNCTION's memory; CALLS say what memory calls return.

    KNOWN is what called functions do, found once for all that ask.
    """

    def __init__(
        self,
        function: Operation,
        calls: ReturnedMemrefs | None = None,
        known: dict[Operation, CallEnds] | None = None,
    ) -> None:
        super().__init__(function, Buffers(function, calls))
        self._calls = calls
        self._known: dict[Operation, CallEnds] = {} if known is None else known
        self._uses: dict[int | str, bool] = {}
        self._keeps: dict[int | str, bool] = {}
        self._as_tensors: set[Root] = set()
        self._end: State = {}
        if _concerns(function):
            self._as_tensors = set(self._shown_as_tensors())
            for region in function.regions:
                if region.blocks:
                    self._end = driven(self.region(region, self._end))

    def misuses(self) -> list[Misuse]:
        """What is wrong, and what may be, in the order of the text."""
        return sorted(self.found.values(), key=lambda each: self.place[each.op])

    def frees_of_arguments(self) -> dict[int | str, bool]:
        """The arguments, and the globals, that are freed in the end; whether in each execution."""
        found: dict[int | str, bool] = {}
        for memory, freed in self._end.items():
            key = self._key(memory) if isinstance(memory, Root) else None
            if key is not None:
                found[key] = freed.certain
        return found

    def frees_unknown(self) -> bool:
        """Whether it frees memory of which it is not known which one it is."""
        return None in self._end

    def freed_by(self, memory: SSAValue) -> tuple[list[Operation], bool]:
        """The operations that free MEMORY, which is allocated here, or may; and whether that is certain.

        It is if each execution that allocates it frees it, in the region around or before the function ends.
        """
        root = self.buffers.root(memory)
        around = memory.owner.parent_op() if isinstance(memory.owner, Operation) else None
        known, others = self.frees_of(root)
        is_certain = (root in self._end and self._end[root].certain) or (
            around is not None and any(self.is_sure(each) and runs_always(each.op, around) for each in known)
        )
        ops = dict.fromkeys(each.op for each in (known if is_certain else (*known, *others)))
        return sorted(ops, key=self.place.__getitem__), is_certain

    def frees_of(self, root: Root) -> tuple[list[Free], list[Free]]:
        """What frees the memory of ROOT, or one of several of which it is one; what else may do so."""
        known = [each for each in self._all_frees if root in self.memories(each.value)]
        others = [each for each in self._all_frees if root not in self.memories(each.value)]
        return known, [each for each in others if self._may_free_too(each.value, root)]

    def _may_free_too(self, value: SSAValue, root: Root) -> bool:
        """Whether VALUE may be any memory, or a tensor that shows that of ROOT."""
        return None in self.memories(value) or (not is_memref(value) and root in self._as_tensors)

    @cached_property
    def _all_frees(self) -> Sequence[Free]:
        """What operations in the function free, or may."""
        return [free for op in self.place if op is not self.function for free in self._may_free(op)]

    def _may_free(self, op: Operation) -> Iterator[Free]:
        """What OP frees, and what may be freed by a function that it calls, and of which that is unknown."""
        yield from self.frees(op)
        called = self._called(op)
        if called is not None and called.unknown:
            yield from (Free(op, each, conditional=True) for each in op.operands if is_memref(each))

    def of_called(self, function: Operation) -> list[Misuse]:
        """What is wrong in FUNCTION, which is called, whatever it is given."""
        return Lifetimes(function, self._calls, self._known).misuses()

    def ends(self) -> CallEnds:
        """What a call of the function does."""
        return CallEnds(self.frees_of_arguments(), self._uses, self._keeps, self.frees_unknown())

    def _key(self, root: Root) -> int | str | None:
        """The argument that ROOT is, or the global."""
        if root.origin is Origin.GLOBAL:
            return root.symbol
        value = root.value
        if not isinstance(value, BlockArgument) or value.block is not entry_of(self.function):
            return None
        return value.index if root.held is None else None

    def _keys(self, value: SSAValue) -> tuple[list[int | str], bool]:
        """The arguments, and the globals, that VALUE may be the memory of; and whether it is that for sure.

        What is not known may be any argument.
        """
        memories = self.memories(value) if is_memref(value) else ()
        found = dict.fromkeys(self._key(each) for each in memories if isinstance(each, Root))
        if None in memories:
            found.update((each.index, None) for each in entry_of(self.function).args if is_memref(each))
        return [each for each in found if each is not None], len(memories) == 1 and None not in memories

    # -- calls -------------------------------------------------------------------------------------------

    def _called(self, op: Operation) -> CallEnds | None:
        """What OP does, if it is a call of a function that is seen."""
        function = called_by(op)
        if function is None:
            return None
        if function not in self._known:
            self._known[function] = UNKNOWN  # a function that may call itself
            self._known[function] = Lifetimes(function, self._calls, self._known).ends()
        return self._known[function]

    def frees(self, op: Operation) -> list[Free]:
        """What OP frees, or the function that it calls."""
        called = self._called(op)
        if called is None:
            return super().frees(op)
        return [
            self.own_frees.free(op, op.operands[key], conditional=not certain)
            for key, certain in called.frees.items()
            if isinstance(key, int)
        ]

    def _call(self, op: Operation, called: CallEnds, state: State) -> None:
        """Report what a call uses that is freed, and what it keeps."""
        for position, operand in enumerate(op.operands):
            if not is_memref(operand):
                continue
            uses = called.uses.get(position, False if called.unknown else None)
            if uses is not None:
                self._use(op, operand, state, certain=uses)
            keeps = called.keeps.get(position)
            if keeps is not None:
                self._leave(op, operand, "is stored by the called function", certain=keeps)
        symbols = {*called.uses, *called.frees}
        for memory, freed in state.items():
            if isinstance(memory, Root) and memory.symbol in symbols:
                self.report(Misuse(Wrong.USED, op, memory.value, certain=False, earlier=freed.op))
        if called.unknown:
            because = "the called function may free or keep what it is given"
            for operand in filter(is_memref, op.operands):
                self.report(Misuse(Wrong.UNKNOWN, op, operand, certain=False, because=because))

    # -- uses --------------------------------------------------------------------------------------------

    def used(self, op: Operation, state: State) -> None:
        """What OP accesses, returns and stores; of a call, what the function does that it calls."""
        called = self._called(op)
        if called is not None:
            self._call(op, called, state)
            return
        freed_here = effects_of(op).frees
        accesses = stated_accesses(op)
        for access in accesses or ():
            if not any(access.memref is each for each in freed_here):
                self._use(op, access.memref, state, certain=_is_certain(access))
            if access.stored is not None and is_memref(access.stored):
                self._store(op, access, access.stored, state)
        if accesses is None or has_unknown_effects(op):
            for operand in filter(is_memref, op.operands):
                self._use(op, operand, state, certain=False)
        if op.has_trait(IsTerminator, value_if_unregistered=False) and not op.successors:
            self._give(op, state)
        self._tensors(op, state)

    def _use(self, op: Operation, value: SSAValue, state: State, *, certain: bool, because: str = "") -> None:
        """OP uses the memory of VALUE."""
        keys, is_one = self._keys(value)
        for key in keys:
            in_each_call = certain and is_one and runs_always(op, self.function)
            self._uses[key] = self._uses.get(key, False) or in_each_call
        freed = self.freed(value, state)
        if freed is not None:
            is_certain = certain and freed.certain
            self.report(Misuse(Wrong.USED, op, value, is_certain, freed.op, because, whenever_freed=certain))

    def _give(self, op: Operation, state: State) -> None:
        """OP ends a function, or a scope of stack memory, and gives its operands to what is around."""
        parent = op.parent_op()
        if parent is self.function:
            for operand in filter(is_memref, op.operands):
                self._use(op, operand, state, certain=True, because="it is returned")
                self._leave(op, operand, "is returned", certain=True)
        elif isinstance(parent, AllocaScopeOp):
            for operand in filter(is_memref, op.operands):
                self._leave(op, operand, "leaves its memref.alloca_scope", certain=True, scope=parent)

    def _tensors(self, op: Operation, state: State) -> None:
        """What OP uses of tensors, whose memory is given back, or of tensors that a freed buffer holds."""
        if not state:
            return
        ended = effects_of(op).ends
        tensors = [v for v in op.operands if not is_memref(v) and v not in ended]
        reads = _tensors_read(op)
        for tensor in dict.fromkeys(tensors):
            self._use(op, tensor, state, certain=tensor in reads)
        freed = [state[each] for each in self._as_tensors if each in state]
        for tensor in filter(_may_show_memory, tensors if freed else ()):
            self.report(Misuse(Wrong.USED, op, tensor, certain=False, earlier=self.first(freed).op))

    def _shown_as_tensors(self) -> Iterator[Root]:
        for op in operations_in(self.function):
            if any(map(_may_show_memory, op.results)):
                for operand in filter(is_memref, op.operands):
                    yield from (each for each in self.memories(operand) if isinstance(each, Root))

    # -- what leaves -------------------------------------------------------------------------------------

    def _leave(
        self, op: Operation, value: SSAValue, how: str, *, certain: bool, scope: Operation | None = None
    ) -> None:
        """OP lets the memory of VALUE leave the function, or SCOPE."""
        memories = self.memories(value)
        stacks = [on_stack(each) if isinstance(each, Root) else None for each in memories]
        if None in memories:
            stacks += self._stacks
        ends = [each for each in stacks if each is not None and (scope is None or _scope_of(each) is scope)]
        if ends:
            is_certain = certain and None not in memories and len(ends) == len(memories)
            self.report(Misuse(Wrong.LEAVES, op, value, is_certain, ends[0], how))

    @cached_property
    def _stacks(self) -> list[Operation]:
        """What allocates memory on the stack."""
        return [op for op in self.place if isinstance(op, AllocaOp)]

    def _store(self, op: Operation, access: MemoryAccess, stored: SSAValue, state: State) -> None:
        """OP stores the memref STORED: who loads it finds that memory."""
        if self.freed(stored, state) is not None:
            self._use(op, stored, state, certain=False, because="it is stored")
        container = self.buffers.root(access.memref)
        stays = container.origin in (Origin.ARGUMENT, Origin.GLOBAL) and self._is_only_write(op, container)
        is_local = container.origin is Origin.ALLOCATION and on_stack(container) is not None
        if not is_local:
            where = "memory of the caller" if container.symbol is None else f"@{container.symbol}"
            self._leave(op, stored, f"is stored in {where}", certain=stays)
        keys, is_one = ([], False) if is_local else self._keys(stored)
        for key in keys:
            in_each_call = stays and is_one and runs_always(op, self.function)
            self._keeps[key] = self._keeps.get(key, False) or in_each_call

    def _is_only_write(self, op: Operation, container: Root) -> bool:
        """Whether nothing but OP may write to CONTAINER, so that what it stores is there in the end."""
        for other in operations_in(self.function):
            if other in (op, self.function):
                continue
            if called_by(other) is not None or has_unknown_effects(other):
                return False
            for access in stated_accesses(other) or ():
                if access.effect is Effect.WRITE and container in (*self.memories(access.memref), None):
                    return False
        return True


def _concerns(function: Operation) -> bool:
    """Whether something in FUNCTION may be freed, leave it, or be asked for by a call."""
    given = (*entry_of(function).args, *(r for op in operations_in(function) for r in op.results))
    return any(map(is_memref, given)) or any(effects_of(op).ends for op in operations_in(function))


def _is_certain(access: MemoryAccess) -> bool:
    """Whether ACCESS goes to an element whenever its operation runs, but for sizes that are 0."""
    empty = any(e.is_constant and e.constant <= 0 for e in access.extents)
    return access.partial is None and not access.where and not empty


def _tensors_read(op: Operation) -> list[SSAValue]:
    try:
        return [access.memref for access in questions.tensor_reads(op) or ()]
    except NotAffine:
        return []


def _may_show_memory(value: SSAValue) -> bool:
    return isinstance(value.type, TensorType | UnrankedTensorType)


def _scope_of(op: Operation) -> Operation | None:
    """The memref.alloca_scope at whose end the stack memory of OP ends."""
    around = op.parent_op()
    while around is not None and not isinstance(around, AllocaScopeOp):
        around = around.parent_op()
    return around
