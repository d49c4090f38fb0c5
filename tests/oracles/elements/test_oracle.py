"""The oracle judged by something that it cannot argue with: the numbers that the programs compute."""

from __future__ import annotations

import json
import random
import subprocess
from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings

from tests.oracles.elements.compare import class_of, compare
from tests.oracles.elements.elements import Source
from tests.oracles.elements.examples import EXAMPLES, conv_layer, transposed_conv, wide_pad
from tests.oracles.elements.execute import Numbers, execute, random_inputs
from tests.oracles.elements.facts import Evaluation, evaluate
from tests.oracles.elements.nodes import Constant
from tests.oracles.elements.programs import Program
from tests.oracles.elements.regressions import REGRESSIONS
from tests.oracles.elements.strategies import programs, seeded
from tests.oracles.elements.values import Value, sanitised
from tests.shared.seeds import seeds

SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large]
# Nothing in these hides a dependence: no max, no selection, every operand positive.
MONOTONE = sorted(set(EXAMPLES) - {"conv_layer", "max_pooling"})


def check_against_numbers(program: Program, seed: int) -> None:
    """Constant elements do not move, zeros are 0, and a changed input moves only elements that read it."""
    chance = random.Random(seed)
    facts = evaluate(program)
    inputs = random_inputs(program, chance)
    first, second = execute(program, inputs), execute(program, random_inputs(program, chance))
    for value in program.values:
        for point, element in facts.facts[value.name].elements.items():
            numbers = first[value.name][point], second[value.name][point]
            assert element.reaches or numbers[0] == numbers[1], (value.name, point, "is static")
            assert not element.zero or numbers == (0, 0), (value.name, point, "is zero")
    for argument in program.arguments:
        point = chance.choice(argument.points)
        moved = changed(program, inputs, first, argument.name, point, 1000)
        assert moved <= readers(facts, Source(argument.name, point, False)), (argument.name, point)


def changed(
    program: Program,
    inputs: dict[str, Numbers],
    before: dict[str, Numbers],
    name: str,
    point: tuple[int, ...],
    by: int,
) -> set[tuple[str, tuple[int, ...]]]:
    """The elements of all values that differ if the argument's element NAME[POINT] is BY larger."""
    other = {**inputs, name: {**inputs[name], point: inputs[name][point] + by}}
    after = execute(program, other)
    return {
        (value, place)
        for value in before
        for place, number in before[value].items()
        if after[value][place] != number
    }


def readers(facts: Evaluation, source: Source) -> set[tuple[str, tuple[int, ...]]]:
    """The elements of all values that read SOURCE."""
    bit = facts.bit(source)
    return {
        (name, place) for name, of in facts.facts.items() for place, e in of.elements.items() if e.reads & bit
    }


@pytest.mark.slow
@settings(max_examples=40, suppress_health_check=SLOW)
@given(programs())
def test_drawn_programs_agree_with_their_numbers(program: Program) -> None:
    check_against_numbers(program, 0)


@pytest.mark.sample(2)
@pytest.mark.parametrize("seed", seeds(15, of=60))
def test_seeded_programs_agree_with_their_numbers(seed: int) -> None:
    check_against_numbers(seeded(seed), seed)


