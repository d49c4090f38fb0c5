"""Reading, against xDSL alone, without templates, and against mlir-opt-22; and constants of 50 MB.

    python benchmarks/reading.py FILE...

prints processor time and memory for files of yours, each reader in a process of its own; of mlir-opt-22 the
time with its printing, less that for an empty module. What xDSL does not read is given to all in the generic
form of mlir-opt-22.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from itertools import zip_longest
from pathlib import Path

from xdsl.dialects.builtin import ModuleOp, UnregisteredOp
from xdsl.ir import Operation, SSAValue
from xdsl.parser import Parser

from volcli.frontend.parse.context import make_context
from volcli.frontend.parse.labels import LabelParser
from volcli.frontend.parse.parser import parse
from volcli.frontend.parse.repetition import RepeatingParser
from volcli.frontend.text.source import Source
from volcli.loading.driver import dialect_factories

RUNS = 7
MEGABYTES = 50  # of data in the large constants


def stock(text: str) -> ModuleOp:
    """TEXT as xDSL reads it, with xDSL's own dialects."""
    return Parser(make_context({}), text).parse_module()


def ours(text: str) -> ModuleOp:
    """TEXT as volcli reads it."""
    parsed = parse(Source("bench.mlir", text), make_context(dialect_factories()))
    if parsed.diagnostics:
        raise ValueError(str(parsed.diagnostics[0]))
    return parsed.module


def parsed(text: str) -> ModuleOp:
    """TEXT as volcli reads it, without templates of statements and labels."""
    RepeatingParser._repeated = lambda self, start: None  # pyright: ignore[reportPrivateUsage]
    RepeatingParser._parse_label = LabelParser._parse_label  # pyright: ignore[reportPrivateUsage]
    return ours(text)


READERS: dict[str, Callable[[str], ModuleOp]] = {"stock": stock, "ours": ours, "parsed": parsed}


def described(module: ModuleOp) -> list[tuple[object, ...]]:
    """The operations of MODULE in order, with all that two readers have to agree on.

    Not the bodies that the syntax of named linalg operations leaves out: xDSL's are not those of mlir-opt.
    """
    numbers: dict[SSAValue, int] = {}
    found: list[tuple[object, ...]] = []

    def visit(op: Operation) -> None:
        operands = [numbers.setdefault(operand, len(numbers)) for operand in op.operands]
        results = [(numbers.setdefault(result, len(numbers)), result.type) for result in op.results]
        name = op.op_name.data if isinstance(op, UnregisteredOp) else op.name
        is_hidden = name.startswith("linalg.") and name not in ("linalg.generic", "linalg.yield")
        given = {
            key: value for key, value in {**op.properties, **op.attributes}.items() if key != "op_name__"
        }
        attributes = sorted((key, str(value)) for key, value in given.items())
        found.append((name, operands, results, attributes, [len(region.blocks) for region in op.regions]))
        for block in () if is_hidden else (block for region in op.regions for block in region.blocks):
            found.append(tuple((numbers.setdefault(arg, len(numbers)), arg.type) for arg in block.args))
            for inner in block.ops:
                visit(inner)

    visit(module)
    return found


def differences(path: str) -> int:
    """How many operations and blocks of the file at PATH the two readers read differently."""
    text = Path(path).read_text()
    return sum(a != b for a, b in zip_longest(described(stock(text)), described(ours(text))))


