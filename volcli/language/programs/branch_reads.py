"""Which elements the result of a branch, or of a selection by one truth, is computed from.

A result is the value whose condition holds. Where numbers of the program decide that by affine conditions,
it is the element of that value where its condition holds; where data decides, or a truth that the function
is given, it is computed from what decides, and from the element of each value that it may be.

Example: `%r = scf.if %c -> tensor<3xf32> { yield %x } else { yield %y }` is `%c`, `%x[d0]` and `%y[d0]`.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

from xdsl.dialects.builtin import IndexType, IntegerType, MemRefType, TensorType, UnrankedMemRefType, i1
from xdsl.ir import Block, Operation, SSAValue
from xdsl.utils.hints import isa

from volcli.language import questions
from volcli.language.definitions import DefinedOutput, TensorDefinition
from volcli.language.expressions import Expression, NotAffine, loops
from volcli.language.loops import Choice
from volcli.language.programs.choices import is_loaded, is_open, over_numbers, values_in, with_numbers
from volcli.language.programs.definitions import defined_reads
from volcli.language.reads import (
    Access,
    Condition,
    Disjunction,
    ElementReads,
    Read,
    Use,
    element_type,
    rank_of,
    whole,
)


def branch_reads(op: Operation) -> list[ElementReads]:
    """For each result of OP, the element of what is yielded, where it is."""
    stated = questions.choices(op)
    if not stated or not all(stated) or len(stated) != len(op.results):
        raise NotAffine(f"what {op.name} yields is not known")
    return [_chosen(op, result, each) for result, each in zip(op.results, stated, strict=True)]


def chosen_or_computed(op: Operation) -> Sequence[ElementReads] | None:
    """What the results of OP read; a select by one truth is a branch, which chooses by numbers.

    Where data decides, a select computes from what decides, and so its elements are what they are said to be.
    """
    if not op.regions and questions.choices.answers(type(op)) and not any(map(is_loaded, op.operands[:1])):
        with suppress(NotAffine):
            return branch_reads(op)
    return questions.element_reads(op)


def _chosen(op: Operation, result: SSAValue, choices: Sequence[Choice]) -> ElementReads:
    """What follows from the definition `select(when_0, value_0, select(when_1, value_1, ...))`."""
    if isinstance(result.type, MemRefType | UnrankedMemRefType):
        raise NotAffine(f"{op.name} yields memory")
    if any(rank_of(choice.value) != rank_of(result) for choice in choices):
        raise NotAffine(f"{op.name} yields a value of another rank")
    choices = [replace(each, when=with_numbers(each.when)) for each in choices]
    deciding = list(dict.fromkeys(v for choice in choices for v in values_in(choice.when)))
    is_data = any(is_open(value) or isinstance(value.type, TensorType) for value in deciding)
    split = None if is_data else _over_numbers(choices)
    if split is None and not is_data and not all(map(is_open, deciding)):
        either = Condition(((),), ((),))
        unknown = _selected(result, choices, [either] * len(choices))
        return replace(unknown, inexact=f"a condition of {op.name} is not affine")
    found = _selected(result, choices, deciding[0] if split is None else split)
    if split is not None:
        return found
    (stated,) = found.alternatives
    others = tuple(Read(whole(value), uses=(Use(sees_sign=True),)) for value in deciding[1:])
    reason = None if all(map(is_open, deciding)) else f"a condition of {op.name} is not affine"
    return ElementReads((replace(stated, reads=(*stated.reads, *others)),), found.inexact or reason)


def _selected(
    result: SSAValue, choices: Sequence[Choice], deciding: SSAValue | Sequence[Condition]
) -> ElementReads:
    """The element of the first of CHOICES that holds; the last one else.

    DECIDING are the conditions, or the value that decides: a truth, or what is compared as each choice says.
    """
    from xdsl.dialects.arith import SelectOp  # takes 30 ms: only where a branch gives tensors

    block = Block(arg_types=[element_type(choice.value.type) for choice in choices])
    values: Sequence[SSAValue] = block.args
    arguments: dict[SSAValue, Access | Expression | Condition] = {}
    arguments |= zip(values, (whole(choice.value) for choice in choices), strict=True)
    yields, truths = values[-1], list[SSAValue]()
    if isinstance(deciding, SSAValue):
        number = block.insert_arg(element_type(deciding.type), len(block.args))
        arguments[number] = whole(deciding)
        is_truth = number.type == i1
        truths += (number if is_truth else _compared(block, number, each.when) for each in choices[:-1])
    else:
        for stated in deciding[:-1]:
            truths.append(block.insert_arg(i1, len(block.args)))
            arguments[truths[-1]] = stated
    for value, truth in reversed(list(zip(values[: len(truths)], truths, strict=True))):
        block.add_op(chosen := SelectOp(truth, value, yields))
        yields = chosen.result
    identity = loops(rank_of(result))
    output = DefinedOutput(identity, yields)
    return defined_reads(TensorDefinition(len(identity), block, arguments, (output,), ()), "a branch")[0]


def _compared(block: Block, number: SSAValue, when: Disjunction) -> SSAValue:
    """The truth of WHEN, `number = k` of one value, as BLOCK computes it of its NUMBER."""
    from xdsl.dialects.arith import CmpiOp, ConstantOp

    (where,) = when
    wanted = {-e.constant * c for e in where for _, c in e.terms}
    kind = number.type
    if len(where) != 2 or len(wanted) != 1 or not isa(kind, IntegerType | IndexType):
        raise NotAffine("a choice that is not made by one number")
    compared = ConstantOp.from_int_and_width(wanted.pop(), kind)
    block.add_ops((compared, equal := CmpiOp(number, compared, "eq")))
    return equal.result


def _over_numbers(choices: Sequence[Choice]) -> list[Condition] | None:
    """When each of CHOICES holds, and when another one does; None if that is no condition of numbers."""
    try:
        every = [over_numbers(choice.when) for choice in choices]
    except NotAffine:
        return None
    return [
        Condition(every[k], tuple(where for when in (*every[:k], *every[k + 1 :]) for where in when))
        for k in range(len(every))
    ]
