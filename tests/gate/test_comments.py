"""Comments to the gate: what they mean, and that other commands leave them as they are."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conftest import Run
from volcli.gate.policy.policy import CodeChoice, Policy
from volcli.gate.run import run
from volcli.report.gate import rendered

LOOPS = """func.func @f(%m: memref<16xf32>, %s: memref<f32>, %n: index) -> f32 {{
  %zero = arith.constant 0.0 : f32
  // volcli: expect {}
  affine.for %i = 1 to 16 {{
    %a = affine.load %m[%i - 1] : memref<16xf32>
    affine.store %a, %m[%i] : memref<16xf32>
  }}
  // volcli: expect {}
  %r = affine.for %j = 0 to 16 iter_args(%acc = %zero) -> (f32) {{
    %b = affine.load %m[%j] : memref<16xf32>
    %c = arith.addf %acc, %b : f32
    affine.yield %c : f32
  }}
  // volcli: expect {}
  %d = memref.load %m[%n] : memref<16xf32>
  return %r : f32
}}
"""


def found(tmp_path: Path, text: str, policy: Policy | None = None) -> list[tuple[str, int | None, str]]:
    (tmp_path / "a.mlir").write_text(text)
    policy = policy or Policy(asked=CodeChoice(("V22",)))
    return [(each.code, each.line, each.message) for each in run([str(tmp_path / "a.mlir")], policy).findings]


def test_expectations_that_hold(tmp_path: Path) -> None:
    text = LOOPS.format("bound 1 <= %i <= 15", "reduction %j", "bound %i + %j <= 30")
    assert found(tmp_path, text) == []
    assert found(tmp_path, LOOPS.format("in-bounds", "parallel %j", "independent"))[0][0] == "V220"


@pytest.mark.sample(5)
@pytest.mark.parametrize(
    ("position", "said", "code", "message"),
    [
        (0, "parallel %i", "V220", "'parallel %i' does not hold: %i is carried: RAW %m[%i] -> %m[%i - 1], "),
        (0, "independent", "V220", "'independent' does not hold: RAW "),
        (1, "parallel %j", "V220", "'parallel %j' does not hold: %j is reduction: combines "),
        (1, "parallel %k", "V222", "no loop of '%k' here; there are those of %j"),
        (1, "bound %k <= 3", "V222", "no index or integer value, or size, %k in the program"),
        (1, "bound %j <=", "V222", ""),
        (2, "in-bounds", "V220", "'in-bounds' does not hold: read of %m[%n] index "),
        (2, "in-bounds %m", "V222", "'in-bounds' is about the operation below, and takes no '%m'"),
        (2, "speed", "V222", "expect bound, in-bounds, "),
        (2, "regions %r", "V222", "write labels and numbers"),
    ],
)
def test_what_does_not_hold(tmp_path: Path, position: int, said: str, code: str, message: str) -> None:
    words = ["bound %n = %n"] * 3
    words[position] = said
    (one,) = found(tmp_path, LOOPS.format(*words))
    assert one[:2] == (code, (3, 8, 14)[position])
    assert one[2].startswith(message), one


TWICE = """// volcli: expect {}
func.func @f(%m: memref<8xindex>, %n: index) {{
  %c3 = arith.constant 3 : index
  affine.for %i = 0 to 4 {{
    affine.store %c3, %m[%i] : memref<8xindex>
  }}
  affine.for %i = 0 to 3 {{
    %v = affine.load %m[%i] : memref<8xindex>
    affine.store %v, %m[%i + 1] : memref<8xindex>
  }}
  %p = arith.cmpi sle, %n, %c3 : index
  scf.if %p {{
    %a = arith.minsi %n, %c3 : index
    affine.store %a, %m[0] : memref<8xindex>
  }} else {{
    %a = arith.subi %n, %c3 : index
    affine.store %a, %m[1] : memref<8xindex>
  }}
  return
}}
"""


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ("parallel %i", "'parallel %i' does not hold: %i in line 7 is carried: "),
        ("bound %a <= 3", "'bound %a <= 3' does not hold: it fails at %n = 7"),
        ("bound %i <= 3", None),
        ("bound %i <= 2", "'bound %i <= 2' does not hold: it fails at %i = 3"),
    ],
)
def test_a_name_that_is_used_twice_is_each_of_its_values(
    tmp_path: Path, said: str, message: str | None
) -> None:
    answers = [each for _, _, each in found(tmp_path, TWICE.format(said))]
    assert len(answers) == (message is not None)
    assert all(each.startswith(message or "") for each in answers)


def test_regions(tmp_path: Path, root: Path) -> None:
    text = (root / "testdata" / "linalg" / "conv_layer.mlir").read_text()
    layer = "  %act0 = linalg.generic {"
    comment = "  // volcli: expect regions %act0: dense {}, sparse of degree 1 8128\n"
    assert layer in text
    assert found(tmp_path, text.replace(layer, comment.format(516128) + layer)) == []
    (wrong,) = found(tmp_path, text.replace(layer, comment.format(516129) + layer))
    assert (wrong[0], wrong[2].partition(" does not hold: ")[2]) == ("V220", "516128 elements are dense")


STORES = """func.func @f(%m: memref<8xf32>, %x: f32) {
  affine.store %x, %m[8] : memref<8xf32> // volcli: ignore V203 as it should be
  // volcli: ignore V203,V206
  affine.store %x, %m[9] : memref<8xf32>
  affine.store %x, %m[10] : memref<8xf32>
  return
}
"""


def test_findings_that_are_ignored(tmp_path: Path) -> None:
    assert [each[:2] for each in found(tmp_path, STORES, Policy())] == [("V203", 5)]
    assert [each[:2] for each in found(tmp_path, "// volcli: ignore-file V2\n" + STORES, Policy())] == []


def test_what_is_ignored_is_counted_and_has_its_reason(tmp_path: Path) -> None:
    (tmp_path / "a.mlir").write_text(STORES)
    report = run([str(tmp_path / "a.mlir")], Policy())
    assert [(each.line, each.ignored) for each in report.ignored] == [(2, "as it should be"), (4, "")]
    assert "ignored by comments: 2 findings (V203: 2)\n" in rendered(report, "text")
    results = json.loads(rendered(report, "sarif"))["runs"][0]["results"]
    assert [each.get("suppressions") for each in results] == [
        None,
        [{"kind": "inSource", "justification": "as it should be"}],
        [{"kind": "inSource"}],
    ]
    (file,) = json.loads(rendered(report, "json"))["files"]
    assert (len(file["findings"]), len(file["ignored"])) == (1, 2)


def test_reasons_may_be_required(tmp_path: Path) -> None:
    answers = found(tmp_path, STORES, Policy(require_reasons=True))
    assert [each[:2] for each in answers] == [("V222", 3), ("V203", 5)]
    assert answers[0][2] == "an ignore comment gives its reason: // volcli: ignore V203: reason"


@pytest.mark.parametrize(
    ("today", "told"),
    [("2026-12-31", [("V203", 5)]), ("2027-01-01", [("V203", 2), ("V222", 2), ("V203", 5)])],
)
def test_what_is_ignored_until_a_day_is_told_after_it(
    today: str, told: list[tuple[str, int]], tmp_path: Path
) -> None:
    text = STORES.replace("V203 as it", "V203 until 2026-12-31: as it")
    assert [each[:2] for each in found(tmp_path, text, Policy(today=today))] == told


def test_the_day_until_which_something_is_ignored_is_one(tmp_path: Path) -> None:
    answers = found(tmp_path, STORES.replace("V203 as it", "V203 until 2026-13-01"), Policy())
    assert found(tmp_path, STORES.replace("V203 as it", "V203 until we pad it"), Policy())[0][:2] == (
        "V203",
        5,
    )
    assert answers[1] == (
        "V222",
        2,
        "'2026-13-01' is not a day: // volcli: ignore V203 until 2027-01-31: reason",
    )


TEST = """func.func @f(%m: memref<8xf32>, %x: f32) {
  // expected-KIND @below {{index is out of bounds}}
  affine.store %x, %m[8] : memref<8xf32>
  affine.store %x, %m[9] : memref<8xf32>
  return
}

