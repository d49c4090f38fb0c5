"""Kernels on buffers of symbolic sizes, and mutants of each: one text in place of another, which changes the result.

`%n` bounds the loops and `?` are the sizes of buffers: both become numbers in the constant version.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

SIZE = 12
"""Of all dimensions in the constant version."""
LARGE = 4096
"""The same where no program can be executed as a whole."""


@dataclass(frozen=True)
class Kernel:
    """A function @f with the body TEXT, and its MUTANTS."""

    name: str
    arguments: str
    text: str
    mutants: tuple[tuple[str, str], ...]

    def program(self, *, constant: bool, mutant: tuple[str, str] | None = None, size: int = SIZE) -> str:
        """The module, in which MUTANT has replaced a text; the constant version has dimensions of SIZE."""
        body = self.text
        if mutant is not None:
            assert body.count(mutant[0]) >= 1, (self.name, mutant)
            body = body.replace(mutant[0], mutant[1], 1)
        found = f"func.func @f({self.arguments}) {{\n{body}\n  return\n}}\n"
        if constant:
            found = found.replace("alloc(%n)", "alloc()").replace("?", str(size)).replace(", %n: index", "")
            found = found.replace("{\n", f"{{\n  %n = arith.constant {size} : index\n", 1)
        return found


_KERNELS = (
    Kernel(
        "product",
        "%a: memref<?x?xf32>, %b: memref<?x?xf32>, %r: memref<?x?xf32>, %n: index",
        """  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to %n { affine.for %j = 0 to %n {
    affine.store %zero, %r[%i, %j] : memref<?x?xf32>
    affine.for %k = 0 to %n {
      %x = affine.load %a[%i, %k] : memref<?x?xf32>
      %y = affine.load %b[%k, %j] : memref<?x?xf32>
      %o = affine.load %r[%i, %j] : memref<?x?xf32>
      %p = arith.mulf %x, %y : f32
      %q = arith.addf %o, %p : f32
      affine.store %q, %r[%i, %j] : memref<?x?xf32>
    }
  } }""",
        (
            ("%k = 0 to", "%k = 1 to"), ("%i = 0 to", "%i = 1 to"), ("%j = 0 to", "%j = 1 to"),
            ("%k = 0 to %n {", "%k = 0 to %n step 2 {"), ("%a[%i, %k]", "%a[%k, %i]"), ("%b[%k, %j]", "%b[%j, %k]"),
            ("%zero, %r[%i, %j]", "%zero, %r[%i, 0]"), ("constant 0.0", "constant 1.0"),
            ("load %b[%k, %j]", "load %a[%k, %j]"), ("store %q, %r[%i, %j]", "store %p, %r[%i, %j]"),
            ("load %r[%i, %j]", "load %r[%j, %i]"),
        ),
    ),
    Kernel(
        "smooth",
        "%a: memref<?xf32>, %r: memref<?xf32>, %n: index",
        """  affine.for %i = 1 to affine_map<(d0) -> (d0 - 1)>(%n) {
    %x = affine.load %a[%i - 1] : memref<?xf32>
    %y = affine.load %a[%i] : memref<?xf32>
    %z = affine.load %a[%i + 1] : memref<?xf32>
    %s = arith.addf %x, %z : f32
    %t = arith.mulf %s, %y : f32
    affine.store %t, %r[%i] : memref<?xf32>
  }""",
        (
            ("%i = 1 to", "%i = 2 to"), ("%i = 1 to", "%i = 0 to"), ("(d0 - 1)", "(d0 - 2)"), ("(d0 - 1)", "(d0)"),
            ("%a[%i - 1]", "%a[%i]"), ("%a[%i + 1]", "%a[%i - 1]"), ("%a[%i] ", "%a[%i - 1] "),
            ("%r[%i]", "%r[%i - 1]"), ("%r[%i]", "%r[%i + 1]"), ("addf %x, %z", "subf %x, %z"),
            ("store %t", "store %s"), ("%i = 1 to affine_map<(d0) -> (d0 - 1)>(%n) {", "%i = 1 to affine_map<(d0) -> (d0 - 1)>(%n) step 2 {"),
        ),
    ),
    Kernel(
        "prefix",
        "%a: memref<?xf32>, %n: index",
        """  affine.for %i = 1 to %n {
    %x = affine.load %a[%i - 1] : memref<?xf32>
    %y = affine.load %a[%i] : memref<?xf32>
    %s = arith.addf %x, %y : f32
    affine.store %s, %a[%i] : memref<?xf32>
  }""",
        (
            ("%i = 1 to", "%i = 2 to"), ("%a[%i - 1]", "%a[0]"), ("%a[%i - 1]", "%a[%i]"), ("store %s", "store %x"),
            ("store %s, %a[%i]", "store %s, %a[%i - 1]"), ("%i = 1 to %n {", "%i = 1 to %n step 2 {"),
            ("%i = 1 to %n {", "%h = 1 to %n { %i = affine.apply affine_map<(d0)[s0] -> (s0 - d0)>(%h)[%n]"),
            ("%i = 1 to %n {", "%i = 1 to affine_map<(d0) -> (d0 - 1)>(%n) {"), ("addf %x, %y", "addf %y, %y"),
        ),
    ),
    Kernel(
        "transposed",
        "%a: memref<?x?xf32>, %r: memref<?x?xf32>, %n: index",
        """  affine.for %i = 0 to %n { affine.for %j = 0 to %n {
    %x = affine.load %a[%j, %i] : memref<?x?xf32>
    affine.store %x, %r[%i, %j] : memref<?x?xf32>
  } }""",
        (
            ("%a[%j, %i]", "%a[%i, %j]"), ("%r[%i, %j]", "%r[%j, %j]"), ("%j = 0 to %n", "%j = 0 to affine_map<(d0) -> (d0 + 1)>(%i)"),
            ("%a[%j, %i]", "%a[%j, 0]"), ("%i = 0 to", "%i = 1 to"), ("%j = 0 to", "%j = 2 to"), ("load %a[", "load %r["),
            ("%j = 0 to %n {", "%j = 0 to %n step 3 {"), ("%r[%i, %j]", "%r[%i, %j + 1]"), ("%a[%j, %i]", "%a[%j + 1, %i]"),
        ),
    ),
    Kernel(
        "tiles",
        "%a: memref<?xf32>, %r: memref<?xf32>, %n: index",
        """  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  scf.for %t = %c0 to %n step %c5 {
    %next = arith.addi %t, %c5 : index
    %end = arith.minsi %n, %next : index
    scf.for %i = %t to %end step %c1 {
      %x = memref.load %a[%i] : memref<?xf32>
      %y = math.exp %x : f32
      memref.store %y, %r[%i] : memref<?xf32>
    }
  }""",
        (
            ("scf.for %i = %t to %end", "scf.for %i = %t to %next"), ("minsi %n, %next", "maxsi %n, %next"), ("%t = %c0", "%t = %c1"),
            ("%t = %c0", "%t = %c5"), ("scf.for %i = %t to", "scf.for %i = %c1 to"), ("load %a[%i]", "load %a[%t]"),
            ("store %y, %r[%i]", "store %y, %r[%t]"), ("store %y", "store %x"), ("math.exp", "math.log"),
            ("scf.for %t = %c0 to %n step %c5", "%last = arith.subi %n, %c5 : index scf.for %t = %c0 to %last step %c5"),
            ("arith.addi %t, %c5", "arith.addi %t, %c1"), ("scf.for %i = %t to %end step %c1", "scf.for %i = %t to %end step %c5"),
        ),
    ),
    Kernel(
        "filter",
        "%a: memref<?xf32>, %w: memref<3xf32>, %r: memref<?xf32>, %n: index",
        """  affine.for %i = 0 to affine_map<(d0) -> (d0 - 2)>(%n) { affine.for %k = 0 to 3 {
    %x = affine.load %a[%i + %k] : memref<?xf32>
    %y = affine.load %w[%k] : memref<3xf32>
    %o = affine.load %r[%i] : memref<?xf32>
    %p = arith.mulf %x, %y : f32
    %q = arith.addf %o, %p : f32
    affine.store %q, %r[%i] : memref<?xf32>
  } }""",
        (
            ("%k = 0 to 3", "%k = 1 to 3"), ("%k = 0 to 3", "%k = 0 to 2"), ("%a[%i + %k]", "%a[%i]"), ("%w[%k]", "%w[2 - %k]"),
            ("(d0 - 2)", "(d0 - 3)"), ("(d0 - 2)", "(d0 - 1)"), ("%i = 0", "%i = 1"), ("%a[%i + %k]", "%a[%i + 2 * %k]"),
            ("load %r[%i]", "load %a[%i]"), ("store %q", "store %p"), ("store %q, %r[%i]", "store %q, %r[%i + %k]"),
        ),
    ),
    Kernel(
        "lower",
        "%l: memref<?x?xf32>, %x: memref<?xf32>, %n: index",
        """  affine.for %i = 0 to %n { affine.for %j = 0 to affine_map<(d0) -> (d0)>(%i) {
    %a = affine.load %l[%i, %j] : memref<?x?xf32>
    %b = affine.load %x[%j] : memref<?xf32>
    %c = affine.load %x[%i] : memref<?xf32>
    %p = arith.mulf %a, %b : f32
    %q = arith.subf %c, %p : f32
    affine.store %q, %x[%i] : memref<?xf32>
  } }""",
        (
            ("-> (d0)>(%i)", "-> (d0 + 1)>(%i)"), ("-> (d0)>(%i)", "-> (d0 - 1)>(%i)"), ("%l[%i, %j]", "%l[%j, %i]"), ("%j = 0", "%j = 1"),
            ("load %x[%j]", "load %x[%i]"), ("store %q, %x[%i]", "store %q, %x[%j]"), ("subf %c, %p", "addf %c, %p"),
            ("load %x[%i]", "load %x[%j]"), ("%i = 0 to %n {", "%i = 0 to %n step 2 {"),
            ("arith.mulf %a, %b", "arith.mulf %a, %c"),
        ),
    ),
    Kernel(
        "twice",
        "%a: memref<?xf32>, %b: memref<?xf32>, %n: index",
        """  affine.for %t = 0 to 2 {
    affine.for %i = 1 to %n {
      %x = affine.load %a[%i - 1] : memref<?xf32>
      %y = affine.load %a[%i] : memref<?xf32>
      %s = arith.addf %x, %y : f32
      affine.store %s, %b[%i] : memref<?xf32>
    }
    affine.for %j = 1 to %n {
      %z = affine.load %b[%j] : memref<?xf32>
      affine.store %z, %a[%j] : memref<?xf32>
    }
  }""",
        (
            ("%t = 0 to 2", "%t = 0 to 1"), ("%t = 0 to 2", "%t = 0 to 3"), ("store %s, %b[%i]", "store %s, %a[%i]"),
            ("%j = 1", "%j = 2"), ("%a[%i - 1]", "%b[%i - 1]"), ("load %b[%j]", "load %b[1]"), ("%i = 1", "%i = 2"),
            ("store %z, %a[%j]", "store %z, %a[%j - 1]"), ("store %s", "store %y"), ("%j = 1 to %n {", "%j = 1 to %n step 2 {"),
        ),
    ),
    Kernel(
        "shortest",
        "%d: memref<?x?xi32>, %n: index",
        """  affine.for %k = 0 to %n { affine.for %i = 0 to %n { affine.for %j = 0 to %n {
    %x = affine.load %d[%i, %k] : memref<?x?xi32>
    %y = affine.load %d[%k, %j] : memref<?x?xi32>
    %z = affine.load %d[%i, %j] : memref<?x?xi32>
    %s = arith.addi %x, %y : i32
    %m = arith.minsi %s, %z : i32
    affine.store %m, %d[%i, %j] : memref<?x?xi32>
  } } }""",
        (
            ("%k = 0 to", "%k = 1 to"), ("%d[%i, %k]", "%d[%k, %i]"), ("arith.minsi", "arith.maxsi"), ("store %m", "store %s"),
            ("%d[%k, %j]", "%d[%j, %k]"), ("%i = 0", "%i = 1"), ("%j = 0", "%j = 1"), ("%d[%i, %j] : memref<?x?xi32>\n    %s", "%d[%j, %i] : memref<?x?xi32>\n    %s"),
            ("arith.minsi", "arith.minui"), ("%k = 0 to %n {", "%k = 0 to %n step 2 {"),
        ),
    ),
    Kernel(
        "buffered",
        "%a: memref<?x?xf32>, %r: memref<?xf32>, %n: index",
        """  %zero = arith.constant 0.0 : f32
  %t = memref.alloc(%n) : memref<?xf32>
  affine.for %i = 0 to %n { affine.store %zero, %t[%i] : memref<?xf32> }
  affine.for %i = 0 to %n { affine.for %j = 0 to %n {
    %x = affine.load %a[%i, %j] : memref<?x?xf32>
    %y = affine.load %t[%j] : memref<?xf32>
    %m = arith.maximumf %x, %y : f32
    affine.store %m, %t[%j] : memref<?xf32>
  } }
  memref.copy %t, %r : memref<?xf32> to memref<?xf32>
  memref.dealloc %t : memref<?xf32>""",
        (
            ("load %a[%i, %j]", "load %a[%j, %i]"), ("load %t[%j]", "load %t[%i]"), ("store %m, %t[%j]", "store %m, %t[%i]"),
            ("maximumf", "minimumf"), ("constant 0.0", "constant 1.0"), ("%i = 0 to %n { affine.store", "%i = 1 to %n { affine.store"),
            ("%i = 0 to %n { affine.for", "%i = 1 to %n { affine.for"), ("store %m", "store %x"),
            ("  memref.copy %t, %r : memref<?xf32> to memref<?xf32>\n  memref.dealloc %t : memref<?xf32>",
             "  memref.dealloc %t : memref<?xf32>\n  memref.copy %t, %r : memref<?xf32> to memref<?xf32>"),
            ("memref.copy %t, %r", "memref.copy %r, %t"),
        ),
    ),
)  # fmt: skip
KERNELS = {each.name: each for each in _KERNELS}


def mutants() -> Iterator[tuple[str, int, bool]]:
    """The kernel, the position of the mutant, and whether its sizes are constant."""
    for kernel in _KERNELS:
        for position in range(len(kernel.mutants)):
            for constant in (False, True):
                yield kernel.name, position, constant
