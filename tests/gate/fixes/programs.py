"""Programs with findings, each with the text that its fixes make of it.

A line begins with a space if it stays, with `-` if a fix takes it away, and with `+` if a fix writes it.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Fixable:
    """A program, what its fixes make of it, and the codes of what they fix."""

    name: str
    before: str
    after: str
    codes: tuple[str, ...]


def marked(name: str, codes: str, text: str) -> Fixable:
    """The program of TEXT, whose lines are marked, and the CODES of its findings."""
    lines = [each for each in text.split("\n") if each]
    before, after = ("".join(each[1:] + "\n" for each in lines if each[0] in marks) for marks in (" -", " +"))
    return Fixable(name, before, after, tuple(codes.split()))


WRITTEN = (
    marked("a store that is overwritten", "V206", """
 func.func @f(%m: memref<9xf32>, %x: f32, %y: f32) {
   affine.for %i = 0 to 9 {
-    affine.store %x, %m[%i] : memref<9xf32>
     affine.store %y, %m[%i] : memref<9xf32>
   }
   return
 }
"""),
    marked("operations in one line", "V206", """
 // First.
-func.func @f(%m: memref<9xf32>, %x: f32) { %z = arith.constant 0.0 : f32 affine.store %z, %m[3] : memref<9xf32> affine.store %x, %m[3] : memref<9xf32> return }
+func.func @f(%m: memref<9xf32>, %x: f32) { affine.store %x, %m[3] : memref<9xf32> return }
"""),
    marked("comments after operations", "V206", """
 func.func @f(%m: memref<9xf32>, %x: f32) {
-  %z = arith.constant 0.0 : f32 // zero
+  // zero
   // above it
-  affine.store %z, %m[3] : memref<9xf32>   // dead, \u00e9
+  // dead, \u00e9
   // between
   affine.store %x, %m[3] : memref<9xf32> // alive
   return
 }
"""),
    marked("operations of several lines", "V206", """
 func.func @f(%m: memref<9xf32>,
              %x: f32) {
   %c3 = arith.constant
      3
      : index
-  %z = arith.constant 0.0
-     : f32
-  memref.store %z,
-     %m[
-       %c3]
-     : memref<9xf32>
   memref.store %x, %m[%c3] : memref<9xf32>
   return
 }
"""),
    marked("two stores of one constant", "V206 V206", """
 func.func @f(%m: memref<9xf32>, %x: f32) {
-  %z = arith.constant 0.0 : f32
-  affine.store %z, %m[3] : memref<9xf32>
-  affine.store %z, %m[4] : memref<9xf32>
   affine.store %x, %m[3] : memref<9xf32>
   affine.store %x, %m[4] : memref<9xf32>
   return
 }
"""),
    marked("a constant that is used elsewhere", "V206", """
 func.func @f(%m: memref<9xf32>, %x: f32) -> f32 {
   %z = arith.constant 0.0 : f32
-  affine.store %z, %m[3] : memref<9xf32>
   affine.store %x, %m[3] : memref<9xf32>
   return %z : f32
 }
"""),
    marked("the same store four times", "V206 V206 V206", """
 func.func @f(%m: memref<9xf32>, %x: f32) {
-  affine.store %x, %m[3] : memref<9xf32>
-  affine.store %x, %m[3] : memref<9xf32>
-  affine.store %x, %m[3] : memref<9xf32>
   affine.store %x, %m[3] : memref<9xf32>
   return
 }
"""),
    marked("a fill that is overwritten", "V206", """
 func.func @f(%m: memref<9xf32>, %x: f32) {
-  %z = arith.constant 0.0 : f32
-  linalg.fill ins(%z : f32) outs(%m : memref<9xf32>)
   linalg.fill ins(%x : f32) outs(%m : memref<9xf32>)
   return
 }
"""),
    marked("a copy that is overwritten", "V206", """
 func.func @f(%m: memref<9xf32>, %x: f32) -> f32 {
   %a = memref.alloc() : memref<9xf32>
-  memref.copy %m,
-    %a : memref<9xf32> to memref<9xf32>
   linalg.fill ins(%x : f32) outs(%a : memref<9xf32>)
   %v = affine.load %a[0] : memref<9xf32>
   memref.dealloc %a : memref<9xf32>
   return %v : f32
 }
