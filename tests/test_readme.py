from __future__ import annotations

import doctest
import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from docs.site.pages import generated_paths
from tests.conftest import ROOT
from tests.readme import DOCUMENTS, SESSIONS, python_blocks, rerun
from volcli.passes.table import QUESTIONS

WITH_PYTHON = [name for name in (*DOCUMENTS, *SESSIONS) if python_blocks((ROOT / name).read_text())]


@pytest.mark.slow
@pytest.mark.parametrize("name", DOCUMENTS)
def test_commands_print_what_the_document_says(name: str, root: Path, environment: Mapping[str, str]) -> None:
    text = (root / name).read_text()
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


def test_the_readme_is_short(root: Path) -> None:
    """The picture, the two commands, four examples, what volcli does not do, and links: the rest has its page."""
    assert len((root / "README.md").read_text().splitlines()) <= 160


def test_the_gallery_has_each_question(root: Path) -> None:
    gallery = (root / "docs" / "gallery.md").read_text()
    assert [question for question in QUESTIONS if f"`{question}`" not in gallery] == []


_LINK = re.compile(r"\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)")
_WRITTEN = re.compile(r"```.*?```|`[^`\n]*`|^    .*?$", re.MULTILINE | re.DOTALL)
"""Code, in which brackets are no links."""


def test_links_between_documents_lead_somewhere(root: Path) -> None:
    """To files that there are, and to headings in them; pages of the site that are generated: tests/site."""
    broken: list[str] = []
    made = {root / "docs" / path for path in generated_paths()}
    for document in [root / "README.md", *sorted((root / "docs").rglob("*.md"))]:
        for path, heading in _LINK.findall(_WRITTEN.sub("", document.read_text())):
            target = (document.parent / path).resolve() if path else document
            if target in made and document.name != "README.md":
                continue
            if not target.exists() or (heading and heading not in _headings(target)):
                broken.append(f"{document.relative_to(root)}: {path}#{heading}")
    assert broken == []


def _headings(document: Path) -> set[str]:
    """The anchors of a DOCUMENT's headings: `In your tests` is at `in-your-tests`."""
    titles = re.findall(r"^#+ (.*)$", document.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}
