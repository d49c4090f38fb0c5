"""Long chains: no recursion is as deep as they are, and the last bound is right."""

from __future__ import annotations

import operator
import random
from collections.abc import Callable

import pytest

import volcli
from volcli.model.values.terms.answers import Bound, ConstantBounds


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


@pytest.mark.slow
@pytest.mark.parametrize(
    ("step", "bounds"),
    [
        ("{next} = arith.addi {last}, %c1 : index", (1200, 1207)),
        ("%s{k} = arith.addi {last}, %c7 : index\n{next} = arith.remsi %s{k}, %c7 : index", (0, 6)),
        (
            "%s{k} = arith.cmpi slt, {last}, %y : index\n%t{k} = arith.addi {last}, %c1 : index\n"
            "{next} = arith.select %s{k}, %t{k}, {last} : index",
            (0, 1207),
        ),
    ],
    ids=["sums", "remainders", "selections"],
)
def test_twelve_hundred_steps(step: str, bounds: tuple[int | None, int | None]) -> None:
    found = last_of(1200, step)
    assert (found.lower, found.upper) == bounds


@pytest.mark.slow
def test_a_missing_bound_has_its_reason_from_far_away() -> None:
    """Whose other bound is the sum of all steps."""
    found = last_of(1200, "%s{k} = arith.addi {last}, %c7 : index\n{next} = arith.maxsi %s{k}, %y : index")
    assert (found.lower, found.upper) == (8400, None)
    assert found.because == "%y is an argument of the function"


@pytest.mark.slow
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


STEPS: dict[str, Callable[[int, int], int]] = {
    "addi": operator.add,
    "subi": operator.sub,
    "muli": operator.mul,
    "minsi": min,
    "maxsi": max,
    "divsi": lambda a, b: abs(a) // b * (1 if a >= 0 else -1),
    "remsi": lambda a, b: abs(a) % b * (1 if a >= 0 else -1),
    "ceildivsi": lambda a, b: -(-a // b),
    "divui": lambda a, b: a % 2**64 // b,
    "remui": lambda a, b: a % 2**64 % b,
}


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_what_becomes_too_large_is_approximated_and_holds(seed: int) -> None:
    """Chains of mixed operations, in which remainders depend on what came before: all numbers are within bounds."""
    draw = random.Random(seed)
    chain: list[tuple[str, int | str]] = []
    for _ in range(40):
        name = draw.choice(list(STEPS))
        by_number = name in {"muli", "divsi", "remsi", "ceildivsi", "divui", "remui"}
        chain.append((name, draw.choice((2, 3, 5, 7, 8, 16)) if by_number else draw.choice("mpq")))
    lines = [f"  %k{k} = arith.constant {k} : index" for k in (2, 3, 5, 7, 8, 16)]
    lines += [
        f"  %x{k + 1} = arith.{name} %x{k}, {f'%k{other}' if isinstance(other, int) else f'%{other}'} : index"
        for k, (name, other) in enumerate(chain)
    ]
    text = "func.func @chain(%m: index, %p: index, %q: index) {\n  %x0 = arith.addi %m, %p : index\n"
    (unit,) = volcli.loads(text + "\n".join(lines) + "\n  return\n}\n").units
    (model,) = unit.models()
    found: list[tuple[Bound, Bound]] = []
    for k in range(len(chain)):
        value = unit.parsed.names.find(model.function, f"%x{k + 1}")
        assert value is not None
        bounds = model.bounds.bounds(value)
        found.append((bounds.lower, bounds.upper))
    assert any(lower.constant is not None for lower, _ in found)
    for _ in range(20):
        numbers = {name: draw.choice((draw.randrange(-9, 9), draw.randrange(-999, 999))) for name in "mpq"}
        number = numbers["m"] + numbers["p"]
        for (name, other), bounds in zip(chain, found, strict=True):
            number = STEPS[name](number, other if isinstance(other, int) else numbers[other])
            number = (number + 2**63) % 2**64 - 2**63
            for side, sign in zip(bounds, (1, -1), strict=True):
                assert side.constant is None or sign * number >= sign * side.constant
                if side.expression is not None:
                    written = model.bounds.texts.of(side.expression).replace("%", "")
                    formula = written.replace("floordiv", "//").replace("mod", "%")
                    assert sign * number >= sign * eval(formula, {"min": min, "max": max}, numbers)


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
