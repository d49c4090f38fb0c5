"""Which loop points of a structured operation contribute, and which multiply by a structural zero?

A structured operation computes `R[e]` from the loop points l with `element(l) = e`, in their order. Each
takes what the points before have left, the accumulator, to `f(accumulator, operands[index(l)])`. A point is

* *dead* if `f(a, ...) = a` for each accumulator a that may occur there: without the point R is the same, to
  the last bit, and what is left is added up in the same order;
* *live* otherwise.

A body that does not use the initial value has no accumulator: a point is dead there if `f = +0`.

For `f = a + x * w` a point is dead where x or w is a structural zero and the other factor is finite, or may
be taken for finite by `fastmath<nnan,ninf>`. Of integers and of finite constants that needs no flag.
`a + (-0) = a` always, and `a + (+0) = a` unless a is -0, which no sum is that starts with +0; otherwise the
addition must carry `nsz`. Flags that operations lack are assumed only on request; `needs` lists them.
`max(a, -inf) = a` always: the padding around what is pooled is dead.

Example: a transposed convolution of 4 taps and stride 2, as it is lowered. The input is spread with zeros
between, z[2i] = x[i], and `R[o] = sum over k of z[o + k] * w[k]`. The points with o + k even are live: two of
four taps for each o. Of a lower triangular matrix times a dense one, the points (m, n, k) with k <= m are.

Source: IMPACT 2023, sections 5.2 and 5.3, and appendix A.1 (dom R = dom U & dom V of an element-wise product)
for each product that a contraction sums up. IEEE 754-2019, sections 6.1 to 6.3.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce

import islpy as isl
from xdsl.ir import Operation, OpResult, SSAValue

from volcli.language import questions
from volcli.language.kinds import INFINITY, NEGATIVE_INFINITY, NEGATIVE_ZERO, NOTHING, ZERO, Kinds, is_zero
from volcli.language.normal_form import NotAffine
from volcli.language.programs.backward_slices import backward_slice
from volcli.language.questions import Vanishing
from volcli.language.reads import Conjunction
from volcli.model.volumes.domains.parts import Part, as_set, intersection, normalised, union, whatever
from volcli.model.volumes.knowledge.number_kinds import FINITE_FLAGS, Evaluation
from volcli.model.volumes.knowledge.pieces import Pieces, everywhere, where
from volcli.model.volumes.knowledge.sparsity import ElementFlow
from volcli.model.volumes.relations.statements import ResultRelation, Statement

ALL_FLAGS = FINITE_FLAGS | {"nsz"}
"""What `assume-finite` says of every operation: no NaN, no infinity, no sign of a zero matters."""

_LEVELS = tuple(map(frozenset[str], ((), ("nsz",), ("nnan",), ("nnan", "nsz"), FINITE_FLAGS, ALL_FLAGS)))
"""What is assumed, from less to more."""

_SUMS = ("addf", "addi")
_NEUTRAL = {
    **dict.fromkeys((*_SUMS, "ori", "xori"), NEGATIVE_ZERO),
    "maximumf": NEGATIVE_INFINITY,
    "minimumf": INFINITY,
}
"""The number that changes none that it is combined with, by the names of `questions.combines`.

Integers have one zero, which any zero stands for. `maxnumf` of NaN and a number is that number.
"""


@dataclass(frozen=True, eq=False)
class LivePoints:
    """The loop points of a structured operation that contribute; all others may be left out.

    `points` is a set over the operation's loops, in their order, within `domain`, which has all of them. An
    element without a live point is the initial one, or +0 for a result whose `keeps` is false: its body does
    not use the initial value. `needs` are the fastmath flags that operations lack and that this rests on.
    `inexact` says why more points may be counted as live than are, if so.
    """

    domain: isl.Set
    points: isl.Set
    keeps: tuple[bool, ...]
    needs: frozenset[str] = frozenset()
    inexact: str | None = None
    declared: tuple[str, ...] = ()
    """The domains of arguments, in words, that it may rest on: assumptions that callers keep."""

    @property
    def dead(self) -> isl.Set:
        """The loop points that contribute nothing."""
        return self.domain.subtract(self.points).coalesce()

    @property
    def is_everything(self) -> bool:
        """Whether no loop point may be left out."""
        return bool(self.domain.is_subset(self.points))


def products_of(op: Operation) -> int:
    """How often the body of OP's definition multiplies at each loop point."""
    try:
        stated = questions.definition(op)
    except NotAffine:
        return 0
    return sum(
        questions.vanishing(inner) is Vanishing.IF_ANY_OPERAND or bool(questions.factors(inner))
        for each in (() if stated is None else stated.block.ops)
        for inner in each.walk()
    )


