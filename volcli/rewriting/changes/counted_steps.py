"""Loops in steps as loops over the numbers of their iterations, in a copy of a function.

    for i = a to b step s { S(i) }    is    for k = 0 to max((b - 1 - a) floordiv p + 1, 0) { S(a + p * k) }

with p = max(s, 1): where s is less than 1 and the loop runs, it is undefined, and the copy is not. So what
does the same as the copy does what the function does, wherever that is defined. A rewrite of such a loop has
this form, tiled or not: see `volcli.rewriting.nests.loop_trees`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from xdsl.ir import Operation, OpResult, SSAValue
from xdsl.rewriter import InsertPoint

from volcli.frontend.parse.parser import ParsedModule
from volcli.language.expressions import Expression, constant, value_of
from volcli.language.interface import operation_name
from volcli.language.programs.blocks import blocks_around
from volcli.model.function import FunctionModel
from volcli.model.inlining import copied
from volcli.rewriting.changes.defined_operations import computed_from, without_dead
from volcli.rewriting.changes.implied_conditions import without_implied_branches
from volcli.rewriting.code.loop_code import FOR
from volcli.rewriting.ground.bound_uses import is_for_bounds, loops_in, variable_of
from volcli.rewriting.ground.builder import Builder

_EXTREMA = {"arith.minsi": "<=", "arith.maxsi": ">="}


@dataclass(frozen=True, eq=False)
class CountedVersion:
    """A copy of a function in which loops count their iterations.

    VALUES are the induction variables that its loops had, in the order of the loops.
    """

    model: FunctionModel
    values: tuple[SSAValue, ...]


def has_steps(model: FunctionModel) -> bool:
    """Whether a loop of MODEL's function runs in other steps than 1."""
    return any(each is not None and each != constant(1) for each in _steps(model))


def counted_versions(
    parsed: ParsedModule, model: FunctionModel, like: FunctionModel
) -> Iterator[CountedVersion]:
    """Copies of MODEL's function, of the program PARSED, with loops counted where those of LIKE's are.

    In the second one a loop's end, and bounds inside, speak of max(s, 1) in place of its step s: a loop in
    other steps is undefined, though it has no iteration. There is none if LIKE's function has other loops.
    """
    steps, others = (list(_steps(each)) for each in (model, like))
    if len(steps) != len(others):
        return
    pairs = list(zip(steps, others, strict=True))
    counted = [step is not None and step != constant(1) and other == constant(1) for step, other in pairs]
    for is_positive in (False, True):
        copy = copy_of(parsed, model)
        loops = list(loops_in(copy.function))
        values = [
            _count(parsed, op, is_positive=is_positive) if is_counted else variable_of(op)
            for op, is_counted in zip(loops, counted, strict=True)
        ]
        again = model.anew(copy.function)
        yield CountedVersion(without_implied_branches(short(again, frozenset(values))), tuple(values))


def copy_of(parsed: ParsedModule, model: FunctionModel) -> FunctionModel:
    """The model of a copy of MODEL's function, of the program PARSED."""
    made = copied(model.function)
    parsed.stand_for(made.operations, made.values)
    return model.anew(made.function)


def short(model: FunctionModel, kept: frozenset[SSAValue] = frozenset()) -> FunctionModel:
    """MODEL of its function, a copy, where minima and maxima are one of their operands if that is proved.

    Values that are KEPT stay, though nothing uses them.
    """
    every = [op for op in model.function.walk() if operation_name(op) in _EXTREMA]
    for op in every:
        for one, other in (op.operands, reversed(op.operands)):
            relation = _EXTREMA[operation_name(op)]
            if model.bounds.proves(value_of(one) - value_of(other), relation, 0, at=op):
                op.results[0].replace_all_uses_with(one)
                break
    for op in loops_in(model.function):
        if operation_name(op) == FOR:
            _shorten_end(model, op)
    return without_dead(model, kept)


def _shorten_end(model: FunctionModel, op: Operation) -> None:
    """Let the loop OP from a to max(b, c) end at b if c is at most a: it runs for none of c."""
    low, high = op.operands[0], op.operands[1].owner
    if not isinstance(high, Operation) or operation_name(high) != "arith.maxsi":
        return
    for kept, other in (high.operands, reversed(high.operands)):
        if model.bounds.proves(value_of(other) - value_of(low), "<=", 0, at=op):
            op.operands[1] = kept
            return


def _steps(model: FunctionModel) -> Iterator[Expression | None]:
    """The step of each loop of MODEL's function; None if it is not an scf.for of indices."""
    for op in loops_in(model.function):
        if operation_name(op) != FOR or op.operands[0].type != variable_of(op).type:
            yield None
            continue
        (level,) = model.memory_as_written.nests.of_operation(op)
        induction = level.induction
        yield None if induction is None else model.bounds.definitions.resolve(induction.step)


def _count(parsed: ParsedModule, op: Operation, *, is_positive: bool) -> SSAValue:
    """Let the loop OP count its iterations: the value of its induction variable.

    If the step IS POSITIVE in its own end, and in bounds inside, these speak of its maximum with 1.
    """
    low, high, given, *initial = op.operands
    builder = Builder.before(op, parsed.context)
    one, zero = builder.constant(1), builder.constant(0)
    step = builder.make("arith.maxsi", [given, one])

    def number_to(end: SSAValue) -> SSAValue:
        """The number of iterations up to END: of a minimum, the least."""
        if isinstance(end, OpResult) and operation_name(end.owner) == "arith.minsi":
            return builder.make("arith.minsi", list(map(number_to, end.owner.operands)))
        last = builder.make("arith.subi", [builder.make("arith.subi", [end, one]), low])
        return builder.make("arith.addi", [builder.make("arith.floordivsi", [last, step]), one])

    if is_positive:
        around = {each: each for block in blocks_around(op.parent) for each in block.args}
        high = computed_from(high, builder, {**around, given: step}) or high
    end = builder.make("arith.maxsi", [number_to(high), zero])
    for use in list(given.uses) if is_positive else ():
        if use.operation is not op and op.is_ancestor(use.operation) and is_for_bounds(use.operation):
            use.operation.operands[use.index] = step
    block = op.regions[0].block
    variable = block.args[0]
    inside = Builder(op, parsed.context, InsertPoint.at_start(block))
    moved = inside.make("arith.muli", [step, variable])
    value = inside.make("arith.addi", [moved, low])
    for use in list(variable.uses):
        if use.operation is not moved.owner:
            use.operation.operands[use.index] = value
    op.operands = [zero, end, one, *initial]
    return value
