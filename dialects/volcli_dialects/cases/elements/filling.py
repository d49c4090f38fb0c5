"""The statement of a window that a loop writes: over the loops of the nest, of the window, of reductions.

The body's operations are followed from the window's source back to what is defined outside of the loop. At
each of them the element that is read is bound to the element that the operation computes: reading
`sum[i]` of `sum[d0] = x[d0, d1]` is reading `x[i, l]` with a new loop l along d1. Where an operation has
several alternatives, as padding has, all of them are read, each under the conditions that tell them apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from xdsl.dialects.builtin import DYNAMIC_INDEX, ShapedType
from xdsl.ir import Operation, OpResult, SSAValue

from volcli.language import questions
from volcli.language.expressions import (
    Atom,
    Dim,
    Expression,
    Index,
    LoopIndex,
    Minimum,
    NotAffine,
    Value,
    constant,
    dim_of,
    loop,
    substitute,
)
from volcli.language.loops import Induction
from volcli.language.programs.branch_reads import chosen_or_computed
from volcli.language.programs.loop_numbers import LoopNumbers
from volcli.language.reads import Access, Alternative, Conjunction, Read, Use, rank_of
from volcli.limits import dialects as limits
from volcli.limits.widths import UNBOUNDED
from volcli_dialects.cases.elements.reaching import Reaching, covers


@dataclass(frozen=True, eq=False)
class Write:
    """`carried[element(l)]` becomes the element of `source` at l, over loops l of the sizes `extents`.

    `nest` are the loops around it, outermost first, `carried` the arguments that hold the tensor.
    """

    element: tuple[Expression, ...]
    source: SSAValue
    index: tuple[Index, ...]
    bounded: SSAValue
    """The value of whose sizes the loops l run."""
    nest: tuple[Induction, ...] = ()
    carried: tuple[SSAValue, ...] = ()


@dataclass
class Filling:
    """The statement of one write of the loop OP, put together by `alternative`."""

    op: Operation
    initial: SSAValue
    write: Write
    reads: list[Read] = field(default_factory=list[Read])
    extents: list[tuple[Expression, Expression]] = field(default_factory=list[tuple[Expression, Expression]])
    count: int = 0
    is_copy: bool = True
    _carried_reads: list[Read] = field(default_factory=list[Read])

    def alternative(self) -> Alternative:
        """`R[element] = reads` over the loops of the nest, of the window and of the body's reductions."""
        variables: dict[SSAValue, Expression] = {}
        self.numbers = LoopNumbers(self.op.regions[0].block, variables)
        for induction in self.write.nest:
            self._enter(induction, variables)
        nest = self.count
        own = self._new_loops(rank_of(self.write.bounded))
        for position, size in zip(own, self._sizes(self.write.bounded), strict=True):
            self.extents.append((position, size))
        element = tuple(self._local(e, own) for e in self.write.element)
        self._read(self.write.source, tuple(self._index(e, own) for e in self.write.index))
        keeps = None if self._each_counts(nest, element) else ()
        uses = (Use(),) if self.is_copy else (Use(sees_sign=True),)
        reads = tuple(Read(each.access, each.where, uses) for each in dict.fromkeys(self.reads))
        return Alternative(
            self.count, element, reads, keeps=keeps, extents=tuple(dict.fromkeys(self.extents)),
            yields=None if self.is_copy else self.write.carried[0],
            unordered=0 if all(each.sequential for each in self.write.nest) else nest,
        )  # fmt: skip

    def _enter(self, induction: Induction, variables: dict[SSAValue, Expression]) -> None:
        """One more loop of the nest: `variable = lower + step * l`."""
        step = self._local(induction.step)
        if len(induction.lower) != 1 or not step.is_constant or step.constant < 1:
            raise NotAffine("a loop whose step is not a constant")
        lower = self._local(induction.lower[0])
        (position,) = self._new_loops(1)
        for upper in induction.upper:
            self.extents.append((position, (self._local(upper) - lower).ceildiv(step.constant)))
        variables[induction.variable] = lower + position * step.constant

    def _new_loops(self, count: int) -> list[Expression]:
        self.count += count
        if self.count > limits.FILLING_LOOPS:
            raise NotAffine("too many loops")
        return [loop(k) for k in range(self.count - count, self.count)]

    def _each_counts(self, nest: int, element: tuple[Expression, ...]) -> bool:
        """Whether every loop point's reads count, and not those of an element's last point alone."""
        is_parallel = not all(each.sequential for each in self.write.nest)
        if self._carried_reads:
            if not is_parallel and any(each.access.index != element for each in self._carried_reads):
                raise NotAffine("an iteration reads other elements of the carried tensor than it writes")
            if any(not each.where for each in self._carried_reads):
                return True
        if is_parallel or all(self._separates(k, nest, element) for k in range(nest)):
            return True
        if self._carried_reads:
            raise NotAffine("what an iteration keeps of an element is decided by a condition")
        if self.count != nest + rank_of(self.write.bounded):
            raise NotAffine("an iteration overwrites what those before it wrote")
        return False

    def _separates(self, k: int, nest: int, element: Sequence[Expression]) -> bool:
        """Whether loop K of the NEST moves some dimension of the window by more than its width."""
        for index in element:
            moving = [(a.position, c) for a, c in index.terms if isinstance(a, LoopIndex)]
            inside = [a for a in index.atoms() if isinstance(a, LoopIndex)]
            if len(inside) != len(moving) or [p for p, _ in moving if p < nest] != [k]:
                continue
            widths = [abs(c) * (self._most(p) - 1) for p, c in moving if p >= nest]
            step = next(abs(c) for p, c in moving if p == k)
            if sum(widths) < step:
                return True
        return False

    def _most(self, position: int) -> int:
        """No fewer than the iterations of a loop; more than any step where no number bounds them."""
        sizes = [size for index, size in self.extents if index == loop(position)]
        known = [e.constant for size in sizes for e in _least(size) if e.is_constant]
        return min(known, default=UNBOUNDED)

    # -- values of the body ----------------------------------------------------------------------------

    def _read(self, value: SSAValue, index: tuple[Index, ...], where: tuple[Expression, ...] = ()) -> None:
        """The element of VALUE at INDEX is read, where all of WHERE are >= 0."""
        if value in self.write.carried:
            self._carried_reads.append(Read(Access(self.initial, index), where))
            self.reads.append(self._carried_reads[-1])
        elif not self.numbers.is_inside(value) or _is_constant(value):
            self.reads.append(Read(Access(value, index), where))
        elif isinstance(value, OpResult):
            self._computed(value, index, where)
        elif not isinstance(self.numbers.arguments.get(value), Expression):
            raise NotAffine("a tensor that another loop carries")

    def _computed(self, value: OpResult, index: tuple[Index, ...], where: tuple[Expression, ...]) -> None:
        """VALUE is computed in the body: its operation's reads, at the loop points of this element."""
        stated = chosen_or_computed(value.op)
        if stated is None:
            raise NotAffine(f"{value.op.name} has no case")
        answer = stated[value.index]
        if answer.inexact is not None or answer.parametric or answer.opaque:
            raise NotAffine(answer.inexact or f"{value.op.name} in its body")
        if not answer.alternatives:
            return
        first, *others = answer.alternatives
        if others and covers(first, value):
            others = []
        if others or where:
            self._first_that_reaches([first, *others], tuple(map(_known, index)), where)
            return
        if first.keeps is not None:
            raise NotAffine(f"{value.op.name} in its body overwrites its results")
        own = self._bound(first, index)
        for access in first.bounds:
            for each, size in zip(access.index, self._sizes(access.operand), strict=True):
                self.extents.append((self._local(_known(each), own), size))
        self.extents += [(self._local(e, own), self._local(size, own)) for e, size in first.extents]
        self.is_copy &= first.yields is None and len(first.reads) == 1 and not first.reads[0].where
        for read in first.reads:
            self._through(read, own, ())

    def _through(self, read: Read, own: Sequence[Expression], where: Conjunction) -> None:
        """READ of an operation of the body, whose loops are OWN, where all of WHERE are >= 0."""
        further = tuple(self._local(e, own) for e in read.where)
        element = tuple(self._index(e, own) for e in read.access.index)
        self._read(read.access.operand, element, tuple(dict.fromkeys((*where, *further))))

    def _first_that_reaches(
        self, alternatives: Sequence[Alternative], index: Sequence[Expression], where: Conjunction
    ) -> None:
        """The reads of the first of ALTERNATIVES that reaches INDEX, each under conditions of its own.

        Where WHERE does not hold, something else is read: no loop point may be left out for these reads.
        """
        reaching = Reaching(self._local, self._sizes, self._new_loops)
        rest: list[Conjunction] = [where]
        self.is_copy = False
        for number, stated in enumerate(alternatives):
            if stated.keeps is not None:
                raise NotAffine("an operation in its body overwrites its results")
            found = reaching.of(stated, index, covers=number == len(alternatives) - 1)
            self.extents += found.extents
            when = [e for e in found.when if not self._holds(e)]
            within = tuple(e for e in found.within if not self._holds(e))
            for conditions in rest:
                for read in stated.reads:
                    self._through(read, found.own, (*conditions, *when, *within))
            rest = [(*conditions, -e - 1) for conditions in rest for e in when]
            if len(rest) > limits.FILLING_CASES:
                raise NotAffine("too many cases")

    def _holds(self, condition: Expression) -> bool:
        """Whether CONDITION is at least 0 at all loop points, by one of their bounds."""
        if condition.is_constant:
            return condition.constant >= 0
        return any(condition in (index, size - 1 - index) for index, size in self.extents)

    def _bound(self, stated: Alternative, index: tuple[Index, ...]) -> list[Expression]:
        """The loops of STATED where its element is the one at INDEX: those of the index, and new ones."""
        own: dict[int, Expression] = {}
        rest: list[tuple[Expression, Expression]] = []
        for expression, wanted in zip(stated.element, map(_known, index), strict=True):
            atom = expression.single_atom
            if isinstance(atom, LoopIndex) and atom.position not in own:
                own[atom.position] = wanted
            else:
                rest.append((expression, wanted))
        for position in range(stated.loops):
            if position not in own:
                (own[position],) = self._new_loops(1)
        found = [own[position] for position in range(stated.loops)]
        self.extents += [(self._local(e, found) - wanted, constant(1)) for e, wanted in rest]
        return found

    # -- numbers of the body ---------------------------------------------------------------------------

    def _index(self, index: Index, own: Sequence[Expression]) -> Expression:
        return self._local(_known(index), own)

    def _local(self, expression: Expression, own: Sequence[Expression] = ()) -> Expression:
        """EXPRESSION over the loops of the statement, OWN being those that it is stated over."""

        def leaf(atom: Atom) -> Expression | None:
            match atom:
                case LoopIndex(position):
                    return own[position]
                case Value():
                    number = self.numbers.expression(atom.value)
                    if number is None:
                        raise NotAffine("a number of the body is not affine in its loops")
                    return substitute(number, self._outside)
                case _:
                    return self._outside(atom)

        return substitute(expression, leaf)

    def _outside(self, atom: Atom) -> Expression | None:
        """A size of a tensor of the body, and a constant, as what they are."""
        if isinstance(atom, Dim) and self.numbers.is_inside(atom.value):
            return self._sizes(atom.value)[atom.dimension]
        if isinstance(atom, Value) and isinstance(atom.value, OpResult) and not atom.value.op.operands:
            known = questions.index_value(atom.value.op)
            return known if known is not None and known.is_constant else None
        return None

    def _sizes(self, value: SSAValue) -> list[Expression]:
        """The sizes of VALUE over the loops of the nest."""
        kind = value.type
        if not isinstance(kind, ShapedType):
            return []
        if value in self.write.carried:
            value = self.initial
        shape = kind.get_shape()
        return [constant(n) if n != DYNAMIC_INDEX else self._size(value, d) for d, n in enumerate(shape)]

    def _size(self, value: SSAValue, dimension: int) -> Expression:
        if not self.numbers.is_inside(value):
            return dim_of(value, dimension)
        stated = questions.result_sizes(value.op) if isinstance(value, OpResult) else None
        size = stated[value.index][dimension] if stated and isinstance(value, OpResult) else None
        if size is None:
            raise NotAffine("a tensor of the body whose size is not known")
        return self._local(size)


def _known(index: Index) -> Expression:
    if not isinstance(index, Expression):
        raise NotAffine("an index that is not affine")
    return index


def _least(size: Expression) -> Sequence[Expression]:
    """Expressions of which SIZE is no greater than any."""
    return atom.operands if isinstance(atom := size.single_atom, Minimum) else (size,)


def _is_constant(value: SSAValue) -> bool:
    return isinstance(value, OpResult) and questions.constant_fill.answers(type(value.op))
