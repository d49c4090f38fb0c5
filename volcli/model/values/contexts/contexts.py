"""What holds at a place: conditions of branches, inductions of loops, assertions, what ran before.

All that holds there is the *context* of the place. An answer about expressions needs the factors of the
context that share variables with them, directly or through others: the others are about something else, and
only matter for whether the place is reached at all. So the context falls into components that share no
variables.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Generator, Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from itertools import chain

from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue

from volcli.language import questions
from volcli.language.expressions import Dim, Expression, NotAffine
from volcli.language.programs.known_loops import halves
from volcli.language.reads import Disjunction
from volcli.language.unchanged import cached_method
from volcli.limits import values as limits
from volcli.model.symbols import entry_of
from volcli.model.values.contexts.completed_events import History
from volcli.model.values.contexts.demands import Agreement
from volcli.model.values.contexts.factors import Factor, Factors
from volcli.model.values.terms.constraint_set import Known, always
from volcli.model.values.terms.variables import Variable, integers_of, variables_of

ProgramPoint = Operation | SSAValue | None
"""An operation or a value: what is said of it holds whenever the program gets there."""


class Contexts:
    """What holds at each program point of a function."""

    def __init__(self, factors: Factors, operations: int) -> None:
        self.definitions = factors.definitions
        self.factors = factors
        self._operations = operations
        self._asserted: dict[Block, list[tuple[int, Factor]]] | None = None
        self._demanded: dict[Operation, list[Factor]] = {}
        self._times: list[int] = []
        self._assumed: list[Factor] = []
        self._chosen: dict[
            tuple[tuple[Expression, ...], tuple[Factor, ...]], tuple[list[Factor], list[Factor]]
        ] = {}
        self._known: dict[tuple[Block | None, int], list[Factor]] = {}
        self._contexts: dict[tuple[Block | int | str | None, ...], list[Factor]] = {}
        self._ignored: frozenset[str] = frozenset()
        self._is_restricted = False
        self._sufficients: dict[Factor, Factor] = {}
        self._quotients: dict[Factor, int] = {}

    @cached_property
    def _history(self) -> History:
        return History(self.factors, self._operations)

    @cached_property
    def _agreement(self) -> Agreement:
        return Agreement(self.factors)

    @cached_property
    def _others(self) -> list[History | Agreement]:
        """What states more here than loops, branches and assertions in the blocks around a place."""
        outline = self.definitions.outline
        found: list[History | Agreement] = []
        if outline.eventful or not outline.is_straight:
            found.append(self._history)
        if any(True for _ in outline.requiring()):
            found.append(self._agreement)
        return found

    def assume(self, name: str, condition: Disjunction) -> None:
        """CONDITION, which has this NAME, holds at all places."""
        self._assumed.append(self.factors.of(condition, name))

    def assumed(self) -> list[Factor]:
        """What holds at all places."""
        return [factor for factor in self._assumed if factor.name not in self._ignored]

    def told(self) -> list[tuple[int, Factor]]:
        """The conditions that hold from some time on in the function's blocks, in order, each once.

        But for the equalities that operations of the first block demand, and what regions leave behind.
        """
        blocks = self.definitions.function.regions[0].blocks
        timed = [pair for block in blocks for pair in self._assertions().get(block, ())]
        timed += [*((-1, factor) for factor in self._assumed), *self._agreement.elsewhere()]
        first: dict[Disjunction, tuple[int, Factor]] = {}
        for time, factor in sorted(timed, key=lambda pair: pair[0]):
            first.setdefault(factor.condition, (time, factor))
        return list(first.values())

    def left_behind(self) -> list[tuple[int, int]]:
        """Of each operation with assertions inside: when it has run, and what they are about, as a mask.

        An assertion that shares no variables with the iterations it is in says nothing of these.
        """
        found: list[tuple[int, int]] = []
        for time, event, around in self._history.nested():
            own = self._mask(self._stated(event) or self._agreement.demands(event))
            path = self._mask(f for block in around for f in self.factors.of_block(block))
            found.append((time, own if own and not own & path else -1))
        return found

    def _mask(self, factors: Iterable[Factor]) -> int:
        """The variables of FACTORS, and all that they are computed from, as a mask."""
        return self.definitions.mask([variable for factor in factors for variable in factor.variables])

    def stated_in(self, segment: int) -> list[Factor]:
        """What is assumed, asserted in the first block before SEGMENT, or demanded of several variables."""
        segments = self.definitions.outline.segments
        self._assertions()
        known = [*self._assumed]
        for op in segments.entry.ops:
            if segments.behind(op) <= segment:
                known += self._stated(op)
                known += (f for f in self._demanded.get(op, ()) if _is_relation(f))
        return _each_once(self._without_ignored(known))

    @contextmanager
    def ignoring(self, names: frozenset[str]) -> Generator[None]:
        """Within the block, what has one of NAMES is not known."""
        before, self._ignored = self._ignored, names
        try:
            yield
        finally:
            self._ignored = before

    @contextmanager
    def restricted(self) -> Generator[None]:
        """Within the block, what is not known exactly is taken for what suffices for it, where that is known.

        What is reached then is reached, and so is attained what is attained then; there may be more.
        """
        before, self._is_restricted = self._is_restricted, True
        try:
            yield
        finally:
            self._is_restricted = before

    def can_be_restricted(self, place: ProgramPoint) -> bool:
        """Whether something that holds at PLACE is not known exactly, but what suffices for it is."""
        return any(factor.sufficient is not None for factor in self._context(place))

    def relevant(self, expressions: Sequence[Expression], places: Sequence[ProgramPoint]) -> list[Factor]:
        """What holds whenever all PLACES are reached, as far as it has to do with EXPRESSIONS."""
        return self._split(expressions, places)[0]

    def unrelated(
        self, expressions: Sequence[Expression], places: Sequence[ProgramPoint]
    ) -> list[tuple[Factor, ...]]:
        """What else holds whenever all PLACES are reached, in groups that share no variables."""
        return self._groups(tuple(self._split(expressions, places)[1]))

    def components(self, places: Sequence[ProgramPoint]) -> list[tuple[Factor, ...]]:
        """All that holds whenever all PLACES are reached, in groups that share no variables."""
        context = self.context(places)
        return self._groups(context) if context else []

    def _split(
        self, expressions: Sequence[Expression], places: Sequence[ProgramPoint]
    ) -> tuple[list[Factor], list[Factor]]:
        factors = self._without_own(self.context(places), expressions)
        if not factors:
            return [], []
        key = tuple(expressions), factors
        found = self._chosen.get(key)
        if found is None:
            found = self._chosen[key] = self._connected(expressions, factors)
        return found

    def _without_own(
        self, factors: tuple[Factor, ...], expressions: Sequence[Expression]
    ) -> tuple[Factor, ...]:
        """FACTORS but for those that definitions of EXPRESSIONS say: that the divisors in them are not 0."""
        if all(factor.demanded_by is None for factor in factors):
            return factors
        mask = self.definitions.mask(self.factors.elimination.all_variables(expressions))
        return tuple(f for f in factors if not self._is_own(f, mask))

    def _is_own(self, factor: Factor, mask: int) -> bool:
        """Whether FACTOR says that a divisor is not 0, of an operation whose result is in MASK, a slice."""
        return factor.demanded_by is not None and bool(mask & self._divided(factor, factor.demanded_by))

    def _divided(self, factor: Factor, op: Operation) -> int:
        """The results of OP, which demands FACTOR, as a mask, if that says that a divisor is not 0."""
        known = self._quotients.get(factor)
        if known is None:
            numbers = chain.from_iterable(map(integers_of, op.results)) if _is_not_zero(factor) else ()
            bits = {self.definitions.bit(variable) for number in numbers for variable in variables_of(number)}
            known = self._quotients[factor] = sum(bits)
        return known

    @cached_method
    def _groups(self, factors: tuple[Factor, ...]) -> list[tuple[Factor, ...]]:
        groups: list[tuple[int, tuple[Factor, ...]]] = []
        every = 0
        for factor in factors:
            mask, members = self.definitions.mask(factor.variables), (factor,)
            if not mask & every:
                every |= mask
                groups.append((mask, members))
                continue
            every |= mask
            others: list[tuple[int, tuple[Factor, ...]]] = []
            for other, group in groups:
                if other & mask:
                    mask, members = mask | other, (*group, *members)
                else:
                    others.append((other, group))
            groups = [*others, (mask, members)]
        return [members for _, members in groups]

    def may_vary(self, expressions: Sequence[Expression], factor: Factor) -> bool:
        """Whether FACTOR may be correlated with EXPRESSIONS although they share no variable.

        The iterations of a loop that does not contain its event are the same ones whatever it lets pass.
        """
        event = factor.event
        if event is None:
            return True
        variables = self.definitions.slice_of(self.factors.elimination.all_variables(expressions))
        return not all(self._is_iteration_apart(variable, event) for variable in variables)

    def _is_iteration_apart(self, variable: Variable, event: Operation) -> bool:
        """Whether VARIABLE goes through the iterations of a loop that is not around EVENT."""
        owner = variable.value.owner
        if isinstance(owner, Block):
            is_iteration = self.definitions.definition(variable).induction is not None
            loop = owner.parent_op() if is_iteration else None
        else:
            loop = questions.iterates(owner)
        return loop is not None and not loop.is_ancestor(event)

    def _connected(
        self, expressions: Sequence[Expression], factors: Sequence[Factor]
    ) -> tuple[list[Factor], list[Factor]]:
        """Those of FACTORS that share variables with EXPRESSIONS, or with others of them; and the rest."""
        mask = self.definitions.mask(self.factors.elimination.all_variables(expressions))
        chosen = [f for f in factors if mask and f.is_of_everything and self.may_vary(expressions, f)]
        remaining = [(f, self.definitions.mask(f.variables)) for f in factors if f not in chosen]
        grown = True
        while grown and len(chosen) < limits.GUARDS:
            grown = False
            for pair in list(remaining):
                if pair[1] & mask and len(chosen) < limits.GUARDS:
                    # An induction variable that is in the slice brings its loop along.
                    if not pair[0].is_induction or pair[1] & ~mask:
                        chosen.append(pair[0])
                        mask |= pair[1]
                        grown = True
                    remaining.remove(pair)
        return chosen, [factor for factor, _ in remaining]

    def context(self, places: Sequence[ProgramPoint]) -> tuple[Factor, ...]:
        """All that holds whenever all PLACES are reached."""
        held = [self._context(place) for place in places]
        found = held[0] if len(held) == 1 else dict.fromkeys(chain.from_iterable(held))
        return tuple(map(self._sufficient, found) if self._is_restricted else found)

    def _sufficient(self, factor: Factor) -> Factor:
        """What suffices for FACTOR."""
        if factor.sufficient is None:
            return factor
        known = self._sufficients.get(factor)
        if known is None:
            variables = tuple(self.factors.elimination.variables_of(factor.sufficient.points))
            known = self._sufficients[factor] = Factor(((),), variables, factor.name, factor.sufficient)
        return known

    def moment(self, place: ProgramPoint) -> Hashable:
        """What decides what holds at PLACE: it is the same at all places of one moment."""
        poison = place if self._may_be_poison(place) else None
        return *self._moment(*self._block_and_time(place)), poison, self._ignored, self._is_restricted

    def _moment(self, block: Block | None, before: int) -> tuple[Block | int | None, ...]:
        """The block, and how much of what is said in the function has been said BEFORE."""
        self._assertions()
        times = self._times, *(each.times for each in self._others)
        return block, *(bisect_left(each, before) for each in times)

    def _context(self, place: ProgramPoint) -> list[Factor]:
        block, before = self._block_and_time(place)
        if self._is_crowded:
            return self._without_ignored(self._guards_alone(block))
        key = self._moment(block, before)
        factors = self._contexts.get(key)
        if factors is None:
            others = (each.factors(block, before) for each in self._others)
            factors = self._contexts[key] = _each_once([*self._holding(block, before), *chain(*others)])
        if self._may_be_poison(place):
            factors = _each_once([*factors, *self._not_poison(place)])
        return self._without_ignored(factors)

    def _may_be_poison(self, place: ProgramPoint) -> bool:
        """Whether what is said of PLACE is said where some number is not poison: it, or its address."""
        poison = self.definitions.outline.poison
        if isinstance(place, Operation):
            return poison.addresses(place)
        return isinstance(place, SSAValue) and poison.is_possible(place)

    @cached_method
    def _not_poison(self, place: ProgramPoint) -> list[Factor]:
        return list(self._without_poison(place))

    def _without_poison(self, place: ProgramPoint) -> Iterator[Factor]:
        match place:
            case Operation():
                yield from self.factors.without_poison(place)
            case OpResult():
                yield from self.factors.without_poison(place.op, place)
            case BlockArgument() if (parent := place.block.parent_op()) is not None:
                yield from self.factors.without_poison(parent, place)
            case _:
                pass

    @cached_property
    def _is_crowded(self) -> bool:
        """Whether so much is stated in the function that to list it at each place would be quadratic."""
        stated = {f.condition for held in self._assertions().values() for _, f in held}
        return (
            len(stated) + sum(len(each.times) for each in self._others if each is self._agreement)
            > limits.STATED_CONDITIONS
        )

    def _guards_alone(self, block: Block | None) -> list[Factor]:
        """What loops and branches around BLOCK say, and that more is stated, which may restrict anything."""
        key = block, "guards"
        factors = self._contexts.get(key)
        if factors is None:
            factors = [*self._assumed, _more_is_stated()]
            around = block
            while around is not None:
                factors += self.factors.of_block(around)
                parent = around.parent_op()
                around = None if parent is None or parent is self.definitions.function else parent.parent
            factors = self._contexts[key] = _each_once(factors)
        return factors

    def holding(self, place: ProgramPoint) -> list[Factor]:
        """What is stated for PLACE: by loops and branches around it, and by assertions in their blocks."""
        return self._without_ignored(self._holding(*self._block_and_time(place)))

    def guards(self, place: ProgramPoint) -> list[Factor]:
        """What operations around PLACE say of when it is reached: loops, branches; no assertions."""
        found: list[Factor] = []
        block = self.block(place)
        while block is not None:
            found.extend(self.factors.of_block(block))
            parent = block.parent_op()
            block = None if parent is None or parent is self.definitions.function else parent.parent
        return found

    def _holding(self, block: Block | None, before: int) -> list[Factor]:
        self._assertions()
        key = block, bisect_left(self._times, before)
        factors = self._known.get(key)
        if factors is None:
            factors = self._known[key] = self._all_holding(block, before)
        return factors

    def _without_ignored(self, factors: list[Factor]) -> list[Factor]:
        return [f for f in factors if f.name not in self._ignored] if self._ignored else factors

    def _all_holding(self, block: Block | None, before: int) -> list[Factor]:
        factors = list(self._assumed)
        while block is not None:
            factors.extend(self.factors.of_block(block))
            for each in halves(block):
                factors.extend(f for time, f in self._assertions().get(each, ()) if time < before)
            parent = block.parent_op()
            if parent is None or parent is self.definitions.function:
                first = entry_of(self.definitions.function)
                factors.extend(f for _, f in self._assertions().get(first, ()) if block is not first)
                break
            block = parent.parent
        return _each_once(factors)

    def block(self, place: ProgramPoint) -> Block | None:
        """The block that PLACE is in."""
        return self._block_and_time(place)[0]

    def _block_and_time(self, place: ProgramPoint) -> tuple[Block | None, int]:
        match place:
            case None:
                return None, -1
            case Operation():
                return place.parent, self.definitions.place(place)
            case BlockArgument():
                return place.block, self.definitions.position(place)
            case OpResult():
                return place.op.parent, self.definitions.position(place)
            case _:
                return None, -1

    def _stated(self, op: Operation) -> list[Factor]:
        """What OP asserts or promises."""
        if op is self.definitions.function or not questions.assumptions.answers(type(op)):
            return []
        try:
            name = self.factors.name(op)
            return [self.factors.of(c, name) for c in questions.assumptions(op) or ()]
        except NotAffine:
            return []

    def _assertions(self) -> dict[Block, list[tuple[int, Factor]]]:
        if self._asserted is None:
            self._asserted = {}
            # What was asserted before holds already.
            met: set[tuple[Block | None, Disjunction | Factor]] = set()
            for op in self.definitions.outline.demanding():
                self._demanded[op] = list(self._agreement.demands(op))
                factors = [*self._stated(op), *self._demanded[op]]
                new = [f for f in factors if (op.parent, _said(f)) not in met]
                met.update((op.parent, _said(factor)) for factor in new)
                if op.parent is not None and new:
                    timed = [(self.definitions.place(op), factor) for factor in new]
                    self._asserted.setdefault(op.parent, []).extend(timed)
            self._times = sorted(time for held in self._asserted.values() for time, _ in held)
        return self._asserted


def _is_not_zero(factor: Factor) -> bool:
    """Whether FACTOR is `e >= 1 or e <= -1` for some e."""
    match factor.condition:
        case ((more,), (less,)):
            total = more + less
            return total.is_constant and total.constant == -2
        case _:
            return False


def _more_is_stated() -> Factor:
    because = f"budget: the function states more than {limits.STATED_CONDITIONS} conditions"
    return Factor(((),), (), known=Known(always().points, False, because), is_of_everything=True)


def _said(factor: Factor) -> Disjunction | Factor:
    """What FACTOR says, or itself where no condition says it."""
    return factor.condition if factor.is_stated else factor


def _each_once(factors: Sequence[Factor]) -> list[Factor]:
    """FACTORS without those that say what another one before them says: one condition is asserted often."""
    found: dict[Disjunction | Factor, Factor] = {}
    for factor in factors:
        found.setdefault(_said(factor), factor)
    return list(found.values())


def _is_relation(factor: Factor) -> bool:
    """Whether FACTOR says more than that a number is no size, or no divisor."""
    return len(factor.variables) > 1 or any(isinstance(variable, Dim) for variable in factor.variables)
