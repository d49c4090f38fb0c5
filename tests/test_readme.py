from __future__ import annotations

import doctest
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.readme import python_blocks, rerun


def test_commands_print_what_the_readme_says(root: Path, environment: Mapping[str, str]) -> None:
    text = (root / "README.md").read_text()
    assert text.count("```console\n") >= 5
    assert rerun(text, root, environment) == text, "`make update` rewrites the README's outputs"


def test_python_in_the_readme_runs(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(root)
    for block in python_blocks((root / "README.md").read_text()):
        test = doctest.DocTestParser().get_doctest(block, {}, "README.md", "README.md", 0)
        assert test.examples
        assert doctest.DocTestRunner().run(test).failed == 0
