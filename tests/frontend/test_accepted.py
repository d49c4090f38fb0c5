"""Texts that mlir-opt accepts: no finding says that they are wrong, and what is not read stays as it is."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

import volcli

ERRORS = frozenset(("V103", "V104", "V105", "V110", "V900"))
REFUSED_THERE = frozenset(("stablehlo.mlir", "air.mlir"))
"""Of dialects that mlir-opt does not have."""

TEXTS = Path(__file__).parent / "accepted"
ACCEPTED_THERE = [path for path in sorted(TEXTS.glob("*.mlir")) if path.name not in REFUSED_THERE]
SEPARATOR = "// -----\n"


def texts() -> list[tuple[str, str]]:
    """Each unit of each file, with where it stands."""
    return [
        (f"{path.name}:{number}", unit)
        for path in sorted(TEXTS.glob("*.mlir"))
        for number, unit in enumerate(path.read_text().split(SEPARATOR))
    ]


IDS = [name for name, _ in texts()]


@pytest.mark.sample(4)
@pytest.mark.parametrize(("name", "text"), texts(), ids=IDS)
def test_nothing_is_wrong(name: str, text: str) -> None:
    program = volcli.loads(text, via="xdsl")
    assert [each for each in program.diagnostics if each.code in ERRORS] == []


@pytest.mark.sample(1)
@pytest.mark.parametrize("path", ACCEPTED_THERE, ids=lambda path: path.stem)
def test_mlir_opt_accepts_it(path: Path, mlir_opt: str) -> None:
    """And what volcli prints of it."""
    units = path.read_text().split(SEPARATOR)
    printed = [volcli.loads(text, via="xdsl").text("none", reprint=True) for text in units]
    command = [mlir_opt, "-allow-unregistered-dialect", "-split-input-file", "-o", "/dev/null"]
    text = SEPARATOR.join(f"{each.rstrip()}\n" for each in (*units, *printed))
    found = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stderr


def test_a_dialect_that_only_xdsl_has_is_read_as_an_unknown_one() -> None:
    """The function is there, and its values; the operation is text."""
    text = (TEXTS / "air.mlir").read_text().split("// -----\n")[0]
    for name in ("air", "foo"):
        program = volcli.loads(text.replace("air.", f"{name}."), via="xdsl")
        assert [each.code for each in program.diagnostics] == ["V306"]
        assert [value.name for value in program.function("f").values][:2] == ["%m", "%c1"]


def test_what_is_invalid_is_not_said_to_be_rejected_elsewhere() -> None:
    """The definitions here may be narrower than those of mlir-opt: it is asked, and not claimed."""
    (diagnostic,) = volcli.loads('%0 = "arith.addi"() : () -> i32', via="xdsl").diagnostics
    assert diagnostic.code == "V110"
    assert "rejects this operation too" not in diagnostic.render("")
