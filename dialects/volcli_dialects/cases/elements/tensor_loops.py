"""Loops that fill tensors slice by slice: which elements a result of scf.for or scf.forall is computed from.

A loop writes a window of the carried tensor in each iteration k, from tensors that its body computes:

    R[window(k, s)] is computed from reads(k, s), and every other element is the initial one.

The body's operations are put into one statement over the loops of the nest, then those of the window, then
those that the body's operations reduce over: the element that an operation reads of a tensor of the body
is what that is computed from there. Three kinds of carried tensors have this form:

* windows of different iterations have no common element, or the loop is parallel: an element has one window;
* the body reads none of the carried tensor: the last iteration that writes an element counts;
* what an iteration writes it reads at the same element: all iterations count, as for a sum.

Example: `for %i = 0 to 8 step 4 { insert_slice f(extract_slice %x[%i] [4]) into %acc[%i] [4] }` is
`R[4 * d0 + d1] = f(x[4 * d0 + d1])` for `d0 < 2` and `d1 < 4`.
"""

from __future__ import annotations

from dataclasses import replace

from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType
from xdsl.ir import Attribute, Block, Operation, OpResult, SSAValue
from xdsl.utils.hints import isa

from volcli.language import questions
from volcli.language.expressions import (
    NotAffine,
    constant,
    loop,
    loops,
)
from volcli.language.loops import Carried
from volcli.language.loops import Loop as CountedLoop
from volcli.language.reads import (
    Alternative,
    ElementReads,
    copy,
    pessimistic,
    rank_of,
)
from volcli_dialects.cases.elements.filling import Filling, Write
from volcli_dialects.cases.elements.reaching import shape_of
from volcli_dialects.cases.sizes import kept_dims


def loop_reads(op: Operation) -> list[ElementReads]:
    """What each result of the loop OP is computed from; everything, where its form is another one."""
    counted = questions.loop(op)
    if not isinstance(counted, CountedLoop) or len(counted.carried) != len(op.results):
        raise NotAffine(f"{op.name} is not a counted loop")
    return [_result_reads(op, carried) for carried in counted.carried]


def _result_reads(op: Operation, carried: Carried) -> ElementReads:
    result = carried.result
    try:
        found = _writes(op, carried)
        kept = Alternative(
            rank_of(result), loops(rank_of(result)), copy(carried.initial, loops(rank_of(result)))
        )
        written = [Filling(op, carried.initial, write).alternative() for write in found]
    except NotAffine as error:
        return pessimistic(op, result, f"{op.name}: {error}")
    return ElementReads((*written, kept))


def _writes(op: Operation, carried: Carried) -> list[Write]:
    """What the loop OP writes into CARRIED in one iteration: nothing or one window."""
    counted = questions.loop(op)
    if not isinstance(counted, CountedLoop) or not isa(carried.result.type, TensorType[Attribute]):
        raise NotAffine("a carried value that is not a tensor")
    block = op.regions[0].block
    if all(each.sequential for each in counted.inductions):
        found = _chain(carried.yielded, carried.argument, block)
    else:
        found = _in_parallel(block, carried.argument)
    if len(found) > 1:
        raise NotAffine("an iteration writes several slices")
    return [
        replace(w, nest=(*counted.inductions, *w.nest), carried=(carried.argument, *w.carried)) for w in found
    ]


def _chain(value: SSAValue, argument: SSAValue, block: Block) -> list[Write]:
    """What is written on the way from ARGUMENT to VALUE, both of BLOCK."""
    if value is argument:
        return []
    if not isinstance(value, OpResult) or value.op.parent is not block:
        raise NotAffine("a carried tensor that is not the one of the iteration before")
    inner = questions.loop(value.op)
    if isinstance(inner, CountedLoop):
        carried = next((each for each in inner.carried if each.result is value), None)
        if carried is None:
            raise NotAffine("a loop without the carried tensor")
        return [*_chain(carried.initial, argument, block), *_writes(value.op, carried)]
    stated = questions.element_reads(value.op)
    if stated is None or len(stated[value.index].alternatives) != 2:
        return _anew(value)
    inserted, untouched = stated[value.index].alternatives
    identity = loops(rank_of(value))
    if untouched.element != identity or len(untouched.reads) != 1 or len(inserted.reads) != 1:
        return _anew(value)
    before, source = untouched.reads[0].access, inserted.reads[0].access
    is_insertion = before.index == identity and not untouched.bounds and not inserted.extents
    bounds = {access.operand for access in inserted.bounds}
    if not is_insertion or not bounds <= {source.operand} or inserted.yields is not None:
        return _anew(value)
    write = Write(inserted.element, source.operand, source.index, source.operand)
    return [*_chain(before.operand, argument, block), write]


def _anew(value: OpResult) -> list[Write]:
    """The whole of VALUE is written: a window of all elements, of one size in all iterations."""
    if DYNAMIC_INDEX in shape_of(value):
        raise NotAffine(f"{value.op.name} makes a new carried tensor")
    identity = loops(rank_of(value))
    return [Write(identity, value, identity, value)]


def _in_parallel(block: Block, argument: SSAValue) -> list[Write]:
    """The slices that the end of the parallel BLOCK inserts into ARGUMENT."""
    found: list[Write] = []
    last = block.last_op
    for op in last.walk() if last is not None else ():
        into = questions.slice_of(op)
        if into is None or into.source is not argument:
            if argument in op.operands:
                raise NotAffine(f"{op.name} writes into the shared tensor")
            continue
        source = op.operands[0]
        if not isa(source.type, TensorType[Attribute]):
            raise NotAffine("a slice that is not a tensor")
        kept = kept_dims(into.sizes, source.type.get_shape())
        along = {dimension: loop(k) for k, dimension in enumerate(kept)}
        element = tuple(
            offset + stride * along.get(d, constant(0))
            for d, (offset, stride) in enumerate(zip(into.offsets, into.strides, strict=True))
        )
        found.append(Write(element, source, loops(len(kept)), source))
    return found
