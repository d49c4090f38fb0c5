"""What an execution takes, in processor seconds: a loop, as numbers and as terms, and blocks of numbers.

    python benchmarks/executing.py

Then the same programs from start to end: `volcli run FILE`, and mlir-opt-22, which lowers, with
mlir-runner-22, which compiles and runs; `nothing` is an empty function. The small instances that `diff`
tries, with the code of the first one kept and without. Last, the memory of a process with a million live
terms.
"""

from __future__ import annotations

import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from unittest.mock import patch

from rewriting import LOWERING

import volcli
from volcli.execution.runs.inputs import Inputs

PIPELINE = LOWERING.replace("buffer-deallocation-pipeline,", "")
"""Nothing is freed: what copies that needs is not lowered by these passes."""
LOOP = """
func.func @loop(%a: memref<1000xf32>, %b: memref<1000xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 1000 : index
  scf.for %j = %c0 to %n step %c1 {
    scf.for %i = %c0 to %n step %c1 {
      %x = memref.load %a[%i] : memref<1000xf32>
      %y = arith.mulf %x, %x : f32
      %z = arith.addf %y, %y : f32
      memref.store %z, %b[%i] : memref<1000xf32>
    }
  }
  return
}
"""
SMALL = """
func.func @f(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %n: index, %m: index) {
  affine.for %i = 1 to %n {
    affine.for %j = 0 to %m {
      %x = affine.load %a[%i, %j] : memref<?x?xf32>
      %y = affine.load %b[%i - 1, %j] : memref<?x?xf32>
      %z = arith.addf %x, %y : f32
      affine.store %z, %b[%i, %j] : memref<?x?xf32>
    }
  }
  return
}
"""
MATMUL = """
func.func @matmul(%a: tensor<512x512xf32>, %b: tensor<512x512xf32>, %c: tensor<512x512xf32>)
    -> tensor<512x512xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<512x512xf32>, tensor<512x512xf32>) outs(%c : tensor<512x512xf32>)
    -> tensor<512x512xf32>
  return %r : tensor<512x512xf32>
}
"""
CONVOLUTION = """
func.func @layer(%x: tensor<1x64x58x58xf32>, %w: tensor<64x64x3x3xf32>, %y: tensor<1x64x56x56xf32>)
    -> tensor<1x64x56x56xf32> {
  %r = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x64x58x58xf32>, tensor<64x64x3x3xf32>)
    outs(%y : tensor<1x64x56x56xf32>) -> tensor<1x64x56x56xf32>
  return %r : tensor<1x64x56x56xf32>
}
"""


NOTHING = """
func.func @nothing(%a: memref<4xf32>) {
  return
}
"""
TERMS = """
func.func @terms(%a: memref<250000xf32>, %b: memref<250000xf32>) {
  affine.for %i = 0 to 250000 {
    %x = affine.load %a[%i] : memref<250000xf32>
    %old = affine.load %b[%i] : memref<250000xf32>
    %y = arith.mulf %x, %old : f32
    %z = arith.addf %y, %x : f32
    affine.store %z, %b[%i] : memref<250000xf32>
  }
  return
}
"""
"""Of each iteration four terms live to the end: two elements, their product and a sum."""


def called(text: str) -> str:
    """TEXT with a @main that passes zeros."""
    head = re.search(r"func\.func @(\w+)\((.*?)\)(?:\s*->\s*(\S+))? {", text, re.DOTALL)
    assert head is not None
    kinds = re.findall(r"(?:memref|tensor)<[^>]*>", head[2])
    lines: list[str] = []
    for k, kind in enumerate(kinds):
        zero = f"arith.constant dense<0.0> : {kind}"
        lines.append(f"%v{k} = {zero if kind.startswith('tensor') else f'memref.alloc() : {kind}'}")
    result, returned = ("%r = ", head[3]) if head[3] else ("", "()")
    names = ", ".join(f"%v{k}" for k in range(len(kinds)))
    lines.append(f"{result}func.call @{head[1]}({names}) : ({', '.join(kinds)}) -> {returned}")
    return text + "\n".join(["func.func @main() {", *lines, "return", "}", ""])


