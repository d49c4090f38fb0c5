"""What passes of mlir-opt make, in small: each pair is equal, or wrong in a way that was seen."""

from __future__ import annotations

import re

import pytest

import volcli

COUNTED = """func.func @f(%a: memref<?xf32>, %o: memref<?xf32>, %n: index, %z: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %r = scf.for %i = %c0 to %n step %c2 iter_args(%s = %z) -> f32 {
    %x = memref.load %a[%i] : memref<?xf32>
    %y = arith.addf %s, %x : f32
    memref.store %y, %o[%i] : memref<?xf32>
    scf.yield %y : f32
  }
  return %r : f32
}
"""
WHILE = """func.func @f(%a: memref<?xf32>, %o: memref<?xf32>, %n: index, %z: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %r:2 = scf.while (%i = %c0, %s = %z) : (index, f32) -> (index, f32) {
    %c = arith.cmpi slt, %i, %n : index
    scf.condition(%c) %i, %s : index, f32
  } do {
  ^bb0(%i: index, %s: f32):
    %next = arith.addi %i, %c2 : index
    %x = memref.load %a[%i] : memref<?xf32>
    %y = arith.addf %s, %x : f32
    memref.store %y, %o[%i] : memref<?xf32>
    scf.yield %next, %y : index, f32
  }
  return %r#1 : f32
}
"""
BLOCKS = """func.func @f(%a: memref<?xf32>, %o: memref<?xf32>, %n: index, %z: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  cf.br ^head(%c0, %z : index, f32)
^head(%i: index, %s: f32):
  %c = arith.cmpi slt, %i, %n : index
  cf.cond_br %c, ^body(%i, %s : index, f32), ^end
^body(%j: index, %t: f32):
  %next = arith.addi %j, %c2 : index
  %x = memref.load %a[%j] : memref<?xf32>
  %y = arith.addf %t, %x : f32
  memref.store %y, %o[%j] : memref<?xf32>
  cf.br ^head(%next, %y : index, f32)
^end:
  return %s : f32
}
"""
ROWS = """func.func @f(%a: memref<5x8xf32>, %o: memref<5x8xf32>) {
  affine.for %i = 0 to 5 {
    affine.for %j = 0 to 8 {
      %x = affine.load %a[%i, %j] : memref<5x8xf32>
      %y = arith.addf %x, %x : f32
      affine.store %y, %o[%i, %j] : memref<5x8xf32>
    }
  }
  return
}
"""
COALESCED = """#mod = affine_map<(d0)[s0] -> (d0 mod s0)>
#div = affine_map<(d0)[s0] -> (d0 floordiv s0)>
func.func @f(%a: memref<5x8xf32>, %o: memref<5x8xf32>) {
  %five = affine.apply affine_map<() -> (5)>()
  %eight = affine.apply affine_map<() -> (8)>()
  %n = affine.apply affine_map<(d0)[s0] -> (d0 * s0)>(%five)[%eight]
  affine.for %k = 0 to %n {
    %j = affine.apply #mod(%k)[%eight]
    %i = affine.apply #div(%k)[%eight]
    %x = affine.load %a[%i, %j] : memref<5x8xf32>
    %y = arith.addf %x, %x : f32
    affine.store %y, %o[%i, %j] : memref<5x8xf32>
  }
  return
}
"""
LANES = """func.func @f(%a: memref<5x8xf32>, %o: memref<5x8xf32>) {
  %p = ub.poison : f32
  affine.for %i = 0 to 5 {
    affine.for %j = 0 to 8 step 4 {
      %x = vector.transfer_read %a[%i, %j], %p : memref<5x8xf32>, vector<4xf32>
      %y = arith.addf %x, %x : vector<4xf32>
      vector.transfer_write %y, %o[%i, %j] : vector<4xf32>, memref<5x8xf32>
    }
  }
  return
}
"""
COLUMNS = """func.func @f(%a: memref<8xf32>, %o: memref<8x4xf32>) {
  %z = arith.constant 0.0 : f32
  affine.for %i = 0 to 8 {
    %x = vector.transfer_read %a[%i], %z {permutation_map = affine_map<(d0) -> (0)>}
      : memref<8xf32>, vector<4xf32>
    vector.transfer_write %x, %o[%i, %i] {in_bounds = [false]} : vector<4xf32>, memref<8x4xf32>
  }
  return
}
"""
DOWN = """func.func @f(%a: memref<34x34xf32>) {
  affine.for %i = 1 to 33 {
    affine.for %j = 0 to 33 {
      %x = affine.load %a[%i - 1, %j + 1] : memref<34x34xf32>
      affine.store %x, %a[%i, %j] : memref<34x34xf32>
    }
  }
  return
}
"""
UNROLLED = """func.func @f(%a: memref<34x34xf32>) {
  affine.for %i = 1 to 33 {
    affine.for %j = 0 to 33 step 3 {
      %x = affine.load %a[%i - 1, %j + 1] : memref<34x34xf32>
      affine.store %x, %a[%i, %j] : memref<34x34xf32>
      %y = affine.load %a[%i - 1, %j + 2] : memref<34x34xf32>
      affine.store %y, %a[%i, %j + 1] : memref<34x34xf32>
      %z = affine.load %a[%i - 1, %j + 3] : memref<34x34xf32>
      affine.store %z, %a[%i, %j + 2] : memref<34x34xf32>
    }
  }
  return
}
"""
STEP = """func.func @f() -> vector<4xindex> {
  %0 = vector.step : vector<4xindex>
  return %0 : vector<4xindex>
}
"""
NUMBERS = re.sub("vector.step", "arith.constant dense<[0, 1, 2, 3]>", STEP)
PADDING = """func.func @f(%a: memref<6xf32>, %o: memref<8xf32>) {
  %p = PADDING : f32
  affine.for %i = 0 to 8 step 4 {
    %x = vector.transfer_read %a[%i], %p : memref<6xf32>, vector<4xf32>
    vector.transfer_write %x, %o[%i] : vector<4xf32>, memref<8xf32>
  }
  return
}
"""
GIVEN = """func.func @f(%a: memref<?xf32>, %o: memref<?xf32>) {
  affine.for %i = 0 to 8 {
    %x = affine.load %a[%i] : memref<?xf32>
    affine.store %x, %o[%i] : memref<?xf32>
  }
  return
}
"""
GIVEN_LANES = """func.func @f(%a: memref<?xf32>, %o: memref<?xf32>) {
  %p = ub.poison : f32
  affine.for %i = 0 to 8 step 4 {
    %x = vector.transfer_read %a[%i], %p : memref<?xf32>, vector<4xf32>
    vector.transfer_write %x, %o[%i] : vector<4xf32>, memref<?xf32>
  }
  return
}
"""
TILES = """func.func @f(%a: memref<64xf32>) {
  affine.for %i = 0 to 48 step 8 {
    %j = affine.apply affine_map<(d0) -> (d0 + 8)>(%i)
    %from = memref.subview %a[%i] [8] [1] : memref<64xf32> to memref<8xf32, strided<[1], offset: ?>>
    %to = memref.subview %a[%j] [8] [1] : memref<64xf32> to memref<8xf32, strided<[1], offset: ?>>
    memref.copy %from, %to : memref<8xf32, strided<[1], offset: ?>> to memref<8xf32, strided<[1], offset: ?>>
  }
  return
}
"""
ELEMENTS = """func.func @f(%a: memref<64xf32>) {
  affine.for %i = 0 to 48 {
    %x = affine.load %a[%i] : memref<64xf32>
    affine.store %x, %a[%i + 8] : memref<64xf32>
  }
  return
}
"""
ZEROS = PADDING.replace("PADDING", "arith.constant 0.0")


