"""Tensors of integers whose elements are functions of their coordinates: what masks are computed from.

    %iota[i] = i        %row = expand %iota: %row[0, j] = j        %mask[i, j] = %row[0, j] <= %column[i, 0]

`number_of(%mask)` is 1 where d1 <= d0, and 0 elsewhere. Operations that compute their elements say so
themselves (`questions.element_numbers`); those that only move elements have those of what they move.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from contextvars import ContextVar
from enum import IntEnum

from xdsl.dialects.builtin import IndexType, ShapedType, i1, i64
from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue

from volcli.language import questions
from volcli.language.expressions import (
    Atom,
    Expression,
    LoopIndex,
    NotAffine,
    constant,
    loops,
    substitute,
    value_of,
)
from volcli.language.programs.known_loops import is_number_of_loop
from volcli.language.reads import Access, Condition, captured_values, element_type, is_number, rank_of
from volcli.language.unchanged import kept_answer, once
from volcli.limits import language as limits

_known: ContextVar[dict[SSAValue, Expression | None] | None] = ContextVar("known", default=None)
"""What is known in the question that is being asked; nothing is kept after it."""


def number_of(tensor: SSAValue) -> Expression | None:
    """The integer that `tensor[d0, d1, ...]` is, over its coordinates and captured values; or None."""
    if not isinstance(tensor, OpResult) or not isinstance(tensor.type, ShapedType):
        return None
    if not is_number(element_type(tensor.type)):
        return None
    known = _known.get()
    if known is not None:
        return _remembered(tensor, known)
    token = _known.set({})
    try:
        return _remembered(tensor, _known.get() or {})
    finally:
        _known.reset(token)


def _remembered(tensor: OpResult, known: dict[SSAValue, Expression | None]) -> Expression | None:
    if tensor not in known:
        if len(known) >= limits.ELEMENT_CHAIN:
            return None
        known[tensor] = None  # until it is known
        with suppress(NotAffine):
            known[tensor] = _found(tensor)
    return known[tensor]


def _found(tensor: OpResult) -> Expression | None:
    stated = questions.element_numbers(tensor.op)
    if stated is not None:
        return stated[tensor.index]
    filled = questions.constant_fill(tensor.op)
    if isinstance(filled, int):
        return constant(filled & 1 if element_type(tensor.type) == i1 else filled)  # a truth is 0 or 1
    return None if tensor.op.regions else _moved(tensor)


def _moved(tensor: OpResult) -> Expression | None:
    """The number of an element that is a copy of one of an operand, for all elements the same one's."""
    reads = questions.element_reads(tensor.op)
    if reads is None or reads[tensor.index].inexact is not None or reads[tensor.index].opaque:
        return None
    alternatives = reads[tensor.index].alternatives
    if len(alternatives) != 1 or alternatives[0].yields is not None or alternatives[0].bounds:
        return None
    (found,) = alternatives
    if found.element != loops(rank_of(tensor)) or len(found.reads) != 1 or found.reads[0].where:
        return None
    return number_at(found.reads[0].access)


def number_at(access: Access) -> Expression | None:
    """The integer that the element of an ACCESS is, over the loops of the access; a scalar is itself."""
    if not isinstance(access.operand.type, ShapedType):
        return value_of(access.operand) if is_number(access.operand) else None
    number = number_of(access.operand) if access.is_exact else None
    if number is None:
        return None

    def index(atom: Atom) -> Expression | None:
        if not isinstance(atom, LoopIndex):
            return None
        found = access.index[atom.position]
        assert isinstance(found, Expression), "an exact access"
        return found

    return substitute(number, index)


def listed_condition(access: Access) -> Condition | None:
    """When the truth that an ACCESS to a constant, a list, reads holds, over the loops of the access.

    Of `dense<[true, false, false, true]>` at i it holds where i = 0 or i = 3, and not where 1 <= i <= 2.
    """
    tensor = access.operand
    if not isinstance(tensor, OpResult) or element_type(tensor.type) != i1 or not access.is_exact:
        return None
    numbers, kind = questions.elements(tensor.op), tensor.type
    if numbers is None or not isinstance(kind, ShapedType) or not kind.get_shape():
        return None
    index = [e for e in access.index if isinstance(e, Expression)]
    parts = [_boxes([bool(n) is wanted for n in numbers], kind.get_shape()) for wanted in (True, False)]
    found = [
        tuple(
            tuple(e for at, (low, high) in zip(index, box, strict=True) for e in (at - low, high - at))
            for box in boxes
        )
        for boxes in parts
    ]
    return Condition(*found)


def _boxes(truths: Sequence[bool], shape: Sequence[int]) -> list[tuple[tuple[int, int], ...]]:
    """Boxes of indices that make up where TRUTHS, row-major in SHAPE, hold: equal slices in a row are one."""
    if not shape:
        return [()] if truths[0] else []
    size = len(truths) // shape[0] if shape[0] else 0
    runs: list[tuple[int, int, Sequence[bool]]] = []
    for k in range(shape[0]):
        part = truths[k * size : (k + 1) * size]
        first = runs.pop()[0] if runs and runs[-1][2] == part else k
        runs.append((first, k, part))
    return [((first, last), *box) for first, last, part in runs for box in _boxes(part, shape[1:])]


