"""Memory spaces that may not be plain memory: nothing is said of them that supposes that they are."""

from __future__ import annotations

import pytest

import volcli

TEXT = """func.func @f(%x: f32) {{
  %m = memref.alloc() : memref<4xf32{0}>
  %v = affine.load %m[0] : memref<4xf32{0}>
  affine.for %i = 0 to 8 {{
    affine.store %x, %m[%i] : memref<4xf32{0}>
  }}
  %c2 = arith.constant 2 : index
  %s = memref.subview %m[%c2] [4] [1] : memref<4xf32{0}> to memref<4xf32, strided<[1], offset: ?>{0}>
  return
}}"""


@pytest.mark.sample(4)
@pytest.mark.parametrize(
    "space", ["", ", 3", ", 1 : i32", ", #gpu.address_space<workgroup>", ", #spirv.storage_class<Uniform>"]
)
def test_address_spaces_are_plain_memory(space: str) -> None:
    report = volcli.loads(TEXT.format(space)).run("check-accesses,memory-flow")
    assert [each.code for each in report.diagnostics] == ["V203", "V203", "V205", "V206"]


@pytest.mark.parametrize("space", [', "stream"', ", #other.fifo<2>", ", {bank = 1}"])
def test_of_others_it_is_unknown_what_an_access_does(space: str) -> None:
    program = volcli.loads(TEXT.format(space))
    assert program.run("check-accesses,memory-flow,dependences").diagnostics == []
    function = program.function("f")
    assert function.accesses() == ()
    (loop,) = function.loops()
    assert loop.kind == "unknown"
    for dependence in function.dependences():
        assert dependence.verdict == "unknown"
        assert "may not be plain memory" in (dependence.reason or "")


def test_two_elements_of_a_stream_are_read_in_their_order() -> None:
    text = """func.func @f(%m: memref<4xf32, "stream">) -> (f32, f32) {
      %v = affine.load %m[0] : memref<4xf32, "stream">
      %w = affine.load %m[1] : memref<4xf32, "stream">
      return %v, %w : f32, f32
    }"""
    found = volcli.loads(text).function("f").dependences()
    assert found
    assert {each.verdict for each in found} == {"unknown"}
