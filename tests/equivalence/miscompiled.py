"""Programs, and what passes of mlir-opt have made of them by errors that were published and repaired since.

Each pair is written from the description of one: before, after. All of them differ.
"""

from __future__ import annotations

from collections.abc import Mapping


def _function(signature: str, body: str, returned: str = "return") -> str:
    lines = "".join(f"  {line.strip()}\n" for line in body.strip().splitlines())
    return f"func.func @f({signature} {{\n{lines}  {returned}\n}}\n"


def _scalars(kind: str, before: str, after: str) -> tuple[str, str]:
    signature = f"%a: {kind}, %b: {kind}, %t: i1) -> {kind}"
    one, other = (_function(signature, body, f"return %r : {kind}") for body in (before, after))
    return one, other


_BUFFERS = "%a: memref<10xf32>, %b: memref<10xf32>, %r: memref<10xf32>)"
_PRIVATE = "func.func private @opaque(memref<10xf32>)\n"

MISCOMPILED: Mapping[str, tuple[str, str]] = {
    "affine fusion across a copy": (
        _function(_BUFFERS, """
            %m = memref.alloc() : memref<10xf32>
            affine.for %i = 0 to 10 {
              %x = affine.load %a[%i] : memref<10xf32>
              affine.store %x, %m[%i] : memref<10xf32>
            }
            memref.copy %b, %m : memref<10xf32> to memref<10xf32>
            affine.for %i = 0 to 10 {
              %x = affine.load %m[%i] : memref<10xf32>
              affine.store %x, %r[%i] : memref<10xf32>
            }"""),
        _function(_BUFFERS, """
            %m = memref.alloc() : memref<10xf32>
            memref.copy %b, %m : memref<10xf32> to memref<10xf32>
            affine.for %i = 0 to 10 {
              %x = affine.load %a[%i] : memref<10xf32>
              affine.store %x, %m[%i] : memref<10xf32>
              %y = affine.load %m[%i] : memref<10xf32>
              affine.store %y, %r[%i] : memref<10xf32>
            }"""),
    ),
    "affine fusion across a view": (
        _function(_BUFFERS, """
            affine.for %i = 0 to 10 {
              %x = affine.load %b[%i] : memref<10xf32>
              affine.store %x, %a[%i] : memref<10xf32>
            }
            %v = memref.subview %a[2] [4] [1] : memref<10xf32> to memref<4xf32, strided<[1], offset: 2>>
            %z = arith.constant 0.0 : f32
            linalg.fill ins(%z : f32) outs(%v : memref<4xf32, strided<[1], offset: 2>>)
            affine.for %i = 0 to 10 {
              %x = affine.load %a[%i] : memref<10xf32>
              affine.store %x, %r[%i] : memref<10xf32>
            }"""),
        _function(_BUFFERS, """
            %v = memref.subview %a[2] [4] [1] : memref<10xf32> to memref<4xf32, strided<[1], offset: 2>>
            %z = arith.constant 0.0 : f32
            linalg.fill ins(%z : f32) outs(%v : memref<4xf32, strided<[1], offset: 2>>)
            affine.for %i = 0 to 10 {
              %x = affine.load %b[%i] : memref<10xf32>
              affine.store %x, %a[%i] : memref<10xf32>
              affine.store %x, %r[%i] : memref<10xf32>
            }"""),
    ),
    "affine fusion that drops a producer which is read later": (
        _function(_BUFFERS, """
            affine.for %i = 0 to 10 {
              %x = affine.load %b[%i] : memref<10xf32>
              %y = arith.mulf %x, %x : f32
              affine.store %y, %a[%i] : memref<10xf32>
            }
            affine.for %i = 0 to 5 {
              %x = affine.load %a[%i] : memref<10xf32>
              affine.store %x, %r[%i] : memref<10xf32>
            }"""),
        _function(_BUFFERS, """
            affine.for %i = 0 to 5 {
              %x = affine.load %b[%i] : memref<10xf32>
              %y = arith.mulf %x, %x : f32
              affine.store %y, %a[%i] : memref<10xf32>
              affine.store %y, %r[%i] : memref<10xf32>
            }"""),
    ),
    "scalar replacement past a store in between": (
        _function(_BUFFERS, """
            affine.for %i = 0 to 9 {
              %x = affine.load %a[%i] : memref<10xf32>
              affine.store %x, %r[%i] : memref<10xf32>
              %z = arith.constant 0.0 : f32
              affine.store %z, %r[%i] : memref<10xf32>
              %y = affine.load %r[%i] : memref<10xf32>
              affine.store %y, %b[%i] : memref<10xf32>
            }"""),
        _function(_BUFFERS, """
            affine.for %i = 0 to 9 {
              %x = affine.load %a[%i] : memref<10xf32>
              %z = arith.constant 0.0 : f32
              affine.store %z, %r[%i] : memref<10xf32>
              affine.store %x, %b[%i] : memref<10xf32>
            }"""),
    ),
    "scalar replacement of a load by one before a loop that writes": (
        _function(_BUFFERS, """
            %x = affine.load %a[0] : memref<10xf32>
            affine.store %x, %r[0] : memref<10xf32>
            affine.for %i = 0 to 3 {
              %y = affine.load %b[%i] : memref<10xf32>
              affine.store %y, %a[%i] : memref<10xf32>
            }
            %z = affine.load %a[0] : memref<10xf32>
            affine.store %z, %r[1] : memref<10xf32>"""),
        _function(_BUFFERS, """
            %x = affine.load %a[0] : memref<10xf32>
            affine.store %x, %r[0] : memref<10xf32>
            affine.for %i = 0 to 3 {
              %y = affine.load %b[%i] : memref<10xf32>
              affine.store %y, %a[%i] : memref<10xf32>
            }
            affine.store %x, %r[1] : memref<10xf32>"""),
    ),
    "a dead store that is read in the next iteration": (
        _function(_BUFFERS, """
            affine.for %i = 1 to 10 {
              %x = affine.load %r[%i - 1] : memref<10xf32>
              %y = affine.load %a[%i] : memref<10xf32>
              %s = arith.addf %x, %y : f32
              affine.store %s, %r[%i] : memref<10xf32>
            }"""),
        _function(_BUFFERS, """
            affine.for %i = 1 to 10 {
              %x = affine.load %r[0] : memref<10xf32>
              %y = affine.load %a[%i] : memref<10xf32>
              %s = arith.addf %x, %y : f32
              affine.store %s, %r[%i] : memref<10xf32>
            }"""),
    ),
    "a loop whose iterations depend on each other is reversed": (
        _function(_BUFFERS, """
            affine.for %i = 0 to 9 {
              %x = affine.load %r[%i] : memref<10xf32>
              affine.store %x, %r[%i + 1] : memref<10xf32>
            }"""),
        _function(_BUFFERS, """
            affine.for %i = 0 to 9 {
              %x = affine.load %r[8 - %i] : memref<10xf32>
              affine.store %x, %r[9 - %i] : memref<10xf32>
            }"""),
    ),
    "coalesced loops with the sizes exchanged": (
        _function("%m: memref<4x6xindex>)", """
            affine.for %i = 0 to 4 { affine.for %j = 0 to 6 {
              %s = affine.apply affine_map<(d0, d1) -> (10 * d0 + d1)>(%i, %j)
              affine.store %s, %m[%i, %j] : memref<4x6xindex>
            } }"""),
        _function("%m: memref<4x6xindex>)", """
            affine.for %l = 0 to 24 {
              %s = affine.apply affine_map<(d0) -> (10 * (d0 floordiv 4) + d0 mod 4)>(%l)
              affine.store %s, %m[%l floordiv 6, %l mod 6] : memref<4x6xindex>
            }"""),
    ),
    "an unrolled loop without its remainder": (
        _function(_BUFFERS, """
            affine.for %i = 0 to 10 {
              %x = affine.load %a[%i] : memref<10xf32>
              affine.store %x, %r[%i] : memref<10xf32>
            }"""),
        _function(_BUFFERS, """
            affine.for %i = 0 to 9 step 3 {
              %x = affine.load %a[%i] : memref<10xf32>
              affine.store %x, %r[%i] : memref<10xf32>
              %y = affine.load %a[%i + 1] : memref<10xf32>
              affine.store %y, %r[%i + 1] : memref<10xf32>
              %z = affine.load %a[%i + 2] : memref<10xf32>
              affine.store %z, %r[%i + 2] : memref<10xf32>
            }"""),
    ),
    "code that may fail is hoisted out of a loop without iterations": (
        _function("%a: i32, %b: i32, %n: index, %m: memref<?xi32>)", """
            affine.for %i = 0 to %n {
              %q = arith.divsi %a, %b : i32
              affine.store %q, %m[0] : memref<?xi32>
            }"""),
        _function("%a: i32, %b: i32, %n: index, %m: memref<?xi32>)", """
            %q = arith.divsi %a, %b : i32
            affine.for %i = 0 to %n {
              affine.store %q, %m[0] : memref<?xi32>
            }"""),
    ),
    "a quotient with a sign as a shift": _scalars(
        "i8", "%k = arith.constant 4 : i8\n %r = arith.divsi %a, %k : i8",
        "%k = arith.constant 2 : i8\n %r = arith.shrsi %a, %k : i8"),
    "two shifts added beyond the width": _scalars(
        "i8", """%k = arith.constant 5 : i8
            %s = arith.shrui %a, %k : i8
            %r = arith.shrui %s, %k : i8""",
        "%k = arith.constant 10 : i8\n %r = arith.shrui %a, %k : i8"),
    "a quotient rounded up that overflows": _scalars(
        "i8", "%r = arith.ceildivui %a, %b : i8",
        """%k = arith.constant 1 : i8
            %s = arith.addi %a, %b : i8
            %u = arith.subi %s, %k : i8
            %r = arith.divui %u, %b : i8"""),
    "a comparison of extended numbers without their signs": _scalars(
        "i1", """%x = arith.extsi %a : i1 to i8
            %y = arith.extsi %b : i1 to i8
            %r = arith.cmpi slt, %x, %y : i8""",
        "%r = arith.cmpi ult, %a, %b : i1"),
    "a selection of 1 and 0 as an extension with sign": (
        _function("%t: i1) -> i8", """
            %k = arith.constant 1 : i8
            %z = arith.constant 0 : i8
            %r = arith.select %t, %k, %z : i8""", "return %r : i8"),
        _function("%t: i1) -> i8", "%r = arith.extsi %t : i1 to i8", "return %r : i8"),
    ),
    "x + 0.0 is x": _scalars(
        "f32", "%k = arith.constant 0.0 : f32\n %r = arith.addf %a, %k : f32",
        "%k = arith.constant 1.0 : f32\n %r = arith.mulf %a, %k : f32"),
    "a maximum as a comparison and a selection": _scalars(
        "f32", "%r = arith.maximumf %a, %b : f32",
        "%c = arith.cmpf ogt, %a, %b : f32\n %r = arith.select %c, %a, %b : f32"),
    "a cast of a cast of floats": _scalars(
        "f32", "%x = arith.truncf %a : f32 to f16\n %r = arith.extf %x : f16 to f32",
        "%k = arith.constant 1.0 : f32\n %r = arith.mulf %a, %k : f32"),
    "bufferized in place though it is read later": (
        _function("%t: tensor<4xf32>, %x: f32) -> tensor<4xf32>", """
            %i = arith.constant 1 : index
            %u = tensor.insert %x into %t[%i] : tensor<4xf32>
            %r = arith.addf %u, %t : tensor<4xf32>""", "return %r : tensor<4xf32>"),
        _function("%t: tensor<4xf32>, %x: f32) -> tensor<4xf32>", """
            %i = arith.constant 1 : index
            %u = tensor.insert %x into %t[%i] : tensor<4xf32>
            %r = arith.addf %u, %u : tensor<4xf32>""", "return %r : tensor<4xf32>"),
    ),
    "a slice folded with the offsets of one alone": (
        _function("%t: tensor<12xf32>) -> tensor<3xf32>", """
            %s = tensor.extract_slice %t[2] [8] [1] : tensor<12xf32> to tensor<8xf32>
            %r = tensor.extract_slice %s[1] [3] [2] : tensor<8xf32> to tensor<3xf32>""", "return %r : tensor<3xf32>"),
        _function("%t: tensor<12xf32>) -> tensor<3xf32>", """
            %r = tensor.extract_slice %t[1] [3] [2] : tensor<12xf32> to tensor<3xf32>""", "return %r : tensor<3xf32>"),
    ),
    "elementwise fusion through a transposed map": (
        _function("%x: tensor<4x4xf32>, %y: tensor<4x4xf32>) -> tensor<4x4xf32>", """
            %e = tensor.empty() : tensor<4x4xf32>
            %t = linalg.transpose ins(%x : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) permutation = [1, 0]
            %r = arith.addf %t, %y : tensor<4x4xf32>""", "return %r : tensor<4x4xf32>"),
        _function("%x: tensor<4x4xf32>, %y: tensor<4x4xf32>) -> tensor<4x4xf32>",
                  "%r = arith.addf %x, %y : tensor<4x4xf32>", "return %r : tensor<4x4xf32>"),
    ),
    "a vector of constants with a lane less": (
        _function("%m: memref<8xf32>, %r: memref<4xf32>)", """
            %i = arith.constant 2 : index
            %z = arith.constant 0 : index
            %v = vector.load %m[%i] : memref<8xf32>, vector<4xf32>
            vector.store %v, %r[%z] : memref<4xf32>, vector<4xf32>"""),
        _function("%m: memref<8xf32>, %r: memref<4xf32>)", """
            %i = arith.constant 2 : index
            %z = arith.constant 0 : index
            %v = vector.load %m[%i] : memref<8xf32>, vector<3xf32>
            vector.store %v, %r[%z] : memref<4xf32>, vector<3xf32>"""),
    ),
}  # fmt: skip

