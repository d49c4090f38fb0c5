"""`volcli check` from its arguments to its output, on small programs."""

from __future__ import annotations

import errno
import json
import os
from pathlib import Path
from xml.etree import ElementTree

import jsonschema
import pytest

from tests.conftest import Run
from volcli.gate.policy.discovery import discovered
from volcli.gate.policy.policy import Policy
from volcli.gate.run import run
from volcli.report.gate import rendered
from volcli.runtime.shipped import schema

OUTSIDE = """func.func @f(%m: memref<9xf32>) {
  affine.for %i = 0 to 9 {
    %v = affine.load %m[%i - 1] : memref<9xf32>
  }
  return
}
"""
CLEAN = """func.func @f(%m: memref<9xf32>) -> f32 {
  %v = affine.load %m[8] : memref<9xf32>
  return %v : f32
}
"""


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """A folder with a file that has a finding, one that has none, and one that is ignored."""
    (tmp_path / ".git").mkdir()
    (tmp_path / ".gitignore").write_text("generated/\n")
    (tmp_path / "generated").mkdir()
    (tmp_path / "generated" / "outside.mlir").write_text(OUTSIDE)
    (tmp_path / "a.mlir").write_text(OUTSIDE)
    (tmp_path / "b.mlir").write_text(CLEAN)
    return tmp_path


def test_findings_of_a_folder(corpus: Path) -> None:
    report = run([str(corpus)], Policy())
    assert [Path(each.file).name for each in report.files] == ["a.mlir", "b.mlir"]
    (finding,) = report.findings
    assert (finding.code, finding.line, finding.column) == ("V203", 3, 10)
    assert finding.key == "V203 @f read of %m[%i - 1]"
    assert finding.witness == {"iteration": [0], "index": [-1], "dimension": 0, "size": 9, "parameters": {}}
    assert report.exit_code == 1


def test_several_formats_at_once(corpus: Path, volcli: Run) -> None:
    names = {style: corpus / f"out.{style}" for style in ("json", "sarif", "junit", "github")}
    formats = [word for style, path in names.items() for word in ("--format", f"{style}:{path}")]
    ran = volcli("check", str(corpus), *formats, "--format", "text")
    assert ran.returncode == 1
    assert ran.stdout.startswith(
        f"{corpus}/a.mlir:3:10: error: V203: 'affine.load' op reads %m[%i - 1] out of"
    )
    assert ran.stdout.endswith("1 error in 1 of 2 files (V203: 1)\n")
    data = json.loads(names["json"].read_text())
    jsonschema.validate(data, json.loads(schema("findings")))
    assert [len(file["findings"]) for file in data["files"]] == [1, 0]
    log = json.loads(names["sarif"].read_text())
    from fluidattacks_core.sarif import SarifLog  # takes a third of a second, which only this test needs

    SarifLog.model_validate(log)
    (result,) = log["runs"][0]["results"]
    region = {"startLine": 3, "startColumn": 10, "endLine": 3, "endColumn": 48}
    assert result["locations"][0]["physicalLocation"]["region"] == region
    suite = ElementTree.parse(names["junit"]).getroot()[0]
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("2", "1", "0")
    line = names["github"].read_text()
    assert line.startswith(
        f"::error file={corpus}/a.mlir,title=V203,line=3,col=10::'affine.load' op reads %25m"
    )


def test_what_cannot_be_read_is_a_finding(corpus: Path, volcli: Run) -> None:
    (corpus / "c.mlir").write_text("func.func @g( {\n")
    ran = volcli("check", str(corpus), "--unreadable", "error")
    assert ran.returncode == 2
    assert f"{corpus}/c.mlir:1:14: error: V103: " in ran.stdout
    ran = volcli("check", str(corpus), "--fail-on", "error", "--exclude", "a.mlir")
    assert ran.returncode == 0
    assert f"{corpus}/c.mlir:1:14: warning: V103: " in ran.stdout
    ran = volcli("check", str(corpus), "--unreadable", "ignore", "--exclude", "a.mlir")
    said = "no findings in 2 files\nnot read or analysed: 1 place (V103: 1); --select V316 shows where\n"
    assert (ran.returncode, ran.stdout) == (0, said)


