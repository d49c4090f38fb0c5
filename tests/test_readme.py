from __future__ import annotations

import doctest
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.readme import DOCUMENTS, SESSIONS, python_blocks, rerun

WITH_PYTHON = [name for name in (*DOCUMENTS, *SESSIONS) if python_blocks((ROOT / name).read_text())]


@pytest.mark.slow
@pytest.mark.parametrize("name", DOCUMENTS)
def test_commands_print_what_the_document_says(name: str, root: Path, environment: Mapping[str, str]) -> None:
    text = (root / name).read_text()
    assert text.count("```console\n") >= 5
    assert rerun(text, root, environment) == text, "`make update` rewrites the outputs"


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", WITH_PYTHON)
def test_python_in_the_document_runs(name: str, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The blocks of a document are one session: a later one uses the names of an earlier one."""
    monkeypatch.chdir(root)
    session = "\n".join(python_blocks((root / name).read_text()))
    test = doctest.DocTestParser().get_doctest(session, {}, name, name, 0)
    assert test.examples
    assert doctest.DocTestRunner().run(test).failed == 0
