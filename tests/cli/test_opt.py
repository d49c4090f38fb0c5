from __future__ import annotations

from pathlib import Path

import pytest

from volcli.diagnostics import Diagnostic, Place, UsageError

from .conftest import Driver, Shell


def test_the_text_goes_to_stdout_and_diagnostics_to_stderr(driver: Driver, shell: Shell) -> None:
    said = Diagnostic("V301", "no case for 'x.y'", Place("a.mlir", 2, 3))
    driver.add("a.mlir", "module {\n  x.y\n}\n", [said])
    ran = shell("opt", "a.mlir")
    assert ran.exit_code == 0
    assert ran.stdout == "annotate=comments reprint=False\nmodule {\n  x.y\n}\n"
    assert ran.stderr.startswith("a.mlir:2:3: remark: V301: no case for 'x.y'\n  x.y\n  ^\n  next: ")


@pytest.mark.parametrize(("code", "exit_code"), [("V301", 0), ("V201", 1), ("V110", 2), ("V900", 2)])
def test_the_worst_diagnostic_decides_the_exit_code(
    driver: Driver, shell: Shell, code: str, exit_code: int
) -> None:
    driver.add("a.mlir", said=[Diagnostic("V302", "first"), Diagnostic(code, "second")])
    assert shell("opt", "a.mlir").exit_code == exit_code


def test_options_reach_the_driver(driver: Driver, shell: Shell) -> None:
    driver.add("-")
    ran = shell(
        "opt",
        "--split-input-file",
        "--annotate=attributes",
        "--reprint",
        "--budget=7",
        "--timeout=3",
        "--via=xdsl",
    )
    assert driver.options == {
        "split": True, "budget": 7, "timeout": 3.0, "via": "xdsl", "assume": (), "given": (), "effects": (),
    }  # fmt: skip
    assert ran.stdout.startswith("annotate=attributes reprint=True\n")


def test_an_unreadable_file_is_said(driver: Driver, shell: Shell) -> None:
    ran = shell("opt", "none.mlir")
    assert ran.exit_code == 2
    assert ran.stdout == ""
    assert "V100: cannot read 'none.mlir'" in ran.stderr


def test_a_wrong_pipeline_is_shown_where_it_is_wrong(driver: Driver, shell: Shell) -> None:
    ran = shell("opt", "never-read.mlir", "-p", "infer-shape{x}")
    assert ran.exit_code == 2
    assert ran.stderr.splitlines() == [
        "<pipeline>:1:1: error: V001: no pass 'infer-shape'",
        "infer-shape{x}",
        "^",
        "  next: did you mean 'infer-shapes'? `volcli passes` lists all",
    ]


def test_an_internal_error_is_no_traceback(driver: Driver, shell: Shell) -> None:
    driver.files["a.mlir"] = KeyError("d0")
    ran = shell("opt", "a.mlir")
    assert ran.exit_code == 2
    assert "error: V900: a.mlir: KeyError: 'd0'" in ran.stderr
    assert "Traceback" not in ran.output
    ran = shell("opt", "a.mlir", "--traceback")
    assert ran.exit_code == 2
    assert "Traceback (most recent call last)" in ran.stderr


def test_an_endless_source_line_is_cut(driver: Driver, shell: Shell) -> None:
    text = "arith.constant " + "x" * 1000
    near, far = (Diagnostic("V103", "bad", Place("a.mlir", 1, column)) for column in (16, 900))
    driver.add("a.mlir", text, [near, far])
    ran = shell("opt", "a.mlir")
    assert f"\n{text[:160]}...\n{' ' * 15}^\n" in ran.stderr
    assert ran.stderr.count("xxx...") == 1


