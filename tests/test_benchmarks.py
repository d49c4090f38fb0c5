"""The benchmark's program is MLIR; its times are nobody's test."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import json
import os
import pkgutil
import re
import subprocess
import sys
from pathlib import Path

import pytest

import volcli
from tests.shared.execution import needs_runner
from volcli.facts.regions import RegionsFact


def test_mlir_opt_accepts_the_generated_network(mlir_opt: str, root: Path) -> None:
    script = root / "benchmarks" / "resnet18.py"
    text = subprocess.run([sys.executable, str(script)], check=True, capture_output=True, text=True).stdout
    assert text.count("linalg.conv_2d_nchw_fchw") == 20
    ran = subprocess.run(
        [mlir_opt, "-", "-o", "/dev/null"], input=text, capture_output=True, text=True, check=False
    )
    assert (ran.returncode, ran.stderr) == (0, "")


def network(root: Path, name: str) -> str:
    script = root / "benchmarks" / "deep_nets.py"
    return subprocess.run(
        [sys.executable, str(script), name], check=True, capture_output=True, text=True
    ).stdout


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", ["densenet", "densenet-slices", "efficientnet", "encoder"])
def test_mlir_opt_accepts_the_deep_networks(mlir_opt: str, root: Path, name: str) -> None:
    ran = subprocess.run(
        [mlir_opt, "-", "-o", "/dev/null"],
        input=network(root, name), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (ran.returncode, ran.stderr) == (0, "")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "boundaries"), [("densenet", 4), ("densenet-slices", 4), ("efficientnet", 68)]
)
def test_the_regions_of_deep_networks_are_known(root: Path, name: str, boundaries: int) -> None:
    """No logit differs from another by the padding that it was computed from.

    The edges of all layers of DenseNet are four boundaries; each of 16 excitations of EfficientNet keeps those
    of the planes that it took the means of, beside the four of the last mean.
    """
    (fact,) = volcli.loads(network(root, name)).run("sparsity-regions").facts
    assert isinstance(fact, RegionsFact)
    assert fact.exact
    assert [(region.kind, region.count) for region in fact.regions] == [("dense", 1000)]
    assert fact.common == boundaries


@pytest.mark.slow
def test_both_readers_that_are_compared_read_the_same_network(root: Path, tmp_path: Path) -> None:
    scripts = root / "benchmarks"
    network = subprocess.run([sys.executable, str(scripts / "resnet18.py")], check=True, capture_output=True)
    path = tmp_path / "resnet18.mlir"
    path.write_bytes(network.stdout)
    command = [sys.executable, str(scripts / "reading.py"), "--differences", str(path)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(root), str(root / "dialects")])}
    ran = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
    assert ran.stdout == "0\n"


@pytest.mark.slow
def test_both_dependence_checks_that_are_compared_say_the_same(mlir_opt: str, root: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(root), str(root / "dialects")])}
    command = [sys.executable, str(root / "benchmarks" / "dependences.py"), "12"]
    ran = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
    assert "12 accesses" in ran.stdout
    assert "  0 remarks differ" in ran.stdout


@pytest.mark.slow
def test_a_corpus_is_measured_file_by_file(root: Path, tmp_path: Path) -> None:
    (tmp_path / "broken.mlir").write_text("func.func @f( {")
    (tmp_path / "shift.mlir").write_text(
        "func.func @f(%m: memref<?xf32>) {\n"
        "  affine.for %i = 0 to 9 {\n"
        "    %x = affine.load %m[%i] : memref<?xf32>\n"
        "    affine.store %x, %m[%i + 1] : memref<?xf32>\n"
        "  }\n"
        "  return\n"
        "}\n"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(root), str(root / "dialects")])}
    written = tmp_path / "answers.json"
    command = [sys.executable, str(root / "benchmarks" / "corpus.py"), str(tmp_path), "--json", str(written)]
    ran = subprocess.run(
        [*command, "--ask", "dependences,access"],
        capture_output=True,
        text=True,
        env=environment,
        check=False,
    )
    broken, shift = json.loads(written.read_text())
    assert broken["codes"] == {"V103": 1}
    assert shift["questions"]["dependences"]["degrees"] == {"exact": 1}
    assert shift["questions"]["access"]["degrees"] == {"exact": 2}
    assert shift["questions"]["access"]["codes"] == {"V204": 1}
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "2 files" in ran.stdout


@pytest.mark.slow
@needs_runner
@pytest.mark.parametrize("name", ["spread", "triangular", "layer"])
def test_rewritten_programs_that_are_timed_compute_the_same(
    name: str, mlir_opt: str, root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(root / "benchmarks")  # pyright: ignore[reportUnknownMemberType]
    module = importlib.import_module("rewriting")
    case = {
        "spread": module.Case(name, module.transposed_convolution(2, 5, 4, 2), "partition{assume-finite}"),
        "triangular": module.Case(name, module.triangular(12, both=True), "tile{sizes=4,4 assume-finite}"),
        "layer": module.Case(name, module.padded_layer(2, 9), "tile{sizes=0,0,4,4}"),
    }[name]
    (*times, difference, largest), _ = module.run(
        module.lowered(module.timing(case, mlir_opt), mlir_opt), tmp_path
    )
    assert difference == 0.0
    assert largest > 0.5
    assert len(times) % 2 == 0


@pytest.mark.slow
def test_the_table_of_systems(root: Path) -> None:
    """Each elimination leaves at most as many inequalities as without simplification; and all are printed."""
    script = root / "benchmarks" / "symbolic.py"
    text = subprocess.run([sys.executable, str(script)], check=True, capture_output=True, text=True).stdout
    systems, expressions = text.split("Expressions of the thesis")
    assert [line.split()[0] for line in systems.splitlines()[3:7]] == ["2-3", "4-3", "4-5", "4-8"]
    for line in expressions.splitlines()[2:]:
        *_, thesis, ours = (int(each) for each in re.findall(r"(\d+) \(", line))
        assert ours <= thesis


def test_each_mechanism_can_be_turned_off(root: Path) -> None:
    """benchmarks/mechanisms.py names attributes that there are, turns each off, and puts it back."""
    spec = importlib.util.spec_from_file_location("mechanisms", root / "benchmarks" / "mechanisms.py")
    assert spec is not None
    assert spec.loader is not None
    mechanisms = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(mechanisms)
    for mechanism in mechanisms.OFF.values():
        module, _, path = mechanism.place.partition(":")
        owner, _, name = path.partition(".")
        holder = pkgutil.resolve_name(f"{module}.{owner}")
        before = inspect.getattr_static(holder, name)
        with mechanisms.without(mechanism):
            assert getattr(holder, name) is mechanism.instead
        assert inspect.getattr_static(holder, name) is before
