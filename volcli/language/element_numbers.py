"""Tensors of integers whose elements are functions of their coordinates: what masks are computed from.

    %iota[i] = i        %row = expand %iota: %row[0, j] = j        %mask[i, j] = %row[0, j] <= %column[i, 0]

`number_of(%mask)` is 1 where d1 <= d0, and 0 elsewhere. Operations that compute their elements say so
themselves (`questions.element_numbers`); those that only move elements have those of what they move.
"""

from __future__ import annotations

from contextlib import suppress
from contextvars import ContextVar

from xdsl.dialects.builtin import ShapedType, i1
from xdsl.ir import Operation, OpResult, SSAValue

from volcli.language import questions
from volcli.language.expressions import Atom, Expression, LoopIndex, NotAffine, constant, loops, substitute
from volcli.language.reads import Access, element_type, is_number, rank_of

_DEEPEST = 16
"""So many operations in a row are followed."""
_known: ContextVar[dict[SSAValue, Expression | None] | None] = ContextVar("known", default=None)
"""What is known in the question that is being asked; nothing is kept behind it."""


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
        if len(known) >= _DEEPEST:
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
    """The integer that the element of an ACCESS is, over the loops of the access."""
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


def is_made_of_loops(tensor: SSAValue) -> bool:
    """Whether the integers of TENSOR are computed from coordinates, and from no element of the inputs."""
    sources = _sources(tensor)
    return sources is not None and any(
        map(_names_a_loop, (op for source in sources for op in source.walk() if source.regions))
    )


def _sources(tensor: SSAValue) -> set[Operation] | None:
    """The operations that TENSOR is computed by; None if inputs, or what is unknown, take part."""
    found: set[Operation] = set()
    pending = [tensor]
    while pending:
        value = pending.pop()
        if not isinstance(value.type, ShapedType):
            continue
        if not isinstance(value, OpResult) or not questions.element_reads.answers(type(value.op)):
            return None
        if value.op not in found:
            if len(found) == _DEEPEST:
                return None
            found.add(value.op)
            pending += value.op.operands
    return found


def is_computed(tensor: SSAValue) -> bool:
    """Whether the elements of TENSOR, which are known, were computed: no constant as it is written."""
    return isinstance(tensor, OpResult) and not questions.constant_fill.answers(type(tensor.op))


def _names_a_loop(op: Operation) -> bool:
    stated = None if op.operands else questions.index_value(op)
    return stated is not None and any(isinstance(atom, LoopIndex) for atom in stated.atoms())
