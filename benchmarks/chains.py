"""Long chains of index arithmetic: mlir-opt's own pass for bounds against volcli's, in whole processes.

    python benchmarks/chains.py

Each program is a chain of n operations, each of which uses the one before, with questions for constant upper
bounds. mlir-opt builds a constraint set for each question, and one for each branch: it is given up after a
while. The last column is how much longer volcli takes for four times the operations.
"""

from __future__ import annotations

import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import volcli

PATIENCE = 120.0
PATIENCE_WITH_MLIR_OPT = 10.0
"""What takes it longer is said to take longer than this: a chain of 1,600 takes it minutes."""
PASS = "test-affine-reify-value-bounds"
FIRST = "  %x0 = affine.min affine_map<(d0) -> (d0, 8)>(%m)\n"


def question(value: str, number: int) -> str:
    """Ask for the constant upper bound of VALUE."""
    return (
        f'  %r{number} = "test.reify_bound"({value}) {{type = "UB", constant}} : (index) -> index\n'
        f'  "test.some_use"(%r{number}) : (index) -> ()\n'
    )


def function(arguments: str, body: str) -> str:
    """A function with a first value of at most 8, and BODY behind it."""
    one = "  %one = arith.constant 1 : index\n"
    return f"func.func @chain({arguments}) {{\n{one}{FIRST}{body}  return\n}}\n"


def adds(n: int) -> str:
    """`x + 1 + 1 ...`, with a question for each sum."""
    steps = (f"  %x{k + 1} = arith.addi %x{k}, %one : index\n" + question(f"%x{k + 1}", k) for k in range(n))
    return function("%m: index", "".join(steps))


def selects(n: int) -> str:
    """`c_k ? x + 1 : x`, with a question for the last."""
    steps = (
        f"  %a{k} = arith.addi %x{k}, %one : index\n  %x{k + 1} = arith.select %c{k}, %a{k}, %x{k} : index\n"
        for k in range(n)
    )
    return function(conditions(n), "".join(steps) + question(f"%x{n}", n))


def branches(n: int) -> str:
    """The same with scf.if."""
    steps = (
        f"  %x{k + 1} = scf.if %c{k} -> index {{\n    %a{k} = arith.addi %x{k}, %one : index\n"
        f"    scf.yield %a{k} : index\n  }} else {{\n    scf.yield %x{k} : index\n  }}\n"
        for k in range(n)
    )
    return function(conditions(n), "".join(steps) + question(f"%x{n}", n))


def mixed(n: int) -> str:
    """Sums, differences, minima and maxima in turn, with a question for the last."""
    names = ("addi", "subi", "minsi", "maxsi")
    steps = (
        f"  %x{k + 1} = arith.{names[k % 4]} %x{k}, {('%m', '%p', '%q')[k % 3]} : index\n" for k in range(n)
    )
    return function("%m: index, %p: index, %q: index", "".join(steps) + question(f"%x{n}", n))


def random_mixed(n: int) -> str:
    """The same in no order, with ones among the operands; a question for the last."""
    draw = random.Random(n)
    names, operands = ("addi", "subi", "minsi", "maxsi"), ("%m", "%p", "%q", "%one")
    steps = (
        f"  %x{k + 1} = arith.{draw.choice(names)} %x{k}, {draw.choice(operands)} : index\n" for k in range(n)
    )
    return function("%m: index, %p: index, %q: index", "".join(steps) + question(f"%x{n}", n))


def divided(n: int) -> str:
    """Random chains with choices, and with quotients and remainders by numbers, too."""
    draw = random.Random(n)
    names = ("addi", "subi", "muli", "minsi", "maxsi", "divsi", "remsi", "select")
    numbers = "".join(f"  %k{k} = arith.constant {k} : index\n" for k in (2, 3, 5, 7, 8, 16))
    steps: list[str] = []
    for k in range(n):
        name, other = draw.choice(names), draw.choice(("%m", "%p", "%q", "%one"))
        if name in {"muli", "divsi", "remsi"}:
            other = f"%k{draw.choice((2, 3) if name == 'muli' else (2, 3, 5, 7, 8, 16))}"
        chosen = f"%c{draw.randrange(3)}, " if name == "select" else ""
        steps.append(f"  %x{k + 1} = arith.{name} {chosen}%x{k}, {other} : index\n")
    return function("%m: index, %p: index, %q: index, %c0: i1, %c1: i1, %c2: i1", numbers + "".join(steps))


