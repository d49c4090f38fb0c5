"""Pages as text: their structure, what they escape, what they refer to, and how large they are."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from html.parser import HTMLParser
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.pages.conftest import FILES, written
from volcli.api.notes import Note
from volcli.cli.commands import volcli
from volcli.gate.checking import check
from volcli.gate.policy.policy import Policy
from volcli.gate.run import Running, work_of
from volcli.gate.work.executor import Here, WorkerLostError
from volcli.pages.page import report_page
from volcli.pages.recording import PageWork, recorded, records_of
from volcli.pages.records import FileRecord, parts_of

_VOID = {"meta", "input", "br", "link", "img", "hr", "wbr"}
_OUTSIDE = re.compile(
    r"""(?:https?:)?//[a-z0-9]|url\((?!#)|@import|\bsrc=|<link|<iframe|fetch\(|XMLHttp""", re.I
)


@dataclass
class Tree(HTMLParser):
    """What a page has: its elements with their attributes and text, and errors of nesting."""

    text: str
    open: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    found: list[tuple[str, Mapping[str, str | None]]] = field(default_factory=list)
    said: dict[str, list[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        super().__init__()
        self.feed(self.text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        if tag == "li" and self.open[-1] == "li":
            self.open.pop()  # the end of an item may be left out
        if tag not in _VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        if tag == "ol" and self.open[-1] == "li":
            self.open.pop()
        if not self.open or self.open.pop() != tag:
            self.wrong.append(f"</{tag}> at {self.getpos()}")

    def handle_data(self, data: str) -> None:
        self.said.setdefault(self.open[-1] if self.open else "", []).append(data)

    def values(self, attribute: str) -> list[str]:
        return [value for _, attributes in self.found if (value := attributes.get(attribute)) is not None]


def test_elements_are_nested_and_names_are_used_once(page: str) -> None:
    tree = Tree(page)
    assert (tree.wrong, tree.open) == ([], [])
    assert [name for name, count in Counter(tree.values("id")).items() if count > 1] == []
    assert Counter(tag for tag, _ in tree.found)["h1"] == 1


def test_every_link_leads_to_a_place_of_the_page(page: str) -> None:
    tree = Tree(page)
    places = set(tree.values("id"))
    files = {each for each in places if each.endswith(".mlir")}
    links = [each.removeprefix("#") for each in tree.values("href")]
    assert len(links) > 20
    lines = {each for each in links if each.rpartition(":")[0] in files and each.rpartition(":")[2].isdigit()}
    assert [each for each in links if each not in places | lines] == []
    labels = {each for value in tree.values("aria-labelledby") for each in value.split()}
    assert labels <= places


def test_nothing_outside_of_the_page_is_referred_to(page: str) -> None:
    assert _OUTSIDE.findall(re.sub(r"<li[^>]*>[^<]*", "", page)) == []


def test_findings_have_witnesses_and_commands(page: str) -> None:
    found = page[page.index('<h2 id="findings">') : page.index('<section class="file"')]
    assert found.count("<article") == 1
    assert "iteration [0, 0], index [-2, 0]" in found
    assert "volcli run testdata/memory/shifted_rows.mlir --function rows" in found


def test_facts_are_beside_their_lines(page: str) -> None:
    rows = [row for row in page.split("<li") if ">      %x = affine.load %m[%i - 2, %j]" in row]
    assert len(rows) == 1
    assert re.search(r"<p data-q=access.*out of bounds", rows[0])
    assert 'class="error"' in rows[0]


def test_there_is_a_picture_of_each_kind(page: str) -> None:
    kinds = Counter(re.findall(r'<figure class="(\w+)"', page))
    assert {"regions", "field", "mars", "iterations"} == set(kinds)
    assert page.count('<table class="layers">') == 3


@pytest.mark.slow
def test_equal_runs_write_equal_pages(root: Path, environment: Mapping[str, str], page: str) -> None:
    """In a process of its own, with another seed of hashes and two workers."""
    command = [sys.executable, "-m", "volcli", "report", *FILES, "--tile", "t+i: 8, t-i: 8", "--no-times"]
    again = subprocess.run(
        [*command, "-o", "-", "--no-cache", "-j", "2"],
        cwd=root,
        env={**environment, "PYTHONHASHSEED": "7"},
        capture_output=True,
        check=True,
    )
    assert again.stdout.decode() == page


HOSTILE = """// </script><script>alert(1)</script> <!-- \u2028 \u00fc "quotes' &amp;
func.func @"</script><img src=x onerror=alert(1)>"(%m: memref<9xf32>) -> f32 {
  %c = arith.constant 9 : index
  %"x = memref.load %m[%c] : memref<9xf32>
  return %"x : f32
}
""".replace('%"x', "%x")


def test_what_programs_say_is_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    name = "a <b>'\" \u00fc.mlir"
    Path(name).write_text(HOSTILE)
    page = written(name)
    tree = Tree(page)
    assert (tree.wrong, tree.open) == ([], [])
    assert "img" not in {tag for tag, _ in tree.found}
    assert not [each for each in tree.found if any(key.startswith("on") for key in each[1])]
    assert not any("alert" in text for text in tree.said["script"])
    assert any("alert(1)</script> <!-- \u2028 \u00fc \"quotes' &amp;" in text for text in tree.said["li"])
    assert "V203" in page


def test_names_that_are_not_unicode_are_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    report = check(_program(tmp_path / "a.mlir"))
    strange = "caf\udce9.mlir"
    files = tuple(replace(each, file=strange) for each in report.files)
    page = report_page(replace(report, files=files), [FileRecord(strange, "")], [strange])
    assert "caf\ufffd.mlir" in page


def _program(path: Path) -> Path:
    path.write_text("func.func @f(%m: memref<4xf32>) {\n  return\n}\n")
    return path


def test_a_file_that_cannot_be_read_costs_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    _program(tmp_path / "a.mlir")
    (tmp_path / "b.mlir").write_bytes(b"\xff func")
    (tmp_path / "c.mlir").write_text("func.func @g( {\n")
    page = written("a.mlir", "b.mlir", "c.mlir")
    assert "Not analysed: byte 0xff is not UTF-8" in page
    assert "V102" in page
    assert 'id="a.mlir@f"' in page


def test_a_process_that_ends_costs_its_file(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Lost(Here[PageWork, FileRecord]):
        """Its worker ends at the first file."""

        def result(self, future: Future[FileRecord]) -> FileRecord:
            found = super().result(future)
            if found.name.endswith(FILES[0]):
                raise WorkerLostError
            return found

    monkeypatch.setattr("volcli.gate.work.pool.Workers", lambda jobs, do, *others: Lost(do))
    works = [PageWork(work_of(str(root / name), Policy())) for name in FILES[:2]]
    lost, kept = records_of(works, Running(jobs=2))
    assert (lost.error, kept.error) == ("the analysis came to no end", "")
    assert lost.text == (root / FILES[0]).read_text()
    assert kept.notes


def test_long_lines_and_files_are_cut_and_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("volcli.limits.printing.PAGE_LINES", 3)
    text = "func.func @f() {\n" + "  // " + "x" * 500 + "\n  // a\n  // b\n  return\n}\n"
    report = check("testdata/linalg/conv_layer.mlir")
    notes = (Note(4, 1, "bounds", "%a", ("%a = 4",)),)
    page = report_page(report, [FileRecord("conv_layer.mlir", text, parts_of(text), notes)], ["a"])
    assert "... 105 more characters" in page
    assert "3 more lines of this file are not shown." in page
    assert "%a = 4" not in page


def test_a_page_of_fifty_files_is_below_two_megabytes(tmp_path: Path, root: Path) -> None:
    """Fifty copies of what is in testdata, of which the pictures are the most."""
    report = check(root / FILES[1])
    text = (root / FILES[1]).read_text()
    path = str(root / FILES[1])
    record = recorded(PageWork(replace(work_of(path, Policy()), data=text.encode())))
    assert record.drawings
    files = [replace(report.files[0], file=f"{number}.mlir") for number in range(50)]
    records = [replace(record, name=each.file) for each in files]
    page = report_page(replace(report, files=tuple(files)), records, ["."])
    assert len(page.encode()) < 2_000_000


@pytest.mark.parametrize(("more", "code"), [((), 2), (FILES[:1], 0)])
def test_a_page_about_no_readable_file_ends_with_code_2(
    tmp_path: Path, root: Path, more: tuple[str, ...], code: int
) -> None:
    (tmp_path / "binary.mlir").write_bytes(b"ML\xefR\0")
    paths = [str(tmp_path / "binary.mlir"), *(str(root / each) for each in more)]
    arguments = ["report", *paths, "-o", str(tmp_path / "page.html"), "--no-cache", "-j", "1"]
    assert CliRunner().invoke(volcli, arguments).exit_code == code
    assert (tmp_path / "page.html").exists()


def test_what_check_finds_is_a_page_too(tmp_path: Path, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(root)
    target = tmp_path / "check.html"
    arguments = ["check", *FILES[:2], "--format", f"html:{target}", "--no-cache", "-j", "1"]
    assert CliRunner().invoke(volcli, arguments).exit_code == 1
    page = target.read_text()
    tree = Tree(page)
    assert (tree.wrong, tree.open) == ([], [])
    assert "1 of 2 files" in page
    assert 'id="testdata/memory/shifted_rows.mlir@rows"' in page
    assert 'id="testdata/memory/shifted_rows.mlir@slanted"' not in page
