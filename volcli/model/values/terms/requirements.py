"""What an operation requires of sizes: they are equal, or the operation is undefined.

    %p = tensor.pad %t low[%n] high[0] ... : tensor<?xf32> to tensor<7xf32>

requires dim(%t, 0) + %n = 7, because its type declares 7; `linalg.matmul` that the sizes along one loop are
equal; `cf.assert` the equalities of its condition, which hold after it.

An *event* is an operation that asserts or demands something, does not always end, or does what is unknown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType, IntegerType, ShapedType
from xdsl.ir import Operation, OpResult, SSAValue

from volcli.language import questions
from volcli.language.expressions import Atom, Dim, Expression, Monomial, NotAffine, constant
from volcli.language.programs.known_loops import is_while
from volcli.language.reads import Conjunction, Disjunction, rank_of
from volcli.model.stated_effects import has_unknown_effects


@dataclass(frozen=True)
class Requirement:
    """After OP, LEFT == RIGHT. `declared`: RIGHT comes from a type only. `what`: text for messages."""

    op: Operation
    left: Expression
    right: Expression
    what: str
    declared: bool = False


@dataclass(frozen=True)
class Conflict:
    """Two sizes that must agree and provably do not; `declared` if one is only the declared type."""

    op: Operation
    message: str
    declared: bool


def requirements(
    op: Operation,
    name_of: Callable[[SSAValue], str],
    sizes_of: Callable[[Operation], Sequence[questions.Sizes]] | None = None,
) -> Iterator[Requirement]:
    """What OP requires, but for what two numbers of types say: declared sizes first.

    SIZES_OF are the stated sizes, where somebody keeps them.
    """
    if any(isinstance(r.type, ShapedType) for r in op.results):
        for result, sizes in zip(op.results, (sizes_of or stated_sizes)(op), strict=True):
            yield from _declared(op, result, sizes, name_of)
    try:
        stated = questions.size_facts(op) or ()
    except (NotAffine, RecursionError):  # a condition of thousands of terms asserts nothing of use
        return
    for fact in stated:
        known = number_in_type(fact.left)
        if known is None or known != number_in_type(fact.right):
            yield Requirement(op, fact.left, fact.right, fact.what)


def _declared(
    op: Operation, result: OpResult, sizes: questions.Sizes, name_of: Callable[[SSAValue], str]
) -> Iterator[Requirement]:
    if not isinstance(result.type, ShapedType):
        return
    for position, (declared, size) in enumerate(zip(result.type.get_shape(), sizes, strict=True)):
        if size is not None and declared != DYNAMIC_INDEX and number_in_type(size) != declared:
            what = f"dimension {position} of {name_of(result)}"
            yield Requirement(op, size, constant(declared), what, declared=True)


def stated_sizes(op: Operation) -> list[questions.Sizes]:
    """What OP says of its results' sizes, per result and dimension; None where it says nothing."""
    ranks = [rank_of(result) for result in op.results]
    try:
        stated = questions.result_sizes(op)
    except NotAffine:
        stated = None
    if stated is None or len(stated) != len(ranks):  # the second is an invalid operation
        return [(None,) * rank for rank in ranks]
    return [s if len(s) == rank else (None,) * rank for s, rank in zip(stated, ranks, strict=True)]


def number_in_type(size: Expression) -> int | None:
    """The number that SIZE is by what types declare: sums and products of such sizes, too."""
    total = size.constant
    for atom, factor in size.terms:
        number = _declared_number(atom)
        if number is None:
            return None
        total += factor * number
    return total


def _declared_number(atom: Atom) -> int | None:
    match atom:
        case Dim(value, dimension):
            shape = value.type.get_shape() if isinstance(value.type, ShapedType) else ()
            known = shape[dimension] if dimension < len(shape) else DYNAMIC_INDEX
            return None if known == DYNAMIC_INDEX else known
        case Monomial(left, right):
            first, second = number_in_type(left), number_in_type(right)
            return None if first is None or second is None else first * second
        case _:
            return None


def is_event(op: Operation) -> bool:
    """Whether OP asserts something, or goes on until something holds."""
    return questions.assumptions.answers(type(op)) or is_while(op)


def may_be_undefined(op: Operation) -> bool:
    """Whether OP demands something of integers that is not always so, as a division does of its divisor."""
    if not questions.demands.answers(type(op)) or len(op.results) != 1:
        return False
    if not isinstance(op.results[0].type, IntegerType | IndexType):
        return False
    stated = questions.demands(op) or ()
    return not all(any(map(_is_always, condition)) for condition in stated)


def _is_always(conjunction: Conjunction) -> bool:
    return all(each.is_constant and each.constant >= 0 for each in conjunction)


def asserted_by(op: Operation) -> Sequence[Disjunction]:
    """What holds once OP has run: what it asserts, or demands of its operands."""
    return questions.assumptions(op) or questions.demands(op) or ()


def may_end(op: Operation) -> bool:
    """Whether the execution may end at OP, apart from what is in its regions."""
    return is_event(op) or has_unknown_effects(op)
