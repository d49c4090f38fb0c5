"""docs/adding.md, followed literally: an operation in a package, and a question in the repository."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import jsonschema
import pytest

from tests.conftest import ROOT, Run
from tests.readme import from_this_tree, install_example, rerun_example

DOCUMENT = ROOT / "docs" / "adding.md"


@pytest.fixture(scope="module")
def followed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The folder in which the document was followed from its beginning, and the document with what came out."""
    folder = tmp_path_factory.mktemp("followed")
    return folder, rerun_example(DOCUMENT.read_text(), folder, from_this_tree(ROOT))


@pytest.mark.slow
def test_the_worked_example(followed: tuple[Path, str]) -> None:
    """An operation, its test, a question to operations, a fact and a pass: each file and change as it is shown."""
    assert followed[1] == DOCUMENT.read_text(), "`make update` rewrites the output"


@pytest.mark.slow
def test_the_schema_describes_the_new_question(followed: tuple[Path, str]) -> None:
    folder, _ = followed
    tree = folder / "tree"
    path = os.pathsep.join(map(str, (tree, tree / "dialects", folder)))
    words = ("-m", "volcli", "analyze", "echo.mlir", "--ask", "latency", "--format", "json")
    ran = subprocess.run(
        [sys.executable, *words],
        capture_output=True, text=True, env={**os.environ, "PYTHONPATH": path}, check=True, cwd=folder,
    )  # fmt: skip
    schema = json.loads((tree / "docs" / "facts.schema.json").read_text())
    jsonschema.validate(json.loads(ran.stdout), schema)


@pytest.mark.slow
def test_it_is_the_package_that_makes_it_work(tmp_path: Path, volcli: Run) -> None:
    """Without it, the operation is opaque: its text is kept, and its shape is not known."""
    install_example(DOCUMENT.read_text(), tmp_path)
    ran = volcli("opt", str(tmp_path / "echo.mlir"), "-p", "infer-shapes")
    assert "V306: " in ran.stderr
    assert "signal.reverse" in ran.stderr


@pytest.mark.slow
def test_its_test(tmp_path: Path, environment: Mapping[str, str]) -> None:
    """The test that the document shows passes, in the package's own folder."""
    install_example(DOCUMENT.read_text(), tmp_path)
    path = os.pathsep.join([environment["PYTHONPATH"], str(tmp_path)])
    script = "import test_signal; test_signal.test_reverse(); print('passed')"
    ran = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True, text=True, env={**environment, "PYTHONPATH": path}, check=False, cwd=tmp_path,
    )  # fmt: skip
    assert (ran.stdout, ran.stderr) == ("passed\n", "")


def package(folder: Path, text: str, name: str = "signal") -> dict[str, str]:
    """A package in FOLDER whose module has TEXT and announces the dialect NAME; the environment that has it."""
    (folder / f"{name}_dialect.py").write_text(text)
    metadata = folder / f"{name}_dialect-2.5.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}-dialect\nVersion: 2.5\n")
    (metadata / "entry_points.txt").write_text(f"[volcli.dialects]\n{name} = {name}_dialect:dialect\n")
    return {"PYTHONPATH": os.pathsep.join([str(folder), str(ROOT), str(ROOT / "dialects")])}