class TestOutput:
    def test_replaces_the_file(self, driver: Driver, shell: Shell, tmp_path: Path) -> None:
        driver.add("a.mlir", "é\r\n")
        target = tmp_path / "out.mlir"
        target.write_text("old")
        target.chmod(0o640)
        ran = shell("opt", "a.mlir", "--output", str(target))
        assert (ran.exit_code, ran.stdout) == (0, "")
        assert target.read_bytes() == "annotate=comments reprint=False\né\r\n".encode()
        assert target.stat().st_mode & 0o777 == 0o640
        assert list(tmp_path.iterdir()) == [target]

    def test_writes_through_a_link(self, driver: Driver, shell: Shell, tmp_path: Path) -> None:
        driver.add("a.mlir")
        link, target = tmp_path / "link", tmp_path / "target"
        link.symlink_to(target)
        shell("opt", "a.mlir", "-o", str(link))
        assert link.is_symlink()
        assert "module" in target.read_text()

    def test_leaves_the_old_file_if_writing_fails(
        self, driver: Driver, shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        driver.add("a.mlir")
        target = tmp_path / "out.mlir"
        target.write_text("old")

        def interrupted(source: str, destination: str) -> None:
            raise KeyboardInterrupt

        monkeypatch.setattr("os.replace", interrupted)
        ran = shell("opt", "a.mlir", "-o", str(target))
        assert ran.exit_code == 130
        assert "interrupted" in ran.stderr
        assert target.read_text() == "old"
        assert list(tmp_path.iterdir()) == [target]

    @pytest.mark.parametrize("name", ["", "none/out.mlir"])
    def test_a_place_that_takes_no_file_is_said(
        self, driver: Driver, shell: Shell, tmp_path: Path, name: str
    ) -> None:
        driver.add("a.mlir")
        ran = shell("opt", "a.mlir", "-o", str(tmp_path / name))
        assert ran.exit_code == 2
        assert "error: V006: cannot write" in ran.stderr

    def test_a_file_that_cannot_be_read_leaves_the_output_alone(
        self, driver: Driver, shell: Shell, tmp_path: Path
    ) -> None:
        driver.files["a.mlir"] = UsageError(Diagnostic("V102", "not text"))
        target = tmp_path / "out.mlir"
        shell("opt", "a.mlir", "-o", str(target))
        assert not target.exists()


class TestVerifyDiagnostics:
    ERROR = Diagnostic("V110", "'x.y' op has no body", Place("a.mlir", 3, 1))

    @pytest.mark.parametrize(
        "text",
        [
            "module {\n// expected-error@+1 {{'x.y' op has no body}}\nx.y\n}",
            "module {\n// expected-error@below {{V110: 'x.y'}}\nx.y\n}",
            "module {\n\nx.y // expected-error {{no body}}\n}",
            "module {\n\nx.y\n// expected-error@above {{no body}}",
            "// expected-error@+2 {{no body}}\n// a comment\nx.y",
            "// expected-error@+1 {{no body}}\n  // volcli: a fact\nx.y",
            "// expected-error@below {{no body}}\n  // volcli: a fact\nx.y",
            "module {\n\nx.y\n// expected-note@-1 {{correct it}}\n// expected-error@-2 {{no body}}",
            "module {\n\nx.y\n// expected-error-re@-1 {{op has {{n.*}} body}}",
        ],
    )
    def test_what_is_expected_is_no_error(self, driver: Driver, shell: Shell, text: str) -> None:
        driver.add("a.mlir", text, [self.ERROR])
        ran = shell("opt", "a.mlir", "--verify-diagnostics")
        assert (ran.exit_code, ran.stderr) == (0, "")

    @pytest.mark.parametrize(
        ("text", "says"),
        [
            ("module {\n\nx.y\n}", ["a.mlir:3:1: error: V290: unexpected error: V110: 'x.y' op has no body"]),
            (
                "module {\n// expected-error {{no body}}\nx.y\n}",
                [
                    'a.mlir:2:4: error: V290: expected error "no body" was not produced',
                    "a.mlir:3:1: error: V290: unexpected error: V110: 'x.y' op has no body",
                ],
            ),
            ("module {\n\nx.y // expected-error {{no body}}\n// expected-remark@unknown {{x}}\n}",
             ['a.mlir:4:4: error: V290: expected remark "x" was not produced']),
            ("module {\n\nx.y // expected-error {{no body}}\n// expected-error@-1 {{no body}}\n}",
             ['a.mlir:4:4: error: V290: expected error "no body" was not produced']),
        ],
    )  # fmt: skip
    def test_what_differs_is_said(self, driver: Driver, shell: Shell, text: str, says: list[str]) -> None:
        driver.add("a.mlir", text, [self.ERROR])
        ran = shell("opt", "a.mlir", "--verify-diagnostics")
        assert ran.exit_code == 1
        assert [line for line in ran.stderr.splitlines() if "V290" in line] == says
