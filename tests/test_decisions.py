"""docs/decisions/: each decision names the code that it is about, and each one that does not hold its successor."""

from __future__ import annotations

from pathlib import Path

from tests.decisions_document import decisions, decisions_document


def test_the_index_is_current(root: Path) -> None:
    index = root / "docs" / "decisions" / "README.md"
    assert index.read_text() == decisions_document(root), "run `make update`"


def test_numbers_are_those_of_a_list(root: Path) -> None:
    assert [int(each.number) for each in decisions(root)] == list(range(1, len(decisions(root)) + 1))


def test_decisions_name_their_code(root: Path) -> None:
    """An active decision is about files that there are."""
    assert [each.path.name for each in decisions(root) if not each.where and not each.superseded_by] == []
    missing = [
        f"{each.path.name}: {path}"
        for each in decisions(root)
        for path in (*each.where, *each.measured)
        if not (root / path).is_file()
    ]
    assert missing == [], "`make update` finds files that have moved"


def test_a_superseded_decision_names_a_later_one(root: Path) -> None:
    """What takes the place of a decision exists, and supersedes nothing that supersedes it."""
    known = {each.path.name: each for each in decisions(root)}
    replaced = {name: each.superseded_by for name, each in known.items() if each.superseded_by}
    assert replaced
    assert [name for name, by in replaced.items() if by not in known or by == name] == []
    for name in replaced:
        seen = {name}
        while (by := replaced.get(name)) is not None:
            assert by not in seen
            seen.add(by)
            name = by


def test_titles_and_names_are_their_own(root: Path) -> None:
    titles = [each.title for each in decisions(root)]
    assert len(set(titles)) == len(titles)
