"""What a function needs of its arguments: the weakest precondition under which its accesses stay in bounds.

Let O_k(a) say that the k-th access, or a call of a function that has such a precondition itself, goes out
of bounds in a call with the arguments a. What does so whatever the arguments are is an error of its own. The
others, among them what does so wherever it runs, but does not run for all arguments, need

    P(a) = not O_1(a) and ... and not O_n(a)

    affine.for %i = 0 to 10 { load %a[%i]; load %b[%i, %n] }
                                      dim(%a, 0) >= 10 and dim(%b, 0) >= 10 and 0 <= %n < dim(%b, 1)

P is the weakest condition if unknown values (what is loaded, say) have no part in it. If they have, some
values of theirs may keep an access inside: then there is a `necessary` condition, without which an access
leaves its buffer whatever they are, and a `sufficient` one, with which none does. Where something is not
`known`, nothing is sufficient for all of it.

    store %m[%x + %n], with a loaded %x         necessary: dim(%m, 0) > 0; nothing is sufficient

Beside that, a function is undefined for arguments that its operations do not allow. What is demanded by the
operations that run in each call, before anything may end it, callers have to see to as well: a `Demand`.

    load %a[%i]; memref.cast %a : memref<?xf32> to memref<8xf32>
                                                0 <= %i <= 7, and dim(%a, 0) = 8 is demanded
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce

import islpy as isl
from xdsl.ir import BlockArgument

from volcli.language.expressions import Dim
from volcli.language.reads import Disjunction
from volcli.limits import memory as limits
from volcli.model.memory.checks.answers.conditions import said
from volcli.model.memory.dependences.model import Memory
from volcli.model.memory.occurrence.certainty import CallArguments, without_unknown
from volcli.model.values.terms.variables import Variable
from volcli.presburger.limits.budget import DEFAULT_OPERATIONS, BudgetExceeded, budget
from volcli.presburger.sets.build import DIM, parameter_space
from volcli.presburger.sets.names import parameters_in, parameters_of_space
from volcli.presburger.sets.unwieldy import Allowance, is_dear


@dataclass(frozen=True)
class Argument:
    """The argument at a `position`, or the size of one of its dimensions."""

    position: int
    dimension: int | None = None


@dataclass(frozen=True, eq=False)
class Demand:
    """What a function does not work without, whatever it accesses: a set over some of its `arguments`."""

    arguments: tuple[Argument, ...]
    names: tuple[str, ...]
    points: isl.Set
    text: str


@dataclass(frozen=True, eq=False)
class Precondition:
    """The arguments with which a function stays in bounds, at most (`necessary`) and at least (`sufficient`).

    Both are sets over the `arguments` that matter, and say something of those alone that are `callable`.
    It is `never` fulfilled if no arguments are in `necessary`. The `text`, None if it takes too many words,
    `is_necessary`, or `is_sufficient` for all that the function accesses, or both: the weakest precondition.
    Where it took too much to say what some accesses need, that is left out, and `because` says so: without
    it the rest is necessary, and nothing is sufficient.
    """

    arguments: tuple[Argument, ...]
    names: tuple[str, ...]
    necessary: isl.Set
    sufficient: isl.Set
    is_necessary: bool
    is_sufficient: bool
    never: bool
    text: str | None
    callable: isl.Set
    because: str | None = None


def precondition(
    memory: Memory,
    found: Sequence[CallArguments],
    operations: int = DEFAULT_OPERATIONS,
    *,
    known: bool = True,
) -> Precondition | None:
    """What keeps all that is FOUND from happening; None if nothing is, or that is too much to ask.

    Unless all is KNOWN, there is more than what was FOUND.
    """
    if not found:
        return None
    has_dear = any(is_dear(points) for calls in found for points in (calls.may, calls.runs))
    try:
        with budget(operations // (limits.DIVIDED_SHARE if has_dear else 1)):
            allowance = Allowance(operations, operations // limits.CERTAIN_SHARE)
            return _Conditions(memory).of(found, allowance, known=known)
    except BudgetExceeded:
        return None


def demanded(
    memory: Memory, stated: Sequence[Disjunction], operations: int = DEFAULT_OPERATIONS
) -> Demand | None:
    """What a function demands of arguments; None if that is nothing, or not known.

    That is what it has STATED to assume, and what operations demand that run in each call. Of unknown values
    the best are supposed, so that what is not demanded may be undefined, too.
    """
    try:
        with budget(operations):
            return _Conditions(memory).demanded(stated)
    except BudgetExceeded:
        return None


def is_avoidable(memory: Memory, calls: CallArguments, operations: int = DEFAULT_OPERATIONS) -> bool:
    """Whether what happens in CALLS does not, for some arguments; false if that is too much to ask."""
    try:
        with budget(operations):
            return _Conditions(memory).is_avoidable(calls)
    except BudgetExceeded:
        return False


class _Conditions:
    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._elimination = memory.bounds.elimination

    def is_avoidable(self, calls: CallArguments) -> bool:
        context = self._callable(self._variables([calls]))
        return not context.is_subset(calls.surely)

    def of(self, found: Sequence[CallArguments], allowance: Allowance, *, known: bool) -> Precondition:
        variables = self._variables(found)
        context = self._callable(variables)
        if all(calls.may.is_disjoint(context) for calls in found):
            context = self._possible(variables)  # operations demand that, or nothing would happen
        necessary, because = self._without((calls.surely for calls in found), context, allowance)
        sufficient = necessary
        if because is None and not all(calls.surely.plain_is_equal(calls.may) for calls in found):
            sufficient, because = self._without((calls.may for calls in found), context, allowance)
        if because is not None:
            sufficient = isl.Set.empty(sufficient.get_space())
        weakest = bool((necessary & context).is_subset(sufficient))
        never = bool((necessary & context).is_empty())
        is_necessary = weakest or bool((sufficient & context).is_empty())
        shown = _without_idle(necessary if is_necessary else sufficient, context)
        text, is_all = (None, True) if never else self._text(shown, found, context)
        if is_necessary and not weakest and not is_all:
            text = None  # a part of what is necessary is neither
        return Precondition(
            tuple(map(self._argument, variables)),
            tuple(map(self._memory.bounds.texts.of_variable, variables)),
            self._over(variables, necessary),
            self._over(variables, sufficient),
            is_necessary and is_all,
            known and because is None and (weakest or not is_necessary),
            never,
            text,
            self._over(variables, context),
            because,
        )

    def _variables(self, found: Iterable[CallArguments]) -> list[Variable]:
        """What the sets speak of, in the order of the program."""
        return self._mentioned(points for calls in found for points in (calls.surely, calls.may))

    def _mentioned(self, sets: Iterable[isl.Set]) -> list[Variable]:
        names = {name for points in sets for name in parameters_in(points)}
        return sorted(map(self._elimination.variable, names), key=self._memory.bounds.definitions.order)

    @staticmethod
    def _argument(variable: Variable) -> Argument:
        assert isinstance(variable.value, BlockArgument)
        return Argument(variable.value.index, variable.dimension if isinstance(variable, Dim) else None)

    def _callable(self, variables: Sequence[Variable]) -> isl.Set:
        """The arguments of calls that are possible, and that operations do not forbid."""
        possible, reached = self._possible(variables), self._reached()
        return possible if reached is None else possible & reached

    def _possible(self, variables: Sequence[Variable]) -> isl.Set:
        """The arguments of calls: no size is negative, an i32 has 32 bits, and what is assumed."""
        result = isl.Set("{ : }")
        for variable in variables:
            result = result.align_params(parameter_space(self._elimination.name(variable)))
            result = result & self._elimination.defined(variable).points
        return result

    def _reached(self) -> isl.Set | None:
        """The arguments with which a call gets to the first operation that may end it; None: to none."""
        last = self._memory.bounds.definitions.outline.last_in_each_call()
        if last is None:
            return None
        reached = without_unknown(self._memory, self._memory.instances.domains.reached(last).points).params()
        return reached & self._memory.bounds.demanded_of_arguments(last)

    def demanded(self, stated: Sequence[Disjunction]) -> Demand | None:
        demands = [*self._run_in_each_call(), *map(self._points, stated)]
        if not demands:
            return None
        points = reduce(isl.Set.intersect, demands)
        variables = self._mentioned([points])
        return Demand(
            tuple(map(self._argument, variables)),
            tuple(map(self._memory.bounds.texts.of_variable, variables)),
            self._over(variables, points),
            said(self._memory, points)[0],
        )

    def _run_in_each_call(self) -> Iterator[isl.Set]:
        """For which arguments the operations are defined that run in each call, if not for all."""
        reached = self._reached()
        if reached is None:
            return
        known = without_unknown(self._memory, self._memory.bounds.assumed_of(reached)).params()
        points = reached.coalesce().gist(known)
        if self._mentioned([points]) and not known.is_subset(points):
            yield points

    def _points(self, condition: Disjunction) -> isl.Set:
        """For which arguments CONDITION holds."""
        parts = (self._elimination.conjunction((), facts).points for facts in condition)
        return reduce(isl.Set.union, parts, isl.Set("{ : false }")).coalesce()

    @staticmethod
    def _without(
        sets: Iterable[isl.Set], context: isl.Set, allowance: Allowance
    ) -> tuple[isl.Set, str | None]:
        """The arguments that are in none of SETS, but for those that are beyond the ALLOWANCE, and why."""
        result, because = isl.Set.universe(context.get_space()), None
        different: list[isl.Set] = []
        for each in sets:
            each = each.coalesce()
            if any(each.plain_is_equal(other) for other in different):
                continue
            different.append(each)
            try:
                with allowance.of(is_dear=is_dear(each) or is_dear(result)):
                    result = (result & each.complement().gist(context)).coalesce()
            except BudgetExceeded as error:
                because = error.reason
        return result.gist(context).coalesce(), because

    def _over(self, variables: Sequence[Variable], points: isl.Set) -> isl.Set:
        """POINTS, over parameters, as a set over VARIABLES."""
        names = [self._elimination.name(variable) for variable in variables]
        for name in names:
            points = points.align_params(parameter_space(name))
        result = isl.Set.from_params(points)
        for name in names:
            position = result.find_dim_by_name(DIM.param, name)
            result = result.move_dims(DIM.set, result.dim(DIM.set), DIM.param, position, 1)
        return result.project_out(DIM.param, 0, result.dim(DIM.param)).reset_tuple_id()

    # -- words -----------------------------------------------------------------------------------------

    def _text(
        self, points: isl.Set, found: Sequence[CallArguments], context: isl.Set
    ) -> tuple[str | None, bool]:
        """POINTS as a condition; `P if R` where R says when anything is accessed, if that is simpler.

        And whether the words say all of them.
        """
        texts = [said(self._memory, points)]
        if points.n_basic_set() > 1:
            texts += self._where_it_runs(points, found, context)
        best, is_all = min(texts, key=lambda each: (not each[1], len(each[0])))
        return best if len(best) <= limits.PRECONDITION_TEXT else None, is_all

    def _where_it_runs(
        self, points: isl.Set, found: Sequence[CallArguments], context: isl.Set
    ) -> list[tuple[str, bool]]:
        runs = isl.Set.empty(context.get_space())
        for calls in found:
            runs = runs | calls.runs
        runs = runs.coalesce() & context
        needed = points.gist(runs).coalesce()
        if not ((needed | runs.complement()) & context).is_equal(points & context):
            return []
        (when, is_all_runs), (what, is_all) = (
            said(self._memory, runs.gist(context)),
            said(self._memory, needed),
        )
        return [(f"{what}, if {when}", is_all)] if is_all_runs else []


def _without_idle(points: isl.Set, context: isl.Set) -> isl.Set:
    """POINTS without parameters that do not matter in CONTEXT: `%n >= 0 or %d = 0`, where %d is not 0."""
    if points.n_basic_set() < 2:
        return points
    for name in parameters_of_space(points):
        inside = points.intersect(context)
        position = inside.find_dim_by_name(DIM.param, name)
        plain = inside.project_out(DIM.param, position, 1).coalesce()
        if plain.intersect(context).is_subset(points):
            points = plain.gist(context).coalesce()
    return points
