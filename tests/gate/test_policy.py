"""Policies: what they decide for which file, and what is said of those that cannot be used."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from tests.conftest import ROOT, Run
from volcli.diagnostics import Severity, UsageError
from volcli.gate.checking import check
from volcli.gate.policy.discovery import Excluded, Exclusion, discovered
from volcli.gate.policy.policy import Policy
from volcli.gate.policy.policy_file import find_policy, read_policy

POLICY = """
select = ["V1", "V2"]
ignore = ["V206"]
fail-on = "error"
assume = ["n >= 1"]
exclude = ["third_party/"]

[severity]
V206 = "error"
V2 = "warning"

[budget]
operations = 1000
timeout = 0
allocation = "64 MiB"

[per-path."tests/**"]
ignore = ["V203"]

[per-path."tests/strict.mlir"]
select = ["V203", "V206"]
severity = { V203 = "remark" }
"""


@pytest.fixture
def policy(tmp_path: Path) -> Policy:
    (tmp_path / "volcli.toml").write_text(POLICY)
    return read_policy(tmp_path / "volcli.toml")


def test_entries(policy: Policy, tmp_path: Path) -> None:
    assert (policy.operations, policy.timeout, policy.allocation) == (1000, None, 64 * 2**20)
    assert policy.folder == str(tmp_path)
    assert policy.fail_on is Severity.ERROR


@pytest.mark.parametrize(
    ("path", "code", "wanted"),
    [
        ("a.mlir", "V203", True),
        ("a.mlir", "V206", False),
        ("a.mlir", "V204", False),
        ("a.mlir", "V303", False),
        ("a.mlir", "V900", True),
        ("tests/a.mlir", "V203", False),
        ("tests/a.mlir", "V207", True),
        ("tests/strict.mlir", "V203", True),
        ("tests/strict.mlir", "V206", True),
    ],
)
def test_codes_by_path(policy: Policy, path: str, code: str, wanted: bool) -> None:
    assert policy.for_file(path).wants(code) is wanted
    assert (code in policy.for_file(path).settings.codes) is wanted


def test_the_longest_beginning_says_the_severity(policy: Policy) -> None:
    assert policy.for_file("a.mlir").severity("V206") is Severity.ERROR
    assert policy.for_file("a.mlir").severity("V203") is Severity.WARNING
    assert policy.for_file("tests/strict.mlir").severity("V203") is Severity.REMARK


@pytest.mark.parametrize(
    ("text", "place", "said"),
    [
        ('selct = ["V2"]', "1:1", "no entry 'selct'; next: did you mean 'select'?"),
        ('select = ["X7"]', "1:11", "no code begins with 'X7'; next: `volcli codes` lists all"),
        ('select = [\n  "V2",\n  "V29x"]', "3:3", "no code begins with 'V29x'; next: did you mean 'V29"),
        ('ignore = ["V900"]', "1:11", "'V900' is always reported"),
        ('select = "V2"', "1:1", "'select' must be a list of strings, not 'V2'"),
        ('[budget]\nallocation = "64 MB/s"', "2:1", "'64 MB/s' is not a size"),
        ("[budget]\noperations = 0", "2:1", "an answer takes at least one operation"),
        ('[severity]\nV206 = "fatal"', "2:8", "'V206' must be one of error, warning, remark, not 'fatal'"),
        ('[per-path."a/*"]\nselct = []', "2:1", "no entry 'selct'; next: did you mean 'select'?"),
        ('assume = ["n >="]', "1:11", "'n >=': "),
        ("select = [", "1:11", "Invalid value"),
    ],
)
def test_what_is_wrong_has_a_place(tmp_path: Path, text: str, place: str, said: str) -> None:
    (tmp_path / "volcli.toml").write_text(text)
    with pytest.raises(UsageError) as raised:
        read_policy(tmp_path / "volcli.toml")
    diagnostic = raised.value.diagnostic
    assert (diagnostic.code, str(diagnostic.place)) == ("V013", f"{tmp_path / 'volcli.toml'}:{place}")
    assert said in f"{diagnostic.message}; next: {diagnostic.next_step}"


def test_the_nearest_policy(tmp_path: Path) -> None:
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    assert find_policy(inner).folder is None
    (tmp_path / "volcli.toml").write_text('ignore = ["V2"]')
    (tmp_path / "a" / "pyproject.toml").write_text('[project]\nname = "x"\n')
    assert find_policy(inner).ignore == ("V2",)
    (tmp_path / "a" / "pyproject.toml").write_text('[tool.volcli]\nignore = ["V1"]\n')
    assert find_policy(inner).ignore == ("V1",)


@pytest.mark.slow
def test_options_win_over_the_policy(tmp_path: Path, process: Run) -> None:
    (tmp_path / "volcli.toml").write_text('ignore = ["V107"]\n[per-path."b.mlir"]\nselect = ["V107"]\n')
    (tmp_path / "a.mlir").write_text("// nothing\n")
    (tmp_path / "b.mlir").write_text("// nothing\n")
    named = str(tmp_path / "volcli.toml")
    ran = process("check", str(tmp_path), "--config", named)
    assert ran.stdout.startswith(f"{tmp_path}/b.mlir:1:1: warning: V107: ")
    assert "in 1 of 2 files" in ran.stdout
    ran = process("check", str(tmp_path), "--config", named, "--select", "V1", "--ignore", "V2")
    assert (ran.returncode, "in 2 of 2 files" in ran.stdout) == (1, True)


def test_profiles_leave_out_what_tests_have_on_purpose(tmp_path: Path) -> None:
    (tmp_path / "volcli.toml").write_text(
        '[per-path."test/**"]\nprofile = "tests"\n[per-path."test/all/**"]\nselect = ["V206"]\n'
    )
    policy = read_policy(tmp_path / "volcli.toml")
    for path, code, wanted in (
        ("a.mlir", "V206", True),
        ("test/a.mlir", "V206", False),
        ("test/a.mlir", "V103", False),
        ("test/a.mlir", "V203", True),
        ("test/a.mlir", "V900", True),
        ("test/all/a.mlir", "V206", True),
        ("test/all/a.mlir", "V211", False),
    ):
        assert policy.for_file(path).wants(code) is wanted, (path, code)
    assert replace(policy, asked_profile="pipelines").for_file("test/a.mlir").wants("V206")
    assert not replace(policy, asked_profile="tests").for_file("a.mlir").wants("V206")
    (tmp_path / "volcli.toml").write_text('[per-path."test/**"]\nprofile = "test"\n')
    with pytest.raises(UsageError) as error:
        read_policy(tmp_path / "volcli.toml")
    assert "'profile' must be one of pipelines, tests, not 'test'" in str(error.value.diagnostic)


def test_files_of_folders_and_patterns(tmp_path: Path) -> None:
    for name in ("a.mlir", "b.txt", "c/d.mlir", "c/e.mlir", "third_party/f.mlir", "c/kept/g.mlir"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / ".git").mkdir()
    (tmp_path / "c" / ".gitignore").write_text("*.mlir\n!d.mlir\n")
    (tmp_path / "c" / "kept" / ".gitignore").write_text("!g.mlir\n")

    excluded = Excluded((Exclusion(("third_party/",), str(tmp_path)),))

    def names(*paths: str, excluded: Excluded = excluded) -> list[str]:
        found = discovered([str(tmp_path / each) for each in paths], excluded)
        return [Path(each).relative_to(tmp_path).as_posix() for each in found]

    assert names("") == ["a.mlir", "c/d.mlir", "c/kept/g.mlir"]
    assert names("b.txt", "c/e.mlir", "b.txt") == ["b.txt", "c/e.mlir"]
    assert names("**/*.mlir") == ["a.mlir", "c/d.mlir", "c/e.mlir", "c/kept/g.mlir", "third_party/f.mlir"]
    assert names("c") == ["c/d.mlir", "c/kept/g.mlir"]
    assert names("third_party/f.mlir") == ["third_party/f.mlir"]
    assert names("third_party/f.mlir", "b.txt", excluded=replace(excluded, is_forced=True)) == ["b.txt"]


def test_a_policy_names_the_baseline(tmp_path: Path, volcli: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is found from below, written and compared with; another one, or none, may be named."""
    (tmp_path / "volcli.toml").write_text('baseline = "known.json"\n')
    (tmp_path / "below").mkdir()
    shutil.copy(ROOT / "testdata" / "memory" / "shifted_rows.mlir", tmp_path / "below" / "a.mlir")
    below = tmp_path / "below"
    monkeypatch.chdir(below)
    absent = volcli("check", "a.mlir", "--no-cache", cwd=below)
    assert (absent.returncode, "V014: '../known.json' cannot be read" in absent.stderr) == (2, True)
    written = volcli("check", "a.mlir", "--no-cache", "--update-baseline", cwd=below)
    assert (written.returncode, written.stdout) == (0, "../known.json: 1 finding of 1 file\n")
    known = volcli("check", "a.mlir", "--no-cache", cwd=below)
    assert (known.returncode, "since the baseline: 0 new, 0 changed; 1 known" in known.stdout) == (0, True)
    assert check("a.mlir").exit_code == 0
    without = volcli("check", "a.mlir", "--no-cache", "--baseline", "", cwd=below)
    assert (without.returncode, "since the baseline" in without.stdout) == (1, False)


def test_a_baseline_that_is_nowhere_named(
    tmp_path: Path, volcli: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "volcli.toml").write_text("baseline = 3\n")
    ran = volcli("check", str(tmp_path), "--config", str(tmp_path / "volcli.toml"))
    assert "V013: 'baseline' must be a string, not 3" in ran.stderr
    (tmp_path / "volcli.toml").unlink()
    ran = volcli("check", ".", "--update-baseline", cwd=tmp_path)
    assert (ran.returncode, "V007: --update-baseline needs a baseline" in ran.stderr) == (2, True)
