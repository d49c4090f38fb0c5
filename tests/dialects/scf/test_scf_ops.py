"""The operations of scf: their places, their fields, and what cannot be read (test_units.py has their text)."""

from __future__ import annotations

import pytest
from xdsl.ir import Operation

from tests.dialects import roundtrip
from tests.dialects.conftest import Ask
from tests.dialects.places import assert_same_places
from volcli.loading.driver import load
from volcli_dialects import scf
from volcli_dialects.scf.branches import IfOp, YieldOp
from volcli_dialects.scf.loops import ForallOp, ForOp, InParallelOp, ParallelOp, ReduceOp


def operations(text: str) -> list[Operation]:
    """The operations of scf in TEXT, a function's body with a few arguments."""
    arguments = "%n: index, %c: i1, %x: f32, %t: tensor<8xf32>"
    parsed = roundtrip.read_natively(f"func.func @f({arguments}) {{\n{text}\nreturn\n}}")
    return [op for op in parsed.module.walk() if op.name.startswith("scf.")]


@pytest.mark.mlir
def test_places(ask: Ask) -> None:
    assert_same_places(ask, "scf")


def test_units_have_every_operation() -> None:
    found = {op.name for text in roundtrip.units("scf") for op in roundtrip.read_natively(text).module.walk()}
    assert {op.name for op in scf.dialect().operations} <= found


def test_a_loop_has_its_bounds_and_carried_values() -> None:
    op, end = operations(
        "%r = scf.for %i = %n to %n step %n iter_args(%s = %x) -> f32 { scf.yield %s : f32 }"
    )
    assert isinstance(op, ForOp)
    assert op.unsigned is None
    assert [value.name_hint for value in (op.lower_bound, op.upper_bound, op.step, *op.inits)] == [
        "n", "n", "n", "x",
    ]  # fmt: skip
    assert [argument.name_hint for argument in op.body.block.args] == ["i", "s"]
    assert isinstance(end, YieldOp)
    assert end.arguments[0] is op.body.block.args[1]


def test_hidden_terminators_are_there() -> None:
    found = operations(
        "scf.if %c { } scf.parallel (%i) = (%n) to (%n) step (%n) { } scf.forall (%i) in (4) { }"
    )
    branch, end, loop, reduce, forall, in_parallel = found
    assert isinstance(branch, IfOp)
    assert not branch.else_region.blocks
    assert isinstance(end, YieldOp)
    assert isinstance(loop, ParallelOp)
    assert isinstance(reduce, ReduceOp)
    assert isinstance(forall, ForallOp)
    assert isinstance(in_parallel, InParallelOp)
    assert end.location == branch.location


@pytest.mark.sample(2)
@pytest.mark.mlir
@pytest.mark.parametrize(
    "text",
    [
        "scf.if %c { scf.yield {x.y} } else { }",
        "scf.for %i = %n to %n step %n { scf.yield {x.y} }",
        "scf.forall (%i) in (4) { scf.forall.in_parallel { } {x.y} }",
        'scf.parallel (%i) = (%n) to (%n) step (%n) { "scf.reduce"() {x.y} : () -> () }',
        "affine.for %i = 0 to 4 { affine.yield {x.y} }",
    ],
)
def test_attributes_of_terminators_that_say_nothing_else(ask: Ask, text: str) -> None:
    """mlir-opt drops them when it prints them; here they are kept."""
    program = f"func.func @f(%n: index, %c: i1) {{\n{text}\nreturn\n}}"
    first, second = ask([program, roundtrip.reprinted(program)], "-mlir-print-op-generic")
    assert first == second
    assert "x.y" in second


@pytest.mark.parametrize(
    ("bounds", "is_normalized"),
    [("in (4, %n)", True), ("= (0, 0) to (4, %n) step (1, 1)", True), ("= (0, 0) to (4, 4) step (1, 2)", False),
     ("= (0, %n) to (4, 4) step (1, 1)", False)],
)  # fmt: skip
def test_normalized_forall(bounds: str, is_normalized: bool) -> None:
    op = operations(f"scf.forall (%i, %j) {bounds} {{ }}")[0]
    assert isinstance(op, ForallOp)
    assert op.is_normalized is is_normalized


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("scf.for %i = %n to %n { }", "expected 'step'"),
        (
            "scf.for %i = %n to %n step %n iter_args(%s = %x) -> (f32, f32) { }",
            "expected 2 operand types but had 1",
        ),
        ("scf.for %i = %n to %n step %n iter_args(%s = %n) -> (f32) { }", "used with type f32"),
        ("scf.if %n { }", "used with type i1"),
        ("scf.while (%a = %x) : () -> () { } do { }", "expected 0 operand types"),
        ("scf.index_switch %n case 1 { }", "expected 'default'"),
        ("scf.parallel (%i) = (%n) to (%n) { }", "expected 'step'"),
        ("scf.forall (%i) (4) { }", "expected '='"),
    ],
)
def test_unreadable_operations_say_why(text: str, reason: str) -> None:
    program = load(
        f"func.func @f(%n: index, %c: i1, %x: f32) {{\n{text} return\n}}\nfunc.func private @g()", via="xdsl"
    )
    (diagnostic,) = program.diagnostics
    assert diagnostic.code == "V103"
    assert diagnostic.place is not None
    assert diagnostic.place.line == 2
    assert reason in diagnostic.message.lower(), diagnostic.message


def test_a_loop_in_the_wrong_shape_is_printed_all_the_same() -> None:
    text = '"scf.for"(%n, %n, %n) ({\n}) : (index, index, index) -> ()'
    program = load(f"func.func @f(%n: index) {{\n{text}\nreturn\n}}", via="xdsl")
    assert '"scf.for"(%n, %n, %n)' in program.text(reprint=True)
