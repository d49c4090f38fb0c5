"""Whether calls fulfil what the functions that they call need of their arguments (`preconditions.py`).

A call with the arguments a(i) in iteration i of the loops around it violates the precondition P at

    { [i] -> [a] : a = a(i) and not P(a) }

    func.func @f(%m: memref<9xf32>, %n: index) { load %m[%n] }              needs 0 <= %n <= 8
    affine.for %i = 0 to 10 { call @f(%m, %i) }                             violated at %i = 9

As an access is, it is violated in any case, for some arguments of the caller, which then needs something of
its own callers, or that is unknown.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import islpy as isl
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, StringAttr, SymbolRefAttr
from xdsl.ir import Attribute, Operation, ParametrizedAttribute

from volcli.language.expressions import Expression, dim_of, value_of
from volcli.language.memory import Effect, MemoryAccess
from volcli.language.unchanged import operations_in
from volcli.model.calling import called_by
from volcli.model.memory.buffers import BufferIndex, Origin, Root
from volcli.model.memory.certainty import CallArguments, calls_of, certainty, first_point, plain_example
from volcli.model.memory.checks.accesses import AccessVerdict
from volcli.model.memory.checks.preconditions import Precondition
from volcli.model.memory.instances import Site
from volcli.model.memory.model import Memory
from volcli.presburger.budget import DEFAULT_OPERATIONS, BudgetExceeded, budget
from volcli.presburger.points import coordinates


@dataclass(frozen=True, eq=False)
class Violation:
    """Iterations of the loops around a call in which the called function's arguments are these `values`."""

    iteration: tuple[int, ...]
    values: Mapping[str, int]
    parameters: Mapping[str, int]


@dataclass(frozen=True, eq=False)
class CallAnswer:
    """Whether the call `op` fulfils the `precondition` of the function that it calls.

    It is IN_BOUNDS if it always does, and OUT_OF_BOUNDS if it does not in some iteration, `always` or only
    for some of the `calls` of the function that it is in.
    """

    op: Operation
    called: Operation
    precondition: Precondition
    verdict: AccessVerdict
    always: bool = False
    violation: Violation | None = None
    calls: CallArguments | None = None


class CallChecks:
    """The calls of one function, of functions whose NEEDS are known."""

    def __init__(
        self,
        memory: Memory,
        needs: Callable[[Operation], Precondition | None],
        *,
        operations: int = DEFAULT_OPERATIONS,
    ) -> None:
        self._memory = memory
        self._needs = needs
        self._operations = operations

    def all(self) -> Iterator[CallAnswer]:
        """All calls of functions that need something, in the order of the text."""
        for op in operations_in(self._memory.function):
            called = called_by(op)
            needed = None if called is None else self._needs(called)
            if called is not None and needed is not None:
                yield self._answer(op, called, needed)

    def _answer(self, op: Operation, called: Operation, needed: Precondition) -> CallAnswer:
        try:
            with budget(self._operations):
                return self._within_budget(op, called, needed)
        except BudgetExceeded:
            return CallAnswer(op, called, needed, AccessVerdict.UNKNOWN)

    def _within_budget(self, op: Operation, called: Operation, needed: Precondition) -> CallAnswer:
        levels = self._memory.nests.levels(op.parent)
        index = tuple(_passed(op, each.position, each.dimension) for each in needed.arguments)
        place = BufferIndex(Root(Origin.UNKNOWN, op.operands[0]), index, (), ())
        site = Site(-1, op, MemoryAccess(Effect.READ, op.operands[0], index), place, levels)
        relation = self._memory.instances.of_place(site, place)
        reached = self._memory.instances.reached(op)
        runs = relation.elements().intersect_domain(reached.points)
        may = runs.intersect_range(needed.sufficient.complement())
        if may.is_empty():
            return CallAnswer(op, called, needed, AccessVerdict.IN_BOUNDS)
        fails = runs.intersect_range(needed.necessary.complement())
        if fails.is_empty() or not relation.exact or reached.doubt(fails.domain()) is not None:
            return CallAnswer(op, called, needed, AccessVerdict.UNKNOWN)
        found = certainty(self._memory, fails.domain(), runs.domain())
        if found.points.is_empty():
            return CallAnswer(op, called, needed, AccessVerdict.UNKNOWN)
        possible = certainty(self._memory, may.domain(), runs.domain())
        calls = calls_of(self._memory, found, runs.domain())
        return CallAnswer(
            op,
            called,
            needed,
            AccessVerdict.OUT_OF_BOUNDS,
            found.always,
            self._violation(fails, found.points, needed.names),
            CallArguments(calls.surely, possible.possible.params(), calls.runs),
        )

    def _violation(self, fails: isl.Map, points: isl.Set, names: Sequence[str]) -> Violation:
        point = plain_example(self._memory, points)
        arguments = first_point(fails.intersect_domain(isl.Set.from_point(point)).wrap().flatten())
        numbers = coordinates(arguments)
        depth = len(numbers) - len(names)
        values = dict(zip(names, numbers[depth:], strict=True))
        return Violation(numbers[:depth], values, self._memory.bounds.texts.of_point(point))


def _passed(call: Operation, position: int, dimension: int | None) -> Expression:
    """What CALL passes as the argument at POSITION, or as the size of its DIMENSION."""
    operand = call.operands[position]
    return value_of(operand) if dimension is None else dim_of(operand, dimension)


_SYMBOL = re.compile(r"""@(?:(?P<bare>[A-Za-z_][\w$.]*)|"(?P<quoted>[^"]*)")""")


def references(module: Operation) -> Mapping[str, Sequence[Operation]]:
    """The operations in MODULE that refer to each symbol, by its name: once for each time they do.

    What was read as text may refer to each symbol that is in the text.
    """
    found: dict[str, list[Operation]] = {}
    for op in module.walk():
        for attribute in (*op.properties.values(), *op.attributes.values()):
            for name in _symbols(attribute):
                found.setdefault(name, []).append(op)
    return found


def _symbols(attribute: Attribute) -> Iterator[str]:
    match attribute:
        case SymbolRefAttr():
            yield attribute.root_reference.data
            yield from (each.data for each in attribute.nested_references.data)
        case StringAttr():
            for found in _SYMBOL.finditer(attribute.data):
                yield found["bare"] or found["quoted"]
        case ArrayAttr():
            for each in attribute.data:
                yield from _symbols(each)
        case DictionaryAttr():
            for each in attribute.data.values():
                yield from _symbols(each)
        case ParametrizedAttribute():
            for each in attribute.parameters:
                yield from _symbols(each)
        case _:
            pass


def is_private(function: Operation) -> bool:
    """Whether only what is in the module can refer to FUNCTION."""
    visibility = function.properties.get("sym_visibility") or function.attributes.get("sym_visibility")
    return isinstance(visibility, StringAttr) and visibility.data == "private"
