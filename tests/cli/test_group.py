from __future__ import annotations

import json

import pytest

from volcli import __version__
from volcli.diagnostics import CODES

from .conftest import Shell


def test_version(shell: Shell) -> None:
    assert shell("--version").stdout == f"volcli {__version__}\n"


def test_help_teaches(shell: Shell) -> None:
    text = shell("--help").stdout
    for word in (
        "opt",
        "annotate",
        "analyze",
        "passes",
        "codes",
        "Exit code",
        "_VOLCLI_COMPLETE",
        "$ volcli annotate",
    ):
        assert word in text
    assert shell("-h").stdout == text
    assert all(len(line) <= 110 for line in text.splitlines())


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["op"], "V007: No such command 'op'. Did you mean 'opt'?"),
        (["zebra"], "V007: No such command 'zebra'"),
        (["opt", "--anotate=none"], "V007: No such option '--anotate'"),
        (["opt", "--annotate=tables"], "V007: Invalid value for '--annotate'"),
        (["opt", "--budget=0"], "V007: Invalid value for '--budget'"),
        (["opt", "a.mlir", "b.mlir"], "V007: Got unexpected extra argument"),
        (["analyze"], "V007: Missing argument 'FILES...'"),
    ],
)
def test_a_malformed_call(shell: Shell, arguments: list[str], says: str) -> None:
    ran = shell(*arguments)
    assert ran.exit_code == 2
    assert ran.stdout == ""
    assert ran.stderr.startswith(f"error: {says}")
    command = "volcli opt" if arguments[0] == "opt" else "volcli"
    assert f"next: `{command}" in ran.stderr


def test_without_a_command_the_help_is_shown(shell: Shell) -> None:
    ran = shell()
    assert ran.exit_code == 2
    assert "Usage: volcli" in ran.stderr


def test_codes(shell: Shell) -> None:
    text = shell("codes").stdout
    listed = json.loads(shell("codes", "--format", "json").stdout)
    assert [row["code"] for row in listed] == sorted(CODES)
    assert all(f"{code}  {row.severity.value}: {row.summary}\n" in text for code, row in CODES.items())


def test_completion(shell: Shell) -> None:
    def completed(*words: str) -> list[str]:
        line = " ".join(["volcli", *words])
        ran = shell(
            env={"_VOLCLI_COMPLETE": "bash_complete", "COMP_WORDS": line, "COMP_CWORD": str(len(words))}
        )
        return [row.removeprefix("plain,") for row in ran.stdout.split()]

    assert completed("an") == ["annotate", "analyze"]
    assert completed("opt", "-p", "infer-shapes,sp") == ["infer-shapes,sparsity-regions"]
    assert completed("analyze", "--ask", "m") == ["maps", "mars"]


def test_a_malformed_call_says_how_its_command_is_called(shell: Shell) -> None:
    ran = shell("check", "--facts")
    assert (ran.exit_code, "V007" in ran.stderr) == (2, True)
    assert "next: `volcli check --help` shows how to call it" in ran.stderr
