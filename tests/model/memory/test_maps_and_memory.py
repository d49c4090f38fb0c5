"""What an operation reads from memory may depend on every input; what has tensors only may not."""

from __future__ import annotations

import pytest

from tests.shared.enumeration import model_of

HEAD = """func.func private @elsewhere() -> f32
func.func @f(%x: tensor<3xf32>, %y: f32) -> tensor<2xf32> {
  %zero = arith.constant 0 : index
  %m = memref.alloc() : memref<2xf32>
  memref.store %y, %m[%zero] : memref<2xf32>
"""
TAIL = """  return %r : tensor<2xf32>
}
"""
LOADED = """  %v = memref.load %m[%zero] : memref<2xf32>
  %r = tensor.splat %v : tensor<2xf32>
"""
IN_A_BODY = """  %r = tensor.generate {
  ^bb0(%i: index):
    %v = memref.load %m[%i] : memref<2xf32>
    tensor.yield %v : f32
  } : tensor<2xf32>
"""
WHOLE = "  %r = bufferization.to_tensor %m restrict : memref<2xf32> to tensor<2xf32>\n"
CALLED = """  %v = func.call @elsewhere() : () -> f32
  %r = tensor.splat %v : tensor<2xf32>
"""


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (IN_A_BODY, "may be read from memory, which may depend on any input"),
        (CALLED, "@elsewhere is only declared; %v may depend on any input"),
    ],
)
def test_memory_may_hold_any_input(body: str, reason: str) -> None:
    model = model_of(HEAD + body + TAIL)
    (result,) = model.results()
    found = model.maps.to_inputs(result)
    assert found.inexact is not None
    assert reason in found.inexact
    elements = model.store.domain(result)
    for argument in model.function.regions[0].block.args:
        (relation,) = (r for use, r in found.targets.items() if use.volume is argument)
        assert relation.is_equal(type(relation).from_domain_and_range(elements, model.store.domain(argument)))


@pytest.mark.parametrize("body", [LOADED, WHOLE])
def test_what_was_stored_is_loaded(body: str) -> None:
    model = model_of(HEAD + body + TAIL)
    (result,) = model.results()
    found = model.maps.to_inputs(result)
    assert found.inexact is None
    assert [use.volume for use in found.targets] == [model.function.regions[0].block.args[1]]


def test_tensors_alone_are_no_memory() -> None:
    model = model_of(
        """func.func @f(%x: tensor<2xf32>, %y: f32) -> tensor<2xf32> {
  %r = bufferization.alloc_tensor() copy(%x) : tensor<2xf32>
  return %r : tensor<2xf32>
}
"""
    )
    (result,) = model.results()
    found = model.maps.to_inputs(result)
    assert [use.volume for use in found.targets] == [model.function.regions[0].block.args[0]]
