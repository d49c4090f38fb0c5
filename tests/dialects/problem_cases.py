"""Invalid programs in the tests of the dialects: what volcli says of them when it reads them, and mlir-opt."""

from __future__ import annotations

import re
import subprocess
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import pytest

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


class ProblemTests:
    """What is tested of `invalid` programs, each by its name: volcli says of them what mlir-opt says."""

    invalid: ClassVar[Mapping[str, Invalid]]

    @pytest.mark.sample(4)
    def test_is_reported(self, invalid_one: str) -> None:
        case = self.invalid[invalid_one]
        assert [code for code, *_ in said(case.text)][:1] == [case.code]

    def test_messages_and_places_are_those_of_mlir_opt(self, mlir_opt: str) -> None:
        asked = answers(mlir_opt, [case.text for case in self.invalid.values()])
        for (name, case), (answer, *_) in zip(self.invalid.items(), asked, strict=True):
            assert said(case.text)[0][1:] == answer, name

    @pytest.mark.sample(4)
    def test_the_rest_is_analysed(self, invalid_one: str) -> None:
        analysed(self.invalid[invalid_one].text)


class NoProblemTests:
    """What is tested of `valid` programs that look like invalid ones: neither says anything."""

    valid: ClassVar[Mapping[str, str]]

    @pytest.mark.sample(4)
    def test_what_is_valid_is_not_reported(self, valid_one: str) -> None:
        assert said(self.valid[valid_one]) == []

    def test_mlir_opt_accepts_what_is_valid(self, mlir_opt: str) -> None:
        assert answers(mlir_opt, list(self.valid.values())) == [[] for _ in self.valid]
