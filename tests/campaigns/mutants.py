"""Seeded errors in the engines, each of which the oracles must catch: what tests are worth, before and after they change.

    python -m tests.campaigns.mutants [--only NAME] [--from NUMBER]

Each mutant is one line of a copy of volcli, of the kind that was found wrong once: a bound off by one, swapped
dimensions, a dropped stride, a free that is ignored. The tests that are named beside it run on that copy and must
fail. Prints a line for each; exits 1 if one survives, or if a line is no longer there to be changed.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CASES = "dialects/volcli_dialects"
MEMORY = "volcli/model/memory"
VOLUMES = "volcli/model/volumes"

ELEMENTS, BOUNDS, ACCESSES, NESTS, ZEROS, BLOCKS, TAGS = (
    f"tests/oracles/{name}" for name in ("elements", "bounds", "memory", "nests", "zeros", "blocks", "tags")
)
TOSA, STABLEHLO = "tests/dialects/tosa", "tests/dialects/stablehlo"
NUMBERS = f"tests/dialects/arith tests/dialects/test_bounds_values.py {BOUNDS}"
PAIRS = "tests/equivalence"


@dataclass(frozen=True)
class Mutant:
    """In `file`, the text `right` becomes `wrong`: one of the tests `catching` it fails."""

    name: str
    file: str
    right: str
    wrong: str
    catching: str


MUTANTS = [
    Mutant("permutation inverted", f"{CASES}/cases/elements/relayout.py",
           "loop(permutation.index(d))", "loop(permutation[d])", TOSA),
    Mutant("reversed, off by one", f"{CASES}/cases/elements/relayout.py",
           "dim_of(source, d) - 1 - loop(d) if", "dim_of(source, d) - loop(d) if", STABLEHLO),
    Mutant("slice without stride", f"{CASES}/cases/elements/relayout.py",
           "loop(d) * strides[d] + starts[d]", "loop(d) + starts[d]", STABLEHLO),
    Mutant("concatenation without offset", f"{CASES}/cases/elements/relayout.py",
           "start = start + dim_of(operand, axis)", "start = start + 1", TOSA),
    Mutant("padding shifted the other way", f"{CASES}/cases/elements/relayout.py",
           "loop(d) - low[d] for d", "loop(d) + low[d] for d", STABLEHLO),
    Mutant("interior padding forgotten", f"{CASES}/cases/elements/relayout.py",
           "loop(d) * (gaps[d] + 1) + low[d]", "loop(d) * gaps[d] + low[d]", STABLEHLO),
    Mutant("convolution without dilation", f"{CASES}/tosa/windows.py",
           "loop(first + d) * dilation[d] - pad", "loop(first + d) - pad", TOSA),
    Mutant("convolution with swapped channels", f"{CASES}/tosa/windows.py",
           "Access(w, (f, *taps, c))", "Access(w, (c, *taps, f))", TOSA),
    Mutant("zeros between elements are elements", f"{CASES}/arith/contractions.py",
           "*([at % step * -1] if step > 1 else [])", "*[]", STABLEHLO),
    Mutant("left and right remainder", f"{CASES}/arith/__init__.py",
           "a - truncating(a, b) * b", "a - rounded_down(a, b) * b", NUMBERS),
    Mutant("division rounds down", f"{CASES}/arith/__init__.py",
           "_binary(arith.DivSIOp, truncating)", "_binary(arith.DivSIOp, rounded_down)", NUMBERS),
    Mutant("min is max", f"{CASES}/arith/__init__.py",
           "_binary(arith.MinSIOp, minimum)", "_binary(arith.MinSIOp, maximum)", NUMBERS),
    Mutant("shift by one less", f"{CASES}/arith/__init__.py",
           "a * 2**b.constant if", "a * 2**(b.constant - 1) if", NUMBERS),
    Mutant("less is at most", f"{CASES}/arith/__init__.py",
           '"slt": ((less,), (at_least,))', '"slt": ((at_most,), (greater,))', NUMBERS),
    Mutant("unsigned is signed", f"{CASES}/arith/__init__.py",
           "return (a, b - a - 1), (-b - 1, b - a - 1), (a, -b - 1)", "return ((b - a - 1,),)", NUMBERS),
    Mutant("a free is ignored", f"{CASES}/memref/effects.py",
           "return Effects(frees=(op.memref,))", "return Effects()", PAIRS),
    Mutant("a store is a load", f"{CASES}/memref/effects.py",
           "return [element(WRITE, op.memref, op.indices, op.value)]",
           "return [element(READ, op.memref, op.indices)]", ACCESSES),
    Mutant("the first writer is the last", f"{MEMORY}/flow/last_writers.py",
           "found = points.lexmax()", "found = points.lexmin()", f"tests/model/memory/test_memory_flow.py {ACCESSES}"),
    Mutant("zero times infinity is zero", "volcli/language/kinds.py",
           "return NAN if (left | right) & ZEROS else infinity\n    return zero",
           "return zero if (left | right) & ZEROS else infinity\n    return zero", f"tests/language {ZEROS}"),
    Mutant("signs of products", "volcli/language/kinds.py",
           "alike = bool(left & _NEGATIVES) is bool(right & _NEGATIVES)", "alike = True", f"tests/language {ZEROS}"),
    Mutant("a sum of zeros is -0", "volcli/language/kinds.py",
           "return left if left is right else ZERO", "return left", f"tests/language {ZEROS}"),
    Mutant("flags are not needed", f"{VOLUMES}/knowledge/number_kinds.py",
           "if missing:\n                self.needs.add(missing)", "if False:\n                self.needs.add(missing)", ZEROS),
    Mutant("the first alternative takes nothing", f"{VOLUMES}/relations/statements.py",
           "if not self._takes:\n            return", "if self._takes:\n            return", f"tests/model/volumes {ELEMENTS}"),
    Mutant("the first point overwrites", f"{VOLUMES}/relations/loop_points.py",
           "isl.Map.lex_lt(domain.get_space())", "isl.Map.lex_gt(domain.get_space())", f"tests/model/volumes {ELEMENTS}"),
    Mutant("steps before are those after", f"{VOLUMES}/maps/inner_values.py",
           "isl.Map.lex_gt(statement.domain", "isl.Map.lex_lt(statement.domain", "tests/model/volumes"),
]  # fmt: skip


def _copied(folder: Path) -> None:
    """What tests need, in FOLDER."""
    for name in ("volcli", "dialects", "tests", "testdata", "benchmarks", "docs"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    for path in ("pyproject.toml", "Makefile", "README.md", "CHANGELOG.md"):
        shutil.copy(ROOT / path, folder / path)


def caught(mutant: Mutant, folder: Path) -> str:
    """Which test fails if FOLDER has MUTANT; "survives" if none does, "is not tested" if they did not end."""
    path = folder / mutant.file
    text = path.read_text()
    if text.count(mutant.right) != 1:
        return "cannot be made"
    path.write_text(text.replace(mutant.right, mutant.wrong))
    paths = os.pathsep.join(str(folder / part) for part in ("", "dialects"))
    quick = "not slow and not fuzz and not hypothesis"
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-n", "0", "-p", "no:cacheprovider", "-m", quick]
    try:
        ran = subprocess.run(
            [*command, *mutant.catching.split()],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": paths},
            capture_output=True,
            text=True,
            check=False,
        )
    finally:
        path.write_text(text)
    failed = [line for line in ran.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    return failed[0].partition(" - ")[0] if failed else "survives" if ran.returncode == 0 else "is not tested"


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description="Seeded errors, and the tests that catch them.")
    parser.add_argument("--only", help="mutants whose names contain this")
    parser.add_argument("--from", type=int, default=0, dest="first", help="the number of the first one")
    options = parser.parse_args()
    chosen = [each for each in MUTANTS if (options.only or "") in each.name][options.first :]
    missed = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        _copied(folder)
        for mutant in chosen:
            found = caught(mutant, folder)
            missed += not found.startswith(("FAILED", "ERROR"))
            print(f"{mutant.name:40} {found}", flush=True)
    print(f"{len(chosen)} mutants, {missed} not caught")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
