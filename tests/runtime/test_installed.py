"""Packages that announce entry points are found without importing what reads all metadata."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from volcli.runtime.installed import may_announce

UNIVERSE = """
from xdsl.dialects.builtin import IndexType
from xdsl.ir import Dialect
from xdsl.irdl import IRDLOperation, irdl_op_definition, result_def
from xdsl.universe import Universe

@irdl_op_definition
class Now(IRDLOperation):
    name = "clock.now"
    time = result_def(IndexType)
    assembly_format = "attr-dict"

UNIVERSE = Universe(all_dialects={"clock": lambda: Dialect("clock", [Now])})
"""
PROGRAM = "func.func @f() -> index {\n  %t = clock.now\n  return %t : index\n}\n"


def package(folder: Path, name: str, entry_points: str) -> None:
    metadata = folder / f"{name}-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text(entry_points)


def test_a_group_is_announced_by_its_packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package(tmp_path, "one", "[some.group]\na = one:a\n")
    package(tmp_path, "one_more", "[other.group]\na = one_more:a\n")
    monkeypatch.syspath_prepend(tmp_path)
    assert may_announce("some.group")
    assert not may_announce("some.group", besides="one")
    assert may_announce("other.group", besides="one")


def test_what_cannot_be_read_may_announce_anything(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "archive.zip").write_bytes(b"")
    monkeypatch.syspath_prepend(tmp_path / "archive.zip")
    assert may_announce("some.group")


@pytest.mark.slow
def test_dialects_of_packages_that_extend_xdsl_are_read(
    tmp_path: Path, environment: Mapping[str, str]
) -> None:
    package(tmp_path, "clock", "[xdsl.universe]\nclock = clock:UNIVERSE\n")
    (tmp_path / "clock.py").write_text(UNIVERSE)
    command = [sys.executable, "-m", "volcli", "opt", "--via", "xdsl", "--mlir-print-op-generic", "-"]
    for path, known in ({}, False), ({"PYTHONPATH": str(tmp_path)}, True):
        ran = subprocess.run(
            command, input=PROGRAM, env={**environment, **path}, capture_output=True, text=True, check=True
        )
        assert ("V306" not in ran.stderr) == known
