"""Running MLIR: mlir-opt-22 lowers a module, mlir-runner-22 executes its @main, and what it printed is read."""

from __future__ import annotations

import random
import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

RUNNER = shutil.which("mlir-runner-22")
LIBRARIES = [
    sorted((Path(RUNNER).resolve().parents[1] / "lib").glob(f"libmlir_{name}.so*"))[0]
    for name in ("c_runner_utils", "float16_utils")
    if RUNNER and list((Path(RUNNER).resolve().parents[1] / "lib").glob(f"libmlir_{name}.so*"))
]
"""What vector.print calls, and the conversions of f16 and bf16."""
LOWERING = (
    "builtin.module(func.func(convert-elementwise-to-linalg),one-shot-bufferize{bufferize-function-boundaries=1 "
    "function-boundary-type-conversion=identity-layout-map},"
    "func.func(convert-linalg-to-loops,lower-affine,convert-scf-to-cf,expand-strided-metadata,lower-affine),"
    "convert-vector-to-llvm,finalize-memref-to-llvm,convert-math-to-llvm,convert-arith-to-llvm,convert-index-to-llvm,"
    "convert-func-to-llvm,convert-cf-to-llvm,reconcile-unrealized-casts)"
)
needs_runner = pytest.mark.skipif(
    not LIBRARIES, reason="needs mlir-runner-22 and its libraries (Debian package mlir-22-tools)"
)


def executed(mlir_opt: str, text: str, lowering: str = LOWERING) -> str:
    """What the function @main of TEXT prints.

    Between the two is bytecode, which takes a fifth less time than text. mlir-opt verifies what it reads and
    mlir-runner what that became, so that nobody has to verify it behind each pass.
    """
    assert RUNNER is not None
    lower = [f"--pass-pipeline={lowering}", "--verify-each=0", "--emit-bytecode"]
    lowered = _ran([mlir_opt, *lower], text.encode(), text)
    flags = ["-e", "main", "--entry-point-result=void", f"--shared-libs={','.join(map(str, LIBRARIES))}"]
    return _ran([RUNNER, *flags], lowered, text).decode()


def _ran(command: Sequence[str], given: bytes, text: str) -> bytes:
    """What COMMAND prints, GIVEN what was made of TEXT."""
    done = subprocess.run(command, input=given, capture_output=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr[:4000].decode(errors="replace") + text[:20000]
    return done.stdout


def calls(functions: Sequence[tuple[str, Sequence[str]]], samples: int, seed: int) -> str:
    """@main, which calls each function (a name and the types of its arguments) with SAMPLES random inputs.

    An index is between -20 and 20; of a tensor only the sizes are random, from 0 to 7.
    """
    chance = random.Random(seed)
    lines: list[str] = []
    for name, kinds in functions:
        for sample in range(samples):
            names = [f"%{name}_{sample}_{position}" for position in range(len(kinds))]
            for value, kind in zip(names, kinds, strict=True):
                lines += _made(value, kind, chance)
            lines.append(f"call @{name}({', '.join(names)}) : ({', '.join(kinds)}) -> ()")
    return "func.func @main() {\n" + "\n".join([*lines, "return"]) + "\n}\n"


def _made(value: str, kind: str, chance: random.Random) -> list[str]:
    """A random VALUE of a type."""
    if kind == "index":
        return [f"{value} = arith.constant {chance.randint(-20, 20)} : index"]
    if kind == "i1":
        return [f"{value} = arith.constant {chance.choice(('true', 'false'))}"]
    assert re.fullmatch(r"(tensor|memref)<.*>", kind), kind
    sizes = [f"{value}_{position}" for position in range(kind.count("?"))]
    name = "tensor.empty" if kind.startswith("tensor") else "memref.alloc"
    constants = [f"{size} = arith.constant {chance.randint(0, 7)} : index" for size in sizes]
    return [*constants, f"{value} = {name}({', '.join(sizes)}) : {kind}"]


def left_in_memory(mlir_opt: str, text: str, size: int, number: int) -> list[str]:
    """What `@f(%out: memref<SIZExf32>, %n: index)` of TEXT leaves in %out, as printed, if that is 0, 1, 2, ...
    before, and %n is NUMBER.
    """
    memory = f"memref<{size}xf32>"
    main = f"""
    func.func @main() {{
      %m = memref.alloc() : {memory}
      %n = arith.constant {number} : index
      affine.for %i = 0 to {size} {{
        %k = arith.index_cast %i : index to i32
        %x = arith.sitofp %k : i32 to f32
        affine.store %x, %m[%i] : {memory}
      }}
      call @f(%m, %n) : ({memory}, index) -> ()
      affine.for %i = 0 to {size} {{
        %x = affine.load %m[%i] : {memory}
        vector.print %x : f32
      }}
      return
    }}
    """
    return executed(mlir_opt, text + main).split()
