"""Volcli and all that its results depend on beside text and settings, as values that can be compared.

Python and the packages that compute are known by their versions; volcli's own files by their sizes and times;
packages that announce dialects by the content of all their files, since who writes one changes it without
another version, its cases may read tables, and a file may have the same size and time. What such a package
requires is known by its version.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import sys
from collections.abc import Iterator
from functools import cache
from importlib import metadata
from importlib.machinery import BYTECODE_SUFFIXES, ModuleSpec
from importlib.util import find_spec
from pathlib import Path

from volcli.runtime.installed import DIALECTS

_COMPUTING = ("xdsl", "islpy", "python-flint")
_BYTECODE = tuple(BYTECODE_SUFFIXES)
_NAME = re.compile(r"[\w.-]+")
"""Of a package, where what is required of it begins."""


@cache
def environment(via: str) -> tuple[object, ...]:
    """What results depend on where files are read by the door VIA."""
    versions = tuple((name, metadata.version(name)) for name in _COMPUTING)
    plugins = tuple(sorted(map(_plugin, metadata.entry_points(group=DIALECTS))))
    return sys.version, _own(), versions, plugins, None if via == "xdsl" else _reader()


def _reader() -> tuple[object, ...] | None:
    """The mlir-opt that is on PATH."""
    path = shutil.which("mlir-opt-22") or shutil.which("mlir-opt")
    if path is None:
        return None
    status = os.stat(path)
    return path, status.st_size, status.st_mtime_ns


def _own() -> str:
    """A digest of volcli's own files, by their sizes and times."""
    digest = hashlib.sha256()
    for package in ("volcli", "volcli_dialects"):
        for folder in _folders(package):
            for path in sorted(folder.rglob("*.py")):
                status = path.stat()
                name = path.relative_to(folder)
                digest.update(f"{name} {status.st_size} {status.st_mtime_ns}\n".encode())
    return digest.hexdigest()


def _plugin(entry: metadata.EntryPoint) -> tuple[object, ...]:
    """The dialect of ENTRY: names, its package by content and version, versions of what that requires."""
    digest = hashlib.sha256()
    for path in sorted({each for each in _files(entry) if not each.name.endswith(_BYTECODE)}):
        digest.update(f"{path.name}\n".encode("utf-8", "surrogateescape"))
        try:
            digest.update(hashlib.sha256(path.read_bytes()).digest())
        except OSError as error:
            digest.update(str(error).encode("utf-8", "surrogateescape"))
    dist = entry.dist
    if dist is None:
        return entry.name, entry.value, digest.hexdigest()
    names = {found[0] for each in dist.requires or () if (found := _NAME.match(each)) is not None}
    required = tuple((name, _version(name)) for name in sorted(names))
    return entry.name, entry.value, digest.hexdigest(), dist.version, required


def _version(package: str) -> str:
    """The version of PACKAGE; "" if it is not installed."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return ""


def _files(entry: metadata.EntryPoint) -> Iterator[Path]:
    """The files of the package that ENTRY is in, and those that its distribution has installed."""
    package = entry.value.partition(":")[0].partition(".")[0]
    for folder in _folders(package):
        yield from (path for path in folder.rglob("*") if path.is_file())
    spec = _spec(package)
    if spec is not None and spec.origin is not None and spec.has_location:
        yield Path(spec.origin)
    for file in (entry.dist.files or ()) if entry.dist is not None else ():
        yield Path(str(file.locate()))


def _folders(package: str) -> Iterator[Path]:
    spec = _spec(package)
    yield from map(Path, () if spec is None else spec.submodule_search_locations or ())


def _spec(package: str) -> ModuleSpec | None:
    """Where PACKAGE is; None where nothing is found."""
    try:
        return find_spec(package)
    except (ImportError, ValueError):
        return None
