"""The alternatives of a result as integer sets and relations.

What a dialect's case states over index expressions (`volcli.language.reads`) is resolved here over the
function's parameters, and becomes, per alternative, a set of loop points, the relation from loop points to
result elements, and one relation from loop points to operand elements per read.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace

from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue

from volcli.language import questions
from volcli.language.definitions import WITHOUT
from volcli.language.expressions import ANY, Dim, Expression, Index, NotAffine, loops
from volcli.language.interface import operation_name
from volcli.language.programs.branch_reads import chosen_or_computed
from volcli.language.programs.provenance import Provenance, loaded
from volcli.language.reads import (
    Access,
    Alternative,
    Around,
    Condition,
    Disjunction,
    ElementReads,
    Read,
    Use,
    captured_values,
    pessimistic,
    rank_of,
)
from volcli.model.stated_effects import effects_of
from volcli.model.values.sizes.sizes import Sizes
from volcli.model.values.terms.simplify import unwrapped
from volcli.model.volumes.relations.loop_points import (
    LoopPoints,
    last_written,
    loop_alone,
    reaches,
    spreads,
    unit_loops,
)
from volcli.model.volumes.relations.statements import ResolvedRead, ResultRelation, Statement, without_order
from volcli.presburger.sets import build


class Relations:
    """Resolves the alternatives of the results of one function's operations; memoised."""

    def __init__(self, store: Sizes) -> None:
        self.store = store
        self.provenance = Provenance(store.function)
        self.without_case: dict[Operation, None] = {}
        self._caseless: set[Operation] = set()
        self.inexact: dict[Operation, str] = {}
        self._stated: dict[Operation, Sequence[ElementReads]] = {}
        self._points = LoopPoints()
        self._indices: dict[tuple[Index, ...], tuple[Index, ...]] = {}
        self._resolved: dict[OpResult, ResultRelation] = {}

    def of(self, result: OpResult) -> ResultRelation:
        """The statements of RESULT; pessimistic where its operation has no case or is not affine."""
        known = self._resolved.get(result)
        if known is None:
            stated = self.stated(result)
            try:
                known = self._resolve(result, stated)
            except NotAffine as error:
                known = self._resolve(result, pessimistic(result.op, result, str(error)))
            self._resolved[result] = known
            if result.op in self._caseless:
                self.without_case[result.op] = None
            elif known.inexact is not None:
                self.inexact[result.op] = known.inexact
        return known

    def stated(self, result: OpResult) -> ElementReads:
        """What the case of RESULT's operation says, over loops and SSA values."""
        op = result.op
        stated = self._stated.get(op)
        if stated is None:
            asked = self._ask(op)
            stated = self._stated[op] = [each.refined(self.store.resolve) for each in asked]
        return stated[result.index]

    def _ask(self, op: Operation) -> Sequence[ElementReads]:
        try:
            answer = chosen_or_computed(op)
        except NotAffine as error:
            return [pessimistic(op, r, str(error)) for r in op.results]
        except RecursionError:
            return [pessimistic(op, r, "a condition is nested too deeply") for r in op.results]
        if answer is None:
            if (reason := questions.element_reads.failure(op)) is None:
                self._caseless.add(op)
                reason = _without_case(op)
            return [pessimistic(op, r, reason) for r in op.results]
        return answer

    def _resolve(self, result: OpResult, stated: ElementReads) -> ResultRelation:
        inexact, statements = stated.inexact, list[Statement]()
        for alternative in stated.alternatives:
            statement, reason = self._statement(result, alternative)
            inexact = inexact or reason
            statements.append(statement)
            if statement.covers:
                break
        relation = ResultRelation(result, tuple(statements), inexact, stated.parametric, stated.opaque)
        return self._sized(self._controlled(relation))

    def _controlled(self, relation: ResultRelation) -> ResultRelation:
        """RELATION with a read, at every loop point, of each loaded value that selects its elements.

        In `%r = tensor.insert %z into %y[%i]` with a loaded %i each element of %r depends on %i: it is %z or
        the element of %y according to it. Not every element need do so (a subscript below 2 selects none
        beyond 1), so that this over-approximates.
        """
        names = dict.fromkeys(name for s in relation.statements for name in s.selectors)
        moving = tuple(n for n in names if self.provenance.is_loaded(self.store.origin(n)))
        if not moving:
            return relation
        values = loaded(self.provenance, map(self.store.origin, moving))
        sources = [v for v in values if v is not relation.result]
        reads = tuple(ResolvedRead(v, (ANY,) * rank_of(v), (), (Use(sees_sign=True),)) for v in sources)
        statements = tuple(replace(s, reads=(*s.reads, *reads)) for s in relation.statements)
        first = self.store.origin(moving[0])
        of_dimension = f"dimension {first.dimension} of " if isinstance(first, Dim) else ""
        subject = of_dimension + self.store.name_of(first.value)
        inexact = relation.inexact or f"{subject}, which selects elements, is loaded from data"
        return replace(relation, statements=statements, inexact=inexact, loaded=moving)

    def _sized(self, relation: ResultRelation) -> ResultRelation:
        """RELATION with a read of the loaded values that the sizes rest on which its elements are made of.

        `tensor.dim %e, %c0` with `%e = tensor.empty(%k)` is %k, that was loaded: it reads %k. What is loaded
        inside of the operation is computed from all that it uses.
        """
        op = relation.result.op
        sizes = self.provenance.loaded_sizes(op) if relation.parametric else []
        if not sizes:
            return relation
        values: dict[SSAValue, None] = {}
        for value in loaded(self.provenance, sizes):
            inside = op.is_ancestor(value.owner)
            values.update(dict.fromkeys((*op.operands, *captured_values(op)) if inside else (value,)))
        reads = tuple(ResolvedRead(v, (ANY,) * rank_of(v), (), (Use(sees_sign=True),)) for v in values)
        rank = rank_of(relation.result)
        nothing = Alternative(rank, loops(rank), ())
        known = relation.statements or (self._statement(relation.result, nothing)[0],)
        statements = tuple(replace(s, reads=(*s.reads, *reads)) for s in known)
        asked = next(size for size in sizes if isinstance(size, Dim))
        reason = f"dimension {asked.dimension} of {self.store.name_of(asked.value)} is loaded from data"
        return replace(relation, statements=statements, sized=reason)

    def _statement(self, result: OpResult, alternative: Alternative) -> tuple[Statement, str | None]:
        store, count = self.store, alternative.loops
        element = tuple(store.resolve(e) for e in alternative.element)
        sizes = store.sizes(result)
        is_identity = element == loops(count) and count == len(sizes)
        bounds, complete = self._bounds(alternative)
        selectors = self._selectors(alternative, tuple(zip(element, sizes, strict=True)))
        bounds = [*zip(element, sizes, strict=True), *bounds]
        domain, covers = self._points.of(count, element, sizes, tuple(bounds), is_identity)
        covers = covers and complete
        reads: list[ResolvedRead] = []
        inexact = without_order(result.op, alternative, element, domain)
        plain = unwrapped(domain)
        if alternative.keeps is not None:
            try:
                domain = last_written(domain, element, self._disjunction(alternative.keeps, plain))
                covers = covers and reaches(element, sizes, domain)
            except NotAffine:
                inexact = "an iteration overwrites what those before it wrote"
        for read in alternative.reads:
            resolved, reason = self._read(read, plain)
            reads.append(resolved)
            inexact = inexact or reason
        if domain is build.box(sizes):
            reads = [self._marked(read, sizes) for read in reads]
        if not complete:
            inexact = inexact or "a bound is not affine"
        scalars = {v: (standing_for(a.operand), self._index(a)) for v, a in alternative.scalars.items()}
        statement = Statement(
            alternative, element, domain, tuple(reads), scalars, self._conditions(alternative, plain),
            unit_loops(bounds), spreads(element), covers, complete, is_identity, self._around(alternative),
            selectors,
        )  # fmt: skip
        return statement, inexact

    def _around(self, alternative: Alternative) -> tuple[Around, ...]:
        found: list[Around] = []
        for each in alternative.around:
            with suppress(NotAffine):
                positions = tuple(map(self.store.resolve, each.positions))
                outside = self.store.resolve(each.outside)
                operand = standing_for(each.operand)
                found.append(replace(each, operand=operand, positions=positions, outside=outside))
        return tuple(found)

    def _selectors(
        self, alternative: Alternative, own: Sequence[tuple[Expression, Expression]]
    ) -> tuple[str, ...]:
        """The parameters on which it depends which elements are read, whether that is affine or not.

        A loop that runs along a dimension of the result, as far as that goes, selects nothing: a larger
        result has more elements, and the others are what they were (OWN are its indices and sizes).
        """
        kept = (e for each in alternative.keeps or () for e in each)
        deciding: list[Index] = [*alternative.element, *kept, *alternative.deciding]
        for read in alternative.reads:
            deciding += (*read.access.index, *read.where)
        along = {pair for pair in own if loop_alone(pair[0]) is not None}
        for bound in alternative.bounds:
            for pair in zip(bound.index, self.store.sizes(bound.operand), strict=True):
                deciding += () if pair in along else pair
        deciding += (e for pair in alternative.extents for e in pair)
        return tuple(dict.fromkeys(name for e in deciding for name in self._parameters(e)))

    def _parameters(self, expression: Index) -> tuple[str, ...]:
        """The parameters that EXPRESSION is computed from; also if it is not affine in them."""
        if not isinstance(expression, Expression):
            return ()
        try:
            return build.parameters_of((self.store.resolve(expression),))
        except NotAffine:
            return build.parameters_of(map(self.store.leaf, expression.atoms()))

    def _marked(self, read: ResolvedRead, sizes: tuple[Expression, ...]) -> ResolvedRead:
        """READ of a statement over the box of SIZES, marked if it is pointwise."""
        if read.where or read.index != loops(len(sizes)) or self.store.sizes(read.operand) != sizes:
            return read
        return replace(read, is_pointwise=True)

    def _read(self, read: Read, plain: Callable[[Expression], Expression]) -> tuple[ResolvedRead, str | None]:
        operand, index = standing_for(read.access.operand), self._index(read.access)
        inexact = None if ANY not in index or ANY in read.access.index else "an index is not affine"
        try:
            where = tuple(plain(self.store.resolve(e)) for e in read.where)
        except NotAffine:
            where, inexact = (), "a condition is not affine"
        index = tuple(plain(e) if isinstance(e, Expression) else e for e in index)
        return ResolvedRead(operand, index, where, read.uses), inexact

    def _conditions(
        self, alternative: Alternative, plain: Callable[[Expression], Expression]
    ) -> dict[SSAValue, Condition]:
        found: dict[SSAValue, Condition] = {}
        for value, stated in alternative.conditions.items():
            with suppress(NotAffine):
                true, false = (self._disjunction(each, plain) for each in (stated.true, stated.false))
                found[value] = Condition(true, false)
        return found

    def _disjunction(self, stated: Disjunction, plain: Callable[[Expression], Expression]) -> Disjunction:
        return tuple(tuple(plain(self.store.resolve(e)) for e in each) for each in stated)

    def _index(self, access: Access) -> tuple[Index, ...]:
        known = self._indices.get(access.index)
        if known is None:
            known = self._indices[access.index] = tuple(self._one_index(e) for e in access.index)
        return known

    def _one_index(self, expression: Index) -> Index:
        if not isinstance(expression, Expression):
            return ANY
        try:
            return self.store.resolve(expression)
        except NotAffine:
            return ANY

    def _bounds(self, alternative: Alternative) -> tuple[list[tuple[Expression, Expression]], bool]:
        """The pairs (index, size) of all bounds, each `0 <= index < size`, and whether none is missing."""
        sized = [(self._index(bound), self.store.sizes(bound.operand)) for bound in alternative.bounds]
        pairs = dict.fromkeys(pair for index, sizes in sized for pair in zip(index, sizes, strict=True))
        pairs |= dict.fromkeys((self._one_index(i), self.store.resolve(n)) for i, n in alternative.extents)
        known = [(index, size) for index, size in pairs if isinstance(index, Expression)]
        return known, len(known) == len(pairs)


def standing_for(value: SSAValue) -> SSAValue:
    """The value that VALUE, an argument of a region that is run once, is; any other value itself."""
    while isinstance(value, BlockArgument) and (around := value.block.parent_op()) is not None:
        passed = questions.passed(around) if questions.passed.answers(type(around)) else None
        region = value.block.parent
        k = next((n for n, each in enumerate(around.regions) if each is region), None)
        if passed is None or k is None or value.index >= len(passed[k]):
            break
        value = passed[k][value.index]
    return value


def _without_case(op: Operation) -> str:
    """Why nothing is known of what OP gives: of a call, that its function is not followed."""
    if not questions.callee.answers(type(op)):
        return WITHOUT.get(operation_name(op), f"{operation_name(op)} has no case")
    called, is_seen = effects_of(op).unknown, questions.callee(op) is not None
    return f"{called} is {'not followed: it recurs, or is too long' if is_seen else 'only declared'}"
