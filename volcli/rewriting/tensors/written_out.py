"""Copies of functions in which operations are what they are defined as, for comparisons.

    tosa.add %a, %b                  linalg.generic (see `as_linalg`)
    tosa.conv2d %x, %w, %b           the same; its sums may begin with the bias
    bufferization.clone %m           memref.alloc, and memref.copy
    bufferization.to_tensor %m       tensor.generate of the elements that %m holds then

TOSA does not state in which order a convolution of floats adds up its products and its bias. What cannot be
written so stays.
"""

from __future__ import annotations

from xdsl.dialects.builtin import DYNAMIC_INDEX, DenseArrayBase, IndexType, MemRefType, TensorType, i32
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.utils.hints import isa

from volcli.frontend.parse.parser import ParsedModule
from volcli.language import questions
from volcli.language.expressions import Dim, NotAffine
from volcli.language.interface import operation_name
from volcli.model.function import FunctionModel
from volcli.model.inlining import copied
from volcli.presburger.limits.budget import BudgetExceeded
from volcli.rewriting.ground.builder import Builder
from volcli.rewriting.tensors.as_linalg import is_bias, linalg_of
from volcli.rewriting.tensors.scope import Scope

_CLONE, _TO_TENSOR = "bufferization.clone", "bufferization.to_tensor"
_SAME = ("tosa.identity",)
"""Operations whose result is their operand."""


def written_out(parsed: ParsedModule, model: FunctionModel, *, bias_first: bool = False) -> FunctionModel:
    """A copy of the function of MODEL, of the program PARSED; MODEL itself if all operations stay."""
    if not any(map(_is_written, model.followed.function.walk())):
        return model
    made = copied(model.followed.function)
    parsed.stand_for(made.operations, made.values)
    copy = model.anew(made.function)
    for op in [op for op in made.function.walk() if _is_written(op)]:
        try:
            value = _value(Builder.before(op, parsed.context), copy, op, bias_first)
        except (NotAffine, BudgetExceeded):
            continue
        if value is not None:
            op.results[0].replace_all_uses_with(value)
            op.detach()
            op.erase()
    return model.anew(made.function)


def _is_written(op: Operation) -> bool:
    if operation_name(op) in (_CLONE, _TO_TENSOR, *_SAME):
        return True
    is_defined = len(op.results) == 1 and questions.definition.answers(type(op))
    return is_defined and questions.structured(op) is None


def adds_bias(model: FunctionModel) -> bool:
    """Whether a sum of floats is defined in the function of MODEL to which a bias is added at last."""
    stated = (questions.definition(op) for op in model.followed.function.walk() if _is_written(op))
    return any(is_bias(output) for each in stated if each is not None for output in each.outputs)


def _value(builder: Builder, model: FunctionModel, op: Operation, bias_first: bool) -> SSAValue | None:
    """The result of OP, by other operations; None if it stays. Raises NotAffine."""
    name = operation_name(op)
    if name in _SAME:
        return op.operands[0]
    if name == _CLONE:
        return _cloned(builder, op.operands[0], op.results[0].type)
    if name == _TO_TENSOR:
        return _elements(builder, op.operands[0], op.results[0].type)
    return linalg_of(Scope(builder, model, model.view(op.results[0])), op, bias_first=bias_first)


def _cloned(builder: Builder, memory: SSAValue, kind: Attribute) -> SSAValue | None:
    if not isa(memory.type, MemRefType[Attribute]) or memory.type != kind:
        return None
    sizes = _dynamic(builder, memory)
    segments: dict[str, Attribute] = {"operandSegmentSizes": DenseArrayBase.from_list(i32, [len(sizes), 0])}
    made = builder.make("memref.alloc", sizes, result=kind, properties=segments)
    builder.operation("memref.copy", [memory, made])
    return made


def _elements(builder: Builder, memory: SSAValue, kind: Attribute) -> SSAValue | None:
    if not isa(memory.type, MemRefType[Attribute]) or not isa(kind, TensorType[Attribute]):
        return None
    sizes = _dynamic(builder, memory)
    block = Block(arg_types=[IndexType()] * len(kind.get_shape()))
    inside = builder.inside(block)
    element = inside.make("memref.load", [memory, *block.args], result=kind.element_type)
    inside.operation("tensor.yield", [element])
    made = builder.operation("tensor.generate", sizes, results=[kind], regions=[Region(block)])
    return made.results[0]


def _dynamic(builder: Builder, memory: SSAValue) -> list[SSAValue]:
    """The sizes of MEMORY that its type does not state."""
    assert isa(memory.type, MemRefType[Attribute])
    shape = memory.type.get_shape()
    return [builder.leaf(Dim(memory, d)) for d, size in enumerate(shape) if size == DYNAMIC_INDEX]
