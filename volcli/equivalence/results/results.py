"""What the elements of a result are computed from, by the case of its operation."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import islpy as isl
from xdsl.dialects.builtin import IntegerType, i1
from xdsl.ir import Attribute, Block, BlockArgument, OpResult, SSAValue

from volcli.equivalence.paths.ends import Ends, add, merge
from volcli.equivalence.paths.leaves import COMPUTED, NUMBER, UNDEFINED, Leaf, LeafKind, constant_leaf
from volcli.equivalence.paths.paths import Paths, Term
from volcli.equivalence.places.coordinates import Coordinates
from volcli.equivalence.places.numbers import truth
from volcli.equivalence.places.places import NOT_AFFINE, Places, nowhere
from volcli.equivalence.results.absorbing import absorbed
from volcli.equivalence.results.constants import truth_or_number
from volcli.equivalence.results.laws import Laws
from volcli.language import questions
from volcli.language.expressions import Expression, NotAffine, constant, loop, loops
from volcli.language.interface import operation_name
from volcli.language.memory import Effect, MemoryAccess
from volcli.language.programs.element_numbers import number_of
from volcli.language.questions import Vanishing
from volcli.language.reads import Alternative, Disjunction, element_type, is_number, rank_of
from volcli.presburger.sets import build
from volcli.presburger.sets.build import DIM

Backwards = Callable[[Block, Ends], Ends]
"""The step back through a block."""


def as_number(places: Places, value: SSAValue, paths: Paths, depth: int) -> Paths | None:
    """PATHS to the scalar VALUE as paths to the number that it is; None if it is none."""
    if rank_of(value) or not is_number(value):
        return None
    try:
        number = places.numbers.value(value)
    except NotAffine:
        return None
    return paths.through(build.relation(depth, (number,)))


class Results:
    """The backward steps through operations without a loop or a branch."""

    def __init__(self, places: Places, block: Backwards, laws: Laws) -> None:
        self._places = places
        self._block = block
        self._laws = laws
        self._coordinates = Coordinates(places)

    def replace(self, result: OpResult, paths: Paths, found: Ends) -> None:
        """Let FOUND be what RESULT, where PATHS lead, is computed from. Raises NotAffine."""
        op = result.op
        depth = self._places.numbers.around(op)
        if self._laws.sure(result) and (number := as_number(self._places, result, paths, depth)) is not None:
            add(found, NUMBER, number)
            return
        if questions.constant_fill.answers(type(op)):
            self._constant(result, paths, found, depth)
            return
        if (given := self._laws.given(result)) is not None:
            self._given(result, given, paths, found, depth)
            return
        if questions.vanishing(op) is Vanishing.BY_CONDITION and self._selected(result, paths, found, depth):
            return
        if accesses := questions.accesses(op):
            self._loaded(result, accesses, paths, found, depth)
            return
        self._computed(result, paths, found, depth)

    def is_decided(self, result: OpResult) -> bool:
        """Whether RESULT is a number, or one of its operands, that coordinates or a law decide."""
        op, depth = result.op, self._places.numbers.around(result.op)
        if not rank_of(result) and is_number(result) and self._laws.sure(result):
            try:
                self._places.numbers.value(result)
            except NotAffine:
                pass
            else:
                return True
        if self._laws.given(result) is not None:
            return True
        is_choice = questions.vanishing(op) is Vanishing.BY_CONDITION
        return is_choice and self._holds(op.operands[0], depth, rank_of(result)) is not None

    def _given(self, result: OpResult, given: SSAValue | int, paths: Paths, found: Ends, depth: int) -> None:
        """RESULT is the operand or number GIVEN."""
        rank = rank_of(result)
        if isinstance(given, int):
            _add_number(found, given, result.type, paths, depth + rank)
        else:
            add(found, given, paths.through(self._places.to_value(given, depth, rank)))

    def _constant(self, result: OpResult, paths: Paths, found: Ends, depth: int) -> None:
        rank = rank_of(result)
        number = questions.constant_fill(result.op)
        if number is not None:
            _add_number(found, number, result.type, paths, depth + rank)
        else:
            literal = questions.literal(result.op)
            if literal is None:
                raise NotAffine(f"the elements of {operation_name(result.op)} are not known")
            elements = build.relation(depth + rank, tuple(loop(depth + k) for k in range(rank)))
            add(found, Leaf(LeafKind.CONSTANT, literal, rank), paths.through(elements))

    def _selected(self, result: OpResult, paths: Paths, found: Ends, depth: int) -> bool:
        """Follow the operand that is chosen, where a condition on coordinates chooses it."""
        chosen, yes, no = result.op.operands
        rank = rank_of(result)
        holds = self._holds(chosen, depth, rank)
        if holds is None:
            if self._coordinates.decide(chosen):
                raise NotAffine("a choice by loops, arguments or constants is not affine")
            return False
        for value, points in ((yes, holds), (no, holds.complement())):
            inside = paths.within(points)
            add(found, value, inside.through(self._places.to_value(value, depth, rank)))
        return True

    def _holds(self, chosen: SSAValue, depth: int, rank: int) -> isl.Set | None:
        """The elements for which the truth or the tensor of truths CHOSEN holds; None if data decides."""
        if not self._laws.sure(chosen):
            return None
        if chosen.type == i1:
            split = self._places.numbers.condition(chosen)
            if split is None:
                return None
            return self._places.where(split.true, 0, depth).add_dims(DIM.set, rank)
        number = number_of(chosen)
        if number is None:
            return None
        try:
            resolved = self._places.numbers.expression(number, depth)
        except NotAffine:
            return None
        return self._places.where(truth(resolved).true, 0, depth + rank)

    def _loaded(
        self, result: OpResult, accesses: Sequence[MemoryAccess], paths: Paths, found: Ends, depth: int
    ) -> None:
        """A load, of an element or of as many as the result has; what is not read is another value."""
        if len(accesses) != 1 or accesses[0].effect is not Effect.READ or accesses[0].partial is not None:
            raise NotAffine(f"{operation_name(result.op)} is not followed")
        (read,) = accesses
        root, relation = self._places.in_memory(read, depth)
        relation = self._places.lanes(read, result, depth).apply_range(relation)
        add(found, root, paths.through(relation))
        if read.where:
            rest = paths.outside(relation.domain())
            if read.otherwise is None:
                add(found, UNDEFINED, nowhere(rest))
            else:
                rank = rank_of(read.otherwise)
                to = self._places.element(read.otherwise, loops(rank), depth, rank_of(result))
                add(found, read.otherwise, rest.through(to))

    def _computed(self, result: OpResult, paths: Paths, found: Ends, depth: int) -> None:
        """The alternatives of the operation's case, each for the elements that none before it reaches."""
        op = result.op
        stated = questions.element_reads(op)
        if stated is None:
            raise NotAffine(f"{operation_name(op)} has no case")
        reads = stated[result.index].refined(lambda e: self._places.numbers.expression(e, depth))
        if reads.inexact is not None or reads.opaque:
            raise NotAffine(reads.inexact or f"{operation_name(op)} may be computed from anything")
        for alternative in reads.alternatives:
            reached = self._alternative(result, alternative, depth)
            if here := paths.through(reached.reverse()):
                self._from(result, alternative, here, found, depth)
                paths = paths.outside(reached.range())
        add(found, UNDEFINED, nowhere(paths) if paths else paths)

    def _alternative(self, result: OpResult, alternative: Alternative, depth: int) -> isl.Map:
        """`{ [p, l] -> [p, element(l)] }` over the loop points of ALTERNATIVE. Raises NotAffine."""
        if alternative.keeps is not None:
            raise NotAffine("an iteration overwrites what those before it wrote")
        count = alternative.loops
        conditions: list[Expression] = []
        for bound in alternative.bounds:
            for index, size in zip(bound.index, self._places.numbers.sizes(bound.operand), strict=True):
                if not isinstance(index, Expression):
                    raise NotAffine(NOT_AFFINE)
                at = self._places.numbers.expression(index, depth)
                conditions += [at, size - 1 - at]
        for index, size in alternative.extents:
            at = self._places.numbers.expression(index, depth)
            conditions += [at, self._places.numbers.expression(size, depth) - 1 - at]
        element = tuple(self._places.numbers.expression(e, depth) for e in alternative.element)
        relation = build.relation(depth + count, (*loops(depth), *element))
        return relation.intersect_domain(build.nonnegative(depth + count, tuple(conditions)))

    def _from(
        self, result: OpResult, alternative: Alternative, paths: Paths, found: Ends, depth: int
    ) -> None:
        """What the elements at the loop points that PATHS lead to are computed from."""
        yielded, count = alternative.yields, alternative.loops
        block = yielded.owner if isinstance(yielded, BlockArgument) else None
        if isinstance(yielded, OpResult) and yielded is not result:
            block = yielded.op.parent
        if yielded is not None and isinstance(block, Block) and result.op.is_ancestor(block):
            if self._places.numbers.depth(block) != depth + count:
                raise NotAffine(f"the body of {operation_name(result.op)} is not followed")
            inside = self._block(
                block, {yielded: paths.through(self._places.to_value(yielded, depth + count, 0))}
            )
            merge(found, inside)
            return
        is_apart = isinstance(yielded, OpResult) and isinstance(block, Block) and block.parent is None
        if yielded is not None and yielded is not result and not is_apart:
            add(found, yielded, paths.through(self._places.to_value(yielded, depth + count, 0)))
            return
        for read in alternative.reads:
            times = 1 if yielded is None else max(1, list(result.op.operands).count(read.access.operand))
            relation = self._places.element(read.access.operand, read.access.index, depth, count)
            relation = relation.intersect_domain(self._places.where((read.where,), depth, count))
            add(found, read.access.operand, paths.then(Paths((Term(relation, 0, times),))))
        for number, kind, where in _constants(alternative):
            there = nowhere(paths.within(self._places.where(where, depth, count)))
            _add_number(found, number, kind, there, 0)
        if yielded is not None:
            add(found, COMPUTED, nowhere(paths))
            leaf = absorbed(yielded) if isinstance(yielded, OpResult) else None
            if leaf is not None:
                add(found, leaf, nowhere(paths))


def _add_number(found: Ends, number: float, kind: Attribute, paths: Paths, coordinates: int) -> None:
    """Let PATHS, to points of as many COORDINATES, end in the NUMBER, which is of KIND."""
    if isinstance(number, int):
        whole = constant(truth_or_number(number, element_type(kind)))
        add(found, NUMBER, paths.through(build.relation(coordinates, (whole,))))
    else:
        add(found, constant_leaf(number, kind), nowhere(paths))


def _constants(alternative: Alternative) -> Iterator[tuple[float, Attribute, Disjunction]]:
    """The constants that stand in the place of elements, as the zeros of padding do, or start a reduction."""
    if alternative.start is not None and alternative.yields is not None and alternative.left is None:
        kind = element_type(alternative.yields.type)
        yield int(alternative.start) if isinstance(kind, IntegerType) else alternative.start, kind, ((),)
    for chosen, condition in alternative.conditions.items():
        if isinstance(chosen, OpResult) and questions.vanishing(chosen.op) is Vanishing.BY_CONDITION:
            *_, other = chosen.op.operands
            number = questions.constant_fill(other.op) if isinstance(other, OpResult) else None
            if number is not None:
                yield number, other.type, condition.false
