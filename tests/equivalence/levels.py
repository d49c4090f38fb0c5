"""Pairs of functions, each with the weakest level that is needed to call them equal (None: they are different).

`operations`: the same ones; `exact sums`: integers in another order; `sums`: floats in another order;
`arithmetic`: the same function by other operations; `sources`: only computed from the same elements.
"""

from __future__ import annotations

from collections.abc import Mapping

Pair = tuple[str, str, str | None]


def scalar(body: str, kind: str) -> str:
    """A function of integers %a, %b, %c, of floats %x, %y, and of a truth %t."""
    return (
        f"func.func @f(%a: i32, %b: i32, %c: i32, %x: f32, %y: f32, %z: f32, %t: i1) -> {kind} {{\n"
        + "".join(f"  {line.strip()}\n" for line in body.split(";"))
        + f"  return %r : {kind}\n}}\n"
    )


def _of(kind: str, one: str, other: str, level: str | None) -> Pair:
    return scalar(one, kind), scalar(other, kind), level


def _constant(name: str, number: str, kind: str = "i32") -> str:
    return f"%{name} = arith.constant {number} : {kind}; "


ZERO, ONE, TWO, THREE, FOUR = (_constant(f"k{n}", str(n)) for n in range(5))
ALL = _constant("all", "-1")
F0, N0, F1, F2, F4 = (
    _constant(name, number, "f32")
    for name, number in (("f0", "0.0"), ("n0", "-0.0"), ("f1", "1.0"), ("f2", "2.0"), ("f4", "4.0"))
)
NEG = _constant("m", "-1.0", "f32")

INTEGERS: Mapping[str, Pair] = {
    "commuted": _of("i32", "%r = arith.muli %a, %b : i32", "%r = arith.muli %b, %a : i32", "operations"),
    "folded": _of("i32", TWO + THREE + "%s = arith.addi %k2, %k3 : i32; %r = arith.muli %a, %s : i32",
                  _constant("s", "5") + "%r = arith.muli %a, %s : i32", "operations"),
    "times one": _of("i32", ONE + "%s = arith.muli %a, %k1 : i32; %r = arith.xori %s, %b : i32",
                     "%r = arith.xori %a, %b : i32", "operations"),
    "casts of constants": _of("i64", "%k = arith.constant -3 : i8; %s = arith.extsi %k : i8 to i64; "
                              "%p = arith.extsi %a : i32 to i64; %r = arith.andi %p, %s : i64",
                              "%s = arith.constant -3 : i64; %p = arith.extsi %a : i32 to i64; "
                              "%r = arith.andi %p, %s : i64", "operations"),
    "twice": _of("i32", TWO + "%r = arith.muli %a, %k2 : i32", "%r = arith.addi %a, %a : i32", "arithmetic"),
    "shifted": _of("i32", FOUR + "%r = arith.muli %a, %k4 : i32", TWO + "%r = arith.shli %a, %k2 : i32", "arithmetic"),
    "quotient by shift": _of("i32", FOUR + "%r = arith.divui %a, %k4 : i32",
                             TWO + "%r = arith.shrui %a, %k2 : i32", "arithmetic"),
    "remainder by mask": _of("i32", FOUR + "%r = arith.remui %a, %k4 : i32",
                             THREE + "%r = arith.andi %a, %k3 : i32", "arithmetic"),
    "de morgan": _of("i32", ALL + "%s = arith.andi %a, %b : i32; %r = arith.xori %s, %all : i32",
                     ALL + "%p = arith.xori %a, %all : i32; %q = arith.xori %b, %all : i32; "
                     "%r = arith.ori %p, %q : i32", "arithmetic"),
    "minimum": _of("i32", "%p = arith.cmpi slt, %a, %b : i32; %r = arith.select %p, %a, %b : i32",
                   "%r = arith.minsi %a, %b : i32", "arithmetic"),
    "comparison swapped": _of("i1", "%r = arith.cmpi ugt, %a, %b : i32", "%r = arith.cmpi ult, %b, %a : i32", "arithmetic"),
    "distributed": _of("i32", "%s = arith.addi %b, %c : i32; %r = arith.muli %a, %s : i32",
                       "%p = arith.muli %a, %b : i32; %q = arith.muli %a, %c : i32; %r = arith.addi %p, %q : i32",
                       "arithmetic"),
    "negated difference": _of("i32", ZERO + "%s = arith.subi %a, %b : i32; %r = arith.subi %k0, %s : i32",
                              "%r = arith.subi %b, %a : i32", "arithmetic"),
    "complement": _of("i32", ALL + "%s = arith.xori %a, %all : i32; %r = arith.addi %s, %b : i32",
                      _constant("m1", "-1") + "%s = arith.subi %m1, %a : i32; %r = arith.addi %s, %b : i32", "arithmetic"),
    "less defined before": _of("i32", "%r = arith.addi %a, %b overflow<nsw> : i32", "%r = arith.addi %a, %b : i32",
                               "exact sums"),
    "cancelled": _of("i32", "%s = arith.addi %a, %b : i32; %r = arith.subi %s, %a : i32",
                     ZERO + "%r = arith.addi %b, %k0 : i32", "arithmetic"),
    "truncated": _of("i8", "%p = arith.trunci %a : i32 to i8; %q = arith.trunci %b : i32 to i8; %r = arith.muli %p, %q : i8",
                     "%s = arith.muli %b, %a : i32; %r = arith.trunci %s : i32 to i8", "arithmetic"),
    "select of both": _of("i32", "%s = arith.select %t, %a, %b : i32; %r = arith.select %t, %s, %c : i32",
                          "%r = arith.select %t, %a, %c : i32", "operations"),
    "more poison": _of("i32", "%r = arith.addi %a, %b : i32", "%r = arith.addi %a, %b overflow<nsw> : i32", None),
    "shift swapped": _of("i32", "%r = arith.shli %a, %b : i32", "%r = arith.shli %b, %a : i32", None),
    "signed predicate": _of("i1", "%r = arith.cmpi slt, %a, %b : i32", "%r = arith.cmpi ult, %a, %b : i32", None),
    "strict predicate": _of("i1", "%r = arith.cmpi sle, %a, %b : i32", "%r = arith.cmpi slt, %a, %b : i32", None),
    "overflow forgotten": _of("i1", ONE + "%s = arith.addi %a, %k1 : i32; %r = arith.cmpi sgt, %s, %a : i32",
                              "%r = arith.constant true", None),
    "extended later": _of("i64", "%s = arith.addi %a, %b : i32; %r = arith.extsi %s : i32 to i64",
                          "%p = arith.extsi %a : i32 to i64; %q = arith.extsi %b : i32 to i64; "
                          "%r = arith.addi %p, %q : i64", None),
    "rounding of quotients": _of("i32", FOUR + "%r = arith.divsi %a, %k4 : i32", TWO + "%r = arith.shrsi %a, %k2 : i32", None),
    "wrong mask": _of("i32", THREE + "%r = arith.andi %a, %k3 : i32", FOUR + "%r = arith.remsi %a, %k4 : i32", None),
}  # fmt: skip

