from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from volcli.diagnostics import Diagnostic, Place

from .conftest import Driver, FakeFact, Shell


@pytest.fixture(autouse=True)
def no_pass_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """The fake driver runs pipelines; setting an option in one would import the real passes."""

    def with_option(pipeline: str, name: str, value: str) -> str:
        return f"{pipeline}{{{name}={value}}}"

    monkeypatch.setattr("volcli.passes.pipeline.with_option", with_option)


def facts(*values: str, question: str = "shapes") -> list[FakeFact]:
    return [FakeFact(question, value, Place("a.mlir", 3, 5)) for value in values]


def test_tables(driver: Driver, shell: Shell) -> None:
    driver.add("a.mlir", facts=facts("%x"))
    ran = shell("analyze", "a.mlir", "--ask", "shapes")
    assert ran.exit_code == 0
    assert ran.stdout == (
        "a.mlir\n"
        "\n"
        "shapes: 1 exact\n"
        "location  function  value  answer\n"
        "3:5       @layer    %x     { [h, w] : 0 <= h <= 255 }\n"
        "3:5       @layer    %x     second [bold]row[/bold]\n"
    )


@pytest.mark.parametrize("width", [1, 10, 30, 59, 60, 75, 200])
def test_narrow_terminals_wrap(driver: Driver, shell: Shell, width: int) -> None:
    driver.add("a.mlir", facts=facts("%x", "%y"))
    ran = shell("analyze", "a.mlir", "--ask=shapes", env={"COLUMNS": str(width)})
    assert ran.exit_code == 0
    assert max(map(len, ran.stdout.splitlines())) <= width
    unwrapped = "".join(ran.stdout.split())
    assert "%y" in unwrapped
    if width < 60:
        assert "answer:{[h,w]:0<=h<=255}" in unwrapped


def test_a_pipe_is_never_wrapped(driver: Driver, shell: Shell) -> None:
    driver.add("a.mlir", facts=facts("%" + "x" * 5000))
    ran = shell("analyze", "a.mlir", "--ask", "all")
    assert len(ran.stdout.splitlines()) == 6


def test_no_facts_is_said(driver: Driver, shell: Shell) -> None:
    driver.add("a.mlir")
    assert shell("analyze", "a.mlir").stdout == "a.mlir\n  no facts\n"


@pytest.mark.parametrize(
    "asked", [["shapes, regions,shapes"], ["shapes", "regions"], ["shapes", "regions,shapes"]]
)
def test_each_question_runs_its_passes_once(driver: Driver, shell: Shell, asked: list[str]) -> None:
    driver.add("a.mlir")
    shell("analyze", "a.mlir", *(word for each in asked for word in ("--ask", each)))
    program = driver.files["a.mlir"]
    assert not isinstance(program, Exception)
    assert program.ran == ["infer-shapes,sparsity-regions"]


def test_only_what_was_asked_is_answered(driver: Driver, shell: Shell) -> None:
    driver.add("a.mlir", facts=facts("%x") + facts("%y", question="maps"))
    ran = shell("analyze", "a.mlir", "--ask", "shapes")
    assert "%x" in ran.stdout
    assert "%y" not in ran.stdout


def test_of_one_value(driver: Driver, shell: Shell) -> None:
    driver.add("a.mlir", facts=facts("%x", "%y"))
    ran = shell("analyze", "a.mlir", "--of", "%y")
    assert "%x" not in ran.stdout
    assert "%y" in ran.stdout
    ran = shell("analyze", "a.mlir", "--of", "%z")
    assert ran.exit_code == 2
    assert ": no facts about %z" in ran.stderr


def test_a_question_that_nobody_answers(driver: Driver, shell: Shell) -> None:
    ran = shell("analyze", "a.mlir", "--ask", "shapes,region")
    assert ran.exit_code == 2
    assert "V004: no question 'region'" in ran.stderr
    assert "did you mean 'regions'?" in ran.stderr


def test_a_file_that_fails_does_not_stop_the_others(driver: Driver, shell: Shell) -> None:
    driver.add("a.mlir", facts=facts("%a"), said=[Diagnostic("V201", "differ", Place("a.mlir", 1, 1))])
    driver.files["bug.mlir"] = IndexError("0")
    driver.add("z.mlir", facts=facts("%z"))
    ran = shell("analyze", "a.mlir", "none.mlir", "bug.mlir", "z.mlir", "--format=json")
    assert ran.exit_code == 2
    files = json.loads(ran.stdout)["files"]
    assert [file["file"] for file in files] == ["a.mlir", "none.mlir", "bug.mlir", "z.mlir"]
    assert [[d["code"] for d in file["diagnostics"]] for file in files] == [["V201"], ["V100"], ["V900"], []]
    assert [len(file["facts"]) for file in files] == [1, 0, 0, 1]
    assert "V100" in ran.stderr
    assert "V900" in ran.stderr


def test_json_has_the_documented_envelope(driver: Driver, shell: Shell, root: Path) -> None:
    driver.add("a.mlir", said=[Diagnostic("V301", "é", Place("a.mlir", 1, 2)), Diagnostic("V302", "x")])
    ran = shell("analyze", "a.mlir", "--format=json")
    found = json.loads(ran.stdout)
    jsonschema.validate(found, json.loads((root / "docs" / "facts.schema.json").read_text()))
    assert found["schema"] == 1
    assert found["files"][0]["diagnostics"][0] == {
        "code": "V301",
        "severity": "remark",
        "line": 1,
        "column": 2,
        "message": "é",
        "next_step": Diagnostic("V301", "").next_step,
    }


LOOP = """func.func @one(%m: memref<8xf32>) {
  affine.for %i = 1 to 8 {
    %x = affine.load %m[%i - 1] : memref<8xf32>
    affine.store %x, %m[%i] : memref<8xf32>
  }
  return
}
"""


@pytest.fixture
def loop(tmp_path: Path) -> str:
    path = tmp_path / "loop.mlir"
    path.write_text(LOOP)
    return str(path)


def test_a_function_that_no_file_has(loop: str, shell: Shell) -> None:
    ran = shell("analyze", loop, "--ask", "loops", "--function", "@two")
    assert (ran.exit_code, ran.stdout) == (2, "")
    assert ran.stderr == "error: V005: no function @two\n  next: there are @one\n"
    assert "carried" in shell("analyze", loop, "--ask", "loops", "--function", "one").stdout
    assert shell("analyze", loop, "--ask", "zeros", "--function", "one").exit_code == 0


@pytest.mark.parametrize("text", [b"", b"\xff\xfe", b"\0"])
def test_a_file_that_cannot_be_read_is_not_one_without_facts(
    tmp_path: Path, shell: Shell, text: bytes
) -> None:
    (tmp_path / "a.mlir").write_bytes(text)
    ran = shell("analyze", str(tmp_path / "a.mlir"))
    assert (ran.exit_code, "no facts" in ran.stdout) == (2, False)
    assert "  not analysed: V1" in ran.stdout
    assert "\n\n" not in ran.stderr  # an empty line of the program is not shown


def test_of_standard_input_the_next_step_can_be_called(shell: Shell) -> None:
    said = shell("analyze", "-", input=LOOP).stdout
    assert "`volcli explain - --at LINE` explains a line" in said
    assert shell("explain", "-", "--at", "3", input=LOOP).exit_code == 0
