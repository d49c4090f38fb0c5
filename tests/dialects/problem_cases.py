"""Invalid programs in the tests of the dialects: what volcli says of them when it reads them, and mlir-opt."""

from __future__ import annotations

import re
import subprocess
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

import volcli
from volcli.diagnostics import Severity

Said = tuple[int, int, str]
"""Line and column in the program, and the message without the operation's name."""

_SEPARATOR = "// -----\n"
_ERROR = re.compile(r"(?:within split at <stdin>:(\d+) offset |<stdin>):(\d+):(\d+): error: (.*)")


@dataclass(frozen=True)
class Invalid:
    """A program of which some operation is invalid; SHAPE if it is because of two sizes."""

    text: str
    shape: bool = False

    @staticmethod
    def within(arguments: str, body: str, *, shape: bool = False) -> Invalid:
        """The function of these arguments and this body."""
        return Invalid(f"func.func @f({arguments}) {{\n  {body}\n  return\n}}\n", shape)

    @property
    def code(self) -> str:
        return "V201" if self.shape else "V110"


def _without_name(message: str) -> str:
    return re.sub(r"^'[\w.]+' op ", "", message).strip()


def said(text: str) -> list[tuple[str, int, int, str]]:
    """The errors that reading TEXT gives: code, line, column, message."""
    found: list[tuple[str, int, int, str]] = []
    for one in volcli.load(f"{text}\n", via="xdsl").diagnostics:
        if one.severity is Severity.ERROR:
            assert one.place is not None
            found.append((one.code, one.place.line, one.place.column, _without_name(one.message)))
    return found


def answers(mlir_opt: str, texts: Sequence[str]) -> list[list[Said]]:
    """mlir-opt's errors for each of TEXTS, all asked at once."""
    chunks = [text if text.endswith("\n") else f"{text}\n" for text in texts]
    starts = [1]
    for chunk in chunks:
        starts.append(starts[-1] + chunk.count("\n") + 1)
    done = subprocess.run(
        [mlir_opt, "--split-input-file", "-o", "/dev/null"],
        input=_SEPARATOR.join(chunks),
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode in (0, 1), done.stderr
    found: list[list[Said]] = [[] for _ in chunks]
    for line in done.stderr.splitlines():
        if match := _ERROR.match(line):
            at = int(match[2]) + (int(match[1]) - 1 if match[1] else 0)
            chunk = bisect_right(starts, at) - 1
            found[chunk].append((at - starts[chunk] + 1, int(match[3]), _without_name(match[4])))
    return found


def analysed(text: str) -> None:
    """Run the analyses: an invalid operation has no answer of its own, and stops no other."""
    program = volcli.load(f"{text}\n", via="xdsl")
    program.run("infer-shapes,element-maps,sparsity-regions")
    assert program.exit_code in (1, 2)
