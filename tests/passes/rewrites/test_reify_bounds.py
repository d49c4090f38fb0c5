"""reify-bounds: sizes of results by sizes of operands, and allocations of a constant size."""

from __future__ import annotations

import re

import pytest

from tests.passes.rewrites.test_reified_execution import types
from tests.shared.enumeration import run
from tests.shared.execution import calls, executed, needs_runner

TELL = "func.func private @tell(index)"
PRINTED = "func.func @tell(%value: index) {\nvector.print %value : index\nreturn\n}"
ZERO = "%z = arith.constant 0 : index\n%v = arith.constant 1.0 : f32\n"

# name: arguments, and a body that computes the size %r of a result
SIZES = {
    "empty": ("%t: tensor<?xf32>", "%n = tensor.dim %t, %z : tensor<?xf32>\n%e = tensor.empty(%n) : tensor<?xf32>\n"
              "%r = tensor.dim %e, %z : tensor<?xf32>"),
    "padded": ("%t: tensor<?xf32>", "%p = tensor.pad %t low[2] high[1] {\n^bb0(%i: index):\ntensor.yield %v : f32\n"
               "} : tensor<?xf32> to tensor<?xf32>\n%r = tensor.dim %p, %z : tensor<?xf32>"),
    "concatenated": ("%t: tensor<?xf32>, %u: tensor<?xf32>",
                     "%c = tensor.concat dim(0) %t, %u : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>\n"
                     "%r = tensor.dim %c, %z : tensor<?xf32>"),
    "filled": ("%t: tensor<?xf32>", "%f = linalg.fill ins(%v : f32) outs(%t : tensor<?xf32>) -> tensor<?xf32>\n"
               "%r = tensor.dim %f, %z : tensor<?xf32>"),
    "product": ("%a: tensor<?x3xf32>, %b: tensor<3x?xf32>, %o: tensor<?x?xf32>",
                "%f = linalg.fill ins(%v : f32) outs(%o : tensor<?x?xf32>) -> tensor<?x?xf32>\n"
                "%r = tensor.dim %f, %z : tensor<?x?xf32>"),
    "collapsed": ("%t: tensor<?x?xf32>", "%c = tensor.collapse_shape %t [[0, 1]] : tensor<?x?xf32> into tensor<?xf32>\n"
                  "%r = tensor.dim %c, %z : tensor<?xf32>"),
    "halved": ("%t: tensor<?xf32>", "%n = tensor.dim %t, %z : tensor<?xf32>\n"
               "%h = affine.apply affine_map<()[s0] -> (s0 floordiv 2)>()[%n]\n"
               "%s = tensor.extract_slice %t[0] [%h] [2] : tensor<?xf32> to tensor<?xf32>\n"
               "%r = tensor.dim %s, %z : tensor<?xf32>"),
    "carried": ("%t: tensor<?xf32>, %n: index",
                "%o = arith.constant 1 : index\n%l = scf.for %i = %z to %n step %o iter_args(%x = %t) -> tensor<?xf32> {\n"
                "%y = linalg.fill ins(%v : f32) outs(%x : tensor<?xf32>) -> tensor<?xf32>\nscf.yield %y : tensor<?xf32>\n"
                "}\n%r = tensor.dim %l, %z : tensor<?xf32>"),
    "viewed": ("%m: memref<?x8xf32>", "%n = memref.dim %m, %z : memref<?x8xf32>\n"
               "%s = memref.subview %m[0, 0] [%n, 4] [1, 2] : memref<?x8xf32> to memref<?x4xf32, strided<[8, 2]>>\n"
               "%r = memref.dim %s, %z : memref<?x4xf32, strided<[8, 2]>>"),
    "allocated": ("%m: memref<?xf32>", "%n = memref.dim %m, %z : memref<?xf32>\n"
                  "%l = affine.min affine_map<()[s0] -> (s0, 5)>()[%n]\n%a = memref.alloc(%l) : memref<?xf32>\n"
                  "%r = memref.dim %a, %z : memref<?xf32>"),
}  # fmt: skip


