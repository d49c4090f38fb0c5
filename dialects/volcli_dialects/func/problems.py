"""What is wrong with operations of func, in the words of mlir-opt 22.

A block has the arguments of its function's type, a return the results, and a call both.
"""

from __future__ import annotations

from xdsl.dialects import func

from volcli.language.questions import Problem, problems
from volcli_dialects.cases.symbols import symbol
from volcli_dialects.func.ops import CallOp, ConstantOp, FuncOp
from volcli_dialects.verification.problems import parent_problem, structure


@problems.case(FuncOp)
def function_problems(op: FuncOp) -> list[Problem]:
    """The body's arguments are those of the type; a declaration is private."""
    inputs, block = op.function_type.inputs.data, op.body.first_block
    if block is None:
        is_private = op.sym_visibility is not None and op.sym_visibility.data in ("private", "nested")
        return [] if is_private else structure("symbol declaration cannot have public visibility")
    if len(block.args) != len(inputs):
        return structure(f"entry block must have {len(inputs)} arguments to match function signature")
    for index, (argument, kind) in enumerate(zip(block.args, inputs, strict=True)):
        if argument.type is not kind and argument.type != kind:
            return structure(
                f"type of entry block argument #{index}('{argument.type}') must match the type of the "
                f"corresponding argument in function signature('{kind}')"
            )
    return []


@problems.case(func.ReturnOp)
def return_problems(op: func.ReturnOp) -> list[Problem]:
    """It returns what its function says."""
    function = op.parent_op()
    if not isinstance(function, FuncOp):
        return parent_problem(op, "func.func")
    results, name = function.function_type.outputs.data, function.sym_name.data
    if len(op.operands) != len(results):
        return structure(
            f"has {len(op.operands)} operands, but enclosing function (@{name}) returns {len(results)}"
        )
    for index, (value, kind) in enumerate(zip(op.operands, results, strict=True)):
        if value.type is not kind and value.type != kind:
            return structure(
                f"type of return operand {index} ('{value.type}') doesn't match function result type "
                f"('{kind}') in function @{name}"
            )
    return []


@problems.case(CallOp)
def call_problems(op: CallOp) -> list[Problem]:
    """The function is there, and takes and returns these types."""
    found = symbol(op, op.callee)
    if found is None:
        return []
    if not isinstance(found.op, FuncOp):
        return structure(f"'{op.callee.string_value()}' does not reference a valid function")
    inputs, outputs = found.op.function_type.inputs.data, found.op.function_type.outputs.data
    if len(op.operands) != len(inputs):
        return structure("incorrect number of operands for callee")
    for index, (value, kind) in enumerate(zip(op.operands, inputs, strict=True)):
        if value.type != kind:
            return structure(
                f"operand type mismatch: expected operand type '{kind}', but provided '{value.type}' for "
                f"operand number {index}"
            )
    if len(op.results) != len(outputs):
        return structure("incorrect number of results for callee")
    for index, (value, kind) in enumerate(zip(op.results, outputs, strict=True)):
        if value.type != kind:
            return structure(f"result type mismatch at index {index}")
    return []


@problems.case(ConstantOp)
def constant_problems(op: ConstantOp) -> list[Problem]:
    """The function is there, and has this type."""
    found = symbol(op, op.value)
    if found is None:
        return []
    if not isinstance(found.op, FuncOp):
        return structure(f"reference to undefined function '{op.value.string_value()}'")
    fits = found.op.function_type == op.result.type
    return [] if fits else structure("reference to function with mismatched type")
