"""Findings come with a command that shows them; one that its execution contradicts is an internal error."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

import volcli
from volcli.cli import commands
from volcli.gate.findings.analysed import Analysed
from volcli.gate.findings.finding import Finding
from volcli.gate.findings.settings import Settings
from volcli.gate.policy.policy import Policy
from volcli.gate.rules.confirming import confirmed
from volcli.report.gate import rendered

_KINDS = {
    "V203": "bounds", "V205": "uninitialized", "V207": "race", "V208": "V240", "V216": "lifetime", "V217": "lifetime",
    "V218": "lifetime",
}  # fmt: skip


@pytest.mark.parametrize("code", _KINDS)
def test_the_command_shows_the_finding(code: str, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(root)
    found = [
        each for each in volcli.check(f"testdata/check/{code}.mlir", Policy()).findings if each.code == code
    ]
    assert found
    for each in found:
        words = shlex.split(each.confirmed)
        assert words[:2] == ["volcli", "run"], each
        done = CliRunner().invoke(commands.volcli, words[1:])
        assert _KINDS[code] in done.output
        if code not in ("V205", "V207", "V208"):
            assert f":{each.line}:{each.column}: error: V240: {_KINDS[code]}" in done.output, done.output


_RIGHT = """\
func.func @f(%m: memref<?xf32>, %n: index) -> f32 {
  %t = memref.alloc() : memref<4xf32>
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  affine.store %z, %t[2] : memref<4xf32>
  %v = affine.load %t[2] : memref<4xf32>
  affine.parallel (%i) = (0) to (%n) {
    affine.store %v, %m[%i] : memref<?xf32>
  }
  scf.for %k = %c0 to %n step %n {
    %w = arith.addf %v, %v : f32
  }
  memref.dealloc %t : memref<4xf32>
  return %v : f32
}
"""
_WITNESS = {"parameters": {"dim(%m, 0)": 3, "%n": 2}}


def _judged(code: str, line: int, witness: dict[str, object] | None = None, text: str = _RIGHT) -> Finding:
    """What becomes of a finding about the operation in LINE of a program without defects."""
    program = volcli.loads(text)
    program.run("dead-code")
    (unit,) = program.units
    analysed = Analysed(unit, Settings(frozenset([code])))
    op = analysed.first_in(line)
    (found,) = confirmed([analysed.finding(code, op, "it is wrong", witness=witness)], analysed)
    return found


@pytest.mark.parametrize(
    ("code", "line", "witness"),
    [
        ("V203", 6, None),
        ("V205", 6, None),
        ("V206", 5, None),
        ("V207", 7, _WITNESS),
        ("V216", 5, None),
        ("V217", 13, None),
    ],
)
def test_a_contradicted_finding_is_an_internal_error(
    code: str, line: int, witness: dict[str, object] | None
) -> None:
    found = _judged(code, line, witness)
    assert found.code == "V900", found
    assert found.message.startswith(f"{code} is contradicted by its execution, `volcli run - --function f --")
    assert found.message.endswith(": it is wrong")
    assert found.line == line


def test_a_race_is_not_contradicted_without_an_example() -> None:
    assert _judged("V207", 7).code == "V207"


def test_nothing_is_contradicted_where_callers_are_known() -> None:
    private = _RIGHT.replace("func.func @f", "func.func private @f")
    assert _judged("V203", 6, text=private).code == "V203"


_NEVER = """\
func.func @f(%n: index) {
  affine.for %i = 0 to 0 {
    %k = affine.apply affine_map<(i) -> (i + 1)>(%i)
  }
  return
}
"""


def test_dead_code_that_runs_is_an_internal_error() -> None:
    program = volcli.loads(_NEVER)
    program.run("dead-code")
    (unit,) = program.units
    analysed = Analysed(unit, Settings(frozenset(["V210"])))
    loop = analysed.first_in(2)
    finding = analysed.finding("V210", loop, "it has no iteration")
    assert [each.code for each in confirmed([finding], analysed)] == ["V210"]
    other = volcli.loads(_NEVER.replace("to 0", "to 2"))
    (lively,) = other.units
    lively.facts.extend(unit.facts)
    runs = Analysed(lively, Settings(frozenset(["V210"])))
    again = runs.finding("V210", runs.first_in(2), "it has no iteration")
    assert [each.code for each in confirmed([again], runs)] == ["V900"]


def test_reports_have_the_command(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(root)
    report = volcli.check("testdata/check/V203.mlir", Policy())
    command = "volcli run testdata/check/V203.mlir --function fires"
    assert f"  confirmed: {command}\n" in rendered(report, "text")
    log = json.loads(rendered(report, "sarif"))
    assert [each["properties"]["confirmed"] for each in log["runs"][0]["results"]] == [command]
    (file,) = json.loads(rendered(report, "json"))["files"]
    assert [each["confirmed"] for each in file["findings"]] == [command]


def test_a_file_in_chunks_is_not_executed(tmp_path: Path, root: Path) -> None:
    """`volcli run` reads a file in one."""
    text = (root / "testdata/check/V203.mlir").read_text()
    path = tmp_path / "two.mlir"
    path.write_text(f"{text}// -----\n{text}")
    found = [each for each in volcli.check(str(path), Policy()).findings if each.code == "V203"]
    assert len(found) == 2
    assert [each.confirmed for each in found] == ["", ""]


ASSUMED = """func.func @f(%n: index {{volcli.assume = affine_set<(d0) : (d0 - {0} >= 0)>}}, %m: memref<?xindex>) {{
  affine.parallel (%i) = (0) to (8) {{
    memref.store %i, %m[%n] : memref<?xindex>
  }}
  affine.parallel (%i) = (0) to (8) {{
    affine.store %i, %m[0] : memref<?xindex>
  }}
  return
}}
"""


@pytest.mark.parametrize(("least", "shown"), [(2, True), (40, False)])
def test_an_execution_with_other_arguments_than_assumed_shows_nothing(
    tmp_path: Path, least: int, shown: bool
) -> None:
    """Of small instances only those that fulfil `volcli.assume` are executed."""
    (tmp_path / "a.mlir").write_text(ASSUMED.format(least))
    report = volcli.check(tmp_path / "a.mlir")
    found = [each.confirmed for each in report.findings if each.code == "V207"]
    assert found
    numbers = [int(n) for each in found for n in re.findall(r"--arg %n=(\d+)", each)]
    assert bool(numbers) == shown
    assert all(n >= least for n in numbers)


PRIVATE = """func.func private @f(%m: memref<?xf32>, %x: f32) {{
  %c9 = arith.constant 9 : index
  memref.store %x, %m[%c9] : memref<?xf32>
  return
}}
func.func @g(%m: memref<?xf32>, %x: f32) {{
  {0}
  return
}}
"""
CALL = "call @f({}, %x) : (memref<?xf32>, f32) -> ()"
SMALL = f"%a = memref.alloc() : memref<4xf32> %s = memref.cast %a : memref<4xf32> to memref<?xf32> {CALL.format('%s')}"


@pytest.mark.parametrize(
    ("body", "function"), [(CALL.format("%m"), "g"), (SMALL, "g"), ("%y = arith.addf %x, %x : f32", "f")]
)
def test_a_private_function_is_executed_with_what_its_callers_pass(body: str, function: str) -> None:
    """By those that nothing calls, it is executed itself."""
    found = _judged("V203", 3, text=PRIVATE.format(body))
    assert f"--function {function}" in found.confirmed


def test_what_no_caller_passes_shows_nothing() -> None:
    large = SMALL.replace("4xf32", "16xf32")
    assert _judged("V203", 3, text=PRIVATE.format(large)).confirmed == ""
    public = PRIVATE.format(large).replace("private ", "")
    assert "--function f" in _judged("V203", 3, text=public).confirmed
