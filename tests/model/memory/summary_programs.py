"""Functions that call each other, in the tests of what calls do to memory."""

from __future__ import annotations

HELPERS = """
func.func private @put(%m: memref<12xf32>, %i: index, %x: f32) {
  memref.store %x, %m[%i] : memref<12xf32>
  return
}
func.func private @get(%m: memref<12xf32>, %i: index) -> f32 {
  %v = memref.load %m[%i] : memref<12xf32>
  return %v : f32
}
func.func private @next(%m: memref<12xf32>, %i: index) -> f32 {
  %c1 = arith.constant 1 : index
  %j = arith.addi %i, %c1 : index
  %v = func.call @get(%m, %j) : (memref<12xf32>, index) -> f32
  return %v : f32
}
func.func private @pair(%a: memref<12xf32>, %b: memref<12xf32>, %i: index) {
  %v = memref.load %a[%i] : memref<12xf32>
  memref.store %v, %b[%i] : memref<12xf32>
  return
}
func.func private @row(%m: memref<12xf32>, %from: index, %to: index) {
  affine.for %i = %from to %to {
    %v = affine.load %m[%i - 1] : memref<12xf32>
    affine.store %v, %m[%i] : memref<12xf32>
  }
  return
}
func.func private @evens(%m: memref<12xf32>, %n: index, %x: f32) {
  affine.for %i = 0 to %n step 2 {
    affine.store %x, %m[%i] : memref<12xf32>
  }
  return
}
func.func private @fresh(%m: memref<12xf32>, %i: index, %x: f32) -> f32 {
  memref.store %x, %m[%i] : memref<12xf32>
  %v = memref.load %m[%i] : memref<12xf32>
  return %v : f32
}
func.func private @some(%m: memref<12xf32>, %i: index, %n: index, %x: f32) {
  %is = arith.cmpi slt, %i, %n : index
  scf.if %is {
    memref.store %x, %m[%i] : memref<12xf32>
  }
  return
}
func.func private @scratch(%m: memref<12xf32>, %i: index, %x: f32) -> f32 {
  %l = memref.alloc() : memref<12xf32>
  memref.store %x, %l[%i] : memref<12xf32>
  %v = memref.load %l[%i] : memref<12xf32>
  memref.store %v, %m[%i] : memref<12xf32>
  return %v : f32
}
func.func private @two(%m: memref<3x4xf32>, %i: index, %x: f32) {
  affine.for %j = 0 to 4 { affine.store %x, %m[symbol(%i), %j] : memref<3x4xf32> }
  return
}
func.func private @nothing(%m: memref<12xf32>, %i: index) {
  return
}
func.func private @down(%m: memref<12xf32>, %i: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %is = arith.cmpi sgt, %i, %c0 : index
  scf.if %is {
    memref.store %x, %m[%i] : memref<12xf32>
    %j = arith.subi %i, %c1 : index
    func.call @down(%m, %j, %x) : (memref<12xf32>, index, f32) -> ()
  }
  return
}
func.func private @blocks(%m: memref<12xf32>, %from: index, %to: index) {
  %c1 = arith.constant 1 : index
  cf.br ^head(%from : index)
^head(%i: index):
  %goes = arith.cmpi slt, %i, %to : index
  cf.cond_br %goes, ^body, ^end
^body:
  %h = arith.subi %i, %c1 : index
  %v = memref.load %m[%h] : memref<12xf32>
  memref.store %v, %m[%i] : memref<12xf32>
  %next = arith.addi %i, %c1 : index
  cf.br ^head(%next : index)
^end:
  return
}
func.func private @branch(%m: memref<12xf32>, %i: index, %n: index, %x: f32) {
  %is = arith.cmpi slt, %i, %n : index
  cf.cond_br %is, ^yes, ^end
^yes:
  memref.store %x, %m[%i] : memref<12xf32>
  cf.br ^end
^end:
  return
}
func.func private @waits(%m: memref<12xf32>, %i: index, %x: f32) {
  %c5 = arith.constant 5 : index
  cf.br ^head
^head:
  memref.store %x, %m[%i] : memref<12xf32>
  %is = arith.cmpi eq, %i, %c5 : index
  cf.cond_br %is, ^end, ^head
^end:
  return
}
func.func private @check(%m: memref<12xf32>, %i: index, %n: index, %x: f32) {
  %is = arith.cmpi slt, %i, %n : index
  %v = memref.load %m[%i] : memref<12xf32>
  cf.assert %is, "small"
  memref.store %v, %m[%i] : memref<12xf32>
  return
}
"""
ARGUMENTS = "%m: memref<12xf32>, %o: memref<12xf32>, %q: memref<3x4xf32>, %n: index, %x: f32"
PUT = "func.call @put(%m, {}, %x) : (memref<12xf32>, index, f32) -> ()"
GET = "%v{} = func.call @get(%m, {}) : (memref<12xf32>, index) -> f32"


def nest(body: str, until: str = "8") -> str:
    return f"affine.for %i = 1 to {until} {{\n{body}\n}}"


