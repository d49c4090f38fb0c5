"""Sizes that rest on loaded numbers, as values: the map leads on to where they were loaded from."""

from __future__ import annotations

import pytest

from tests.shared.enumeration import model_of

HEAD = """func.func @f(%where: tensor<index>, %x: tensor<9xf32>) -> tensor<3xindex> {
  %zero = arith.constant 0 : index
  %k = tensor.extract %where[] : tensor<index>
"""
TAIL = """  return %r : tensor<3xindex>
}
"""
SPLAT = """  %d = tensor.dim %s, %zero : tensor<?xf32>
  %r = tensor.splat %d : tensor<3xindex>
"""
SLICE = "  %s = tensor.extract_slice %x[0] [%k] [1] : tensor<9xf32> to tensor<?xf32>\n"
ASKED_IN_A_BODY = """  %r = tensor.generate {
  ^bb0(%i: index):
    %d = tensor.dim %s, %zero : tensor<?xf32>
    %q = arith.addi %d, %i : index
    tensor.yield %q : index
  } : tensor<3xindex>
"""
MADE_IN_A_BODY = """  %r = tensor.generate {
  ^bb0(%i: index):
    %v = tensor.extract %where[] : tensor<index>
    %s = tensor.empty(%v) : tensor<?xf32>
    %d = tensor.dim %s, %zero : tensor<?xf32>
    tensor.yield %d : index
  } : tensor<3xindex>
"""


@pytest.mark.parametrize(
    "body",
    [
        "  %s = tensor.empty(%k) : tensor<?xf32>\n" + SPLAT,
        SLICE + SPLAT,
        SLICE + ASKED_IN_A_BODY,
        MADE_IN_A_BODY,
    ],
)
def test_a_loaded_size_is_read(body: str) -> None:
    model = model_of(HEAD + body + TAIL)
    (result,) = model.results()
    found = model.maps.to_inputs(result)
    where = model.function.regions[0].block.args[0]
    reached = [r.domain() for use, r in found.targets.items() if use.volume is where]
    assert len(reached) == 1
    assert reached[0].is_equal(model.store.domain(result))


def test_the_size_of_an_argument_is_no_data() -> None:
    model = model_of(
        """func.func @f(%x: tensor<?xf32>) -> tensor<3xindex> {
  %zero = arith.constant 0 : index
  %d = tensor.dim %x, %zero : tensor<?xf32>
  %r = tensor.splat %d : tensor<3xindex>
  return %r : tensor<3xindex>
}
"""
    )
    (result,) = model.results()
    found = model.maps.to_inputs(result)
    assert (dict(found.targets), found.inexact) == ({}, None)
