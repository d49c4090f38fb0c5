"""Memory: its lifetimes, its bounds, what was written, and races; programs with a defect stop at it."""

from __future__ import annotations

import pytest

import volcli
from volcli.execution.runs.inputs import Inputs

DEFECTS = {
    "an index too large": ("bounds", 3, """
func.func @f(%m: memref<4xf32>) -> f32 {
  %i = arith.constant 4 : index
  %x = memref.load %m[%i] : memref<4xf32>
  return %x : f32
}"""),
    "a negative index": ("bounds", 3, """
func.func @f(%m: memref<4xf32>) {
  affine.for %i = 0 to 4 {
    %x = affine.load %m[%i - 1] : memref<4xf32>
  }
  return
}"""),
    "use after free": ("lifetime", 6, """
func.func @f(%x: f32) -> f32 {
  %i = arith.constant 0 : index
  %m = memref.alloc() : memref<4xf32>
  memref.store %x, %m[%i] : memref<4xf32>
  memref.dealloc %m : memref<4xf32>
  %y = memref.load %m[%i] : memref<4xf32>
  return %y : f32
}"""),
    "a copy of freed memory": ("lifetime", 4, """
func.func @f(%a: memref<4xf32>, %b: memref<4xf32>) {
  %c = memref.cast %a : memref<4xf32> to memref<?xf32>
  memref.dealloc %a : memref<4xf32>
  memref.copy %c, %b : memref<?xf32> to memref<4xf32>
  return
}"""),
    "double free": ("lifetime", 4, """
func.func @f() {
  %m = memref.alloc() : memref<4xf32>
  memref.dealloc %m : memref<4xf32>
  memref.dealloc %m : memref<4xf32>
  return
}"""),
    "a free of the stack": ("lifetime", 3, """
func.func @f() {
  %m = memref.alloca() : memref<4xf32>
  memref.dealloc %m : memref<4xf32>
  return
}"""),
    "memory of the stack that leaves": ("lifetime", 9, """
func.func private @g() -> memref<4xf32> {
  %m = memref.alloca() : memref<4xf32>
  return %m : memref<4xf32>
}
func.func @f() -> f32 {
  %i = arith.constant 0 : index
  %m = call @g() : () -> memref<4xf32>
  %z = arith.constant 0.0 : f32
  memref.store %z, %m[%i] : memref<4xf32>
  return %z : f32
}"""),
    "an element that nothing has written": ("uninitialized", 5, """
func.func @f() -> f32 {
  %i = arith.constant 0 : index
  %m = memref.alloc() : memref<4xf32>
  %x = memref.load %m[%i] : memref<4xf32>
  return %x : f32
}"""),
    "a branch on an element that nothing has written": ("uninitialized", 5, """
func.func @f() {
  %i = arith.constant 0 : index
  %m = memref.alloc() : memref<4xi1>
  %x = memref.load %m[%i] : memref<4xi1>
  scf.if %x {
    %n = memref.alloc() : memref<4xi1>
  }
  return
}"""),
    "an address that nothing has written": ("uninitialized", 4, """
func.func @f(%t: memref<4xf32>, %i: index) -> f32 {
  %m = memref.alloc() : memref<9xindex>
  %x = memref.load %m[%i] : memref<9xindex>
  %y = memref.load %t[%x] : memref<4xf32>
  return %y : f32
}"""),
    "a race of writes": ("race", 3, """
func.func @f(%m: memref<4xindex>) {
  affine.parallel (%i) = (0) to (4) {
    affine.store %i, %m[0] : memref<4xindex>
  }
  return
}"""),
    "a race of a read and a write": ("race", 4, """
func.func @f(%m: memref<5xf32>) {
  affine.parallel (%i) = (0) to (4) {
    %x = affine.load %m[%i + 1] : memref<5xf32>
    affine.store %x, %m[%i] : memref<5xf32>
  }
  return
}"""),
    "a slice out of bounds": ("bounds", 2, """
func.func @f(%m: memref<4xf32>, %n: index) {
  %s = memref.subview %m[%n] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1], offset: ?>>
  return
}"""),
    "a division by zero": ("arithmetic", 3, """
func.func @f(%a: i8) -> i8 {
  %z = arith.constant 0 : i8
  %r = arith.divui %a, %z : i8
  return %r : i8
}"""),
    "a quotient that is too large": ("arithmetic", 4, """
func.func @f() -> i8 {
  %a = arith.constant -128 : i8
  %b = arith.constant -1 : i8
  %r = arith.divsi %a, %b : i8
  return %r : i8
}"""),
    "poison that is returned": ("poison", 4, """
func.func @f() -> i8 {
  %a = arith.constant 100 : i8
  %r = arith.addi %a, %a overflow<nsw> : i8
  return %r : i8
}"""),
    "poison that decides": ("poison", 5, """
func.func @f(%b: i8) -> i8 {
  %a = arith.constant 9 : i8
  %r = arith.shli %a, %a : i8
  %c = arith.cmpi slt, %r, %b : i8
  cf.cond_br %c, ^one, ^one
^one:
  return %b : i8
}"""),
    "an assertion that fails": ("contract", 3, """
func.func @f(%n: index) {
  %c = arith.cmpi eq, %n, %n : index
  cf.assert %d, "no"
  return
}""".replace("%c = arith.cmpi eq, %n, %n : index", "%d = arith.cmpi ne, %n, %n : index")),
    "a matmul of other sizes": ("contract", 2, """
func.func @f(%a: tensor<?x?xf32>, %b: tensor<5x?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<5x?xf32>) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}"""),
    "a negative size": ("contract", 3, """
func.func @f() {
  %n = arith.constant -1 : index
  %m = memref.alloc(%n) : memref<?xf32>
  return
}"""),
    "a cast to other sizes": ("contract", 2, """
func.func @f(%m: memref<?xf32>) {
  %c = memref.cast %m : memref<?xf32> to memref<7xf32>
  return
}"""),
    "a layout outside of its memory": ("bounds", 2, """
func.func @f(%m: memref<4xf32>) {
  %c = memref.reinterpret_cast %m to offset: [1], sizes: [4], strides: [1] : memref<4xf32> to memref<4xf32, strided<[1], offset: 1>>
  return
}"""),
    "a write to a constant": ("bounds", 5, """
memref.global "private" constant @g : memref<2xf32> = dense<[1.0, 2.0]>
func.func @f(%x: f32) {
  %i = arith.constant 0 : index
  %m = memref.get_global @g : memref<2xf32>
  memref.store %x, %m[%i] : memref<2xf32>
  return
}"""),
}  # fmt: skip