def module(cases: dict[str, tuple[str, str]]) -> str:
    functions = [
        f"func.func @{name}({arguments}) {{\n{ZERO}{body}\ncall @tell(%r) : (index) -> ()\nreturn\n}}"
        for name, (arguments, body) in cases.items()
    ]
    return "\n".join([TELL, *functions])


def printed(mlir_opt: str, cases: dict[str, tuple[str, str]], text: str) -> list[str]:
    """What the functions tell, for random sizes."""
    main = calls([(name, types(arguments)) for name, (arguments, _) in cases.items()], 6, seed=2)
    return executed(mlir_opt, text.replace(TELL, PRINTED) + main).split()


def asked(text: str) -> list[str]:
    """The operations that ask for a size of a result."""
    results = set(re.findall(r"^\s*(%\w+) = ", text, re.MULTILINE))
    dims = re.findall(r"(?:tensor|memref)\.dim (%\w+)", text)
    return [value for value in dims if value in results]


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", SIZES)
@pytest.mark.parametrize("options", ["", "{use-arith-ops}"])
def test_no_size_of_a_result_is_asked_for(name: str, options: str) -> None:
    text = module({name: SIZES[name]})
    assert asked(text)
    assert asked(run(text, f"reify-bounds{options}").text(annotate="none")) == []


@pytest.mark.slow
@needs_runner
def test_sizes_stay_what_they_are(mlir_opt: str) -> None:
    text = module(SIZES)
    expected = printed(mlir_opt, SIZES, text)
    assert len(expected) == 6 * len(SIZES)
    for options in ("", "{use-arith-ops}", "{pad-allocs}"):
        assert printed(mlir_opt, SIZES, run(text, f"reify-bounds{options}").text(annotate="none")) == expected


KEPT = {
    "an argument's size": ("%t: tensor<?xf32>", "%r = tensor.dim %t, %z : tensor<?xf32>"),
    "of an unknown operation": (
        "%t: tensor<?xf32>",
        '%u = "my.op"(%t) : (tensor<?xf32>) -> tensor<?xf32>\n%r = tensor.dim %u, %z : tensor<?xf32>',
    ),
    "of a dimension that is not constant": (
        "%t: tensor<?x?xf32>, %n: index",
        "%f = linalg.fill ins(%v : f32) outs(%t : tensor<?x?xf32>) -> tensor<?x?xf32>\n"
        "%r = tensor.dim %f, %n : tensor<?x?xf32>",
    ),
}


@pytest.mark.parametrize("name", KEPT)
def test_what_is_not_known_better_is_left_alone(name: str) -> None:
    program = run(module({"f": KEPT[name]}), "reify-bounds")
    assert not any(unit.rewritten for unit in program.units)


