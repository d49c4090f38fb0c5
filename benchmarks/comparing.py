"""Long programs and what mlir-opt-22 makes of them, by `volcli diff`: whether they are equal, and how soon.

    python benchmarks/comparing.py [NAME...]

Each program is a chain that is as long as asked for: goals of the comparison are many, and each is small. A
line for each: the verdict, the seconds of the processor, and how many are wanted.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

import volcli

BUFFERS = (
    "one-shot-bufferize{bufferize-function-boundaries=1 "
    "function-boundary-type-conversion=identity-layout-map}"
)


@dataclass(frozen=True)
class Pair:
    """A program of so many parts, what is done to it, and how many seconds its comparison may take."""

    program: Callable[[int], str]
    parts: int
    pipeline: str
    seconds: float


def perceptron(layers: int) -> str:
    """A network of LAYERS matrices, each applied to the exponentials of what the one before gives."""
    kind, square = "tensor<4x16xf32>", "tensor<16x16xf32>"
    weights = ", ".join(f"%w{k}: {square}" for k in range(layers))
    body = "".join(
        f"  %f{k} = linalg.fill ins(%z : f32) outs(%e : {kind}) -> {kind}\n"
        f"  %m{k} = linalg.matmul ins(%x{k}, %w{k} : {kind}, {square}) outs(%f{k} : {kind}) -> {kind}\n"
        f"  %x{k + 1} = linalg.exp ins(%m{k} : {kind}) outs(%e : {kind}) -> {kind}\n"
        for k in range(layers)
    )
    return (
        f"func.func @perceptron(%x0: {kind}, {weights}) -> {kind} {{\n"
        f"  %z = arith.constant 0.0 : f32\n  %e = tensor.empty() : {kind}\n{body}"
        f"  return %x{layers} : {kind}\n}}\n"
    )


def stencils(nests: int) -> str:
    """A chain of NESTS, each of which adds neighbours in the array that the one before has written."""
    kind = "memref<64x64xf32>"
    one = (
        "  affine.for %i = 1 to 63 {{\n    affine.for %j = 1 to 63 {{\n"
        "      %x = affine.load {0}[%i - 1, %j] : {2}\n      %y = affine.load {0}[%i, %j + 1] : {2}\n"
        "      %s = arith.addf %x, %y : f32\n      affine.store %s, {1}[%i, %j] : {2}\n    }}\n  }}\n"
    )
    body = "".join(one.format(*("%a", "%b")[:: 1 - k % 2 * 2], kind) for k in range(nests))
    return f"func.func @stencils(%a: {kind}, %b: {kind}) {{\n{body}  return\n}}\n"


PAIRS = {
    "tiled stencils": Pair(stencils, 800, "func.func(affine-loop-tile{tile-size=8})", 30),
    "layers to loops": Pair(perceptron, 128, f"{BUFFERS},func.func(convert-linalg-to-affine-loops)", 20),
    "fused layers": Pair(
        perceptron,
        64,
        "func.func(linalg-generalize-named-ops),linalg-fuse-elementwise-ops,canonicalize,cse",
        5,
    ),
}


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description="Compare long programs with what mlir-opt-22 makes of them.")
    parser.add_argument("names", nargs="*", help=f"some of {', '.join(PAIRS)}")
    parser.add_argument("--parts", type=int, help="how many nests or layers")
    options = parser.parse_args()
    tool = shutil.which("mlir-opt-22")
    if tool is None:
        parser.error("mlir-opt-22 is not on PATH")
    is_right = True
    for name in options.names or PAIRS:
        pair = PAIRS[name]
        count = options.parts or pair.parts
        text = pair.program(count)
        command = [tool, "-", f"--pass-pipeline=builtin.module({pair.pipeline})"]
        after = subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout
        start = time.process_time()
        (found,) = volcli.loads(text).diff(volcli.loads(after), executed=False)
        seconds = time.process_time() - start
        reason = "; ".join(filter(None, (found.reason, *(each.reason for each in found.outputs))))
        print(
            f"{name:16} {count:4} {found.verdict:8} {seconds:6.1f} s of {pair.seconds:g} {reason[:60]}",
            flush=True,
        )
        is_right = is_right and found.verdict == "equal" and seconds <= pair.seconds
    return 0 if is_right else 1


if __name__ == "__main__":
    sys.exit(main())