def peak_megabytes() -> float:
    """The most memory that this process had. (In Linux, ru_maxrss counts that of its parent too.)"""
    status = Path("/proc/self/status")
    if status.exists():
        return int(status.read_text().partition("VmHWM:")[2].split()[0]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def time_and_memory(reader: str, path: str) -> str:
    """Seconds for the best of RUNS of READER on the file at PATH, and the memory at the end of the first.

    The modules of all dialects, xDSL's and volcli's, are in the process before.
    """
    for name, factory in dialect_factories().items():
        make_context({}).get_optional_dialect(name)
        factory()
    text = Path(path).read_text()
    times: list[float] = []
    megabytes = 0.0
    for _ in range(RUNS):
        begin = time.process_time()
        module = READERS[reader](text)
        times.append(time.process_time() - begin)
        megabytes = megabytes or peak_megabytes()
        del module
    return f"{min(times)} {megabytes}"


CHILDREN: dict[str, Callable[..., object]] = {"--differences": differences, "--measure": time_and_memory}


def child(*arguments: str) -> list[float]:
    """The numbers that one of CHILDREN gives as a process of its own: memory is that of the process."""
    command = (sys.executable, __file__, *arguments)
    ran = subprocess.run(command, check=True, capture_output=True, text=True)
    return [float(number) for number in ran.stdout.split()]


def readable(path: Path, folder: Path) -> tuple[Path, str]:
    """The file at PATH, or its generic form if xDSL does not read it; and what to call that."""
    try:
        child("--measure", "stock", str(path))
    except subprocess.CalledProcessError:
        generic = folder / path.name
        command = ("mlir-opt-22", "-mlir-print-op-generic", "-allow-unregistered-dialect", str(path))
        generic.write_bytes(subprocess.run(command, check=True, capture_output=True).stdout)
        return generic, f"{path.name} (generic form)"
    return path, path.name


def compare(path: Path, folder: Path) -> None:
    """Print both readers' time and memory for the file at PATH, and whether they read the same."""
    file, name = readable(path, folder)
    (different,) = child("--differences", str(file))
    slow, much = child("--measure", "stock", str(file))
    without, _ = child("--measure", "parsed", str(file))
    fast, little = child("--measure", "ours", str(file))
    other = mlir_opt_seconds(file, folder)
    same = "the same module" if different == 0 else f"the same module but for {different:.0f} operations"
    print(f"  {name}: {same}")
    print(f"    {'reading: stock xDSL':42} {slow * 1000:9.1f} ms  {much:6.1f} MB")
    print(f"    {'reading: volcli without templates':42} {without * 1000:9.1f} ms")
    print(f"    {'reading: volcli':42} {fast * 1000:9.1f} ms  {little:6.1f} MB   {slow / fast:.2f} x")
    name = "reading: mlir-opt-22, without its start"
    print(f"    {name:42} {other * 1000:9.1f} ms   volcli: {fast / other:.1f} x")


def mlir_opt_seconds(path: Path, folder: Path) -> float:
    """The processor time that mlir-opt-22 takes for the file at PATH, and not for an empty module."""
    empty = folder / "empty.mlir"
    empty.write_text("module {}\n")
    command = ("mlir-opt-22", "-allow-unregistered-dialect", "--mlir-disable-threading", "-o", os.devnull)
    least: list[float] = []
    for file in (empty, path):
        times: list[float] = []
        for _ in range(RUNS):
            before = sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2])
            subprocess.run((*command, str(file)), check=True, stderr=subprocess.DEVNULL)
            times.append(sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2]) - before)
        least.append(min(times))
    return max(least[1] - least[0], 1e-4)


def constants(folder: Path) -> None:
    """Print the time of `volcli opt` on constants that nobody needs to decode, and on one operation."""
    count = MEGABYTES * 10**6 // 4
    digits = "0123456789abcdef" * (count // 2)
    section = (
        f'{{-#\n  dialect_resources: {{\n    builtin: {{\n      w: "0x04000000{digits}"\n    }}\n  }}\n#-}}\n'
    )
    programs = {
        "one operation": (program("dense<0>", "tensor<1xi32>"), ""),
        "a splat of 310 million elements": (program("dense<0>", "tensor<100x64x220x220xi32>"), ""),
        f"{MEGABYTES} MB as a string": (program(f'dense<"0x{digits}">', f"tensor<{count}xf32>"), ""),
        f"{MEGABYTES} MB as a resource": (program("dense_resource<w>", f"tensor<{count}xf32>"), section),
    }
    print("\nLarge constants: `volcli opt FILE`, with -p infer-shapes, and with --reprint; seconds")
    for name, (text, end) in programs.items():
        path = folder / "constant.mlir"
        path.write_text(text + end)
        times = [opt(path, *flags) for flags in ((), ("-p", "infer-shapes"), ("--reprint",))]
        print(f"  {name:44} " + "  ".join(f"{seconds:6.2f}" for seconds in times))


def program(constant: str, type_: str) -> str:
    """A function that returns a constant."""
    body = f"  %c = arith.constant {constant} : {type_}\n  return %c : {type_}\n"
    return f"func.func @f() -> {type_} {{\n{body}}}\n"


def opt(path: Path, *flags: str) -> float:
    """Seconds of `volcli opt` on the file at PATH, the better of two."""
    command = (sys.executable, "-m", "volcli", "opt", str(path), *flags)
    times: list[float] = []
    for _ in range(2):
        begin = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        times.append(time.perf_counter() - begin)
    return min(times)


def reading(paths: list[Path], folder: Path) -> None:
    """Print the tables."""
    print("\nReading, each reader in a process of its own, the modules compared")
    for path in paths:
        compare(path, folder)


def main() -> None:
    """The command line; what `child` starts is one of CHILDREN."""
    if sys.argv[1:] and (work := CHILDREN.get(sys.argv[1])):
        print(work(*sys.argv[2:]))
        return
    with tempfile.TemporaryDirectory() as folder:
        reading([Path(name) for name in sys.argv[1:]], Path(folder))


if __name__ == "__main__":
    main()
