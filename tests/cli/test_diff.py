"""`volcli diff`: two programs, function by function."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from tests.conftest import Run
from volcli.runtime.shipped import schema

COPY = """\
func.func @f(%a: memref<8xf32>, %n: index, %r: memref<8xf32>) {
  affine.for %i = 0 to 8 {
    %x = affine.load %a[%i] : memref<8xf32>
    affine.store %x, %r[%i] : memref<8xf32>
  }
  return
}
func.func @g(%x: tensor<?xf32>) -> tensor<?xf32> {
  return %x : tensor<?xf32>
}
"""
UNKNOWN = """\
func.func @f(%a: memref<8xf32>, %n: index, %r: memref<8xf32>) {
  "test.unknown"(%a, %r) : (memref<8xf32>, memref<8xf32>) -> ()
  return
}
func.func @g(%x: tensor<?xf32>) -> tensor<?xf32> {
  return %x : tensor<?xf32>
}
"""
WHAT = "compared: the operations that make each element, and their operands"
OF_DIFFERENCES = (
    "different: an element depends on other elements of the inputs; its value may be equal if they cancel"
)


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    texts = {
        "copy": COPY,
        "steps": COPY.replace("0 to 8 {", "0 to 8 step 1 {").replace("[%i]", "[%i + 0]"),
        "less": COPY.replace("0 to 8", "0 to 7"),
        "unknown": UNKNOWN,
        "shrunk": COPY.replace("%n: index", "%n: f32"),
        "broken": "func.func @f(",
        "empty": "",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    return {name: str(tmp_path / name) for name in texts}


def test_equal(volcli: Run, files: dict[str, str]) -> None:
    done = volcli("diff", files["copy"], files["steps"])
    assert done.returncode == 0
    assert done.stdout.splitlines() == [
        "@f: equal: the same operations",
        "  argument %r: equal",
        "@g: equal: the same operations",
        "  result 0: equal",
        "2 functions: 2 equal",
        WHAT,
    ]


def test_different(volcli: Run, files: dict[str, str]) -> None:
    done = volcli("diff", files["copy"], files["less"], "--function", "f")
    assert done.returncode == 1
    assert done.stdout.splitlines() == [
        "@f: different, if the arguments are different memory",
        "  argument %r: different: element [7] no longer depends on %a[7]",
        "1 function: 1 different",
        WHAT,
        OF_DIFFERENCES,
    ]


def test_unknown_is_said_and_strict(volcli: Run, files: dict[str, str]) -> None:
    done = volcli("diff", files["copy"], files["unknown"])
    assert done.returncode == 0
    assert "argument %r: unknown: after: the memory effects of 'test.unknown' are unknown" in done.stdout
    assert volcli("diff", files["copy"], files["unknown"], "--strict").returncode == 1
    assert "the arguments are of other types" in volcli("diff", files["copy"], files["shrunk"]).stdout


def test_what_cannot_be_used(volcli: Run, files: dict[str, str]) -> None:
    assert volcli("diff", files["copy"], files["broken"]).returncode == 2
    assert volcli("diff", files["copy"], files["copy"] + "none").returncode == 2
    done = volcli("diff", files["copy"], files["less"], "--function", "h")
    assert done.returncode == 2
    assert "no function @h" in done.stderr
    assert "there are @f, @g" in done.stderr
    done = volcli("diff", "-", "-")
    assert done.returncode == 2
    assert "only one of BEFORE and AFTER can be stdin" in done.stderr
    done = volcli("diff", files["empty"], files["empty"])
    assert done.returncode == 2
    assert done.stdout.startswith("0 functions\n")


def test_json_is_as_its_schema_says(volcli: Run, files: dict[str, str]) -> None:
    for other in ("steps", "less", "unknown", "shrunk"):
        done = volcli("diff", files["copy"], files[other], "--format", "json")
        report = json.loads(done.stdout)
        jsonschema.validate(report, json.loads(schema("diff")))
    done = volcli("diff", files["copy"], files["less"], "--format", "json")
    (output,) = json.loads(done.stdout)["functions"][0]["outputs"]
    assert output["witness"] == {"element": [7], "source": "%a[7]", "program": "before", "parameters": {}}


def test_parameters_of_a_witness_have_their_names(volcli: Run, tmp_path: Path) -> None:
    """The loop of the second program begins at 1: with n = 1 nothing is copied."""
    text = """\
func.func @f(%a: memref<?xf32>, %n: index, %r: memref<?xf32>) {
  affine.for %i = 0 to %n {
    %x = affine.load %a[%i] : memref<?xf32>
    affine.store %x, %r[%i] : memref<?xf32>
  }
  return
}
"""
    (tmp_path / "a").write_text(text)
    (tmp_path / "b").write_text(text.replace("0 to", "1 to"))
    done = volcli("diff", str(tmp_path / "a"), str(tmp_path / "b"), "--format", "json")
    (output,) = json.loads(done.stdout)["functions"][0]["outputs"]
    assert set(output["witness"]["parameters"]) == {"%n", "dim(%a, 0)", "dim(%r, 0)"}
    assert output["witness"]["element"] == [0]


def test_what_cancels_is_a_difference_of_dependences(volcli: Run, tmp_path: Path) -> None:
    """x + y - x is y, and depends on x: the answer says what it is about."""
    text = """\
func.func @f(%x: tensor<8xi32>, %y: tensor<8xi32>) -> tensor<8xi32> {
  %s = arith.addi %x, %y : tensor<8xi32>
  %d = arith.subi %s, %x : tensor<8xi32>
  return %d : tensor<8xi32>
}
"""
    (tmp_path / "sum").write_text(text)
    (tmp_path / "plain").write_text(text.replace("return %d", "return %y"))
    files = str(tmp_path / "sum"), str(tmp_path / "plain")
    done = volcli("diff", *files, "--compare", "sources")
    assert done.returncode == 1
    assert "element [0] no longer depends on %x[0]" in done.stdout
    assert done.stdout.splitlines()[-1] == OF_DIFFERENCES
    done = volcli("diff", *files, "--strict")
    assert (done.returncode, "which may not matter to its value" in done.stdout) == (1, True)
    done = volcli("diff", *files, "--compare", "arithmetic", "--strict")
    assert (done.returncode, "@f: equal: the same function" in done.stdout) == (0, True)