"""),
    marked("generic form", "V206", """
 "func.func"() ({
 ^bb0(%m: memref<9xf32>, %x: f32):
   %c0 = "arith.constant"() {value = 3 : index} : () -> index
-  "memref.store"(%x, %m, %c0) : (f32, memref<9xf32>, index) -> ()
   "memref.store"(%x, %m, %c0) : (f32, memref<9xf32>, index) -> ()
   "func.return"() : () -> ()
 }) {function_type = (memref<9xf32>, f32) -> (), sym_name = "f"} : () -> ()
"""),
    marked("a branch in a loop", "V210", """
 func.func @f(%m: memref<8xf32>, %x: f32) {
-  %c0 = arith.constant 0 : index
   affine.for %i = 0 to 8 {
-    %is_negative = arith.cmpi slt, %i, %c0 : index
-    scf.if %is_negative {
-      affine.store %x, %m[%i] : memref<8xf32>
-    }
     affine.store %x, %m[7 - %i] : memref<8xf32>
   }
   return
 }
"""),
    marked("the second region is always entered", "V210", """
 func.func @f(%m: memref<9xf32>, %x: f32, %y: f32) {
   affine.for %i = 0 to 9 {
-    affine.if affine_set<(d0) : (d0 - 9 >= 0)>(%i) {
-      affine.store %x, %m[%i] : memref<9xf32>
-    } else {
-      affine.for %j = 0 to 1 {
-        // here
-        affine.store %y, %m[%i + %j * 0] : memref<9xf32>
-      }
-    }
+    affine.for %j = 0 to 1 {
+      // here
+      affine.store %y, %m[%i + %j * 0] : memref<9xf32>
+    }
   }
   return
 }
"""),
    marked("a condition with results", "V210", """
 func.func @f(%m: memref<9xf32>) -> f32 {
-  %t = arith.constant true
   // why
-  %r = scf.if %t -> (f32) {
-    // taken
-    %v = affine.load %m[0] : memref<9xf32>
-    scf.yield %v : f32
-  } else {
-    %w = affine.load %m[1] : memref<9xf32>
-    scf.yield %w : f32
-  } // end
-  return %r : f32
+  // taken
+  %v = affine.load %m[0] : memref<9xf32>
+  // end
+  return %v : f32
 }
"""),
    marked("a loop with two results", "V210", """
 func.func @f(%m: memref<9xf32>, %x: f32, %y: f32) -> (f32, f32) {
-  %c4 = arith.constant 4 : index
-  %c3 = arith.constant 3 : index
-  %c1 = arith.constant 1 : index
   %seven = arith.constant 7.0 : f32
-  %r:2 = scf.for %i = %c4 to %c3 step %c1 iter_args(%a = %seven, %b = %y) -> (f32, f32) {
-    %v = memref.load %m[%i] : memref<9xf32>
-    scf.yield %v, %b : f32, f32
-  }
-  %s = arith.addf %r#0, %r#1 : f32
-  return %s, %r#1 : f32, f32
+  %s = arith.addf %seven, %y : f32
+  return %s, %y : f32, f32
 }
"""),
    marked("a parallel loop without iterations", "V210", """
 func.func @f(%m: memref<9xf32>, %x: f32) {
-  affine.parallel (%i, %j) = (0, 3) to (9, 3) {
-    affine.store %x, %m[%i] : memref<9xf32>
-  }
   affine.store %x, %m[0] : memref<9xf32>
   return
 }
"""),
    marked("padding that becomes a cast", "V211", """
 func.func @f(%t: tensor<8xf32>, %x: f32) -> tensor<?xf32> {
-  %c0 = arith.constant 0 : index
-  %p = tensor.pad %t low[%c0] high[%c0] {
-  ^bb0(%i: index):
-    tensor.yield %x : f32
-  } : tensor<8xf32> to tensor<?xf32>
+  %p = tensor.cast %t : tensor<8xf32> to tensor<?xf32>
   return %p : tensor<?xf32>
 }
