"""volcli's answer about a program, and what the oracle thinks of it; the rest knows no volcli."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import volcli
from tests.oracles.elements.compare import Disagreement, compare
from tests.oracles.elements.programs import Program

PIPELINE = "element-maps{of=all},sparsity-regions{of=all}"


def answer(text: str) -> Mapping[str, Any]:
    """What volcli says about the MLIR TEXT, as JSON."""
    return volcli.load(text).run(PIPELINE).to_json()


def disagreements(program: Program) -> list[Disagreement]:
    """Where volcli and the oracle differ about PROGRAM; a crash is one difference."""
    try:
        said = answer(program.mlir())
    except Exception as error:  # whatever it is, it belongs in the campaign's report
        return [Disagreement("", f"{type(error).__name__}: {error}")]
    complaints = [str(d["message"]) for file in said["files"] for d in file["diagnostics"] if is_trouble(d)]
    return [*(Disagreement("", complaint) for complaint in complaints), *compare(program, said)]


def is_trouble(diagnostic: Mapping[str, Any]) -> bool:
    """Whether a diagnostic says that the program could not be read; these programs are all valid."""
    return diagnostic["severity"] == "error"
