"""`volcli run` as a user calls it: inputs, results, and one clear error for what cannot be executed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from tests.conftest import Run

SUM = "testdata/run/running_sum.mlir"


def test_results_are_written_for_numpy(volcli: Run, tmp_path: Path) -> None:
    np.save(tmp_path / "m.npy", np.array([1, 2, 3, 4], np.float32))
    out = tmp_path / "out.npz"
    ran = volcli("run", SUM, "--input", f"%m={tmp_path / 'm.npy'}", "--arg", "%n=4", "-o", str(out))
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")
    assert np.load(out)["m"].tolist() == [1, 3, 6, 10]


def test_json(volcli: Run) -> None:
    ran = volcli("run", SUM, "--input", "iota", "--arg", "n=9", "--format", "json")
    (found,) = json.loads(ran.stdout)["executions"]
    assert ran.returncode == 1
    assert found["stopped"]["code"] == "V240"
    assert found["defaults"] == ["dim(%m, 0) = 4"]
    ran = volcli("run", SUM, "--input", "iota", "--format", "json")
    (found,) = json.loads(ran.stdout)["executions"]
    assert found["results"] == [{"name": "m", "shape": [4], "value": [0.0, 1.0, 3.0, 6.0]}]


@pytest.mark.parametrize(("given", "value"), [("zeros", 0.0), ("terms", "a")])
def test_json_of_one_element_without_dimensions(
    volcli: Run, tmp_path: Path, given: str, value: object
) -> None:
    (tmp_path / "one.mlir").write_text(
        "func.func @f(%a: tensor<f32>) -> tensor<f32> { return %a : tensor<f32> }"
    )
    ran = volcli("run", str(tmp_path / "one.mlir"), "--input", given, "--format", "json")
    (found,) = json.loads(ran.stdout)["executions"]
    assert found["results"] == [{"name": None, "shape": [], "value": value}]


def test_the_same_bytes_each_time(volcli: Run) -> None:
    assert volcli("run", SUM).stdout == volcli("run", SUM).stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--size", "3"), "--size '3' is not of the form 'dim(%a, 0) = 5'"),
        (("--size", "dim(%m, 0) = -1"), "dim(%m, 0) is not -1"),
        (("--size", "dim(%k, 0) = 1"), "no argument is called %k: there are %m, %n"),
        (("--size", "dim(%m, 7) = 1"), "%m has no dimension 7"),
        (("--size", "dim(%n, 0) = 1"), "%n has no dimension 0"),
        (("--arg", "%n"), "--arg '%n' is not of the form '%n=7'"),
        (("--arg", "%n=x"), "x is not a number"),
        (("--arg", "%n=1.5"), "%n = 1.5 is not an integer of 64 bits"),
        (("--arg", "%m=1"), "%m is not a number"),
        (("--input", "%m=none.npy"), "there is no file 'none.npy'"),
        (("--input", "sevens"), "--input 'sevens' is not of the form"),
        (("--memory", "1", "--size", "dim(%m, 0) = 1000000"), "needs more than 1 MB of memory"),
        (("--steps", "2"), "takes more than 2 steps"),
    ],
)
def test_inputs_that_cannot_be(volcli: Run, arguments: tuple[str, ...], message: str) -> None:
    ran = volcli("run", SUM, *arguments)
    assert ran.returncode == 2
    assert message in ran.stderr
    assert ran.stderr.count("error: V01") == 1


@pytest.mark.parametrize(
    ("array", "message"),
    [
        (np.zeros((2, 2), np.float32), "has rank 2"),
        (np.zeros(4, np.complex64), "elements of complex64"),
    ],
)
def test_arrays_that_do_not_fit(volcli: Run, tmp_path: Path, array: npt.NDArray[Any], message: str) -> None:
    np.save(tmp_path / "m.npy", array)
    ran = volcli("run", SUM, "--input", f"%m={tmp_path / 'm.npy'}")
    assert ran.returncode == 2
    assert message in ran.stderr


def test_a_function_must_be_named(volcli: Run, tmp_path: Path) -> None:
    file = tmp_path / "two.mlir"
    file.write_text("func.func @a() { return }\nfunc.func @b() { return }\nfunc.func private @c()\n")
    ran = volcli("run", str(file))
    assert ran.returncode == 2
    assert "there are @a, @b" in ran.stderr
    assert volcli("run", str(file), "--function", "b").returncode == 0
    ran = volcli("run", str(file), "--function", "c")
    assert ran.returncode == 2
    assert "no function @c" in ran.stderr


def test_an_external_function_is_not_taken_for_nothing(volcli: Run, tmp_path: Path) -> None:
    file = tmp_path / "call.mlir"
    file.write_text("func.func private @c()\nfunc.func @a() {\n  call @c() : () -> ()\n  return\n}\n")
    ran = volcli("run", str(file), "--function", "a")
    assert ran.returncode == 2
    assert "V019: @c is external" in ran.stderr


PRODUCT = """
func.func @product(%a: tensor<?x?xf32>, %b: tensor<KxNxf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<KxNxf32>) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
"""


@pytest.mark.slow
def test_small_sizes_that_do_not_fit_are_no_defect(volcli: Run, tmp_path: Path) -> None:
    (tmp_path / "a.mlir").write_text(PRODUCT.replace("KxN", "?x?"))
    ran = volcli("run", "a.mlir", "--sizes", "small", cwd=tmp_path)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout == "15 executions of @product: nothing is undefined\n"
    (tmp_path / "a.mlir").write_text(PRODUCT.replace("KxN", "7x?"))  # no small size is 7
    ran = volcli("run", "a.mlir", "--sizes", "small", cwd=tmp_path)
    assert ran.returncode == 1
    assert "V240: contract: loop 2 has 3 iterations by one operand, 7 by another" in ran.stderr
