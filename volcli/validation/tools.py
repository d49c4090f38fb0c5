"""The tool that runs the passes: mlir-opt, or any other one with mlir-opt's options for printing."""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass

from volcli.diagnostics import Diagnostic, UsageError
from volcli.frontend.parse.mlir_opt import TOOLS
from volcli.limits import equivalence as limits

PRINTING = (
    "--mlir-print-ir-after-all", "--mlir-print-ir-after-change", "--mlir-print-ir-module-scope",
    "--mlir-disable-threading",
)  # fmt: skip
"""The options with which a tool prints the whole program after each pass that has changed something."""
PLACE = "{}"
"""Stands for the file in the arguments of a tool; without it, the file is the last one."""


@dataclass(frozen=True)
class Ran:
    """What a tool printed, and how it ended: `failure` is None if it ended well."""

    output: str
    errors: str
    failure: str | None


@dataclass(frozen=True)
class Tool:
    """A program that reads MLIR text and runs passes over it, with the arguments that say which.

    >>> str(Tool("mlir-opt", ("--canonicalize", "--cse")))
    'mlir-opt --canonicalize --cse'
    """

    program: str
    arguments: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """What it is called on PATH."""
        return os.path.basename(self.program)

    def __str__(self) -> str:
        return shlex.join((self.name, *self.arguments))

    def command(self, file: str, more: Sequence[str] = ()) -> list[str]:
        """The words that run it on FILE, with MORE options.

        >>> Tool("opt", ("--in={}",)).command("a.mlir", ["--print"])
        ['opt', '--in=a.mlir', '--print']
        """
        placed = [each.replace(PLACE, file) for each in self.arguments]
        return [self.program, *placed, *more, *([file] if placed == [*self.arguments] else [])]

    def run(self, file: str, more: Sequence[str] = (), text: str | None = None) -> Ran:
        """Run it on FILE, or on TEXT, which is then its standard input.

        Raises UsageError (V008) if there is no such program.
        """
        words = self.command("-" if text is not None else file, more)
        try:
            ran = subprocess.run(
                words,
                input=text,
                stdin=subprocess.DEVNULL if text is None else None,
                capture_output=True,
                text=True,
                encoding="utf-8",
                errors="surrogateescape",
                check=False,
                timeout=limits.TOOL_SECONDS,
            )
        except subprocess.TimeoutExpired as error:
            return Ran(
                _text(error.stdout), _text(error.stderr), f"did not end within {limits.TOOL_SECONDS} s"
            )
        except OSError as error:
            raise UsageError(
                Diagnostic("V008", f"'{self.program}' cannot be run: {error.strerror}")
            ) from None
        return Ran(ran.stdout, ran.stderr, _failure(ran.returncode))


def tool_of(program: str | None, arguments: Sequence[str]) -> Tool:
    """PROGRAM with ARGUMENTS, or mlir-opt. Raises UsageError (V008) if it is not on PATH."""
    for name in TOOLS if program is None else (program,):
        if (found := shutil.which(name)) is not None:
            return Tool(found, tuple(arguments))
    note = "install it, or name another one: --tool PROGRAM, or -- PROGRAM ARGUMENTS"
    raise UsageError(Diagnostic("V008", f"no '{program or TOOLS[-1]}' on PATH", note=note))


def _failure(code: int) -> str | None:
    if code == 0:
        return None
    if code < 0:
        return f"was ended by {signal.Signals(-code).name}"
    return f"ended with exit code {code}"


def _text(said: bytes | str | None) -> str:
    if said is None:
        return ""
    return said if isinstance(said, str) else said.decode("utf-8", "surrogateescape")
