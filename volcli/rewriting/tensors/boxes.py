"""A structured operation computed on a box of its loop points.

With `l = o + s * k` along each loop, an operand that is accessed at `c + sum a_l * l` is accessed at

    c + sum a_l * o_l + sum (a_l * s_l) * k_l

so that the part of it that is needed is a slice: with g the greatest common divisor of the steps `a_l * s_l`,
which are made positive by beginning at the last `k` of those that are negative,

    offset  c + sum a_l * o_l + sum over negative steps of step * (n_l - 1)
    size    1 + sum |step| / g * (n_l - 1)
    stride  g

and the operation's clone is accessed at `sum (step / g) * k_l`. The order of the loop points stays, and so
does the order of sums.

    Of a 4x4 convolution with stride 1, at the even columns w = 2 * k, only the odd taps matter: the input is
    needed from column 1 on, in steps of 2, and the clone is a 2x2 convolution with stride 1.

IMPACT 2023, algorithm 1: "operations like linalg.generic can simply be cloned for the new operands".
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import reduce

from xdsl.ir import Operation, SSAValue

from volcli.language import questions
from volcli.language.expressions import (
    Atom,
    Expression,
    Index,
    LoopIndex,
    NotAffine,
    constant,
    loop,
    maximum,
    minimum,
    substitute,
)
from volcli.language.reads import Access
from volcli.language.structured_ops import Start, StructuredNest
from volcli.model.stated_effects import only_computes
from volcli.presburger.expressions.match_slice import SliceParameters
from volcli.rewriting.tensors.scope import Scope

PartOf = Callable[[SSAValue, SliceParameters], SSAValue]
"""What gives a value that holds a part of another one."""


def nest_of(op: Operation) -> StructuredNest | None:
    """The loops of OP, if it is a structured operation of tensors with linear accesses.

    Its body computes wherever and however often it runs: it reads no memory.
    """
    try:
        nest = questions.structured(op)
    except NotAffine:
        return None
    if nest is None or not op.results or not all(_is_linear(e) for a in nest.accesses for e in a.index):
        return None
    return nest if all(map(only_computes, op.walk())) else None


def _is_linear(index: Index) -> bool:
    return isinstance(index, Expression) and all(isinstance(atom, LoopIndex) for atom, _ in index.terms)


def extents(scope: Scope, nest: StructuredNest) -> tuple[Expression, ...] | None:
    """How far each loop runs; None if some loop runs along no dimension alone."""
    found: list[Expression] = []
    for position in range(len(nest.parallel)):
        alone = nest.alone(position)
        if alone is None:
            return None
        found.append(scope.sizes(alone[0])[alone[1]])
    return tuple(found)


def box_of_result(
    scope: Scope, nest: StructuredNest, part: SliceParameters, position: int = 0
) -> SliceParameters | None:
    """The box of loop points that compute the PART of the result at POSITION; reductions run in full.

    None if there is none: a result that is indexed by a sum of loops, or by a multiple of one.
    """
    sizes = extents(scope, nest)
    if sizes is None:
        return None
    offsets, strides = [constant(0)] * len(sizes), [constant(1)] * len(sizes)
    counts = list(sizes)
    seen: set[Atom] = set()
    for index, o, n, s in zip(
        nest.outputs[position].index, part.offsets, part.sizes, part.strides, strict=True
    ):
        assert isinstance(index, Expression)
        if index.is_constant and scope.equal(n, constant(1)):
            continue
        atom = index.single_atom
        if not isinstance(atom, LoopIndex) or atom in seen:
            return None
        seen.add(atom)
        offsets[atom.position], counts[atom.position], strides[atom.position] = o, n, s
    return SliceParameters(tuple(offsets), tuple(counts), tuple(strides))


def compute_on_box(
    scope: Scope, op: Operation, box: SliceParameters, part_of: PartOf, inits: Sequence[SSAValue | None] = ()
) -> Operation:
    """OP on the loop points of BOX: its results are the parts of OP's results that these points compute.

    Operands are parts of OP's by PART_OF; INITS are given for the first outputs, where not None. Raises
    NotAffine where a number of the box cannot be written where SCOPE is.
    """
    nest = nest_of(op)
    if nest is None:
        raise NotAffine(f"{op.name} is not a structured operation with linear accesses")
    given = [None] * nest.inputs + [*inits, *[None] * (len(nest.accesses) - nest.inputs - len(inits))]
    operands: list[SSAValue] = []
    indices: list[tuple[Expression, ...]] = []
    for access, init in zip(nest.accesses, given, strict=True):
        part, index = accessed(scope, access, box)
        operands.append(init if init is not None else part_of(access.operand, part))
        indices.append(index)
    starts: list[Start] = []
    for offset, stride in zip(box.offsets, box.strides, strict=True):
        starts.append((scope.number(offset), stride.constant))
    sizes = [scope.numbers(accessed(scope, access, box)[0].sizes) for access in nest.results]
    made = nest.remade(operands, indices, starts, sizes)
    for old, new in zip(op.results, made.results, strict=True):
        new.name_hint = scope.builder.name(old, "part")
    return scope.builder.insert(made)


def accessed(
    scope: Scope, access: Access, box: SliceParameters
) -> tuple[SliceParameters, tuple[Expression, ...]]:
    """The slice of ACCESS's operand that is needed at the points of BOX, and where in it each point is."""
    lines = [_line(scope, index, box) for index in access.index]
    offsets, sizes, strides, indices = zip(*lines, strict=True) if lines else ((), (), (), ())
    return SliceParameters(offsets, sizes, strides), indices