def braided(n: int) -> str:
    """N operations of 17 kinds, each on the value before and on one of the twelve before that."""
    draw, known = random.Random(n), ["%m", "%p", "%q"]
    numbers = "".join(f"  %k{k} = arith.constant {k} : index\n" for k in (1, 2, 3, 5, 7, 16, 255))
    steps: list[str] = []
    for k in range(n):
        last = known[-1]
        other = draw.choice(known[:3]) if draw.random() < 0.1 else draw.choice(known[-12:])
        steps.append(
            draw.choice(BRAIDED).format(r=f"%x{k}", a=last, b=other, k=draw.choice((2, 3, 5, 7, 16)))
        )
        known.append(f"%x{k}")
    head = "func.func @chain(%m: index, %p: index, %q: index) -> index {\n"
    return f"{head}{numbers}{''.join(steps)}  return {known[-1]} : index\n}}\n"


BRAIDED = (
    "  {r} = arith.addi {a}, {b} : index\n",
    "  {r} = arith.subi {a}, {b} : index\n",
    "  {r} = arith.muli {a}, {b} : index\n",
    "  {r} = arith.muli {a}, %k3 : index\n",
    "  {r} = arith.minsi {a}, {b} : index\n",
    "  {r} = arith.maxsi {a}, {b} : index\n",
    "  {r} = arith.xori {a}, {b} : index\n",
    "  {r} = arith.andi {a}, %k255 : index\n",
    "  {r} = arith.remsi {a}, %k{k} : index\n",
    "  {r} = arith.divui {a}, %k{k} : index\n",
    "  {r} = arith.shli {a}, %k1 : index\n",
    "  {r} = arith.shrui {a}, %k1 : index\n",
    "  {r}p = arith.maxsi {b}, %k1 : index\n  {r} = arith.remsi {a}, {r}p : index\n",
    "  {r}c = arith.cmpi slt, {a}, {b} : index\n  {r} = arith.select {r}c, {a}, {b} : index\n",
    "  {r}i = arith.index_cast {a} : index to i32\n  {r} = arith.index_cast {r}i : i32 to index\n",
    "  {r} = affine.apply affine_map<(d0, d1) -> (d0 mod 5 + d1 floordiv 3)>({a}, {b})\n",
    "  {r} = affine.min affine_map<(d0, d1) -> (d0, d1 + 4, 1000)>({a}, {b})\n",
)


def reified(n: int) -> str:
    """`x + 1 + 1 ...`, each sum in terms of what it is made of."""
    steps = (
        f"  %x{k + 1} = arith.addi %x{k}, %one : index\n"
        f'  %r{k} = "test.reify_bound"(%x{k + 1}) {{type = "UB"}} : (index) -> index\n'
        f'  "test.some_use"(%r{k}) : (index) -> ()\n'
        for k in range(n)
    )
    return function("%m: index", "".join(steps))


def multiplied(n: int) -> str:
    """N loops that multiply a number of 32 bits by 7: no closed form says what goes around them."""
    loops = (
        f"  %r{k} = scf.for %i = %one to %m step %one iter_args(%a = %x) -> i32 {{\n"
        f"    %y = arith.muli %a, %seven : i32\n    %z = arith.addi %y, %x : i32\n"
        f"    scf.yield %z : i32\n  }}\n  %j{k} = arith.index_cast %r{k} : i32 to index\n"
        for k in range(n)
    )
    return function("%m: index, %x: i32", "  %seven = arith.constant 7 : i32\n" + "".join(loops))


def conditions(n: int) -> str:
    """Arguments for N choices."""
    return "%m: index, " + ", ".join(f"%c{k}: i1" for k in range(n))


CHAINS: dict[str, tuple[Callable[[int], str], int]] = {
    "400 arith.addi, a question each": (adds, 400),
    "100 arith.select": (selects, 100),
    "100 scf.if": (branches, 100),
}

