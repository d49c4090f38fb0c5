"""What another package's dialect says of allocations, sizes and frees is enough for the passes that rewrite them."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from xdsl.dialects.builtin import IndexType, MemRefType
from xdsl.ir import Attribute, Dialect, Operation, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import Pure

import volcli
from volcli.facts.allocations import AllocationFact
from volcli.language.expressions import Expression, constant, dim_of, value_of
from volcli.language.memory import Allocation, Buffer, Effects, MemoryAccess
from volcli.language.questions import Sizes, accesses, allocation, buffer, effects, index_value, result_sizes
from volcli.loading import driver


@irdl_op_definition
class TakeOp(IRDLOperation):
    """`%m = arena.take %n : memref<?xf32>`: new memory, of %n rows."""

    name = "arena.take"
    sizes = var_operand_def(IndexType)
    result = result_def(MemRefType)
    assembly_format = "($sizes^)? attr-dict `:` type($result)"


@irdl_op_definition
class GiveOp(IRDLOperation):
    name = "arena.give"
    given = operand_def(MemRefType)
    assembly_format = "$given attr-dict `:` type($given)"


@irdl_op_definition
class RowsOp(IRDLOperation):
    """`%n = arena.rows %m`: the first size."""

    name = "arena.rows"
    of = operand_def(MemRefType)
    result = result_def(IndexType)
    traits = traits_def(Pure())
    assembly_format = "$of attr-dict `:` type($of)"


@buffer.case(TakeOp)
def taken(op: TakeOp) -> Buffer:
    return Buffer()


@accesses.case(TakeOp, GiveOp)
def no_elements(op: Operation) -> list[MemoryAccess]:
    return []


@effects.case(GiveOp)
def given_back(op: GiveOp) -> Effects:
    return Effects(frees=(op.given,))


@allocation.case(TakeOp)
def as_large_as_told(op: TakeOp) -> Allocation:
    def resized(kind: Attribute, sizes: Sequence[SSAValue]) -> Operation:
        return TakeOp.create(operands=sizes, result_types=[kind])

    return Allocation(tuple(op.sizes), resized)


@result_sizes.case(TakeOp)
def taken_sizes(op: TakeOp) -> list[Sizes]:
    assert isinstance(op.result.type, MemRefType)
    sizes = iter(op.sizes)
    return [[constant(n) if n >= 0 else value_of(next(sizes)) for n in op.result.type.get_shape()]]


@index_value.case(RowsOp)
def rows(op: RowsOp) -> Expression:
    return dim_of(op.of, 0)


@pytest.fixture(autouse=True)
def arena(monkeypatch: pytest.MonkeyPatch) -> None:
    known = driver.dialect_factories()
    made = Dialect("arena", [TakeOp, GiveOp, RowsOp])
    monkeypatch.setattr(driver, "dialect_factories", lambda: {**known, "arena": lambda: made})


TEXT = """\
func.func @f(%n: index, %v: f32, %i: index) -> index {
  %c6 = arith.constant 6 : index
  %l = arith.minsi %n, %c6 : index
  %m = arena.take %l : memref<?xf32>
  memref.store %v, %m[%i] : memref<?xf32>
  %r = arena.rows %m : memref<?xf32>
  arena.give %m : memref<?xf32>
  return %r : index
}
"""


def test_an_allocation_has_its_largest_size() -> None:
    facts = volcli.loads(TEXT).run("allocations").facts
    (found,) = [fact for fact in facts if isinstance(fact, AllocationFact)]
    assert (found.value, found.elements, found.size) == ("%m", 6, 24)


def test_a_size_is_what_it_is_made_of() -> None:
    printed = volcli.loads(TEXT).run("reify-bounds").text(annotate="none")
    assert "return %l : index" in printed
    assert "arena.rows" not in printed


def test_an_allocation_is_padded_and_freed_as_a_whole() -> None:
    program = volcli.loads(TEXT).run("reify-bounds{pad-allocs}")
    assert [d for d in program.diagnostics if d.code == "V900"] == []
    printed = program.text(annotate="none")
    assert "%m_padded = arena.take : memref<6xf32>" in printed
    assert "arena.give %m_padded : memref<6xf32>" in printed
    assert "%m = memref.cast" in printed
