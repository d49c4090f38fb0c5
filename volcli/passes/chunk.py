"""One chunk of a file, parsed, with its diagnostics, its facts and the models of its functions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

from volcli.diagnostics import internal
from volcli.limits.presburger import DEFAULT_SECONDS
from volcli.passes.models import Models
from volcli.passes.reported import Reported
from volcli.presburger.sets import kept

if TYPE_CHECKING:  # `volcli passes --help` must not import xDSL
    from xdsl.ir import Operation

    from volcli.diagnostics import Diagnostic
    from volcli.facts.fact import Fact, Key, Where
    from volcli.frontend.parse.parser import ParsedModule
    from volcli.model.function import FunctionModel
    from volcli.presburger.expressions.predicates import ParsedPredicate
    from volcli.presburger.sets.conditions import ParsedCondition

T = TypeVar("T")

_REPORT_TO = "please report it to the authors of {}, with the input; --traceback shows where"


@dataclass
class AnalysedChunk:
    """A chunk of one file, with the answers of the passes that ran so far.

    `rewritten`: a pass changed the IR, so that the output is printed anew instead of the user's text with
    annotations. `failed`: a pass refused the program; then nothing is printed, as by mlir-opt.
    `assume` are conditions on arguments that hold, `given` facts about elements. `timeout` limits the seconds
    that a pass may take per function in processes that can be ended; None: no limit. `shown`, if given,
    decides which functions passes see; the others can still be called.
    `apart`: no budget is larger because of what was computed for another function.
    """

    parsed: ParsedModule
    diagnostics: list[Diagnostic] = field(default_factory=list["Diagnostic"])
    facts: list[Fact] = field(default_factory=list["Fact"])
    rewritten: bool = False
    failed: bool = False
    budget: int | None = None
    timeout: float | None = DEFAULT_SECONDS
    assume: tuple[ParsedCondition, ...] = ()
    given: tuple[ParsedPredicate, ...] = ()
    shown: Callable[[Operation], bool] | None = None
    apart: bool = False
    _models: Models | None = None
    _shared: dict[object, object] = field(default_factory=dict[object, object])
    _current: Operation | None = None
    _operations: list[Operation] = field(default_factory=list["Operation"])
    _numbers: dict[Operation, int] = field(default_factory=dict["Operation", int])
    _lost: set[Operation] = field(default_factory=set["Operation"])
    _only: Operation | None = None
    _reported: Reported = field(default_factory=Reported)
    _wheres: dict[tuple[Operation, Operation], Where] = field(
        default_factory=dict[tuple["Operation", "Operation"], "Where"]
    )

    def models(self) -> list[FunctionModel]:
        """The functions of this unit, with what earlier passes have derived of them."""

        def note(model: FunctionModel | None) -> None:
            self._current = None if model is None else model.function
            if self.apart:
                kept.forget()
            internal.look_at(self._current)

        every, only = self._all_models(), self._only
        asked = every if only is None else [model for model in every if model.function is only]
        return _Visited([model for model in asked if self._is_shown(model.function)], note)

    def of_module(self) -> list[FunctionModel]:
        """All functions, for what an answer about one of them needs of others."""
        return [model for model in self._all_models() if model.function not in self._lost]

    def as_loops(self, model: FunctionModel) -> FunctionModel:
        """The model of MODEL's function with loops for its structured operations; MODEL if it has none."""
        if self._models is None:
            return model
        return self._models.as_loops(model.function) or model

    def _is_shown(self, function: Operation) -> bool:
        return function not in self._lost and (self.shown is None or self.shown(function))

    def _all_models(self) -> list[FunctionModel]:
        if self._models is None:
            self._models = Models(self.parsed, self.assume, self.budget, self.given)
        return self._models.all

    def _forget_derived(self) -> None:
        """The program, or what is assumed of it, is another one: nothing that was derived of it holds."""
        self._models = None
        self._shared.clear()
        self._wheres.clear()

    def report(self, diagnostic: Diagnostic) -> None:
        """Add DIAGNOSTIC unless an earlier pass has said the same."""
        if not self._is_said(diagnostic):
            self.diagnostics.append(diagnostic)

    def _is_said(self, diagnostic: Diagnostic) -> bool:
        return self._reported.holds(self.diagnostics, diagnostic)

    def where(self, model: FunctionModel, op: Operation) -> Where:
        """What a fact says of OP, an operation of MODEL's function, instead of OP itself."""
        key = model.function, op
        known = self._wheres.get(key)
        if known is None:
            known = self._wheres[key] = self._where(model, op)
        return known

    def _where(self, model: FunctionModel, op: Operation) -> Where:
        from volcli.facts.fact import Where
        from volcli.language.interface import operation_name

        op = self.parsed.original(op)
        return Where(model.name, operation_name(op), self.parsed.written_at(op), self._number(op))

    def _number(self, op: Operation) -> int:
        """The number under which facts know OP."""
        if op not in self._numbers:
            self._numbers[op] = len(self._operations)
            self._operations.append(op)
        return self._numbers[op]

    def operation(self, where: Where) -> Operation | None:
        """The operation that a fact of this unit is about; None if it says nothing of one."""
        return None if where.operation is None else self._operations[where.operation]

    def keep(self, found: Iterable[Fact]) -> None:
        """Keep the facts that were FOUND together: one of a key that there was before takes its place."""
        numbers: Counter[Key] = Counter()
        known = {fact.key: position for position, fact in enumerate(self.facts)}
        for fact in found:
            key = fact.key
            number = numbers[key]
            numbers[key] += 1
            numbered = fact.numbered(number) if number else fact
            position = known.get(key._replace(number=number) if number else key) if known else None
            if position is None:
                self.facts.append(numbered)
            else:
                self.facts[position] = numbered

    def _report_depth(self, name: str, functions: Sequence[Operation | None]) -> None:
        """Say of FUNCTIONS that what they nest is more than Python's stack has room for (V302)."""
        from volcli.diagnostics import Diagnostic

        for function in functions:
            place = self.parsed.written_at(function or self.parsed.module)
            why = "loops or values depend on each other too many levels deep"
            message = f"{name}: incomplete: {why}"
            self.diagnostics.append(
                Diagnostic("V302", message, place, "split the function, or reduce its nesting")
            )

    def _report_lost(self, name: str, reasons: Sequence[str]) -> None:
        """Say of the function that a pass has not all answers, for REASONS that another run may not have."""
        from volcli.diagnostics import Diagnostic

        place = self.parsed.written_at(self._only or self.parsed.module)
        for reason in dict.fromkeys(reasons):
            message = f"{name}: incomplete: {reason}"
            self.diagnostics.append(Diagnostic("V305", message, place))

    def report_internal_errors(self) -> None:
        """Say what internal errors there were (V900), each at the operation that it was about."""
        for failure in internal.forget():
            self.report_internal_error(failure)

    def report_internal_error(self, failure: internal.Failure) -> None:
        """Say FAILURE (V900) at the operation that it was about."""
        from xdsl.ir import Operation

        from volcli.diagnostics import Diagnostic, Place

        place = failure.at
        if isinstance(place, str):
            place = self._first_of(place)
        if not isinstance(place, Place):
            op = place if isinstance(place, Operation) else self.parsed.module
            place = self.parsed.written_at(op)
        note = None if failure.package is None else _REPORT_TO.format(failure.package)
        self.report(Diagnostic("V900", f"unknown: {failure.what}", place, note, trace=failure.trace))

    def _first_of(self, dialect: str) -> Operation | None:
        """The first operation of DIALECT in the text."""
        from volcli.language.interface import operation_name

        named = (op for op in self.parsed.module.walk() if operation_name(op).startswith(f"{dialect}."))
        return next(named, None)


class _Visited(list[T]):
    """A list that tells NOTE which of its members the loop over it has come to, and None at the end."""

    def __init__(self, members: Iterable[T], note: Callable[[T | None], None]) -> None:
        super().__init__(members)
        self._note = note

    def __iter__(self) -> Iterator[T]:
        for member in super().__iter__():
            self._note(member)
            yield member
        self._note(None)
