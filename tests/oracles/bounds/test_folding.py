"""The oracle's formulas against mlir-opt: each operation of random programs, folded on constant operands."""

from __future__ import annotations

import random
import re
import subprocess
from collections.abc import Iterator

import pytest

from tests.oracles.bounds.draw import programs
from tests.oracles.bounds.nodes import Compute, filled, walk
from tests.oracles.bounds.values import Datum, Value, tensor_type

Case = tuple[str, Datum]


def datum(chance: random.Random, node: Compute, value: Value) -> Datum:
    """Something that VALUE can be as an operand of NODE."""
    if value.type == "i1":
        return chance.randint(0, 1)
    if value.is_tensor:
        return tuple(chance.randint(0, 6) if size is None else size for size in value.sizes)
    if node.formula.mlir.startswith("tensor.dim"):
        return int(node.formula.python.removeprefix("$0[").removesuffix("]"))
    if re.match(r"arith\.shli|tensor\.", node.formula.mlir):
        return chance.randint(0, 3)
    return chance.choice([number for number in range(-9, 10) if number != 0])


def definition(name: str, value: Value, of: Datum) -> Iterator[str]:
    """Text that defines NAME as a constant of the type of VALUE."""
    if isinstance(of, tuple):
        known = tensor_type(of)
        yield f"{name}_static = tensor.empty() : {known}"
        yield f"{name} = tensor.cast {name}_static : {known} to {value.type}"
    elif value.type == "i1":
        yield f"{name} = arith.constant {'true' if of else 'false'}"
    else:
        yield f"{name} = arith.constant {of} : index"


def case(chance: random.Random, node: Compute, number: int) -> Case | None:
    """A function that applies NODE's operation to constants, and what the oracle says it returns."""
    operands = node.formula.operands
    data = [datum(chance, node, value) for value in operands]
    try:
        result = node.formula.function(*data)
    except ValueError:
        return None
    names = [f"%x{position}" for position in range(len(operands))]
    lines = [line for each in zip(names, operands, data, strict=True) for line in definition(*each)]
    text = filled(node.formula.mlir, [Value(name, v.type) for name, v in zip(names, operands, strict=True)])
    lines.append(f"%y = {text}")
    returned, type = ["%y"], node.result.type
    if node.result.is_tensor:
        rank = len(node.result.sizes)
        lines += [f"%k{d} = arith.constant {d} : index" for d in range(rank)]
        lines += [f"%d{d} = tensor.dim %y, %k{d} : {node.result.type}" for d in range(rank)]
        returned, type = [f"%d{d}" for d in range(rank)], ", ".join(["index"] * rank)
    head = f"func.func @f{number}() -> ({type}) {{"
    return "\n".join([head, *lines, f"return {', '.join(returned)} : {type}", "}"]), result


def folded(text: str) -> Iterator[Datum]:
    """The constants that each function of TEXT returns."""
    for body in text.split("func.func @")[1:]:
        constants = dict(re.findall(r"(%[\w-]+) = arith\.constant (-?\d+|true|false)", body))
        last = re.search(r"return (.*) :", body)
        assert last, body
        numbers = [constants.get(name) for name in last[1].split(", ")]
        assert None not in numbers, body
        data = tuple(
            {"true": 1, "false": 0}.get(str(n)) if str(n).isalpha() else int(str(n)) for n in numbers
        )
        yield data  # pyright: ignore[reportReturnType]


@pytest.mark.slow
def test_formulas_fold_to_what_the_oracle_computes(mlir_opt: str) -> None:
    chance = random.Random(5)
    nodes = {
        node.formula.mlir: node
        for program in programs(5, 250)
        for node in walk(program.body)
        if isinstance(node, Compute) and node.formula.operands
    }
    cases = [made for number, node in enumerate(nodes.values()) if (made := case(chance, node, number))]
    passes = ["-canonicalize", "-resolve-shaped-type-result-dims", "-canonicalize"]
    done = subprocess.run(
        [mlir_opt, *passes], input="\n".join(text for text, _ in cases), capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    said = list(folded(done.stdout))
    expected = [of if isinstance(of, tuple) else (of,) for _, of in cases]
    assert len(cases) > 400
    assert [(text, e, s) for (text, _), e, s in zip(cases, expected, said, strict=True) if e != s] == []
