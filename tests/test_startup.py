"""Start-up is a feature; tested by what is imported, since times differ between machines."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

HEAVY = {"xdsl", "islpy", "rich", "volcli.loading.driver", "volcli_dialects"}
ENGINES = {
    "islpy",
    "importlib.metadata",
    "volcli.model.values.definitions.definitions",
    "volcli.model.values.store.store",
    "volcli.presburger.sets.build",
}
ELSEWHERE = {"subprocess", "mmap", "traceback", "xdsl.universe", "volcli.frontend.print.printer"}
"""What only bugs, large work, other tools, extensions of xDSL and rewritten programs need."""
STATIC = """
func.func @f(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<2xf32> {
  %0 = arith.addf %x, %y : tensor<4xf32>
  %1 = tensor.extract_slice %0[0] [2] [1] : tensor<4xf32> to tensor<2xf32>
  return %1 : tensor<2xf32>
}
"""
DYNAMIC = """
func.func @f(%x: tensor<?xf32>) -> tensor<?xf32> {
  return %x : tensor<?xf32>
}
"""

AFFINE = """
func.func @f(%m: memref<80xf32>, %x: f32) {
  affine.for %i = 0 to 60 {
    affine.store %x, %m[%i + 3] : memref<80xf32>
  }
  return
}
"""


LIGHT = (
    ["--version"],
    ["--help"],
    ["opt", "--help"],
    ["analyze", "--help"],
    ["annotate", "--help"],
    ["explain", "--help"],
    ["coverage", "--help"],
    ["passes", "--help"],
    ["dialects", "--help"],
    ["codes"],
    ["examples"],
    ["schema"],
    ["op"],
    ["opt", "none.mlir", "-p", "infer-shape"],  # a misspelt pass
)


def test_the_shell_imports_nothing_heavy(environment: Mapping[str, str]) -> None:
    """One process does what each of the commands says, which imports no less than one process for each."""
    found = imported(LIGHT, environment)
    assert {name: HEAVY & modules for name, modules in found.items() if HEAVY & modules} == {}
    assert len(found) == len(LIGHT)


def test_completion_of_what_a_file_names_imports_nothing_heavy(
    environment: Mapping[str, str], tmp_path: Path
) -> None:
    file = tmp_path / "program.mlir"
    file.write_text(AFFINE)
    typed = {"_VOLCLI_COMPLETE": "bash_complete", "COMP_WORD": ""}
    for line in (f"volcli analyze {file} --of ", f"volcli explain {file}:", "volcli opt -p "):
        (found,) = imported([[]], {**environment, **typed, "COMP_LINE": line}).values()
        assert not HEAVY & found


@pytest.mark.slow
@pytest.mark.parametrize("program", [STATIC, DYNAMIC], ids=["static", "dynamic"])
def test_declared_sizes_need_no_engine(program: str, environment: Mapping[str, str], tmp_path: Path) -> None:
    file = tmp_path / "program.mlir"
    file.write_text(program)
    (found,) = imported([["opt", str(file), "-p", "infer-shapes"]], environment).values()
    assert ENGINES & found == (set() if program is STATIC else ENGINES)
    assert not ELSEWHERE & found


@pytest.mark.slow
def test_a_question_imports_what_it_needs(environment: Mapping[str, str], tmp_path: Path) -> None:
    """Affine loops need no dialect that the file does not have, and tables in a pipe no rich."""
    file = tmp_path / "affine.mlir"
    file.write_text(AFFINE)
    (found,) = imported([["analyze", str(file), "--ask", "dependences"]], environment).values()
    assert "volcli_dialects.affine" in found
    assert not {"rich.console", "xdsl.dialects.arith", "xdsl.dialects.memref", "numpy"} & found


def imported(calls: Sequence[Sequence[str]], environment: Mapping[str, str]) -> dict[str, set[str]]:
    """The modules that volcli has imported when it has done what CALLS say, up to each of them."""
    script = (
        "import json, sys\n"
        "from volcli.cli.commands import volcli\n"
        "found = {}\n"
        f"for arguments in {calls!r}:\n"
        "    volcli.run(list(arguments))\n"
        "    found[' '.join(arguments)] = sorted(sys.modules)\n"
        "print(json.dumps(found), file=sys.stderr)\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, env=environment, check=True
    )
    return {name: set(modules) for name, modules in json.loads(ran.stderr.splitlines()[-1]).items()}


def test_the_package_imports_nothing_but_itself(environment: Mapping[str, str]) -> None:
    script = (
        "import sys; before = set(sys.modules); import volcli; after = set(sys.modules) - before;"
        "print(*(name for name in after if name.partition('.')[0] not in sys.stdlib_module_names))"
    )
    ran = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, env=environment, check=True
    )
    assert ran.stdout.split() == ["volcli"]


def test_what_starts_workers_imports_no_engine() -> None:
    modules = "volcli.cli.check, volcli.gate.run, volcli.gate.work.schedule, volcli.gate.work.pool, volcli.gate.policy.policy_file"
    code = f"import {modules}, sys; print(*sys.modules)"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"islpy", "xdsl"}.intersection(found.stdout.split())
