"""The judge on answers that are right, and on each way to be wrong."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.oracles.memory.fixed import any_distance, shifted_rows, skewed
from tests.oracles.memory.judge import Answer, Witness, judge, judge_loop
from tests.oracles.memory.programs import Question

QUESTION = Question(0, 1, 1)
TRUE = {(1, 1), (2, 2), (3, 3), (5, -1), (6, 0), (7, 1)}
WITNESS = Witness((0, 1), (1, 2), (3, 5), {})  # a store of m[3, 5], and a load of m[3, 8]


def truthful() -> Answer:
    """The right answer about the store and the load of `skewed` at depth 1."""
    program = skewed()
    trace = program.run(()).trace
    store, load = next(
        (a, b)
        for a in trace
        for b in trace
        if (a.site, b.site) == (0, 1) and a.element == b.element and a.ivs[0] < b.ivs[0]
    )
    witness = Witness(store.ivs, load.ivs, store.element, {})
    hull = ((1, 7), (-1, 3))
    return Answer("dependent", "RAW", lambda vector: TRUE, None, hull, True, witness, None, "said")


def worth(answer: Answer) -> str:
    """What it is worth."""
    return judge(skewed(), QUESTION, answer).worth


def test_the_truth_is_exact() -> None:
    assert worth(truthful()) == "exact"


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"verdict": "independent"}, "wrong"),
        ({"verdict": "unknown"}, "wrong"),
        ({"verdict": "unknown", "because": "budget"}, "unknown"),
        ({"kind": "WAR"}, "wrong"),
        ({"distances": lambda vector: TRUE - {(6, 0)}}, "wrong"),
        ({"distances": lambda vector: TRUE | {(4, 0)}}, "overclaimed"),
        ({"distances": lambda vector: TRUE | {(4, 0)}, "exact": False}, "loose"),
        ({"hull": ((1, 6), (-1, 3))}, "wrong"),
        ({"hull": ((1, None), (-1, 3))}, "overclaimed"),
        ({"hull": ((1, 7),)}, "wrong"),
        ({"witness": None}, "wrong"),
        ({"witness": WITNESS}, "wrong"),
    ],
)
def test_what_is_not_the_truth_is_not_exact(change: dict[str, object], expected: str) -> None:
    assert worth(replace(truthful(), **change)) == expected


def test_a_pair_at_another_depth_is_no_witness() -> None:
    answer = Answer(
        "dependent", "RAW", lambda vector: set(), None, ((2, 2), (0, 0)), True, None, None, "said"
    )
    backward = replace(answer, distances=lambda vector: {(2, 0)}, witness=Witness((0, 0), (2, 0), (0, 0), {}))
    assert judge(shifted_rows(), QUESTION, backward).worth == "exact"
    assert judge(shifted_rows(), Question(0, 1, 2), backward).worth == "overclaimed"


def test_a_witness_may_name_a_run_that_was_not_tried() -> None:
    answer = Answer(
        "dependent", "WAW", lambda vector: {(d,) for d in range(1, vector[0])}, None, ((1, None),), True,
        Witness((0,), (8,), (0,), {"%n": 9}), None, "said",
    )  # fmt: skip
    assert judge(any_distance(), Question(1, 1, 1), answer).worth == "exact"
    outside = replace(answer, witness=Witness((0,), (8,), (0,), {"%n": 8}))
    assert judge(any_distance(), Question(1, 1, 1), outside).worth == "wrong"


def test_loops() -> None:
    assert [judge_loop(shifted_rows(), 0, said, None).worth for said in ("carried", "parallel")] == [
        "exact",
        "wrong",
    ]
    assert [judge_loop(shifted_rows(), 1, said, None).worth for said in ("carried", "parallel")] == [
        "overclaimed",
        "exact",
    ]
    assert [judge_loop(shifted_rows(), 0, "unknown", why).worth for why in (None, "budget")] == [
        "wrong",
        "unknown",
    ]
