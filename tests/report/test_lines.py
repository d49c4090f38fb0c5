from __future__ import annotations

from volcli.report.lines import Line, as_text


def test_lines_are_as_they_are() -> None:
    assert as_text([Line("a [bold]b[/bold]", "bold"), Line(), Line("  " + "x " * 200)]).splitlines() == [
        "a [bold]b[/bold]",
        "",
        "  " + "x " * 200,
    ]


def test_folded_lines_are_indented() -> None:
    assert as_text([Line("  one two three four")], width=14) == "  one two\n      three\n      four\n"


def test_words_without_room_are_cut() -> None:
    assert as_text([Line("abcdef")], width=4) == "abcd\nef\n"


def test_styles_are_for_colour_terminals() -> None:
    line = [Line("x", "bold")]
    assert as_text(line) == "x\n"
    assert as_text(line, colour=True) == "\x1b[1mx\x1b[0m\n"
