"""Which diagnostics are said, in which order, and the exit code that they make."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from volcli.cli.commands import volcli
from volcli.cli.parts.messages import arranged
from volcli.diagnostics import Diagnostic, Place, Severity
from volcli.diagnostics.selection import Selection

from .conftest import Driver, Shell


def at(line: int, code: str = "V303", message: str = "it is not affine") -> Diagnostic:
    return Diagnostic(code, message, Place("a.mlir", line, 1))


def test_remarks_that_repeat_each_other_are_said_once() -> None:
    said = arranged([at(9), at(3), at(5, message="another"), at(7)])
    assert [(one.place.line, one.message) for one in said if one.place] == [
        (3, "it is not affine (and at 2 more places)"),
        (5, "another"),
    ]


def test_findings_are_never_grouped_and_stand_by_place() -> None:
    said = arranged([at(9, "V203"), at(2, "V204"), at(5, "V203")])
    assert [(one.place.line, one.code) for one in said if one.place] == [
        (2, "V204"),
        (5, "V203"),
        (9, "V203"),
    ]


def test_files_keep_their_order() -> None:
    first = Diagnostic("V203", "m", Place("z.mlir", 9, 1))
    assert arranged([first, at(1, "V203")]) == [first, at(1, "V203")]


def test_what_mlir_opt_says_keeps_its_order() -> None:
    said = [at(9, "V403"), at(3, "V403"), at(3, "V403")]
    assert arranged(said) == said


@pytest.mark.parametrize(
    ("select", "ignore", "wanted"),
    [
        ((), (), {"V103", "V203", "V204", "V303", "V900"}),
        (("V2",), (), {"V103", "V203", "V204", "V900"}),
        ((), ("V204", "V3"), {"V103", "V203", "V900"}),
        (("V2",), ("V204",), {"V103", "V203", "V900"}),
        (("V204",), ("V2",), {"V103", "V204", "V900"}),
    ],
)
def test_the_longer_prefix_decides(
    select: tuple[str, ...], ignore: tuple[str, ...], wanted: set[str]
) -> None:
    selection = Selection(select, ignore)
    assert {c for c in ("V103", "V203", "V204", "V303", "V900") if selection.wants(c)} == wanted


def test_fail_on() -> None:
    warning, remark, unreadable = at(1, "V206"), at(1), at(1, "V103")
    assert [Selection().exit_code(one) for one in (warning, remark, unreadable)] == [0, 0, 2]
    strict = Selection(fail_on=Severity.WARNING)
    assert [strict.exit_code(one) for one in (warning, remark, unreadable)] == [1, 0, 2]
    assert Selection(fail_on=Severity.REMARK).exit_code(remark) == 1


def test_options_reach_the_output_and_the_exit_code(driver: Driver, shell: Shell) -> None:
    driver.add("a.mlir", said=[at(1, "V203"), at(2)])
    ran = shell("analyze", "a.mlir", "--ask", "shapes", "--ignore", "v203")
    assert ran.exit_code == 0
    assert "V203" not in ran.stderr
    assert "V303" in ran.stderr
    assert "V303" not in shell("analyze", "a.mlir", "--ask", "shapes", "-q").stderr
    assert shell("analyze", "a.mlir", "--ask", "shapes", "-q", "--fail-on", "remark").exit_code == 1
    assert (
        shell("analyze", "a.mlir", "--ask", "shapes", "--select", "V3", "--fail-on", "remark").exit_code == 1
    )


@pytest.mark.parametrize(
    ("code", "words"),
    [("V2O4", "did you mean V204?"), ("V1", "V1 is always reported"), ("", "no code begins with ''")],
)
def test_codes_that_cannot_be_left_out(shell: Shell, code: str, words: str) -> None:
    ran = shell("analyze", "a.mlir", "--ignore", code)
    assert ran.exit_code == 2
    assert "V007" in ran.stderr
    assert words in ran.stderr


def test_codes_of_a_prefix() -> None:
    printed = CliRunner().invoke(volcli, ["codes", "v204", "V30"]).stdout
    assert [line[:4] for line in printed.splitlines() if line[0] == "V"] == [
        "V204", *(f"V30{number}" for number in range(1, 10)),
    ]  # fmt: skip
    refused = CliRunner().invoke(volcli, ["codes", "V2O4"])
    assert (refused.exit_code, "did you mean V204?" in refused.stderr) == (2, True)


def test_help_is_a_command() -> None:
    said = CliRunner().invoke(volcli, ["help", "codes"])
    assert said.exit_code == 0
    assert said.stdout == CliRunner().invoke(volcli, ["codes", "--help"]).stdout
    assert CliRunner().invoke(volcli, ["help"]).stdout == CliRunner().invoke(volcli, ["--help"]).stdout
    assert CliRunner().invoke(volcli, ["help", "anlyze"]).exit_code == 2
