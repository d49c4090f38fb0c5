"""What an execution has behind it when it gets to a place: assertions in regions, and loops that ended.

`Places.holding` knows the conditions that hold in the blocks around a place. Before it, regions have run: of
branches, of loops, of earlier iterations of the loops around it. Let P(x) say that the execution comes by an
assertion C(x), with x the values of an iteration or of a branch. Whoever gets past the region knows

    for all x: P(x) implies C(x),  that is  not exists x: P(x) and not C(x)

which speaks of values from outside of the region only. Behind an scf.while, its condition was false once. So

    scf.for %i = %c0 to %n step %c1 { cf.assert %i < %m }      behind it: %n <= max(%m, 0)

P and C have to be determined by the iteration and by what is outside. If C depends on a leaf inside (a loaded
value), then some value of it satisfies C; that is a weaker condition, and what else the assertion says (of an
element that is loaded again) is not known: a factor without a set, that is not exact, says so. It has what
suffices for it (that the region has no iteration, say), or elements with which it holds (`violations.py`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property

from xdsl.ir import Block, Operation, SSAValue

from volcli.language import questions
from volcli.language.expressions import NotAffine, value_of
from volcli.language.interface import operation_name
from volcli.language.loops import Loop, While
from volcli.language.programs.known_loops import halves, is_while, known_loop, number_of
from volcli.model.values.contexts.branching import Branching
from volcli.model.values.contexts.factors import Factor, Factors, affine
from volcli.model.values.contexts.violations import Violations
from volcli.model.values.elimination.iterations import Iterations
from volcli.model.values.outline.called import Asserted
from volcli.model.values.terms.constraint_set import Kept, Known, always, complement
from volcli.model.values.terms.requirements import asserted_by, may_be_undefined
from volcli.model.values.terms.variables import Variable, variables_of
from volcli.presburger.limits.budget import DEFAULT_OPERATIONS, BudgetExceeded, budget


class History:
    """What holds at the places of a function because of what ran before them, in regions."""

    def __init__(self, factors: Factors, operations: int = DEFAULT_OPERATIONS) -> None:
        self._factors = factors
        self._elimination = factors.elimination
        self._definitions = factors.definitions
        self._operations = operations
        self._known: dict[tuple[Operation, bool], tuple[Factor, ...]] = {}

    @cached_property
    def _iterations(self) -> Iterations:
        return Iterations(self._elimination)

    @cached_property
    def _branching(self) -> Branching:
        return Branching(self._factors)

    @cached_property
    def _violations(self) -> Violations:
        return Violations(self._factors)

    @cached_property
    def _asserted(self) -> Asserted:
        return Asserted(self._definitions.outline.value, affine)

    def factors(self, block: Block | None, time: int) -> Iterator[Factor]:
        """What an execution has behind it that has got to TIME in BLOCK."""
        events = self._definitions.outline.eventful
        while block is not None:
            for op in (op for half in halves(block) for op in events.get(half, ())):
                if self._definitions.place(op) < time:
                    yield from self._of(op, iterations=False)
            parent = block.parent_op()
            if block.parent is not None and block is not block.parent.blocks[0]:
                yield self._entered(block)
            if parent is None or parent is self._definitions.function:
                return
            if not self._is_entered(block):
                yield self._unknown((), f"whether a region of {operation_name(parent)} runs is unknown")
            if parent.parent is not None and parent in events.get(parent.parent, ()):
                yield from self._of(parent, iterations=True)
            block, time = parent.parent, self._definitions.place(parent)

    def _entered(self, block: Block) -> Factor:
        """That a block which is not the first of its region is entered."""
        known = self._branching.entered(block)
        if known.exact:
            return self._factor(known)
        return self._unknown((), known.because or "", is_of_everything=True)

    # -- events --------------------------------------------------------------------------------------------

    @cached_property
    def times(self) -> list[int]:
        """When operations have run that say something of what comes after them, in order."""
        return sorted(
            self._definitions.place(op) for ops in self._definitions.outline.eventful.values() for op in ops
        )

    def nested(self) -> Iterator[tuple[int, Operation, list[Block]]]:
        """The events inside of operations of the function's blocks, and loops that may not end.

        With each: when that operation has run, and the blocks around the event that are inside of it.
        """
        outline = self._definitions.outline
        for op in (
            op for block in self._definitions.function.regions[0].blocks for op in self._inside(block)
        ):
            for event in op.walk():
                if outline.is_event(event) and (event is not op or outline.is_around_itself(op)):
                    yield self._definitions.place(op), event, list(_blocks_between(event, op))

    def _inside(self, block: Block) -> Sequence[Operation]:
        """The operations of BLOCK that have events inside, or are loops that may not end."""
        return self._definitions.outline.eventful.get(block, ())

    def _nested(self, op: Operation) -> Iterator[Operation]:
        """The events in the regions of OP."""
        is_event = self._definitions.outline.is_event
        return (inner for inner in op.walk() if inner is not op and is_event(inner))

    def _of(self, op: Operation, *, iterations: bool) -> tuple[Factor, ...]:
        """What is known once OP has run; or, of a loop, in an iteration of it, because of those before."""
        key = op, iterations
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = tuple(self._before(op) if iterations else self._behind(op))
        return known

    def _behind(self, op: Operation) -> Iterator[Factor]:
        if is_while(op):
            yield self._ended(op)
        elif op in self._definitions.outline.asserting_calls:
            yield from (replace(factor, name=self._name(op)) for factor in self._stated(op))
        for event in self._nested(op):
            yield from self._implied(op, event, None)

    def _before(self, op: Operation) -> Iterator[Factor]:
        """What earlier iterations of the loop OP say; those of a parallel one may be later."""
        loop = known_loop(op)
        if isinstance(loop, Loop) and not all(each.sequential for each in loop.inductions):
            return
        number = None if loop is None else number_of(loop)
        for event in self._nested(op):
            if number is not None:
                yield from self._implied(op, event, number)
            elif loop is not None:
                because = f"{operation_name(event)} in earlier iterations of {operation_name(op)}"
                yield self._unknown((), because, self._name(event), is_of_everything=True)

    # -- loops that end ------------------------------------------------------------------------------------

    def _ended(self, op: Operation) -> Factor:
        """That the loop OP has ended: some state that it reached does not satisfy its condition."""
        try:
            loop = questions.loop(op)
            if not isinstance(loop, While):
                raise NotAffine("a loop of another form")
            with budget(self._operations):
                fails = -self._definitions.resolve(value_of(loop.condition))
                bad = self._elimination.conjunction((), (fails,))
                known = self._violations.outside(op, bad, variables_of(fails))
        except (NotAffine, BudgetExceeded):
            known = Known(always().points, False)
        if known.exact:
            return self._factor(known)
        return self._factor(Known(known.points, False, f"whether {operation_name(op)} ends is unknown"))

    # -- assertions ----------------------------------------------------------------------------------------

    def _implied(self, op: Operation, event: Operation, variable: SSAValue | None) -> Iterator[Factor]:
        """What the EVENT in OP says behind OP; or, in an iteration of VARIABLE, because of earlier ones."""
        name = self._name(event)
        for stated in self._stated(event):
            if stated.is_of_everything:
                yield replace(stated, name=name, event=event)
                continue
            try:
                with budget(self._operations):  # and nothing is asked meanwhile
                    found = list(self._never_violated(op, event, stated, variable))
                yield from found
            except BudgetExceeded as error:
                yield self._unknown(stated.variables, error.reason, name)

    def _stated(self, event: Operation) -> Iterator[Factor]:
        """Each condition that EVENT states, where it is."""
        if is_while(event):
            yield self._ended(event)
            return
        is_call = event in self._definitions.outline.asserting_calls
        try:
            for condition in self._asserted.by(event) if is_call else asserted_by(event):
                yield self._factors.of(condition)
        except NotAffine as error:
            yield self._unknown((), str(error), is_of_everything=is_call)
        yield from self._factors.without_poison(event)

    def _never_violated(
        self, op: Operation, event: Operation, stated: Factor, variable: SSAValue | None
    ) -> Iterator[Factor]:
        """`not exists x: P(x) and not C(x)`, of all iterations, or of those before that of VARIABLE."""
        name, where = self._name(event), f"{operation_name(event)} in {operation_name(op)}"
        path = self._path(op, event)
        if path is None:
            because = f"whether {where} runs is unknown"
            yield self._unknown((), because, name, is_of_everything=True, event=event)
            return
        on_path = list(dict.fromkeys(v for factor in path for v in factor.variables))
        if self._iterations.undetermined(op, on_path):
            because = (
                f"whether {where} runs depends on {self._text(self._iterations.undetermined(op, on_path))}"
            )
            unknown = self._unknown((*on_path, *stated.variables), because, name, event=event)
            yield replace(unknown, sufficient=self._violations.sufficient(op, path, stated, variable))
            return
        if variable is not None and is_while(op):
            loose = self._iterations.unnumbered(op, (*on_path, *stated.variables))
            if loose is not None:
                because = f"{where} is about {self._text([loose])}, of an earlier iteration"
                yield self._unknown((*on_path, *stated.variables), because, name, event=event)
                return
        holds = self._factors.condition(stated)
        leaves = self._iterations.undetermined(op, stated.variables)
        if not leaves:
            yield self._for_all(op, path, holds, variable, name)
            return
        unknown = self._unknown(leaves, f"{where} is about {self._text(leaves)}", name, event=event)
        choice = self._violations.choice(stated, leaves)
        if choice is not None:
            yield replace(unknown, choice=choice)
            return
        determined = Kept(("determined", id(op)), lambda v: not self._iterations.undetermined(op, (v,)))
        holds = self._elimination.onto(determined, holds, stated.variables)
        sufficient = self._violations.sufficient(op, path, stated, variable)
        for factor in (unknown, self._for_all(op, path, holds, variable, name)):
            yield replace(factor, sufficient=sufficient, event=event)

    def _for_all(
        self, op: Operation, path: Sequence[Factor], holds: Known, variable: SSAValue | None, name: str | None
    ) -> Factor:
        """`not exists x: P(x) and not C(x)`, where C HOLDS at least."""
        bad = self._violations.of(op, path, holds, variable)
        if not bad.exact:
            because = bad.because or "a condition is not affine"
            return self._unknown(self._elimination.variables_of(bad.points), because, name)
        return self._factor(Known(complement(bad.points), holds.exact, holds.because), name)

    def _path(self, op: Operation, event: Operation) -> list[Factor] | None:
        """When an execution of OP comes by EVENT, inside; None if that is not known."""
        found: list[Factor] = []
        block = event.parent
        while block is not None:
            parent = block.parent_op()
            if block.parent is None or block is not block.parent.blocks[0] or parent is None:
                return None
            if not self._is_entered(block):
                return None
            found += self._factors.of_block(block)
            if parent is op:
                return found
            block = parent.parent
        return None

    def _is_entered(self, block: Block) -> bool:
        """Whether it is known when BLOCK, the first of a region, runs."""
        op = block.parent_op()
        if op is None or op is self._definitions.function:
            return True
        try:
            guards = questions.guards(op)
            if guards is not None:
                return True
            cases = (questions.loop(op), questions.choices(op), questions.indices(op))
            return any(case is not None for case in cases)
        except NotAffine:
            return False

    # -- factors -------------------------------------------------------------------------------------------

    def _text(self, variables: Sequence[Variable]) -> str:
        return self._definitions.name_of(variables[0].value)

    def _factor(self, known: Known, name: str | None = None) -> Factor:
        known = Known(known.points.drop_unused_params(), known.exact, known.because)
        return Factor(((),), tuple(self._elimination.variables_of(known.points)), name, known)

    def _unknown(
        self,
        variables: Sequence[Variable],
        because: str,
        name: str | None = None,
        *,
        is_of_everything: bool = False,
        event: Operation | None = None,
    ) -> Factor:
        """That something more may hold, of VARIABLES; BECAUSE is why it is not known."""
        known = Known(always().points, False, because)
        return Factor(((),), tuple(variables), name, known, is_of_everything, event)

    def _name(self, event: Operation) -> str | None:
        return None if is_while(event) or may_be_undefined(event) else self._factors.name(event)


def _blocks_between(event: Operation, op: Operation) -> Iterator[Block]:
    """The blocks around EVENT that are inside of OP."""
    while event is not op and event.parent is not None:
        yield event.parent
        parent = event.parent_op()
        if parent is None:
            return
        event = parent