def test_the_line_behind_which_text_is_missing_is_shown(corpus: Path, volcli: Run) -> None:
    (corpus / "c.mlir").write_text("func.func @g() {\n  return\n")
    assert "c.mlir:2:9: warning: V103: " in (said := volcli("check", str(corpus)).stdout)
    assert "\n  return\n        ^\n" in said


def test_sarif_says_what_could_not_be_read(corpus: Path) -> None:
    (corpus / "c.mlir").write_text("func.func @g( {\n")
    (run_of_volcli,) = json.loads(rendered(run([str(corpus)], Policy()), "sarif"))["runs"]
    (invocation,) = run_of_volcli["invocations"]
    (said,) = invocation["toolExecutionNotifications"]
    assert (said["descriptor"], said["level"]) == ({"id": "V103"}, "warning")
    assert said["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].endswith("c.mlir")


@pytest.mark.sample(4)
@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["--ignore", "V203"], 0, "no findings in 2 files"),
        (["--select", "V206"], 0, "no findings in 2 files"),
        (["--exit-zero"], 0, "1 error in 1 of 2 files"),
        (["--exclude", "a.mlir"], 0, "no findings in 1 file"),
        (["--exclude", "*.mlir"], 2, "V017: 'exclude' leaves out all files below"),
        (["--format", "srif"], 2, "V007: --format: no format 'srif'\n  next: did you mean sarif?"),
        (["--format", "json", "--format", "text"], 2, "V007: --format: two formats for stdout"),
        (["--select", "V29x"], 2, "V007: --select: no code begins with 'V29X'"),
        (["nowhere/*.mlir"], 2, "V100: there is no file 'nowhere/*.mlir'"),
    ],
)
def test_options(corpus: Path, volcli: Run, arguments: list[str], code: int, said: str) -> None:
    ran = volcli("check", str(corpus), *arguments)
    assert (ran.returncode, said in ran.stdout + ran.stderr) == (code, True), ran


def test_without_paths_the_current_folder_is_checked(corpus: Path, volcli: Run) -> None:
    ran = volcli("check", "-q", "--format", "concise", cwd=corpus)
    said = "a.mlir:3:10: error: V203: 'affine.load' op reads %m[%i - 1] out of bounds: index -1 in dimension 0 of size 9"
    assert (ran.returncode, ran.stdout) == (1, f"{said}, at %i = 0 (1 of 9)\n")
    ran = volcli("check", "-q", "b.mlir", cwd=corpus)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")


def test_excluded_files_are_omitted_where_that_is_forced(corpus: Path, volcli: Run) -> None:
    named = "check", "a.mlir", "b.mlir", "--exclude", "a.mlir"
    assert volcli(*named, cwd=corpus).returncode == 1
    ran = volcli(*named, "--force-exclude", cwd=corpus)
    assert (ran.returncode, ran.stdout) == (0, "no findings in 1 file\n")
    (corpus / "volcli.toml").write_text('exclude = ["a.mlir"]\nforce-exclude = true\n')
    assert volcli("check", "a.mlir", "b.mlir", cwd=corpus).returncode == 0


def test_an_output_that_cannot_be_written_costs_no_other(corpus: Path, volcli: Run) -> None:
    outputs = "--format", "json:nowhere/out.json", "--format", "gitlab:out.json", "--format", "text"
    ran = volcli("check", *outputs, cwd=corpus)
    assert ran.returncode == 2
    assert ran.stdout.endswith("1 error in 1 of 2 files (V203: 1)\n")
    assert "V006: cannot write 'nowhere/out.json'" in ran.stderr
    (issue,) = json.loads((corpus / "out.json").read_text())
    assert (issue["check_name"], issue["severity"]) == ("V203", "critical")
    assert issue["location"] == {
        "path": "a.mlir",
        "positions": {"begin": {"line": 3, "column": 10}},
        "lines": {"begin": 3},
    }


