"""Programs executed by volcli's engine and by mlir-runner-22: what each prints, program by program."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation

import volcli
from tests.execution.programs.draft import Module
from tests.execution.programs.support import Support
from tests.shared.execution import executed
from volcli.execution.memory.machine import Options
from volcli.execution.runs.engine import execute
from volcli.execution.runs.inputs import Inputs

LOWERING = (
    "builtin.module(func.func(convert-elementwise-to-linalg),one-shot-bufferize{bufferize-function-boundaries=1 "
    "function-boundary-type-conversion=identity-layout-map},convert-bufferization-to-memref,"
    "func.func(convert-linalg-to-loops,affine-expand-index-ops,lower-affine,expand-realloc),convert-math-to-funcs,"
    "func.func(lower-vector-multi-reduction,convert-vector-to-scf),convert-scf-to-cf,expand-strided-metadata,lower-affine,convert-vector-to-llvm,"
    "memref-expand,arith-expand,convert-math-to-llvm,convert-math-to-libm,convert-to-llvm,"
    "reconcile-unrealized-casts)"
)


@dataclass(frozen=True)
class Run:
    """What a program prints, or why it does not run to its end (`stop`)."""

    lines: Sequence[str]
    stop: str | None = None


def text_of(modules: Sequence[Module]) -> str:
    """All of MODULES, each with a function @main_pN, and @main that calls them in turn."""
    support, parts, main = Support(), list[str](), list[str]()
    for module in modules:
        support.join(module.support)
        calls = "\n".join(f"  {line}" for line in module.calls)
        parts += [*module.functions, f"func.func @main_{module.name}() {{\n{calls}\n  return\n}}"]
        main += [f'  vector.print str "[{module.name}]\\n"', f"  func.call @main_{module.name}() : () -> ()"]
    return "\n".join([*parts, support.text(), "func.func @main() {", *main, "  return", "}", ""])


def there(mlir_opt: str, modules: Sequence[Module]) -> dict[str, Run]:
    """MODULES executed by mlir-runner; those that it does not lower have a `stop`."""
    try:
        printed = executed(mlir_opt, text_of(modules), LOWERING)
    except AssertionError as error:
        if len(modules) == 1:
            return {modules[0].name: Run((), str(error).split("\n")[0][:300])}
        half = len(modules) // 2
        return there(mlir_opt, modules[:half]) | there(mlir_opt, modules[half:])
    parts = re.split(r"^\[(\w+)\]$", printed, flags=re.MULTILINE)
    return {name: Run(text.split("\n")[1:-1]) for name, text in zip(parts[1::2], parts[2::2], strict=True)}


def here(modules: Sequence[Module], counts: Counter[str], *, order: int | None = None) -> dict[str, Run]:
    """MODULES executed by volcli, parallel loops in the ORDER of this number (None: as they are written).

    COUNTS gets, of each operation that ran, in how many programs it did.
    """
    program = volcli.loads(text_of(modules))
    wrong = [each for each in program.diagnostics if each.severity.value == "error"]
    assert not wrong, wrong
    module = program.units[0].parsed.module
    functions = {op.sym_name.data: op for op in module.walk() if isinstance(op, FuncOp)}
    all_operations = frozenset[Operation](module.walk())
    found: dict[str, Run] = {}
    for each in modules:
        options = Options(observed=all_operations, seed=order)
        outcome = execute(module, functions[f"main_{each.name}"], (), Inputs(), options)
        stop = (
            None
            if outcome.stopped is None
            else f"{type(outcome.stopped).__name__}: {outcome.stopped.message}"
        )
        undefined = next((line for line in outcome.printed if line in ("poison", "uninitialized")), None)
        found[each.name] = Run(outcome.printed, stop or (undefined and f"it prints what is {undefined}"))
        counts.update(_names(outcome.observed))
    return found


def _names(observed: Iterable[Operation]) -> set[str]:
    """The names of operations that ran, with the last ones of their blocks and of the functions around them."""
    found: set[str] = set()
    parents = {parent for op in observed if isinstance(parent := op.parent_op(), FuncOp)}
    for op in (*observed, *parents):
        found.add(op.name)
        found |= {block.last_op.name for region in op.regions for block in region.blocks if block.last_op}
    return found
