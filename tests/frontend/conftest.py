"""Reading a text in the tests of the front end, with xDSL's own dialects only."""

from __future__ import annotations

import subprocess
from collections.abc import Callable

import pytest

from volcli.frontend.parse.context import make_context
from volcli.frontend.parse.parser import ParsedModule, parse
from volcli.frontend.text.source import Source

Read = Callable[..., ParsedModule]
Generic = Callable[..., str]


@pytest.fixture
def read() -> Read:
    """read(text, name="t.mlir", first_line=1): the parsed text."""

    def run(text: str, name: str = "t.mlir", first_line: int = 1) -> ParsedModule:
        return parse(Source(name, text, first_line), make_context({}))

    return run


@pytest.fixture
def generic(mlir_opt: str) -> Generic:
    """generic(text, *flags): the program as mlir-opt prints it in generic form."""

    def run(text: str, *flags: str) -> str:
        command = [mlir_opt, "-allow-unregistered-dialect", "--mlir-print-op-generic", *flags, "-"]
        command.append("--mlir-print-local-scope")
        done = subprocess.run(command, input=text.encode(), capture_output=True, check=False)
        assert done.returncode == 0, done.stderr.decode()
        return done.stdout.decode()

    return run