FLOATS: Mapping[str, Pair] = {
    "commuted": _of("f32", "%r = arith.addf %x, %y : f32", "%r = arith.addf %y, %x : f32", "operations"),
    "times one": _of("f32", F1 + "%s = arith.mulf %x, %f1 : f32; %r = arith.subf %s, %y : f32",
                     "%r = arith.subf %x, %y : f32", "operations"),
    "minus zero": _of("f32", F0 + "%s = arith.subf %x, %f0 : f32; %r = arith.divf %s, %y : f32",
                      "%r = arith.divf %x, %y : f32", "operations"),
    "plus minus zero": _of("f32", N0 + "%s = arith.addf %x, %n0 : f32; %r = arith.divf %s, %y : f32",
                           "%r = arith.divf %x, %y : f32", "operations"),
    "folded": _of("f32", F1 + F2 + "%s = arith.addf %f1, %f2 : f32; %r = arith.mulf %x, %s : f32",
                  _constant("s", "3.0", "f32") + "%r = arith.mulf %x, %s : f32", "operations"),
    "integer constant": _of("f32", TWO + "%s = arith.sitofp %k2 : i32 to f32; %r = arith.mulf %x, %s : f32",
                            F2 + "%r = arith.mulf %x, %f2 : f32", "operations"),
    "twice": _of("f32", F2 + "%r = arith.mulf %x, %f2 : f32", "%r = arith.addf %x, %x : f32", "arithmetic"),
    "difference": _of("f32", "%r = arith.subf %x, %y : f32", "%n = arith.negf %y : f32; %r = arith.addf %x, %n : f32",
                      "arithmetic"),
    "negations": _of("f32", "%n = arith.negf %x : f32; %m = arith.negf %y : f32; %r = arith.mulf %n, %m : f32",
                     "%r = arith.mulf %x, %y : f32", "arithmetic"),
    "times minus one": _of("f32", NEG + "%s = arith.mulf %x, %m : f32; %r = arith.divf %s, %y : f32",
                           "%s = arith.divf %x, %y : f32; %r = arith.negf %s : f32", "arithmetic"),
    "quotient by four": _of("f32", F4 + "%r = arith.divf %x, %f4 : f32",
                            _constant("q", "0.25", "f32") + "%r = arith.mulf %x, %q : f32", "arithmetic"),
    "comparison swapped": _of("i1", "%r = arith.cmpf olt, %x, %y : f32", "%r = arith.cmpf ogt, %y, %x : f32", "arithmetic"),
    "extended and back": _of("f32", "%e = arith.extf %x : f32 to f64; %s = arith.truncf %e : f64 to f32; "
                             "%r = arith.mulf %s, %y : f32", "%r = arith.mulf %x, %y : f32", "arithmetic"),
    "associated": _of("f32", "%s = arith.addf %x, %y : f32; %r = arith.addf %s, %z : f32",
                      "%s = arith.addf %y, %z : f32; %r = arith.addf %x, %s : f32", "sums"),
    "reassociable": _of("f32", "%s = arith.addf %x, %y fastmath<reassoc> : f32; %r = arith.addf %s, %z fastmath<reassoc> : f32",
                        "%s = arith.addf %y, %z fastmath<reassoc> : f32; %r = arith.addf %x, %s fastmath<reassoc> : f32",
                        "exact sums"),
    "plus zero": _of("f32", F0 + "%r = arith.addf %x, %f0 : f32", F1 + "%r = arith.mulf %x, %f1 : f32", None),
    "negation of zero": _of("f32", "%r = arith.negf %x : f32", F0 + "%r = arith.subf %f0, %x : f32", None),
    "ordered": _of("i1", "%r = arith.cmpf olt, %x, %y : f32", "%r = arith.cmpf ult, %x, %y : f32", None),
    "not less": _of("i1", "%r = arith.cmpf uge, %x, %y : f32", "%r = arith.cmpf oge, %x, %y : f32", None),
    "NaN of maxima": _of("f32", "%r = arith.maximumf %x, %y : f32", "%r = arith.maxnumf %x, %y : f32", None),
    "times zero": _of("f32", F0 + "%s = arith.mulf %x, %f0 : f32; %r = arith.addf %s, %y : f32",
                      F0 + "%r = arith.addf %f0, %y : f32", None),
    "operands swapped": _of("f32", "%r = arith.divf %x, %y : f32", "%r = arith.divf %y, %x : f32", None),
    "sign lost": _of("f32", "%n = arith.negf %x : f32; %r = arith.addf %n, %y : f32", "%r = arith.addf %x, %y : f32", None),
    "sign of cast": _of("f32", "%r = arith.sitofp %a : i32 to f32", "%r = arith.uitofp %a : i32 to f32", None),
    "cancelled": _of("f32", "%s = arith.addf %x, %y : f32; %r = arith.subf %s, %y : f32", F1 + "%r = arith.mulf %x, %f1 : f32", None),
    "a third": _of("f32", _constant("h", "3.0", "f32") + "%r = arith.divf %x, %h : f32",
                   _constant("h", "0.333333343", "f32") + "%r = arith.mulf %x, %h : f32", None),
    "new flag": _of("f32", "%r = arith.addf %x, %y : f32", "%r = arith.addf %x, %y fastmath<contract> : f32", "sources"),
    "no NaN": _of("f32", "%r = arith.addf %x, %y : f32", "%r = arith.addf %x, %y fastmath<nnan> : f32", None),
}  # fmt: skip

