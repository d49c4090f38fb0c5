"""Affine accesses for test-memref-dependence-check, by name: what is around them, and how they are subscripted."""

from __future__ import annotations

import textwrap


def function(arguments: str, body: str, name: str = "f") -> str:
    """A function with this body; `memref` types are 100 floats if nothing else is said."""
    return f"func.func @{name}({arguments}) {{\n{textwrap.indent(textwrap.dedent(body).strip(), '  ')}\n  return\n}}\n"


ONE = "%m: memref<100xf32>, %x: f32"
TWO = "%m: memref<100x100xf32>, %x: f32"
SYMBOL = "%m: memref<?xf32>, %x: f32, %n: index, %k: index"

# -- one loop ----------------------------------------------------------------------------------------

CASES = {
    "no_loop": function(ONE, """
        affine.store %x, %m[3] : memref<100xf32>
        %a = affine.load %m[3] : memref<100xf32>
        %b = affine.load %m[4] : memref<100xf32>"""),
    "shift": function(ONE, """
        affine.for %i = 3 to 90 {
          affine.store %x, %m[%i] : memref<100xf32>
          %a = affine.load %m[%i - 3] : memref<100xf32>
          %b = affine.load %m[%i + 4] : memref<100xf32>
        }"""),
    "one_element": function(ONE, """
        affine.for %i = 2 to 9 {
          affine.store %x, %m[7] : memref<100xf32>
          %a = affine.load %m[%i] : memref<100xf32>
        }"""),
    "step": function(ONE, """
        affine.for %i = 0 to 50 step 4 {
          affine.store %x, %m[%i + 8] : memref<100xf32>
          %a = affine.load %m[%i] : memref<100xf32>
          %b = affine.load %m[%i + 20] : memref<100xf32>
        }"""),
    "step_from_a_symbol": function(SYMBOL, """
        affine.for %i = %n to 50 step 3 {
          affine.store %x, %m[%i + 6] : memref<?xf32>
          %a = affine.load %m[%i] : memref<?xf32>
        }"""),
    "never_runs": function(ONE, """
        affine.for %i = 9 to 3 {
          affine.store %x, %m[0] : memref<100xf32>
          %a = affine.load %m[0] : memref<100xf32>
        }"""),
    "reversed": function(ONE, """
        affine.for %i = 0 to 20 {
          affine.store %x, %m[20 - %i] : memref<100xf32>
          %a = affine.load %m[%i + 5] : memref<100xf32>
        }"""),
    "sparse": function(ONE, """
        affine.for %i = 0 to 30 {
          affine.store %x, %m[3 * %i] : memref<100xf32>
          %a = affine.load %m[3 * %i + 9] : memref<100xf32>
        }"""),
    "to_a_symbol": function(SYMBOL, """
        affine.for %i = 0 to %n {
          affine.store %x, %m[%i + 1] : memref<?xf32>
          %a = affine.load %m[%i] : memref<?xf32>
        }"""),
    "by_a_symbol": function(SYMBOL, """
        affine.for %i = 0 to 100 {
          affine.store %x, %m[%i + symbol(%n)] : memref<?xf32>
          %a = affine.load %m[%i] : memref<?xf32>
        }"""),
    "the_same_symbol": function(SYMBOL, """
        affine.for %i = 0 to 100 {
          affine.store %x, %m[%i + symbol(%n) + 2] : memref<?xf32>
          %a = affine.load %m[%i + symbol(%n)] : memref<?xf32>
        }"""),
    "two_symbols": function(SYMBOL, """
        affine.for %i = 0 to 100 {
          affine.store %x, %m[%i + symbol(%n)] : memref<?xf32>
          %a = affine.load %m[%i + symbol(%k)] : memref<?xf32>
        }"""),
    "between_symbols": function(SYMBOL, """
        affine.for %i = %n to %k {
          affine.store %x, %m[%i] : memref<?xf32>
          %a = affine.load %m[%i - 1] : memref<?xf32>
        }"""),
    "a_few_from_a_symbol": function(SYMBOL, """
        affine.for %i = affine_map<()[s] -> (s)>()[%n] to affine_map<()[s] -> (s + 10)>()[%n] {
          affine.store %x, %m[%i + 7] : memref<?xf32>
          %a = affine.load %m[%i] : memref<?xf32>
          affine.store %x, %m[%i + 12] : memref<?xf32>
        }"""),
    "least_of_two_ends": function(SYMBOL, """
        affine.for %i = 0 to min affine_map<(d0) -> (d0, 20)>(%n) {
          affine.store %x, %m[%i + 15] : memref<?xf32>
          %a = affine.load %m[%i] : memref<?xf32>
          affine.store %x, %m[%i + 20] : memref<?xf32>
        }"""),
    "greatest_of_two_beginnings": function(SYMBOL, """
        affine.for %i = max affine_map<(d0) -> (d0, 4)>(%n) to 20 {
          affine.store %x, %m[%i + 15] : memref<?xf32>
          %a = affine.load %m[%i] : memref<?xf32>
          affine.store %x, %m[%i + 16] : memref<?xf32>
        }"""),
    "constants_as_indices": function(ONE, """
        %c3 = arith.constant 3 : index
        affine.for %i = 0 to 20 {
          affine.store %x, %m[%i + symbol(%c3)] : memref<100xf32>
          %a = affine.load %m[%i] : memref<100xf32>
        }"""),
    "applied": function(ONE, """
        affine.for %i = 0 to 20 {
          %k = affine.apply affine_map<(d0) -> (2 * d0 + 4)>(%i)
          affine.store %x, %m[%k] : memref<100xf32>
          %a = affine.load %m[2 * %i] : memref<100xf32>
        }"""),
    "applied_twice": function(ONE, """
        affine.for %i = 0 to 20 {
          %k = affine.apply affine_map<(d0) -> (d0 + 4)>(%i)
          %l = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%i, %k)
          affine.store %x, %m[%l] : memref<100xf32>
          %a = affine.load %m[%l - 2] : memref<100xf32>
        }"""),

    # -- mod and floordiv ----------------------------------------------------------------------------

    "mod": function(ONE, """
        affine.for %i = 0 to 20 {
          affine.store %x, %m[%i mod 4] : memref<100xf32>
          %a = affine.load %m[%i] : memref<100xf32>
        }"""),
    "floordiv": function(ONE, """
        affine.for %i = 0 to 20 {
          affine.store %x, %m[%i floordiv 4] : memref<100xf32>
          %a = affine.load %m[%i + 2] : memref<100xf32>
        }"""),
    "ceildiv": function(ONE, """
        affine.for %i = 0 to 20 {
          affine.store %x, %m[%i ceildiv 3] : memref<100xf32>
          %a = affine.load %m[%i] : memref<100xf32>
        }"""),
    "double_buffer": function("%m: memref<2x64xf32>, %x: f32", """
        affine.for %i = 0 to 10 {
          affine.for %j = 0 to 64 {
            affine.store %x, %m[%i mod 2, %j] : memref<2x64xf32>
            %a = affine.load %m[(%i + 1) mod 2, %j] : memref<2x64xf32>
          }
        }"""),
    "delinearized": function(TWO, """
        affine.for %i = 0 to 90 {
          affine.store %x, %m[%i floordiv 10, %i mod 10] : memref<100x100xf32>
          %a = affine.load %m[%i floordiv 10 - 1, %i mod 10] : memref<100x100xf32>
        }"""),
    "mod_of_a_sum": function(TWO, """
        affine.for %i = 0 to 8 {
          affine.for %j = 0 to 8 {
            affine.store %x, %m[(%i + %j) mod 8, 0] : memref<100x100xf32>
            %a = affine.load %m[%i, 0] : memref<100x100xf32>
          }
        }"""),
    "floordiv_of_a_symbol": function(SYMBOL, """
        affine.for %i = 0 to 20 {
          affine.store %x, %m[%i + symbol(%n) floordiv 2] : memref<?xf32>
          %a = affine.load %m[%i + symbol(%n) floordiv 2 - 5] : memref<?xf32>
        }"""),
    "to_a_quotient": function(SYMBOL, """
        affine.for %i = 0 to affine_map<(d0) -> (d0 floordiv 4)>(%n) {
          affine.store %x, %m[4 * %i] : memref<?xf32>
          %a = affine.load %m[4 * %i - 4] : memref<?xf32>
        }"""),

    # -- nests ---------------------------------------------------------------------------------------

    "rows": function(TWO, """
        affine.for %i = 1 to 30 {
          affine.for %j = 0 to 30 {
            affine.store %x, %m[%i, %j] : memref<100x100xf32>
            %a = affine.load %m[%i - 1, %j + 2] : memref<100x100xf32>
            %b = affine.load %m[%i, %j - 1] : memref<100x100xf32>
          }
        }"""),
    "triangle": function(TWO, """
        affine.for %i = 0 to 30 {
          affine.for %j = 0 to affine_map<(d0) -> (d0 + 1)>(%i) {
            affine.store %x, %m[%i, %j] : memref<100x100xf32>
            %a = affine.load %m[%j, %i] : memref<100x100xf32>
          }
        }"""),
    "band": function(TWO, """
        affine.for %i = 0 to 50 {
          affine.for %j = max affine_map<(d0) -> (0, d0 - 3)>(%i) to min affine_map<(d0) -> (50, d0 + 4)>(%i) {
            affine.store %x, %m[%i, %j] : memref<100x100xf32>
            %a = affine.load %m[%j, %j] : memref<100x100xf32>
          }
        }"""),
    "transposed": function(TWO, """
        affine.for %i = 0 to 10 {
          affine.for %j = 0 to 10 {
            affine.store %x, %m[%i, %j] : memref<100x100xf32>
            %a = affine.load %m[%j, %i] : memref<100x100xf32>
          }
        }"""),
    "diagonal": function(ONE, """
        affine.for %i = 0 to 10 {
          affine.for %j = 0 to 10 {
            affine.store %x, %m[%i + %j] : memref<100xf32>
            %a = affine.load %m[%i + %j + 3] : memref<100xf32>
          }
        }"""),
    "linearized": function(ONE, """
        affine.for %i = 0 to 10 {
          affine.for %j = 0 to 10 {
            affine.store %x, %m[10 * %i + %j] : memref<100xf32>
            %a = affine.load %m[10 * %i + %j - 10] : memref<100xf32>
          }
        }"""),
    "tiled": function(ONE, """
        affine.for %t = 0 to 64 step 8 {
          affine.for %i = affine_map<(d0) -> (d0)>(%t) to affine_map<(d0) -> (d0 + 8)>(%t) {
            affine.store %x, %m[%i] : memref<100xf32>
            %a = affine.load %m[%i - 4] : memref<100xf32>
          }
        }"""),
    "three_loops": function(TWO, """
        affine.for %i = 0 to 6 {
          affine.for %j = 0 to 7 {
            affine.for %k = 0 to 8 {
              %a = affine.load %m[%i, %j] : memref<100x100xf32>
              affine.store %a, %m[%i + %k, %j] : memref<100x100xf32>
            }
          }
        }"""),
    "parametric_triangle": function("%m: memref<?x?xf32>, %x: f32, %n: index", """
        affine.for %i = 0 to %n {
          affine.for %j = affine_map<(d0) -> (d0)>(%i) to %n {
            affine.store %x, %m[%i, %j] : memref<?x?xf32>
            %a = affine.load %m[%i - 1, %j] : memref<?x?xf32>
          }
        }"""),
    "imperfect": function(TWO, """
        affine.for %i = 0 to 20 {
          affine.store %x, %m[%i, 0] : memref<100x100xf32>
          affine.for %j = 0 to 20 {
            %a = affine.load %m[%i, %j] : memref<100x100xf32>
            affine.store %a, %m[%i + 1, %j] : memref<100x100xf32>
          }
          %b = affine.load %m[%i, 19] : memref<100x100xf32>
        }"""),
    "siblings": function(ONE, """
        affine.for %t = 0 to 5 {
          affine.for %i = 0 to 20 {
            affine.store %x, %m[%i + %t] : memref<100xf32>
          }
          affine.for %i = 10 to 30 {
            %a = affine.load %m[%i] : memref<100xf32>
          }
        }"""),
    "apart": function(ONE, """
        affine.for %i = 0 to 20 {
          affine.store %x, %m[%i] : memref<100xf32>
        }
        affine.for %i = 15 to 30 {
          %a = affine.load %m[%i] : memref<100xf32>
        }
        affine.for %i = 20 to 30 {
          %a = affine.load %m[%i] : memref<100xf32>
        }"""),

    # -- conditions, parallel loops, loops of scf ------------------------------------------------------

    "if": function(ONE, """
        affine.for %i = 0 to 40 {
          affine.if affine_set<(d0) : (d0 - 10 >= 0)>(%i) {
            affine.store %x, %m[%i] : memref<100xf32>
          }
          %a = affine.load %m[%i + 25] : memref<100xf32>
          %b = affine.load %m[%i - 12] : memref<100xf32>
        }"""),
    "if_equal": function(TWO, """
        affine.for %i = 0 to 10 {
          affine.for %j = 0 to 10 {
            affine.if affine_set<(d0, d1) : (d0 - d1 == 0)>(%i, %j) {
              affine.store %x, %m[%i, %j] : memref<100x100xf32>
            }
            %a = affine.load %m[%i - 1, %j] : memref<100x100xf32>
          }
        }"""),
    "if_mod": function(ONE, """
        affine.for %i = 0 to 40 {
          affine.if affine_set<(d0) : (d0 mod 2 == 0)>(%i) {
            affine.store %x, %m[%i] : memref<100xf32>
            %a = affine.load %m[%i + 4] : memref<100xf32>
          }
        }"""),
    "if_parameter": function(SYMBOL, """
        affine.for %i = 0 to 40 {
          affine.if affine_set<(d0)[s0] : (d0 - s0 >= 0, s0 - 30 >= 0)>(%i)[%n] {
            affine.store %x, %m[%i] : memref<?xf32>
            %a = affine.load %m[%i - 6] : memref<?xf32>
          }
        }"""),
    "if_in_if": function(ONE, """
        affine.for %i = 0 to 40 {
          affine.if affine_set<(d0) : (d0 - 5 >= 0)>(%i) {
            affine.if affine_set<(d0) : (12 - d0 >= 0)>(%i) {
              affine.store %x, %m[%i] : memref<100xf32>
              %a = affine.load %m[2 * %i] : memref<100xf32>
            }
          }
        }"""),
    "parallel": function(TWO, """
        affine.parallel (%i, %j) = (0, 0) to (10, 10) {
          affine.store %x, %m[%i, %j] : memref<100x100xf32>
          %a = affine.load %m[%i - 1, %j + 1] : memref<100x100xf32>
        }"""),
    "parallel_in_steps": function(ONE, """
        affine.parallel (%i) = (0) to (50) step (5) {
          affine.store %x, %m[%i] : memref<100xf32>
          %a = affine.load %m[%i - 10] : memref<100xf32>
          %b = affine.load %m[%i - 7] : memref<100xf32>
        }"""),
    "for_in_parallel": function(TWO, """
        affine.parallel (%i) = (0) to (10) {
          affine.for %j = 0 to 10 {
            affine.store %x, %m[%i, %j] : memref<100x100xf32>
            %a = affine.load %m[%i, %j - 2] : memref<100x100xf32>
          }
        }"""),
    "scf_around": function("%m: memref<100xf32>, %x: f32, %n: index", """
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        scf.for %t = %c0 to %n step %c1 {
          affine.for %i = 0 to 20 {
            affine.store %x, %m[%i] : memref<100xf32>
            %a = affine.load %m[%i - 2] : memref<100xf32>
          }
        }"""),
    "scf_if_around": function("%m: memref<100xf32>, %x: f32, %b: i1", """
        affine.for %i = 0 to 20 {
          scf.if %b {
            affine.store %x, %m[%i] : memref<100xf32>
          }
          %a = affine.load %m[%i - 2] : memref<100xf32>
        }"""),

    # -- memory ----------------------------------------------------------------------------------------

    "two_arguments": function("%m: memref<100xf32>, %k: memref<100xf32>, %x: f32", """
        affine.for %i = 0 to 20 {
          affine.store %x, %m[%i] : memref<100xf32>
          %a = affine.load %k[%i - 2] : memref<100xf32>
        }"""),
    "two_allocations": function("%x: f32", """
        %m = memref.alloc() : memref<100xf32>
        %k = memref.alloca() : memref<100xf32>
        affine.for %i = 0 to 20 {
          affine.store %x, %m[%i] : memref<100xf32>
          %a = affine.load %k[%i] : memref<100xf32>
          %b = affine.load %m[%i] : memref<100xf32>
        }"""),
    "no_dimension": function("%m: memref<f32>, %x: f32", """
        affine.for %i = 0 to 20 {
          affine.store %x, %m[] : memref<f32>
          %a = affine.load %m[] : memref<f32>
        }"""),
    "a_size": function("%m: memref<?xf32>, %x: f32", """
        %c0 = arith.constant 0 : index
        %n = memref.dim %m, %c0 : memref<?xf32>
        affine.for %i = 0 to %n {
          affine.store %x, %m[%i] : memref<?xf32>
          %a = affine.load %m[-%i + symbol(%n) - 1] : memref<?xf32>
        }"""),
}  # fmt: skip
