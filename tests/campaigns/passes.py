"""The passes of mlir-opt on many programs, each result compared with its input: what is equal, what not known, and why.

    python -m tests.campaigns.passes [FILES...] [--only PASS] [--seconds 60] [--sets] [--keep FOLDER]

Each program is brought into the forms that passes work on (tensors, buffers, affine loops, loops of scf), and each
pass runs on its form. Prints each comparison, a row for each pass, and unknown answers by reason; what differs
is an error of mlir-opt or of volcli. Exits 1 if something does.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from volcli.gate.work.executor import WorkerLostError
from volcli.gate.work.pool import Workers
from volcli.validation.comparing import (
    ComparisonOptions,
    PairResult,
    ProgramPair,
    compared,
    most_seconds,
    unknown,
)
from volcli.validation.states import PassStep

ROOT = Path(__file__).resolve().parents[2]
BUFFERS = "one-shot-bufferize{bufferize-function-boundaries=1 function-boundary-type-conversion=identity-layout-map}"
FORMS = {
    "tensors": "",
    "buffers": BUFFERS,
    "affine": f"{BUFFERS},func.func(convert-linalg-to-affine-loops)",
    "scf": f"{BUFFERS},func.func(convert-linalg-to-loops)",
    "lowered": f"{BUFFERS},func.func(convert-linalg-to-affine-loops,lower-affine)",
    "parallel": f"{BUFFERS},func.func(convert-linalg-to-parallel-loops)",
}
"""What makes each form of a program."""

PASSES = {
    "canonicalize": ("tensors", "affine"),
    "cse": ("tensors", "affine"),
    "func.func(linalg-generalize-named-ops)": ("tensors",),
    "linalg-fuse-elementwise-ops": ("tensors",),
    "func.func(linalg-specialize-generic-ops)": ("tensors",),
    "linalg-fold-unit-extent-dims": ("tensors",),
    BUFFERS: ("tensors",),
    "func.func(convert-linalg-to-loops)": ("buffers",),
    "func.func(convert-linalg-to-affine-loops)": ("buffers",),
    "func.func(convert-linalg-to-parallel-loops)": ("buffers",),
    "func.func(buffer-hoisting)": ("buffers",),
    "func.func(promote-buffers-to-stack)": ("buffers",),
    "func.func(affine-loop-fusion)": ("affine",),
    "func.func(affine-loop-tile{tile-size=7})": ("affine",),
    "func.func(affine-loop-unroll{unroll-factor=3})": ("affine",),
    "func.func(affine-loop-unroll-jam{unroll-jam-factor=2})": ("affine",),
    "func.func(affine-scalrep)": ("affine",),
    "func.func(affine-loop-invariant-code-motion)": ("affine",),
    "func.func(affine-loop-coalescing)": ("affine",),
    "func.func(affine-loop-normalize)": ("affine",),
    "func.func(affine-simplify-structures)": ("affine",),
    "func.func(affine-data-copy-generate{generate-dma=false fast-mem-space=0})": ("affine",),
    "func.func(affine-loop-tile{tile-size=8},affine-loop-unroll{unroll-factor=2},lower-affine)": ("affine",),
    "normalize-memrefs": ("affine",),
    "func.func(affine-parallelize)": ("affine",),
    "func.func(affine-super-vectorize{virtual-vector-size=4})": ("affine",),
    "lower-affine": ("affine",),
    "loop-invariant-code-motion": ("affine", "lowered"),
    "func.func(scf-for-loop-peeling)": ("lowered",),
    "func.func(scf-for-loop-range-folding)": ("lowered",),
    "func.func(test-scf-parallel-loop-collapsing{collapsed-indices-0=0,1})": ("parallel",),
    "scf-for-to-while": ("lowered",),
    "convert-scf-to-cf": ("lowered",),
    "func.func(scf-parallel-loop-tiling{parallel-loop-tile-sizes=4,4})": ("parallel",),
    "func.func(scf-parallel-loop-fusion)": ("parallel",),
    "sccp": ("affine",),
    "control-flow-sink": ("lowered",),
    "expand-strided-metadata": ("buffers",),
    "fold-memref-alias-ops": ("affine",),
}
"""The passes, and the forms of programs that each runs on."""


def _ran(pipeline: str, text: str) -> str | None:
    """What mlir-opt makes of TEXT; None if it refuses the program or the pass."""
    tool = shutil.which("mlir-opt-22")
    assert tool is not None, "mlir-opt-22 is not on PATH"
    command = [tool, "-", f"--pass-pipeline=builtin.module({pipeline})"]
    ran = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    return ran.stdout if ran.returncode == 0 else None


def _programs(files: Sequence[str]) -> list[Path]:
    """FILES, or those of testdata whose functions compute something."""
    if files:
        return [Path(each) for each in files]
    folders = (
        "affine",
        "diff",
        "linalg",
        "mars",
        "memory",
        "partition",
        "rewrites",
        "run",
        "scf",
        "tensor",
        "tile",
    )
    return sorted(path for each in folders for path in (ROOT / "testdata" / each).glob("*.mlir"))


def _pairs(path: Path, only: str, how: ComparisonOptions) -> Iterator[tuple[str, ProgramPair]]:
    """The functions that passes change in the program at PATH, each with the pass, before and after it."""
    text = path.read_text()
    forms = {name: _ran(pipeline, text) for name, pipeline in FORMS.items()}
    for title, names in PASSES.items():
        for name in names if only in title else ():
            before = forms[name]
            after = None if before is None else _ran(title, before)
            if before is None or after is None:
                continue
            step = PassStep(1, title, before, after)
            for function in [] if step.foreign() else step.changed() or []:
                names_of = f"{path.stem} {name}", f"{path.stem} {name} after {title}"
                yield title, ProgramPair(before, after, names_of, function, how)


def _compared(workers: Workers[ProgramPair, PairResult], pair: ProgramPair) -> PairResult:
    """What is known of PAIR."""
    try:
        return workers.result(workers.submit(pair))
    except WorkerLostError:
        return PairResult((unknown(pair, "it takes too long, or crashes"),), pair.how.timeout or 0.0)


def _reasons(result: PairResult) -> Iterator[str]:
    """Why functions are unknown, without names and numbers."""
    for each in result.functions:
        lines = each.lines if each.verdict != "equal" else ()
        reasons = [line.partition("unknown: ")[2] for line in lines if "unknown: " in line]
        for reason in dict.fromkeys(reasons or ["; ".join(lines)][: len(lines)]):
            yield re.sub(r"%[\w#]+|@\w+|\[[^\]]*\]|\b\d+\b|'[^']*'", "_", reason)


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description="What is known of the results of mlir-opt's passes.")
    parser.add_argument("files", nargs="*")
    parser.add_argument("--only", default="", help="passes whose names contain this")
    parser.add_argument("--seconds", type=float, default=60, help="of the processor, for one function")
    parser.add_argument("--sets", action="store_true", help="execute nothing")
    parser.add_argument("--keep", type=Path, help="the folder for programs that are not known to be equal")
    options = parser.parse_args()
    how = ComparisonOptions(timeout=options.seconds, executed=not options.sets)
    counts: dict[str, Counter[str]] = {}
    reasons: dict[str, Counter[str]] = {}
    number = 0
    workers = Workers(1, compared, most_seconds)
    for path in _programs(options.files):
        for title, pair in _pairs(path, options.only, how):
            result = _compared(workers, pair)
            if not result.functions:  # it is only declared
                continue
            verdict = next((each.verdict for each in result.functions if each.verdict != "equal"), "equal")
            counts.setdefault(title, Counter())[verdict] += 1
            for reason in _reasons(result) if verdict == "unknown" else ():
                reasons.setdefault(reason, Counter())[title] += 1
            number += 1
            print(f"{number} {verdict}: {pair.names[1]} @{pair.function}, {result.seconds:.1f} s", flush=True)
            if verdict == "equal":
                continue
            for line in (line for each in result.functions for line in each.lines):
                print(f"    {line}", flush=True)
            if options.keep is not None:
                options.keep.mkdir(parents=True, exist_ok=True)
                for side, text in (("before", pair.before), ("after", pair.after)):
                    (options.keep / f"{number}_{side}.mlir").write_text(text)
    workers.end(at_once=True)
    return _summary(counts, reasons)


def _summary(counts: dict[str, Counter[str]], reasons: dict[str, Counter[str]]) -> int:
    """Print the tables; 1 if something differs."""
    print(f"{'pass':60} equal different unknown")
    total = sum(counts.values(), Counter[str]())
    for title, count in [*counts.items(), ("all", total)]:
        print(f"{title[:60]:60} {count['equal']:5} {count['different']:9} {count['unknown']:7}")
    for reason, count in sorted(reasons.items(), key=lambda each: -each[1].total()):
        print(f"{count.total():4} {reason}: {', '.join(f'{n} {title}' for title, n in count.most_common(4))}")
    print(f"{total['equal'] / max(1, total.total()):.1%} equal")
    return 1 if total["different"] else 0


if __name__ == "__main__":
    sys.exit(main())
