"""Chains of mixed operations: each question is answered or says why not, however long they are."""

from __future__ import annotations

import importlib.util
import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest

import volcli
from volcli.execution.runs.inputs import Inputs
from volcli.facts.bounds import BoundsFact
from volcli.language.expressions import NotAffine, loop, maximum, minimum, parameter
from volcli.language.programs.element_numbers import MadeOf, made_of
from volcli.language.unchanged import operations_in, unchanged
from volcli.limits.language import DEPTH
from volcli.limits.values import LONG_EFFORT
from volcli.model.symbols import entry_of
from volcli.passes.table import UNASKED, find_question

_WIDTH = 2**63


def _wrapped(number: int) -> int:
    return (number + _WIDTH) % (2 * _WIDTH) - _WIDTH


STEPS: dict[str, Callable[[int, int], int]] = {
    "addi": lambda a, b: _wrapped(a + b),
    "subi": lambda a, b: _wrapped(a - b),
    "muli": lambda a, b: _wrapped(a * b),
    "minsi": min,
    "maxsi": max,
    "floordivsi": lambda a, b: a // b,
    "ceildivsi": lambda a, b: -(-a // b),
    "remsi": lambda a, b: abs(a) % b * (1 if a >= 0 else -1),
}
BY_NUMBER = {"muli", "floordivsi", "ceildivsi", "remsi"}


def drawn(count: int, seed: int) -> list[tuple[str, str | int]]:
    """The operations of a chain, each with its second operand."""
    draw = random.Random(seed)
    names = [*STEPS, "select"]
    chosen = (draw.choice(names) for _ in range(count))
    return [
        (name, draw.choice((3, 7)) if name in BY_NUMBER else draw.choice(("b", "c", 3, 7))) for name in chosen
    ]


def index_chain(steps: list[tuple[str, str | int]]) -> str:
    """The chain over %a, %b and %c as a function."""
    lines = ["func.func @f(%x0: index, %b: index, %c: index) -> index {"]
    lines += [f"  %k{k} = arith.constant {k} : index" for k in (3, 7)]
    for k, (name, other) in enumerate(steps):
        second = f"%{other}" if isinstance(other, str) else f"%k{other}"
        if name == "select":
            lines.append(f"  %s{k} = arith.cmpi slt, %x{k}, {second} : index")
            lines.append(f"  %x{k + 1} = arith.select %s{k}, %x{k}, {second} : index")
        else:
            lines.append(f"  %x{k + 1} = arith.{name} %x{k}, {second} : index")
    return "\n".join([*lines, f"  return %x{len(steps)} : index", "}", ""])


def braided_chain(count: int, seed: int) -> str:
    """Operations on any two of the values before: written as one expression, each doubles what it is made of."""
    draw, known = random.Random(seed), ["%n", "%m"]
    lines = [
        "func.func @f(%n: index, %m: index) -> index {",
        *(f"  %k{k} = arith.constant {k} : index" for k in (1, 5)),
    ]
    for k in range(count):
        last, other, new = known[-1], draw.choice(known[-12:]), f"%v{k}"
        lines += draw.choice((
            [f"  {new} = arith.addi {last}, {other} : index"],
            [f"  {new} = arith.muli {last}, {other} : index"],
            [f"  {new} = arith.maxsi {last}, {other} : index"],
            [f"  {new} = arith.shli {last}, %k1 : index"],
            [f"  {new} = arith.remsi {last}, {other} : index"],
            [f"  {new} = arith.divui {last}, %k5 : index"],
            [f"  {new} = affine.apply affine_map<(a, b) -> (a mod 5 + b floordiv 3)>({last}, {other})"],
            [f"  %i{k} = arith.index_cast {last} : index to i32",
             f"  {new} = arith.index_cast %i{k} : i32 to index"],
        ))  # fmt: skip
        known.append(new)
    return "\n".join([*lines, f"  return {known[-1]} : index", "}", ""])


def braided_conditions(count: int, seed: int) -> str:
    """Operations on any two of the values before, which demand that many divisors are not 0, and return all."""
    draw, known = random.Random(seed), ["%n", "%m", "%p"]
    lines = [f"  %k{k} = arith.constant {k} : index" for k in (1, 5, 255)]
    for k in range(count):
        last, other, new = known[-1], draw.choice(known[-8:]), f"%v{k}"
        lines += draw.choice((
            [f"  {new} = arith.addi {last}, {other} : index"],
            [f"  {new} = arith.subi {last}, {other} : index"],
            [f"  {new} = arith.remsi {last}, {draw.choice((other, '%p'))} : index"],
            [f"  {new} = arith.divsi {last}, {draw.choice((other, '%m'))} : index"],
            [f"  {new} = arith.andi {last}, %k255 : index"],
            [f"  {new} = arith.xori {last}, {other} : index"],
            [f"  {new} = affine.min affine_map<(a, b) -> (a, b + 4, 99)>({last}, {other})"],
            [f"  {new} = affine.apply affine_map<(a, b) -> (a mod 5 + b floordiv 3 + 1)>({last}, {other})"],
        ))  # fmt: skip
        known.append(new)
    results = ", ".join(["index"] * len(known))
    head = f"func.func @f(%n: index, %m: index, %p: index) -> ({results}) {{"
    return "\n".join([head, *lines, f"  return {', '.join(known)} : {results}", "}", ""])


def tensor_chain(count: int, seed: int) -> str:
    """A chain of slices, paddings, casts and elementwise operations."""
    draw = random.Random(seed)
    lines = [
        "#m = affine_map<(d0) -> (d0)>",
        "func.func @f(%t0: tensor<?xf32>, %n: index, %z: f32) -> tensor<?xf32> {",
        "  %c0 = arith.constant 0 : index",
    ]
    for k in range(count):
        at, new = f"%t{k}", f"%t{k + 1}"
        lines.append(f"  %d{k} = tensor.dim {at}, %c0 : tensor<?xf32>")
        lines += draw.choice((
            [f"  {new} = tensor.extract_slice {at}[%n] [%d{k}] [1] : tensor<?xf32> to tensor<?xf32>"],
            [f"  {new} = tensor.pad {at} low[1] high[%n] {{", f"  ^bb0(%i{k}: index):",
             "    tensor.yield %z : f32", "  } : tensor<?xf32> to tensor<?xf32>"],
            [f"  %u{k} = tensor.cast {at} : tensor<?xf32> to tensor<64xf32>",
             f"  {new} = tensor.cast %u{k} : tensor<64xf32> to tensor<?xf32>"],
            [f"  {new} = linalg.generic {{indexing_maps = [#m, #m], iterator_types = [\"parallel\"]}} "
             f"ins({at} : tensor<?xf32>) outs({at} : tensor<?xf32>) {{", "  ^bb0(%p: f32, %q: f32):",
             "    %s = arith.addf %p, %p : f32", "    linalg.yield %s : f32", "  } -> tensor<?xf32>"],
        ))  # fmt: skip
    return "\n".join([*lines, f"  return %t{count} : tensor<?xf32>", "}", ""])


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [index_chain(drawn(1200, 1)), tensor_chain(300, 1), braided_chain(60, 3)],
    ids=["index", "tensors", "braided"],
)
def test_all_questions_are_answered_or_say_why_not(text: str) -> None:
    program = volcli.loads(text)
    for question in UNASKED:
        program.run(find_question(question))
    assert [str(each) for each in program.diagnostics if each.code in ("V900", "V305")] == []
    for fact in program.facts:
        assert list(fact.rows())
        assert fact.to_json()


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_bounds_without_sets_hold(seed: int) -> None:
    """Where sets have grown too large, the ranges say so, and each number lies within them."""
    steps, draw = drawn(300, seed), random.Random(seed)
    facts = volcli.loads(index_chain(steps)).run("value-bounds").facts
    known = {fact.value: fact for fact in facts if isinstance(fact, BoundsFact)}
    found = [known[f"%x{k + 1}"] for k in range(len(steps))]
    for _ in range(20):
        numbers = {name: draw.randrange(-99, 99) for name in "xbc"}
        number = numbers["x"]
        for (name, other), bounds in zip(steps, found, strict=True):
            second = numbers[other] if isinstance(other, str) else other
            number = min(number, second) if name == "select" else STEPS[name](number, second)
            assert bounds.lower.constant is None or bounds.lower.constant <= number
            assert bounds.upper.constant is None or number <= bounds.upper.constant


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_conditions_of_a_braided_chain_hold_in_all_executions(seed: int) -> None:
    """Of n divisors that are not 0 there are 2^n cases; what runs to the end is within all bounds."""
    program = volcli.loads(braided_conditions(20, seed))
    facts = {f.value: f for f in program.run("value-bounds").facts if isinstance(f, BoundsFact)}
    draw, ran = random.Random(seed), 0
    for _ in range(30):
        found = program.function("f").run(Inputs(numbers={name: draw.randrange(-20, 50) for name in "nmp"}))
        if found.diagnostic is not None:
            continue
        ran += 1
        for value, number in zip([*"nmp", *(f"v{k}" for k in range(20))], found.results, strict=True):
            bounds = facts[f"%{value}"]
            assert not bounds.never
            assert bounds.lower.constant is None or bounds.lower.constant <= int(number)
            assert bounds.upper.constant is None or int(number) <= bounds.upper.constant
    assert ran


