"""A rewrite that goes wrong is an internal error at its place, and nothing is written."""

from __future__ import annotations

import pytest
from xdsl.dialects.builtin import AffineMapAttr, i32
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineMap

import volcli
from tests.rewriting.passes import named, rewritten
from volcli.language.expressions import Expression, value_of
from volcli.loading.driver import Program
from volcli.rewriting.changes.changes import Changes
from volcli.rewriting.code.materialize import Materializer

TEXT = """\
func.func @f(%n: index, %t: tensor<?xf32>) -> index {
  %c2 = arith.constant 2 : index
  %m = arith.addi %n, %c2 : index
  %e = tensor.empty(%m) : tensor<?xf32>
  %c0 = arith.constant 0 : index
  %d = tensor.dim %e, %c0 : tensor<?xf32>
  return %d : index
}
"""


def internal(program: Program) -> list[tuple[int, str]]:
    """Lines and texts of internal errors; then the old program is printed."""
    found = [(d.place.line if d.place else 0, d.message) for d in program.diagnostics if d.code == "V900"]
    assert bool(found) == (program.exit_code == 2)
    if found:
        old = "".join(unit.parsed.source.text for unit in program.units)
        assert program.text("none").split() == volcli.loads(old).text().split()
    return found


def test_what_is_right_is_printed() -> None:
    def shift(changes: Changes, function: Operation) -> None:
        add = named(function, "arith.addi")
        n = value_of(add.operands[0])
        made = Materializer(changes.before(add), lambda _: (0, 0)).value(n + 2)
        changes.claim(value_of(made), "==", n + 2, at=add)
        changes.replace(add, [made])

    program = rewritten(TEXT, shift)
    assert internal(program) == []
    assert "%m = affine.apply" in program.text(annotate="none")


def test_a_claim_that_fails_is_found() -> None:
    """A builder that is one off: what `tensor.dim` was replaced by is not the size."""
    real = Materializer.value

    def one_more(self: Materializer, expression: Expression) -> SSAValue:
        return real(self, expression + 1)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Materializer, "value", one_more)
        program = volcli.loads(TEXT).run("reify-bounds")
    ((line, message),) = internal(program)
    assert line == 7  # the operation behind the one that is gone
    assert "dim(%e, 0) == " in message
    assert "was proved and is not so" in message
    assert internal(volcli.loads(TEXT).run("reify-bounds")) == []


def test_a_bound_that_is_none_is_found() -> None:
    text = """\
func.func @f(%n: index) -> index {
  %c2 = arith.constant 2 : index
  %m = arith.minsi %n, %c2 : index
  %b = "test.reify_bound"(%m) {type = "UB", constant} : (index) -> index
  return %b : index
}
"""
    real = Materializer.value

    def one_less(self: Materializer, expression: Expression) -> SSAValue:
        return real(self, expression - 1)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Materializer, "value", one_less)
        program = volcli.loads(text).run("test-affine-reify-value-bounds")
    ((_, message),) = internal(program)
    assert "%m < " in message
    assert internal(volcli.loads(text).run("test-affine-reify-value-bounds")) == []


def test_an_operand_that_is_defined_later_is_found() -> None:
    def use_too_early(changes: Changes, function: Operation) -> None:
        add, dim = named(function, "arith.addi"), named(function, "tensor.dim")
        changes.use(add, 1, dim.results[0])

    ((line, message),) = internal(rewritten(TEXT, use_too_early))
    assert line == 3
    assert "does not dominate this use" in message


def test_an_operand_that_is_its_own_result_is_found() -> None:
    def use_itself(changes: Changes, function: Operation) -> None:
        add = named(function, "arith.addi")
        changes.use(add, 0, add.results[0])

    ((line, message),) = internal(rewritten(TEXT, use_itself))
    assert line == 3
    assert "does not dominate this use" in message


def test_a_rewrite_that_breaks_off_leaves_the_program() -> None:
    def break_off(changes: Changes, function: Operation) -> None:
        add = named(function, "arith.addi")
        changes.use(add, 1, add.operands[0])
        raise ArithmeticError("too deep")

    ((_, message),) = internal(rewritten(TEXT, break_off))
    assert "ArithmeticError" in message


