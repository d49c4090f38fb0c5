"""What the callers of a private function pass to it: whether two of its arguments are different memory.

    func.func private @copy(%m: memref<8xf32>, %o: memref<8xf32>) { ... }
    func.func @f() { %a = alloc; %b = alloc; call @copy(%a, %b) }               %m and %o are different memory

All calls of a private function are in its module, if nothing else refers to it. Two arguments are different
memory if each call passes different memory: new one, or arguments that are so by the callers of the caller.
Of a recursion, nothing is concluded.

    call @copy(%a, %a)                                                      %m and %o are one buffer

An argument is the memory of an earlier one if each call passes one value for both; it may be if some do.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import BlockArgument, Operation
from xdsl.traits import IsolatedFromAbove

from volcli.language import questions
from volcli.language.memory import is_memref
from volcli.model.entry import entry_of
from volcli.model.memory.buffers import Alias, Buffers, alias
from volcli.model.memory.checks.calls import is_private, references
from volcli.model.memory.roots import Origin, Root, SharedArgument
from volcli.model.symbols import symbol_of


@dataclass(frozen=True, eq=False)
class Call:
    """The call `op` in the function `caller`."""

    op: Operation
    caller: Operation


class Callers:
    """The calls in MODULE. What is asked about a copy of a function is that about its ORIGINAL."""

    def __init__(self, module: Operation, original: Callable[[Operation], Operation] = lambda op: op) -> None:
        self._module = module
        self._original = original
        self._buffers: dict[Operation, Buffers] = {}
        self._known: dict[tuple[Operation, int, int], bool] = {}
        self._shared: dict[Operation, Mapping[int, SharedArgument]] = {}

    @cached_property
    def _references(self) -> Mapping[str, Sequence[Operation]]:
        return references(self._module)

    def pass_apart(self, function: Operation, first: Root, second: Root) -> bool:
        """Whether FIRST and SECOND are arguments of FUNCTION, and different memory in each call of it."""
        one, other = _position(first), _position(second)
        return one is not None and other is not None and self._differ_in_all(function, one, other)

    def _differ_in_all(self, function: Operation, first: int, second: int) -> bool:
        """Whether each call of FUNCTION passes different memory at the positions FIRST and SECOND."""
        key = self._original(function), min(first, second), max(first, second)
        if key not in self._known:
            self._known[key] = False  # while it is found out
            self._known[key] = self._all_differ(function, first, second)
        return self._known[key]

    def _all_differ(self, function: Operation, first: int, second: int) -> bool:
        calls = self.calls(function)
        return calls is not None and all(self._differ(call, first, second) for call in calls)

    def calls(self, function: Operation) -> Sequence[Call] | None:
        """All calls of FUNCTION; None if others may call it, or something else refers to it."""
        function = self._original(function)
        if not is_private(function):
            return None
        users = [op for op in self._references.get(symbol_of(function), ()) if op is not function]
        found = [call for op in users if (call := _call_of(op, function)) is not None]
        is_all = len(found) == len(users) == len(set(users)) > 0
        return found if is_all else None

    def shared(self, function: Operation) -> Mapping[int, SharedArgument]:
        """The arguments of FUNCTION, by number, for which calls pass the memory of earlier ones."""
        function = self._original(function)
        if function not in self._shared:
            self._shared[function] = {}  # while it is found out
            self._shared[function] = self._shared_in(self.calls(function) or ())
        return self._shared[function]

    def _shared_in(self, calls: Sequence[Call]) -> Mapping[int, SharedArgument]:
        """The same, if these are all CALLS of the function."""
        found: dict[int, SharedArgument] = {}
        for second in range(len(calls[0].op.operands) if calls else 0):
            if not is_memref(calls[0].op.operands[second]):
                continue
            passed = {first: {self._same(call, first, second) for call in calls} for first in range(second)}
            always = next((first for first, same in passed.items() if same == {True}), None)
            sometimes = frozenset(first for first, same in passed.items() if same != {False})
            if sometimes:
                found[second] = SharedArgument(always, sometimes)
        return found

    def _same(self, call: Call, first: int, second: int) -> bool | None:
        """Whether CALL passes one buffer, whole, as the arguments FIRST and SECOND; None if that may be."""
        one, other = call.op.operands[first], call.op.operands[second]
        if one is other:
            return True
        buffers = self._of(call.caller)
        if not is_memref(one) or buffers.view(one) is not None or buffers.view(other) is not None:
            return False
        found = alias(buffers.root(one), buffers.root(other))
        is_one_of = any(buffers.root(each).among for each in (one, other))
        return True if found is Alias.SAME else None if found is Alias.UNKNOWN and is_one_of else False

    def _of(self, caller: Operation) -> Buffers:
        """The buffers of CALLER, with what is shared of its own arguments."""
        if caller not in self._buffers:
            self._buffers[caller] = Buffers(caller, shared=self.shared(caller))
        return self._buffers[caller]

    def _differ(self, call: Call, first: int, second: int) -> bool:
        roots = [self._of(call.caller).root(call.op.operands[k]) for k in (first, second)]
        match alias(*roots):
            case Alias.DISTINCT:
                return True
            case Alias.ASSUMED_DISTINCT:
                return self.pass_apart(call.caller, *roots)
            case _:
                return False


def _position(root: Root) -> int | None:
    """Which argument ROOT is."""
    value = root.value
    return value.index if root.origin is Origin.ARGUMENT and isinstance(value, BlockArgument) else None


def _call_of(op: Operation, function: Operation) -> Call | None:
    """OP as a call of FUNCTION in another function, or in itself; None if it is something else."""
    callee, caller = questions.callee(op), _function_around(op)
    if callee is None or callee.function is not function or caller is None or isinstance(caller, ModuleOp):
        return None
    types = [argument.type for argument in entry_of(function).args]
    return Call(op, caller) if [operand.type for operand in op.operands] == types else None


def _function_around(op: Operation) -> Operation | None:
    """The function that OP is in."""
    around = op.parent_op()
    while around is not None and not around.has_trait(IsolatedFromAbove, value_if_unregistered=False):
        around = around.parent_op()
    return around