def verdict(before: str, after: str) -> str:
    (found,) = volcli.loads(before).diff(volcli.loads(after))
    return found.verdict


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (COUNTED, WHILE), (WHILE, COUNTED), (COUNTED, BLOCKS), (WHILE, BLOCKS), (ROWS, COALESCED), (ROWS, LANES),
        (GIVEN, GIVEN_LANES), (TILES, ELEMENTS), (LANES, COALESCED), (DOWN, UNROLLED), (COLUMNS, COLUMNS.replace("0.0", "1.0")),
    ],
)  # fmt: skip
def test_what_a_pass_makes_is_equal(before: str, after: str) -> None:
    assert verdict(before, after) == "equal"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (COUNTED, WHILE.replace("%next = arith.addi %i", "%next = arith.addi %c2")),
        (COUNTED, WHILE.replace("store %y, %o[%i]", "store %y, %o[%next]")),
        (COUNTED, BLOCKS.replace("slt", "sle")),
        (ROWS, COALESCED.replace("%i = affine.apply #div(%k)[%eight]", "%i = affine.apply #div(%k)[%n]")),
        (ROWS, LANES.replace("read %a[%i, %j]", "read %a[%j, %i]")),
        (ROWS, LANES.replace("0 to 8 step 4", "0 to 4 step 4")),
        (DOWN, UNROLLED.replace("store %z, %a[%i, %j + 2]", "store %y, %a[%i, %j + 2]")),
        (ZEROS, PADDING.replace("PADDING", "ub.poison")),
        (ZEROS, ZEROS.replace("0.0", "1.0")),
        (GIVEN_LANES, GIVEN.replace("0 to 8", "0 to 7")),
        (GIVEN, GIVEN_LANES.replace("0 to 8", "0 to 12")),
        (TILES.replace("d0 + 8", "d0 + 7"), ELEMENTS.replace("%i + 8", "%i + 7")),
        (STEP, NUMBERS.replace("0, 1", "1, 1")),
        (NUMBERS.replace("0, 1", "1, 1"), STEP),
    ],
)  # fmt: skip
def test_what_a_wrong_pass_makes_is_not_equal(before: str, after: str) -> None:
    assert verdict(before, after) != "equal"


def test_padding_that_is_poison_may_become_anything() -> None:
    assert verdict(PADDING.replace("PADDING", "ub.poison"), ZEROS) == "equal"