def live(flow: ElementFlow, op: Operation, assume_finite: bool = False) -> LivePoints | None:
    """The loop points of OP that contribute to one of its results; None if it is not a structured operation.

    With ASSUME_FINITE all operations are taken to carry `fastmath<nnan,ninf,nsz>`; `needs` says which flags
    that was needed for. Without it the answer holds for all numbers of IEEE 754, but for stated flags.
    """
    levels = _LEVELS if assume_finite else _LEVELS[:1]
    strongest = _under(flow, op, levels[-1])
    if strongest is None or strongest.is_everything:
        return strongest
    return _with_least(flow, op, levels[:-1], strongest)


def _with_least(
    flow: ElementFlow, op: Operation, levels: Sequence[frozenset[str]], strongest: LivePoints
) -> LivePoints:
    """The points of the first of LEVELS that are no more than the STRONGEST ones; of all flags, else these.

    Fewer flags leave more points: where some are not enough, none of them alone is.
    """
    found, too_few = strongest, list[frozenset[str]]()
    for flags in (*levels[:1], *levels[:0:-1]):
        if any(flags < others for others in too_few):
            continue
        under = _under(flow, op, flags)
        if under is None or not under.points.is_subset(strongest.points):
            too_few.append(flags)
        elif not flags:
            return under
        else:
            found = under
    return found


def _under(flow: ElementFlow, op: Operation, assumed: frozenset[str]) -> LivePoints | None:
    """The loop points of OP that contribute, with no more than the flags ASSUMED."""
    facts = flow.under(assumed & FINITE_FLAGS)
    found = [_of_result(facts, result, assumed) for result in op.results]
    known = [each for each in found if each is not None]
    if not known or len(known) < len(found):
        return None
    return reduce(_either, known)


def _either(left: LivePoints, right: LivePoints) -> LivePoints:
    """What contributes to one of the results of LEFT and RIGHT."""
    points = left.points.union(right.points).coalesce()
    needs, inexact = left.needs | right.needs, left.inexact or right.inexact
    declared = tuple(dict.fromkeys((*left.declared, *right.declared)))
    return LivePoints(left.domain, points, (*left.keeps, *right.keeps), needs, inexact, declared)


def _of_result(flow: ElementFlow, result: OpResult, assumed: frozenset[str]) -> LivePoints | None:
    relation = flow.relations.of(result)
    statement = next((s for s in relation.statements if _is_computed(s)), None)
    if statement is None:
        return None
    everything = statement.domain
    contributions = _Contributions(flow, statement, assumed)
    alive = normalised(whatever(contributions.alive(), relation.loaded), lambda: everything)
    points = as_set(alive, everything).intersect(everything).coalesce()
    keeps = contributions.before is not None
    if alive is True:
        return LivePoints(everything, points, (keeps,), inexact=_inexact(flow, relation))
    needed = frozenset(name for value in _operands(relation) for name in flow.facts(value).declared)
    declared = tuple(each.text for each in flow.declared if each.text in needed)
    return LivePoints(everything, points, (keeps,), assumed, _inexact(flow, relation), declared)


def _is_computed(statement: Statement) -> bool:
    """Whether STATEMENT has a body: one that goes on from what was there, or that makes each element anew."""
    source = statement.source
    is_anew = source.yields is not None and statement.is_identity and not source.accumulators
    return source.keeps is None and (source.before is not None or is_anew)


def _operands(relation: ResultRelation) -> dict[SSAValue, None]:
    return dict.fromkeys(read.operand for statement in relation.statements for read in statement.reads)


def _inexact(flow: ElementFlow, relation: ResultRelation) -> str | None:
    reasons = (flow.facts(operand).inexact for operand in _operands(relation))
    return relation.inexact or next((reason for reason in reasons if reason), None)