"""),
    marked("padding that adds nothing", "V211", """
 func.func @f(%t: tensor<8xf32>, %x: f32) -> tensor<8xf32> {
-  %p = tensor.pad %t low[0] high[0] {
-  ^bb0(%i: index):
-    tensor.yield %x : f32
-  } : tensor<8xf32> to tensor<8xf32>
-  return %p : tensor<8xf32>
+  return %t : tensor<8xf32>
 }
"""),
    marked("padding of which nothing is read", "V211", """
 func.func @f(%t: tensor<8x6xf32>, %x: f32) -> tensor<7x3xf32> {
-  %p = tensor.pad %t low[2, 0] high[1, 1] {
-  ^bb0(%i: index, %j: index):
-    tensor.yield %x : f32
-  } : tensor<8x6xf32> to tensor<11x7xf32>
-  %s = tensor.extract_slice %p[3, 1] [7, 3] [1, 1] : tensor<11x7xf32> to tensor<7x3xf32>
+  %s = tensor.extract_slice %t[1, 1] [7, 3] [1, 1] : tensor<8x6xf32> to tensor<7x3xf32>
   return %s : tensor<7x3xf32>
 }
"""),
    marked("comments that ignore nothing", "V223 V223", """
 func.func @f(%m: memref<64xf32>, %x: f32) {
-  // volcli: ignore V203: no caller uses so large a tile
-  affine.store %x, %m[63] : memref<64xf32>   // volcli: ignore V207: sequential
+  affine.store %x, %m[63] : memref<64xf32>
   return
 }
"""),
    marked("blocks that nothing enters", "V210", """
 func.func @f(%m: memref<9xf32>, %x: f32, %y: f32) -> f32 {
-  %c = arith.constant false
-  cf.cond_br %c, ^bb1(%x : f32), ^bb3(%y : f32)
-^bb1(%a: f32):  // pred: ^bb0
-  affine.store %a, %m[0] : memref<9xf32>
-  cf.br ^bb2
-^bb2:  // pred: ^bb1
-  affine.store %a, %m[1] : memref<9xf32>
-  cf.br ^bb3(%a : f32)
+  cf.br ^bb3(%y : f32)
 // the end
 ^bb3(%r: f32):  // 2 preds: ^bb0, ^bb2
   return %r : f32
 }
"""),
    marked("stores in blocks", "V206 V206", """
 func.func @f(%m: memref<9xf32>, %x: f32, %c: i1) {
   cf.cond_br %c, ^bb1(%x : f32), ^bb2
-^bb1(%y: f32): affine.store %y, %m[3] : memref<9xf32> affine.store %x, %m[3] : memref<9xf32>
+^bb1(%y: f32): affine.store %x, %m[3] : memref<9xf32>
   cf.br ^bb2
 ^bb2:  // pred
-  affine.store %x, %m[4] : memref<9xf32> loc("} // {")
   affine.store %x, %m[4] : memref<9xf32>
   return
 }
"""),
    marked("strings and dictionaries with brackets", "V206", """
 func.func @f(%m: memref<9xf32>, %x: f32) attributes {note = "} // no comment {"} {
-  affine.store %x, %m[3] {a = "} //", b = [1, 2], c = {d = ")"}} : memref<9xf32> loc("here")
   affine.store %x, %m[3] : memref<9xf32>
   return
 }
"""),
    marked("a comment that ignores nothing, and annotations", "V223 V206 V206", """
 func.func @f(%m: memref<9xf32>, %x: f32) {
-  // volcli: ignore V203: careful
-  affine.store %x, %m[3] : memref<9xf32>
   affine.store %x, %m[3] : memref<9xf32>
   // volcli: access 0 writes %m[5]: dead
-  affine.store %x, %m[5] : memref<9xf32>
   affine.store %x, %m[5] : memref<9xf32>
   return
 }