// -----

// expected-error @+1 {{expected a type}}
func.func @g(%x: nothing) {
  return
}
"""


def test_where_a_test_of_mlir_opt_expects_an_error_a_finding_is_expected(tmp_path: Path) -> None:
    path = tmp_path / "a.mlir"
    path.write_text(TEST.replace("KIND", "error"))
    report = run([str(path)], Policy())
    assert [(each.code, each.line) for each in report.findings] == [("V203", 4)]
    assert [(each.line, each.ignored) for each in report.ignored] == [
        (3, "expected-error {{index is out of bounds}}"),
        (11, "expected-error {{expected a type}}"),
    ]
    path.write_text(TEST.replace("KIND", "remark"))
    assert [each.line for each in run([str(path)], Policy()).findings] == [3, 4]


def test_what_is_said_of_an_expectation_is_ignored_where_its_operation_is(tmp_path: Path) -> None:
    """Above both comments, between the expectation and its operation, and behind the operation."""
    expected, ignored = "// volcli: expect bound %n <= 0", "// volcli: ignore V220"
    op = "%t = arith.addi %n, %n : index"
    for lines in ((ignored, expected, op), (expected, ignored, op), (expected, f"{op} {ignored}")):
        text = "\n".join(("func.func @f(%n: index) {", *lines, "return", "}"))
        assert found(tmp_path, text) == []
    (only,) = found(tmp_path, "\n".join(("func.func @f(%n: index) {", expected, op, ignored, "return", "}")))[
        :1
    ]
    assert only[:2] == ("V220", 2)


def test_a_comment_that_ignores_nothing(tmp_path: Path) -> None:
    text = STORES.replace("V203,V206", "V207").replace("%m[9]", "%m[7]")
    assert [each[:2] for each in found(tmp_path, text, Policy())] == [("V223", 3), ("V203", 5)]
    # What was not looked for may be there.
    assert [each[:2] for each in found(tmp_path, text, Policy(ignore=("V207",)))] == [("V203", 5)]
    text = STORES.replace("V203,V206", "because")
    assert [each[:2] for each in found(tmp_path, text, Policy())] == [("V222", 3), ("V203", 4), ("V203", 5)]


def test_annotations_leave_comments_where_they_are(tmp_path: Path, volcli: Run) -> None:
    text = LOOPS.format("in-bounds", "reduction %j", "bound %n = %n")
    (tmp_path / "a.mlir").write_text(text)
    name = str(tmp_path / "a.mlir")
    assert volcli("annotate", name, "-p", "value-bounds", "--in-place").returncode == 0
    annotated = (tmp_path / "a.mlir").read_text()
    assert annotated.count("// volcli: expect ") == 3
    assert "// volcli: %i in [1, 15]" in annotated
    assert volcli("annotate", name, "-p", "value-bounds", "--check").returncode == 0
    assert volcli("annotate", name, "--remove", "--in-place").returncode == 0
    assert (tmp_path / "a.mlir").read_text() == text


def test_a_mistake_in_a_comment_does_not_rest_on_loops(tmp_path: Path) -> None:
    text = LOOPS.format("independent", "independent", "in-bounds").replace(
        "    affine.store", "    // volcli: ingore\n    affine.store"
    )
    (tmp_path / "a.mlir").write_text(text)
    mistake, *_ = run([str(tmp_path / "a.mlir")], Policy(asked=CodeChoice(("V222",)))).findings
    assert [each.said for each in mistake.shown] == []