def test_programs_are_told_the_same_column_in_characters(tmp_path: Path) -> None:
    outside = CLEAN.replace(
        "%v = affine.load %m[8]", '%c = arith.constant {n = "ä"} 1 : i8 %v = affine.load %m[9]'
    )
    (tmp_path / "a.mlir").write_text(outside)
    report = run([str(tmp_path)], Policy())
    assert (report.findings[0].column, report.findings[0].character) == (46, 45)
    log = json.loads(rendered(report, "sarif"))
    assert log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"]["startColumn"] == 45
    assert ",line=2,col=45::" in rendered(report, "github")
    assert "a.mlir:2:45: error" in rendered(report, "junit")


def test_names_and_lines_do_not_change_the_content(tmp_path: Path) -> None:
    renamed = "// moved\n\n" + OUTSIDE.replace("%m", "%buffer").replace("%i", "%k").replace("@f", "@g")
    other = OUTSIDE.replace("%i - 1", "%i - 2")
    for name, text in (("a.mlir", OUTSIDE), ("b.mlir", renamed), ("c.mlir", other)):
        (tmp_path / name).write_text(text)
    a, b, c = run([str(tmp_path)], Policy()).findings
    assert a.content == b.content != c.content


def test_a_cycle_outside_of_functions(tmp_path: Path) -> None:
    text = '"some.graph"() ({\n  %a = "some.use"(%b) : (f32) -> f32\n  %b = "some.use"(%a) : (f32) -> f32\n}) : () -> ()\n'
    (tmp_path / "a.mlir").write_text(text)
    findings = run([str(tmp_path)], Policy(select=("V2", "V3"))).findings
    assert [each.code for each in findings if each.code == "V900"] == []


def test_what_is_not_there_keeps_nobody_from_the_rest(corpus: Path, volcli: Run) -> None:
    os.mkfifo(corpus / "pipe.mlir")
    ran = volcli("check", str(corpus), str(corpus / "nosuch"), str(corpus / "pipe.mlir"), "--no-cache")
    assert ran.returncode == 2
    assert "a.mlir:3:10: error: V203" in ran.stdout
    assert "V100: there is no file" in ran.stderr
    assert "pipe.mlir' is a pipe" in ran.stderr
    alone = volcli("check", str(corpus / "nosuch"), "--no-cache")
    assert (alone.returncode, alone.stdout) == (2, "")


def test_standard_input_is_a_file_called_dash(tmp_path: Path, volcli: Run) -> None:
    for jobs in ([], ["--jobs", "1"]):
        ran = volcli("check", "-", "--no-cache", *jobs, input=OUTSIDE)
        assert (ran.returncode, ran.stdout.startswith("-:3:10: error: V203")) == (1, True)
    (tmp_path / "-").write_text("")
    ran = volcli("check", "./-", "--no-cache", input=OUTSIDE, cwd=tmp_path)
    assert (ran.returncode, ran.stdout.startswith("./-:1:1: warning: V107")) == (1, True)
    ran = volcli("check", "-", "--diff", "HEAD", input=OUTSIDE)
    assert (ran.returncode, "V007: --diff REV: standard input" in ran.stderr) == (2, True)


def test_a_finding_is_one_line_whatever_its_file_is_called(tmp_path: Path, volcli: Run) -> None:
    (tmp_path / "two\nlines\x1b.mlir").write_text(OUTSIDE)
    ran = volcli("check", str(tmp_path), "--no-cache")
    assert ran.stdout.startswith(f"{tmp_path}/two\\nlines\\x1b.mlir:3:10: error: V203")


def test_a_folder_that_cannot_be_read_keeps_nobody_from_the_rest(
    corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (corpus / "closed").mkdir()
    scan = os.scandir

    def refusing(path: str) -> object:
        if Path(path).name == "closed":
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)
        return scan(path)

    monkeypatch.setattr(os, "scandir", refusing)
    assert [Path(each).name for each in discovered([str(corpus)])] == ["a.mlir", "b.mlir", "closed"]