_MATMUL = """func.func @f(%a: memref<5x23xf32>, %b: memref<23x6xf32>, %c: memref<5x6xf32>) {
  affine.for %i = 0 to 5 { affine.for %j = 0 to 6 {
    affine.for %k = 0 to 23 {
      %x = affine.load %a[%i, %k] : memref<5x23xf32>
      %y = affine.load %b[%k, %j] : memref<23x6xf32>
      %z = affine.load %c[%i, %j] : memref<5x6xf32>
      %p = arith.mulf %x, %y : f32
      %s = arith.addf %z, %p : f32
      affine.store %s, %c[%i, %j] : memref<5x6xf32>
    } } }
  return
}
"""
_BACKWARDS = _MATMUL.replace(
    "affine.for %k = 0 to 23 {",
    "affine.for %l = 0 to 23 { %k = affine.apply affine_map<(d0) -> (22 - d0)>(%l)",
)
_TILED = """func.func @f(%a: memref<5x23xf32>, %b: memref<23x6xf32>, %c: memref<5x6xf32>) {
  %n = arith.constant -0.0 : f32
  affine.for %i = 0 to 5 { affine.for %j = 0 to 6 {
    affine.for %t = 0 to 23 step 7 {
      %w = affine.for %k = affine_map<(d0) -> (d0)>(%t) to min affine_map<(d0) -> (d0 + 7, 23)>(%t)
          iter_args(%s = %n) -> (f32) {
        %x = affine.load %a[%i, %k] : memref<5x23xf32>
        %y = affine.load %b[%k, %j] : memref<23x6xf32>
        %p = arith.mulf %y, %x : f32
        %u = arith.addf %s, %p : f32
        affine.yield %u : f32
      }
      %z = affine.load %c[%i, %j] : memref<5x6xf32>
      %v = arith.addf %z, %w : f32
      affine.store %v, %c[%i, %j] : memref<5x6xf32>
    } } }
  return
}
"""
_JAMMED = """func.func @f(%a: memref<5x23xf32>, %b: memref<23x6xf32>, %c: memref<5x6xf32>) {
  affine.for %i = 0 to 5 { affine.for %j = 0 to 6 step 2 {
    affine.for %k = 0 to 23 {
      %x = affine.load %a[%i, %k] : memref<5x23xf32>
      %y = affine.load %b[%k, %j] : memref<23x6xf32>
      %z = affine.load %c[%i, %j] : memref<5x6xf32>
      %p = arith.mulf %x, %y : f32
      %s = arith.addf %z, %p : f32
      affine.store %s, %c[%i, %j] : memref<5x6xf32>
      %v = affine.load %b[%k, %j + 1] : memref<23x6xf32>
      %w = affine.load %c[%i, %j + 1] : memref<5x6xf32>
      %q = arith.mulf %x, %v : f32
      %t = arith.addf %w, %q : f32
      affine.store %t, %c[%i, %j + 1] : memref<5x6xf32>
    } } }
  return
}
"""
_SPLIT = """func.func @f(%a: memref<5x23xf32>, %b: memref<23x6xf32>, %c: memref<5x6xf32>) {
  %n = arith.constant -0.0 : f32
  %m = memref.alloc() : memref<2x5x6xf32>
  affine.for %h = 0 to 2 { affine.for %i = 0 to 5 { affine.for %j = 0 to 6 {
    affine.store %n, %m[%h, %i, %j] : memref<2x5x6xf32>
    affine.for %k = affine_map<(d0) -> (12 * d0)>(%h) to min affine_map<(d0) -> (12 * d0 + 12, 23)>(%h) {
      %x = affine.load %a[%i, %k] : memref<5x23xf32>
      %y = affine.load %b[%k, %j] : memref<23x6xf32>
      %z = affine.load %m[%h, %i, %j] : memref<2x5x6xf32>
      %p = arith.mulf %x, %y : f32
      %s = arith.addf %z, %p : f32
      affine.store %s, %m[%h, %i, %j] : memref<2x5x6xf32>
    } } } }
  affine.for %i = 0 to 5 { affine.for %j = 0 to 6 { affine.for %h = 0 to 2 {
    %z = affine.load %c[%i, %j] : memref<5x6xf32>
    %w = affine.load %m[%h, %i, %j] : memref<2x5x6xf32>
    %v = arith.addf %z, %w : f32
    affine.store %v, %c[%i, %j] : memref<5x6xf32>
  } } }
  memref.dealloc %m : memref<2x5x6xf32>
  return
}
"""
_GENERIC = """#A = affine_map<(k, i, j) -> (i, k)>
#B = affine_map<(k, i, j) -> (k, j)>
#C = affine_map<(k, i, j) -> (i, j)>
func.func @f(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = linalg.generic {indexing_maps = [#A, #B, #C], iterator_types = ["reduction", "parallel", "parallel"]}
      ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %y, %x : f32
    %s = arith.addf %p, %z : f32
    linalg.yield %s : f32
  } -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
"""
_NAMED = """func.func @f(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
"""
_POOL = """func.func @f(%x: tensor<1x8x8x2xf32>, %o: tensor<1x6x6x2xf32>) -> tensor<1x6x6x2xf32> {
  %w = tensor.empty() : tensor<3x3xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(n, h, w, c, p, q) -> (n, h + p, w + q, c)>,
      affine_map<(n, h, w, c, p, q) -> (p, q)>, affine_map<(n, h, w, c, p, q) -> (n, h, w, c)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x8x8x2xf32>, tensor<3x3xf32>) outs(%o : tensor<1x6x6x2xf32>) {
  ^bb0(%a: f32, %u: f32, %b: f32):
    %m = arith.maximumf %a, %b : f32
    linalg.yield %m : f32
  } -> tensor<1x6x6x2xf32>
  return %r : tensor<1x6x6x2xf32>
}
"""
_SUM = """func.func @f(%m: memref<10xi32>) -> i32 {
  %z = arith.constant 0 : i32
  %r = affine.for %i = 0 to 10 iter_args(%s = %z) -> (i32) {
    %v = affine.load %m[%i] : memref<10xi32>
    %n = arith.addi %s, %v : i32
    affine.yield %n : i32
  }
  return %r : i32
}
"""
_TENSOR = """func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %k = arith.constant dense<1.0> : tensor<4xf32>
  %r = arith.mulf %x, %k : tensor<4xf32>
  %s = arith.negf %r : tensor<4xf32>
  return %s : tensor<4xf32>
}
"""
_SCALED = """func.func @f(%x: memref<9xi32>, %y: memref<9xi32>) {
  %k = arith.constant 6 : i32
  affine.for %i = 0 to 9 {
    %v = affine.load %x[%i] : memref<9xi32>
    %w = arith.muli %v, %k : i32
    affine.store %w, %y[%i] : memref<9xi32>
  }
  return
}
"""

