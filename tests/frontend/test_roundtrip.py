"""benchmarks/roundtrip.py finds no difference in testdata/, and finds those that there are."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest

from volcli.frontend.parse.parser import ParsedModule
from volcli.frontend.print.printer import print_module

TEXT = """\
func.func @f(%a: i32) -> i32 {
  %b = arith.addi %a, %a {x = 1 : i32} : i32
  return %b : i32
}
// -----
func.func private @g()
"""


@pytest.fixture
def tool(root: Path) -> Iterator[ModuleType]:
    spec = importlib.util.spec_from_file_location("roundtrip", root / "benchmarks" / "roundtrip.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["roundtrip"] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    yield module
    del sys.modules["roundtrip"]


@pytest.mark.slow
@pytest.mark.parametrize("room", ["affine", "linalg", "regions", "scf", "tensor"])
def test_testdata_is_printed_as_it_was_read(tool: ModuleType, mlir_opt: str, root: Path, room: str) -> None:
    report = tool.measure(mlir_opt, [root / "testdata" / room])
    assert not report.findings
    assert report.counts["the same program"] > 0
    assert report.counts["places"] > 0


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("spoil", "cause"),
    [
        (lambda text: text.replace("x = 1 : i32", "x = 2 : i32"), "another program"),
        (lambda text: text.replace("return", "retrun"), "mlir-opt refuses the print"),
        (
            lambda text: text.replace("arith.addi %a, %a", '"arith.addi"(%a, %a)').replace(
                "} : i32\n", "} : (i32, i32) -> i32\n"
            ),
            "generic form where mlir-opt has syntax",
        ),
    ],
)
def test_a_difference_is_found_in_its_unit(
    tool: ModuleType,
    mlir_opt: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    spoil: Callable[[str], str],
    cause: str,
) -> None:
    def print_spoilt(parsed: ParsedModule) -> str:
        return spoil(print_module(parsed))

    file = tmp_path / "a.mlir"
    file.write_text(TEXT)
    monkeypatch.setattr(tool, "print_module", print_spoilt)
    report = tool.measure(mlir_opt, [file])
    assert [(finding.cause, finding.unit) for finding in report.findings] == [(cause, f"{file}:1")]
    assert report.counts["units"] == 2


def test_another_place_is_found(tool: ModuleType, mlir_opt: str, tmp_path: Path) -> None:
    unit = tool.Unit("a.mlir:1", TEXT.partition("// -----\n")[0])
    moved = tool.ask(mlir_opt, ["\n" + unit.text], "-mlir-print-op-generic", "-mlir-print-debuginfo")[0]
    report = tool.Report()
    tool.compare_places(unit, tool.read(unit.text), moved, report)
    # The function, its argument, the addition, the return: one line further down.
    assert [finding.cause for finding in report.findings] == ["another place"] * 4


@pytest.mark.slow
@pytest.mark.mlir
def test_the_exit_code(tool: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "a.mlir"
    file.write_text(TEXT)
    assert tool.main([str(file)]) == 0
    assert "2  the same program" in capsys.readouterr().out
    file.write_bytes(b"\xe9")
    assert tool.main([str(file)]) == 1
    assert "is not UTF-8" in capsys.readouterr().out