def _line(
    scope: Scope, index: Index, box: SliceParameters
) -> tuple[Expression, Expression, Expression, Expression]:
    """Offset, size and stride of what INDEX runs through, and the index in that."""
    assert isinstance(index, Expression)
    first = substitute(index, lambda a: box.offsets[a.position] if isinstance(a, LoopIndex) else None)
    steps = [
        (a.position, factor * _number(box.strides[a.position]))
        for a, factor in index.terms
        if isinstance(a, LoopIndex)
    ]
    wide = [(position, step) for position, step in steps if box.sizes[position] != constant(1)]
    stride = reduce(math.gcd, (abs(step) for _, step in wide), 0) or 1
    inner, last = constant(0), constant(0)
    for position, step in steps:
        if (position, step) not in wide:  # k = 0: any factor will do
            factor = abs(index.coefficient(LoopIndex(position))) // stride
            inner = inner + loop(position) * (max(factor, 1) if len(steps) > 1 else 1)
            continue
        way = (box.sizes[position] - 1) * (step // stride)
        if step < 0:
            first, inner = first + (box.sizes[position] - 1) * step, inner - way
        last = last + (way if step > 0 else -way)
        inner = inner + loop(position) * (step // stride)
    size = last + 1
    if len(wide) > 1 and not all(scope.never_negative(box.sizes[p] - 1) for p, _ in wide):
        size = _unless_empty(scope, size, wide, box)
    return first, size, constant(stride), inner


def _unless_empty(
    scope: Scope, size: Expression, steps: Sequence[tuple[int, int]], box: SliceParameters
) -> Expression:
    """SIZE, but 0 where a loop has no points: then nothing is accessed, and nothing there need exist.

    With one such loop of n points, `size = step * (n - 1) + others`, that is at most `n * (step + others)`
    for n >= 1.
    """
    open_ = [(p, step) for p, step in steps if not scope.never_negative(box.sizes[p] - 1)]
    (position, step), *more = open_
    n = box.sizes[position]
    stride = reduce(math.gcd, (abs(each) for _, each in steps))
    others = size - (n - 1) * (abs(step) // stride)
    if more or not others.is_constant:
        raise NotAffine("several loops may have no points")
    return maximum(constant(0), minimum(size, n * (abs(step) // stride + others.constant)))


def _number(stride: Expression) -> int:
    if not stride.is_constant:
        raise NotAffine("a stride is not a constant")
    return stride.constant
