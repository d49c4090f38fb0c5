"""Whether calls fulfil what the functions that they call need of their arguments (`preconditions.py`).

A call with the arguments a(i) in iteration i of the loops around it violates the precondition P at

    { [i] -> [a] : a = a(i) and not P(a) }

    func.func @f(%m: memref<9xf32>, %n: index) { load %m[%n] }              needs 0 <= %n <= 8
    affine.for %i = 0 to 10 { call @f(%m, %i) }                             violated at %i = 9

As an access is, it is violated in any case, for some arguments of the caller, which then needs something of
its own callers, or that is unknown. What a function demands beside that is violated in any case, or it is not
spoken of: that callers see to it is what a program is written for, as sizes that agree.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import islpy as isl
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, StringAttr, SymbolRefAttr
from xdsl.ir import Attribute, Operation, ParametrizedAttribute

from volcli.language.expressions import Expression, dim_of, value_of
from volcli.language.memory import Effect, MemoryAccess
from volcli.language.unchanged import operations_in
from volcli.limits import memory as limits
from volcli.model.memory.accesses.site import Site
from volcli.model.memory.buffers.buffers import BufferIndex, Origin, Root
from volcli.model.memory.checks.answers.access_answers import AccessVerdict
from volcli.model.memory.checks.calls.preconditions import Argument, Demand, Precondition
from volcli.model.memory.dependences.model import Memory
from volcli.model.memory.occurrence.certainty import (
    CallArguments,
    CertainIterations,
    calls_of,
    certainty,
    first_point,
    plain_example,
)
from volcli.model.symbols import called_by
from volcli.presburger.limits.budget import DEFAULT_OPERATIONS, BudgetExceeded, budget
from volcli.presburger.measures.points import coordinates
from volcli.presburger.sets.unwieldy import is_dear

UNKNOWN = AccessVerdict.UNKNOWN


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
    for some of the `calls` of the function that it is in. What it violates `always` may be a demand, too.
    """

    op: Operation
    called: Operation
    precondition: Precondition | Demand
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
        demands: Callable[[Operation], Demand | None] = lambda _: None,
        *,
        operations: int = DEFAULT_OPERATIONS,
    ) -> None:
        self._memory = memory
        self._needs = needs
        self._demands = demands
        self._operations = operations

    def all(self) -> Iterator[CallAnswer]:
        """The calls that need something of arguments, or violate demands, in the order of the text."""
        for op in operations_in(self._memory.function):
            called = called_by(op)
            if called is None:
                continue
            demand, needed = self._demands(called), self._needs(called)
            violated = None if demand is None else self._violated(op, called, demand)
            if violated is not None:
                yield violated
            elif needed is not None:
                yield self._answer(op, called, needed)

    def _violated(self, op: Operation, called: Operation, demand: Demand) -> CallAnswer | None:
        """The answer about the call OP if it never fulfils a DEMAND."""
        try:
            with budget(self._operations):
                runs, is_exact = self._passing(op, demand.arguments)
                fails = runs.intersect_range(demand.points.complement())
                found = (
                    self._failing(CallAnswer(op, called, demand, UNKNOWN), runs, fails) if is_exact else None
                )
        except BudgetExceeded:
            return None
        return found if found is not None and found.always else None

    def _answer(self, op: Operation, called: Operation, needed: Precondition) -> CallAnswer:
        try:
            with budget(self._operations):
                return self._within_budget(op, called, needed)
        except BudgetExceeded:
            return CallAnswer(op, called, needed, UNKNOWN)

    def _passing(self, op: Operation, arguments: Sequence[Argument]) -> tuple[isl.Map, bool]:
        """What OP passes as ARGUMENTS in the iterations in which it may run; and whether that is exact."""
        levels = self._memory.nests.levels(op.parent)
        index = tuple(_passed(op, each.position, each.dimension) for each in arguments)
        place = BufferIndex(Root(Origin.UNKNOWN, op.operands[0]), index, (), ())
        site = Site(-1, op, MemoryAccess(Effect.READ, op.operands[0], index), place, levels)
        relation = self._memory.instances.of_place(site, place)
        return relation.elements().intersect_domain(
            self._memory.instances.domains.reached(op).points
        ), relation.exact

    def _within_budget(self, op: Operation, called: Operation, needed: Precondition) -> CallAnswer:
        runs, is_exact = self._passing(op, needed.arguments)
        may = runs.intersect_range(needed.sufficient.complement())
        if may.is_empty():
            return CallAnswer(op, called, needed, AccessVerdict.IN_BOUNDS)
        fails = runs.intersect_range(needed.necessary.complement())
        unknown = CallAnswer(op, called, needed, UNKNOWN)
        found = self._failing(unknown, runs, fails) if is_exact else None
        if found is None or found.calls is None:
            return unknown
        possible = self._certain(may.domain(), runs.domain())
        return replace(found, calls=replace(found.calls, may=possible.possible.params()))

    def _failing(self, call: CallAnswer, runs: isl.Map, fails: isl.Map) -> CallAnswer | None:
        """The answer about a CALL that passes what FAILS in some of the iterations in which it RUNS.

        None if it is not certain that it does.
        """
        reached = self._memory.instances.domains.reached(call.op)
        if fails.is_empty() or reached.doubt(fails.domain()) is not None:
            return None
        found = self._certain(fails.domain(), runs.domain())
        if found.points.is_empty():
            return None
        calls = calls_of(self._memory, found, runs.domain())
        violation = self._violation(fails, found.points, call.precondition.names)
        outside = AccessVerdict.OUT_OF_BOUNDS
        return replace(call, verdict=outside, always=found.always, violation=violation, calls=calls)

    def _certain(self, happens: isl.Set, runs: isl.Set) -> CertainIterations:
        """`certainty`, which may cost as much as that of an access."""
        share = limits.CERTAIN_SHARE * limits.DEAR_CERTAIN_SHARE if is_dear(happens) or is_dear(runs) else 1
        with budget(self._operations // share):
            return certainty(self._memory, happens, runs)

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
