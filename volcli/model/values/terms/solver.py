"""Answers that depend on each other: the greatest fixpoint of their equations, approached from above.

Each question q has an equation: its answer is F_q of the answers to other questions, which F_q asks for
while it is computed. The questions and what each one asks for are a directed graph. Where it has no cycle,
each answer is computed once. Its cycles are *cut* at some questions, in this package at the values that go
around loops: each cycle goes through one of them. To such a question there is always a true answer, that
`nothing` is known.

Invariant. Let what is known of q be a set S_q that contains all that q can be. F is sound: from sets that
contain what the other questions can be, it computes one that contains what q can be. So

    S_q^0 = everything          S_q^{k+1} = F_q(S^k)

are all true, by induction over k: there is no need to reach the fixpoint, and the iteration may stop after
any round. (An iteration from below, as in abstract interpretation, is true at its end only.) A round may use
what the same round has found already, which is true as well.

Components. Questions are answered depth first. One that is asked for while it is *open* (being computed)
closes a cycle: whoever asks gets what the last round knows of it, and depends on it. As in Tarjan's
algorithm, each answer carries the least depth of an open question that it depends on. If there is none, it
is *complete*: it is set once and never changes. Else it is *provisional*: it lives in the component of that
open question, and goes with each round. An open question that depends on nothing below it is the root of its
component: it iterates.

Rounds. In each round, all cuts of the component are defined anew, from what was known of them in the round
before. An exact answer is kept: there is no more to say. The rounds end when all are exact, when a round
says nothing new, or after limits.ROUNDS; in a round, each cut is computed once for each set of open cuts at
most, so that they terminate. F need not be monotone (its sets are simplified, and computed within budgets):
where a round says *less* of some cut than the one before, it is left out as a whole, and what was known
before stays. Then the cuts are complete; all else is forgotten, and is computed from complete answers when
it is asked for again.

Hypotheses. F may suppose something of what will be found: that a number has 64 bits, say. After each round
it is looked at: if it is true of all that the round says, the round is true by induction, over the
iterations of the loops. A round that contradicts what it supposes is left out, and the first one is
repeated. A hypothesis that was refuted is not made again, so that there are at most as many repetitions as
hypotheses. One that was true of a round is true.

Example: a = min(b + 1, 10) goes around a loop, b = max(a, 0) around one inside of it. With nothing known of
b, a <= 10; so b <= max(10, 0) = 10, and b >= 0. The next round knows that, and says a <= min(11, 10):
nothing new.

Sources: R. Tarjan, Depth-first search and linear graph algorithms (1972); B. Le Charlier and P. Van
Hentenryck, A universal top-down fixpoint algorithm (1992), here from above.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable
from contextlib import contextmanager
from typing import Any, ParamSpec, TypeVar

from volcli.limits import values as limits
from volcli.model.values.terms.tables import Answers, Component, Cut, Cuts, Progress, Table

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")
P = ParamSpec("P")

_COMPLETE = 1 << 30
"""The depth of the least open question that a complete answer depends on: there is none."""


class Solver:
    """Answers questions; knows which cuts are open, and what is being computed depends on which of them."""

    def __init__(self) -> None:
        self._open: list[Component] = []
        self._lowest = _COMPLETE
        """The least depth of an open cut that what is being computed depends on."""
        self._refuted: set[Hashable] = set()
        self._confirmed: set[Hashable] = set()

    def answer(
        self, table: Table[K, V], key: K, compute: Callable[P, V], *args: P.args, **kwargs: P.kwargs
    ) -> V:
        """The answer to KEY, where no cycle is cut: that of COMPUTE, if it is not known.

        Cuts that are opened meanwhile may ask for it, too: for each of them it is computed anew.
        """
        known = self._known(table, key)
        if known is not None:
            return known
        outer, self._lowest = self._lowest, _COMPLETE
        try:
            found = compute(*args, **kwargs)
            if self._lowest == _COMPLETE:
                return table.complete.setdefault(key, found)
            self._open[self._lowest].keep(table, key, found)
            return found
        finally:
            self._lowest = min(outer, self._lowest)

    def solve(self, cuts: Cuts[K, V], key: K) -> V:
        """The answer to KEY, where cycles are cut."""
        known = self._known(cuts, key)
        if known is not None:
            return known
        opened = cuts.open.get(key)
        if opened is not None:
            self._lowest = min(self._lowest, opened.depth)
            return cuts.last[key] if key in cuts.last else cuts.equations.nothing(key)
        outer, self._lowest = self._lowest, _COMPLETE
        component = cuts.open[key] = Component(len(self._open))
        self._open.append(component)
        answers: Answers = {}
        try:
            answers = self._solved(component, (cuts, key))
        finally:
            self._open.pop()
            del cuts.open[key]
            self._close(component, answers)
            self._lowest = min(outer, self._lowest)
        return answers[cuts, key]

    @property
    def is_open(self) -> bool:
        """Whether a cut is being computed: then what is found may change with each round."""
        return bool(self._open)

    def traced(self, compute: Callable[P, V], *args: P.args, **kwargs: P.kwargs) -> tuple[V, bool]:
        """What COMPUTE says, and whether that is provisional: more may be known of it later."""
        outer, self._lowest = self._lowest, _COMPLETE
        try:
            found = compute(*args, **kwargs)
            return found, self._lowest != _COMPLETE
        finally:
            self._lowest = min(outer, self._lowest)

    def suppose(self, name: Hashable, hypothesis: Callable[[], bool]) -> None:
        """What is being computed, and is provisional, supposes that HYPOTHESIS is true of what is found.

        It has a NAME, by which it was not refuted before.
        """
        assert name not in self._refuted
        self._open[self._lowest].hypotheses.append((name, hypothesis))

    def is_refuted(self, name: Hashable) -> bool:
        """Whether the hypothesis of this NAME was found not to be true of what follows from it."""
        return name in self._refuted

    def is_confirmed(self, name: Hashable) -> bool:
        """Whether the hypothesis of this NAME was found to be true of what is known of a component."""
        return name in self._confirmed

    def _known(self, table: Table[K, V], key: K) -> V | None:
        """The answer to KEY, if there is one: a complete one, or one that depends on what is open."""
        known = table.complete.get(key)
        if known is None and (provisional := table.provisional.get(key)) is not None:
            known, component = provisional
            self._lowest = min(self._lowest, component.largest().depth)
        return known

    def _close(self, component: Component, answers: Answers) -> None:
        """Set the ANSWERS of a COMPONENT that depends on nothing below; else it is a part of another one."""
        if self._lowest < component.depth:
            larger = self._open[self._lowest]
            component.join(larger)
            for cut, answer in answers.items():
                larger.keep_cut(cut, answer)
            return
        component.forget()
        for (cuts, key), answer in answers.items():
            cuts.complete.setdefault(key, answer)
        self._lowest = _COMPLETE

    # -- rounds ----------------------------------------------------------------------------------------

    def _solved(self, component: Component, first: Cut) -> Answers:
        """What is known of FIRST; if it is the root of COMPONENT, of all cuts in that, after some rounds."""
        cuts, key = first
        while True:
            known: Answers = {first: cuts.equations.define(key)}
            if self._lowest != component.depth:
                return known
            known |= component.answers()
            if self._is_consistent(component, known):
                break
        for _ in range(limits.ROUNDS - 1):
            if all(_is_exact(cut, answer) for cut, answer in known.items()):
                break
            after = self._round(component, first, known)
            steps = {_progress(cut, known, answer) for cut, answer in after.items()}
            if Progress.LESS in steps or not self._is_consistent(component, known | after):
                break
            known |= after
            if Progress.MORE not in steps:
                break
        component.forget()
        return known

    def _is_consistent(self, component: Component, known: Answers) -> bool:
        """Whether what COMPONENT supposes is true of what is KNOWN of its cuts; which is forgotten."""
        hypotheses = [*component.hypotheses]
        component.forget()
        if not hypotheses:
            return True
        with _last_round(known):
            for cut, answer in known.items():
                component.keep_cut(cut, answer)
            refuted = [name for name, hypothesis in hypotheses if not hypothesis()]
        component.forget()
        self._refuted.update(refuted)
        if not refuted:
            self._confirmed.update(name for name, _ in hypotheses)
        return not refuted

    def _round(self, component: Component, first: Cut, before: Answers) -> Answers:
        """All cuts of COMPONENT, defined from what is known BEFORE; FIRST is open."""
        with _last_round(before):
            after = {cut: answer for cut, answer in before.items() if _is_exact(cut, answer)}
            for cut, answer in after.items():
                component.keep_cut(cut, answer)
            for cuts, key in [cut for cut in before if cut not in after]:
                is_first = (cuts, key) == first
                after[cuts, key] = cuts.equations.define(key) if is_first else self.solve(cuts, key)
            return component.answers() | after


@contextmanager
def _last_round(known: Answers) -> Generator[None]:
    """Within the block, whoever asks for an open cut gets what is KNOWN of it."""
    before = [(cuts.last, dict(cuts.last)) for cuts in {cuts for cuts, _ in known}]
    for (cuts, key), answer in known.items():
        cuts.last[key] = answer
    try:
        yield
    finally:
        for last, old in before:
            last.clear()
            last.update(old)


def _is_exact(cut: Cut, answer: Any) -> bool:
    return cut[0].equations.is_exact(answer)


def _progress(cut: Cut, known: Answers, answer: Any) -> Progress:
    """What ANSWER says of CUT, compared with what is KNOWN."""
    if cut not in known:
        return Progress.MORE
    if _is_exact(cut, known[cut]):
        return Progress.THE_SAME if _is_exact(cut, answer) else Progress.LESS
    return cut[0].equations.progress(cut[1], known[cut], answer)
