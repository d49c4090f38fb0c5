"""What the callers of a private function pass to it: whether two of its arguments are different memory.

    func.func private @copy(%m: memref<8xf32>, %o: memref<8xf32>) { ... }
    func.func @f() { %a = alloc; %b = alloc; call @copy(%a, %b) }               %m and %o are different memory

All calls of a private function are in its module, if nothing else refers to it. Two arguments are different
memory if each call passes different memory: new one, or arguments that are so by the callers of the caller.
A recursion passes different memory on if it is called with different memory, and only then.

    call @copy(%a, %a)                                                      %m and %o are one buffer

An argument is the memory of an earlier one if each call passes one value for both; it may be if some do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from itertools import product

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import BlockArgument, Operation, SSAValue
from xdsl.traits import IsolatedFromAbove

from volcli.language import questions
from volcli.language.memory import is_memref
from volcli.language.programs.graphs import components
from volcli.model.memory.buffers.aliases import Alias, alias
from volcli.model.memory.buffers.buffers import Buffers
from volcli.model.memory.buffers.roots import Origin, Root, SharedArgument
from volcli.model.memory.checks.calls.calls import references
from volcli.model.symbols import entry_of, is_private, symbol_of


class Sharing(Enum):
    """What a call passes as two arguments: one buffer, perhaps one, others, or others as is assumed."""

    ONE = "one"
    PERHAPS = "perhaps"
    APART = "apart"
    ASSUMED_APART = "assumed apart"


Pair = tuple[Operation, int, int]
"""Two arguments of a function, the earlier one first."""
_OF_VIEWS = {Sharing.ONE: Sharing.ASSUMED_APART, Sharing.PERHAPS: Sharing.ASSUMED_APART}
"""Views of one buffer may be apart."""
_OF_ONE_OF_SEVERAL = {Sharing.ONE: Sharing.PERHAPS}


@dataclass(frozen=True, eq=False)
class Call:
    """The call `op` in the function `caller`."""

    op: Operation
    caller: Operation


class Callers:
    """The calls in MODULE. What is asked about a copy of a function is that about its ORIGINAL.

    What the calls of f pass as its arguments i and j is the least solution of

        passed(f, i, j) = U { what the call passes in itself, or passed(g, k, l) : a call of f in g }

    where the call passes the arguments k and l of g on. Of functions that only call each other it is nothing.
    """

    def __init__(self, module: Operation, original: Callable[[Operation], Operation] = lambda op: op) -> None:
        self._module = module
        self._original = original
        self._buffers: dict[Operation, Buffers] = {}
        self._passed: dict[Pair, frozenset[Sharing]] = {}
        self._shared: dict[Operation, Mapping[int, SharedArgument]] = {}

    @cached_property
    def _references(self) -> Mapping[str, Sequence[Operation]]:
        return references(self._module)

    def calls(self, function: Operation) -> Sequence[Call] | None:
        """All calls of FUNCTION; None if others may call it, or something else refers to it."""
        function = self._original(function)
        if not is_private(function):
            return None
        users = [op for op in self._references.get(symbol_of(function), ()) if op is not function]
        found = [call for op in users if (call := _call_of(op, function)) is not None]
        is_all = len(found) == len(users) == len(set(users)) > 0
        return found if is_all else None

    def pass_apart(self, function: Operation, first: Root, second: Root) -> bool:
        """Whether FIRST and SECOND are arguments of FUNCTION, and different memory in each call of it."""
        one, other = _position(first), _position(second)
        if one is None or other is None or one == other:
            return False
        return self.passed(function, min(one, other), max(one, other)) <= {Sharing.APART}

    def shared(self, function: Operation) -> Mapping[int, SharedArgument]:
        """The arguments of FUNCTION, by number, for which calls pass the memory of earlier ones."""
        function = self._original(function)
        if function not in self._shared:
            self._shared[function] = self._shared_in(function)
        return self._shared[function]

    def _shared_in(self, function: Operation) -> Mapping[int, SharedArgument]:
        if self.calls(function) is None:
            return {}
        memrefs = [argument.index for argument in entry_of(function).args if is_memref(argument)]
        found: dict[int, SharedArgument] = {}
        for number, second in enumerate(memrefs):
            passed = {first: self.passed(function, first, second) for first in memrefs[:number]}
            always = next(
                (first for first, each in passed.items() if each == frozenset((Sharing.ONE,))), None
            )
            sometimes = frozenset(k for k, each in passed.items() if each & {Sharing.ONE, Sharing.PERHAPS})
            if sometimes:
                found[second] = SharedArgument(always, sometimes)
        return found

    def passed(self, function: Operation, first: int, second: int) -> frozenset[Sharing]:
        """What calls of FUNCTION pass as the arguments FIRST and SECOND, two memrefs."""
        asked = self._original(function), first, second
        if asked not in self._passed:
            sources: dict[Pair, _Sources] = {}
            for component in components([asked], lambda pair: self._noted(pair, sources)):
                self._solve({pair: sources[pair] for pair in component})
        return self._passed[asked]

    def _noted(self, pair: Pair, sources: dict[Pair, _Sources]) -> Iterable[Pair]:
        """What PAIR is passed on from, and of which nothing is known yet; SOURCES tell all of it then."""
        found = sources[pair] = self._sources(pair)
        return [each for each, _ in found.before if each not in self._passed]

    def _solve(self, sources: Mapping[Pair, _Sources]) -> None:
        """Find what is passed as pairs with these SOURCES, which are passed on from each other."""
        known = {pair: frozenset(each.own) for pair, each in sources.items()}
        self._passed |= known
        changes = True
        while changes:
            changes = False
            for pair, each in sources.items():
                found = self._passed[pair].union(
                    through.get(passed, passed)
                    for before, through in each.before
                    for passed in self._passed[before]
                )
                changes = changes or found != self._passed[pair]
                self._passed[pair] = found

    def _sources(self, pair: Pair) -> _Sources:
        """What the calls of the function of PAIR pass in themselves, and what they pass on."""
        function, *positions = pair
        found = _Sources()
        calls = self.calls(function)
        if calls is None:
            found.own.add(Sharing.ASSUMED_APART)
        for call in calls or ():
            self._note(call.caller, [call.op.operands[k] for k in positions], found)
        return found

    def _note(self, caller: Operation, operands: Sequence[SSAValue], found: _Sources) -> None:
        """Add to FOUND what it is to pass two OPERANDS in CALLER."""
        if caller not in self._buffers:
            self._buffers[caller] = Buffers(caller)
        buffers = self._buffers[caller]
        one, other = map(buffers.root, operands)
        is_one_value = operands[0] is operands[1]
        through: Mapping[Sharing, Sharing] = {}
        if one.among or other.among:
            through = _OF_ONE_OF_SEVERAL
        if not is_one_value and any(buffers.view(each) is not None for each in operands):
            through = _OF_VIEWS
        if is_one_value or one == other:
            found.own.add(Sharing.ONE if is_one_value else through.get(Sharing.ONE, Sharing.ONE))
            return
        for left, right in product(one.among or (one,), other.among or (other,)):
            first, second = _position(left), _position(right)
            match alias(left, right):
                case Alias.ASSUMED_DISTINCT if first is not None and second is not None:
                    pair = self._original(caller), min(first, second), max(first, second)
                    found.before.append((pair, through))
                case Alias.SAME:
                    found.own.add(through.get(Sharing.ONE, Sharing.ONE))
                case Alias.DISTINCT:
                    found.own.add(Sharing.APART)
                case Alias.UNKNOWN if one.among or other.among:
                    found.own.add(through.get(Sharing.PERHAPS, Sharing.PERHAPS))
                case _:
                    found.own.add(Sharing.ASSUMED_APART)


@dataclass
class _Sources:
    """What calls pass as two arguments: of their `own`, and of arguments `before`, each as a mapping says."""

    own: set[Sharing] = field(default_factory=set[Sharing])
    before: list[tuple[Pair, Mapping[Sharing, Sharing]]] = field(
        default_factory=list[tuple[Pair, Mapping[Sharing, Sharing]]]
    )


def _position(root: Root) -> int | None:
    """Which argument, a memref, ROOT is."""
    value = root.value
    if root.origin is not Origin.ARGUMENT or root.held is not None or not isinstance(value, BlockArgument):
        return None
    return value.index if is_memref(value) else None


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
