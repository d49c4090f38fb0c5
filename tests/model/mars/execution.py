"""Programs whose arrays are laid out by MARS, executed beside what they were, on arrays of pseudo-random numbers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import volcli
from tests.shared.execution import executed

_ARGUMENT = re.compile(r"%\w+: (memref<[^>]*>|index)")


@dataclass(frozen=True)
class Case:
    """A function, what it became, and calls: for each argument the number of an index, or the sizes of a memref."""

    before: str
    after: str
    calls: Sequence[Sequence[int | tuple[int, ...]]]
    tile: str = ""


def laid_out(text: str, tile: str, among: Sequence[str] = ()) -> str:
    """TEXT with its arrays laid out in these tiles; all that is said of it has one of the texts AMONG in it."""
    program = volcli.load(text, timeout=None)
    program.run(f"mars{{tile='{tile}' allocate assume-noalias-args}}")
    said = [each.message for each in program.diagnostics]
    assert all(any(part in message for part in among) for message in said), said
    return program.text()


def differing(mlir_opt: str, cases: Sequence[Case]) -> list[tuple[int, int]]:
    """Of each case: how many elements of all arguments differ behind its calls, and how many these change."""
    texts: list[str] = []
    lines = ["%zero = arith.constant 0 : i64"]
    for number, case in enumerate(cases):
        texts += [
            re.sub(r"@\w+\(", f"@{which}_{number}(", _own_aliases(text, f"{which}_{number}"), count=1)
            for which, text in (("before", case.before), ("after", case.after))
        ]
        lines += _case(number, case)
    body = "\n".join(f"  {line}" for line in [*lines, "return"])
    printed = executed(mlir_opt, "\n".join([*texts, f"func.func @main() {{\n{body}\n}}\n"])).split()
    assert len(printed) == 2 * len(cases)
    return [(int(a), int(b)) for a, b in zip(printed[::2], printed[1::2], strict=True)]


def _own_aliases(text: str, name: str) -> str:
    return re.sub(r"(?<![\w.\"])#(\w+)(?![\w.])", rf"#{name}_\1", text)


def _case(number: int, case: Case) -> list[str]:
    """The calls of CASE, and two numbers that are printed."""
    header = next(line for line in case.before.splitlines() if line.startswith("func.func"))
    kinds = _ARGUMENT.findall(header)
    counters = [f"%{counter}_{number}" for counter in ("differing", "changed")]
    lines: list[str] = []
    for counter in counters:
        lines += [
            f"{counter} = memref.alloc() : memref<i64>",
            f"memref.store %zero, {counter}[] : memref<i64>",
        ]
    for call, arguments in enumerate(case.calls):
        names = [f"%s{number}_{call}_{k}" for k in range(len(kinds))]
        for which in ("first", "before", "after"):
            for k, (name, kind, argument) in enumerate(zip(names, kinds, arguments, strict=True)):
                lines += _made(f"{name}_{which}", kind, argument, k)
        for which in ("before", "after"):
            passed = ", ".join(f"{name}_{which}" for name in names)
            lines.append(f"func.call @{which}_{number}({passed}) : ({', '.join(kinds)}) -> ()")
        for name, kind in zip(names, kinds, strict=True):
            if kind != "index":
                lines += _compared(f"{name}_before", f"{name}_after", kind, counters[0])
                lines += _compared(f"{name}_before", f"{name}_first", kind, counters[1])
    for counter in counters:
        lines += [f"{counter}_n = memref.load {counter}[] : memref<i64>", f"vector.print {counter}_n : i64"]
    return lines


def _made(name: str, kind: str, argument: int | tuple[int, ...], salt: int) -> list[str]:
    """NAME of a KIND: a number, or an array in which element e is a number that depends on e."""
    if isinstance(argument, int):
        return [f"{name} = arith.constant {argument} : index"]
    *shape, element = kind.removeprefix("memref<").removesuffix(">").split("x")
    unknown = [size for size, written in zip(argument, shape, strict=True) if written == "?"]
    lines = [f"{name}_size{k} = arith.constant {size} : index" for k, size in enumerate(unknown)]
    sizes = ", ".join(f"{name}_size{k}" for k in range(len(unknown)))
    identity = _identity(len(shape))
    loops = ", ".join(['"parallel"'] * len(shape))
    lines += [
        f"{name} = memref.alloc({sizes}) : {kind}",
        f"linalg.generic {{indexing_maps = [{identity}], iterator_types = [{loops}]}} outs({name} : {kind}) {{",
        f"^bb0(%old: {element}):",
        f"%h0 = arith.constant {salt} : i64",
    ]
    for k in range(len(shape)):
        lines += [
            f"%i{k} = linalg.index {k} : index",
            f"%j{k} = arith.index_cast %i{k} : index to i64",
            f"%p{k} = arith.constant {(31, 17, 7, 43)[k]} : i64",
            f"%a{k} = arith.addi %h{k}, %j{k} : i64",
            f"%h{k + 1} = arith.muli %a{k}, %p{k} : i64",
        ]
    lines += ["%most = arith.constant 29 : i64", f"%mod = arith.remsi %h{len(shape)}, %most : i64"]
    value = "%mod"
    if element != "i64":
        cast = "trunci" if element.startswith("i") else "sitofp"
        lines.append(f"%value = arith.{cast} %mod : i64 to {element}")
        value = "%value"
    return [*lines, f"linalg.yield {value} : {element}", "}"]


def _compared(one: str, other: str, kind: str, counter: str) -> list[str]:
    """COUNTER and how many elements of both differ."""
    *shape, element = kind.removeprefix("memref<").removesuffix(">").split("x")
    dims = ", ".join(f"d{k}" for k in range(len(shape)))
    compare = "arith.cmpi ne" if element.startswith("i") else "arith.cmpf une"
    maps = ", ".join([*[_identity(len(shape))] * 2, f"affine_map<({dims}) -> ()>"])
    loops = ", ".join(['"reduction"'] * len(shape))
    return [
        f"linalg.generic {{indexing_maps = [{maps}], iterator_types = [{loops}]}} "
        f"ins({one}, {other} : {kind}, {kind}) outs({counter} : memref<i64>) {{",
        f"^bb0(%x: {element}, %y: {element}, %n: i64):",
        f"%ne = {compare}, %x, %y : {element}",
        "%more = arith.extui %ne : i1 to i64",
        "%sum = arith.addi %n, %more : i64",
        "linalg.yield %sum : i64",
        "}",
    ]


def _identity(rank: int) -> str:
    dims = ", ".join(f"d{k}" for k in range(rank))
    return f"affine_map<({dims}) -> ({dims})>"
