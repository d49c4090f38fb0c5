"""Seeded defects: each is reported, as what it is, and nothing else; what only looks different is not."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.gate.seeded import DEFECTS, PROGRAMS, Defect
from volcli.gate.policy.policy import Policy
from volcli.gate.records.baseline import Baseline
from volcli.gate.report import Report
from volcli.gate.run import found_in, run, updated, works_for


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("seeded")
    for name, text in PROGRAMS.items():
        (folder / name).write_text(text)
    return folder


@pytest.fixture(scope="module")
def baseline(corpus: Path) -> Baseline:
    """What is found and known of the programs as they are: nothing is found."""
    before = updated(
        Baseline(str(corpus)), found_in(works_for([str(corpus)], Policy(), record=True), Policy())
    )
    assert before.findings == ()
    return before


def since(baseline: Baseline, texts: dict[str, str]) -> Report:
    """What is new if the programs have become TEXTS."""
    folder = Path(baseline.folder)
    for old in folder.iterdir():
        old.unlink()
    for name, text in texts.items():
        (folder / name).write_text(text)
    return run([baseline.folder], Policy(), baseline)


def functions(text: str) -> list[str]:
    """The functions of TEXT, each with what is behind it up to the next one."""
    return re.split(r"(?m)^(?=func\.func)", text)


def edited(text: str, defect: Defect) -> str:
    """TEXT with DEFECT, if its function is there."""
    parts = functions(text)
    for position, part in enumerate(parts):
        if re.match(rf"func\.func (private )?@{defect.function}\b", part):
            assert part.count(defect.old) == 1
            parts[position] = part.replace(defect.old, defect.new)
    return "".join(parts)


def with_all_defects(text: str) -> str:
    for defect in DEFECTS:
        text = edited(text, defect)
    return text


@pytest.mark.slow
def test_all_defects_are_reported_and_nothing_else(baseline: Baseline) -> None:
    report = since(baseline, {name: with_all_defects(text) for name, text in PROGRAMS.items()})
    found = sorted((each.function, each.code) for each in report.findings)
    assert found == sorted((each.function, each.code) for each in DEFECTS)
    assert len({each.function for each in DEFECTS}) == len(DEFECTS) > 20


def names(text: str) -> str:
    return re.sub(r"@(\w+)", r"@other_\1", re.sub(r"%([a-z]\w*)", r"%v_\1", text))


def shifted_numbers(text: str) -> str:
    """Names of values as mlir-opt prints them: numbers."""
    known: dict[str, str] = {}
    return re.sub(r"%(?!arg)([a-z]\w*)", lambda one: known.setdefault(one[0], f"%{len(known)}"), text)


HARMLESS: dict[str, Callable[[str], str]] = {
    "names": names,
    "numbers": shifted_numbers,
    "blank lines": lambda text: text.replace("\n", "\n\n"),
    "indented": lambda text: text.replace("\n  ", "\n        "),
    "comments": lambda text: re.sub(r"(?m)^( *)(?=\S)", r"\1// what follows\n\1", text),
    "order of functions": lambda text: "\n".join(reversed(functions(text))),
    "in a module": lambda text: f"module {{\n{text}\n}}\n",
    "line ends": lambda text: text.replace("\n", "\r\n"),
    "other functions": lambda text: f"func.func @new(%n: index) -> index {{\n return %n : index\n}}\n{text}",
    "order of operations": lambda text: text.replace(
        "  %c4 = arith.constant 4 : index\n  %c8 = arith.constant 8 : index\n",
        "  %c8 = arith.constant 8 : index\n  %c4 = arith.constant 4 : index\n",
    ),
    "split in chunks": lambda text: "// -----\n".join(functions(text)) if "@calling" not in text else text,
}


@pytest.mark.sample(1)
@pytest.mark.parametrize("edit", HARMLESS)
def test_what_only_looks_different_is_not_reported(baseline: Baseline, edit: str) -> None:
    texts = {name: HARMLESS[edit](text) for name, text in PROGRAMS.items()}
    assert texts != PROGRAMS
    report = since(baseline, texts)
    assert [(each.function, each.code, each.message) for each in report.findings] == []


@pytest.mark.slow
def test_files_may_have_other_names(baseline: Baseline) -> None:
    report = since(baseline, {f"sub_{name}": text for name, text in PROGRAMS.items()})
    assert [(each.function, each.code) for each in report.findings] == []
