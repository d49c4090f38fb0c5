"""What passes are run over, and how: in this process, or in others if a pass takes long."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar, cast

from volcli.diagnostics import internal
from volcli.limits import passes as limits
from volcli.limits.presburger import DEFAULT_OPERATIONS, FUNCTION
from volcli.passes.chunk import AnalysedChunk
from volcli.passes.declaration import DeclaredPass, Option, option, options_of
from volcli.presburger.limits.budget import NeedsWorker, TimeIsOver, unqueried
from volcli.presburger.limits.worker import (
    Done,
    bounded,
    light,
    rehearsed,
    seconds_of_workers,
)
from volcli.runtime import progress

if TYPE_CHECKING:  # `volcli passes --help` must not import xDSL
    from xdsl.ir import Operation

    from volcli.diagnostics import Diagnostic
    from volcli.facts.fact import Fact
    from volcli.frontend.parse.snapshot import Snapshot
    from volcli.presburger.expressions.predicates import ParsedPredicate
    from volcli.presburger.sets.conditions import ParsedCondition

    Said = tuple[list[Fact], list[Diagnostic]]

T = TypeVar("T")


@dataclass
class Unit(AnalysedChunk):
    """A chunk that passes are run over: each pass adds facts and diagnostics, or changes the program."""

    before: Snapshot | None = None
    """The program before the pass that changes it."""
    undone: bool = False
    """Whether a pass broke off, or its program is wrong or computes something else: it is what it was."""
    unchecked: list[str] = field(default_factory=list[str])
    """Why it is not known of some outputs whether rewrites kept what they are computed from."""
    _done: set[str] = field(default_factory=set[str])
    _spent: float = 0.0
    _changes: int = 0  # that the pass which runs has made

    def shared(self, make: Callable[[Unit], T]) -> T:
        """What MAKE makes of this unit, made once for the program as it is."""
        if make not in self._shared:
            self._shared[make] = make(self)
        return cast(T, self._shared[make])

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
            with progress.shown_in_notebook():
                for part in progress.each(self._parts(each), "functions"):
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
            done = bounded(lambda: self._applied(each), self.forget, seconds, together)
        self._spent += seconds_of_workers() - before
        if isinstance(done, str):
            lost = (done,)
        else:
            self.facts += done.result[0]
            self.diagnostics += [said for said in done.result[1] if not self._is_said(said)]
            lost = done.lost
            if each.changes and not self._changes and not done.result[1] and not lost:
                self._report_nothing(each)
        self._report_lost(each.name, lost)

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
        functions = 1 if self._only is not None else max(1, len(self._all_models()))
        steps = functions * FUNCTION * (self.budget or DEFAULT_OPERATIONS)
        while True:
            try:
                with unqueried(steps), nullcontext() if each.changes else unchanged():
                    each.apply(self)
                break
            except UsageError:
                raise
            except TimeIsOver:
                break
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
        self._report_depth(each.name, too_deep)
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

    @contextmanager
    def aside(self, function: Operation) -> Generator[None, None, None]:
        """Within the block passes see only FUNCTION, and what they say is forgotten at its end."""
        before = self.facts, self.diagnostics, self._done, self._only
        self.facts, self.diagnostics, self._done, self._only = [], [], set(), function
        try:
            yield
        finally:
            self.facts, self.diagnostics, self._done, self._only = before

    def _report_nothing(self, each: Pass) -> None:
        """Say that a pass has left the program as it is, and what it looked for (V310)."""
        from volcli.diagnostics import Diagnostic

        if each.wants:
            message = f"{each} changes nothing: it looks for {each.wants}"
            place = self.parsed.written_at(self._only or self.parsed.module)
            self.report(Diagnostic("V310", message, place))

    def rewrote(self) -> None:
        """The IR has changed: it is printed anew, and nothing that was derived of it holds any more."""
        self.rewritten = True
        self._changes += 1
        self._forget_derived()
        self._done.clear()


def together(first: Said, last: Said) -> Said:
    """What a pass said FIRST, until its time was over, and what it said at LAST, without large queries, of
    the rest.
    """
    from collections import defaultdict

    known: defaultdict[object, list[Fact]] = defaultdict(list)
    for fact in reversed(first[0]):
        known[fact.key].append(fact)
    facts = [known[fact.key].pop() if known[fact.key] else fact for fact in last[0]]
    facts += [fact for fact in first[0] if fact in known[fact.key]]
    answered = {fact.where.place for fact in first[0]}
    limited = [said for said in last[1] if said.code == "V302" and said.place in answered]
    return facts, [*first[1], *(said for said in last[1] if said not in (*first[1], *limited))]


class Pass(DeclaredPass[Unit]):
    """One analysis or rewriting of a `Unit`; see `DeclaredPass`, which says how options are declared."""


__all__ = ["Option", "Pass", "Unit", "option", "options_of"]