"""),
    marked("fixes that overlap", "V210 V206", """
 func.func @f(%m: memref<9xf32>, %x: f32) -> f32 {
-  %c4 = arith.constant 4 : index
-  %c1 = arith.constant 1 : index
-  %s = scf.for %i = %c4 to %c4 step %c1 iter_args(%a = %x) -> (f32) {
-    %v = memref.load %m[%i] : memref<9xf32>
-    scf.yield %v : f32
-  }
   affine.for %i = 0 to 9 {
-    affine.for %j = 0 to 2 { affine.store %s, %m[%i] : memref<9xf32> }
+    affine.for %j = 0 to 2 { }
-    %t = arith.addf %s, %s : f32 affine.store %t, %m[%i] : memref<9xf32>
+    %t = arith.addf %x, %x : f32 affine.store %t, %m[%i] : memref<9xf32>
   }
-  return %s : f32
+  return %x : f32
 }
"""),
    marked("what each call has", "V204 V204", """
-func.func @f(%m: memref<?xf32>) -> f32 {
+func.func @f(%m: memref<?xf32> {volcli.assume = affine_set<(d0) : (d0 - 4 >= 0)>}) -> f32 {
   %v = affine.load %m[3] : memref<?xf32>
   return %v : f32
 }
-func.func @between(%m: memref<?xf32>) -> f32 { // a call that passes on what it is given
+func.func @between(%m: memref<?xf32> {volcli.assume = affine_set<(d0) : (d0 - 4 >= 0)>}) -> f32 { // a call that passes on what it is given
   %v = call @f(%m) : (memref<?xf32>) -> f32
   return %v : f32
 }
 func.func @outside(%m: memref<8xf32>) -> f32 {
   %all = memref.cast %m : memref<8xf32> to memref<?xf32>
   %v = call @between(%all) : (memref<?xf32>) -> f32
   return %v : f32
 }
"""),
    marked("attributes that are there", "V204", """
 func.func @f(%m: memref<8xf32>,
-    %i: index {foo.a = "{", "volcli.assume" = affine_set<(i) : (i >= 0)>},
+    %i: index {foo.a = "{", "volcli.assume" = affine_set<(i) : (i >= 0, -i + 7 >= 0)>},
-    %t: memref<?x9xf32, strided<[9, 1]>> {foo.b} loc("t"), %j: index, %n: index {})
+    %t: memref<?x9xf32, strided<[9, 1]>> {volcli.assume = affine_set<(d0, d1) : (d0 - 4 >= 0)>, foo.b} loc("t"), %j: index {volcli.assume = affine_set<(d0) : (d0 >= 0)>}, %n: index {})
-    -> (f32 {foo.c}) attributes { foo.d = {e = 1} }   {
+    -> (f32 {foo.c}) attributes {volcli.assume = affine_set<(d0, d1, d2) : (-d1 + d2 - 1 >= 0)>,  foo.d = {e = 1} }   {
   %b = memref.alloc(%n) : memref<?xf32>
   %v = memref.load %m[%i] : memref<8xf32>
   memref.store %v, %b[%j] : memref<?xf32>
   %x = affine.load %t[3, 8] : memref<?x9xf32, strided<[9, 1]>>
   %w = memref.load %b[%j] : memref<?xf32>
   %s = arith.addf %w, %x : f32
   return %s : f32
 }
 func.func @g(%m: memref<8xf32>, %t: memref<?x9xf32, strided<[9, 1]>>) -> f32 {
   %c0 = arith.constant 0 : index
   %c1 = arith.constant 1 : index
   %n = memref.dim %t, %c0 : memref<?x9xf32, strided<[9, 1]>>
   %c3 = arith.constant 3 : index
   %fits = arith.cmpi sgt, %n, %c3 : index
   cf.assert %fits, "four rows"
   %v = call @f(%m, %c1, %t, %c0, %c1) : (memref<8xf32>, index, memref<?x9xf32, strided<[9, 1]>>, index, index) -> f32
   return %v : f32
 }
"""),
    marked("a fix shows another finding", "V210 V206", """
 func.func @f(%m: memref<9xf32>, %x: f32, %y: f32) -> f32 {
   %f = arith.constant false
-  affine.store %x, %m[0] : memref<9xf32>
-  scf.if %f {
-    %old = affine.load %m[0] : memref<9xf32>
-    affine.store %old, %m[1] : memref<9xf32>
-  }
   affine.store %y, %m[0] : memref<9xf32>
   %r = arith.select %f, %x, %y : f32
   return %r : f32
 }
"""),
)  # fmt: skip
