"""A rewrite after which a result is computed from other elements is an error, and is undone."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from xdsl.ir import Operation

import volcli
from tests.conftest import ROOT
from tests.rewriting.passes import named, rewritten
from volcli.equivalence import comparison
from volcli.rewriting.changes import comparing, elements
from volcli.rewriting.changes.changes import Changes

TEXT = """\
func.func @f(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %s = arith.addf %x, %y : tensor<4xf32>
  %t = arith.mulf %s, %x : tensor<4xf32>
  return %t : tensor<4xf32>
}
"""


def in_this_process(work: Callable[[], object], _: float | None) -> tuple[object]:
    """What `apart` does in a copy of this process."""
    return (work(),)


def test_another_operand_is_found_and_undone() -> None:
    """`%x + %x` for `%x + %y`: the text that is printed is the old one."""

    def wrong(changes: Changes, function: Operation) -> None:
        add = named(function, "arith.addf")
        changes.use(add, 1, add.operands[0])

    program = rewritten(TEXT, wrong)
    (said,) = program.diagnostics
    assert said.code == "V900"
    assert "result 0: different: element [0] no longer depends on %y[0]" in said.message
    assert said.place is not None
    assert said.place.line == 1
    assert program.exit_code == 2
    assert not any(unit.rewritten or unit.failed for unit in program.units)
    assert program.text(annotate="none") == TEXT
    assert program.run("infer-shapes").facts


def test_operands_in_another_order_are_the_same_elements() -> None:
    """Arithmetic is not compared."""

    def swap(changes: Changes, function: Operation) -> None:
        add = named(function, "arith.addf")
        changes.set_operands(add, list(reversed(add.operands)))

    program = rewritten(TEXT, swap)
    assert program.diagnostics == []
    assert "arith.addf %y, %x" in program.text(annotate="none")


def test_what_is_not_known_is_said() -> None:
    """The result of an unknown operation cannot be compared: no error, and a remark."""
    text = TEXT.replace(
        "arith.mulf %s, %x : tensor<4xf32>",
        '"test.odd"(%s, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>',
    )

    def swap(changes: Changes, function: Operation) -> None:
        add = named(function, "arith.addf")
        changes.set_operands(add, list(reversed(add.operands)))

    program = rewritten(text, swap)
    assert [each.code for each in program.diagnostics] == ["V313"]
    assert [reason for unit in program.units for reason in unit.unchecked] == [
        "result 0: unknown: before: test.odd has no case",
        "effects: unknown: before: the memory effects of 'test.odd' are unknown",
    ]


@pytest.mark.parametrize("passes", ["mark-parallel", "infer-shapes{refine-types}", "reify-bounds"])
def test_what_a_pass_changes_is_checked(passes: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each pass ends with the comparison."""
    seen: list[str] = []
    real = comparison.compared

    def noted(*models: object, **options: object) -> object:
        seen.append("compared")
        return real(*models, **options)  # pyright: ignore[reportArgumentType, reportCallIssue]

    monkeypatch.setattr(comparison, "compared", noted)
    monkeypatch.setattr(elements, "apart", in_this_process)
    text = """\
func.func @f(%n: index, %a: memref<8xf32>, %t: tensor<4xf32>) -> tensor<?xf32> {
  affine.for %i = 0 to 8 {
    %x = affine.load %a[%i] : memref<8xf32>
    affine.store %x, %a[%i] : memref<8xf32>
  }
  %r = tensor.cast %t : tensor<4xf32> to tensor<?xf32>
  %c0 = arith.constant 0 : index
  %d = tensor.dim %r, %c0 : tensor<?xf32>
  %e = tensor.empty(%d) : tensor<?xf32>
  %s = linalg.exp ins(%r : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  return %s : tensor<?xf32>
}
"""
    program = volcli.loads(text).run(passes)
    assert [d.code for d in program.diagnostics if d.code == "V900"] == []
    assert seen


def test_what_stops_the_check_does_not_stop_the_rewrite(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*models: object, **options: object) -> object:
        raise ValueError("no comparison")

    def swap(changes: Changes, function: Operation) -> None:
        add = named(function, "arith.addf")
        changes.set_operands(add, list(reversed(add.operands)))

    monkeypatch.setattr(comparison, "compared", broken)
    program = rewritten(TEXT, swap)
    assert [each.message for each in program.diagnostics] == [
        "a rewrite of @f was not checked: no comparison; executed: no difference in 68 instances"
    ]
    assert "arith.addf %y, %x" in program.text(annotate="none")
    assert [unit.unchecked for unit in program.units] == [["no comparison"]]


def test_nothing_is_said_of_a_function_that_was_not_rewritten() -> None:
    text = """func.func private @unknown(memref<8xf32>)
func.func @as_it_was(%m: memref<8xf32>) {
  affine.for %i = 0 to 8 { func.call @unknown(%m) : (memref<8xf32>) -> () }
  return
}
func.func @rewritten(%m: memref<8xf32>, %x: f32) {
  affine.for %i = 0 to 8 { affine.store %x, %m[%i] : memref<8xf32> }
  return
}
"""
    program = volcli.loads(text).run("mark-parallel")
    assert "affine.parallel" in program.text()
    assert list(program.diagnostics) == []


def test_a_crash_of_the_check_ends_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    """isl may end the process that it runs in: that is a copy, and the rewrite is not checked."""
    import os
    import signal

    def crash(*models: object, **options: object) -> object:
        os.kill(os.getpid(), signal.SIGSEGV)
        return None

    def swap(changes: Changes, function: Operation) -> None:
        add = named(function, "arith.addf")
        changes.set_operands(add, list(reversed(add.operands)))

    monkeypatch.setattr(comparing, "compared_without_tiles", crash)
    program = rewritten(TEXT, swap)
    (said,) = program.diagnostics
    assert said.code == "V313"
    assert "a crash in integer set operations (SIGSEGV)" in said.message
    assert "arith.addf %y, %x" in program.text(annotate="none")


def test_a_rewrite_that_differs_when_executed_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sets do not know, and one execution does: the program stays what it was."""

    def broken(*models: object, **options: object) -> object:
        raise ValueError("no comparison")

    def spoil(changes: Changes, function: Operation) -> None:
        add = named(function, "arith.addf")
        changes.set_operands(add, [add.operands[0]] * 2)

    monkeypatch.setattr(comparison, "compared", broken)
    program = rewritten(TEXT, spoil)
    (said,) = program.diagnostics
    assert said.code == "V900"
    assert (
        "it computes something else than before: result 0: element [0] is mulf(addf(x[0], y[0])"
        in said.message
    )
    assert program.text(annotate="none") == volcli.loads(TEXT).text(annotate="none")


def test_a_rewrite_is_compared_where_what_is_assumed_holds() -> None:
    """min(ceil(a / 4) * 4, max(a, 4)) is max(a, 4) where a >= 1, and 0 for a = -3."""
    text = (ROOT / "testdata" / "symbolic" / "rounded.mlir").read_text()
    program = volcli.load(text, assume=["%a >= 1"])
    program.run("simplify-bounds")
    assert [each.code for each in program.diagnostics] == []
    assert program.text().count("minsi") == 0
    program = volcli.load(text, assume=["%a * %a >= 1 and %a >= 0"])
    program.run("simplify-bounds")
    assert {each.code for each in program.diagnostics} <= {"V313"}
