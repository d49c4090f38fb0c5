"""Loops for mark-parallel: each body is of a function of two memrefs of 24 x 24 floats and an index; it gives a float."""

from __future__ import annotations

from dataclasses import dataclass

MATRIX = "memref<24x24xf32>"
SIGNATURE = f"(%a: {MATRIX}, %b: {MATRIX}, %n: index) -> f32"


@dataclass(frozen=True)
class Case:
    """A BODY that may use %zero and %one and says what it returns; KINDS are its loops after the pass, in order.

    `p` is affine.parallel, `f` affine.for; REDUCED are the kinds if reductions may become parallel.
    """

    body: str
    kinds: str
    reduced: str

    def function(self, name: str) -> str:
        body = self.body.strip().replace("@M", MATRIX)
        if "return" not in body:
            body += "\nreturn %zero : f32"
        return (
            f"func.func @{name}{SIGNATURE} {{\n%zero = arith.constant 0.0 : f32\n"
            f"%one = arith.constant 1.0 : f32\n{body}\n}}\n"
        )


CASES = {
    "rows": Case("""
        affine.for %i = 0 to 24 {
          affine.for %j = 0 to 24 {
            %x = affine.load %a[%j, %i] : @M
            affine.store %x, %b[%i, %j] : @M
          }
        }""", "pp", "pp"),
    "triangle": Case("""
        affine.for %i = 0 to 24 {
          affine.for %j = affine_map<(d0) -> (d0)>(%i) to 24 {
            %x = affine.load %a[%i, %j] : @M
            %y = arith.addf %x, %one : f32
            affine.store %y, %a[%i, %j] : @M
          }
        }""", "pp", "pp"),
    "bounds": Case("""
        affine.for %i = 0 to min affine_map<(d0)[s0] -> (s0, 20, d0 + 3)>(%n)[%n] {
          affine.for %j = max affine_map<(d0)[s0] -> (d0 - 2, s0 - 9, 1)>(%i)[%n] to min affine_map<(d0) -> (24, d0 + 5)>(%i) {
            %x = affine.load %b[%i, %j] : @M
            affine.store %x, %a[%i, %j] : @M
          }
        }""", "pp", "pp"),
    "steps": Case("""
        affine.for %i = 1 to 23 step 3 {
          affine.for %j = affine_map<(d0) -> (d0)>(%i) to 23 step 4 {
            %x = affine.load %b[%i - 1, %j + 1] : @M
            affine.store %x, %a[%i, %j] : @M
            affine.store %x, %a[%i + 1, %j - 1] : @M
          }
        }""", "pp", "pp"),
    "stencil": Case("""
        affine.for %i = 1 to 23 {
          affine.for %j = 1 to 23 {
            %x = affine.load %a[%i - 1, %j] : @M
            %y = affine.load %a[%i, %j] : @M
            %z = arith.addf %x, %y : f32
            affine.store %z, %a[%i, %j] : @M
          }
        }""", "fp", "fp"),
    "halves": Case("""
        affine.for %i = 0 to 12 {
          affine.for %j = 0 to 24 {
            %x = affine.load %a[2 * %i + 1, %j] : @M
            affine.store %x, %a[2 * %i, %j] : @M
          }
        }""", "pp", "pp"),
    "product": Case("""
        %c = memref.alloc() : @M
        affine.for %i = 0 to 24 {
          affine.for %j = 0 to 24 {
            affine.store %zero, %c[%i, %j] : @M
            affine.for %k = 0 to 24 {
              %x = affine.load %a[%i, %k] : @M
              %y = affine.load %b[%k, %j] : @M
              %z = affine.load %c[%i, %j] : @M
              %p = arith.mulf %x, %y : f32
              %s = arith.addf %z, %p : f32
              affine.store %s, %c[%i, %j] : @M
            }
          }
        }
        affine.for %i = 0 to 24 {
          affine.for %j = 0 to 24 {
            %x = affine.load %c[%i, %j] : @M
            affine.store %x, %b[%i, %j] : @M
          }
        }
        memref.dealloc %c : @M""", "ppfpp", "ppfpp"),
    "sum": Case("""
        %r = affine.for %i = 0 to 24 iter_args(%s = %one) -> (f32) {
          %x = affine.load %a[%i, 3] : @M
          %t = arith.addf %s, %x : f32
          affine.yield %t : f32
        }
        return %r : f32""", "f", "p"),
    "sums_of_rows": Case("""
        affine.for %i = 0 to 24 {
          %r = affine.for %j = 0 to min affine_map<(d0)[s0] -> (d0, s0)>(%i)[%n] iter_args(%s = %zero) -> (f32) {
            %x = affine.load %a[%i, %j] : @M
            %t = arith.addf %x, %s : f32
            affine.yield %t : f32
          }
          affine.store %r, %b[%i, 0] : @M
        }""", "pf", "pp"),
    "extrema": Case("""
        %x = affine.load %b[2, 3] : @M
        %r:3 = affine.for %i = 0 to 24 step 5 iter_args(%l = %x, %h = %x, %s = %one) -> (f32, f32, f32) {
          %y = affine.load %a[%i, %i] : @M
          %u = arith.maximumf %y, %h : f32
          %t = arith.addf %s, %y : f32
          %d = arith.minimumf %l, %y : f32
          affine.yield %d, %u, %t : f32, f32, f32
        }
        affine.store %r#0, %b[0, 0] : @M
        affine.store %r#1, %b[0, 1] : @M
        return %r#2 : f32""", "f", "p"),
    "integers": Case("""
        %c1 = arith.constant 1 : i32
        %c0 = arith.constant 0 : i32
        %r:2 = affine.for %i = 0 to 24 iter_args(%s = %c0, %p = %c1) -> (i32, i32) {
          %x = affine.load %a[0, %i] : @M
          %k = arith.fptosi %x : f32 to i32
          %t = arith.addi %s, %k : i32
          %u = arith.ori %k, %p : i32
          affine.yield %t, %u : i32, i32
        }
        %x = arith.sitofp %r#0 : i32 to f32
        %y = arith.sitofp %r#1 : i32 to f32
        affine.store %x, %b[0, 0] : @M
        return %y : f32""", "f", "p"),
    "sum_of_sums": Case("""
        %r = affine.for %i = 0 to 24 iter_args(%s = %zero) -> (f32) {
          %q = affine.for %j = 0 to 24 iter_args(%t = %s) -> (f32) {
            %x = affine.load %a[%i, %j] : @M
            %u = arith.addf %t, %x : f32
            affine.yield %u : f32
          }
          affine.yield %q : f32
        }
        return %r : f32""", "ff", "fp"),
    "prefix_sums": Case("""
        %r = affine.for %i = 0 to 24 iter_args(%s = %zero) -> (f32) {
          %x = affine.load %a[%i, 0] : @M
          %t = arith.addf %s, %x : f32
          affine.store %t, %b[%i, 0] : @M
          affine.yield %t : f32
        }
        return %r : f32""", "f", "f"),
    "differences": Case("""
        %r = affine.for %i = 0 to 24 iter_args(%s = %zero) -> (f32) {
          %x = affine.load %a[%i, 0] : @M
          %t = arith.subf %x, %s : f32
          affine.yield %t : f32
        }
        return %r : f32""", "f", "f"),
    "rows_of_its_own": Case("""
        affine.for %i = 0 to 24 {
          %row = memref.alloca() : memref<24xf32>
          affine.for %j = 0 to 24 {
            %x = affine.load %a[%i, 23 - %j] : @M
            affine.store %x, %row[%j] : memref<24xf32>
          }
          affine.for %j = 0 to 24 {
            %x = affine.load %row[%j] : memref<24xf32>
            affine.store %x, %a[%i, %j] : @M
          }
        }""", "ppp", "ppp"),
    "conditions": Case("""
        affine.for %i = 0 to 24 {
          affine.if affine_set<(d0)[s0] : (d0 - 12 >= 0, s0 - 3 >= 0)>(%i)[%n] {
            affine.for %j = 0 to 24 {
              affine.store %one, %a[%i - 12, %j] : @M
            }
          } else {
            %x = affine.load %b[%i, 0] : @M
            affine.store %x, %a[%i + 0, 5] : @M
          }
        }""", "fp", "fp"),
    "in_turns": Case("""
        affine.for %t = 0 to 4 {
          affine.for %i = 1 to 23 {
            %x = affine.load %a[%t, %i - 1] : @M
            %y = affine.load %a[%t, %i + 1] : @M
            %z = arith.addf %x, %y : f32
            affine.store %z, %a[%t + 1, %i] : @M
          }
        }""", "fp", "fp"),
}  # fmt: skip
