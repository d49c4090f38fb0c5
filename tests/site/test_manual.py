"""Pages for `man`: each command has one, with all that its help says, in troff that groff does not complain of."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import click
import pytest

from docs.site.manual import man_pages, write_pages
from volcli.cli.commands import volcli

PAGES = man_pages()


def plain(page: str) -> str:
    """PAGE as a reader sees it, in one line: without requests, with the characters that are escaped."""
    lines = (line for line in page.splitlines() if not re.match(r"\.(?!SH|TH)", line))
    text = re.sub(r"\\f.", "", " ".join(lines))
    for escaped, shown in ((r"\-", "-"), (r"\(aq", "'"), (r"\(ga", "`"), (r"\(ha", "^"), (r"\(ti", "~")):
        text = text.replace(escaped, shown)
    return " ".join(text.replace(r"\e", "\\").replace(r"\&", "").split())


def test_each_command_has_a_page() -> None:
    context = click.Context(volcli)
    assert set(PAGES) == {"volcli.1", *(f"volcli-{name}.1" for name in volcli.list_commands(context))}


@pytest.mark.parametrize("name", [*PAGES])
def test_a_page_has_what_the_help_says(name: str) -> None:
    command = name.removesuffix(".1").removeprefix("volcli").removeprefix("-")
    context = click.Context(volcli, info_name="volcli")
    found = volcli.get_command(context, command) if command else volcli
    assert found is not None
    page = plain(PAGES[name])
    assert "-h, --help" in page
    for paragraph in f"{found.help}\n\n{found.epilog or ''}".replace("\b", "").replace("`", "").split("\n\n"):
        words = re.sub(r"^Example:", "", " ".join(paragraph.split())).strip()
        assert words in page, words
    for parameter in found.params:
        if isinstance(parameter, click.Option) and not parameter.hidden:
            assert parameter.opts[0] in page
            assert " ".join((parameter.help or "").replace("`", "").split()) in page


def test_what_troff_would_take_for_markup_is_escaped() -> None:
    for page in PAGES.values():
        assert "\b" not in page
        assert not re.search(r"(?m)^'|(?<!\\)`", page)
        requests = set(re.findall(r"(?m)^\.(\w*)", page))
        assert requests <= {"TH", "SH", "TP", "PP", "nf", "fi", "nh", "ad"}
        assert set(re.findall(r"(?m)^\.SH (.*)", page)) >= {"NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS"}


@pytest.mark.skipif(shutil.which("groff") is None, reason="groff formats the pages")
def test_groff_has_nothing_to_complain_of(tmp_path: Path) -> None:
    files = write_pages(tmp_path)
    said = subprocess.run(
        ["groff", "-man", "-ww", "-Tutf8", *map(str, files)], capture_output=True, text=True, check=True
    )
    assert said.stderr == ""
    assert len(said.stdout) > 10_000