TEXT = """\
func.func @f(%x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %r = "signal.reverse"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %s = "signal.reverse"(%r) : (tensor<4xf32>) -> tensor<4xf32>
  %t = arith.addf %x, %y : tensor<4xf32>
  return %s, %t : tensor<4xf32>, tensor<4xf32>
}
"""
BROKEN = {
    "it cannot be imported": (
        "import no_such_module",
        "ModuleNotFoundError: No module named 'no_such_module'",
    ),
    "it makes no dialect": (
        "def dialect():\n    return 'signal'",
        "makes str, which is not an xdsl.ir.Dialect",
    ),
    "it makes another one": (
        "from xdsl.ir import Dialect\ndef dialect():\n    return Dialect('noise')",
        "makes the dialect 'noise'",
    ),
    "it raises": ("def dialect():\n    return 1 // 0", "ZeroDivisionError"),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", list(BROKEN))
@pytest.mark.slow
def test_a_package_that_fails_is_named_once(name: str, tmp_path: Path, process: Run) -> None:
    """At the first operation of its dialect; the rest is analysed."""
    module, why = BROKEN[name]
    env = package(tmp_path, module)
    ran = process("analyze", "-", "--ask", "maps", "--format", "json", input=TEXT, env=env)
    (file,) = json.loads(ran.stdout)["files"]
    (error,) = [each for each in file["diagnostics"] if each["code"] == "V900"]
    assert (error["line"], error["column"]) == (2, 8)
    assert "dialect 'signal' of signal-dialect 2.5 (signal_dialect:dialect)" in error["message"]
    assert why in error["message"]
    assert "%t" in [fact["value"] for fact in file["facts"]]
    assert ran.returncode == 2


@pytest.mark.slow
def test_a_package_that_fails_is_listed(tmp_path: Path, process: Run) -> None:
    module, why = BROKEN["it cannot be imported"]
    ran = process("dialects", "--format", "json", env=package(tmp_path, module))
    assert ran.returncode == 2
    (found,) = [each for each in json.loads(ran.stdout) if each["dialect"] == "signal"]
    assert (found["package"], found["version"], found["problem"]) == ("signal-dialect", "2.5", why)
    path = os.pathsep.join([str(tmp_path), str(ROOT), str(ROOT / "dialects")])
    text = process("dialects", env={"PYTHONPATH": path}).stdout
    assert f"signal: not loaded: {why}" in text


@pytest.mark.slow
def test_a_case_that_raises_is_named_with_its_operation(tmp_path: Path, process: Run) -> None:
    document = DOCUMENT.read_text()
    module = document.split("```python\n")[1].split("```")[0]
    broken = module.replace("    last = dim_of", "    raise LookupError('nothing')\n    last = dim_of")
    ran = process("analyze", "-", "--ask", "maps", input=TEXT, env=package(tmp_path, broken))
    assert (
        "V900: unknown: internal error in 'element_reads' of signal.reverse, a case of signal_dialect"
        in ran.stderr
    )
    assert "report it to the authors of signal_dialect" in ran.stderr
    assert "%t" in ran.stdout


@pytest.mark.slow
def test_the_dialects_and_their_packages(tmp_path: Path, process: Run) -> None:
    install_example(DOCUMENT.read_text(), tmp_path)
    path = os.pathsep.join([str(tmp_path), str(ROOT), str(ROOT / "dialects")])
    ran = process("dialects", "--format", "json", env={"PYTHONPATH": path})
    listed = {each["dialect"]: each for each in json.loads(ran.stdout)}
    assert listed["signal"]["package"] == "signal-dialect"
    assert listed["signal"]["operations"] == ["signal.reverse"]
    assert listed["signal"]["cases"] == {
        "element_reads": ["signal.reverse"],
        "result_sizes": ["signal.reverse"],
    }
    assert listed["tosa"]["package"] == "volcli"
    assert "tosa.conv2d" in listed["tosa"]["cases"]["element_reads"]
    assert all(each["problem"] is None for each in listed.values())


@pytest.mark.slow
@pytest.mark.parametrize("name", ["tosa.mystery", "stablehlo.mystery"])
@pytest.mark.slow
def test_a_dialect_of_which_not_all_is_known_makes_nothing_invalid(name: str, process: Run) -> None:
    text = TEXT.replace("signal.reverse", name)
    ran = process("opt", "-", "-p", "element-maps", "--via", "xdsl", input=text)
    assert ran.returncode == 0
    assert "V301" in ran.stderr
    assert "V110" not in ran.stderr
