"""What a comment is, and a text without them."""

from __future__ import annotations

import pytest

from volcli.frontend.text.annotate import annotate, without_comments


@pytest.mark.sample(4)
@pytest.mark.parametrize(
    ("text", "bare"),
    [
        ("a\n", "a\n"),
        ("a // b\n", "a\n"),
        ("// a\n\n// b\n\nc\n", "c\n"),
        ("a\n// b\n\nc\n", "a\n\nc\n"),
        ("a\n\n// b\n\nc\n", "a\n\nc\n"),
        ("a\n\n\nb\n", "a\n\n\nb\n"),
        ("a\r\n  // b\r\n  c // d\r\n", "a\r\n  c\r\n"),
        ("a // the end", "a"),
        ("a\n// the end", "a\n"),
        ("// only", ""),
        ('f {s = "// no comment"} // one\n', 'f {s = "// no comment"}\n'),
        ('f {s = "a\\"//b"}\n', 'f {s = "a\\"//b"}\n'),
        ("f {u = #net.url<http://a.b/c>} // x\n", "f {u = #net.url<http://a.b/c>}\n"),
        ("f : !t.fn<(a) -> b, {//}>\n", "f : !t.fn<(a) -> b, {//}>\n"),
        ("affine_map<(d0) -> (d0)> // x\n", "affine_map<(d0) -> (d0)>\n"),
        ("#m = affine_map<() -> ()>// x\n", "#m = affine_map<() -> ()>\n"),
        ("a <// b\n>\n", "a <\n>\n"),
    ],
)
def test_a_text_without_its_comments(text: str, bare: str) -> None:
    assert without_comments(text) == bare
    assert without_comments(bare) == bare


def test_annotations_are_counted_in_the_lines_of_the_source() -> None:
    text = "// head\n\nf {\n  // volcli: old\n  g // why\n}\n"
    assert annotate(text, {5: ["new"]}, comments=False) == "f {\n  // volcli: new\n  g\n}\n"
