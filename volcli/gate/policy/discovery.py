"""Which files are checked: those that are named, and those below folders that no .gitignore leaves out."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pathspec

from volcli.diagnostics import Diagnostic, UsageError
from volcli.runtime.paths import relative

SUFFIX = ".mlir"
STDIN = "-"
"""Standard input, also where there is a file of this name: that is './-'."""
_IGNORED = ".gitignore"


@dataclass(frozen=True)
class Exclusion:
    """Files that are not checked: those that PATTERNS, as in a .gitignore of FOLDER, fit."""

    patterns: tuple[str, ...]
    folder: str | None = None

    @cached_property
    def _spec(self) -> pathspec.GitIgnoreSpec:
        return pathspec.GitIgnoreSpec.from_lines(self.patterns)

    def __call__(self, path: str) -> bool:
        """Whether the file at PATH is one of them."""
        return self._spec.match_file(relative(path, self.folder))


@dataclass(frozen=True)
class Excluded:
    """Files that one of several EXCLUSIONS leaves out: of folders, and if `is_forced` also where named."""

    exclusions: tuple[Exclusion, ...] = ()
    is_forced: bool = False

    def below(self, path: str) -> bool:
        """Whether the file at PATH, in a folder that is to be checked, is left out."""
        return any(each(path) for each in self.exclusions)

    def named(self, path: str) -> bool:
        """Whether the file at PATH, which is named itself, is left out."""
        return self.is_forced and path != STDIN and self.below(path)


def discovered(paths: Sequence[str], excluded: Excluded = Excluded()) -> list[str]:
    """The files that PATHS name, each once, sorted by name.

    `-` is standard input. A file that is named is checked whatever its suffix; of a folder, the .mlir files
    below it that neither a .gitignore leaves out nor is EXCLUDED; '*', '?' and '**' in a name that is none
    stand for what fits. Raises UsageError (V100) for a name that stands for nothing.
    """
    found: dict[str, None] = {}
    for path in paths:
        for name in _named(path):
            if name == STDIN or not Path(name).is_dir():
                if not excluded.named(name):
                    found[_normal(name)] = None
                continue
            for file in _below(name):
                if not excluded.below(file):
                    found[os.path.normpath(file)] = None
    return sorted(found)


def _normal(name: str) -> str:
    """NAME without detours, and never the name of standard input for a file."""
    normal = os.path.normpath(name)
    return os.path.join(".", normal) if normal == STDIN != name else normal


def divided(paths: Sequence[str]) -> tuple[tuple[str, ...], list[Diagnostic]]:
    """Those of PATHS that name something that can be read, and what is wrong with the others (V100).

    A pipe is none that can be read: files are read by several processes, and more than once.
    """
    usable: list[str] = []
    wrong: list[Diagnostic] = []
    for path in paths:
        try:
            pipes = [name for name in _named(path) if name != STDIN and Path(name).is_fifo()]
        except UsageError as error:
            wrong.append(error.diagnostic)
            continue
        wrong += [
            Diagnostic("V100", f"'{name}' is a pipe", note="write what comes out of it to a file")
            for name in pipes
        ]
        usable += [] if pipes else [path]
    return tuple(usable), wrong


def empty(paths: Sequence[str], excluded: Excluded = Excluded()) -> list[Diagnostic]:
    """What is wrong with folders among PATHS (V017) below which there is no file to be checked.

    A gate that checks nothing passes: a mistyped path, or a .gitignore that leaves all out, is not a success.
    """
    wrong: list[Diagnostic] = []
    for path in paths:
        names = _named(path)
        if not all(name != STDIN and Path(name).is_dir() for name in names):
            continue
        below = [file for name in names for file in _below(name)]
        if not all(map(excluded.below, below)):
            continue
        if below:
            why = "'exclude' leaves out all files"
        elif _has_any(names):
            why = f"a .gitignore leaves out all {SUFFIX} files"
        else:
            why = f"there is no {SUFFIX} file"
        wrong.append(Diagnostic("V017", f"{why} below '{path}'"))
    return wrong


def _has_any(folders: Sequence[str]) -> bool:
    """Whether there is a file of the right name below FOLDERS at all."""
    return any(next(Path(name).rglob(f"*{SUFFIX}"), None) is not None for name in folders)


def _named(path: str) -> list[str]:
    """PATH, or what fits it if it is a pattern."""
    if path == STDIN or os.path.lexists(path):
        return [path]
    found = sorted(glob.glob(path, recursive=True)) if glob.has_magic(path) else []
    if not found:
        raise UsageError(Diagnostic("V100", f"there is no file '{path}'"))
    return found


def _below(folder: str) -> Iterator[str]:
    """The .mlir files below FOLDER that are not ignored; no pipes, which may never be written.

    And the folders that cannot be read, which whoever tries will say of them.
    """
    ignored = _Ignored(folder)
    closed: list[OSError] = []
    for here, folders, names in os.walk(folder, onerror=closed.append):
        ignored.enter(here)
        folders[:] = sorted(
            name for name in folders if name != ".git" and not ignored(os.path.join(here, name) + "/")
        )
        for name in sorted(names):
            file = os.path.join(here, name)
            if name.endswith(SUFFIX) and not ignored(file) and not Path(file).is_fifo():
                yield file
    yield from (str(error.filename) for error in closed)


class _Ignored:
    """What .gitignore files leave out: those in a folder, below it, and above it in its repository."""

    def __init__(self, folder: str) -> None:
        self._specs: dict[str, pathspec.GitIgnoreSpec] = {}
        absolute = os.path.abspath(folder)
        above = [absolute]
        while not os.path.lexists(os.path.join(above[-1], ".git")):
            parent = os.path.dirname(above[-1])
            if parent == above[-1]:
                above = [absolute]  # in no repository
                break
            above.append(parent)
        for each in above:
            self.enter(each)

    def enter(self, folder: str) -> None:
        """Read the .gitignore of FOLDER."""
        absolute = os.path.abspath(folder)
        if absolute in self._specs:
            return
        try:
            lines = Path(absolute, _IGNORED).read_text(encoding="utf-8", errors="replace").splitlines()
        except OSError:
            return
        self._specs[absolute] = pathspec.GitIgnoreSpec.from_lines(lines)

    def __call__(self, path: str) -> bool:
        """Whether PATH is left out, as the nearest file says that says something of it."""
        is_folder = path.endswith("/")
        absolute = os.path.abspath(path)
        folder = os.path.dirname(absolute)
        while True:
            if (spec := self._specs.get(folder)) is not None:
                below = relative(absolute, folder) + "/" * is_folder
                said = spec.check_file(below).include
                if said is not None:
                    return said
            parent = os.path.dirname(folder)
            if parent == folder:
                return False
            folder = parent
