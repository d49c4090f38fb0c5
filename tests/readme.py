"""The documents that are run: a block ```console has commands behind `$ ` and, below each, what it prints."""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from click.testing import CliRunner, Result

from volcli.cli.commands import volcli

SESSIONS = ("docs/api.md",)
"""Documents of ```python blocks alone."""
ROOT = Path(__file__).parents[1]
_OTHERWISE = ("docs/adding.md", "docs/validate.md", *SESSIONS)
"""Documents that are followed in another way: tests/test_adding.py, tests/validation/test_document.py."""


def _documents() -> Iterator[str]:
    """README.md, and each page of docs/ that shows a command."""
    for path in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        name = str(path.relative_to(ROOT))
        is_followed = name in _OTHERWISE or name.startswith("docs/decisions/")
        if not is_followed and "```console\n" in path.read_text():
            yield name


DOCUMENTS = tuple(_documents())
"""Whose console blocks are run in the repository's root, and whose ```python blocks are doctests."""

_PLAIN = re.compile(
    r"volcli (?P<arguments>(?:[^|<>;&$*?`~\n'\"]|'[^'\n]*'|\"[^$`\"\n]*\")*?)"
    r"(?P<both> 2>&1)?(?P<nowhere> > /dev/null)?(?: \| (?P<reader>(?!.*\bvolcli ).*))?"
)
"""A command whose arguments mean to a shell what they are, and what reads its output."""
_BLOCK = re.compile(r"(?<=^```console\n).*?(?=^```$)", re.MULTILINE | re.DOTALL)
_ANY_BLOCK = re.compile(r"^```(?P<language>\w+)\n(?P<text>.*?)^```\n", re.MULTILINE | re.DOTALL)
_OF_PACKAGE = re.compile(r"This is \w+\.py\.")
"""A module of the package in docs/adding.md, not one of the repository."""
_PYTHON = re.compile(r"(?<=^```python\n).*?(?=^```$)", re.MULTILINE | re.DOTALL)


def rerun(text: str, root: Path, environment: Mapping[str, str]) -> str:
    """TEXT with what its commands print now. Raises CalledProcessError if volcli fails at one of them."""
    return _BLOCK.sub(lambda block: _rerun_block(block.group(), root, environment), text)


def python_blocks(text: str) -> list[str]:
    """The blocks of Python in TEXT: doctests."""
    return _PYTHON.findall(text)


_QUIET = {"PYTHONWARNINGS": "ignore::DeprecationWarning"}
"""What plug-ins of pytest say that an example does not use."""


def rerun_example(text: str, folder: Path, environment: Mapping[str, str]) -> str:
    """docs/adding.md, followed literally from its beginning, with what its commands print.

    Its files are written into FOLDER, where the commands run; changes go to a copy of the repository in it.
    """
    tree = folder / "tree"
    for name in ("volcli", "dialects", "docs"):
        shutil.copytree(ROOT / name, tree / name)
    path = os.pathsep.join([str(tree), str(tree / "dialects"), str(folder)])
    done: list[str] = []
    end = 0
    for block in _ANY_BLOCK.finditer(text):
        done.append(text[end : block.start()])
        end = block.end()
        if block["language"] == "console":
            commands = _rerun_block(block["text"], folder, {**environment, **_QUIET, "PYTHONPATH": path})
            done.append(f"```console\n{commands}```\n")
        else:
            _write_block(block, text[: block.start()], folder, tree)
            done.append(block.group())
    return "".join([*done, text[end:]])


def _write_block(block: re.Match[str], before: str, folder: Path, tree: Path) -> None:
    """What the reader does with a BLOCK that is no command: BEFORE it stands the name of a program."""
    written = block["text"]
    if block["language"] == "python" and (added := re.match(r"# At the end of (\w+\.py):\n", written)):
        path = folder / added[1]
        path.write_text(path.read_text() + "\n\n" + written[added.end() :])
    elif block["language"] == "python":
        name = _module(written)
        ((tree if "/" in name else folder) / name).write_text(written)
    elif block["language"] == "toml":
        _announce(written, folder)
    elif block["language"] == "mlir" and (program := re.search(r"`(\w+\.mlir)`[:,]\s*\Z", before)):
        (folder / program[1]).write_text(written)
    elif block["language"] == "diff":
        alone = {**os.environ, "GIT_CEILING_DIRECTORIES": str(tree.parent)}  # whatever FOLDER is in
        subprocess.run(["git", "apply", "-"], input=written, text=True, cwd=tree, env=alone, check=True)


