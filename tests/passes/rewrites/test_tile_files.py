"""tile, on the programs of testdata/tile: executed before and after, and proved to compute the same."""

from __future__ import annotations

import pytest

import volcli
from tests.conftest import ROOT
from tests.rewriting.rewritten import Pair, differences, functions
from tests.shared.checks import checked_if
from tests.shared.execution import needs_runner

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
LARGE = ("padded_layer", "inserted_anywhere", "concatenated")
"""More pieces of code of unknown size than the check of a rewrite follows."""


def tiled(name: str, pipeline: str) -> str:
    """The function NAME behind PIPELINE, in which nothing was left and nothing went wrong."""
    number = list(EVERY).index(name) + (*PIPELINES, pipeline).index(pipeline)
    with checked_if(number % 3 == 0):  # each with some, and some with each
        program = volcli.loads(EVERY[name], timeout=None).run(pipeline)
    assert [d.message for d in program.diagnostics if d.code not in ("V311", "V313")] == []
    assert program.units[0].rewritten
    return program.text(annotate="none")


@pytest.mark.slow
@needs_runner
@pytest.mark.parametrize("every", [2 * len(PIPELINES), pytest.param(1, marks=pytest.mark.fuzz)])
@pytest.mark.parametrize("pipeline", PIPELINES)
def test_what_is_computed_stays(pipeline: str, every: int, mlir_opt: str) -> None:
    pairs: list[Pair] = []
    for number, (name, text) in enumerate(EVERY.items()):
        if (number + 3 * PIPELINES.index(pipeline)) % every:
            continue  # one program in two in one of the ways, in a campaign each in all four
        after, unknown = tiled(name, pipeline), text.partition("->")[0].count("?")
        special = 0 if "i32" in text else 10
        for length in LENGTHS if unknown else (0,):
            pairs.append(Pair(text, after, (length,) * unknown, special, name=name))
    assert differences(mlir_opt, pairs) == [0] * len(pairs)


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", [name for name in EVERY if name not in LARGE])
def test_it_is_proved_that_it_stays(name: str) -> None:
    program = volcli.loads(EVERY[name]).run(PIPELINES[0])
    assert [unit.unchecked for unit in program.units] == [[]]


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("name", "operation"), [("two_sums", "addui_extended"), ("sum_and_product", "generic")]
)
def test_results_of_one_operation_are_computed_in_the_same_loops(name: str, operation: str) -> None:
    text = tiled(name, "tile{sizes=4,0}")
    assert text.count(operation) == text.count("scf.for ") + (
        name == "two_sums"
    )  # the last two rows: no loop
    assert text.count("insert_slice %") == 2 * text.count(operation)


@pytest.mark.slow
def test_a_layer_of_unknown_size_has_nine_pieces_of_code() -> None:
    """Its corners, its edges, and its interior, which reads no padding; each loop carries one result."""
    text = tiled("padded_layer", "tile{sizes=4,4}")
    assert text.count("linalg.conv_2d ") == 9
    assert text.count("tensor.pad ") == 8
    assert tiled("padded_layer", "tile{sizes=0,4}").count("linalg.conv_2d ") == 3


READS_MEMORY = """
func.func @f(%m: memref<8xf32>, %x: tensor<8xf32>, %v: f32) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %g = tensor.generate {
  ^bb0(%i: index):
    %a = memref.load %m[%i] : memref<8xf32>
    tensor.yield %a : f32
  } : tensor<8xf32>
  memref.store %v, %m[%c0] : memref<8xf32>
  %r = arith.addf %g, %x : tensor<8xf32>
  return %r : tensor<8xf32>
}
"""


def test_what_reads_memory_is_not_computed_later() -> None:
    text = volcli.loads(READS_MEMORY).run("tile{sizes=4}").text(annotate="none")
    assert text.index("tensor.generate") < text.index("memref.store") < text.index("scf.for")
    assert text.count("tensor.generate") == 1


ANY_OF_TWO = """
func.func @f(%x: tensor<?xf32>, %y: tensor<?xf32>, %c: i1) -> tensor<?xf32> {
  %s = arith.select %c, %x, %y : tensor<?xf32>
  %r = arith.negf %s : tensor<?xf32>
  return %r : tensor<?xf32>
}
"""


def test_a_tensor_of_one_size_or_another_is_chosen_as_a_whole() -> None:
    """There need be no part of %y where %x has one."""
    text = volcli.loads(ANY_OF_TWO).run("tile{sizes=4}").text(annotate="none")
    assert "%s_part = tensor.extract_slice %s[" in text
    assert text.count("arith.select") == 1
