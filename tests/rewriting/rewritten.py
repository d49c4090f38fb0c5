"""Programs before and after a rewrite, both executed on the same random inputs: how many elements differ.

Elements are equal if they have the same bits, or are both NaN. All pairs are functions of one module, whose
@main calls both of each pair and prints the number of different elements.
"""

from __future__ import annotations

import random
import re
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import volcli
from tests.shared.checks import checked_if, one_of_three
from tests.shared.execution import executed

SPECIAL = (float("inf"), float("-inf"), float("nan"), -0.0, 0.0)


@dataclass(frozen=True)
class Pair:
    """The texts of one function, @f, before and after; `sizes` are those of the `?` of its arguments.

    `special` is how many of 100 numbers are an infinity, a NaN or a zero of either sign; with `signless`, zeros
    of either sign are equal.
    """

    before: str
    after: str
    sizes: Sequence[int] = ()
    special: int = 0
    signless: bool = False
    name: str = "f"


@cache
def rewritten_by(pipeline: str, text: str, *, stays: bool = False) -> str:
    """TEXT behind PIPELINE, of which nothing is said but that something was not checked: execution shows it.

    Sets compare one of three, too.

    Of a program that `stays` as it is, V310 says so.
    """
    program = volcli.load(text, timeout=None)
    with checked_if(one_of_three(pipeline, text)):
        program.run(pipeline)
    assert {each.code for each in program.diagnostics} <= ({"V310"} if stays else {"V313"})
    return program.text()


def functions(path: Path) -> dict[str, str]:
    """The chunks of a file by the names of their functions."""
    found: dict[str, str] = {}
    for text in path.read_text().split("// -----"):
        name = re.search(r"func\.func @(\w+)", text)
        assert name is not None
        found[name[1]] = text
    return found


def differences(mlir_opt: str, pairs: Sequence[Pair], seed: int = 0) -> list[int]:
    """For each of PAIRS the number of elements that differ; one text is one function, however many call it."""
    chance = random.Random(seed)
    body: list[str] = []
    names: dict[tuple[str, str], str] = {}
    for number, pair in enumerate(pairs):
        texts = (pair.before, pair.name), (pair.after, pair.name)
        before, after = (names.setdefault(text, f"f_{len(names)}") for text in texts)
        body += _compared(pair, number, (before, after), chance)
    functions = [_renamed(text, name, new) for (text, name), new in names.items()]
    main = "\n".join(["func.func @main() {", *body, "return", "}"])
    printed = executed(mlir_opt, "\n".join([*functions, main]))
    found = [int(line) for line in printed.split()]
    assert len(found) == len(pairs), printed
    return found


def _renamed(text: str, name: str, new: str) -> str:
    """TEXT with another name of its function, and aliases that no other text has."""
    text = re.sub(rf"@{name}\b", f"@{new}", text)
    return re.sub(r"(?<![\w.\"])#(\w+)(?![\w.])", rf"#{new}_\1", text)


def signature(text: str, name: str = "f") -> tuple[list[str], list[str]]:
    """The types of the arguments and results of the function @NAME in TEXT."""
    head = re.search(rf"func\.func @{name}\((.*?)\)\s*->\s*(.*?)\s*(?:attributes|{{\s*\n)", text, re.DOTALL)
    assert head is not None, text
    arguments = re.findall(r"%\w+\s*:\s*([^,{]+(?:<[^>]*>)?)", head[1])
    results = head[2].strip().removeprefix("(").removesuffix(")")
    return [kind.strip() for kind in arguments], [kind.strip() for kind in results.split(",")]


def _compared(pair: Pair, number: int, functions: tuple[str, str], chance: random.Random) -> list[str]:
    """The operations that call both FUNCTIONS of PAIR and print how many elements differ."""
    arguments, results = signature(pair.before, pair.name)
    sizes = iter(pair.sizes)
    names = [f"%in{number}_{k}" for k in range(len(arguments))]
    lines: list[str] = []
    for name, kind in zip(names, arguments, strict=True):
        lines += _input(name, kind, sizes, pair.special, chance)
    types = f"({', '.join(arguments)}) -> ({', '.join(results)})"
    for which, function in zip(("before", "after"), functions, strict=True):
        out = f"%{which}{number}:{len(results)}"
        lines.append(f"{out} = func.call @{function}({', '.join(names)}) : {types}")
    lines.append(f"%zero{number} = arith.constant 0 : index")
    total = f"%zero{number}"
    for k, kind in enumerate(results):
        counted, total = _count(number, k, kind, total, signless=pair.signless)
        lines += counted
    return [*lines, f"vector.print {total} : index"]


