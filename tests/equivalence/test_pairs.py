"""Programs and what mlir-opt makes of them: none is different, most are proved equal."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

import volcli
from volcli.api.program import Program

TENSORS = (Path(__file__).parent / "programs.mlir").read_text()
BUFFERS = (Path(__file__).parent / "buffers.mlir").read_text()
RECURRENCES = (Path(__file__).parent / "recurrences.mlir").read_text()
BUFFERIZE = (
    "one-shot-bufferize{bufferize-function-boundaries=1 "
    "function-boundary-type-conversion=identity-layout-map}"
)
LOOPS = f"{BUFFERIZE},func.func(convert-linalg-to-affine-loops)"
MISCOMPILED = {
    "fuse affine loops": {"padded"},
    "fuse and forward": {"padded"},
    "fuse recurrences": {"jacobi_1d"},
    "unroll buffers": {"dynamic"},
    "unroll and jam buffers": {"dynamic"},
    "tile recurrences": {"shortest", "sweep"},
    "unroll and jam recurrences": {"jacobi_1d", "jacobi_2d", "shortest", "sweep"},
}
"""What LLVM 22 gets wrong: it fuses the filling of a buffer into its consumer, past a copy into a view of it; and a
producer into the loop that overwrites what it reads. `test_miscompiled` runs them. Where a loop has no iterations,
for %n = -3, it runs the loop behind the unrolled one, from `(%n floordiv 4) * 4` = -4 to %n. It tiles and jams loops whose
iterations depend on each other: sets know no closure of these, and an execution shows it."""

_TRANSFORM = """
module attributes {{transform.with_named_sequence}} {{
{program}
transform.named_sequence @__transform_main(%m: !transform.any_op {{transform.consumed}}) {{
  %0 = transform.structured.match ops{{["{op}"]}} in %m : (!transform.any_op) -> !transform.any_op
  {tile}
  transform.yield
}}
}}
"""


def tiled(op: str, sizes: list[int], *, forall: bool = False) -> Callable[[str], tuple[str, str]]:
    """The program with a transform script that tiles its operations OP, and the pipeline that runs it."""
    count = 1 if forall else sum(map(bool, sizes))
    kind, loops = ("forall", "%l") if forall else ("for", f"%l:{count}")
    results = ", ".join(["!transform.any_op"] * (count + 1))
    tile = (
        f"%1, {loops} = transform.structured.tile_using_{kind} %0 tile_sizes {sizes} "
        f": (!transform.any_op) -> ({results})"
    )
    pipeline = "transform-interpreter,canonicalize,cse"
    return lambda program: (_TRANSFORM.format(program=program, op=op, tile=tile), pipeline)


def passes(pipeline: str) -> Callable[[str], tuple[str, str]]:
    return lambda program: (program, pipeline)


REWRITES: dict[str, tuple[str, Callable[[str], tuple[str, str]]]] = {
    "generalize": (TENSORS, passes("func.func(linalg-generalize-named-ops)")),
    "fuse elementwise": (
        TENSORS,
        passes("func.func(linalg-generalize-named-ops),linalg-fuse-elementwise-ops"),
    ),
    "bufferize": (TENSORS, passes(BUFFERIZE)),
    "loops": (TENSORS, passes(f"{BUFFERIZE},func.func(convert-linalg-to-loops)")),
    "parallel loops": (TENSORS, passes(f"{BUFFERIZE},func.func(convert-linalg-to-parallel-loops)")),
    "affine loops": (TENSORS, passes(LOOPS)),
    "tile affine loops": (TENSORS, passes(f"{LOOPS},func.func(affine-loop-tile{{tile-size=4}})")),
    "unroll affine loops": (TENSORS, passes(f"{LOOPS},func.func(affine-loop-unroll{{unroll-factor=3}})")),
    "fuse affine loops": (TENSORS, passes(f"{LOOPS},func.func(affine-loop-fusion)")),
    "fuse and forward": (TENSORS, passes(f"{LOOPS},func.func(affine-loop-fusion,affine-scalrep)")),
    "tile matmul": (TENSORS, tiled("linalg.matmul", [4, 3, 5])),
    "tile matmul in parallel": (TENSORS, tiled("linalg.matmul", [4, 3], forall=True)),
    "tile convolution": (TENSORS, tiled("linalg.conv_2d_nchw_fchw", [0, 2, 5, 5, 2])),
    "tile convolution in parallel": (TENSORS, tiled("linalg.conv_2d_nchw_fchw", [0, 4, 5, 5], forall=True)),
    "tile pooling": (TENSORS, tiled("linalg.pooling_nhwc_max", [0, 2, 4])),
    "tile padded convolution": (TENSORS, tiled("linalg.conv_2d", [3, 4])),
    "tile buffers": (BUFFERS, passes("func.func(affine-loop-tile{tile-size=3})")),
    "unroll buffers": (BUFFERS, passes("func.func(affine-loop-unroll{unroll-factor=4})")),
    "unroll and jam buffers": (BUFFERS, passes("func.func(affine-loop-unroll-jam{unroll-jam-factor=2})")),
    "fuse buffers": (BUFFERS, passes("func.func(affine-loop-fusion)")),
    "parallel buffers": (BUFFERS, passes("func.func(affine-parallelize)")),
    "lower buffers": (BUFFERS, passes("func.func(lower-affine)")),
    "copy buffers": (
        BUFFERS,
        passes("func.func(affine-data-copy-generate{generate-dma=false fast-mem-space=0})"),
    ),
    "tile recurrences": (RECURRENCES, passes("func.func(affine-loop-tile{tile-size=4})")),
    "unroll recurrences": (RECURRENCES, passes("func.func(affine-loop-unroll{unroll-factor=4})")),
    "unroll and jam recurrences": (
        RECURRENCES,
        passes("func.func(affine-loop-unroll-jam{unroll-jam-factor=2})"),
    ),
    "fuse recurrences": (RECURRENCES, passes("func.func(affine-loop-fusion)")),
    "forward recurrences": (RECURRENCES, passes("func.func(affine-scalrep)")),
    "parallel recurrences": (RECURRENCES, passes("func.func(affine-parallelize)")),
    "lower recurrences": (RECURRENCES, passes("func.func(lower-affine),canonicalize,cse")),
    "recurrences in blocks": (
        RECURRENCES,
        passes("func.func(lower-affine,convert-scf-to-cf),canonicalize"),
    ),
    "inline recurrences": (RECURRENCES, passes("inline,canonicalize,symbol-dce")),
}


ALIKE = {
    "loops", "parallel loops", "tile affine loops", "unroll affine loops", "fuse and forward", "tile matmul",
    "tile convolution in parallel", "lower buffers", "lower recurrences",
}  # fmt: skip
"""What the others do to the same functions in another way, or to other functions: for a campaign."""
BY_SOURCES = frozenset(["tile convolution"])
"""What is not shown operation by operation: a sum that goes on from tile to tile of channels."""
NAMES = [pytest.param(name, marks=pytest.mark.fuzz if name in ALIKE else ()) for name in REWRITES]


@cache
def read(program: str) -> Program:
    """PROGRAM, which is read and analysed once for all its rewrites."""
    return volcli.loads(program)


@cache
def rewritten(mlir_opt: str, name: str) -> str:
    program, made = REWRITES[name]
    return run(mlir_opt, *made(program))


def run(mlir_opt: str, text: str, pipeline: str) -> str:
    """What mlir-opt makes of TEXT."""
    command = [mlir_opt, f"--pass-pipeline=builtin.module({pipeline})", "--mlir-print-local-scope"]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr[:2000]
    return done.stdout


def written(text: str) -> dict[str, str]:
    """The functions of a module that mlir-opt printed, by name."""
    pieces = re.split(r"^  (?=func\.func |transform\.)", text, flags=re.MULTILINE)[1:]
    return {found[1]: piece for piece in pieces if (found := re.match(r"func\.func.*?@(\w+)\(", piece))}


@cache
def touched(mlir_opt: str, name: str) -> frozenset[str]:
    """The functions that the rewrite NAME makes something of, which none before it in the list makes of them.

    What it leaves as it is, is as another one left it: tiling the products changes one function of fifteen. A
    function that calls others is always among them.
    """
    program, _ = REWRITES[name]
    before = list(REWRITES)[: list(REWRITES).index(name)]
    others = [other for other in before if REWRITES[other][0] is program and other not in ALIKE]
    known = [run(mlir_opt, program, ""), *(rewritten(mlir_opt, other) for other in others)]
    seen = {piece for text in known for piece in written(text).values()}
    now = written(rewritten(mlir_opt, name))
    return frozenset(each for each, piece in now.items() if piece not in seen or "call @" in piece)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_what_mlir_opt_rewrites(name: str, mlir_opt: str) -> None:
    program, _ = REWRITES[name]
    before, after = read(program), volcli.loads(rewritten(mlir_opt, name))
    names = {each.name for each in before.functions} & {each.name for each in after.functions}
    assert len(names) >= program.count("func.func @")  # private ones may be inlined
    chosen = names & touched(mlir_opt, name)
    assert chosen
    level = "sources" if name in BY_SOURCES else "operations"
    found = [each for function in sorted(chosen) for each in before.diff(after, function, compare=level)]
    assert [each.function for each in found] == sorted(chosen)
    wrong = {each.function for each in found if each.verdict == "different"}
    assert wrong == MISCOMPILED.get(name, set()) & chosen, [each.lines() for each in found]
    assert {each.verdict for each in found} <= {"equal", "different"}, [each.lines() for each in found]


@pytest.mark.slow
def test_what_is_miscompiled_is_among_those(mlir_opt: str) -> None:
    """Of each function at least once."""
    chosen = {
        each for name in MISCOMPILED.keys() - ALIKE for each in MISCOMPILED[name] & touched(mlir_opt, name)
    }
    assert chosen == {each for wrong in MISCOMPILED.values() for each in wrong}


def test_there_are_many_pairs() -> None:
    """A pair counts if the rewrite is one of this function: most functions are touched by few of them."""
    assert sum(program.count("func.func") for program, _ in REWRITES.values()) >= 250
    assert sum(text.count("func.func") for text in (TENSORS, BUFFERS, RECURRENCES)) >= 24


def test_a_program_is_equal_to_itself() -> None:
    for text in (TENSORS, BUFFERS):
        assert {each.verdict for each in volcli.loads(text).diff(volcli.loads(text))} == {"equal"}
