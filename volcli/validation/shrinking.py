"""Programs with one thing less: a symbol, nest, loop, operation, result or argument of a function.

Each kind of thing has a function that takes a program's text, and how many of that kind are left as they are,
and gives the text without the next one; None when there is none. It is not asked whether the smaller program
is valid: the tool that reads it says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import TypeVar

from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.builtin import ArrayAttr, FunctionType, IndexType, IntegerAttr, ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.traits import IsTerminator, is_side_effect_free

from volcli.frontend.text.source import Source

V = TypeVar("V")
_ENDS = (".yield", ".return")
_LOOPS = ("affine.for", "scf.for")
Smaller = Callable[[str, str, int], "str | None"]
"""The text of a program, the function that is to be kept, and how many things of a kind are kept."""


def without_symbol(text: str, function: str, kept: int) -> str | None:
    """TEXT without one of what is defined beside FUNCTION."""

    def edit(module: ModuleOp, own: FuncOp) -> bool:
        others = [op for op in module.body.ops if op is not own]
        return kept < len(others) and _erased(others[kept], [])

    return _edited(text, function, edit)


def without_nest(text: str, function: str, kept: int) -> str | None:
    """TEXT without one operation with regions of FUNCTION, the outer ones first."""
    return _edited(text, function, lambda _, own: _lacks([op for op in _operations(own) if op.regions], kept))


def without_loop(text: str, function: str, kept: int) -> str | None:
    """TEXT, in which one counted loop of FUNCTION runs once, for 0: its body stands in its place."""

    def edit(_: ModuleOp, own: FuncOp) -> bool:
        loops = [op for op in _operations(own) if op.name in _LOOPS and not op.results]
        if kept >= len(loops):
            return False
        loop, body = loops[kept], loops[kept].regions[0].block
        around = loop.parent
        if around is None or not isinstance(body.args[0].type, IndexType):
            return True
        body.args[0].replace_all_uses_with(_zero(own))
        for op in [*body.ops]:
            if not op.name.endswith(_ENDS):
                op.detach()
                around.insert_op_before(op, loop)
        loop.detach()
        loop.erase(safe_erase=False)
        return True

    return _edited(text, function, edit)


def without_operation(text: str, function: str, kept: int) -> str | None:
    """TEXT without one operation of FUNCTION, the last ones first."""
    return _edited(text, function, lambda _, own: _lacks([*_operations(own)][::-1], kept))


def without_result(text: str, function: str, kept: int) -> str | None:
    """TEXT, in which FUNCTION returns one value less."""

    def edit(_: ModuleOp, own: FuncOp) -> bool:
        outputs = [*own.function_type.outputs.data]
        if kept >= len(outputs):
            return False
        for end in [op for op in own.walk() if op.name == "func.return"]:
            end.operands = _but(end.operands, kept)
        _retype(own, own.function_type.inputs.data, _but(outputs, kept))
        own.properties.pop("res_attrs", None)
        return True

    return _edited(text, function, edit)


def without_argument(text: str, function: str, kept: int) -> str | None:
    """TEXT, in which FUNCTION has one argument less that it does not use."""

    def edit(_: ModuleOp, own: FuncOp) -> bool:
        block = own.body.blocks.first
        unused = [each for each in block.args if not each.uses] if block is not None else []
        if block is None or kept >= len(unused):
            return False
        at = unused[kept].index
        block.erase_arg(unused[kept])
        _retype(own, _but(own.function_type.inputs.data, at), own.function_type.outputs.data)
        if own.arg_attrs is not None:
            own.arg_attrs = ArrayAttr(_but(own.arg_attrs.data, at))
        return True

    return _edited(text, function, edit)


KINDS: Sequence[Smaller] = (
    without_symbol, without_nest, without_loop, without_operation, without_result, without_argument
)  # fmt: skip
"""In the order in which they make a program small fast."""


def _edited(text: str, function: str, edit: Callable[[ModuleOp, FuncOp], bool]) -> str | None:
    """TEXT after EDIT of its module and FUNCTION; None if there was nothing to be edited."""
    from volcli.loading.driver import load_source

    program = load_source(Source("program.mlir", text))
    module = program.units[0].parsed.module
    own = next(
        (op for op in module.body.ops if isinstance(op, FuncOp) and op.sym_name.data == function), None
    )
    if own is None or not edit(module, own):
        return None
    for op in reversed([*_operations(own)]):
        if is_side_effect_free(op) and not any(result.uses for result in op.results):
            op.detach()
            op.erase(safe_erase=False)
    return program.text(annotate="none", reprint=True)


def _zero(function: FuncOp) -> SSAValue:
    """0, at the beginning of FUNCTION."""
    block = function.body.block
    first = block.first_op
    number = IntegerAttr.from_index_int_value(0)
    if isinstance(first, ConstantOp) and first.value == number:
        return first.result
    zero = ConstantOp(number)
    if first is None:
        block.add_op(zero)
    else:
        block.insert_op_before(zero, first)
    return zero.result


def _operations(function: FuncOp) -> Iterator[Operation]:
    """The operations of FUNCTION in the order of the text, but for those that end blocks."""
    inner = islice(function.walk(), 1, None)
    return (
        op for op in inner if not op.has_trait(IsTerminator) and not op.name.endswith(("yield", ".return"))
    )


def _lacks(operations: Sequence[Operation], kept: int) -> bool:
    """Erase the first of OPERATIONS, but for those that are KEPT, that can be."""
    if kept >= len(operations):
        return False
    op = operations[kept]
    instead = [_instead(op, result) if result.uses else result for result in op.results]
    return _erased(op, instead)


def _erased(op: Operation, instead: Sequence[SSAValue | None]) -> bool:
    """Erase OP, with values INSTEAD of its results; without one for each of them it stays."""
    values = [each for each in instead if each is not None]
    if len(values) == len(op.results) == len(instead):
        for result, value in zip(op.results, values, strict=True):
            if value is not result:
                result.replace_all_uses_with(value)
        op.detach()
        op.erase(safe_erase=False)
    return True


def _instead(op: Operation, result: SSAValue) -> SSAValue | None:
    """A value of RESULT's type that is there before OP: one of its operands, or another one."""
    return next((each for each in (*op.operands, *_before(op)) if each.type == result.type), None)


def _before(op: Operation) -> Iterator[SSAValue]:
    """The values that OP could use, the nearest first."""
    block: Block | None = op.parent
    while block is not None:
        earlier = op.prev_op
        while earlier is not None:
            yield from earlier.results
            earlier = earlier.prev_op
        yield from block.args
        around = block.parent_op()
        if around is None or isinstance(around, FuncOp):
            return
        op, block = around, around.parent


def _retype(function: FuncOp, inputs: Sequence[Attribute], outputs: Sequence[Attribute]) -> None:
    function.properties["function_type"] = FunctionType.from_lists([*inputs], [*outputs])


def _but(items: Sequence[V], at: int) -> list[V]:
    """ITEMS without the one AT this place."""
    return [*items[:at], *items[at + 1 :]]