def install_example(text: str, folder: Path) -> None:
    """What installing the packages in TEXT would leave in FOLDER, and the inputs that they are tried on."""
    for block in _ANY_BLOCK.finditer(text):
        is_in_repository = block["language"] == "diff" or (
            block["language"] == "python" and _OF_PACKAGE.search(block["text"]) is None
        )
        if not is_in_repository:
            _write_block(block, text[: block.start()], folder, folder)


def _announce(announced: str, folder: Path) -> None:
    """The metadata of the package that a pyproject.toml makes, in FOLDER."""
    entries = tomllib.loads(announced)["project"]["entry-points"]["volcli.dialects"]
    (name,) = entries
    metadata = folder / f"{name}_dialect-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}-dialect\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text(f"[volcli.dialects]\n{name} = {entries[name]}\n")


def _module(block: str) -> str:
    """The name of the file that a BLOCK of Python is: `This is signal_dialect.py.` Raises ValueError."""
    found = re.search(r"This is ([\w/]+\.py)\.", block)
    if found is None:
        raise ValueError(f"a block does not say its name: {block.splitlines()[0]}")
    return found[1]


def _rerun_block(block: str, root: Path, environment: Mapping[str, str]) -> str:
    """The commands of BLOCK, each with its present output; `\\` at a line's end continues the command."""
    commands = re.findall(r"^\$ ((?:.*\\\n)*.*)$", block, re.MULTILINE)
    return "".join(f"$ {command}\n{_output(command, root, environment)}" for command in commands)


def _output(command: str, root: Path, environment: Mapping[str, str]) -> str:
    """What COMMAND prints on stdout and stderr, as a user sees it in the repository's root.

    What needs no shell but for what its output goes to runs in this process, which has imported already what
    each of them would import anew.
    """
    if root == ROOT and (plain := _PLAIN.fullmatch(command)) is not None:
        return _output_here(plain)
    shim = f'volcli() {{ "{sys.executable}" -m volcli "$@"; }}\npython() {{ "{sys.executable}" "$@"; }}\n'
    ran = subprocess.run(
        ["bash", "-c", shim + command],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd=root,
        env=environment,
        check=False,
    )
    if ran.returncode not in (0, 1, 2, 141) or "V900" in ran.stdout:
        raise subprocess.CalledProcessError(ran.returncode, command, ran.stdout)
    return ran.stdout


def _called(arguments: str) -> Result:
    """What volcli says to ARGUMENTS in the repository's root; once for those that write no file."""
    writes = re.match("(opt|analyze|explain) ", arguments) is None or " -o " in arguments
    return _called_anew(arguments) if writes else _called_once(arguments)


def _called_anew(arguments: str) -> Result:
    with contextlib.chdir(ROOT):
        return CliRunner().invoke(volcli, shlex.split(arguments))


_called_once = cache(_called_anew)


def _output_here(command: re.Match[str]) -> str:
    ran = _called(command["arguments"])
    if ran.exit_code not in (0, 1, 2) or "V900" in ran.stderr:
        raise subprocess.CalledProcessError(ran.exit_code, command[0], ran.output) from ran.exception
    if command["reader"] is None and command["nowhere"] is None:
        return ran.output
    stdout = "" if command["nowhere"] else ran.stdout
    if command["reader"] is None:
        return ran.stderr
    read = ran.stderr + stdout if command["both"] else stdout
    printed = subprocess.run(
        ["bash", "-c", command["reader"]], input=read, stdout=subprocess.PIPE, text=True, check=False
    )
    if printed.returncode > 1:  # what grep says is 0 or 1
        raise subprocess.CalledProcessError(printed.returncode, command["reader"], printed.stdout)
    return ("" if command["both"] else ran.stderr) + printed.stdout


def from_this_tree(root: Path) -> dict[str, str]:
    """The environment in which `python -m volcli` is this tree's."""
    kept = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "NO_COLOR")}
    return {**kept, "PYTHONPATH": os.pathsep.join([str(root), str(root / "dialects")])}
