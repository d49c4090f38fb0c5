"""Invalid functions, calls, branches and blocks: what is said of them is what mlir-opt 22 says."""

from __future__ import annotations

from tests.dialects.problem_cases import Invalid, ProblemTests

INVALID: dict[str, Invalid] = {
    "global init2": Invalid("""memref.global @g : memref<4xf32> = dense<1.0>
memref.global @g : memref<4xf32>"""),
    "return count": Invalid("""func.func @f(%x: f32) -> f32 {
  return
}"""),
    "return type": Invalid("""func.func @f(%x: f64) -> f32 {
  return %x : f64
}"""),
    "return extra": Invalid("""func.func @f(%x: f64) {
  return %x : f64
}"""),
    "no terminator empty": Invalid("""func.func @f(%x: f64) {
}"""),
    "two returns": Invalid("""func.func @f(%x: f64) {
  return
  return
}"""),
    "duplicate symbol": Invalid("""func.func @f() {
  return
}
func.func @f() {
  return
}"""),
    "call missing": Invalid("""func.func @f() {
  func.call @g() : () -> ()
  return
}"""),
    "call arity": Invalid("""func.func private @g(i32)
func.func @f() {
  func.call @g() : () -> ()
  return
}"""),
    "call type": Invalid("""func.func private @g(i32)
func.func @f(%x: f32) {
  func.call @g(%x) : (f32) -> ()
  return
}"""),
    "call result": Invalid("""func.func private @g() -> i32
func.func @f() {
  %r = func.call @g() : () -> f32
  return
}"""),
    "call result count": Invalid("""func.func private @g() -> i32
func.func @f() {
  func.call @g() : () -> ()
  return
}"""),
    "call not func": Invalid("""memref.global @g : memref<4xf32>
func.func @f() {
  func.call @g() : () -> ()
  return
}"""),
    "constant fn": Invalid("""func.func private @g() -> i32
func.func @f() {
  %r = func.constant @g : () -> f32
  return
}"""),
    "constant fn missing": Invalid("""func.func @f() {
  %r = func.constant @g : () -> f32
  return
}"""),
    "public decl": Invalid("""func.func @g() -> i32"""),
    "arg count": Invalid(""""func.func"() <{function_type = (i32) -> (), sym_name = "f"}> ({
  func.return
}) : () -> ()"""),
    "arg type": Invalid(""""func.func"() <{function_type = (i32) -> (), sym_name = "f"}> ({
^bb0(%x: f32):
  func.return
}) : () -> ()"""),
    "return outside": Invalid("""func.return"""),
    "use before def": Invalid("""func.func @f(%c: i1) {
  %r = arith.addf %y, %y : f32
  %y = arith.constant 1.0 : f32
  return
}"""),
    "dominance blocks": Invalid("""func.func @f(%c: i1, %x: f32) -> f32 {
  cf.cond_br %c, ^a, ^b
^a:
  %y = arith.addf %x, %x : f32
  cf.br ^b
^b:
  return %y : f32
}"""),
    "br args": Invalid("""func.func @f(%x: f32) {
  cf.br ^a(%x : f32)
^a:
  return
}"""),
    "br arg type": Invalid("""func.func @f(%x: f32) {
  cf.br ^a(%x : f32)
^a(%y: f64):
  return
}"""),
    "fill memref result": Invalid("""func.func @f(%x: f32, %t: memref<4xf32>) {
  %r = linalg.fill ins(%x : f32) outs(%t : memref<4xf32>) -> tensor<4xf32>
  return
}"""),
    "index oob": Invalid("""func.func @f(%t: tensor<4xi32>) {
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%t : tensor<4xi32>) {
^bb0(%a: i32):
 %k = linalg.index 1 : index
 %l = arith.index_cast %k : index to i32
 linalg.yield %l : i32
} -> tensor<4xi32>
  return
}"""),
    "index outside": Invalid("""func.func @f() {
  %k = linalg.index 0 : index
  return
}"""),
    "linalg.yield outside": Invalid("""func.func @f(%x: f32) {
  linalg.yield %x : f32
  return
}"""),
    "alloc_tensor count": Invalid("""func.func @f(%i: index) {
  %r = bufferization.alloc_tensor(%i) : tensor<4xf32>
  return
}"""),
    "alloc_tensor copy": Invalid("""func.func @f(%i: index, %t: tensor<?xf32>) {
  %r = bufferization.alloc_tensor(%i) copy(%t) : tensor<?xf32>
  return
}"""),
}


class TestProblems(ProblemTests):
    invalid = INVALID