def whole(commands: Sequence[Sequence[str]]) -> float:
    """Processor time of COMMANDS, each of which reads what the one before prints."""
    start = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": ""}
    given = b""
    for command in commands:
        given = subprocess.run(command, input=given, capture_output=True, check=True, env=environment).stdout
    end = resource.getrusage(resource.RUSAGE_CHILDREN)
    return end.ru_utime + end.ru_stime - start.ru_utime - start.ru_stime


def from_start_to_end(rows: Sequence[tuple[str, str]]) -> None:
    """Print what each program takes in processes of their own."""
    mlir_opt, runner = (shutil.which(name) for name in ("mlir-opt-22", "mlir-runner-22"))
    if mlir_opt is None or runner is None:
        print("mlir-opt-22 or mlir-runner-22 is not on PATH")
        return
    library = next((Path(runner).resolve().parents[1] / "lib").glob("libmlir_c_runner_utils.so*"))
    print(f"\n{'from start to end':50} {'volcli run':>10} {'mlir-runner':>11} {'ratio':>6}")
    for title, text in rows:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "program.mlir"
            file.write_text(text)
            results = str(file.with_suffix(".npz"))
            command = [sys.executable, "-m", "volcli", "run", str(file), "-o", results]
            ours = min(whole([command]) for _ in range(2))
            file.write_text(called(text))
            lower = [mlir_opt, f"--pass-pipeline={PIPELINE}", str(file)]
            run = [runner, "-e", "main", "--entry-point-result=void", f"--shared-libs={library}"]
            theirs = whole([lower, run])
        print(f"{title:50} {ours:8.2f} s {theirs:9.2f} s {ours / theirs:6.1f}")


def live_terms() -> None:
    """Print the memory of the process that executes TERMS, and of one that executes nothing."""
    peaks: list[int] = []
    for text in (NOTHING, TERMS):
        code = "import sys, resource, volcli\nfrom volcli.execution.runs.inputs import Inputs\n"
        code += "volcli.loads(sys.stdin.read()).functions[0].run(Inputs(kind='terms'))\n"
        code += "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10)"
        command = [sys.executable, "-c", code]
        ran = subprocess.run(command, input=text.encode(), capture_output=True, check=True)
        peaks.append(int(ran.stdout))
    print(f"\n1,000,000 live terms: {peaks[1] - peaks[0]} MB beside the {peaks[0]} MB of an empty execution")


def small_instances() -> None:
    """Print what it takes to execute two versions of SMALL on all small instances, without kept code, too."""
    from volcli.equivalence.trials.trials import tried
    from volcli.equivalence.trials.versions import Version

    def versions() -> list[Version]:
        (unit,) = volcli.loads(SMALL).units
        function = unit.models()[0].function
        names = [unit.parsed.names.of(each).removeprefix("%") for each in function.regions[0].blocks[0].args]
        return [Version(unit.parsed.module, function, names) for _ in range(2)]

    first, second, third = versions(), versions(), versions()
    tried(*first)  # the imports
    kept = seconds(lambda: tried(*second))
    with patch.object(Version, "codes", lambda _, options: dict[object, object]()):
        anew = seconds(lambda: tried(*third))
    print(f"\nsmall instances: {kept:.3f} s, {anew:.3f} s without the code of those before")


def seconds(work: Callable[[], object]) -> float:
    """Processor time of WORK."""
    start = time.process_time()
    work()
    return time.process_time() - start


def main() -> None:
    """Print a row for each."""
    rows = (
        ("1,000,000 iterations: load, mul, add, store", LOOP, Inputs()),
        ("the same on terms", LOOP, Inputs(kind="terms")),
        ("a matmul of 512", MATMUL, Inputs()),
        ("a convolution of ResNet, 64 channels, 56 by 56", CONVOLUTION, Inputs()),
    )
    for title, text, inputs in rows:
        (function,) = volcli.loads(text).functions
        print(f"{title:50} {seconds(lambda run=function.run, given=inputs: run(given)):6.2f} s")
    whole_rows = [(title, text) for title, text, inputs in rows if not inputs.has_terms]
    from_start_to_end([("nothing", NOTHING), *whole_rows])
    small_instances()
    live_terms()


if __name__ == "__main__":
    main()
