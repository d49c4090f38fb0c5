"""What is wrong with an operation of tosa or stablehlo: its definition cannot be stated of these parts.

The cases that state which elements an operation reads, and how large its results are, need parts that fit: so
many dimensions, a list of so many numbers, a dimension that there is. Where they do not, the operation is
invalid, for the reason that the case gives. So it is where the sizes that follow are not those of the types:
`(tensor<2x3xf32>) -> tensor<2x3xf32>` for a transposition by [1, 0].
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar

from xdsl.dialects.builtin import DYNAMIC_INDEX, AnyFloat, ComplexType, IndexType, IntegerType
from xdsl.ir import Attribute, Operation

from volcli.language.expressions import Atom, Dim, Expression, Misfit, NotAffine, constant, substitute
from volcli.language.questions import element_reads, result_sizes, size_facts
from volcli_dialects.verification.problems import element_of, messages, sizes_of

T = TypeVar("T")

_OF_INTEGERS = (
    "_shift", "shift_left", "shift_right_arithmetic", "shift_right_logical", "clz", "intdiv", "bitwise_and",
    "bitwise_not", "bitwise_or", "bitwise_xor", "popcnt", "count_leading_zeros",
)  # fmt: skip


def verify_by_definition(
    kinds: Iterable[type[Operation]],
    same_elements: Iterable[type[Operation]] = (),
    never: tuple[type[Attribute], ...] = (),
) -> None:
    """Operations of KINDS are valid where their cases can be stated.

    Those of SAME_ELEMENTS have one type of elements; operands of none have elements of types that are NEVER.
    """
    alike = frozenset(same_elements)
    messages(*kinds)(lambda op: _messages(op, never, is_alike=type(op) in alike))


def _messages(op: Operation, never: tuple[type[Attribute], ...], *, is_alike: bool) -> Iterator[str | None]:
    for number, operand in enumerate(op.operands):
        if isinstance(element_of(operand.type), never):
            yield f"operand #{number} must not be a '{operand.type}'"
    if is_alike:
        yield _elements_problem(op)
    try:
        for value, sizes in zip(op.results, _stated(result_sizes, op) or (), strict=False):
            yield _sizes_problem(value.type, [None if size is None else _number(size) for size in sizes])
        for fact in _stated(size_facts, op) or ():
            one, other = _number(fact.left), _number(fact.right)
            if None not in (one, other) and one != other:
                yield f"{fact.what}: the sizes {one} and {other} differ"
        _stated(element_reads, op)
    except Misfit as misfit:
        yield str(misfit)


def _stated(question: Callable[[Operation], Sequence[T] | None], op: Operation) -> Sequence[T] | None:
    """The answer; None where there is none. Raises Misfit if OP is invalid."""
    try:
        return question(op)
    except Misfit:
        raise
    except NotAffine:
        return None


def _number(size: Expression) -> int | None:
    """SIZE, if the types say how large it is."""

    def of_type(atom: Atom) -> Expression | None:
        known = sizes_of(atom.value.type) if isinstance(atom, Dim) else None
        if known is None or not isinstance(atom, Dim) or atom.dimension >= len(known):
            return None
        static = known[atom.dimension]
        return None if static == DYNAMIC_INDEX else constant(static)

    found = substitute(size, of_type)
    return found.constant if found.is_constant else None


def _sizes_problem(kind: Attribute, inferred: Sequence[int | None]) -> str | None:
    """That the sizes of a result of type KIND are not those INFERRED from the operands."""
    sizes = sizes_of(kind)
    if sizes is None:
        return None
    if len(sizes) != len(inferred):
        return f"a result of rank {len(inferred)} has the type '{kind}'"
    for d, (size, known) in enumerate(zip(sizes, inferred, strict=True)):
        if known is not None and size not in (known, DYNAMIC_INDEX):
            return f"dimension {d} of a result has size {known} by the operands, its type is '{kind}'"
    return None


def _elements_problem(op: Operation) -> str | None:
    """That elements of the operands and results have several types."""
    kinds = {element_of(value.type) for value in (*op.operands, *op.results)}
    if op.name.endswith(_OF_INTEGERS) and any(isinstance(k, AnyFloat | ComplexType) for k in kinds):
        return "requires integers"
    if len(kinds) > 1 and all(isinstance(k, AnyFloat | IntegerType | IndexType | ComplexType) for k in kinds):
        return "requires the same element type for all operands and results"
    return None
