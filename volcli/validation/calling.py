"""Validation from Python: `volcli.validate`."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from volcli.validation.comparing import ComparisonOptions
from volcli.validation.results import Validation
from volcli.validation.tools import tool_of
from volcli.validation.validating import Validating, validate_dump, validate_pipeline


def validate(
    path: str | os.PathLike[str],
    passes: str | Sequence[str] = (),
    *,
    tool: str | None = None,
    dump: str | os.PathLike[str] | None = None,
    whole: bool = False,
    reproducers: str | os.PathLike[str] | None = None,
    jobs: int = 0,
    **options: Any,
) -> Validation:
    """What the PASSES do to the functions of the program at PATH: options of TOOL (default: mlir-opt).

    With a DUMP nothing is run: it is the log, or the folder, that a run has left. WHOLE compares the program
    before all passes with the one after them, too; the smallest program that shows the first difference is
    written into the folder REPRODUCERS. JOBS is how many processes compare (0: this one). OPTIONS are those
    of `load` and `diff`: effects, budget, timeout, via, assume_finite.

    Raises UsageError: V008 without the tool, V100 to V102 for a file that cannot be read. What a tool says
    when it fails is in the answer.

        found = volcli.validate("layer.mlir", "--affine-loop-fusion --canonicalize")
        found.verdict                      # "equal", "different" or "unknown"
        found.steps[0].functions[0].lines  # what `volcli diff` says
    """
    folder = None if reproducers is None else Path(reproducers)
    running = Validating(ComparisonOptions(**options), jobs, None, whole, folder)
    if dump is not None:
        return validate_dump(os.fspath(path), os.fspath(dump), running)
    words = shlex.split(passes) if isinstance(passes, str) else passes
    return validate_pipeline(os.fspath(path), tool_of(tool, words), running)