C3 = "%c3 = arith.constant 3 : index\n"
# What @main does, and the kinds of its loops that have to be known: "" where unknown is an answer.
PROGRAMS: dict[str, tuple[str, list[str]]] = {
    "each its own": (nest(PUT.format("%i")), ["parallel"]),
    "one for all": (C3 + nest(PUT.format("%c3")), ["carried"]),
    "read, then written": (nest(f"{GET.format(0, '%i')}\n{PUT.format('%i')}"), ["parallel"]),
    "the next one": (
        nest(f"%v = func.call @next(%m, %i) : (memref<12xf32>, index) -> f32\n{PUT.format('%i')}"), ["carried"]
    ),
    "a call and an access": (
        nest(f"{PUT.format('%i')}\n%w = affine.load %m[%i - 1] : memref<12xf32>"), ["carried"]
    ),
    "from one to another": (
        nest("func.call @pair(%m, %o, %i) : (memref<12xf32>, memref<12xf32>, index) -> ()"), ["parallel"]
    ),
    "from one to itself": (
        nest("func.call @pair(%m, %m, %i) : (memref<12xf32>, memref<12xf32>, index) -> ()"), [""]
    ),
    "back and forth": (
        nest("""func.call @pair(%m, %o, %i) : (memref<12xf32>, memref<12xf32>, index) -> ()
             func.call @pair(%o, %m, %i) : (memref<12xf32>, memref<12xf32>, index) -> ()"""), ["parallel"],
    ),
    "a loop in a call": (
        C3 + "func.call @row(%m, %c3, %n) : (memref<12xf32>, index, index) -> ()\n" + nest(GET.format(0, "%i")),
        ["parallel"],
    ),
    "a loop in a call in a loop": (
        nest("func.call @row(%m, %i, %n) : (memref<12xf32>, index, index) -> ()"), ["carried"]
    ),
    "every second": (
        "func.call @evens(%m, %n, %x) : (memref<12xf32>, index, f32) -> ()\n" + nest(GET.format(0, "%i"), "%n"),
        ["parallel"],
    ),
    "its own value": (
        C3 + nest("%v = func.call @fresh(%m, %c3, %x) : (memref<12xf32>, index, f32) -> f32"), ["carried"]
    ),
    "a loop of blocks in a call": (
        C3 + "func.call @blocks(%m, %c3, %n) : (memref<12xf32>, index, index) -> ()\n" + nest(GET.format(0, "%i")),
        ["parallel"],
    ),
    "a loop of blocks in a call in a loop": (
        nest("func.call @blocks(%m, %i, %n) : (memref<12xf32>, index, index) -> ()"), ["carried"]
    ),
    "a branch between blocks": (
        nest("func.call @branch(%m, %i, %n, %x) : (memref<12xf32>, index, index, f32) -> ()", "10"), ["parallel"]
    ),
    "what may not end": (
        "%c5 = arith.constant 5 : index\n"
        + nest("func.call @waits(%m, %c5, %x) : (memref<12xf32>, index, f32) -> ()"), [""]
    ),
    "an assertion in a call": (
        nest("func.call @check(%m, %i, %n, %x) : (memref<12xf32>, index, index, f32) -> ()"), ["parallel"]
    ),
    "an assertion in a call, and what is behind it": (
        nest("func.call @check(%m, %i, %n, %x) : (memref<12xf32>, index, index, f32) -> ()\n" + GET.format(0, "%n")),
        [""],
    ),
    "under a condition": (
        nest("func.call @some(%m, %i, %n, %x) : (memref<12xf32>, index, index, f32) -> ()", "10"), ["parallel"]
    ),
    "local memory": (
        nest("%v = func.call @scratch(%m, %i, %x) : (memref<12xf32>, index, f32) -> f32"), ["parallel"]
    ),
    "rows": (
        "affine.for %i = 0 to 3 { func.call @two(%q, %i, %x) : (memref<3x4xf32>, index, f32) -> () }", ["parallel"]
    ),
    "rows again": (
        """affine.for %i = 0 to 3 { affine.for %j = 0 to 2 {
             func.call @two(%q, %i, %x) : (memref<3x4xf32>, index, f32) -> () } }""", ["parallel", "carried"],
    ),
    "nothing": (
        C3 + nest("func.call @nothing(%m, %c3) : (memref<12xf32>, index) -> ()"), ["parallel"]
    ),
    "a recursion": (
        nest("func.call @down(%m, %i, %x) : (memref<12xf32>, index, f32) -> ()"), [""]
    ),
    "written before the loop": (
        f"{C3}{PUT.format('%c3')}\n" + nest(GET.format(0, "%c3")), ["parallel"]
    ),
    "overwritten": (
        nest(f"{PUT.format('%i')}\n{PUT.format('%i')}\n{GET.format(0, '%i')}"), ["parallel"]
    ),
    "elements of a sum": (
        nest("%k = affine.apply affine_map<(i) -> (i floordiv 2)>(%i)\n" + PUT.format("%k")), ["carried"]
    ),
}  # fmt: skip
