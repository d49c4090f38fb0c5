"""Long chains: no recursion is as deep as they are, and the last bound is right."""

from __future__ import annotations

import operator
from collections.abc import Callable

import pytest

import volcli
from volcli.model.values.answers import ConstantBounds


def last_of(count: int, step: str, arguments: str = "") -> ConstantBounds:
    """The bounds of the last of COUNT values, each made from the one before; only it is asked for."""
    lines = [step.format(last=f"%x{k}", next=f"%x{k + 1}", k=k) for k in range(count)]
    text = "\n".join([
        f"func.func @chain(%m: index, %y: index{arguments}) {{",
        "  %c1 = arith.constant 1 : index",
        "  %c7 = arith.constant 7 : index",
        "  %c0 = arith.constant 0 : index",
        "  %least = arith.maxsi %m, %c0 : index",
        "  %x0 = arith.minsi %least, %c7 : index",
        *lines,
        "  return",
        "}",
    ])  # fmt: skip
    (unit,) = volcli.load(text).units
    (model,) = unit.models()
    value = unit.parsed.names.find(model.function, f"%x{count}")
    assert value is not None
    return model.bounds.constant_bounds(value)


@pytest.mark.parametrize(
    ("step", "bounds"),
    [
        ("{next} = arith.addi {last}, %c1 : index", (1200, 1207)),
        ("%s{k} = arith.addi {last}, %c7 : index\n{next} = arith.remsi %s{k}, %c7 : index", (0, 6)),
        ("%s{k} = arith.addi {last}, %c7 : index\n{next} = arith.maxsi %s{k}, %y : index", (8400, None)),
        (
            "%s{k} = arith.cmpi slt, {last}, %y : index\n%t{k} = arith.addi {last}, %c1 : index\n"
            "{next} = arith.select %s{k}, %t{k}, {last} : index",
            (0, 1207),
        ),
    ],
    ids=["sums", "remainders", "maxima", "selections"],
)
def test_twelve_hundred_steps(step: str, bounds: tuple[int | None, int | None]) -> None:
    found = last_of(1200, step)
    assert (found.lower, found.upper) == bounds


def test_a_missing_bound_has_its_reason_from_far_away() -> None:
    found = last_of(1200, "%s{k} = arith.addi {last}, %c7 : index\n{next} = arith.maxsi %s{k}, %y : index")
    assert found.because == "%y is an argument of the function"


def test_sizes() -> None:
    step = (
        "%d{k} = tensor.dim {last}, %c0 : tensor<?xf32>\n%n{k} = arith.minsi %d{k}, %c7 : index\n"
        "{next} = tensor.empty(%n{k}) : tensor<?xf32>"
    )
    text = "\n".join(
        [
            "func.func @chain(%x0: tensor<?xf32>) {",
            "%c0 = arith.constant 0 : index",
            "%c7 = arith.constant 7 : index",
        ]
        + [step.format(last=f"%x{k}", next=f"%x{k + 1}", k=k) for k in range(1000)]
        + ["return", "}"]
    )
    (unit,) = volcli.load(text).units
    (model,) = unit.models()
    value = unit.parsed.names.find(model.function, "%x1000")
    assert value is not None
    found = model.bounds.constant_bounds(value, 0)
    assert (found.lower, found.upper, found.exact) == (0, 7, True)


def test_minima_and_maxima_of_sums_are_exact_however_many() -> None:
    """Each value of the chain is written as one expression over the arguments, which has its number."""
    names, operands = ("addi", "subi", "minsi", "maxsi"), ("%p", "%q", "%m")
    chain = [(names[k % 4], operands[k % 3]) for k in range(60)]
    lines = [f"  %x{k + 1} = arith.{name} %x{k}, {other} : index" for k, (name, other) in enumerate(chain)]
    text = "func.func @chain(%m: index, %p: index, %q: index) {\n  %x0 = arith.addi %m, %p : index\n"
    program = volcli.loads(text + "\n".join(lines) + "\n  return\n}\n")
    steps: dict[str, Callable[[int, int], int]] = {
        "addi": operator.add, "subi": operator.sub, "minsi": min, "maxsi": max
    }  # fmt: skip
    for numbers in ({"m": 3, "p": 11, "q": -4}, {"m": -20, "p": 6, "q": 5}, {"m": 0, "p": -7, "q": 30}):
        number = numbers["m"] + numbers["p"]
        for position, (name, other) in enumerate(chain, 1):
            number = steps[name](number, numbers[other[1:]])
            if position % 15 == 0:
                found = program.function("chain").bounds(f"%x{position}")
                assert found.lower.exact
                assert found.upper.exact
                assert found.lower.text is not None
                assert found.lower.text == found.upper.text
                formula = found.lower.text.replace("%", "")
                assert eval(formula, {"min": min, "max": max}, numbers) == number
