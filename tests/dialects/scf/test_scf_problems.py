"""Invalid operations of scf: what is said of them, and where, is what mlir-opt 22 says."""

from __future__ import annotations

from tests.dialects.problem_cases import Invalid, ProblemTests

INVALID: dict[str, Invalid] = {
    "for yield type": Invalid.within(
        "%i: index, %x: f32, %y: f64",
        """%r = scf.for %k = %i to %i step %i iter_args(%a = %x) -> (f32) {
 scf.yield %y : f64
}""",
    ),
    "for yield count": Invalid.within(
        "%i: index, %x: f32",
        """%r = scf.for %k = %i to %i step %i iter_args(%a = %x) -> (f32) {
 scf.yield %x, %x : f32, f32
}""",
    ),
    "for yield none": Invalid.within(
        "%i: index, %x: f32",
        """%r = scf.for %k = %i to %i step %i iter_args(%a = %x) -> (f32) {
}""",
    ),
    "for bounds float": Invalid.within(
        "%i: f32",
        """scf.for %k = %i to %i step %i : f32 {
}""",
    ),
    "for bounds differ": Invalid.within(
        "%i: index, %j: i32",
        """"scf.for"(%i, %i, %j) ({
  ^bb0(%k: index):
    scf.yield
  }) : (index, index, i32) -> ()""",
    ),
    "for arg type": Invalid.within(
        "%i: index",
        """"scf.for"(%i, %i, %i) ({
  ^bb0(%k: i32):
    scf.yield
  }) : (index, index, index) -> ()""",
    ),
    "for arg count": Invalid.within(
        "%i: index",
        """"scf.for"(%i, %i, %i) ({
  ^bb0(%k: index, %l: index):
    scf.yield
  }) : (index, index, index) -> ()""",
    ),
    "for result count": Invalid.within(
        "%i: index",
        """%r = "scf.for"(%i, %i, %i) ({
  ^bb0(%k: index):
    scf.yield
  }) : (index, index, index) -> (f32)""",
    ),
    "for terminator": Invalid.within(
        "%i: index",
        """scf.for %k = %i to %i step %i {
 func.return
}""",
    ),
    "if yield count": Invalid.within(
        "%c: i1, %x: f32",
        """%r = scf.if %c -> (f32) {
 scf.yield %x : f32
} else {
 scf.yield
}""",
    ),
    "if yield type": Invalid.within(
        "%c: i1, %x: f32, %y: f64",
        """%r = scf.if %c -> (f32) {
 scf.yield %x : f32
} else {
 scf.yield %y : f64
}""",
    ),
    "if no else": Invalid.within(
        "%c: i1, %x: f32",
        """%r = scf.if %c -> (f32) {
 scf.yield %x : f32
}""",
    ),
    "while before args": Invalid.within(
        "%x: f32, %c: i1",
        """%r = scf.while (%a = %x) : (f32) -> f32 {
 scf.condition(%c) %a : f32
} do {
^bb0(%b: f64):
 scf.yield %x : f32
}""",
    ),
    "while yield": Invalid.within(
        "%x: f32, %y: f64, %c: i1",
        """%r = scf.while (%a = %x) : (f32) -> f32 {
 scf.condition(%c) %a : f32
} do {
^bb0(%b: f32):
 scf.yield %y : f64
}""",
    ),
    "while terminator": Invalid.within(
        "%x: f32, %y: f64, %c: i1",
        """%r = scf.while (%a = %x) : (f32) -> f32 {
 scf.yield %a : f32
} do {
^bb0(%b: f32):
 scf.yield %x : f32
}""",
    ),
    "while no yield": Invalid.within(
        "%x: f32, %c: i1",
        """%r = scf.while (%a = %x) : (f32) -> f32 {
 scf.condition(%c) %a : f32
} do {
^bb0(%b: f32):
 scf.condition(%c) %b : f32
}""",
    ),
    "forall mapping": Invalid.within(
        "%t: tensor<8xf32>",
        """scf.forall (%k) in (4) {
} {mapping = [#gpu.thread<x>, #gpu.thread<y>]}""",
    ),
    "parallel reduce": Invalid.within(
        "%i: index, %x: f32",
        """%r = scf.parallel (%k) = (%i) to (%i) step (%i) init (%x) -> f32 {
}""",
    ),
    "parallel reduce type": Invalid.within(
        "%i: index, %x: f32, %y: f64",
        """%r = scf.parallel (%k) = (%i) to (%i) step (%i) init (%x) -> f32 {
 scf.reduce(%y : f64) {
 ^bb0(%a: f64, %b: f64):
 scf.reduce.return %a : f64
 }
}""",
    ),
    "parallel reduce args": Invalid.within(
        "%i: index, %x: f32",
        """%r = scf.parallel (%k) = (%i) to (%i) step (%i) init (%x) -> f32 {
 scf.reduce(%x : f32) {
 ^bb0(%a: f32, %b: f64):
 scf.reduce.return %a : f32
 }
}""",
    ),
    "parallel reduce return": Invalid.within(
        "%i: index, %x: f32, %y: f64",
        """%r = scf.parallel (%k) = (%i) to (%i) step (%i) init (%x) -> f32 {
 scf.reduce(%x : f32) {
 ^bb0(%a: f32, %b: f32):
 scf.reduce.return %y : f64
 }
}""",
    ),
    "parallel step0": Invalid.within(
        "%i: index",
        """%z = arith.constant 0 : index
scf.parallel (%k) = (%i) to (%i) step (%z) {
}""",
    ),
    "index_switch yields": Invalid.within(
        "%i: index, %x: f32",
        """%r = scf.index_switch %i -> f32
case 1 {
 scf.yield %x : f32
}
default {
 scf.yield
}""",
    ),
    "index_switch dup": Invalid.within(
        "%i: index",
        """scf.index_switch %i
case 1 {
 scf.yield
}
case 1 {
 scf.yield
}
default {
 scf.yield
}""",
    ),
    "execute_region arg": Invalid.within(
        "%x: f32",
        """%r = scf.execute_region -> f32 {
 scf.yield
}""",
    ),
    "affine.load dims": Invalid.within(
        "%m: memref<4xf32>, %j: index, %tt: tensor<4xindex>",
        """scf.for %k = %j to %j step %j {
 %r = affine.load %m[%k] : memref<4xf32>
}""",
    ),
    "return in scf": Invalid.within(
        "%c: i1",
        """scf.if %c {
    func.return
  }""",
    ),
}


class TestProblems(ProblemTests):
    invalid = INVALID
