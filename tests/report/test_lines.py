from __future__ import annotations

from volcli.report.lines import Line, as_text, grid_head, grid_row


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


def test_a_number_of_a_grid_stands_over_its_column() -> None:
    """Three digits over columns of two characters: every second column has a number, and none moves the next."""
    head = grid_head("%i", 3, range(98, 118), 2)
    row = grid_row("", 3, ((" " + str(k % 10), "red" if k == 100 else "") for k in range(98, 118)))
    assert head.text == "%i 98  100 102 104 106 108 110 112 114 116"
    assert row.text == "    8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7"
    assert row.spans == ((8, 9, "red"),)
