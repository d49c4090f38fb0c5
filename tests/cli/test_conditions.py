"""--assume and --compare, from the shell to the shell."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from tests.conftest import Run

FILE = "testdata/bounds/assumptions.mlir"


def test_a_claim_and_what_it_assumed(volcli: Run, root: Path) -> None:
    ran = volcli("analyze", FILE, "--compare", "%m >= 16", "--compare", "%m <= 60", "--format", "json")
    report = json.loads(ran.stdout)
    jsonschema.validate(report, json.loads((root / "docs" / "facts.schema.json").read_text()))
    proved, refuted = report["files"][0]["facts"]
    assert (proved["question"], proved["claim"], proved["verdict"]) == ("comparisons", "%m >= 16", "proved")
    assert proved["assumptions"] == ["%m - %n >= 0", "%n - 1 >= 0", "%n mod 16 = 0"]
    assert (refuted["verdict"], refuted["never"], refuted["precondition"]) == ("refuted", False, "%m <= 60")
    assert refuted["witness"]["%m"] > 60


def test_an_assumption_proves_a_claim(volcli: Run) -> None:
    ran = volcli("analyze", FILE, "--compare", "dim(%x, 0) <= 48", "--assume", "dim(x, 1) < 49")
    assert ran.returncode == 0
    assert "dim(%x, 0) <= 48  proved  assuming dim(%x, 0) - dim(%x, 1) = 0 and dim(x, 1) < 49" in ran.stdout


def test_a_claim_is_all_that_is_asked(volcli: Run) -> None:
    ran = volcli("analyze", FILE, "--compare", "%m >= 16")
    assert [*ran.stdout.splitlines()[:3]] == [FILE, "", "comparisons: 1 proved"]
    assert ran.stdout.count("\n") == 5


def test_a_claim_beside_a_question(volcli: Run) -> None:
    ran = volcli("analyze", FILE, "--ask", "bounds", "--compare", "%m >= 16")
    assert {"bounds: 11 exact", "comparisons: 1 proved"} < set(ran.stdout.splitlines())


@pytest.mark.slow
def test_slices_are_what_the_schema_says(volcli: Run, root: Path) -> None:
    ran = volcli("analyze", "testdata/slices/tiles.mlir", "--ask", "slices", "--format", "json")
    report = json.loads(ran.stdout)
    jsonschema.validate(report, json.loads((root / "docs" / "facts.schema.json").read_text()))
    relations = {(f["left"], f["right"]): f["relation"] for f in report["files"][0]["facts"]}
    assert relations["%even", "%odd"] == "disjoint"
    assert relations["%tile", "%written"] == "equal"
    assert relations["%left", "%column"] == "sometimes"


def test_a_bad_assumption_is_one_error_at_its_place(volcli: Run) -> None:
    ran = volcli("opt", FILE, "-p", "value-bounds", "--assume", "%m >= 1", "--assume", "%n >= ) 3")
    assert ran.returncode == 2
    assert ran.stdout == ""
    assert ran.stderr == (
        "<assume>:2:7: error: V009: expected an affine condition such as '%a < %b'\n"
        "%n >= ) 3\n"
        "      ^\n"
        "  next: write affine conditions on values of the program, such as 'N >= 1 and dim(%t, 0) mod 16 = 0'; "
        "facts such as '%a[i, j] = 0 : i < j'\n"
    )


def test_a_bad_claim_is_one_error_at_its_place(volcli: Run) -> None:
    ran = volcli("analyze", FILE, "--compare", "%m >= %none")
    assert ran.returncode == 2
    assert ran.stderr.startswith(
        "<compare>:1:7: error: V005: no index or integer value, or size, %none in the program\n%m >= %none\n      ^\n"
    )
