"""What partition and tile are worth: programs before and after, run by mlir-runner-22 in one process.

    python benchmarks/rewriting.py [FILE...]

Both versions of a program are lowered by the same passes and called in turns by one @main, which prints the
time of each call and the greatest difference of the results. Further FILEs hold one function each, whose
large constants become arguments. Peak memory is that of a process that calls one version once.

Numbers are those of one run of one machine; what counts is the ratio.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import volcli

_ROUNDS = 7
LOWERING = (
    "builtin.module(one-shot-bufferize{bufferize-function-boundaries=1 "
    "function-boundary-type-conversion=identity-layout-map},buffer-deallocation-pipeline,"
    "func.func(convert-linalg-to-loops,convert-scf-to-cf,expand-strided-metadata,lower-affine),"
    "convert-scf-to-cf,convert-vector-to-llvm,finalize-memref-to-llvm,convert-arith-to-llvm,convert-math-to-llvm,"
    "convert-index-to-llvm,convert-func-to-llvm,convert-cf-to-llvm,reconcile-unrealized-casts)"
)
_TYPE = re.compile(r"tensor<([0-9x]+)x(f32|f64)>")


@dataclass(frozen=True)
class Case:
    """A program @f, the pass that rewrites it, and how many calls are timed together."""

    name: str
    text: str
    pipeline: str
    repeat: int = 1
    at_least: float = 1.0
    """The ratio that is to be expected."""


# -- programs ------------------------------------------------------------------------------------------


def transposed_convolution(channels: int, size: int, kernel: int, stride: int) -> str:
    """As torch-mlir lowers it: zeros, the input spread in them, and a convolution of stride 1."""
    out, low = size * stride, kernel - 1 - (kernel - stride) // 2
    padded = out + kernel - 1
    x, z = f"tensor<1x{channels}x{size}x{size}xf32>", f"tensor<1x{channels}x{padded}x{padded}xf32>"
    w, r = f"tensor<{channels}x{channels}x{kernel}x{kernel}xf32>", f"tensor<1x{channels}x{out}x{out}xf32>"
    return f"""
func.func @f(%x: {x}, %w: {w}) -> {r} {{
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : {z}
  %zeros = linalg.fill ins(%zero : f32) outs(%e : {z}) -> {z}
  %spread = tensor.insert_slice %x into %zeros[0, 0, {low}, {low}] [1, {channels}, {size}, {size}]
      [1, 1, {stride}, {stride}] : {x} into {z}
  %o = tensor.empty() : {r}
  %init = linalg.fill ins(%zero : f32) outs(%o : {r}) -> {r}
  %r = linalg.conv_2d_nchw_fchw ins(%spread, %w : {z}, {w}) outs(%init : {r}) -> {r}
  return %r : {r}
}}"""


def triangular(size: int, *, both: bool) -> str:
    """A lower triangular matrix times another one, which is dense or lower triangular, too."""
    kind = f"tensor<{size}x{size}xf32>"
    lower = " {volcli.domain = affine_set<(d0, d1) : (d0 - d1 >= 0)>}"
    return f"""
func.func @f(%l: {kind}{lower}, %b: {kind}{lower * both}) -> {kind} {{
  %zero = arith.constant 0.0 : f32
  %o = tensor.empty() : {kind}
  %init = linalg.fill ins(%zero : f32) outs(%o : {kind}) -> {kind}
  %r = linalg.matmul ins(%l, %b : {kind}, {kind}) outs(%init : {kind}) -> {kind}
  return %r : {kind}
}}"""


def padded_layer(channels: int, size: int) -> str:
    """A padded convolution and its activation."""
    x, p = f"tensor<1x{channels}x{size}x{size}xf32>", f"tensor<1x{channels}x{size + 2}x{size + 2}xf32>"
    w = f"tensor<{channels}x{channels}x3x3xf32>"
    return f"""