FILLED = (
    "%o = arith.constant 1 : index\nscf.for %i = %z to %l step %o {\nscf.for %j = %z to %k step %o {\n"
    "%w = arith.addi %i, %j : index\n%x = arith.muli %w, %i : index\n"
    "memref.store %x, %a[%i, %j] : memref<?x?xindex>\n}\n}\n"
)
SUMMED = (
    "%r = scf.for %i = %z to %l step %o iter_args(%s = %z) -> index {\n"
    "%q = scf.for %j = %z to %k step %o iter_args(%p = %s) -> index {\n"
    "%e = memref.load %a[%i, %j] : memref<?x?xindex>\n%y = arith.addi %p, %e : index\nscf.yield %y : index\n}\n"
    "scf.yield %q : index\n}"
)
LIMITS = (
    "%n = memref.dim %m, %z : memref<?x?xf32>\n%c1 = arith.constant 1 : index\n"
    "%k = memref.dim %m, %c1 : memref<?x?xf32>\n%l = affine.min affine_map<()[s0] -> (s0, 6)>()[%n]\n"
)
# name: arguments, and a body that computes %r of an allocation
PADDED = {
    "on_the_heap": ("%m: memref<?x?xf32>", LIMITS + "%a = memref.alloc(%l, %k) : memref<?x?xindex>\n" + FILLED
                    + SUMMED + "\nmemref.dealloc %a : memref<?x?xindex>"),
    "on_the_stack": ("%m: memref<?x?xf32>", LIMITS + "%a = memref.alloca(%l, %k) : memref<?x?xindex>\n" + FILLED + SUMMED),
    "of_inner_size": ("%m: memref<?x?xf32>", LIMITS.replace("[%n]", "[%k]").replace("%k = ", "%k0 = ").replace("[%k]", "[%k0]")
                      .replace("%l = ", "%k = ").replace("%n = ", "%l = ")
                      + "%a = memref.alloc(%l, %k) : memref<?x?xindex>\n" + FILLED + SUMMED),
    "a_tensor": ("%t: tensor<?x?xf32>", "%n = tensor.dim %t, %z : tensor<?x?xf32>\n"
                 "%l = affine.min affine_map<()[s0] -> (s0, 6)>()[%n]\n%one = arith.constant 1 : index\n"
                 "%e = tensor.empty(%l) : tensor<?xindex>\n"
                 "%f = linalg.fill ins(%one : index) outs(%e : tensor<?xindex>) -> tensor<?xindex>\n"
                 "%s = tensor.empty() : tensor<index>\n%g = linalg.fill ins(%z : index) outs(%s : tensor<index>) -> tensor<index>\n"
                 "%h = linalg.reduce ins(%f : tensor<?xindex>) outs(%g : tensor<index>) dimensions = [0]\n"
                 "(%x: index, %y: index) {\n%w = arith.addi %x, %y : index\nlinalg.yield %w : index\n}\n"
                 "%r = tensor.extract %h[] : tensor<index>"),
}  # fmt: skip


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", PADDED)
def test_an_allocation_gets_its_largest_size(name: str) -> None:
    """6 is the most that min(n, 6) can be."""
    text = run(module({name: PADDED[name]}), "reify-bounds{pad-allocs}").text(annotate="none")
    (made,) = re.findall(r"(?:memref\.alloca?|tensor\.empty)\(.*\) : (?:memref|tensor)<(.*)xindex>", text)
    assert "6" in made.split("x")


@pytest.mark.slow
@needs_runner
@pytest.mark.parametrize("options", ["pad-allocs", "pad-allocs use-arith-ops"])
def test_results_stay_what_they_are(options: str, mlir_opt: str) -> None:
    text = module(PADDED)
    changed = run(text, f"reify-bounds{{{options}}}").text(annotate="none")
    expected = printed(mlir_opt, PADDED, text)
    assert len(set(expected)) > 4
    assert printed(mlir_opt, PADDED, changed) == expected


def test_without_a_bound_no_allocation_changes() -> None:
    body = "%a = memref.alloc(%n) : memref<?xf32>\nmemref.store %v, %a[%z] : memref<?xf32>\n%r = memref.dim %a, %z : memref<?xf32>"
    text = run(module({"f": ("%n: index", body)}), "reify-bounds{pad-allocs}").text(annotate="none")
    assert "memref.alloc(%n) : memref<?xf32>" in text


IN_BLOCKS = """func.func @f(%v: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  cf.br ^h(%c0 : index)
^h(%i: index):
  %c = arith.cmpi slt, %i, %c7 : index
  cf.cond_br %c, ^b, ^e
^b:
  %s = arith.subi %c7, %i : index
  %m = memref.alloc(%s) : memref<?xi64>
  memref.store %v, %m[%c0] : memref<?xi64>
  memref.dealloc %m : memref<?xi64>
  %j = arith.addi %i, %c1 : index
  cf.br ^h(%j : index)
^e:
  return
}"""


def test_an_allocation_in_a_loop_of_blocks_gets_its_largest_size() -> None:
    text = run(IN_BLOCKS, "reify-bounds{pad-allocs}").text(annotate="none")
    assert re.findall(r"memref\.alloc\(.*\) : memref<(.*)xi64>", text) == ["7"]