_OPAQUE = _PRIVATE + _function(
    _BUFFERS,
    """
    affine.for %i = 0 to 10 {
      %x = affine.load %b[%i] : memref<10xf32>
      affine.store %x, %a[%i] : memref<10xf32>
    }
    func.call @opaque(%a) : (memref<10xf32>) -> ()
    affine.for %i = 0 to 10 {
      %x = affine.load %a[%i] : memref<10xf32>
      affine.store %x, %r[%i] : memref<10xf32>
    }""",
)
UNKNOWN_EFFECTS: Mapping[str, tuple[str, str]] = {
    "affine fusion across an opaque call": (
        _OPAQUE,
        _PRIVATE + _function(_BUFFERS, """
            func.call @opaque(%a) : (memref<10xf32>) -> ()
            affine.for %i = 0 to 10 {
              %x = affine.load %b[%i] : memref<10xf32>
              affine.store %x, %a[%i] : memref<10xf32>
              affine.store %x, %r[%i] : memref<10xf32>
            }"""),
    ),
    "a call that is dropped": (_OPAQUE, _OPAQUE.replace("  func.call @opaque(%a) : (memref<10xf32>) -> ()\n", "")),
}  # fmt: skip
"""Nothing is known of what is called: whether these differ depends on it, so they are not equal, and no more."""