def captured_number(value: SSAValue) -> Expression | None:
    """The number that the scalar VALUE is: itself, if it is index-like or counts iterations, or a constant.

    Any other narrow integer is data.
    """
    if value.type in (IndexType(), i64) or (is_number(value) and is_number_of_loop(value)):
        return value_of(value)
    made = value.op if isinstance(value, OpResult) else None
    known = None if made is None or made.operands else questions.index_value(made)
    return known if known is not None and known.is_constant else None


class MadeOf(IntEnum):
    """What the elements of a value are computed from, at most."""

    NUMBERS = 0
    """Constants, and scalar integers that the function is given."""
    LOOPS = 1
    """Coordinates, too, and yet no element of the inputs: masks, positions."""
    LISTS = 2
    """Constants of several numbers, as they are written: coordinates decide which number it is."""
    DATA = 3
    """Some element of the inputs, or what is unknown."""


def is_made_of_loops(tensor: SSAValue) -> bool:
    """Whether the elements of TENSOR are computed from coordinates, and from no input and no list."""
    return made_of(tensor) is MadeOf.LOOPS


def made_of(value: SSAValue) -> MadeOf:
    """What VALUE is computed from: the most of what it reaches, so that data that is reached decides.

    Where nothing changes, the operations on the way to it are known from then on: n questions on a chain of
    n operations look at each once. What is computed from itself counts as LOOPS.
    """
    found: dict[Operation, MadeOf] = {}
    way: dict[Operation, None] = {}
    pending: list[tuple[SSAValue, bool]] = [(value, False)]
    while pending:
        current, is_expanded = pending.pop()
        known = _known_makings(current, found)
        if known is MadeOf.DATA:
            for op in way:
                _ = once(made_of, op, lambda _: MadeOf.DATA)
            return MadeOf.DATA
        if known is not None or not isinstance(current, OpResult):
            continue
        op = current.op
        used = (*op.operands, *captured_values(op))
        if is_expanded:
            del way[op]
            before = [_known_makings(each, found) for each in used]
            found[op] = once(made_of, op, lambda op, before=before: _makings_after(op, before))
        elif op in way:
            return MadeOf.LOOPS
        else:
            way[op] = None
            pending.append((current, True))
            pending += [(each, False) for each in used]
    known = _known_makings(value, found)
    assert known is not None, "what it uses is known before"
    return known


def _known_makings(value: SSAValue, found: Mapping[Operation, MadeOf]) -> MadeOf | None:
    """What VALUE is made of, if it has been FOUND or needs no look at operands."""
    if not isinstance(value, OpResult):
        return MadeOf.NUMBERS if is_number(value) else MadeOf.DATA
    if value.op in found:
        return found[value.op]
    if not questions.element_reads.answers(type(value.op)):
        return MadeOf.DATA
    if questions.literal.answers(type(value.op)) and questions.constant_fill(value.op) is None:
        return MadeOf.LISTS
    return kept_answer(made_of, value.op)


def _makings_after(op: Operation, before: Sequence[MadeOf | None]) -> MadeOf:
    """What OP's results are made of, which uses values that are made of BEFORE, none of them data."""
    most = max((each for each in before if each is not None), default=MadeOf.NUMBERS)
    if most is MadeOf.LISTS:
        if _passes_on(op, before):
            return most
        most = MadeOf.LOOPS if MadeOf.LOOPS in before else MadeOf.NUMBERS
    return MadeOf.LOOPS if most is MadeOf.NUMBERS and _names_a_loop(op) else most


def _passes_on(op: Operation, before: Sequence[MadeOf | None]) -> bool:
    """Whether OP, which uses values that are made of BEFORE, gives numbers as they are written."""
    if questions.vanishing(op) is questions.Vanishing.BY_CONDITION:
        chosen = list(zip(op.operands, before, strict=False))[1:]
        return all(made is MadeOf.LISTS or _is_written(value) for value, made in chosen)
    stated = questions.element_reads(op) or ()
    alternatives = [each for reads in stated for each in reads.alternatives]
    return bool(alternatives) and all(each.yields is None and len(each.reads) == 1 for each in alternatives)


def _is_written(value: SSAValue) -> bool:
    """Whether VALUE is one number for all elements, as a constant says."""
    number = number_of(value)
    return number is not None and number.is_constant


def is_computed(tensor: SSAValue) -> bool:
    """Whether the elements of TENSOR, which are known, were computed: no constant as it is written."""
    return isinstance(tensor, OpResult) and not questions.constant_fill.answers(type(tensor.op))


def _names_a_loop(op: Operation) -> bool:
    """Whether OP computes from coordinates: as an iota, by its arguments, or by operations that give them."""
    if not op.regions and not questions.constant_fill.answers(type(op)):
        stated = questions.element_reads(op) or ()
        return any(not part.reads for each in stated for part in each.alternatives)
    return any(inner is not op and _gives_a_loop(inner) for inner in op.walk())


def _gives_a_loop(op: Operation) -> bool:
    """Whether OP gives a coordinate, or uses one that is an argument of its block."""
    if any(isinstance(each, BlockArgument) and isinstance(each.type, IndexType) for each in op.operands):
        return True
    stated = None if op.operands else questions.index_value(op)
    return stated is not None and any(isinstance(atom, LoopIndex) for atom in stated.atoms())
