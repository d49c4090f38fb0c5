"""What edited documents are made of: functions, aliases, globals and comments."""

from __future__ import annotations

KINDS: dict[str, str] = {
    "load": """func.func @NAME(%m: memref<9xf32>) -> f32 {
  %c = arith.constant 3 : index
  %x = memref.load %m[%c] : memref<9xf32>
  return %x : f32
}""",
    "bound": """func.func @NAME(%n: index) -> index {
  %m = affine.min affine_map<(n) -> (n, 32)>(%n)
  // volcli: expect bound %t <= 64
  %t = affine.apply affine_map<(n) -> (2 * n)>(%m)
  return %t : index
}""",
    "memory": """func.func @NAME(%x: f32) -> f32 {
  %a = memref.alloc() : memref<9xf32>
  affine.for %i = 0 to 8 {
    affine.store %x, %a[%i] : memref<9xf32>
  }
  %v = affine.load %a[3] : memref<9xf32>
  return %v : f32
}""",
    "alias": """func.func @NAME(%m: memref<8xf32>, %x: f32) {
  affine.for %i = 0 to 8 {
    %j = affine.apply #shift(%i)
    memref.store %x, %m[%j] : memref<8xf32>
  }
  return
}""",
    "global": """func.func @NAME(%i: index) -> f32 {
  %g = memref.get_global @table : memref<4xf32>
  %c = arith.constant 3 : index
  %x = memref.load %g[%c] : memref<4xf32>
  return %x : f32
}""",
    "forall": """func.func @NAME(%m: memref<16xf32>, %x: f32) {
  affine.parallel (%i) = (0) to (8) {
    affine.store %x, %m[%i + 3] : memref<16xf32>
  }
  return
}""",
    "foreign": """func.func @NAME(%x: f32) -> f32 {
  %a = memref.alloc() : memref<9xf32>
  %k = "noise.place"() : () -> index
  "noise.touch"(%a) : (memref<9xf32>) -> ()
  %v = memref.load %a[%k] : memref<9xf32>
  return %v : f32
}""",
}
CALL = """func.func @NAME(%m: memref<9xf32>) -> f32 {
  %r = call @CALLED(%m) : (memref<9xf32>) -> f32
  return %r : f32
}"""
COUNTED = """func.func @NAME() -> index {
  %c = arith.constant 30 : index
  %r = call @CALLED(%c) : (index) -> index
  return %r : index
}"""
COMMENTS = (
    "// volcli: ignore V203 known",
    "// volcli:ignore V204, V205 known",
    "// volcli: ignore V2 all of it",
    "// volcli: ignore because",
    "// volcli: expect in-bounds",
    "// volcli: expect bound %m <= 16",
    "// volcli: expect parallel %i",
    "// volcli: expcet in-bounds",
    "// volcli: %m in [0, 3]",
    "// volcli: disable V203",
    "// volcli: ignore V203 until 2020-02-02: over",
    "// volcli: ignore V203, V205 until 2999-01-01: not yet",
    "// expected-error {{bounds}}",
    "// expected-error@+1 {{bounds}}",
    "// expected-error@above {{bounds}}",
    "// expected-warning @below {{never read}}",
    "// expected-error@+7 {{in another function}}",
    "// @f1 is called with #shift",
    "// nothing that concerns volcli",
)
OF_FILE = ("// volcli: ignore-file V203 x", "// volcli:ignore-file V206 x", "//volcli:  ignore-file V2 x")
ALIASES = ("#shift = affine_map<(d0) -> (d0)>", "#shift = affine_map<(d0) -> (d0 + 1)>")
UNUSED = (
    "#unused = affine_map<(d0) -> (d0)>",
    "#wrong = affine_map<(d0) -> (d1)>",
    'memref.global "private" @free : memref<2xf32> = dense<1.0>',
)
GLOBAL = 'memref.global "private" constant @table : memref<4xf32> = dense<1.0>'
BROKEN = "func.func @NAME() {\n  %x = arith.addi %y : index\n  return\n}"
PADDING = 45  # lines of a function that only has comments, so that groups are many and cheap
