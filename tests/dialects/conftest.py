"""Units of linalg in the tests of its dialect: read, printed, and given to mlir-opt all at once.

The tests of problems have their programs from here, too.
"""

from __future__ import annotations

import io
import subprocess
from collections.abc import Callable, Sequence
from functools import cache

import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser
from xdsl.printer import Printer

from tests.dialects.problem_cases import NoProblemTests, ProblemTests
from volcli.frontend.parse.context import make_context
from volcli_dialects import linalg

SEPARATOR = "// -----\n"


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Each of the programs of a class of tests of problems is a test of its own."""
    kind = metafunc.cls
    if kind is not None and issubclass(kind, ProblemTests) and "invalid_one" in metafunc.fixturenames:
        metafunc.parametrize("invalid_one", list(kind.invalid))
    if kind is not None and issubclass(kind, NoProblemTests) and "valid_one" in metafunc.fixturenames:
        metafunc.parametrize("valid_one", list(kind.valid))


@cache
def read(text: str) -> ModuleOp:
    """A text as xDSL's own parser reads it with our dialect; not to be changed, for it is read once."""
    return Parser(make_context({"linalg": linalg.dialect}), text).parse_module()


def printed(module: ModuleOp, generic: bool = False) -> str:
    stream = io.StringIO()
    Printer(stream, print_generic_format=generic).print_op(module)
    return stream.getvalue() + "\n"


Ask = Callable[..., list[str]]


@pytest.fixture(scope="session")
def ask(mlir_opt: str) -> Ask:
    """mlir-opt's answer to each of many units: ask(units, "-canonicalize"), in one process."""

    def run(units: Sequence[str], *options: str, errors: bool = False) -> list[str]:
        done = subprocess.run(
            [mlir_opt, "-split-input-file", *options],
            input=SEPARATOR.join(units),
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        if errors:
            return done.stderr.splitlines()
        assert done.returncode == 0, done.stderr
        return done.stdout.split(SEPARATOR)

    return run