def returning_all(text: str) -> tuple[str, list[str]]:
    """TEXT of one block of numbers, which returns each %x of these; and their names."""
    head, *lines = text.splitlines()
    names = [line.split()[0] for line in lines if re.match(r"\s+%x\d+ = ", line)]
    kinds = ", ".join(["index"] * len(names))
    body = [
        head.replace("-> index", f"-> ({kinds})"),
        *lines[:-2],
        f"  return {', '.join(names)} : {kinds}",
        "}",
    ]
    return "\n".join([*body, ""]), names


@pytest.mark.slow
@pytest.mark.parametrize("count", [91, 92])
def test_intervals_after_the_last_set_hold_in_all_executions(root: Path, count: int) -> None:
    """They rest on no assumption about products, so that nothing is said of those that may overflow."""
    spec = importlib.util.spec_from_file_location("chains", root / "benchmarks" / "chains.py")
    assert spec is not None
    assert spec.loader is not None
    chains = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(chains)
    text, names = returning_all(chains.braided(count))
    program = volcli.loads(text)
    facts = {f.value: f for f in program.run("value-bounds").facts if isinstance(f, BoundsFact)}
    known = [
        name
        for name in names
        if not facts[name].assumptions and any(str(LONG_EFFORT) in row[-1] for row in facts[name].rows())
    ]
    assert len(known) > count // 5
    draw = random.Random(count)
    for _ in range(4):
        found = program.function("chain").run(
            Inputs(numbers={name: draw.randrange(-20, 50) for name in "mpq"})
        )
        numbers = dict(zip(names, map(int, found.results), strict=True))
        for name in known:
            bounds = facts[name]
            assert bounds.lower.constant is None or bounds.lower.constant <= numbers[name]
            assert bounds.upper.constant is None or numbers[name] <= bounds.upper.constant