BOUNDS: dict[str, tuple[Callable[[int], str], tuple[int, ...]]] = {
    "sums, differences, minima and maxima": (mixed, (100, 500)),
    "the same, in random order": (random_mixed, (100, 500)),
    "with choices, quotients and remainders": (divided, (100, 500)),
    "loops with a product of 32 bits": (multiplied, (1, 2)),
}
"""Programs whose values are all asked for, and how many of each."""


def process(*command: str, patience: float = PATIENCE) -> float | None:
    """Seconds of COMMAND; None if it takes longer than PATIENCE."""
    begin = time.perf_counter()
    try:
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, timeout=patience)
    except subprocess.TimeoutExpired:
        return None
    return time.perf_counter() - begin


def ours(path: Path) -> float:
    """Seconds of volcli as a process, the best of three."""
    times = [process(sys.executable, "-m", "volcli", "opt", str(path), "-p", PASS) for _ in range(3)]
    return min(seconds for seconds in times if seconds is not None)


def analysis(path: Path, pipeline: str = PASS) -> float:
    """Seconds of this process for the pass alone, the best of three."""
    times: list[float] = []
    for _ in range(3):
        program = volcli.load(str(path))
        begin = time.process_time()
        program.run(pipeline)
        times.append(time.process_time() - begin)
    return min(times)


def all_questions(folder: Path) -> None:
    """Print what all questions of `analyze` take together, of chains that use values several times."""
    print("\nAll questions of braided chains of 17 kinds of operations, whole processes")
    times: list[float] = []
    for n in (2_000, 20_000):
        path = folder / "braided.mlir"
        path.write_text(braided(n))
        found = process(sys.executable, "-m", "volcli", "analyze", str(path))
        times.append(PATIENCE if found is None else found)
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
    small, large = times
    print(f"  2,000 and 20,000 {small:6.2f} s  {large:6.2f} s  {large / small:5.2f} x   at most {memory} MB")


def chains(folder: Path) -> None:
    """Print the tables."""
    print(
        "\nChains, whole processes: mlir-opt-22 and volcli on the same program"
        f" (mlir-opt-22 is stopped after {PATIENCE_WITH_MLIR_OPT:.0f} s: '>')"
    )
    mlir_opt = shutil.which("mlir-opt-22")
    for name, (chain, n) in CHAINS.items():
        path = folder / "chain.mlir"
        path.write_text(chain(n))
        row = f"  {name:34} volcli {ours(path):7.2f} s"
        if mlir_opt is not None:
            pipeline = f"-pass-pipeline=builtin.module(func.func({PASS}))"
            command = (mlir_opt, "-allow-unregistered-dialect", str(path), pipeline)
            theirs = process(*command, patience=PATIENCE_WITH_MLIR_OPT)
            more = ">" if theirs is None else " "
            seconds = PATIENCE_WITH_MLIR_OPT if theirs is None else theirs
            row += f"   mlir-opt-22 {more}{seconds:7.2f} s   {more}{seconds / ours(path):6.1f} x"
        print(row)
    print("\nFrom n = 400 to n = 1600: the whole process, and the pass alone")
    for name, (chain, _) in CHAINS.items():
        small, large = folder / "small.mlir", folder / "large.mlir"
        small.write_text(chain(400))
        large.write_text(chain(1600))
        whole = ours(small), ours(large)
        alone = analysis(small), analysis(large)
        row = [
            f"{times[0]:6.2f} s  {times[1]:6.2f} s  {times[1] / times[0]:5.2f} x" for times in (whole, alone)
        ]
        print(f"  {name.partition(' ')[2]:34} " + "   ".join(row))
    print("\nAll bounds of n operations, the pass alone")
    path = folder / "bounds.mlir"
    for name, (chain, sizes) in BOUNDS.items():
        times = [(n, path.write_text(chain(n)) and analysis(path, "value-bounds")) for n in sizes]
        print(f"  {name:38} " + "   ".join(f"{n:5}: {seconds:6.2f} s" for n, seconds in times))
    small, large = (path.write_text(reified(n)) and analysis(path) for n in (400, 1600))
    print(f"  {'400 and 1600 reified sums':38} {small:6.2f} s  {large:6.2f} s  {large / small:5.2f} x")


def main() -> None:
    """Print the tables."""
    with tempfile.TemporaryDirectory() as folder:
        chains(Path(folder))
        all_questions(Path(folder))


if __name__ == "__main__":
    main()