#id = affine_map<(n, f, h, w) -> (n, f, h, w)>
func.func @f(%x: {x}, %w: {w}) -> {x} {{
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {{
  ^bb0(%n: index, %c: index, %h: index, %v: index):
    tensor.yield %zero : f32
  }} : {x} to {p}
  %o = tensor.empty() : {x}
  %init = linalg.fill ins(%zero : f32) outs(%o : {x}) -> {x}
  %conv = linalg.conv_2d_nchw_fchw ins(%padded, %w : {p}, {w}) outs(%init : {x}) -> {x}
  %r = linalg.generic {{
    indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]
  }} ins(%conv : {x}) outs(%o : {x}) {{
  ^bb0(%a: f32, %b: f32):
    %m = arith.maximumf %a, %zero : f32
    linalg.yield %m : f32
  }} -> {x}
  return %r : {x}
}}"""


CASES = (
    Case("transposed convolution, 4x4, stride 2", transposed_convolution(16, 32, 4, 2),
         "partition{assume-finite}", 4, 3.5),
    Case("transposed convolution, 6x6, stride 3", transposed_convolution(16, 32, 6, 3),
         "partition{assume-finite}", 1, 6.0),
    Case("lower triangular times dense, 256: partition", triangular(256, both=False),
         "partition{assume-finite}", 2, 1.7),
    Case("lower triangular times dense, 256: tile", triangular(256, both=False),
         "tile{sizes=16,0 assume-finite}", 2, 1.7),
    Case("triangular times triangular, 256: tile", triangular(256, both=True),
         "tile{sizes=16,16 assume-finite}", 2, 3.5),
    Case("pad, convolution, activation: tile", padded_layer(4, 512), "tile{sizes=0,0,64,64}", 1, 1.0),
)  # fmt: skip


def of_file(path: Path) -> Case:
    """The only function of a file, with its large constants as arguments."""
    text = path.read_text()
    constants = re.findall(r"(%\w+) = arith.constant dense_resource<[^>]*> : (tensor<\S+>)", text)
    text = re.sub(r"\n[^\n]*dense_resource<[^\n]*", "", text)
    text = re.sub(r"\{-#.*?#-\}", "", text, flags=re.DOTALL)
    weights = "".join(f", {name}: {kind}" for name, kind in constants)
    text = re.sub(r"func.func @\w+\((.*?)\) ->", lambda m: f"func.func @f({m[1]}{weights}) ->", text, count=1)
    return Case(f"{path.name}: partition", text, "partition{assume-finite}", 16)


# -- running -------------------------------------------------------------------------------------------


def rewritten(case: Case) -> str:
    """The program of CASE behind its pass."""
    program = volcli.loads(case.text, timeout=None).run(case.pipeline)
    wrong = [said.message for unit in program.units for said in unit.diagnostics if said.exit_code]
    if wrong or not program.units[0].rewritten:
        raise SystemExit(f"{case.name}: {case.pipeline} did not rewrite it: {'; '.join(wrong)}")
    return program.text()


def both(case: Case, tool: str) -> tuple[str, list[str], str]:
    """Both versions in one module, @f and @g, with the types of their arguments and of their result."""
    parts: list[str] = []
    for name, text in (("f", case.text), ("g", rewritten(case))):
        plain = re.sub(r" \{volcli.domain = affine_set<.*?>\}", "", text)
        printed = _ran([tool, "--mlir-print-local-scope", "--canonicalize", "--cse"], plain)
        inner = re.sub(r"^module (attributes \{.*?\} )?\{\n(.*)\n\}\s*$", r"\2", printed, flags=re.DOTALL)
        kept = re.sub(
            r"(func.func .* -> \S+) \{", r'\1 attributes {passthrough = ["noinline"]} {', inner, count=1
        )
        parts.append(kept.replace("@f(", f"@{name}("))
    found = re.search(r"func.func @f\((.*)\) -> (\S+)", parts[0])
    assert found is not None, parts[0]
    arguments = re.findall(r"%\w+: (tensor<\S+?>)", found[1])
    return "\n".join(parts), arguments, found[2]


def inputs(case: Case, arguments: Sequence[str]) -> Iterator[str]:
    """Numbers in each argument, which differ from element to element; zeros outside of its domain."""
    domains = re.findall(r"%\w+: tensor<\S+?>( \{volcli.domain)?", case.text.partition("->")[0])
    for k, kind in enumerate(arguments):
        rank = kind.count("x")
        yield f"%e{k} = tensor.empty() : {kind}"
        yield f"%a{k} = linalg.generic {{indexing_maps = [affine_map<{_identity(rank)}>], "
        yield f"iterator_types = [{_iterators('parallel', rank)}]}} outs(%e{k} : {kind}) {{"
        yield "^bb0(%o: f32):\n%c0 = arith.constant 1 : i64\n%mod = arith.constant 17 : i64"
        total = "%c0"
        for d in range(rank):
            yield f"%i{d} = linalg.index {d} : index\n%n{d} = arith.index_cast %i{d} : index to i64"
            yield f"%f{d} = arith.constant {2 * d + 3 + k} : i64\n%p{d} = arith.muli %n{d}, %f{d} : i64"
            yield f"%s{d} = arith.addi {total}, %p{d} : i64"
            total = f"%s{d}"
        yield f"%rest = arith.remui {total}, %mod : i64\n%x = arith.sitofp %rest : i64 to f32"
        yield "%half = arith.constant 8.0 : f32\n%y = arith.subf %x, %half : f32"
        yield "%z = arith.divf %y, %half : f32"
        last = "%z"
        if k < len(domains) and domains[k]:
            yield "%zero = arith.constant 0.0 : f32\n%in = arith.cmpi sge, %i0, %i1 : index"
            yield "%kept = arith.select %in, %z, %zero : f32"
            last = "%kept"
        yield f"linalg.yield {last} : f32\n}} -> {kind}"


def _iterators(kind: str, rank: int) -> str:
    return ", ".join([f'"{kind}"'] * rank)


def _identity(rank: int) -> str:
    dims = ", ".join(f"d{d}" for d in range(rank))
    return f"({dims}) -> ({dims})"


def _to_nothing(rank: int) -> str:
    return f"({', '.join(f'd{d}' for d in range(rank))}) -> ()"


def timing(case: Case, tool: str) -> str:
    """A module whose @main prints the times of calls of both versions, in turns.

    Behind them it prints the greatest difference of their results, and the greatest magnitude of one.
    """
    functions, arguments, result = both(case, tool)
    names, types = ", ".join(f"%a{k}" for k in range(len(arguments))), ", ".join(arguments)
    lines = [*inputs(case, arguments)]
    for turn in range(_ROUNDS):
        for version in "fg":
            here = f"{version}{turn}"
            lines.append(f"%b{here} = call @rtclock() : () -> f64")
            for again in range(case.repeat):
                lines.append(f"%r{here}_{again} = call @{version}({names}) : ({types}) -> {result}")
            lines.append(f"%d{here} = call @rtclock() : () -> f64")
            lines.append(f"%t{here} = arith.subf %d{here}, %b{here} : f64\nvector.print %t{here} : f64")
    rank = result.count("x")
    lines.append(f"""%none = arith.constant dense<0.0> : tensor<f32>
      %far:2 = linalg.generic {{indexing_maps = [affine_map<{_identity(rank)}>, affine_map<{_identity(rank)}>,
        affine_map<{_to_nothing(rank)}>, affine_map<{_to_nothing(rank)}>],
        iterator_types = [{_iterators("reduction", rank)}]}}
        ins(%rf0_0, %rg0_0 : {result}, {result}) outs(%none, %none : tensor<f32>, tensor<f32>) {{
      ^bb0(%x: f32, %y: f32, %d: f32, %m: f32):
        %sub = arith.subf %x, %y : f32
        %distance = math.absf %sub : f32
        %most = arith.maximumf %distance, %d : f32
        %size = math.absf %x : f32
        %largest = arith.maximumf %size, %m : f32
        linalg.yield %most, %largest : f32, f32
      }} -> (tensor<f32>, tensor<f32>)
      %difference = tensor.extract %far#0[] : tensor<f32>
      %largest = tensor.extract %far#1[] : tensor<f32>
      vector.print %difference : f32
      vector.print %largest : f32""")
    body = "\n".join(lines)
    return f"func.func private @rtclock() -> f64\n{functions}\nfunc.func @main() {{\n{body}\nreturn\n}}\n"


def once(case: Case, tool: str, version: str) -> str:
    """A module whose @main calls one version once."""
    functions, arguments, result = both(case, tool)
    names, types = ", ".join(f"%a{k}" for k in range(len(arguments))), ", ".join(arguments)
    zeros = ", ".join(f"%z{d}" for d in range(result.count("x")))
    lines = [*inputs(case, arguments), f"%r = call @{version}({names}) : ({types}) -> {result}",
             *(f"%z{d} = arith.constant 0 : index" for d in range(result.count("x"))),
             f"%first = tensor.extract %r[{zeros}] : {result}\nvector.print %first : f32"]  # fmt: skip
    body = "\n".join(lines)
    return f"{functions}\nfunc.func @main() {{\n{body}\nreturn\n}}\n"


def lowered(text: str, tool: str) -> str:
    """TEXT in the dialect of LLVM."""
    return _ran([tool, f"--pass-pipeline={LOWERING}"], text)


def run(text: str, folder: Path) -> tuple[list[float], int]:
    """What the @main of a lowered TEXT prints, and the peak memory of its process, in bytes."""
    runner = shutil.which("mlir-runner-22")
    assert runner is not None
    library = next((Path(runner).resolve().parents[1] / "lib").glob("libmlir_c_runner_utils.so*"))
    source, printed = folder / "lowered.mlir", folder / "printed"
    source.write_text(text)
    command = [
        runner,
        "-O3",
        "-e",
        "main",
        "--entry-point-result=void",
        f"--shared-libs={library}",
        str(source),
    ]
    with printed.open("wb") as output:
        child = subprocess.Popen(command, stdout=output)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise SystemExit(f"mlir-runner-22: exit code {child.returncode}")
    return [float(line) for line in printed.read_text().split()], usage.ru_maxrss * 1024


def _ran(command: list[str], text: str) -> str:
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(done.stderr[:4000])
    return done.stdout


# -- tables --------------------------------------------------------------------------------------------


def speeds(cases: Sequence[Case], tool: str, folder: Path) -> None:
    """The times of both versions of each of CASES: the least of several calls."""
    print("\nPrograms before and after a rewrite, run by mlir-runner-22 -O3")
    print(f"  {'':44} {'before ms':>9} {'after ms':>9}  ratio  expected  greatest difference")
    for case in cases:
        (*times, difference, largest), _ = run(lowered(timing(case, tool), tool), folder)
        before, after = (min(times[k::2]) / case.repeat * 1000 for k in (0, 1))
        print(f"  {case.name:44} {before:9.2f} {after:9.2f}  {before / after:5.2f}"
              f"  >= {case.at_least:5.1f}  {difference:.1e} of {largest:.1f}", flush=True)  # fmt: skip


def memory(case: Case, tool: str, folder: Path) -> None:
    """The peak memory of a process that calls one version of CASE, beside that of one that calls nothing."""
    _, nothing = run(lowered("func.func @main() {\n  return\n}", tool), folder)
    print(f"\nPeak memory of '{case.name}', above that of an empty program")
    for label, version in (("before", "f"), ("after", "g")):
        _, peak = run(lowered(once(case, tool, version), tool), folder)
        print(f"  {label:44} {(peak - nothing) / 2**20:9.1f} MB", flush=True)


def rewriting(paths: Sequence[Path], folder: Path) -> None:
    """All tables, with the programs at PATHS."""
    tool = shutil.which("mlir-opt-22")
    if tool is None or shutil.which("mlir-runner-22") is None:
        print("\nmlir-opt-22 and mlir-runner-22 are not on PATH: no rewritten program is run")
        return
    speeds((*CASES, *map(of_file, paths)), tool, folder)
    layer = Case(CASES[-1].name, padded_layer(4, 1024), CASES[-1].pipeline)
    memory(layer, tool, folder)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name:
        rewriting([Path(path) for path in sys.argv[1:]], Path(name))
