"""Does a size, or a number, rest on elements of tensors or memory, or on sizes and scalar arguments alone?

Sizes of arguments and scalar arguments are parameters of a function. What is loaded is data, and so is the
size of `tensor.empty(%n)` if `%n` was extracted from a tensor.
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects.builtin import ShapedType
from xdsl.ir import Operation, OpResult, SSAValue

from volcli import questions
from volcli.expressions import Dim, NotAffine, Value


def has_sizes_of_data(op: Operation) -> bool:
    """Whether a size that OP, or an operation in it, can ask for rests on elements."""
    asked = {o for inner in op.walk() for o in inner.operands if isinstance(o.type, ShapedType)}
    return rests_on_elements(asked)


def rests_on_elements(values: set[SSAValue]) -> bool:
    """Whether one of VALUES, the size of a tensor or else a number, rests on elements."""
    stack, seen = [*values], set(values)
    while stack:
        value = stack.pop()
        if not isinstance(value, OpResult):
            continue
        origins = _of_sizes(value) if isinstance(value.type, ShapedType) else _of_number(value.op)
        if origins is None:
            return True
        for origin in origins:
            if origin not in seen:
                seen.add(origin)
                stack.append(origin)
    return False


def _of_sizes(value: OpResult) -> list[SSAValue] | None:
    """What the sizes of VALUE are computed from; None if from elements, or unknown."""
    assert isinstance(value.type, ShapedType)
    if value.type.has_static_shape():
        return []
    try:
        stated = questions.result_sizes(value.op)
    except NotAffine:
        return None
    if stated is None or None in stated[value.index]:
        return None
    return list(_leaves(stated[value.index]))


def _leaves(sizes: questions.Sizes) -> Iterator[SSAValue]:
    for size in sizes:
        for atom in () if size is None else size.atoms():
            if isinstance(atom, Value | Dim):
                yield atom.value


def _of_number(op: Operation) -> list[SSAValue] | None:
    """What the scalar results of OP are computed from; None if from elements, or unknown."""
    try:
        reads = questions.element_reads(op)
    except NotAffine:
        return None
    if reads is None or op.regions:
        return None
    reads_nothing = not any(each.alternatives for each in reads)
    if not reads_nothing and any(isinstance(operand.type, ShapedType) for operand in op.operands):
        return None
    return list(op.operands)
