"""What the callers of a private function pass to it: whether two of its arguments are different memory.

    func.func private @copy(%m: memref<8xf32>, %o: memref<8xf32>) { ... }
    func.func @f() { %a = alloc; %b = alloc; call @copy(%a, %b) }               %m and %o are different memory

All calls of a private function are in its module, if nothing else refers to it. Two arguments are different
memory if each call passes different memory: new one, or arguments that are so by the callers of the caller.
Of a recursion, nothing is concluded.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import BlockArgument, Operation
from xdsl.traits import IsolatedFromAbove

from volcli.language import questions
from volcli.model.entry import entry_of
from volcli.model.memory.buffers import Alias, Buffers, Origin, Root, alias
from volcli.model.memory.checks.calls import is_private, references
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

    def _differ(self, call: Call, first: int, second: int) -> bool:
        caller = call.caller
        if caller not in self._buffers:
            self._buffers[caller] = Buffers(caller)
        roots = [self._buffers[caller].root(call.op.operands[k]) for k in (first, second)]
        match alias(*roots):
            case Alias.DISTINCT:
                return True
            case Alias.ASSUMED_DISTINCT:
                return self.pass_apart(caller, *roots)
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
