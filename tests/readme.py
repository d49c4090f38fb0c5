"""The README's shell blocks: a block ```console has commands behind `$ ` and, below each, what it prints."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

_BLOCK = re.compile(r"(?<=^```console\n).*?(?=^```$)", re.MULTILINE | re.DOTALL)
_PYTHON = re.compile(r"(?<=^```python\n).*?(?=^```$)", re.MULTILINE | re.DOTALL)


def rerun(text: str, root: Path, environment: Mapping[str, str]) -> str:
    """TEXT with what its commands print now. Raises CalledProcessError if volcli fails at one of them."""
    return _BLOCK.sub(lambda block: _rerun_block(block.group(), root, environment), text)


def python_blocks(text: str) -> list[str]:
    """The blocks of Python in TEXT: doctests."""
    return _PYTHON.findall(text)


def _rerun_block(block: str, root: Path, environment: Mapping[str, str]) -> str:
    """The commands of BLOCK, each with its present output; `\\` at a line's end continues the command."""
    commands = re.findall(r"^\$ ((?:.*\\\n)*.*)$", block, re.MULTILINE)
    return "".join(f"$ {command}\n{_output(command, root, environment)}" for command in commands)


def _output(command: str, root: Path, environment: Mapping[str, str]) -> str:
    """What COMMAND prints on stdout and stderr, as a user sees it in the repository's root."""
    shim = f'volcli() {{ "{sys.executable}" -m volcli "$@"; }}\n'
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


def from_this_tree(root: Path) -> dict[str, str]:
    """The environment in which `python -m volcli` is this tree's."""
    kept = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "NO_COLOR")}
    return {**kept, "PYTHONPATH": os.pathsep.join([str(root), str(root / "dialects")])}
