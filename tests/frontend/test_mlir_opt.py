"""The second door: what mlir-opt reads is taken over with places and names."""

from __future__ import annotations

import pytest

from volcli.diagnostics import UsageError
from volcli.facts.shapes import ShapeFact
from volcli.frontend.parse import mlir_opt
from volcli.loading.driver import load
from volcli.model.symbols import symbol_of

TEXT = """\
func.func @native(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
func.func @foreign(%buffer: memref<4xf32>, %n: index) -> tensor<?xf32> {
  gpu.barrier
  %id = gpu.thread_id x
  %sum, %overflow = arith.addui_extended %id, %n : index, i1
  %made = tensor.empty(%n) : tensor<?xf32>
  return %made : tensor<?xf32>
}
"""

needs_mlir_opt = pytest.mark.mlir


@needs_mlir_opt
def test_what_cannot_be_read_natively_is_read_and_said() -> None:
    program = load(TEXT).run("infer-shapes")
    said = [(d.code, d.place.line if d.place else None) for d in program.diagnostics]
    assert said in ([("V307", 5)], [("V306", 5), ("V306", 6)])
    shapes = {f.value: (f.function, f.place.line) for f in program.facts if isinstance(f, ShapeFact)}
    assert shapes["%x"] == ("native", 1)
    assert shapes["%made"] == ("foreign", 8)


@needs_mlir_opt
def test_a_bug_of_the_reader_is_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise NameError("oops")

    text = "func.func @f() -> tensor<4xf32> {\n  %x = tensor.empty() : tensor<4xf32>\n  return %x : tensor<4xf32>\n}"
    (empty,) = (op for op in load(text).units[0].parsed.module.walk() if op.name == "tensor.empty")
    monkeypatch.setattr(type(empty), "parse", fail)
    (said,) = load(text).diagnostics
    assert (said.code, str(said.place)) == ("V900", "-:2:8")


@needs_mlir_opt
def test_everything_through_mlir_opt() -> None:
    program = load(TEXT, via="mlir-opt").run("infer-shapes")
    assert program.diagnostics == []
    assert "  // volcli: shape %made: [n]\n  %made = tensor.empty(%n)" in program.text()
    (unit,) = program.units
    names = [str(unit.parsed.names.of(r)) for op in unit.parsed.module.walk() for r in op.results]
    assert names == ["%id", "%sum", "%overflow", "%made"]


@needs_mlir_opt
def test_chunks_keep_the_lines_of_their_file() -> None:
    program = load(f"{TEXT}// -----\n{TEXT}", split=True, via="mlir-opt").run("infer-shapes")
    lines = [f.place.line for f in program.facts if isinstance(f, ShapeFact) and f.value == "%made"]
    assert lines == [8, 19]


@needs_mlir_opt
def test_what_mlir_opt_rejects_is_said_at_its_place() -> None:
    program = load("func.func @f() {\n  return %x : f32\n}\n", via="mlir-opt")
    (said,) = program.diagnostics
    assert (said.code, said.place and said.place.line) == ("V103", 2)
    assert "mlir-opt: " in said.message


@needs_mlir_opt
def test_what_mlir_opt_rejects_costs_nothing_else() -> None:
    """An error of syntax, one that only mlir-opt sees, and a call of what it rejects."""
    launched = """func.func @launched(%m: memref<8xf32>, %n: index) {
  gpu.launch blocks(%a, %b, %c) in (%d = %n, %e = %n, %f = %n) threads(%x, %y, %z) in (%s = %n, %t = %n, %u = %n) {
    %v = memref.load %m[%x] : memref<8xf32>
    gpu.terminator
  }
  return
}
"""
    broken = "func.func @broken() {\n  affine.for %i = to 4 {\n  }\n  return\n}\n"
    unknown = "func.func @unknown() {\n  gpu.no_such_operation\n  return\n}\n"
    calls = "func.func @calls() {\n  call @broken() : () -> ()\n  return\n}\n"
    program = load(broken + unknown + launched + calls)
    said = {(each.code, each.place and each.place.line) for each in program.diagnostics}
    assert said == {("V103", 2), ("V306", 7), ("V307", 11)}
    (unit,) = program.units
    taken_over = [each for each in unit.parsed.module.ops if unit.parsed.is_taken_over(each)]
    assert [symbol_of(each) for each in taken_over] == ["launched"]


def test_without_mlir_opt_the_native_door_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mlir_opt, "find_tool", lambda: None)
    program = load(TEXT).run("infer-shapes")
    assert "%x" in {f.value for f in program.facts if isinstance(f, ShapeFact)}
    assert all(d.code in ("V104", "V306") for d in program.diagnostics)
    with pytest.raises(UsageError, match="no mlir-opt-22 or mlir-opt on PATH"):
        load(TEXT, via="mlir-opt")


@needs_mlir_opt
def test_what_stands_in_an_operation_in_unknown_syntax_is_read() -> None:
    """Natively its body is text, and an access in it is not seen; an operation without a body stays as it is."""
    text = """func.func @f(%a: memref<10xf32>) {
  %c = arith.constant 12 : index
  gpu.launch blocks(%x, %y, %z) in (%d = %c, %e = %c, %g = %c) threads(%t, %u, %v) in (%p = %c, %q = %c, %r = %c) {
    %w = memref.load %a[%t] : memref<10xf32>
    gpu.terminator
  }
  gpu.barrier
  return
}
"""
    program = load(text).run("check-accesses")
    assert [(fact.subject, fact.place.line) for fact in program.facts] == [("read of %a[%t]", 4)]
    assert {each.code for each in program.diagnostics} >= {"V307"}
    natively = load(text, via="xdsl").run("check-accesses")
    assert (natively.facts, {each.code for each in natively.diagnostics}) == ([], {"V306"})
