"""What is answered does not depend on what was asked before: in order, backwards, shuffled, or alone."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest
from xdsl.ir import SSAValue

import volcli
from tests.oracles.bounds.draw import drawn
from tests.shared.seeds import seeds, spread
from volcli.api.program import Program
from volcli.model.function import FunctionModel
from volcli.model.values.store.store import BoundsStore

TESTDATA = Path(__file__).parents[2] / "testdata"
FILES = sorted(path for path in TESTDATA.rglob("*.mlir") if "errors" not in path.parts)
_MOST_ALONE = 6
Question = tuple[SSAValue, int | None]

OWN = {
    "a number that wraps around a loop": """
        %half = arith.constant 4611686018427387904 : index
        %r = scf.for %i = %c0 to %c2 step %c1 iter_args(%a = %half) -> index {
          %b = arith.addi %a, %half : index
          scf.yield %b : index
        }
    """,
    "two loops that depend on each other": """
        %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %c2) -> index {
          %s = scf.for %j = %c0 to %m step %c1 iter_args(%b = %a) -> index {
            %p = arith.muli %b, %a : index
            %q = arith.remsi %p, %c7 : index
            %x = arith.maxsi %q, %c1 : index
            scf.yield %x : index
          }
          %y = arith.minsi %s, %c7 : index
          scf.yield %y : index
        }
    """,
    "a product twice, and what is made of it": """
        %p = arith.muli %n, %m : index
        %x = arith.minsi %p, %c7 : index
        %q = arith.muli %m, %n : index
        %y = arith.subi %q, %x : index
    """,
    "one remainder in three branches": """
        %l = arith.cmpi slt, %n, %m : index
        %a = scf.if %l -> index {
          %x = affine.apply affine_map<()[s0] -> (s0 mod 3)>()[%n]
          %y = arith.subi %m, %x : index
          scf.yield %y : index
        } else {
          scf.yield %c2 : index
        }
        %b = affine.apply affine_map<()[s0] -> (s0 mod 3)>()[%n]
        %c = arith.subi %a, %b : index
        %d = arith.minsi %c, %b : index
    """,
    "one element in two blocks": """
        %l = arith.cmpi slt, %n, %m : index
        %a = scf.if %l -> index {
          %x = memref.load %t[%c0] : memref<?xindex>
          %y = arith.muli %x, %m : index
          %z = arith.minsi %y, %c7 : index
          scf.yield %z : index
        } else {
          scf.yield %c2 : index
        }
        %b = memref.load %t[%c0] : memref<?xindex>
        %c = arith.muli %b, %m : index
        %d = arith.minsi %c, %a : index
    """,
    "elements at indices that are elements": """
        %e = memref.load %t[%c0] : memref<?xindex>
        %f = memref.load %t[%e] : memref<?xindex>
        memref.store %c7, %u[%f] : memref<?xindex>
        %g = memref.load %u[%c0] : memref<?xindex>
        memref.store %c1, %t[%g] : memref<?xindex>
        %h = memref.load %t[%c0] : memref<?xindex>
        %d = arith.subi %h, %e : index
    """,
}


def written(body: str) -> Program:
    """The function with BODY."""
    return volcli.loads(f"""
        func.func @f(%n: index, %m: index, %t: memref<?xindex>, %u: memref<?xindex>) {{
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %c2 = arith.constant 2 : index
          %c7 = arith.constant 7 : index
          {body}
          return
        }}""")


def asked(model: FunctionModel, questions: Iterable[Question]) -> dict[Question, tuple[object, ...]]:
    """What a new store says of QUESTIONS, asked in this order."""
    store = BoundsStore(model.function, model.name_of)
    return {question: said_of(store, *question) for question in questions}


def said_of(store: BoundsStore, value: SSAValue, dim: int | None) -> tuple[object, ...]:
    """Bounds of VALUE as numbers and in terms of leaves, as they are written, and which of them are exact."""
    numbers, symbolic = store.constant_bounds(value, dim), store.bounds(value, dim)
    sides = [(str(side.expression), side.exact) for side in (symbolic.lower, symbolic.upper)]
    return numbers.lower, numbers.upper, numbers.lower_exact, numbers.upper_exact, numbers.never, *sides


def shuffled(questions: Sequence[Question], seed: int) -> list[Question]:
    return random.Random(seed).sample(list(questions), len(questions))


def check(program: Program, most_alone: int = _MOST_ALONE, *, backwards: bool = True) -> None:
    for model in (model for unit in program.units for model in unit.models()):
        questions = list(BoundsStore(model.function, model.name_of).variables())
        expected = asked(model, questions)
        for order in (questions[::-1], shuffled(questions, 0))[not backwards :]:
            assert asked(model, order) == expected
        for question in shuffled(questions, 2)[:most_alone]:
            assert asked(model, [question]) == {question: expected[question]}


@pytest.mark.sample(2)
@pytest.mark.parametrize("path", spread(FILES, 45), ids=lambda path: str(path.relative_to(TESTDATA)))
def test_of_testdata(path: Path) -> None:
    """Shuffled, and two values alone; in a campaign backwards, and more of them alone, too."""
    check(volcli.load(path), 2, backwards=False)


@pytest.mark.fuzz
def test_of_all_testdata() -> None:
    for path in FILES:
        check(volcli.load(path))


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", OWN)
def test_of_own_programs(name: str) -> None:
    check(written(OWN[name]))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seed", "unbounded", "with_bits"),
    [(f"order/{n}", n % 2 == 1, n % 3 == 0) for n in range(6)]
    + [("7/38", False, False), ("7/40", False, False), ("7/56", False, False)],
)
def test_of_generated_programs(seed: str, *, unbounded: bool, with_bits: bool) -> None:
    program = drawn(seed, unbounded=unbounded, with_bits=with_bits)
    check(volcli.loads(program.with_places()))


@pytest.mark.fuzz
def test_of_many_generated_programs() -> None:
    """The long campaign of `make fuzz`: each value alone, too."""
    for number in range(200):
        program = drawn(f"order/{number}", unbounded=number % 2 == 1, with_bits=number % 3 == 0)
        check(volcli.loads(program.with_places()), most_alone=1000)
        read_anew(number)


@pytest.mark.sample(1)
@pytest.mark.parametrize("number", seeds(6, of=100))
def test_of_generated_programs_that_are_read_anew(number: int) -> None:
    read_anew(number)


def read_anew(number: int) -> None:
    """All values in a random order, of a program that is the same but for where its objects are in memory."""
    drawn_program = drawn(f"anew/{number}", unbounded=number % 2 == 1, with_bits=number % 3 == 0)
    answers: list[list[object]] = []
    for seed in (None, number):
        for model in (m for unit in volcli.loads(drawn_program.with_places()).units for m in unit.models()):
            questions = list(BoundsStore(model.function, model.name_of).variables())
            found = asked(model, questions if seed is None else shuffled(questions, seed))
            answers.append([found[question] for question in questions])
    half = len(answers) // 2
    assert answers[:half] == answers[half:]


def test_what_wraps_around_a_loop_is_no_large_number() -> None:
    """2^62, then 2^63, which is -2^63 in 64 bits."""
    (unit,) = written(OWN["a number that wraps around a loop"]).units
    (model,) = unit.models()
    store = BoundsStore(model.function, model.name_of)
    found = {model.name_of(value): store.constant_bounds(value, dim) for value, dim in store.variables()}
    assert not found["%r"].never
    for name, numbers in {"%a": (2**62, -(2**63)), "%b": (-(2**63), -(2**62)), "%r": (-(2**62),)}.items():
        low, high = found[name].lower, found[name].upper
        assert all((low is None or low <= n) and (high is None or n <= high) for n in numbers), name