@pytest.mark.slow
def test_nothing_is_executed_after_what_is_never_executed() -> None:
    """In one block; and no bound is the interval of no number."""
    facts = volcli.loads(braided_chain(60, 0)).run("value-bounds").facts
    bounds = [fact for fact in facts if isinstance(fact, BoundsFact)]
    never = [fact.never for fact in bounds]
    assert any(never)
    assert never == sorted(never)
    for fact in bounds:
        low, high = fact.lower.constant, fact.upper.constant
        assert low is None or high is None or low <= high


@pytest.mark.slow
def test_what_masks_are_made_of_is_known_of_long_chains() -> None:
    """Each of 5,000 operations is looked at once: a mask of coordinates stays one, and data is data."""
    lines = ["func.func @f(%t0: tensor<8xi32>) -> (tensor<8xi32>, tensor<8xi32>) {"]
    lines += [
        "  %m0 = tensor.generate {",
        "  ^bb0(%i: index):",
        "    %c = arith.index_cast %i : index to i32",
    ]
    lines += ["    tensor.yield %c : i32", "  } : tensor<8xi32>"]
    for k in range(5000):
        lines += [f"  %{each}{k + 1} = arith.addi %{each}{k}, %{each}{k} : tensor<8xi32>" for each in "tm"]
    lines += ["  return %t5000, %m5000 : tensor<8xi32>, tensor<8xi32>", "}", ""]
    (function,) = volcli.loads("\n".join(lines)).units[0].of_module()
    returned = entry_of(function.function).last_op
    assert returned is not None
    with unchanged():
        assert [made_of(each) for each in returned.operands] == [MadeOf.DATA, MadeOf.LOOPS]
        made = [made_of(r) for op in operations_in(function.function) for r in op.results]
    assert made.count(MadeOf.DATA) == 5000
    assert made.count(MadeOf.LOOPS) == 5001


@pytest.mark.slow
def test_what_has_no_set_says_so() -> None:
    """Each value has a set of many pieces of its own: there is an end to it."""
    lines = ["func.func @f(%x0: index, %b: index) {", "  %k = arith.constant 7 : index"]
    for k in range(300):
        lines += [
            f"  %r{k} = arith.remsi %x{k}, %k : index",
            f"  %m{k} = arith.minsi %r{k}, %b : index",
            f"  %s{k} = arith.addi %m{k}, %x{k} : index",
            f"  %x{k + 1} = arith.floordivsi %s{k}, %k : index",
        ]
    program = volcli.loads("\n".join([*lines, "  return", "}", ""])).run("value-bounds")
    reasons = [row[-1] for fact in program.facts for row in fact.rows()]
    assert any(str(LONG_EFFORT) in reason for reason in reasons)
    assert program.diagnostics == []


def test_no_expression_nests_deeper_than_the_limit() -> None:
    deep = loop(0)
    for number in range(DEPTH // 2):
        deep = maximum(minimum(deep, parameter("n")) - loop(1), parameter("m") + number)
    assert deep.depth == DEPTH
    with pytest.raises(NotAffine):
        minimum(deep, loop(2))
    with pytest.raises(NotAffine):
        _ = (deep + 1) // 2


@pytest.mark.slow
def test_very_many_conditions_are_not_listed_at_each_place() -> None:
    """What is stated may restrict anything, and nothing is claimed to be attained."""
    lines = ["func.func @f(%a: index) {"]
    for k in range(1100):
        lines += [
            f"  %k{k} = arith.constant {k + 2000} : index",
            f"  %c{k} = arith.cmpi slt, %a, %k{k} : index",
            f'  cf.assert %c{k}, "small"',
        ]
    lines += ["  %e = arith.addi %a, %k0 : index", "  return", "}", ""]
    (fact,) = volcli.loads("\n".join(lines)).run("value-bounds{of=%e}").facts
    (row,) = fact.rows()
    assert "more than 1000 conditions" in row[-1]
