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

from collections.abc import Sequence

from xdsl.ir import Operation

from volcli.language.definitions import TensorDefinition
from volcli.language.expressions import Dim, Expression, LoopIndex, NotAffine, Value
from volcli.language.programs.definitions import own_body
from volcli.language.reads import Access
from volcli.model.as_loops.making import SizesOf, Unfolding
from volcli.model.as_loops.points import OperationNest
from volcli.model.inlining import copied
from volcli.model.stated_effects import only_computes
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


def body_of(op: Operation) -> TensorDefinition | None:
    """What OP computes point by point; None if it does not, or if loops would not compute it."""
    try:
        body = own_body(op)
    except NotAffine:
        return None
    if body is None or any(inner.regions or not only_computes(inner) for inner in body.block.ops):
        return None
    results = list(op.results)
    is_one_kind = not results or len(results) == len(body.outputs)
    elements = [e for each in body.arguments.values() if isinstance(each, Access) for e in each.index]
    forms = [*elements, *(e for each in body.outputs for e in each.element)]
    is_linear = all(isinstance(e, Expression) and _is_over_loops(e) for e in forms)
    is_sized = all(isinstance(atom, Dim | Value) for size in body.sizes for atom, _ in size.terms)
    fits = len(body.arguments) == len(body.block.args) and is_one_kind and is_linear and is_sized
    return body if fits and all(_is_once(each.element) for each in body.outputs) else None


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
