"""`make bench`: how long volcli takes to start, to parse, and to analyse; printed, never asserted.

Times differ between machines: what counts is the column of ratios within one run, against an empty Python
and, where LLVM 22 is installed, against mlir-opt on the same file. Each number is the best of several runs,
since noise only adds.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from chains import chains
from check import checking
from deep_nets import NETS
from dependences import dependences
from editing import editing
from mars import mars
from reading import constants, reading
from resnet18 import resnet18
from rewriting import rewriting
from symbolic import symbolic
from tiles import tiles

import volcli

ONE_OP = "func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {\n  return %x : tensor<4xf32>\n}\n"
_ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
_SILENT = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0), (os.POSIX_SPAWN_DUP2, 1, 2)]
PIPELINES = ("infer-shapes", "element-maps", "sparsity-regions", "infer-shapes,sparsity-regions")
Row = tuple[str, float]
T = TypeVar("T")


def best(work: Callable[[T], object], runs: int, prepare: Callable[[], T]) -> float:
    """The least of RUNS times of WORK on what PREPARE makes for it, in seconds; PREPARE is not timed."""
    times: list[float] = []
    for _ in range(runs):
        prepared = prepare()
        begin = time.perf_counter()
        work(prepared)
        times.append(time.perf_counter() - begin)
    return min(times)


def cpu(*command: str) -> float:
    """The least time of the processor, user and system, of 10 runs of COMMAND, after one to warm caches."""
    times: list[float] = []
    for _ in range(11):
        child = os.posix_spawn(command[0], command, _ENVIRONMENT, file_actions=_SILENT)
        usage = os.wait4(child, 0)[2]
        times.append(usage.ru_utime + usage.ru_stime)
    return min(times[1:])


def process(*command: str) -> float:
    """The time of COMMAND as a process."""
    return best(lambda c: subprocess.run(c, check=True, stdout=subprocess.DEVNULL), 7, lambda: command)


def show(title: str, rows: list[Row], unit: str) -> None:
    """Print ROWS with their ratio to the first, which is the UNIT."""
    print(f"\n{title}")
    print(f"  {'':44} {'ms':>9}   x {unit}")
    for name, seconds in rows:
        print(f"  {name:44} {seconds * 1000:9.1f}   {seconds / rows[0][1]:.2f}")


def starting(folder: Path) -> None:
    """From the shell to the shell."""
    small = folder / "one_op.mlir"
    small.write_text(ONE_OP)
    python = (sys.executable, "-m", "volcli")
    rows = [
        ("python -c pass", process(sys.executable, "-c", "pass")),
        ("volcli --version", process(*python, "--version")),
        ("volcli opt one_op.mlir", process(*python, "opt", str(small))),
        ("volcli opt one_op.mlir -p infer-shapes", process(*python, "opt", str(small), "-p", "infer-shapes")),
    ]
    mlir_opt = shutil.which("mlir-opt-22")
    if mlir_opt is not None:
        rows.append(("mlir-opt-22 one_op.mlir", process(mlir_opt, str(small))))
    show("Process start", rows, "an empty Python")
    empty, parser = cpu(sys.executable, "-c", "pass"), cpu(sys.executable, "-c", "import xdsl.parser")
    shapes = cpu(*python, "opt", str(small), "-p", "infer-shapes")
    asked = ("analyze", str(small), "--ask", "bounds")
    at_once = f"import gc\nfrom volcli.cli.commands import volcli\ngc.disable()\nvolcli.run({[*asked]!r})"
    rows = [
        ("9 x python -c pass, and the import of xdsl.parser", 8 * empty + parser),
        ("volcli opt one_op.mlir -p infer-shapes", shapes),
        ("volcli opt, a misspelt pass", cpu(*python, "opt", str(small), "-p", "infer-shape")),
        ("volcli analyze one_op.mlir --ask bounds", cpu(*python, *asked)),
        ("the same, methods of dataclasses made at once", cpu(sys.executable, "-c", at_once)),
    ]
    show("The same by time of the processor, user and system", rows, "the bar")


def analysing(path: Path) -> None:
    """In one process: parsing, then each pipeline on a program that is parsed anew."""
    name = str(path)
    rows = [("parse", best(volcli.load, 5, lambda: name))]
    for pipeline in PIPELINES:
        rows.append(
            (pipeline, best(lambda program, p=pipeline: program.run(p), 3, lambda: volcli.load(name)))
        )
    show("A program with the size of ResNet-18 (825 operations)", rows, "parsing")


def nets() -> None:
    """The regions of the results of deep networks, each in one process."""
    for name, net in NETS.items():
        text = net()
        rows = [("parse", best(volcli.loads, 3, lambda text=text: text))]
        pipelines = ("sparsity-regions", "sparsity-regions{of=all}" if name == "encoder" else "element-maps")
        for pipeline in pipelines:
            seconds = best(
                lambda program, p=pipeline: program.run(p), 2, lambda text=text: volcli.loads(text)
            )
            rows.append((pipeline, seconds))
        show(name, rows, "parsing")


def processing(path: Path) -> None:
    """The same file by whole processes."""
    name = str(path)
    rows: list[Row] = []
    mlir_opt = shutil.which("mlir-opt-22")
    if mlir_opt is not None:
        rows.append(("mlir-opt-22 FILE", process(mlir_opt, name)))
    command = (sys.executable, "-m", "volcli", "opt", name)
    rows.append(("volcli opt FILE", process(*command)))
    rows.append((f"volcli opt FILE -p {PIPELINES[-1]}", process(*command, "-p", PIPELINES[-1])))
    show("The same file, whole processes", rows, rows[0][0].partition(" ")[0])


def main() -> None:
    """Print all tables."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "resnet18.mlir")
        path.write_text(resnet18())
        starting(path.parent)
        analysing(path)
        processing(path)
        nets()
        reading([path], path.parent)
        constants(path.parent)
        chains(path.parent)
        dependences(path.parent)
        checking(["testdata/linalg", "testdata/memory"], show)
        editing(show)
        symbolic()
        tiles()
        mars()
        rewriting([Path(each) for each in sys.argv[1:]], path.parent)


if __name__ == "__main__":
    main()
