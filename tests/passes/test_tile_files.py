"""tile, on the programs of testdata/tile: executed before and after, and proved to compute the same."""

from __future__ import annotations

import pytest

import volcli
from tests.conftest import ROOT
from tests.execution import needs_runner
from tests.rewritten import Pair, differences, functions

EVERY = {
    name: text
    for path in sorted((ROOT / "testdata" / "tile").glob("*.mlir"))
    for name, text in functions(path).items()
}
PIPELINES = (
    "tile{sizes=4,3}",
    "tile{sizes=2,0 loops=scf.forall}",
    "tile{sizes=3,5 fuse=none}",
    "tile{sizes=0,2 max-boxes=1}",
)
LENGTHS = (0, 1, 5, 8)
"""The sizes of the `?` of all arguments."""


def tiled(name: str, pipeline: str) -> str:
    """The function NAME behind PIPELINE, in which nothing was left and nothing went wrong."""
    program = volcli.loads(EVERY[name]).run(pipeline)
    assert [d.message for d in program.diagnostics] == []
    assert program.units[0].rewritten
    return program.text(annotate="none")


@needs_runner
@pytest.mark.mlir
@pytest.mark.parametrize("pipeline", PIPELINES)
def test_what_is_computed_stays(pipeline: str, mlir_opt: str) -> None:
    pairs: list[Pair] = []
    for name, text in EVERY.items():
        after, unknown = tiled(name, pipeline), text.partition("->")[0].count("?")
        special = 0 if "i32" in text else 10
        for length in LENGTHS if unknown else (0,):
            pairs.append(Pair(text, after, (length,) * unknown, special, name=name))
    assert differences(mlir_opt, pairs) == [0] * len(pairs)


@pytest.mark.parametrize("name", [name for name, text in EVERY.items() if "?" not in text])
def test_it_is_proved_that_it_stays(name: str) -> None:
    program = volcli.loads(EVERY[name]).run(PIPELINES[0])
    assert [unit.unchecked for unit in program.units] == [[]]


@pytest.mark.parametrize(
    ("name", "operation"), [("two_sums", "addui_extended"), ("sum_and_product", "generic")]
)
def test_results_of_one_operation_are_computed_in_the_same_loops(name: str, operation: str) -> None:
    text = tiled(name, "tile{sizes=4,0}")
    assert text.count(operation) == text.count("scf.for ") + (
        name == "two_sums"
    )  # the last two rows: no loop
    assert text.count("insert_slice %") == 2 * text.count(operation)