@pytest.mark.slow
@pytest.mark.parametrize("make", [*EXAMPLES.values(), *REGRESSIONS.values()])
def test_examples_agree_with_their_numbers(make: Callable[[], Program]) -> None:
    check_against_numbers(make(), 0)


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", MONOTONE)
def test_reads_are_tight(name: str) -> None:
    """With positive numbers everywhere, every element that reads an input moves with it."""
    drawn = EXAMPLES[name]()
    nodes = (replace(node, numbers=(2,)) if isinstance(node, Constant) else node for node in drawn.nodes)
    program = replace(drawn, nodes=tuple(nodes))
    facts = evaluate(program)
    inputs = {a.name: {point: 1 + k % 5 for k, point in enumerate(a.points)} for a in program.arguments}
    before = execute(program, inputs)
    for argument in program.arguments:
        for point in (argument.points[0], argument.points[-1], argument.points[argument.size // 2]):
            moved = changed(program, inputs, before, argument.name, point, 7)
            assert moved == readers(facts, Source(argument.name, point, False)), point


def kinds(program: Program) -> Counter[tuple[str, int]]:
    """How many elements of the first result are of each kind and degree."""
    facts = evaluate(program).facts[program.returned[0].name]
    return Counter((facts.kind(place), facts.degree(place)) for place in facts.elements)


@pytest.mark.slow
def test_layer_of_figure_1() -> None:
    """Per plane: one row and column at each side, as in the paper's 256 x 256 (E000-3: none is static)."""
    assert kinds(conv_layer()) == {("dense", 0): 2 * 16, ("sparse", 1): 2 * 16, ("sparse", 2): 2 * 4}


@pytest.mark.slow
def test_wide_pad_has_static_elements() -> None:
    """The outer ring of 8 x 8 outputs reads padding only; weights do not matter: 0 * weight is 0."""
    expected = {("static", 0): 28, ("dense", 0): 4, ("sparse", 1): 16, ("sparse", 2): 16}
    assert kinds(wide_pad()) == expected
    assert kinds(wide_pad(constant_weights=False)) == expected
    with_bias = kinds(wide_pad(constant_weights=False, bias=True))
    assert with_bias[("static", 0)] == 0


@pytest.mark.slow
def test_transposed_convolution_has_a_period() -> None:
    """Stride 2 into zeros: what an output element sees depends on its parity."""
    facts = evaluate(transposed_conv())
    assert facts.facts["spread"].period == (1, 2, 2, 1)
    assert facts.facts["conv0"].period == (1, 2, 2, 1)


@pytest.mark.slow
def test_mlir_opt_accepts_the_programs(mlir_opt: str) -> None:
    texts = [make().mlir() for make in (*EXAMPLES.values(), *REGRESSIONS.values())]
    texts += [seeded(seed).mlir() for seed in range(150)]
    command = [mlir_opt, "--allow-unregistered-dialect", "--split-input-file"]
    done = subprocess.run(
        command, input="// -----\n".join(texts), text=True, capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("func.func @f") == len(texts)


def told(program: Program) -> dict[str, list[dict[str, list[dict[str, object]]]]]:
    """A perfect answer, as volcli would print it."""
    evaluation = evaluate(program)
    return {"files": [{"facts": [f for v in program.values for f in answer_for(evaluation, v)]}]}


def answer_for(evaluation: Evaluation, value: Value) -> list[dict[str, object]]:
    """The facts of one value as JSON, point by point."""
    facts, name = evaluation.facts[value.name], sanitised(value.name)
    classes: dict[tuple[object, ...], list[tuple[int, ...]]] = {}
    for point in value.points:
        classes.setdefault(class_of(facts, point), []).append(point)

    def text(points: list[tuple[int, ...]]) -> str:
        return "{ " + "; ".join(f"{name}{list(point)}" for point in points) + " }"

    regions = [
        {"kind": kind, "degree": degree, "set": text(points), "count": len(points)}
        for (kind, degree, _), points in classes.items()
    ]
    pairs = [
        f"{name}{list(point)} -> {sanitised(source.name)}{list(source.place)}"
        for point, element in facts.elements.items()
        for source in sorted(evaluation.decode(element.reads))
    ]
    common = {"value": f"%{value.name}", "exact": True, "reason": None}
    return [
        {"question": "regions", "domain": text(value.points), "regions": regions, **common},
        {"question": "maps", "map": "{ " + "; ".join(pairs) + " }", **common},
    ]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["wide_pad", "joined", "structural_zeros", "gather", "partly_written"])
def test_the_judge_accepts_the_truth(name: str) -> None:
    program = EXAMPLES[name]()
    assert compare(program, told(program)) == []


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"kind": "static"', '"kind": "sparse"'),
        ("pad0[1, 3]; ", ""),
        ("-> left[0, 0]", "-> left[0, 1]"),
        ("-> cst0_pad0[]", "-> cst0_pad1[]"),
        ("; both[2, 4] -> ", "; both[2, 5] -> "),
        ('"count": 8', '"count": 7'),
    ],
)
def test_the_judge_notices_a_lie(old: str, new: str) -> None:
    program = EXAMPLES["joined"]()
    text = json.dumps(told(program))
    assert old in text
    assert compare(program, json.loads(text.replace(old, new, 1))) != []