class _Contributions:
    """What the loop points of one statement do to what was there before, under the flags ASSUMED."""

    def __init__(self, flow: ElementFlow, statement: Statement, assumed: frozenset[str]) -> None:
        self.statement = statement
        self.assumed = assumed
        self.kinds_of: Callable[[SSAValue], Pieces] = lambda value: flow.facts(value).pieces
        source = statement.source
        assert source.passed is not None, "a body"
        self.yielded = source.passed
        self.before = source.before if statement.has_initial(source.before) else None
        self.evaluation = self._evaluated()
        self.occurring = NOTHING if self.before is None else _all_kinds(self.evaluation.scalar(self.before))

    def _evaluated(self) -> Evaluation:
        """The kinds of all scalars, for any accumulator that may occur at any point.

        These are the least kinds that the initial value has and that each point keeps to: a chain of at most
        as many sets as there are kinds.
        """
        flags = self.assumed & FINITE_FLAGS
        evaluation = Evaluation(self.statement, self.kinds_of, flags)
        accumulator = self.statement.source.accumulator
        if accumulator is None or self.before is None:
            return evaluation
        kinds, earlier = _all_kinds(evaluation.initially(accumulator)), NOTHING
        while kinds != earlier:
            earlier = kinds
            evaluation = Evaluation(self.statement, self.kinds_of, flags, everywhere(kinds))
            kinds |= _all_kinds(evaluation.passed())
        return evaluation

    def alive(self) -> Part:
        """The loop points that may not be left out."""
        if self.before is None:
            ignores = self._ignores_signs(self.yielded)
            pieces = self.evaluation.passed()
            return where(pieces, lambda kinds: kinds != ZERO and not (is_zero(kinds) and ignores))
        changed: dict[SSAValue, Part] = {self.before: False}
        block = self.yielded.op.parent if isinstance(self.yielded, OpResult) else None
        for value in () if block is None else backward_slice(self.yielded, block, self.statement.scalars):
            if isinstance(value, OpResult) and value not in self.statement.scalars:
                changed[value] = self._changed(value, lambda v: changed.get(v, True))
        return changed.get(self.yielded, True)

    def _changed(self, value: OpResult, changed: Callable[[SSAValue], Part]) -> Part:
        """The loop points at which VALUE may be another than what was there, as CHANGED says of operands."""
        op = value.op
        if questions.vanishing(op) is Vanishing.BY_CONDITION:
            return self._selected(value, *map(changed, op.operands[1:]))
        found: Part = True
        for kept, added, neutral in _combined(op):
            if (before := changed(kept)) is not True:
                found = intersection(found, union(before, self._harmful(op, added, neutral)))
        return found

    def _harmful(self, op: Operation, added: Sequence[SSAValue], neutral: Kinds) -> Part:
        """The loop points at which OP may add a number that changes what it adds it to.

        That is a number, or product of numbers, other than NEUTRAL: `a + (-0) = a`. If no a is -0, or OP
        ignores the sign, it is one other than zero: `a + (+0) = a` for other numbers a.
        """
        is_sum = is_zero(neutral)
        either = is_sum and (not self.occurring & NEGATIVE_ZERO or self._ignores_signs(op.results[0]))
        pieces = self.evaluation.scalar(added[0]) if len(added) == 1 else self.evaluation.product(op, added)
        return where(pieces, lambda kinds: kinds != neutral and not (is_zero(kinds) and either))

    def _ignores_signs(self, value: SSAValue) -> bool:
        """Whether the sign of a zero VALUE does not matter."""
        stated = questions.fastmath(value.op) if isinstance(value, OpResult) else None
        return "nsz" in self.assumed or "nsz" in (stated or ())

    def _selected(self, value: OpResult, yes: Part, no: Part) -> Part:
        """Where what the select VALUE chooses is changed, as YES and NO are."""
        split = self.statement.conditions.get(value)
        if split is None:
            return union(yes, no)
        chosen = [(when, yes) for when in split.true] + [(when, no) for when in split.false]
        found = (intersection(self._points(when), part) for when, part in chosen)
        return reduce(union, found, False)

    def _points(self, when: Conjunction) -> Part:
        return self.statement.points_where(when) if when else True


def _combined(op: Operation) -> Iterator[tuple[SSAValue, Sequence[SSAValue], Kinds]]:
    """What OP adds up: a scalar, the factors of another one, and which number changes no other one."""
    if (neutral := _NEUTRAL.get(questions.combines(op) or "")) is not None:
        left, right = op.operands
        yield left, [right], neutral
        yield right, [left], neutral
    elif questions.subtracts(op) in _SUMS:
        left, right = op.operands
        yield left, [right], ZERO
    elif (multiplied := questions.factors(op)) and len(op.operands) == len(multiplied) + 1:
        (added,) = (operand for k, operand in enumerate(op.operands) if k not in multiplied)
        yield added, [op.operands[k] for k in multiplied], NEGATIVE_ZERO


def _all_kinds(pieces: Pieces) -> Kinds:
    return reduce(lambda left, right: left | right, (kinds for kinds, _ in pieces), NOTHING)
