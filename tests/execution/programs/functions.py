"""Any function as a program: called with elements that its arguments' indices decide, and all shown that it gives."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType, MemRefType, TensorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute

import volcli
from tests.execution.programs.draft import Draft, Module, Value
from tests.execution.programs.memory import allocated
from tests.execution.programs.support import WIDTHS, Support
from tests.execution.programs.tensors import generated
from volcli.execution.runs.inputs import Inputs

SIZES = (4, 3, 5, 8, 2, 1)
"""Of all unknown dimensions, and of index arguments: the first with which nothing is undefined."""
MOST_ELEMENTS = 10_000
STEPS = 200_000


class Strange(Exception):
    """A function that nothing here can call."""


def chunks(path: Path) -> Iterator[str]:
    """The texts in a file that stand for themselves."""
    yield from re.split(r"^// -----.*$", path.read_text(errors="replace"), flags=re.MULTILINE)


def called(text: str, name: str) -> tuple[list[Module], list[str]]:
    """A program for each function of TEXT, NAME and a number, and why there is none for others."""
    modules: list[Module] = []
    reasons: list[str] = []
    try:
        program = volcli.loads(text)
    except volcli.UsageError as error:
        return [], [f"{name}: {error}"]
    if any(diagnostic.severity.value == "error" for diagnostic in program.diagnostics):
        return [], [f"{name}: not read"]
    for function in program.functions:
        if not function.has_body:
            continue
        try:
            size = _fitting(function)
            own = _renamed(text, f"{name}_{len(modules)}")
            modules.append(_called(cast(FuncOp, function.operation), own, f"{name}_{len(modules)}", size))
        except Strange as error:
            reasons.append(f"{name} @{function.name}: {error}")
    return modules, reasons


def _renamed(text: str, prefix: str) -> str:
    text = re.sub(r"@([A-Za-z_]\w*)", rf"@{prefix}_\1", text)
    return re.sub(r"(?<![\w.\"])#(\w+)(?![\w.<])", rf"#{prefix}_\1", text)


def _fitting(function: Any) -> int:
    """The size with which the engine runs FUNCTION to its end."""
    why = ""
    for size in SIZES:
        try:
            found = function.run(Inputs(size=size, kind="iota"), steps=STEPS, memory=64)
        except volcli.UsageError as error:
            raise Strange(str(error)) from None
        if found.diagnostic is None:
            return size
        why = why or f"{found.diagnostic.code}: {found.diagnostic.message}"
        if found.undefined is None:
            break
    raise Strange(why)


def _called(op: FuncOp, text: str, name: str, size: int) -> Module:
    draft = Draft(name, name)
    draft.support = Support(below=size)
    arguments = [_argument(draft, kind, size) for kind in op.function_type.inputs]
    results = list(op.function_type.outputs)
    kinds = (
        f"({', '.join(str(kind) for kind in op.function_type.inputs)}) -> ({', '.join(map(str, results))})"
    )
    called = f"func.call @{name}_{op.sym_name.data}({', '.join(a.name for a in arguments)}) : {kinds}"
    if results:
        found = draft.fresh()
        draft.line(f"{found}:{len(results)} = {called}")
        for position, kind in enumerate(results):
            draft.add(_value(f"{found}#{position}", kind, size))
    else:
        draft.line(called)
    module = draft.finished()
    return Module(name, [text, *module.functions], module.support, module.calls)


def _value(name: str, kind: Attribute, size: int) -> Value:
    """A value of a type; how large it is does not matter."""
    element = str(cast(Any, kind).element_type if isinstance(kind, MemRefType | TensorType) else kind)
    if element not in WIDTHS:
        raise Strange(f"of the type {kind}")
    return Value(name, str(kind), element, _sizes(kind, size), (-1, 0))


def _sizes(kind: Attribute, size: int) -> tuple[int, ...] | None:
    if not isinstance(kind, MemRefType | TensorType):
        return None
    found = tuple(size if n == DYNAMIC_INDEX else n for n in cast(Any, kind).get_shape())
    if math.prod(found) > MOST_ELEMENTS:
        raise Strange(f"{math.prod(found)} elements")
    return found


def _argument(draft: Draft, kind: Attribute, size: int) -> Value:
    wanted = _value("", kind, size)
    if isinstance(kind, IndexType):
        return Value(draft.constant(size), "index", "index")
    if wanted.sizes is None:
        return draft.argument(wanted.element)
    made = (
        allocated(draft, wanted.element, wanted.sizes, static=True)
        if isinstance(kind, MemRefType)
        else generated(draft, wanted.element, wanted.sizes)
    )
    if made.type == wanted.type:
        return made
    name = draft.defined(f"{wanted.kind}.cast {made.name} : {made.type} to {wanted.type}")
    return Value(name, wanted.type, wanted.element, wanted.sizes, made.root)


def of_file(path: Path) -> tuple[list[Module], list[str]]:
    """Programs for the functions of the file at PATH, and why there is none for others."""
    modules: list[Module] = []
    reasons: list[str] = []
    stem = re.sub(r"[^a-z0-9]", "_", path.stem.lower())
    for position, text in enumerate(chunks(path)):
        found, why = called(text, f"{stem}_{position}")
        modules += found
        reasons += why
    return modules, reasons
