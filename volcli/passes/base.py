"""What passes are run over: one chunk of a file, with all that they have said of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar, cast

from volcli.diagnostics import internal
from volcli.limits import passes as limits
from volcli.limits.presburger import DEFAULT_SECONDS
from volcli.passes.declaration import DeclaredPass, Option, option, options_of
from volcli.passes.models import Models
from volcli.passes.reported import Reported
from volcli.presburger.limits.budget import NeedsWorker, unqueried
from volcli.presburger.limits.worker import (
    Done,
    bounded,
    light,
    rehearsed,
    seconds_of_workers,
)
from volcli.presburger.sets import kept
from volcli.runtime import progress

if TYPE_CHECKING:  # `volcli passes --help` must not import xDSL
    from xdsl.ir import Operation

    from volcli.diagnostics import Diagnostic
    from volcli.facts.fact import Fact, Key, Where
    from volcli.frontend.parse.parser import ParsedModule
    from volcli.frontend.parse.snapshot import Snapshot
    from volcli.model.function import FunctionModel
    from volcli.presburger.expressions.predicates import ParsedPredicate
    from volcli.presburger.sets.conditions import ParsedCondition

    Said = tuple[list[Fact], list[Diagnostic]]

T = TypeVar("T")

_REPORT_TO = "please report it to the authors of {}, with the input; --traceback shows where"


@dataclass
class Unit:
    """One chunk of one file, parsed, with what the passes that ran so far have said about it.

    `rewritten` says that some pass changed the IR: then the output is printed anew, and is not the user's
    text with annotations. `failed` says that a pass has refused the program: then nothing is printed, as by
    mlir-opt.
    `assume` are conditions on arguments that hold, `given` facts about elements. `timeout` is how many
    seconds a pass may take of one function in processes that can be ended, None for any. Of `shown`, if it
    is given, is said of each function whether passes see it; the others are there to be called.
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
    before: Snapshot | None = None
    """The program before the pass that changes it."""
    undone: bool = False
    """Whether a pass broke off, or its program is wrong or computes something else: it is what it was."""
    unchecked: list[str] = field(default_factory=list[str])
    """Why it is not known of some outputs whether rewrites kept what they are computed from."""
    _models: Models | None = None
    _shared: dict[object, object] = field(default_factory=dict[object, object])
    _current: Operation | None = None
    _operations: list[Operation] = field(default_factory=list["Operation"])
    _numbers: dict[Operation, int] = field(default_factory=dict["Operation", int])
    _lost: set[Operation] = field(default_factory=set["Operation"])
    _only: Operation | None = None
    _done: set[str] = field(default_factory=set[str])
    _spent: float = 0.0
    _reported: Reported = field(default_factory=Reported)
    _changes: int = 0  # that the pass which runs has made
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

        return _Visited([model for model in self._all_models() if self._is_shown(model.function)], note)

    def of_module(self) -> list[FunctionModel]:
        """All functions, for what an answer about one of them needs of others."""
        return [model for model in self._all_models() if model.function not in self._lost]

    def as_loops(self, model: FunctionModel) -> FunctionModel:
        """The model of MODEL's function with loops for its structured operations; MODEL if it has none."""
        if self._models is None:
            return model
        return self._models.as_loops(model.function) or model

    def shared(self, make: Callable[[Unit], T]) -> T:
        """What MAKE makes of this unit, made once for the program as it is."""
        if make not in self._shared:
            self._shared[make] = make(self)
        return cast(T, self._shared[make])

    def _is_shown(self, function: Operation) -> bool:
        is_there = function not in self._lost and self._only in (None, function)
        return is_there and (self.shown is None or self.shown(function))

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
        if not self._reported.holds(self.diagnostics, diagnostic):
            self.diagnostics.append(diagnostic)

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

    def suppose(self, conditions: Iterable[ParsedCondition]) -> None:
        """CONDITIONS on arguments hold; nothing that was derived without them is kept."""
        self.assume = (*self.assume, *conditions)
        self._forget_derived()
        self._done.clear()

    def give(self, facts: Iterable[ParsedPredicate]) -> None:
        """FACTS about elements hold; nothing that was derived without them is kept."""
        self.given = (*self.given, *facts)
        self._forget_derived()
        self._done.clear()

    def run(self, each: Pass) -> None:
        """Apply a pass; an exception costs the answers about one function, which the pass is not shown again.

        A pass that only reads and has said all that it has to say of the program as it is, is not applied
        again. Raises UsageError where the pass cannot be carried out as it was asked for.
        """
        from volcli.diagnostics import UsageError

        name = str(each)
        if name in self._done:
            return
        self._done.add(name)  # a pass that rewrites forgets it
        facts, only = len(self.facts), self._only
        try:
            for part in self._parts(each):
                self._only = part
                with progress.doing(self._label(each)):
                    self._run_part(each)
        except UsageError:
            del self.facts[facts:]
            self._done.discard(name)
            raise
        finally:
            self._only = only
        found = self.facts[facts:]
        del self.facts[facts:]
        self.keep(found)

    def _parts(self, each: Pass) -> list[Operation | None]:
        """The functions that a pass is shown one by one; None: it is shown all of them."""
        if self._only is not None or each.changes or not each.by_function:
            return [self._only]
        every = [model.function for model in self._all_models()]
        return [each for each in every if self.shown is None or self.shown(each)] if every else [None]

    def _run_part(self, each: Pass) -> None:
        """Apply a pass to what it is shown now, in other processes if it takes long (see `worker`)."""
        seconds, before = self._seconds(), seconds_of_workers()
        self._changes = 0
        if each.changes:
            done = self._changed(each, seconds)
        else:
            done = bounded(lambda: self._applied(each), self.forget, seconds)
        self._spent += seconds_of_workers() - before
        if isinstance(done, str):
            lost = (done,)
        else:
            self.facts += done.result[0]
            known = set(self.diagnostics)
            self.diagnostics += [said for said in done.result[1] if said not in known]
            lost = done.lost
            if each.changes and not self._changes and not done.result[1] and not lost:
                self._report_nothing(each)
        self._report_lost(each, lost)

    def _changed(self, each: Pass, seconds: float | None) -> Done[Said] | str:
        """What comes of a pass that changes the program; what takes long is tried out in another process."""
        from volcli.frontend.parse.snapshot import Snapshot

        was_rewritten, self.before = self.rewritten, Snapshot(self.parsed)
        done = light(lambda: self._applied(each), seconds)
        if done is None:
            self._restore(self.before, was_rewritten)
            self.before = Snapshot(self.parsed)
            course = rehearsed(lambda: self._applied(each), self.forget, seconds)
            done = course if isinstance(course, str) else course.run(lambda: self._applied(each))
        if self.undone:
            self._restore(self.before, was_rewritten)
        self.before, self.undone = None, False
        return done

    def _restore(self, before: Snapshot, was_rewritten: bool) -> None:
        """The program is what it was BEFORE a pass."""
        copies = before.restore()
        self.rewritten, self._changes = was_rewritten, 0
        self._operations = [copies.get(op, op) for op in self._operations]
        self._only = None if self._only is None else copies.get(self._only, self._only)
        self._forget_derived()

    def _seconds(self) -> float | None:
        """What a pass may take of one function: less when workers have taken much of this unit already."""
        if self.timeout is None:
            return None
        left = limits.SLOW_FUNCTIONS * self.timeout - self._spent
        return max(min(left, self.timeout), self.timeout / limits.LATER_SHARE)

    def _label(self, each: Pass) -> str:
        """`a.mlir: @f: value-bounds`: what is done now."""
        from volcli.model.symbols import symbol_of

        function = "" if self._only is None else f"@{symbol_of(self._only)}: "
        return f"{self.parsed.source.name}: {function}{each.name}"

    def _applied(self, each: Pass) -> Said:
        """The facts and diagnostics of a pass; an internal error costs those about one function."""
        from volcli.diagnostics import UsageError
        from volcli.language.unchanged import unchanged

        internal.look_at(None)
        self._current, self._lost = None, set()
        facts, said = len(self.facts), len(self.diagnostics)
        too_deep: list[Operation | None] = []
        while True:
            try:
                with unqueried(), nullcontext() if each.changes else unchanged():
                    each.apply(self)
                break
            except UsageError:
                raise
            except NeedsWorker:
                del self.facts[facts:], self.diagnostics[said:]
                raise
            except Exception as error:
                del self.facts[facts:], self.diagnostics[said:]
                if isinstance(error, RecursionError):
                    too_deep.append(self._current)
                else:
                    with internal.at(self._current):
                        internal.remember(error, each.name)
                self.undone = self.undone or each.changes
                if each.changes or self._current is None:
                    break
                self._lost.add(self._current)
        self._lost = set()
        self.report_internal_errors()
        self._report_depth(each, too_deep)
        found = self.facts[facts:], self.diagnostics[said:]
        del self.facts[facts:], self.diagnostics[said:]
        return found

    def forget(self) -> None:
        """Forget what a pass has begun to find out: a worker begins anew, and numbers operations as here."""
        internal.forget()
        self._shared.clear()
        for op in self.parsed.module.walk():
            self._number(op)
        if self._models is not None:
            self._models.begin_anew(self._only)

    def _report_depth(self, each: Pass, functions: Sequence[Operation | None]) -> None:
        """Say of FUNCTIONS that what they nest is more than Python's stack has room for (V302)."""
        from volcli.diagnostics import Diagnostic

        for function in functions:
            place = self.parsed.written_at(function or self.parsed.module)
            why = "loops or values depend on each other too many levels deep"
            message = f"{each.name}: not all is known: {why}"
            self.diagnostics.append(Diagnostic("V302", message, place, "split the function, or nest less"))

    def _report_lost(self, each: Pass, reasons: Sequence[str]) -> None:
        """Say of the function that a pass has not all answers, for REASONS that another run may not have."""
        from volcli.diagnostics import Diagnostic

        place = self.parsed.written_at(self._only or self.parsed.module)
        for reason in dict.fromkeys(reasons):
            message = f"{each.name}: not all is known: {reason}"
            self.diagnostics.append(Diagnostic("V305", message, place))

    def _report_nothing(self, each: Pass) -> None:
        """Say that a pass has left the program as it is, and what it looked for (V310)."""
        from volcli.diagnostics import Diagnostic

        if each.wants:
            message = f"{each} changes nothing: it looks for {each.wants}"
            place = self.parsed.written_at(self._only or self.parsed.module)
            self.report(Diagnostic("V310", message, place))

    def keep(self, found: Iterable[Fact]) -> None:
        """Keep the facts that were FOUND together: one of a key that there was before takes its place."""
        numbers: Counter[Key] = Counter()
        known = {fact.key: position for position, fact in enumerate(self.facts)}
        for fact in found:
            key = fact.key
            number = numbers[key]
            numbers[key] += 1
            numbered = fact.numbered(number) if number else fact
            position = known.get(key._replace(number=number) if number else key)
            if position is None:
                self.facts.append(numbered)
            else:
                self.facts[position] = numbered

    @contextmanager
    def aside(self, function: Operation) -> Generator[None, None, None]:
        """Within the block passes see only FUNCTION, and what they say is forgotten at its end."""
        before = self.facts, self.diagnostics, self._done, self._only
        self.facts, self.diagnostics, self._done, self._only = [], [], set(), function
        try:
            yield
        finally:
            self.facts, self.diagnostics, self._done, self._only = before

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

    def rewrote(self) -> None:
        """The IR has changed: it is printed anew, and nothing that was derived of it holds any more."""
        self.rewritten = True
        self._changes += 1
        self._forget_derived()
        self._done.clear()


class Pass(DeclaredPass[Unit]):
    """One analysis or rewriting of a `Unit`; see `DeclaredPass`, which says how options are declared."""


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


__all__ = ["Option", "Pass", "Unit", "option", "options_of"]
