"""What the callers of a private function pass to it: whether two of its arguments are different memory.

    func.func private @copy(%m: memref<8xf32>, %o: memref<8xf32>) { ... }
    func.func @f() { %a = alloc; %b = alloc; call @copy(%a, %b) }               %m and %o are different memory

All calls of a private function are in its module, if nothing else refers to it. Two arguments are different
memory if each call passes different memory: new one, or arguments that are so by the callers of the caller.
Of a recursion, nothing is concluded.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

from xdsl.ir import BlockArgument, Operation
from xdsl.traits import IsolatedFromAbove

from volcli.language import questions
from volcli.model.entry import entry_of
from volcli.model.memory.buffers import Alias, Buffers, Origin, Root, alias
from volcli.model.memory.checks.calls import is_private, references
from volcli.model.symbols import symbol_of


class Callers:
    """The calls in MODULE."""

    def __init__(self, module: Operation) -> None:
        self._module = module
        self._buffers: dict[Operation, Buffers] = {}
        self._known: dict[tuple[str, int, int], bool] = {}

    @cached_property
    def _references(self) -> Mapping[str, Sequence[Operation]]:
        return references(self._module)

    def pass_different(self, function: Operation, first: int, second: int) -> bool:
        """Whether each call of FUNCTION passes different memory at the positions FIRST and SECOND."""
        name = symbol_of(function)
        key = name, min(first, second), max(first, second)
        if key not in self._known:
            self._known[key] = False  # while it is found out
            self._known[key] = is_private(function) and self._all_differ(name, first, second)
        return self._known[key]

    def _all_differ(self, name: str, first: int, second: int) -> bool:
        users = [op for op in self._references.get(name, ()) if symbol_of(op) != name]
        return bool(users) and all(self._differ(user, name, first, second) for user in users)

    def _differ(self, call: Operation, name: str, first: int, second: int) -> bool:
        callee = questions.callee(call)
        caller = _function_around(call)
        if callee is None or symbol_of(callee.function) != name or caller is None:
            return False
        if len(call.operands) != len(entry_of(callee.function).args):
            return False
        if caller not in self._buffers:
            self._buffers[caller] = Buffers(caller)
        roots = [self._buffers[caller].root(call.operands[k]) for k in (first, second)]
        match alias(*roots):
            case Alias.DISTINCT:
                return True
            case Alias.ASSUMED_DISTINCT:
                one, other = map(_position, roots)
                return one is not None and other is not None and self.pass_different(caller, one, other)
            case _:
                return False


def _position(root: Root) -> int | None:
    """Which argument ROOT is."""
    value = root.value
    return value.index if root.origin is Origin.ARGUMENT and isinstance(value, BlockArgument) else None


def _function_around(op: Operation) -> Operation | None:
    """The function that OP is in."""
    around = op.parent_op()
    while around is not None and not around.has_trait(IsolatedFromAbove, value_if_unregistered=False):
        around = around.parent_op()
    return around
