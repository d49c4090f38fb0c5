"""Annotated testdata are fixed points of the tool, and JSON of them is as documented."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from tests.conftest import ROOT, Run
from tests.update import annotated_files, command_of
from volcli.frontend.annotate import strip_annotations

FILES = annotated_files()


def named(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("path", FILES, ids=named)
def test_a_fixed_point(path: Path, volcli: Run) -> None:
    """Strip, analyse, annotate: the file as it is (`make update` rewrites it)."""
    text = path.read_text()
    command = command_of(text)
    assert command is not None
    bare = strip_annotations(text)
    ran = volcli(*("-" if word == "%s" else word for word in command), input=bare)
    assert ran.returncode in (0, 1)
    assert ran.stdout == text


@pytest.mark.parametrize("path", FILES, ids=named)
def test_json_is_as_documented(path: Path, volcli: Run, root: Path) -> None:
    ran = volcli("analyze", named(path), "--format", "json")
    schema = json.loads((root / "docs" / "facts.schema.json").read_text())
    jsonschema.validate(json.loads(ran.stdout), schema)
