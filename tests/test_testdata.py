"""Annotated testdata are fixed points of the tool."""

from __future__ import annotations

import subprocess
from functools import cache
from pathlib import Path

import pytest

from tests.conftest import ROOT, Run
from tests.shared.seeds import spread
from tests.update import annotated_files, command_of
from volcli.frontend.text.annotate import strip_annotations

FILES = annotated_files()
KNOWN_TO_MLIR_OPT = [path for path in FILES if path.parent.name != "stablehlo"]
"""StableHLO is a project beside LLVM: mlir-opt-22 cannot read its operations in their own syntax."""


LONG = {"bounds/products.mlir", "mars/crossing.mlir", "memory/tiled_matmul.mlir"}
"""Those among the samples that take half a second and more."""
ANNOTATED = [
    pytest.param(path, marks=pytest.mark.slow) if f"{path.parent.name}/{path.name}" in LONG else path
    for path in FILES
]


def named(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.sample(24)
@pytest.mark.parametrize("path", ANNOTATED, ids=named)
def test_a_fixed_point(path: Path, volcli: Run) -> None:
    """Strip, analyse, annotate: the file as it is (`make update` rewrites it)."""
    text = path.read_text()
    command = command_of(text)
    assert command is not None
    bare = strip_annotations(text)
    ran = volcli(*("-" if word == "%s" else word for word in command), input=bare)
    assert ran.returncode in (0, 1), ran.stderr
    assert ran.stdout == text


@cache
def generic_form(mlir_opt: str, text: str) -> str:
    """The program that mlir-opt reads, without places: what two texts must agree on to be the same."""
    ran = subprocess.run(
        [mlir_opt, "--allow-unregistered-dialect", "--mlir-print-op-generic"],
        input=text, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


@pytest.mark.sample(2)
@pytest.mark.parametrize("path", spread(KNOWN_TO_MLIR_OPT, 20), ids=named)
def test_annotations_do_not_change_the_program(path: Path, mlir_opt: str) -> None:
    text = path.read_text()
    assert generic_form(mlir_opt, text) == generic_form(mlir_opt, strip_annotations(text))


@pytest.mark.sample(1)
@pytest.mark.parametrize("path", spread(KNOWN_TO_MLIR_OPT, 40), ids=named)
def test_printed_anew_it_is_the_same_program(path: Path, mlir_opt: str, volcli: Run) -> None:
    ran = volcli("opt", named(path), "--reprint", "--annotate=none")
    assert ran.returncode == 0, ran.stderr
    assert generic_form(mlir_opt, ran.stdout) == generic_form(mlir_opt, path.read_text())


@pytest.mark.sample(1)
@pytest.mark.parametrize("path", spread(KNOWN_TO_MLIR_OPT, 30), ids=named)
def test_attributes_are_read_without_flags(path: Path, mlir_opt: str, volcli: Run) -> None:
    command = command_of(path.read_text())
    assert command is not None
    as_opt = ["opt", *(named(path) if word == "%s" else word for word in command[1:])]
    ran = volcli(*as_opt, "--annotate=attributes")
    assert "volcli." in ran.stdout
    flags = ["--allow-unregistered-dialect"] if "other." in ran.stdout else []
    read = subprocess.run([mlir_opt, *flags], input=ran.stdout, capture_output=True, text=True, check=False)
    assert read.returncode == 0, read.stderr


@pytest.mark.sample(1)
@pytest.mark.parametrize("first", range(0, len(KNOWN_TO_MLIR_OPT), 4))
def test_chunks_stay_chunks(first: int, mlir_opt: str, volcli: Run) -> None:
    """What `opt --split-input-file` prints is the same program, chunk by chunk, also where one is empty."""
    texts = [path.read_text() for path in KNOWN_TO_MLIR_OPT[first : first + 4]]
    text = "\n// -----\n".join(["// Only a comment.\n", *texts, "// The end."])
    ran = volcli("opt", "--split-input-file", "-p", "infer-shapes", input=text)
    assert ran.returncode == 0, ran.stderr
    assert not ran.stdout.startswith("// -----")
    flags = ["--allow-unregistered-dialect", "--mlir-print-op-generic", "--split-input-file"]
    read = [
        subprocess.run([mlir_opt, *flags], input=each, capture_output=True, text=True, check=True).stdout
        for each in (text, ran.stdout)
    ]
    assert read[0] == read[1]
