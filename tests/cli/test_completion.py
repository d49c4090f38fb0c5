"""What a shell completes: by click's protocol for bash, zsh and fish, and in a bash that somebody types into."""

from __future__ import annotations

import os
import pty
import select
import shutil
import sys
import time
from collections.abc import Mapping
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from volcli.cli.commands import volcli
from volcli.diagnostics import CODES
from volcli.limits.table import table
from volcli.passes.table import PASSES, QUESTIONS

TILES = "testdata/slices/tiles.mlir"
BREAKS = ":="
"""Where bash begins another word."""


def completed(shell: str, **typed: str) -> list[str]:
    """What SHELL is offered."""
    ran = CliRunner().invoke(volcli, env={"_VOLCLI_COMPLETE": f"{shell}_complete", **typed})
    assert ran.exit_code == 0, ran.output
    return ran.stdout.splitlines()


def in_bash(line: str) -> list[str]:
    """What bash offers for the end of LINE, with what it has of that word already."""
    word = line.rpartition(" ")[2] if "'" not in line else line[line.index("'") :]
    part = word if word.startswith("'") else word[max((word.rfind(each) + 1 for each in BREAKS), default=0) :]
    before = word.removesuffix(part).lstrip("'")
    found = completed("bash", COMP_LINE=line, COMP_WORD=part)
    return [
        before + value for kind, value in (each.split(",", 1) for each in found if each) if kind == "plain"
    ]