def test_an_operation_that_its_dialect_refuses_is_found() -> None:
    def lose_a_size(changes: Changes, function: Operation) -> None:
        empty = named(function, "tensor.empty")
        made = changes.before(empty).make("tensor.empty", [], result=empty.results[0].type)
        changes.replace(empty, [made])

    ((line, message),) = internal(rewritten(TEXT, lose_a_size))
    assert line == 4
    assert "tensor.empty" in message


def test_an_operation_that_is_printed_as_another_is_found() -> None:
    """What affine.apply computes is an index by its syntax: an i32 is read again as an index."""

    def make_an_integer(changes: Changes, function: Operation) -> None:
        last = named(function, "func.return")
        map_ = AffineMapAttr(AffineMap.identity(1))
        changes.before(last).make("affine.apply", last.operands, result=i32, properties={"map": map_})

    ((line, message),) = internal(rewritten(TEXT, make_an_integer))
    assert line == 7
    assert "its text has 'affine.apply'" in message


def test_what_was_invalid_before_is_no_new_error() -> None:
    text = TEXT.replace("return %d", "%x = tensor.dim %t, %bad : tensor<?xf32>\n  return %d")
    text = text.replace(
        "%e = ", "%bad = arith.constant 3 : index\n  %w = tensor.empty() : tensor<?xf32>\n  %e = "
    )
    assert any(d.code == "V110" for d in volcli.loads(text).diagnostics)
    assert not [d for d in volcli.loads(text).run("reify-bounds").diagnostics if d.code == "V900"]


def test_a_loop_that_lost_its_order_and_races_is_found() -> None:
    text = """\
func.func @f(%m: memref<8xf32>) {
  affine.for %i = 1 to 8 {
    %v = affine.load %m[%i - 1] : memref<8xf32>
    affine.store %v, %m[%i] : memref<8xf32>
  }
  return
}
"""

    def lose_order(changes: Changes, function: Operation) -> None:
        assert changes.parallelize(named(function, "affine.for")) is not None

    ((line, message),) = internal(rewritten(text, lose_order))
    assert line == 2
    assert "two of them race" in message
    assert internal(rewritten(text.replace("%i - 1", "%i"), lose_order)) == []


def test_places_and_names_are_those_of_what_is_replaced() -> None:
    text = """\
func.func @f(%t: tensor<?xf32>) -> index {
  %z = arith.constant 0.0 : f32
  %p = tensor.pad %t low[1] high[2] {
  ^bb0(%i: index):
    tensor.yield %z : f32
  } : tensor<?xf32> to tensor<?xf32>
  %c0 = arith.constant 0 : index
  %d = tensor.dim %p, %c0 : tensor<?xf32>
  return %d : index
}
"""
    program = volcli.loads(text).run("reify-bounds")
    assert "%t_d0 = tensor.dim %t, %c0" in program.text(annotate="none")
    assert "%d = affine.apply" in program.text(annotate="none")
    (model,) = program.units[0].models()
    made = named(model.function, "affine.apply")
    assert program.units[0].parsed.written_at(made).line == 8


def test_bounds_are_named_after_their_values() -> None:
    text = """\
func.func @f(%n: index, %t: tensor<?xf32>) -> (index, index) {
  %c2 = arith.constant 2 : index
  %m = arith.addi %n, %c2 : index
  %0 = "test.reify_bound"(%m) {type = "UB"} : (index) -> index
  %z = arith.constant 0.0 : f32
  %f = linalg.fill ins(%z : f32) outs(%t : tensor<?xf32>) -> tensor<?xf32>
  %1 = "test.reify_bound"(%f) {type = "EQ", dim = 0 : i64} : (tensor<?xf32>) -> index
  return %0, %1 : index, index
}
"""
    printed = volcli.loads(text).run("test-affine-reify-value-bounds").text(annotate="none")
    assert "%m_ub = affine.apply" in printed
    assert "%f_d0_eq = tensor.dim %t, %c0" in printed


def test_what_only_replaced_operations_used_is_erased() -> None:
    printed = volcli.loads(TEXT).run("reify-bounds").text(annotate="none")
    assert "tensor.empty" not in printed
    assert "%c0" not in printed
