r"""A function whose structured operations are loops, which read and write arrays element by element.

An operation with a scalar body f over the points l, 0 <= l_k < n_k, becomes the nest of loops %d0, %d1, ...

    for l in lexicographic order:  out[I_out(l)] = f(in[I_in(l)], ..., out[I_out(l)])

On memrefs that is what it does. Of tensors each value is an array of its own: the result r of an operation
that is `init` at first is written at I_r(l), and its old element is read from

    init[I_r(l)]    at the first point l that goes there: the loops that I_r does not depend on are all at 0
    r[I_r(l)]       at each further one

so that the flow of values through these arrays is that through the tensors. For the matmul of `outs(%c)`:

    affine.for %d0 { affine.for %d1 { affine.for %d2 {
      affine.if (d2 == 0) { load %c[%d0, %d1] } else { load %r[%d0, %d1] }; store ..., %r[%d0, %d1] } } }

A tensor that something else makes is an array without writes. What is returned is a copy of the function
beside the original, in which the operations on tensors stay, for the sizes that they say.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX, ShapedType
from xdsl.ir import Operation, SSAValue

from volcli.language.definitions import TensorDefinition
from volcli.language.expressions import Dim, Expression, LoopIndex, NotAffine, Value, constant, dim_of
from volcli.language.memory import Effect, Effects, is_memref
from volcli.language.programs.definitions import own_body
from volcli.language.programs.views import base_of
from volcli.language.reads import Access, captured_values
from volcli.model.as_loops.making import SizesOf, Unfolding
from volcli.model.as_loops.points import OperationNest
from volcli.model.inlining import copied
from volcli.model.stated_effects import effects_of, only_computes, stated_accesses
from volcli.model.structured.copying import OperationNamed, Structured


def as_loops(function: Operation, operation: OperationNamed, sizes: SizesOf) -> Structured | None:
    """FUNCTION, whose SIZES these are, with loops for its structured operations; None if it has none."""
    if not any(body_of(op) for op in function.walk()):
        return None
    made = copied(function)
    unfolding = Unfolding(made, operation, sizes)
    for op in list(made.function.walk()):
        body = body_of(op)
        if body is not None:
            _unfold(unfolding, op, body)
    return made


def read_inside(function: Operation) -> Iterator[Operation]:
    """The operations on memory in FUNCTION whose bodies read other memory, or tensors, by subscripts."""
    for op in function.walk():
        if op is not function and op.regions and not op.results and any(map(is_memref, op.operands)):
            captured = [each for each in captured_values(op) if isinstance(each.type, ShapedType)]
            written = {base_of(each) for each in op.operands if is_memref(each)}
            if captured and written.isdisjoint(map(base_of, captured)) and body_of(op, reads=True):
                yield op


def read_in_loops(made: Structured, operation: OperationNamed) -> bool:
    """Put loops in the place of what is `read_inside` of the copy that was MADE; whether there is some."""
    found = list(read_inside(made.function))
    unfolding = Unfolding(made, operation, _own_sizes)
    for op in found:
        body = body_of(op, reads=True)
        assert body is not None, "a body that reads"
        _unfold(unfolding, op, body)
    return bool(found)


def _own_sizes(value: SSAValue) -> Sequence[Expression]:
    shape = value.type.get_shape() if isinstance(value.type, ShapedType) else ()
    return [dim_of(value, d) if n == DYNAMIC_INDEX else constant(n) for d, n in enumerate(shape)]


def body_of(op: Operation, *, reads: bool = False) -> TensorDefinition | None:
    """What OP computes point by point; None if it does not, or if loops would not compute it.

    With READS, its body may load elements.
    """
    try:
        body = own_body(op)
    except NotAffine:
        return None
    if body is None or not all(_is_scalar(inner, reads=reads) for inner in body.block.ops):
        return None
    results = list(op.results)
    is_one_kind = not results or len(results) == len(body.outputs)
    elements = [e for each in body.arguments.values() if isinstance(each, Access) for e in each.index]
    forms = [*elements, *(e for each in body.outputs for e in each.element)]
    is_linear = all(isinstance(e, Expression) and _is_over_loops(e) for e in forms)
    is_sized = all(isinstance(atom, Dim | Value) for size in body.sizes for atom, _ in size.terms)
    fits = len(body.arguments) == len(body.block.args) and is_one_kind and is_linear and is_sized
    return body if fits and all(_is_once(each.element) for each in body.outputs) else None


def _is_scalar(op: Operation, *, reads: bool) -> bool:
    """Whether OP, of a body, only computes, or loads an element where it may do that too."""
    accesses = stated_accesses(op) if reads else ()
    if accesses and effects_of(op) == Effects():
        return not op.regions and all(e.effect is Effect.READ and not e.extents for e in accesses)
    return not op.regions and only_computes(op)


def _is_over_loops(form: Expression) -> bool:
    return all(isinstance(atom, LoopIndex) for atom, _ in form.terms)


def _is_once(index: Sequence[Expression]) -> bool:
    """Whether points with equal values of the loops in INDEX, and no others, go to one element."""
    loops = {atom for each in index for atom, _ in each.terms}
    alone = {each.terms[0][0] for each in index if len(each.terms) == 1}
    return loops == alone


def _unfold(unfolding: Unfolding, op: Operation, body: TensorDefinition) -> None:
    """The loops of OP, after it if it computes tensors, else in its place."""
    values = list(op.results) or [each.begins for each in body.outputs if each.begins is not None]
    for value in (*values, *(a.operand for a in body.arguments.values() if isinstance(a, Access))):
        unfolding.lay(value)
    unfolding.stand_at(op)
    nest = OperationNest(unfolding, op, body, values)
    nest.put()
    if not op.results:
        op.detach()
        op.drop_all_references()
