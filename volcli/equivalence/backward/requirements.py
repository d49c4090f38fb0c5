"""For which arguments an operation of a function is undefined, at any point at which it runs.

An operation needs operands whose sizes fit, a divisor that is not 0, sizes of new memory that are not
negative, and an assertion that its condition holds. With the points p of the loops around it, over the
arguments a,

    fails = { a : there is p at which the operation runs, and what it needs does not hold }

    affine.for %i = 0 to %n { arith.divsi %x, %y }              { (n, x, y) : n >= 1 and y = 0 }

Accesses are not among them: whether these are in bounds is said by `model.memory.checks`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import islpy as isl
from xdsl.dialects.builtin import IndexType, i1, i64
from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue
from xdsl.traits import IsTerminator, is_speculatable

from volcli.equivalence.backward.backward import Backward
from volcli.equivalence.backward.deciding import decides, is_dead
from volcli.equivalence.places.defined import needed_of
from volcli.equivalence.results.same import needed_alignment
from volcli.equivalence.results.sure import makes_poison
from volcli.language import questions
from volcli.language.expressions import Atom, Dim, Expression, NotAffine, Value, value_of
from volcli.language.interface import Interface, operation_name
from volcli.language.loops import While
from volcli.language.memory import Effect, Effects
from volcli.language.reads import Access, Disjunction
from volcli.model.memory.buffers.roots import Origin
from volcli.model.stated_effects import effects_of, is_assertion, stated_accesses
from volcli.presburger.limits.budget import BudgetExceeded, budget
from volcli.presburger.sets import build
from volcli.presburger.sets.coalescing import coalesced


@dataclass(frozen=True, eq=False)
class OperationNeed:
    """OP is undefined for the arguments `fails`, at most; exactly for these, if `exact`.

    None: it is not known for which arguments. All `needs`, over its operands, hold, or it is undefined.
    """

    op: Operation
    fails: isl.Set | None
    exact: bool
    needs: tuple[Disjunction, ...] = ()


class OperationNeeds:
    """What the operations of the function of BACKWARD need. Each may cost at most OPERATIONS of isl."""

    def __init__(self, function: Operation, backward: Backward, operations: int) -> None:
        self._function = function
        self._backward = backward
        self._places = backward.places
        self._operations = operations

    def all(self) -> Iterator[OperationNeed]:
        """The operations that are not defined for all arguments, in the order of the text."""
        for op in self._function.walk():
            if op is self._function or op.parent is None:
                continue
            stated = list(_needed(op))
            is_aligned = bool(needed_alignment(op)) and not questions.allocation.answers(type(op))
            if is_aligned or (_promises(op) and not is_dead(op)) or self._may_decide(op):
                yield OperationNeed(op, None, exact=False)  # the same operation needs it in the other program
            if is_undecided(op):
                found = OperationNeed(op, None, exact=False)
            elif stated:
                found = self._of(op, stated)
            else:
                continue
            if found.fails is None or not found.fails.is_empty():
                yield replace(found, needs=tuple(stated))

    def _may_decide(self, op: Operation) -> bool:
        """Whether OP makes poison, or reads what nothing has written, and that decides what happens."""
        reads = [each.memref for each in stated_accesses(op) or () if each.effect is Effect.READ]
        fresh = [root for root in map(self._places.buffers.root, reads) if root.origin is Origin.ALLOCATION]
        written = self._backward.written(self._function) if fresh else ()
        is_unwritten = any(root not in written for root in fresh) or _takes_nothing(op)
        return (makes_poison(op) or is_unwritten) and decides(self._function, op.results)

    def _of(self, op: Operation, stated: list[Disjunction]) -> OperationNeed:
        try:
            with budget(self._operations):
                if all(map(_always_holds, stated)):
                    return OperationNeed(op, isl.Set("{ : false }"), exact=True)
                assert op.parent is not None
                depth = self._places.numbers.depth(op.parent)
                points, exact = self._points(op.parent, depth)
                fails = isl.Set.empty(points.params().get_space())
                for need in stated:
                    holds, is_known = self._holds(need, depth)
                    exact = exact and is_known
                    fails = fails.union(points.subtract(holds).params())
                return OperationNeed(op, coalesced(fails), exact and is_decided(op.parent, self._backward))
        except (NotAffine, BudgetExceeded):
            return OperationNeed(op, None, exact=False)

    def _holds(self, need: Disjunction, depth: int) -> tuple[isl.Set, bool]:
        """The points of DEPTH coordinates at which NEED holds, at least; and whether these are all.

        Raises NotAffine if nothing is known of them.
        """
        found = isl.Set.empty(build.space((), depth))
        count = 0
        for part in need:
            if not all(map(_is_of_index, part)):
                continue
            with suppress(NotAffine):
                found = found.union(self._places.where(self._places.numbers.where((part,)), 0, depth))
                count += 1
        if not count:
            raise NotAffine("it is not known where an operation is defined")
        return found, count == len(need)

    def _points(self, block: Block, depth: int) -> tuple[isl.Set, bool]:
        """The points at which BLOCK runs; all there are, where these are not known."""
        try:
            return self._backward.points(block), True
        except NotAffine:
            return isl.Set.universe(build.space((), depth)), False


def is_decided(block: Block, backward: Backward) -> bool:
    """Whether BLOCK runs at all points that it is said to: data decides about no branch or loop around it."""
    entry = backward.places.numbers.entry
    while block is not entry:
        op, outer = block.parent_op(), block.parent_block()
        if op is None or outer is None or isinstance(questions.loop(op), While):
            return False
        for guard in questions.guards(op) or ():
            try:
                backward.places.numbers.where(guard.condition)
            except NotAffine:
                return False
        block = outer
    return True


def _needed(op: Operation) -> Iterator[Disjunction]:
    """What OP needs: disjunctions that hold, or it is undefined."""
    for left, right in needed_of(op):
        yield ((left - right, right - left),)
    with suppress(NotAffine):
        yield from (tuple(map(tuple, each)) for each in questions.demands(op) or () if each)
    if is_assertion(op):
        yield from questions.assumptions(op) or ()
    with suppress(NotAffine):
        yield from (tuple(map(tuple, each)) for each in questions.requires(op) or () if each)
    allocated = questions.allocation(op)
    for size in () if allocated is None else allocated.sizes:
        yield ((value_of(size),),)


def is_undecided(op: Operation) -> bool:
    """Whether it is not known what OP needs; an operation is total only if a case or a trait says so."""
    if questions.requires.answers(type(op)):
        try:
            return questions.requires(op) is None
        except NotAffine:
            return True
    if is_speculatable(op) or op.has_trait(IsTerminator) or op.name == "func.func":
        return False
    if effects_of(op) != Effects() or stated_accesses(op):
        return False  # what these need is checked where accesses are, and lifetimes
    return not any(question.answers(type(op)) for question in _OF_KNOWN)


def _takes_nothing(op: Operation) -> bool:
    """Whether OP takes elements of a tensor.empty, and not only its sizes."""
    empty = [v for v in op.operands if isinstance(v, OpResult) and operation_name(v.op) == "tensor.empty"]
    if not empty or operation_name(op) == "tensor.dim":
        return False
    try:
        stated = questions.definition(op) if questions.definition.answers(type(op)) else None
    except NotAffine:
        stated = None
    if stated is None:
        return True
    taken = {a.operand for v, a in stated.arguments.items() if isinstance(a, Access) and any(v.uses)}
    taken.update(o.begins for o in stated.outputs if o.begins and o.state and any(o.state.uses))
    return not taken.isdisjoint(empty)


def _promises(op: Operation) -> bool:
    """Whether a flag of OP promises what 64 bits do not keep anyway: these do not overflow with a sign."""
    if "isExact" in op.properties:
        return True
    flags = str(op.properties.get("overflowFlags", ""))
    kind = op.results[0].type if op.results else None
    is_wide = isinstance(kind, IndexType) or kind == i64
    return "nuw" in flags or ("nsw" in flags and not is_wide)


_OF_KNOWN: tuple[Interface[Any], ...] = (
    questions.loop, questions.guards, questions.branches, questions.callee, questions.indices,
    questions.demands, questions.assumptions, questions.size_facts, questions.structured, questions.slice_of,
    questions.view, questions.buffer, questions.allocation, questions.tensor_reads, questions.index_value,
    questions.constant_fill,
)  # fmt: skip
"""A case of one of these says what an operation needs, or that it needs nothing."""


def _always_holds(need: Disjunction) -> bool:
    """Whether NEED holds by its constants alone."""
    return any(all(e.is_constant and e.constant >= 0 for e in map(_folded, each)) for each in need)


def _folded(expression: Expression) -> Expression:
    """EXPRESSION with the numbers of constants."""
    atom, terms = None, expression.terms
    if len(terms) == 1 and isinstance(terms[0][0], Value):
        atom = terms[0][0].value
    number = questions.constant_fill(atom.op) if isinstance(atom, OpResult) else None
    if not isinstance(number, int):
        return expression
    return Expression((), expression.constant + terms[0][1] * number)


def _is_of_index(expression: Expression) -> bool:
    """Whether EXPRESSION is over values that arithmetic does not wrap: indices, arguments and constants."""
    return all(_is_plain(atom) for atom in expression.atoms())


def _is_plain(atom: Atom) -> bool:
    if not isinstance(atom, Value):
        return isinstance(atom, Dim) or not hasattr(atom, "value")
    value: SSAValue = atom.value
    if isinstance(value.type, IndexType) or isinstance(value, BlockArgument):
        return True
    assert isinstance(value, OpResult)
    is_condition = value.type == i1 and bool(questions.condition(value.op))
    return is_condition or questions.constant_fill.answers(type(value.op))
