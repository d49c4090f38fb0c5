"""Operations of stablehlo with regions: windows, functions of elements, branches."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.arith import SelectOp
from xdsl.dialects.builtin import i1
from xdsl.ir import Operation, SSAValue

from volcli.language.definitions import DefinedOutput, TensorDefinition
from volcli.language.expressions import (
    Expression,
    Misfit,
    NotAffine,
    constant,
    dim_of,
    loop,
    loops,
    value_of,
)
from volcli.language.loops import Choice
from volcli.language.questions import Sizes, choices, element_reads, result_sizes
from volcli.language.reads import (
    Access,
    Alternative,
    Condition,
    Disjunction,
    ElementReads,
    Read,
    Use,
    copy,
    one_alternative,
    rank_of,
    whole,
)
from volcli_dialects.arith.contractions import Padding, padding
from volcli_dialects.cases.elements.branches import by_truth, chooses, chosen
from volcli_dialects.cases.elements.defining import define
from volcli_dialects.cases.parts import only_block, tensor, tensors
from volcli_dialects.cases.sizes import like
from volcli_dialects.stablehlo.contractions import combined
from volcli_dialects.stablehlo.convolutions import ConvolutionWindows, windows_of
from volcli_dialects.stablehlo.ops import REGIONS

WINDOW, MAP, SELECT, IF, CASE = (
    REGIONS[name] for name in ("reduce_window", "map", "select_and_scatter", "if", "case")
)


def _windowed(op: Operation) -> tuple[list[SSAValue], list[SSAValue], ConvolutionWindows, tuple[int, ...]]:
    """What is reduced, the initial values, how windows lie, and how large they are."""
    count = len(op.operands) // 2
    if count == 0 or len(op.results) != count:
        raise Misfit("windows without initial values")
    rank = rank_of(tensor(op.operands[0]))
    inputs = [tensor(each, rank) for each in op.operands[:count]]
    inits = [tensor(each, 0) for each in op.operands[count:]]
    return inputs, inits, *windows_of(op, rank)


@define(WINDOW, sizes=False)
def reduce_window(op: Operation) -> TensorDefinition:
    """`R[o]` is what the body makes of the initial value and all `x[o * stride + k * dilation - low]`.

    Around the elements of x, and between them, lie copies of the initial value.
    """
    inputs, inits, window, taps = _windowed(op)
    rank = len(taps)
    positions = [window.position(d, loop(d), loop(rank + d)) for d in range(rank)]
    extents = tuple((loop(rank + d), constant(taps[d])) for d in range(rank))
    starts = list(map(whole, inits))
    if not window.has_zeros:
        read = [Access(x, tuple(positions)) for x in inputs]
        return combined(op, 2 * rank, loops(rank), read, starts, extents)
    padded = padding(inputs[0], positions, dict(enumerate(window.lhs_dilation)))
    read = [Access(x, padded.access.index) for x in inputs]
    return _padded(combined(op, 2 * rank, loops(rank), read, starts, extents), inits, padded)


def _padded(of: TensorDefinition, inits: Sequence[SSAValue], padded: Padding) -> TensorDefinition:
    """OF with INITS in the place of elements that lie around what is PADDED."""
    block, first = of.block, of.block.first_op
    if block.parent is not None or first is None:
        raise NotAffine("a window with padding whose function uses values around it")
    arguments = dict(of.arguments)
    truth = block.insert_arg(i1, len(block.args))
    arguments[truth] = padded.condition
    for element, init in zip(list(of.arguments), inits, strict=True):
        start = block.insert_arg(element.type, len(block.args))
        arguments[start] = whole(init)
        chosen = SelectOp(truth, element, start)
        element.replace_all_uses_with(chosen.result)
        chosen.operands[1] = element
        block.insert_op_before(chosen, first)
    return TensorDefinition(of.loops, block, arguments, of.outputs, (), of.extents, padded.around)


@result_sizes.case(WINDOW)
def window_sizes(op: Operation) -> list[Sizes]:
    """The windows that fit: `(n' + pads - taps') floordiv stride + 1`, n' and taps' dilated."""
    inputs, _, window, taps = _windowed(op)
    found = [window.fitting(d, dim_of(inputs[0], d), constant(n)) for d, n in enumerate(taps)]
    return [found for _ in op.results]


@define(MAP)
def mapped(op: Operation) -> TensorDefinition:
    """`R[r]` is what the body makes of the operands' elements at r."""
    inputs = [tensor(each) for each in op.operands]
    block = only_block(op.regions[0])
    last = block.last_op
    if last is None or len(last.operands) != 1 or len(block.args) != len(inputs) or not inputs:
        raise Misfit("the body of stablehlo.map does not yield its result")
    rank = rank_of(inputs[0])
    accesses = tuple(map(whole, inputs))
    arguments: dict[SSAValue, Access | Expression | Condition] = {}
    arguments |= zip(block.args, accesses, strict=True)
    output = DefinedOutput(loops(rank), last.operands[0])
    return TensorDefinition(rank, block, arguments, (output,), accesses)


@element_reads.case(SELECT)
def selected_reads(op: Operation) -> list[ElementReads]:
    """`R[i]` is made of the initial value, and of the sources of windows in which x[i] may be selected."""
    x, source, init = tensors(op, None, None, 0)
    rank = rank_of(x)
    window, taps = windows_of(op, rank)
    at = [[window.position(d, loop(d), loop(n * rank + d)) for d in range(rank)] for n in (1, 2)]
    bounds = (Access(source, loops(rank)), Access(x, tuple(at[1])))
    extents = tuple((loop(n * rank + d), constant(taps[d])) for n in (1, 2) for d in range(rank))
    reads = tuple(Read(each, uses=(Use(sees_sign=True),)) for each in (*bounds, Access(init, ())))
    found = Alternative(3 * rank, tuple(at[0]), reads, bounds, extents=extents)
    kept = one_alternative(rank, copy(init, ())).alternatives
    return [ElementReads((found, *kept), "data decides which element of a window is selected")]


@choices.case(CASE)
def case_choices(op: Operation) -> Sequence[Sequence[Choice]]:
    """What the region of the operand's number yields; the last one for numbers that no region has."""
    if not op.operands:
        return []
    index, last = value_of(op.operands[0]), len(op.regions) - 1
    when: list[Disjunction] = [((index - k, k - index),) for k in range(last)]
    return chosen(op, list(zip([*when, ((-index - 1,), (index - last,))], op.regions, strict=True)))


result_sizes.case(SELECT)(lambda op: [like(op.operands[0], op.results[0])])  # Those of the first operand.
# What the first region yields where the operand is true, else what the second one does.
choices.case(IF)(lambda op: by_truth(op, op.operands[0]))


chooses(IF, CASE)
