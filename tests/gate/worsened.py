"""Known findings that are made worse, or moved: each is told again, as changed or as new."""

from __future__ import annotations

_LOAD = """func.func @f(%m: memref<9xf32>, %n: memref<9xf32>) -> f32 {
  affine.for %i = 0 to 9 {
    %w = affine.load %m[%i + 1] : memref<9xf32>
    affine.store %w, %n[%i] : memref<9xf32>
  }
  %v = affine.load %n[0] : memref<9xf32>
  return %v : f32
}
"""
_OTHER = """func.func @g(%m: memref<9xf32>) -> f32 {
  %v = affine.load %m[8] : memref<9xf32>
  return %v : f32
}
"""
_PARTLY = """func.func @part(%x: f32) -> (f32, f32) {
  %a = memref.alloc() : memref<9xf32>
  %b = memref.alloc() : memref<8xf32>
  affine.for %i = 0 to 5 {
    affine.store %x, %a[%i] : memref<9xf32>
    affine.store %x, %b[%i] : memref<8xf32>
  }
  %s = affine.for %j = 3 to 7 iter_args(%t = %x) -> (f32) {
    %u = affine.load %a[%j] : memref<9xf32>
    %w = arith.addf %t, %u : f32
    affine.yield %w : f32
  }
  %v = affine.load %b[6] : memref<8xf32>
  return %s, %v : f32, f32
}
"""
_RACE = """func.func @race(%m: memref<9xf32>, %x: f32) {
  affine.parallel (%i) = (0) to (8) {
    %v = affine.load %m[%i + 1] : memref<9xf32>
    affine.store %v, %m[%i] : memref<9xf32>
  }
  return
}
"""
_CALLS = """func.func @at(%m: memref<8xf32>, %k: index) -> f32 {
  %v = memref.load %m[%k] : memref<8xf32>
  return %v : f32
}
func.func @near(%m: memref<8xf32>, %k: index) -> f32 {
  %v = memref.load %m[%k] : memref<8xf32>
  %w = arith.mulf %v, %v : f32
  return %w : f32
}
func.func @user(%m: memref<8xf32>) -> f32 {
  %k = arith.constant 8 : index
  %v = func.call @at(%m, %k) : (memref<8xf32>, index) -> f32
  return %v : f32
}
"""
_FREED = """func.func @freed(%m: memref<1xf32>, %c: i1, %x: f32) {
  %t = memref.alloc() : memref<1xf32>
  affine.store %x, %t[0] : memref<1xf32>
  memref.dealloc %t : memref<1xf32>
  %v = affine.load %t[0] : memref<1xf32>
  affine.store %v, %m[0] : memref<1xf32>
  return
}
"""
_SHAPES = """func.func @shapes(%a: tensor<4xf32>, %o: tensor<5xf32>) -> tensor<5xf32> {
  %r = linalg.add ins(%a, %a : tensor<4xf32>, tensor<4xf32>) outs(%o : tensor<5xf32>) -> tensor<5xf32>
  return %r : tensor<5xf32>
}
"""


def _edited(text: str, *pairs: tuple[str, str]) -> str:
    for old, new in pairs:
        assert old in text, old
        text = text.replace(old, new)
    return text


def worse() -> dict[str, tuple[dict[str, str], dict[str, str]]]:
    """By a name, the files before and after of a known finding that is made worse, or moved."""

    def one(before: str, *pairs: tuple[str, str]) -> tuple[dict[str, str], dict[str, str]]:
        return {"a.mlir": before}, {"a.mlir": _edited(before, *pairs)}

    load, wrong = _LOAD, _OTHER.replace("[8]", "[9]")
    right = _OTHER.replace("@g", "@h")
    return {
        "further out of bounds": one(load, ("%i + 1", "%i + 2")),
        "a longer loop": one(load, ("0 to 9", "0 to 12"), ("%n[%i]", "%n[0]")),
        "a smaller buffer": one(wrong, ("memref<9xf32>", "memref<7xf32>")),
        "more elements unwritten": one(_PARTLY, ("0 to 5", "0 to 4")),
        "more elements read": one(_PARTLY, ("3 to 7", "3 to 9")),
        "other elements read": one(_PARTLY, ("%b[6]", "%b[7]")),
        "a race with a write": one(_RACE, ("%v = affine.load %m[%i + 1]", "affine.store %x, %m[%i + 1]"), ("store %v", "store %x")),
        "a race at a distance": one(_RACE, ("%i + 1", "%i + 1 - 1 + 1"), ("%m[%i] ", "%m[%i floordiv 2] ")),
        "a race of more iterations": one(_RACE, ("%m[%i] ", "%m[0] ")),
        "a larger argument": one(_CALLS, ("constant 8", "constant 9")),
        "another called function": one(_CALLS, ("call @at", "call @near")),
        "a smaller buffer in the called function": one(_CALLS, ("memref<8xf32>", "memref<6xf32>")),
        "freed in a branch": one(
            _FREED,
            ("  memref.dealloc %t : memref<1xf32>\n", "  scf.if %c {\n    memref.dealloc %t : memref<1xf32>\n  } else {\n    memref.dealloc %t : memref<1xf32>\n  }\n"),
        ),
        "another shape": one(_SHAPES, ("<4xf32>", "<3xf32>")),
        "moved to another function": ({"a.mlir": wrong + right}, {"a.mlir": _OTHER + right.replace("[8]", "[9]")}),
        "moved to another file": (
            {"a.mlir": wrong, "b.mlir": right},
            {"a.mlir": _OTHER, "b.mlir": right.replace("[8]", "[9]")},
        ),
        "exchanged between functions": (
            {"a.mlir": wrong + right.replace("[8]", "[10]")},
            {"a.mlir": wrong.replace("[9]", "[10]") + right.replace("[8]", "[9]")},
        ),
        "exchanged between buffers": one(
            load,
            ("%w = affine.load %m[%i + 1]", "%w = affine.load %n[%i + 1]"), ("store %w, %n", "store %w, %m"),
        ),
        "a copy of it": ({"a.mlir": wrong}, {"a.mlir": wrong + wrong.replace("@g", "@copy")}),
        "in another function of a new file": (
            {"a.mlir": wrong}, {"a.mlir": _OTHER, "b.mlir": wrong.replace("@g", "@k")},
        ),
    }  # fmt: skip
