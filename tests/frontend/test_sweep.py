"""Malformed operations in generic form: an error at each, and nothing else is lost."""

from __future__ import annotations

import pytest

import volcli
from tests.frontend.sweep import failures, names, signatures

# The sentences are mlir-opt's; see `mlir-opt-22 FILE` with these operations in a function.
MALFORMED = [
    ('"arith.addi"(%n) : (index) -> index', "expected 2 operands, but found 1"),
    ('"arith.addi"(%n, %n) : (index, index) -> ()', "requires one result"),
    ('"arith.addi"(%n, %n) ({}) : (index, index) -> index', "requires zero regions"),
    ('"arith.muli"(%n, %i) : (index, i32) -> index', "requires the same type for all operands and results"),
    ('"arith.subi"(%x, %x) : (f32, f32) -> f32', "operand #0 must be signless-integer-like, but got 'f32'"),
    ('"arith.mulf"(%n, %n) : (index, index) -> index', "operand #0 must be floating-point-like, but got 'index'"),
    ('"arith.constant"() : () -> index', "requires attribute 'value'"),
    ('"memref.load"() : () -> f32', "expected 1 or more operands, but found 0"),
    ('"memref.load"(%m, %i) : (memref<4xf32>, i32) -> f32', "operand #1 must be variadic of index, but got 'i32'"),
    ('"memref.store"(%x) : (f32) -> ()', "expected 2 or more operands, but found 1"),
    ('"memref.dealloc"() : () -> ()', "requires a single operand"),
    ('"scf.for"(%n, %n, %n) : (index, index, index) -> ()', "requires one region"),
    ('"scf.while"() ({}) : () -> ()', "expected 2 regions"),
    ('"scf.for"(%n, %n, %n) ({}) : (index, index, index) -> ()',
     "region #0 ('body') failed to verify constraint: region with 1 blocks"),
    ('"tensor.dim"(%t) : (tensor<?xf32>) -> index', "expected 2 operands, but found 1"),
    ('"memref.subview"(%m) : (memref<4xf32>) -> memref<4xf32>',
     "operand count (1) does not match with the total size (0) specified in attribute 'operandSegmentSizes'"),
    ('"func.call"() : () -> ()', "requires attribute 'callee'"),
    ('"func.func"() ({}) : () -> ()', "requires attribute 'sym_name'"),
    ('"math.fma"(%x, %x) : (f32, f32) -> f32', "expected 3 operands, but found 2"),
    ('"linalg.map"() ({}) {} : () -> ()', "expected 1 or more operands, but found 0"),
]  # fmt: skip


@pytest.mark.sample(5)
@pytest.mark.parametrize(("op", "message"), MALFORMED)
def test_an_error_at_the_operation_in_the_words_of_mlir_opt(op: str, message: str) -> None:
    results = "%r = " * (not op.endswith("-> ()"))
    text = (
        "func.func @f(%n: index, %i: i32, %x: f32, %m: memref<4xf32>, %t: tensor<?xf32>) -> index {\n"
        f"  {results}{op}\n  %s = arith.addi %n, %n : index\n  return %s : index\n}}\n"
    )
    program = volcli.load(text, via="xdsl").run("value-bounds")
    (found,) = program.diagnostics
    name = op.split('"')[1]
    place = found.place
    assert (found.code, found.message) == ("V110", f"'{name}' op {message}")
    assert place is not None
    assert (place.line, place.column) == (2, 8 if results else 3)
    assert "%s" in {getattr(fact, "value", None) for fact in program.facts}
    assert op.partition("(")[0] in program.text(reprint=True)


def test_segments_of_no_operands_may_be_left_out() -> None:
    text = 'func.func @f() {\n  %m = "memref.alloc"() : () -> memref<4xf32>\n  return\n}\n'
    program = volcli.load(text)
    assert program.diagnostics == []
    assert "memref.alloc() : memref<4xf32>" in program.text(reprint=True)


@pytest.mark.sample(1)
@pytest.mark.parametrize("count", [2, pytest.param(40, marks=pytest.mark.fuzz)])
@pytest.mark.parametrize("part", range(100))
def test_nothing_is_lost_beside_malformed_operations(part: int, count: int) -> None:
    """Each operation in a program of its own."""
    for name in names()[part::100]:
        assert list(failures(name, signatures(count, seed=len(name)))) == [], name
