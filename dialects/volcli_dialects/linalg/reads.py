"""Element maps and sizes of every structured linalg operation, named or generic.

IMPACT 2023, section 4.2.1: each operand and result V has an indexing map I_V from the loops to its indices,
the iteration domain is the set of loop points whose indices lie inside *all* operands (erratum E000-2: not
only inside the results), and the result element `I_R(l)` is computed from the elements `I_V(l)`.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import ShapedType
from xdsl.dialects.linalg.abstract_ops import LinalgStructuredOperation
from xdsl.ir import Block, SSAValue

from volcli.expressions import Expression, Loop, NotAffine, dim_of, loop, loops
from volcli.model.affine_maps import over_loops
from volcli.model.body import Body, backward_slice
from volcli.questions import (
    SizeFact,
    Sizes,
    element_reads,
    index_value,
    iterator_names,
    result_sizes,
    size_facts,
)
from volcli.reads import Access, Alternative, ElementReads, copy, rank_of
from volcli_dialects.linalg.scalars import IndexOp


def accesses(op: LinalgStructuredOperation) -> list[Access]:
    """Per operand the element that a loop point accesses: `operand[indexing_map(l)]`."""
    maps = [attribute.data for attribute in op.get_indexing_maps()]
    found: list[Access] = []
    if len(maps) != len(op.operands):
        raise NotAffine(f"{op.name} has {len(maps)} indexing maps for {len(op.operands)} operands")
    for operand, indexing_map in zip(op.operands, maps, strict=True):
        if len(indexing_map.results) != rank_of(operand) or indexing_map.num_symbols:
            raise NotAffine(f"an indexing map of {op.name} does not fit its operand")
        found.append(Access(operand, over_loops(indexing_map)))
    return found


@element_reads.case(LinalgStructuredOperation)
def structured_reads(op: LinalgStructuredOperation) -> list[ElementReads]:
    """`R_k[I_k(l)]` is computed from the elements that the k-th yielded scalar uses.

    An element of the result that no loop point reaches keeps its initial value.
    """
    everything = accesses(op)
    block = op.body.first_block if len(op.body.blocks) == 1 else None
    if (
        block is None
        or len(block.args) != len(everything)
        or block.last_op is None
        or len(block.last_op.operands) != len(op.res)
    ):
        raise NotAffine(f"the body of {op.name} does not yield its results")
    return [_result_reads(op, everything, position) for position in range(len(op.res))]


def _result_reads(op: LinalgStructuredOperation, everything: list[Access], position: int) -> ElementReads:
    block, count = op.body.block, op.get_num_loops()
    inits = everything[len(op.inputs) :]
    init = inits[position]
    element = tuple(e for e in init.index if isinstance(e, Expression))
    body = Body(block, dict(zip(block.args, everything, strict=True)))
    accumulators = _accumulators(block, element, count)
    assert block.last_op is not None
    yielded = _carried(block, block.last_op.operands, accumulators, position)
    reads = body.reads(*(block.last_op.operands[k] for k in yielded))
    bounds = tuple(a for a in everything if isinstance(a.operand.type, ShapedType))
    computed = Alternative(
        count, element, reads, bounds, block.last_op.operands[position], body.scalars, body.conditions,
        frozenset(accumulators), accumulators[position] if accumulators else None,
        body.deciding,
    )  # fmt: skip
    identity = loops(len(element))
    kept = Alternative(len(element), identity, copy(init.operand, identity))
    return ElementReads((computed, kept), body.inexact, body.is_parametric, body.is_opaque)


def _accumulators(block: Block, element: Sequence[Expression], count: int) -> Sequence[SSAValue]:
    """The arguments that hold the results so far, if several loop points share a result element."""
    outputs = block.args[len(block.args) - len(block.last_op.operands) :] if block.last_op else ()
    own_loops = {e.single_atom for e in element}
    return outputs if any(Loop(k) not in own_loops for k in range(count)) else ()


def _carried(
    block: Block, yielded: Sequence[SSAValue], accumulators: Sequence[SSAValue], position: int
) -> list[int]:
    """The results that result POSITION depends on from one loop point to the next, itself included."""
    found = [position]
    for k in found:
        used = backward_slice(yielded[k], block)
        found += [j for j, value in enumerate(accumulators) if value in used and j not in found]
    return found


@index_value.case(IndexOp)
def loop_index(op: IndexOp) -> Expression:
    """`linalg.index k` is the loop d_k of the operation around it."""
    return loop(op.dim.value.data)


@result_sizes.case(LinalgStructuredOperation)
def structured_sizes(op: LinalgStructuredOperation) -> list[Sizes]:
    """A result is as large as its initial value."""
    return [[dim_of(init, d) for d in range(rank_of(init))] for init in op.outputs[: len(op.res)]]


@size_facts.case(LinalgStructuredOperation)
def shared_loops(op: LinalgStructuredOperation) -> list[SizeFact]:
    """Dimensions that are indexed by the same loop have the same size."""
    shapes = [o.type for o in op.operands if isinstance(o.type, ShapedType)]
    if all(shape.has_static_shape() for shape in shapes):
        return []  # `questions.problems` compares static sizes
    first: dict[Loop, tuple[SSAValue, int]] = {}
    names = structured_iterators(op) or [f"d{k}" for k in range(op.get_num_loops())]
    facts: list[SizeFact] = []
    try:
        everything = accesses(op)
    except NotAffine:
        return []
    for access in everything:
        for dimension, index in enumerate(access.index):
            atom = index.single_atom if isinstance(index, Expression) else None
            if not isinstance(atom, Loop):
                continue
            known = first.setdefault(atom, (access.operand, dimension))
            if known != (access.operand, dimension):
                what = f"loop {names[atom.position]}"
                facts.append(SizeFact(dim_of(*known), dim_of(access.operand, dimension), what))
    return facts


@iterator_names.case(LinalgStructuredOperation)
def structured_iterators(op: LinalgStructuredOperation) -> Sequence[str] | None:
    """The iterators' names, for the named operations: n, f, oh, ow, c, kh, kw."""
    names: Sequence[str] | None = getattr(op, "iterator_names", None)
    return names