def _shape(kind: str) -> tuple[list[str], str]:
    inside = re.fullmatch(r"tensor<(.*)>", kind)
    assert inside is not None, kind
    *shape, element = inside[1].split("x")
    return shape, element


def _input(name: str, kind: str, sizes: object, special: int, chance: random.Random) -> list[str]:
    """A random value of type KIND under NAME."""
    if not kind.startswith("tensor"):
        literal = _literal(kind, special, chance)
        return [f"{name} = arith.constant {literal}{'' if kind == 'i1' else f' : {kind}'}"]
    shape, element = _shape(kind)
    known = [int(next(sizes)) if s == "?" else int(s) for s in shape]  # pyright: ignore
    static = "x".join([*map(str, known), element])
    value = "" if 0 in known else _dense(known, element, special, chance)
    if static == kind[7:-1]:
        return [f"{name} = arith.constant dense<{value}> : {kind}"]
    constant = f"{name}_static = arith.constant dense<{value}> : tensor<{static}>"
    return [constant, f"{name} = tensor.cast {name}_static : tensor<{static}> to {kind}"]


def _dense(shape: Sequence[int], element: str, special: int, chance: random.Random) -> str:
    if not shape:
        return _literal(element, special, chance)
    return "[" + ", ".join(_dense(shape[1:], element, special, chance) for _ in range(shape[0])) + "]"


def _literal(element: str, special: int, chance: random.Random) -> str:
    if not element.startswith("f"):
        return str(chance.randint(-9, 9)) if element != "i1" else chance.choice(("true", "false"))
    number = chance.choice(SPECIAL) if chance.randrange(100) < special else round(chance.uniform(-2, 2), 3)
    letter, width = {"f32": (">f", 8), "f64": (">d", 16)}[element]
    return f"0x{struct.pack(letter, number).hex().upper():0>{width}}"


def _count(number: int, result: int, kind: str, total: str, *, signless: bool) -> tuple[list[str], str]:
    """A loop nest that adds the number of different elements of one result to TOTAL."""
    shape, element = _shape(kind)
    tag = f"{number}_{result}"
    lines = [f"%c0_{tag} = arith.constant 0 : index", f"%c1_{tag} = arith.constant 1 : index"]
    for d in range(len(shape)):
        lines.append(f"%d{d}_{tag} = arith.constant {d} : index")
        lines.append(f"%n{d}_{tag} = tensor.dim %before{number}#{result}, %d{d}_{tag} : {kind}")
        lines.append(f"%m{d}_{tag} = tensor.dim %after{number}#{result}, %d{d}_{tag} : {kind}")
    carried = total
    for d in range(len(shape)):
        lines.append(
            f"%r{d}_{tag} = scf.for %i{d}_{tag} = %c0_{tag} to %n{d}_{tag} step %c1_{tag} "
            f"iter_args(%a{d}_{tag} = {carried}) -> (index) {{"
        )
        carried = f"%a{d}_{tag}"
    index = ", ".join(f"%i{d}_{tag}" for d in range(len(shape)))
    for letter, which in (("x", "before"), ("y", "after")):
        lines.append(f"%{letter}_{tag} = tensor.extract %{which}{number}#{result}[{index}] : {kind}")
    if element.startswith("f"):
        bits = f"i{element[1:]}"
        lines += [
            f"%bx_{tag} = arith.bitcast %x_{tag} : {element} to {bits}",
            f"%by_{tag} = arith.bitcast %y_{tag} : {element} to {bits}",
            f"%ne_{tag} = arith.cmpf une, %x_{tag}, %y_{tag} : {element}"
            if signless
            else f"%ne_{tag} = arith.cmpi ne, %bx_{tag}, %by_{tag} : {bits}",
            f"%ox_{tag} = arith.cmpf ord, %x_{tag}, %x_{tag} : {element}",
            f"%oy_{tag} = arith.cmpf ord, %y_{tag}, %y_{tag} : {element}",
            f"%o_{tag} = arith.ori %ox_{tag}, %oy_{tag} : i1",
            f"%differ_{tag} = arith.andi %ne_{tag}, %o_{tag} : i1",
        ]
    else:
        lines.append(f"%differ_{tag} = arith.cmpi ne, %x_{tag}, %y_{tag} : {element}")
    lines.append(f"%one_{tag} = arith.extui %differ_{tag} : i1 to i64")
    lines.append(f"%more_{tag} = arith.index_cast %one_{tag} : i64 to index")
    lines.append(f"%sum_{tag} = arith.addi {carried}, %more_{tag} : index")
    inner = f"%sum_{tag}"
    for d in reversed(range(len(shape))):
        lines += [f"scf.yield {inner} : index", "}"]
        inner = f"%r{d}_{tag}"
    return lines, inner
