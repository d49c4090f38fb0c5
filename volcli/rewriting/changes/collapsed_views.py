"""Elements of views that collapse dimensions as elements of their bases, in a copy of a function.

    %b = memref.collapse_shape %B [[0, 1]]; %b[k]        %B[k floordiv m, k - (k floordiv m) * m]

for m = dim(%B, 1). Where m is a number, sets of integers know this; where it is none, quotients do, of which
more is known from the loops around: see `nested_loops`. %b[k] and this element are defined alike.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.dialects.builtin import ArrayAttr, IntegerAttr, MemRefType
from xdsl.ir import Operation, SSAValue
from xdsl.utils.hints import isa

from volcli.equivalence.results.same import needed_alignment
from volcli.frontend.parse.parser import ParsedModule
from volcli.language import questions
from volcli.language.expressions import Expression, constant, dim_of
from volcli.language.interface import operation_name
from volcli.language.memory import Effect, MemoryAccess
from volcli.model.function import FunctionModel
from volcli.rewriting.code.index_code import IndexCode
from volcli.rewriting.ground.builder import Builder

_COLLAPSE = "memref.collapse_shape"
_LOADS = ("memref.load", "affine.load")
_STORES = ("memref.store", "affine.store")


def has_collapsed(function: Operation) -> bool:
    """Whether an element of such a view, with sizes that are no numbers, is accessed in FUNCTION."""
    return any(_access(op) is not None for op in function.walk())


def through_views(parsed: ParsedModule, model: FunctionModel) -> bool:
    """Let MODEL's function, a copy of the program PARSED, access elements of bases; whether it does."""
    has_changed = False
    pending = list(model.function.walk())
    while pending:
        op = pending.pop()
        access = _access(op)
        if access is not None:
            pending.append(_of_base(parsed, op, access))
            has_changed = True
    return has_changed


def _access(op: Operation) -> MemoryAccess | None:
    """The one access of OP, if it is to one element of such a view."""
    if operation_name(op) not in (*_LOADS, *_STORES) or needed_alignment(op):
        return None
    (access,) = questions.accesses(op) or (None,)
    view = None if access is None else access.memref.owner
    if not isinstance(view, Operation) or operation_name(view) != _COLLAPSE:
        return None
    base = view.operands[0].type
    is_known = access is not None and all(isinstance(each, Expression) for each in access.index)
    if not is_known or not isa(base, MemRefType) or not _is_open(base, view):
        return None
    return access


def _is_open(base: MemRefType, view: Operation) -> bool:
    """Whether VIEW of BASE divides by a size that is no number."""
    sizes = base.get_shape()
    return any(sizes[d] < 0 for group in _groups(view) for d in group[1:])


def _groups(view: Operation) -> Iterator[list[int]]:
    """The dimensions of the base that each dimension of VIEW collapses."""
    stated = view.properties["reassociation"]
    assert isa(stated, ArrayAttr[ArrayAttr[IntegerAttr]])
    return ([each.value.data for each in group] for group in stated)


def _of_base(parsed: ParsedModule, op: Operation, access: MemoryAccess) -> Operation:
    """What stands for OP, whose ACCESS is to a view: the same of an element of the base."""
    view = access.memref.owner
    assert isinstance(view, Operation)
    builder = Builder.before(op, parsed.context)
    index: list[SSAValue] = []
    code = IndexCode(builder)
    for expression, group in zip(access.index, _groups(view), strict=True):
        assert isinstance(expression, Expression)
        position = code.number(builder, expression, {})
        index += _digits(builder, code, position, view.operands[0], group)
    operands = [view.operands[0], *index]
    if access.effect is Effect.READ:
        (result,) = op.results
        made = builder.operation("memref.load", operands, results=[result.type])
        result.replace_all_uses_with(made.results[0])
    else:
        assert access.stored is not None
        made = builder.operation("memref.store", [access.stored, *operands])
    op.detach()
    op.erase()
    return made


def _digits(
    builder: Builder, code: IndexCode, position: SSAValue, base: SSAValue, group: Sequence[int]
) -> list[SSAValue]:
    """The index of the element at a row-major POSITION in the dimensions of BASE in GROUP."""
    found: list[SSAValue] = []
    assert isa(base.type, MemRefType)
    for d in reversed(group[1:]):
        size = base.type.get_shape()[d]
        by = code.number(builder, constant(size) if size >= 0 else dim_of(base, d), {})
        quotient = builder.make("arith.floordivsi", [position, by])
        whole = builder.make("arith.muli", [quotient, by])
        found.append(builder.make("arith.subi", [position, whole]))
        position = quotient
    return [position, *reversed(found)]
