"""A tile that is all of a value, or no part of what that is made from, is not made of the value itself."""

from __future__ import annotations

import volcli

JOINED = """\
func.func @f(%x: tensor<3xf32>, %y: tensor<3xf32>) -> tensor<6xf32> {
  %r = tensor.concat dim(0) %x, %y : (tensor<3xf32>, tensor<3xf32>) -> tensor<6xf32>
  return %r : tensor<6xf32>
}
"""


def test_one_tile_is_left_as_it_is() -> None:
    program = volcli.loads(JOINED)
    program.run("tile{sizes=0}")
    assert program.text(annotate="none") == JOINED
    assert [d.code for d in program.diagnostics] == ["V310"]