@pytest.fixture(autouse=True)
def in_the_tree(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(root)


def test_names_of_commands_passes_questions_and_codes() -> None:
    assert in_bash("volcli ch") == ["check"]
    assert in_bash("volcli opt -p ") == [*PASSES]
    assert in_bash("volcli opt -p infer-shapes,ti") == ["infer-shapes,tile", "infer-shapes,tile-symbolic"]
    assert in_bash("volcli analyze x --ask ") == [*QUESTIONS, "all"]
    assert in_bash("volcli check --ignore V203,V21") == [
        f"V203,{each}" for each in CODES if each[:3] == "V21"
    ]
    assert in_bash("volcli check --format=sa") == ["--format=sarif"]
    assert in_bash("volcli help val") == ["validate"]
    assert in_bash("volcli analyze x --ask access --only ") == [
        "in-bounds", "out-of-bounds", "conditional", "exact", "approximate", "unknown",
    ]  # fmt: skip


@pytest.mark.parametrize("quote", ["", "'"])
def test_options_of_the_pass_whose_braces_are_open(quote: str) -> None:
    def offered(text: str) -> list[str]:
        return in_bash(f"volcli opt {TILES} -p {quote}{text}")

    assert offered("tile{si") == ["tile{sizes="]
    assert offered("infer-shapes,infer-shapes{re") == ["infer-shapes,infer-shapes{refine-types"]
    assert offered("infer-shapes{refine-types=") == [
        f"infer-shapes{{refine-types={x}" for x in ("true", "false")
    ]
    assert "sparsity-regions{of=%m,%n" in offered("sparsity-regions{of=%m,")
    assert offered("no-such-pass{") == []
    assert offered("tile{no-such-option=") == []
    assert offered("tile{sizes=") == []
    assert "mars" in offered("tile{sizes=8},mars")[0]


def test_what_is_in_the_file_of_the_call() -> None:
    assert in_bash(f"volcli analyze {TILES} --function ") == ["@strided", "@tile", "@halves"]
    assert in_bash(f"volcli run {TILES} --function st") == ["strided"]
    assert "%from" in in_bash(f"volcli analyze {TILES} --of %fr")
    assert "%from,%left" in in_bash(f"volcli analyze {TILES} --of %from,%l")
    assert "%n=" in in_bash(f"volcli run {TILES} --arg %n")
    assert in_bash("volcli analyze no-such-file.mlir --function ") == []


def test_lines_are_those_in_which_operations_begin(root: Path) -> None:
    text = (root / TILES).read_text().split("\n")
    found = in_bash(f"volcli explain {TILES}:")
    assert found
    assert in_bash(f"volcli explain {TILES}:1") == [each for each in found if each.startswith(f"{TILES}:1")]
    for line in (text[int(each.rpartition(":")[2]) - 1] for each in found):
        assert "." in line
        assert not line.lstrip().startswith("//")
    numbers = [each.rpartition(":")[2] for each in found]
    assert in_bash(f"volcli explain {TILES} --at ") == numbers
    assert in_bash(f"volcli explain {TILES} --at 9,") == [f"9,{each}" for each in numbers]


def test_explain_completes_codes_limits_and_files(root: Path) -> None:
    assert in_bash("volcli explain V22") == [each for each in CODES if each.startswith("V22")]
    assert "values.pieces" in table()
    assert in_bash("volcli explain values.piec") == ["values.pieces"]
    assert completed("bash", COMP_LINE="volcli explain testd", COMP_WORD="testd") == ["file,testd"]
    assert completed("bash", COMP_LINE="volcli check testd", COMP_WORD="testd") == ["file,testd"]


def test_other_shells_and_the_protocol_of_click() -> None:
    words = {"COMP_WORDS": "volcli codes V20", "COMP_CWORD": "2"}
    names = [each for each in CODES if each.startswith("V20")]
    assert completed("bash", **words) == [f"plain,{each}" for each in names]
    assert completed("zsh", **words)[:3] == ["plain", "V201", CODES["V201"].summary]
    fish = completed("fish", COMP_WORDS="volcli codes V20", COMP_CWORD="V20")
    assert [each.split("\t")[0] for each in fish] == [f"plain,{each}" for each in names]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_has_its_script(shell: str) -> None:
    ran = CliRunner().invoke(volcli, env={"_VOLCLI_COMPLETE": f"{shell}_source"})
    assert "_volcli_completion" in ran.stdout
    assert f"_VOLCLI_COMPLETE={shell}_complete" in ran.stdout


def test_no_option_that_takes_a_name_is_left_out() -> None:
    """An option completes what it takes, unless that is a number, a condition, or a name that is made up."""
    made_up = {
        "CONDITION", "DECLARATION", "FACT", "CLAIM", "N", "SECONDS", "MB", "I/N", "REV", "PATTERN", "TEXT",
        "OPTIONS", "PROGRAM", "VARIABLES", "PLANE:SIZE,...", "ARRAY[INDEX,...]", "dask:ADDRESS", "%a=KIND",
        "'dim(%a, 0) = 5'",
    }  # fmt: skip
    context = click.Context(volcli)
    for name in volcli.list_commands(context):
        command = volcli.get_command(context, name)
        assert command is not None
        for each in command.params:
            takes = isinstance(each.type, (click.Path, click.Choice)) or getattr(each, "is_flag", False)
            is_number = each.metavar in made_up or "INT" in each.type.name.upper() or each.name == "settings"
            assert takes or is_number or vars(each)["_custom_shell_complete"] is not None, (name, each.opts)


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("bash") is None, reason="bash completes")
@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("volcli ana\t", "volcli analyze "),
        (f"volcli explain {TILES}:2\t\t", "20"),
        ("volcli check --format=sar\t", "--format=sarif"),
        ("volcli opt -p tile{siz\t", "tile{sizes="),
    ],
)
def test_bash_inserts_it(typed: str, shown: str, root: Path, environment: Mapping[str, str]) -> None:
    pid, terminal = pty.fork()
    if pid == 0:
        path = f"{Path(sys.executable).parent}{os.pathsep}{environment['PATH']}"
        os.chdir(root)
        os.execvpe(
            "bash", ["bash", "--norc", "--noprofile", "-i"], {**environment, "PATH": path, "PS1": "> "}
        )
    os.write(terminal, b'eval "$(_VOLCLI_COMPLETE=bash_source volcli)"; echo re""ady\n')
    assert "ready" in _until(terminal, "ready")
    os.write(terminal, typed.encode())
    assert shown in _until(terminal, shown)
    os.write(terminal, b"\x03\x04")
    os.close(terminal)
    os.waitpid(pid, 0)


def _until(terminal: int, text: str) -> str:
    """What TERMINAL shows until it has TEXT, or for a minute."""
    shown, end = "", time.monotonic() + 60
    while text not in shown and time.monotonic() < end:
        if select.select([terminal], [], [], 0.1)[0]:
            shown += os.read(terminal, 65536).decode(errors="replace")
    return shown