PROGRAMS: Mapping[str, Pair] = {
    "backwards": (_MATMUL, _BACKWARDS, "sums"),
    "tiled by 7": (_MATMUL, _TILED, "sums"),
    "split k": (_MATMUL, _SPLIT, "sums"),
    "unrolled and jammed": (_MATMUL, _JAMMED, "operations"),
    "jammed wrongly": (_MATMUL, _JAMMED.replace("arith.addf %w, %q", "arith.addf %z, %q"), None),
    "split with a gap": (_MATMUL, _SPLIT.replace("12 * d0 + 12, 23", "12 * d0 + 11, 23"), None),
    "interchanged": (_NAMED, _GENERIC, "operations"),
    "pool in another order": (_POOL, _POOL.replace("n, h, w, c, p, q)", "n, h, w, c, q, p)"), "sums"),
    "integers backwards": (_SUM, _SUM.replace("%m[%i]", "%m[9 - %i]"), "exact sums"),
    "flagged before": (_SUM.replace("%s, %v : i32", "%s, %v overflow<nsw> : i32"),
                       _SUM.replace("%m[%i]", "%m[9 - %i]"), "exact sums"),
    "tensor of ones": (_TENSOR, _TENSOR.replace("arith.mulf %x, %k", "arith.divf %x, %k"), "operations"),
    "doubled triples": (_SCALED, _SCALED.replace("constant 6", "constant 3").replace(
        "affine.store %w", "%u = arith.addi %w, %w : i32\n affine.store %u"), "arithmetic"),
    "one term less": (_MATMUL, _BACKWARDS.replace("0 to 23 {", "0 to 22 {"), None),
    "other pairs": (_MATMUL, _BACKWARDS.replace("%a[%i, %k]", "%a[%i, %l]"), None),
    "one term twice": (_SUM, _SUM.replace("0 to 10", "0 to 11").replace("%m[%i]", "%m[%i mod 10]"), None),
    "another start": (_SUM, _SUM.replace("%m[%i]", "%m[9 - %i]").replace("constant 0", "constant 1"), None),
    "flagged after": (_SUM, _SUM.replace("%m[%i]", "%m[9 - %i]").replace("%s, %v : i32", "%s, %v overflow<nsw> : i32"), None),
    "other constant": (_TENSOR, _TENSOR.replace("<1.0>", "<[1.0, 1.0, 2.0, 1.0]>"), None),
}  # fmt: skip

PAIRS: Mapping[str, Pair] = {
    f"{kind}: {name}": pair
    for kind, pairs in (("integers", INTEGERS), ("floats", FLOATS), ("programs", PROGRAMS))
    for name, pair in pairs.items()
}
