"""What is wrong with operations of func, in the words of mlir-opt 22.

A block has the arguments of its function's type, a return the results, and a call both.
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects import func

from volcli_dialects.cases.symbols import symbol
from volcli_dialects.func.ops import CallOp, ConstantOp, FuncOp
from volcli_dialects.verification.problems import differences, messages, parent_problem, types


@messages(FuncOp)
def function_problems(op: FuncOp) -> Iterator[str | None]:
    """The body's arguments are those of the type; a declaration is private."""
    inputs, block = op.function_type.inputs.data, op.body.first_block
    if block is None:
        if op.sym_visibility is None or op.sym_visibility.data not in ("private", "nested"):
            yield "symbol declaration cannot have public visibility"
        return
    if len(block.args) != len(inputs):
        yield f"entry block must have {len(inputs)} arguments to match function signature"
    for index, argument, kind in differences(types(block.args), inputs):
        yield (
            f"type of entry block argument #{index}('{argument}') must match the type of the corresponding "
            f"argument in function signature('{kind}')"
        )


@messages(func.ReturnOp)
def return_problems(op: func.ReturnOp) -> Iterator[str | None]:
    """It returns what its function says."""
    function = op.parent_op()
    if not isinstance(function, FuncOp):
        yield parent_problem(op, "func.func")
        return
    results, name = function.function_type.outputs.data, function.sym_name.data
    if len(op.operands) != len(results):
        yield f"has {len(op.operands)} operands, but enclosing function (@{name}) returns {len(results)}"
    for index, given, kind in differences(types(op.operands), results):
        yield (
            f"type of return operand {index} ('{given}') doesn't match function result type ('{kind}') in "
            f"function @{name}"
        )


@messages(CallOp)
def call_problems(op: CallOp) -> Iterator[str | None]:
    """The function is there, and takes and returns these types."""
    found = symbol(op, op.callee)
    if found is None:
        return
    if not isinstance(found.op, FuncOp):
        yield f"'{op.callee.string_value()}' does not reference a valid function"
        return
    inputs, outputs = found.op.function_type.inputs.data, found.op.function_type.outputs.data
    if len(op.operands) != len(inputs):
        yield "incorrect number of operands for callee"
    for index, given, kind in differences(types(op.operands), inputs):
        yield (
            f"operand type mismatch: expected operand type '{kind}', but provided '{given}' for operand "
            f"number {index}"
        )
    if len(op.results) != len(outputs):
        yield "incorrect number of results for callee"
    for index, _, _ in differences(types(op.results), outputs):
        yield f"result type mismatch at index {index}"


@messages(ConstantOp)
def constant_problems(op: ConstantOp) -> Iterator[str | None]:
    """The function is there, and has this type."""
    found = symbol(op, op.value)
    if found is None:
        return
    if not isinstance(found.op, FuncOp):
        yield f"reference to undefined function '{op.value.string_value()}'"
    elif found.op.function_type != op.result.type:
        yield "reference to function with mismatched type"
