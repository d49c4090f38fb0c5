"""Annotations change nothing but their own lines."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from volcli.frontend.text.annotate import annotate, strip_annotations

LINES = st.lists(st.text(st.sampled_from("ab \t%{}/\r\u2028"), max_size=8), max_size=8)
FACTS = st.dictionaries(st.integers(1, 9), st.lists(st.text(st.sampled_from("xy ="), min_size=1), max_size=3))


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_indentation_and_line_endings_follow_the_line(ending: str) -> None:
    text = ending.join(["func.func @f() {", "\t  return", "}"])
    expected = ending.join(
        ["func.func @f() {", "\t  // volcli: one", "\t  // volcli: two", "\t  return", "}"]
    )
    assert annotate(text, {2: ["one", "two"]}) == expected


def test_the_last_line_may_lack_its_ending() -> None:
    assert annotate("a\r\nb", {2: ["x"]}) == "a\r\n// volcli: x\r\nb"
    assert annotate("b", {1: ["x"]}) == "// volcli: x\nb"


def test_a_fact_of_several_lines_has_several_comments() -> None:
    assert annotate("b\n", {1: ["x\ny"]}) == "// volcli: x\n// volcli: y\nb\n"


def test_older_annotations_are_replaced() -> None:
    once = annotate("  a\n  b\n", {2: ["old"]})
    assert annotate(once, {3: ["new"]}) == "  a\n  // volcli: new\n  b\n"


def test_other_comments_stay() -> None:
    text = "// volcli is a tool\na // volcli: not a line of its own\n"
    assert strip_annotations(text) == text


@pytest.mark.slow
@given(LINES, FACTS, st.sampled_from(["\n", "\r\n"]), st.booleans())
def test_stripping_undoes_annotating(
    lines: list[str], facts: dict[int, list[str]], ending: str, ended: bool
) -> None:
    text = ending.join(lines) + (ending if ended else "")
    annotated = annotate(text, facts)
    assert strip_annotations(annotated) == text
    assert strip_annotations(text) == text


@given(LINES, st.integers(1, 8))
def test_annotating_again_is_a_fixed_point(lines: list[str], number: int) -> None:
    text = "\n".join(lines)
    annotated = annotate(text, {number: ["fact"]})
    if annotated != text:
        assert annotate(annotated, {number + 1: ["fact"]}) == annotated
