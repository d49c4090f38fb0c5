"""Programs too large to execute, compared in elements that are drawn: mutants differ, commands show it."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

import volcli
from tests.equivalence.kernels import KERNELS, LARGE
from tests.equivalence.tensor_kernels import TENSOR_KERNELS, large
from tests.equivalence.test_trials import version
from tests.shared.seeds import spread
from volcli.cli import commands as cli
from volcli.equivalence.trials.places import borders, drawn
from volcli.equivalence.trials.trials import Trial, tried

ON_MEMORY = [
    (name, position)
    for name in ("product", "transposed", "filter", "tiles", "lower")
    for position in range(len(KERNELS[name].mutants))
    if (name, position) != ("tiles", 1)  # it is undefined in iterations that nothing asks for
]
QUICK_TENSORS = [
    pytest.param(name, marks=pytest.mark.slow) if name == "dense layer" else name for name in TENSOR_KERNELS
]
ON_TENSORS = [(name, k) for name, kernel in TENSOR_KERNELS.items() for k in range(len(kernel.mutants))]


@pytest.mark.sample(3)
@pytest.mark.parametrize(("name", "position"), spread(ON_TENSORS, 17))
def test_mutants_on_tensors(name: str, position: int) -> None:
    kernel = TENSOR_KERNELS[name]
    found = tried(version(large(kernel)), version(large(kernel, kernel.mutants[position])))
    assert found.discrepancies, str(found)


@pytest.fixture
def fewer_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """A fifth of the steps after which the same is taken to be the same."""
    monkeypatch.setattr("volcli.limits.execution.DRAWN_STEPS", 20_000)


@pytest.mark.slow
@pytest.mark.parametrize("name", QUICK_TENSORS)
def test_what_is_the_same_on_tensors(name: str, fewer_steps: None) -> None:
    text = large(TENSOR_KERNELS[name])
    found = tried(version(text), version(text + "\n"))
    assert not found.discrepancies
    assert found.instances


def on_memory(name: str, position: int | None = None) -> Trial:
    """What comes of trying a large kernel and one of its mutants, or itself."""
    kernel = KERNELS[name]
    mutant = None if position is None else kernel.mutants[position]
    return tried(
        *(version(kernel.program(constant=True, size=LARGE, mutant=each)) for each in (None, mutant))
    )


@pytest.mark.slow
@pytest.mark.parametrize(("name", "position"), spread(ON_MEMORY, 17))
def test_mutants_on_memory(name: str, position: int) -> None:
    found = on_memory(name, position)
    assert found.discrepancies, str(found)


@pytest.mark.slow
@pytest.mark.parametrize("name", KERNELS)
def test_what_is_the_same_on_memory(name: str) -> None:
    found = on_memory(name)
    assert not found.discrepancies
    assert found.instances or name == "shortest"


BEFORE = f"""
func.func @f(%x: tensor<{LARGE}x{LARGE}xf32>, %y: tensor<{LARGE}x{LARGE}xf32>) -> tensor<{LARGE}x{LARGE}xf32> {{
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<{LARGE}x{LARGE}xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<{LARGE}x{LARGE}xf32>) -> tensor<{LARGE}x{LARGE}xf32>
  %r = linalg.matmul ins(%x, %y : tensor<{LARGE}x{LARGE}xf32>, tensor<{LARGE}x{LARGE}xf32>)
      outs(%f : tensor<{LARGE}x{LARGE}xf32>) -> tensor<{LARGE}x{LARGE}xf32>
  return %r : tensor<{LARGE}x{LARGE}xf32>
}}
"""
MEMORY = f"""
func.func @f(%a: memref<{LARGE}x{LARGE}xf32>) {{
  %k = arith.constant 2.0 : f32
  affine.for %i = 0 to {LARGE} {{ affine.for %j = 0 to {LARGE} {{
    %x = affine.load %a[%i, %j] : memref<{LARGE}x{LARGE}xf32>
    %y = arith.mulf %x, %k : f32
    affine.store %y, %a[%i, %j] : memref<{LARGE}x{LARGE}xf32>
  }} }}
  return
}}
"""


@pytest.mark.slow
def test_the_command_shows_the_element(tmp_path: Path) -> None:
    """What is unknown to sets is refuted by an element, and each command prints what it is."""
    (tmp_path / "before.mlir").write_text(BEFORE)
    (tmp_path / "after.mlir").write_text(BEFORE.replace("constant 0.0", "constant 1.0").replace("%r", "%s"))
    (found,) = volcli.load(tmp_path / "before.mlir").diff(volcli.load(tmp_path / "after.mlir"))
    (output,) = found.outputs
    assert (found.verdict, output.output) == ("different", "result 0")
    assert output.reason is not None
    assert output.reason.startswith(f"element [0, {LARGE - 1}] is addf(")
    assert output.reason.endswith(" before, and the same with 1.0 in the place of 0.0 after")
    assert output.runs is not None
    for run, name, number in zip(output.runs, "rs", ("0.0", "1.0"), strict=True):
        assert run.endswith(f"--input terms --print '%{name}[0, {LARGE - 1}]'")
        command = shlex.split(run)[1:]
        shown = CliRunner().invoke(cli.volcli, command)
        assert shown.exit_code == 0, shown.output
        assert "addf(addf(" in shown.output
        assert number in volcli.load(command[1]).source.text


def test_an_element_of_memory_differs() -> None:
    """So it is on memory; no command executes 16,777,216 iterations, and the one that is named says so."""
    (found,) = volcli.loads(MEMORY).diff(volcli.loads(MEMORY.replace("2.0", "3.0")))
    (output,) = found.outputs
    assert output.reason == (
        f"element [0, {LARGE - 1}] is mulf(a[0, {LARGE - 1}], 2.0) before, and mulf(a[0, {LARGE - 1}], 3.0) after"
    )


def test_what_is_undefined_unseen() -> None:
    """Where elements that nobody asks for may be undefined, nothing is refuted, and the reason says it."""
    text = f"""
func.func @f(%x: tensor<{LARGE}x{LARGE}xi32>, %y: tensor<{LARGE}x{LARGE}xi32>) -> tensor<{LARGE}x{LARGE}xi32> {{
  %z = arith.divsi %x, %y : tensor<{LARGE}x{LARGE}xi32>
  return %z : tensor<{LARGE}x{LARGE}xi32>
}}"""
    assert str(tried(version(text), version(text.replace("divsi", "remsi")))) == (
        "not tried: the program needs more than 64 MB of memory, and 'arith.divsi' may be undefined in "
        "elements that are not drawn"
    )
    text = MEMORY.replace("%a[%i, %j] : ", f"%a[%i, (%j * 2) mod {LARGE}] : ")
    assert re.fullmatch(
        "not tried: 'affine.load' may be undefined in iterations that are not executed",
        str(tried(version(text), version(text.replace("2.0", "3.0")))),
    )


def test_drawn_elements() -> None:
    """Others by another seed; of a large dimension borders are drawn, too."""
    import random

    assert drawn((), [3], 0) == [()]
    assert drawn((4, 0), [3], 0) == []
    found = drawn((4096, 4096), [64, 100], 0)
    assert found[:4] == [(0, 4095), (0, 0), (4095, 4095), (4095, 0)]
    assert len(set(found)) == len(found) == 32
    assert found == drawn((4096, 4096), [64, 100], 0) != drawn((4096, 4096), [64, 100], 1)
    assert {99, 100, 4000, 3995, 3996} <= set(borders(4096, [100], random.Random(0)))