@pytest.mark.parametrize("name", DEFECTS)
def test_defects(name: str) -> None:
    kind, line, text = DEFECTS[name]
    function = volcli.loads(text.removeprefix("\n")).function("f")
    found = function.run(Inputs()).undefined
    assert found is not None
    assert found.place is not None
    assert (found.message.split(":")[0], found.place.line) == (kind, line), found.message


CORRECT = {
    "reads of what others read": """
func.func @f(%m: memref<5xf32>, %o: memref<4xf32>) {
  affine.parallel (%i) = (0) to (4) {
    %x = affine.load %m[%i + 1] : memref<5xf32>
    %y = affine.load %m[%i] : memref<5xf32>
    %z = arith.addf %x, %y : f32
    affine.store %z, %o[%i] : memref<4xf32>
  }
  return
}""",
    "memory of an iteration": """
func.func @f(%m: memref<4xf32>) {
  affine.parallel (%i) = (0) to (4) {
    %s = memref.alloca() : memref<1xf32>
    %x = affine.load %m[%i] : memref<4xf32>
    affine.store %x, %s[0] : memref<1xf32>
    %y = affine.load %s[0] : memref<1xf32>
    affine.store %y, %m[%i] : memref<4xf32>
  }
  return
}""",
    "poison that nothing uses": """
func.func @f(%b: i8) -> i8 {
  %a = arith.constant 9 : i8
  %r = arith.shli %a, %a : i8
  %t = arith.constant false
  %c = arith.select %t, %r, %b : i8
  return %c : i8
}""",
    "an empty slice at the end": """
func.func @f(%m: memref<4xf32>, %n: index) {
  %c = arith.constant 0 : index
  %s = memref.subview %m[%n] [%c] [1] : memref<4xf32> to memref<?xf32, strided<[1], offset: ?>>
  return
}""",
    "atomic updates of one element": """
func.func @f(%m: memref<1xf32>, %x: f32) {
  %i = arith.constant 0 : index
  affine.parallel (%j) = (0) to (4) {
    %o = memref.atomic_rmw addf %x, %m[%i] : (f32, memref<1xf32>) -> f32
  }
  return
}""",
}


@pytest.mark.parametrize("name", CORRECT)
def test_correct(name: str) -> None:
    function = volcli.loads(CORRECT[name].removeprefix("\n")).function("f")
    for order in (None, 1, 2, 3):
        assert function.run(Inputs(), shuffle=order).diagnostic is None


def test_a_loop_without_end_is_stopped() -> None:
    text = """func.func @f(%n: index) {
  %one = arith.constant 1 : index
  cf.br ^loop(%n : index)
^loop(%k: index):
  %next = arith.addi %k, %one : index
  cf.br ^loop(%next : index)
}"""
    found = volcli.loads(text).function("f").run(Inputs(), steps=1000)
    assert found.stopped is not None
    assert "more than 1,000 steps" in found.stopped.message


def test_the_trail_names_iterations_and_calls() -> None:
    text = """func.func private @g(%m: memref<4xf32>, %i: index) -> f32 {
  %x = memref.load %m[%i] : memref<4xf32>
  return %x : f32
}
func.func @f(%m: memref<4xf32>) {
  affine.for %i = 0 to 9 {
    %x = func.call @g(%m, %i) : (memref<4xf32>, index) -> f32
  }
  return
}"""
    found = volcli.loads(text).function("f").run(Inputs()).undefined
    assert found is not None
    assert found.message == (
        "bounds: index 4 is not in dimension 0 of size 4, in call of @g of func.call at 7:10, "
        "in iteration 4 of affine.for at 6:3"
    )


def test_an_external_call_names_what_it_is_given_and_what_it_may_access() -> None:
    text = """func.func private @g(memref<2x?xf32>, index) -> f32
memref.global "private" @table : memref<2xf32> = dense<0.0>
func.func @f(%m: memref<4xf32>, %n: index) -> f32 {
  %t = memref.get_global @table : memref<2xf32>
  %a = memref.alloc(%n) : memref<2x?xf32>
  %b = memref.alloc(%n) : memref<2x?xf32>
  %y = func.call @g(%a, %n) : (memref<2x?xf32>, index) -> f32
  return %y : f32
}"""
    found = volcli.loads(text).function("f").run(Inputs()).stopped
    assert found is not None
    assert found.message == (
        "@g is external: nothing states what it does; it is given memory of the sizes [2, 4], 4; it may access "
        "the memory of memref.alloc at 5:8, the memory of memref.global at 2:1, %m"
    )
