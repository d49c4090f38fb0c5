"""`make test-one ROOM=tosa`: the quick tests of one room, which is a dialect, a question, a command, a pass, or a folder.

    python -m tests.of_room tosa [arguments of pytest]

A folder `tosa` is taken whole, and each file whose name is `tosa`, with or without `test_`. If there is none of
these, files are taken that have the word in their names. A path names one folder of several: `model/memory`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCES = ("tests", "volcli", "dialects/volcli_dialects")


def _files(root: Path) -> Iterator[tuple[str, Path]]:
    """Each file that may have tests, and its path as words: `/model/values/slices/`, of test_slices.py, too."""
    for folder in SOURCES:
        for path in sorted((root / folder).rglob("*.py")):
            inside = path.relative_to(root / folder)
            parts = [*inside.parts[:-1], inside.stem.removeprefix("test_")]
            yield f"/{'/'.join(parts)}/", path


def paths(room: str, root: Path = ROOT) -> list[Path]:
    """The files that concern ROOM: tests, and modules, for the examples in their docstrings."""
    name = room.strip("/").replace("-", "_")
    files = list(_files(root))
    found = [path for words, path in files if f"/{name}/" in words]
    if any(path.name.startswith("test_") for path in found):
        return found
    of_words = [path for words, path in files if f"_{name}_" in f"_{words.split('/')[-2]}_"]
    return [*found, *(path for path in of_words if path.name.startswith("test_"))]


def main(room: str, *arguments: str) -> int:
    found = paths(room)
    if not found:
        raise SystemExit(f"no test concerns '{room}'; rooms are the folders of tests/ and volcli/")
    of_room = [str(path.relative_to(ROOT)) for path in found if _may_have_tests(path)]
    quick = ["-m", "not slow and not fuzz", "-n", "auto", "--dist", "worksteal"]
    return pytest.main([*quick, *arguments, *of_room])


def _may_have_tests(path: Path) -> bool:
    return path.name.startswith("test_") or ">>>" in path.read_text()


if __name__ == "__main__":
    raise SystemExit(main(*sys.argv[1:]))
