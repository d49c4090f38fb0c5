"""Element maps and sizes of every structured linalg operation, named or generic.

IMPACT 2023, section 4.2.1: each operand and result V has an indexing map I_V from the loops to its indices,
the iteration domain is the set of loop points whose indices lie inside *all* operands (erratum E000-2: not
only inside the results), and the result element `I_R(l)` is computed from the elements `I_V(l)`.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from xdsl.dialects.builtin import ShapedType
from xdsl.dialects.linalg.abstract_ops import LinalgStructuredOperation
from xdsl.ir import SSAValue

from volcli.language.affine_maps import over_loops
from volcli.language.definitions import DefinedOutput, TensorDefinition
from volcli.language.expressions import Expression, NotAffine, dim_of, loop
from volcli.language.programs.definitions import defined_facts
from volcli.language.questions import (
    SizeFact,
    definition,
    index_value,
    iterator_names,
    result_sizes,
    size_facts,
)
from volcli.language.reads import Access, Condition, rank_of, whole
from volcli.language.unchanged import once
from volcli_dialects.cases.elements.defining import define
from volcli_dialects.linalg.scalars import IndexOp


def accesses(op: LinalgStructuredOperation) -> list[Access]:
    """Per operand the element that a loop point accesses: `operand[indexing_map(l)]`."""
    maps = [attribute.data for attribute in op.get_indexing_maps()]
    found: list[Access] = []
    if len(maps) != len(op.operands):
        raise NotAffine(
            f"{op.name} has not one indexing map for each operand: {len(maps)} for {len(op.operands)}"
        )
    for operand, indexing_map in zip(op.operands, maps, strict=True):
        if len(indexing_map.results) != rank_of(operand) or indexing_map.num_symbols:
            raise NotAffine(f"an indexing map of {op.name} does not fit its operand")
        found.append(Access(operand, over_loops(indexing_map)))
    return found


@define(LinalgStructuredOperation, sizes=False)
def structured_definition(op: LinalgStructuredOperation) -> TensorDefinition:
    """`R_k[I_k(l)]` is what the body yields of the elements `I_V(l)`;

    R_k is at first what is in `outs`, or it is that memory.
    """
    everything = accesses(op)
    block = op.body.first_block if len(op.body.blocks) == 1 else None
    if (
        block is None
        or len(block.args) != len(everything)
        or block.last_op is None
        or len(block.last_op.operands) != len(op.outputs)
    ):
        raise NotAffine(f"the body of {op.name} does not yield its results")
    inits = zip(block.args[len(op.inputs) :], everything[len(op.inputs) :], strict=True)
    outputs = [
        DefinedOutput(
            tuple(e for e in init.index if isinstance(e, Expression)), value, state, whole(init.operand)
        )
        for value, (state, init) in zip(block.last_op.operands, inits, strict=False)
    ]
    bounds = tuple(a for a in everything if isinstance(a.operand.type, ShapedType))
    arguments: dict[SSAValue, Access | Expression | Condition] = {}
    arguments |= zip(block.args, everything, strict=True)
    return TensorDefinition(op.get_num_loops(), block, arguments, tuple(outputs), bounds)


def definition_of(op: LinalgStructuredOperation) -> TensorDefinition:
    """What OP is defined as; found once."""
    return once(definition, op, lambda _: structured_definition(op))


@size_facts.case(LinalgStructuredOperation)
def shared_loops(op: LinalgStructuredOperation) -> list[SizeFact]:
    """Dimensions that are indexed by the same loop have the same size."""
    shapes = [o.type for o in op.operands if isinstance(o.type, ShapedType)]
    if all(shape.has_static_shape() for shape in shapes):
        return []  # `questions.problems` compares static sizes
    with suppress(NotAffine):
        return defined_facts(definition_of(op), structured_iterators(op))
    return []


@iterator_names.case(LinalgStructuredOperation)
def structured_iterators(op: LinalgStructuredOperation) -> Sequence[str] | None:
    """The iterators' names, for the named operations: n, f, oh, ow, c, kh, kw."""
    names: Sequence[str] | None = getattr(op, "iterator_names", None)
    return names


# `linalg.index k` is the loop d_k of the operation around it.
index_value.case(IndexOp)(lambda op: loop(op.dim.value.data))
# A result is as large as its initial value.
result_sizes.case(LinalgStructuredOperation)(
    lambda op: [[dim_of(init, d) for d in range(rank_of(init))] for init in op.outputs[: len(op.res)]]
)
