"""What fusions of affine loops have got wrong, reconstructed: each is found, with an element."""

from __future__ import annotations

import pytest

import volcli

OVERWRITTEN = (
    """\
func.func @f(%a: memref<10xf32>, %b: memref<10xf32>, %r: memref<10xf32>) {
  %t = memref.alloc() : memref<10xf32>
  affine.for %i = 0 to 10 {
    %x = affine.load %a[%i] : memref<10xf32>
    affine.store %x, %t[%i] : memref<10xf32>
  }
  affine.for %i = 0 to 10 {
    %x = affine.load %b[%i] : memref<10xf32>
    affine.store %x, %a[%i] : memref<10xf32>
  }
  affine.for %i = 0 to 10 {
    %x = affine.load %t[%i] : memref<10xf32>
    affine.store %x, %r[%i] : memref<10xf32>
  }
  return
}
""",
    """\
func.func @f(%a: memref<10xf32>, %b: memref<10xf32>, %r: memref<10xf32>) {
  affine.for %i = 0 to 10 {
    %x = affine.load %b[%i] : memref<10xf32>
    affine.store %x, %a[%i] : memref<10xf32>
  }
  affine.for %i = 0 to 10 {
    %x = affine.load %a[%i] : memref<10xf32>
    affine.store %x, %r[%i] : memref<10xf32>
  }
  return
}
""",
)
"""A producer is fused past a write to what it reads: the consumer gets the new elements of %a."""

SLICE = (
    """\
func.func @f(%a: memref<12xf32>, %r: memref<10xf32>) {
  %t = memref.alloc() : memref<12xf32>
  affine.for %i = 0 to 12 {
    %x = affine.load %a[%i] : memref<12xf32>
    %y = arith.mulf %x, %x : f32
    affine.store %y, %t[%i] : memref<12xf32>
  }
  affine.for %i = 0 to 10 {
    %x = affine.load %t[%i] : memref<12xf32>
    %y = affine.load %t[%i + 2] : memref<12xf32>
    %s = arith.addf %x, %y : f32
    affine.store %s, %r[%i] : memref<10xf32>
  }
  return
}
""",
    """\
func.func @f(%a: memref<12xf32>, %r: memref<10xf32>) {
  %t = memref.alloc() : memref<12xf32>
  affine.for %i = 0 to 10 {
    affine.for %j = affine_map<(d0) -> (d0)>(%i) to affine_map<(d0) -> (d0 + 2)>(%i) {
      %x = affine.load %a[%j] : memref<12xf32>
      %y = arith.mulf %x, %x : f32
      affine.store %y, %t[%j] : memref<12xf32>
    }
    %x = affine.load %t[%i] : memref<12xf32>
    %y = affine.load %t[%i + 2] : memref<12xf32>
    %s = arith.addf %x, %y : f32
    affine.store %s, %r[%i] : memref<10xf32>
  }
  return
}
""",
)
"""The slice of the producer that is computed for an iteration ends one element too early: the union of what two
loads need was taken without its end."""

REDUCED = (
    """\
func.func @f(%a: memref<4x6xf32>, %s: memref<4xf32>, %r: memref<4x6xf32>) {
  affine.for %i = 0 to 4 { affine.for %j = 0 to 6 {
    %x = affine.load %a[%i, %j] : memref<4x6xf32>
    %y = affine.load %s[%i] : memref<4xf32>
    %z = arith.addf %x, %y : f32
    affine.store %z, %s[%i] : memref<4xf32>
  } }
  affine.for %i = 0 to 4 { affine.for %j = 0 to 6 {
    %y = affine.load %s[%i] : memref<4xf32>
    affine.store %y, %r[%i, %j] : memref<4x6xf32>
  } }
  return
}
""",
    """\
func.func @f(%a: memref<4x6xf32>, %s: memref<4xf32>, %r: memref<4x6xf32>) {
  affine.for %i = 0 to 4 { affine.for %j = 0 to 6 {
    %x = affine.load %a[%i, %j] : memref<4x6xf32>
    %y = affine.load %s[%i] : memref<4xf32>
    %z = arith.addf %x, %y : f32
    affine.store %z, %s[%i] : memref<4xf32>
    %t = affine.load %s[%i] : memref<4xf32>
    affine.store %t, %r[%i, %j] : memref<4x6xf32>
  } }
  return
}
""",
)
"""Two nests are fused at the depth of a reduction: its consumer reads what has been summed up so far."""


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("programs", "expected"),
    [
        (OVERWRITTEN, "argument %r: different: element [0] no longer depends on %a[0]"),
        (SLICE, "argument %r: different: element [0] no longer depends on %a[2]"),
        (REDUCED, "argument %r: different: element [0, 0] no longer depends on %a[0, 1]"),
    ],
    ids=["overwritten", "slice", "reduced"],
)
def test_a_wrong_fusion_is_found(programs: tuple[str, str], expected: str) -> None:
    before, after = map(volcli.loads, programs)
    (found,) = before.diff(after)
    assert expected in map(str, found.outputs)


def test_a_right_fusion_is_equal() -> None:
    """The slice with all elements that an iteration needs."""
    before = volcli.loads(SLICE[0])
    (found,) = before.diff(volcli.loads(SLICE[1].replace("(d0 + 2)", "(d0 + 3)")))
    assert found.verdict == "equal", found.lines()
