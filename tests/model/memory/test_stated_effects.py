"""Operations of a dialect of one's own: allocations, frees, prints and addresses are seen if its cases say so."""

from __future__ import annotations

import pytest
from xdsl.dialects.builtin import IndexType, MemRefType
from xdsl.ir import Dialect, Operation
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def, result_def, traits_def
from xdsl.traits import Pure

import volcli
from volcli.language.memory import Buffer, Effects
from volcli.language.questions import accesses, buffer, effects
from volcli.loading import driver
from volcli.model.memory.dependences.model import Memory
from volcli.model.memory.flow.flows import MemoryFlow
from volcli.model.memory.loops.loops import Loops


@irdl_op_definition
class TakeOp(IRDLOperation):
    name = "pool.take"
    result = result_def(MemRefType)
    assembly_format = "attr-dict `:` type($result)"


@irdl_op_definition
class GiveOp(IRDLOperation):
    name = "pool.give"
    given = operand_def(MemRefType)
    assembly_format = "$given attr-dict `:` type($given)"


@irdl_op_definition
class LogOp(IRDLOperation):
    name = "pool.log"
    value = operand_def()
    assembly_format = "$value attr-dict `:` type($value)"


@irdl_op_definition
class AddressOp(IRDLOperation):
    name = "pool.address"
    of = operand_def(MemRefType)
    result = result_def(IndexType)
    assembly_format = "$of attr-dict `:` type($of)"


@irdl_op_definition
class HashOp(IRDLOperation):
    name = "pool.hash"
    value = operand_def(IndexType)
    result = result_def(IndexType)
    traits = traits_def(Pure())
    assembly_format = "$value attr-dict"


@buffer.case(TakeOp)
def taken(op: TakeOp) -> Buffer:
    return Buffer()


@accesses.case(TakeOp, GiveOp, LogOp, AddressOp)
def none(op: Operation) -> list[object]:
    return []


@effects.case(GiveOp)
def given(op: GiveOp) -> Effects:
    return Effects(frees=(op.given,))


@effects.case(LogOp)
def logged(op: LogOp) -> Effects:
    return Effects(prints=True)


@effects.case(AddressOp)
def addressed(op: AddressOp) -> Effects:
    return Effects(exposes=(op.of,))


@pytest.fixture(autouse=True)
def pool(monkeypatch: pytest.MonkeyPatch) -> None:
    known = driver.dialect_factories()
    made = Dialect("pool", [TakeOp, GiveOp, LogOp, AddressOp, HashOp])
    monkeypatch.setattr(driver, "dialect_factories", lambda: {**known, "pool": lambda: made})


def memory_of(text: str) -> Memory:
    (unit,) = volcli.load(text).units
    return next(m for m in unit.models() if m.name == "f").memory


M = "memref<4xf32>"


@pytest.mark.parametrize(
    ("inside", "because"),
    [
        ("", None),
        ("pool.log %v : f32", "'pool.log' prints in the order of the iterations"),
        (f"pool.give %m : {M}", "'pool.give' frees a buffer of all iterations"),
        (f"%l = pool.take : {M}\npool.give %l : {M}", None),
        ("%h = pool.hash %i", None),
        ('"pool.unknown"(%v) : (f32) -> ()', "the memory effects of 'pool.unknown' are unknown"),
    ],
)
def test_what_iterations_may_do_in_any_order(inside: str, because: str | None) -> None:
    memory = memory_of(f"""
    func.func @f(%m: {M}, %v: f32) {{
      affine.for %i = 0 to 4 {{
        affine.store %v, %m[%i] : {M}
        {inside}
      }}
      return
    }}""")
    (loop,) = Loops(memory).all()
    assert loop.because == because


@pytest.mark.parametrize(
    ("between", "is_dead"),
    [
        ("", True),
        ("pool.log %v : f32", True),
        ("%h = pool.hash %c0", True),
        (f"%h = pool.address %m : {M}", False),
        (f'"pool.keep"(%m) : ({M}) -> ()', False),
    ],
)
def test_what_has_been_exposed_may_be_read(between: str, is_dead: bool) -> None:
    """The first store is dead, unless the call between them may read the buffer."""
    memory = memory_of(f"""
    func.func private @g()
    func.func @f(%v: f32) {{
      %c0 = arith.constant 0 : index
      %m = pool.take : {M}
      {between}
      memref.store %v, %m[%c0] : {M}
      func.call @g() : () -> ()
      memref.store %v, %m[%c0] : {M}
      pool.give %m : {M}
      return
    }}""")
    writes = [w for flow in MemoryFlow(memory).all() for w in flow.writes if w.site.op.name == "memref.store"]
    assert writes[0].dead is not None
    assert writes[0].dead.is_empty() is not is_dead
