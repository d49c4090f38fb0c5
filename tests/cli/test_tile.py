"""`volcli analyze --tile`: MARS, and what is said of tiles that are none."""

from __future__ import annotations

import json

import pytest

from tests.conftest import Run

JACOBI = "testdata/mars/jacobi_1d.mlir"


def test_without_ask_it_is_the_question(volcli: Run) -> None:
    ran = volcli("analyze", JACOBI, "--tile", "t+i:8, t-i:8", "--format", "json")
    facts = json.loads(ran.stdout)["files"][0]["facts"]
    fact, *accesses = [each for each in facts if each["kind"] == "produced"]
    said = [(each["access"], each["classes"][0]["sets"]) for each in accesses]
    assert said == [("write", [0, 1, 2, 3]), ("read", [1, 2, 3]), ("read", [0, 2, 3]), ("read", [0, 1, 2])]
    assert (fact["question"], fact["array"], fact["kind"]) == ("mars", "%a", "produced")
    assert (len(fact["sets"]), fact["flow_in"], fact["invariant"]) == (4, 7, True)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--ask", "mars"], "the question 'mars' needs --tile"),
        (["--tile", "t: 8, t: 8"], "the hyperplanes t, t are linearly dependent"),
        (["--tile", "t+i"], "'t+i' has no size"),
        (["--tile", "t+z: 8, t-z: 8"], "no read is inside loops of this tile"),
    ],
)
def test_what_is_no_tile(volcli: Run, arguments: list[str], message: str) -> None:
    ran = volcli("analyze", JACOBI, *arguments)
    assert ran.returncode == 2
    assert message in ran.stderr
    assert "next: " in ran.stderr
