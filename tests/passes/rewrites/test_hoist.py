"""`reify-bounds{pad-allocs hoist}`: one buffer for all iterations, where each may find what another one left."""

from __future__ import annotations

import re

import pytest

import volcli
from tests.shared.execution import needs_runner

from .test_reify_bounds import FILLED, SUMMED, module, printed

ROWS = """%c8 = arith.constant 8 : index
%o1 = arith.constant 1 : index
%k = arith.addi %o1, %o1 : index
%r = scf.for %b = %z to %n step %c8 iter_args(%t = %z) -> index {
  %l = affine.min affine_map<(d0)[s0] -> (8, s0 - d0)>(%b)[%n]
  %a = memref.alloc(%l, %k) : memref<?x?xindex>
  FILL
  SUM
  memref.dealloc %a : memref<?x?xindex>
  %next = arith.addi %t, %q0 : index
  scf.yield %next : index
}"""
TILES = ROWS.replace("FILL", FILLED).replace("SUM", SUMMED.replace("%r = ", "%q0 = "))
HOISTED = {
    "tiles": ("%n: index", TILES),
    "of_two_loops": (
        "%n: index",
        "%ten = arith.constant 3 : index\n%r = scf.for %around = %z to %ten step %one iter_args(%u = %z) -> index {\n"
        + TILES.replace("%r = ", "%p0 = ")
        + "\n%sum = arith.addi %u, %p0 : index\nscf.yield %sum : index\n}",
    ),
    "on_the_stack": ("%n: index", TILES.replace("memref.alloc(", "memref.alloca(")
                     .replace("memref.dealloc %a : memref<?x?xindex>", "")),
}  # fmt: skip


def hoisted(body: str, arguments: str = "%n: index") -> tuple[str, list[str]]:
    program = volcli.loads(module({"f": (arguments, "%one = arith.constant 1 : index\n" + body)}))
    program.run("reify-bounds{pad-allocs hoist}")
    remarks = [d.message for d in program.diagnostics if d.code == "V310"]
    return program.text(annotate="none"), remarks


@pytest.mark.slow
@pytest.mark.parametrize("name", HOISTED)
def test_the_buffer_is_made_before_the_loops(name: str) -> None:
    text, remarks = hoisted(HOISTED[name][1])
    assert remarks == []
    made, first = text.index("memref.alloc"), text.index("scf.for")
    assert made < first
    if "dealloc" in text:
        assert re.search(r"^  \}\n  memref\.dealloc", text, re.MULTILINE)


@pytest.mark.slow
@needs_runner
def test_results_stay_what_they_are(mlir_opt: str) -> None:
    cases = {name: (a, "%one = arith.constant 1 : index\n" + body) for name, (a, body) in HOISTED.items()}
    text = module(cases)
    changed = volcli.loads(text).run("reify-bounds{pad-allocs hoist}").text(annotate="none")
    expected = printed(mlir_opt, cases, text)
    assert len(set(expected)) > 4
    assert printed(mlir_opt, cases, changed) == expected


LOOP = "%c8 = arith.constant 8 : index\nscf.for %b = %z to %n step %c8 {\nBODY\n}\n%r = arith.addi %n, %z : index"
ALLOC = "%a = memref.alloc() : memref<4xindex>\n"
STAYS = {
    "it is carried": (
        "%first = memref.alloc() : memref<4xindex>\n%last = scf.for %b = %z to %n step %one "
        "iter_args(%m = %first) -> memref<4xindex> {\n" + ALLOC + "memref.store %b, %a[%z] : memref<4xindex>\n"
        "scf.yield %a : memref<4xindex>\n}\n%r = memref.load %last[%z] : memref<4xindex>"
    ),
    "a call may keep it": LOOP.replace("BODY", ALLOC + '"test.keep"(%a) : (memref<4xindex>) -> ()'),
    "its address is asked for": LOOP.replace(
        "BODY", ALLOC + "%p = memref.extract_aligned_pointer_as_index %a : memref<4xindex> -> index\n"
        '"test.tell"(%p) : (index) -> ()'
    ),
    "it is freed in a branch": LOOP.replace(
        "BODY", ALLOC + "%c = arith.cmpi slt, %b, %c8 : index\nscf.if %c {\nmemref.dealloc %a : memref<4xindex>\n}"
    ),
    "iterations run together": (
        "scf.parallel (%b) = (%z) to (%n) step (%one) {\n" + ALLOC + "memref.store %b, %a[%z] : memref<4xindex>\n"
        "memref.dealloc %a : memref<4xindex>\nscf.reduce\n}\n%r = arith.addi %n, %z : index"
    ),
    "one of two": LOOP.replace(
        "BODY", ALLOC + "%d = memref.alloc() : memref<4xindex>\n%c = arith.cmpi slt, %b, %c8 : index\n"
        "%e = arith.select %c, %a, %d : memref<4xindex>\nmemref.store %b, %e[%z] : memref<4xindex>"
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", STAYS)
def test_a_buffer_that_an_iteration_hands_on_stays(name: str) -> None:
    text, remarks = hoisted(STAYS[name])
    inside = text[re.search(r"scf\.(for|parallel)", text).start() :]  # type: ignore[union-attr]
    assert inside.count("memref.alloc()") == len(remarks) >= 1
    assert all("stays in its loop" in each for each in remarks)


def test_a_size_that_is_a_value_stays() -> None:
    body = LOOP.replace(
        "BODY", "%a = memref.alloc(%n) : memref<?xindex>\nmemref.dealloc %a : memref<?xindex>"
    )
    text, _ = hoisted(body)
    assert text.index("scf.for") < text.index("memref.alloc(%n)")


@pytest.mark.slow
def test_without_the_option_it_stays() -> None:
    program = volcli.loads(module({"f": ("%n: index", "%one = arith.constant 1 : index\n" + TILES)}))
    text = program.run("reify-bounds{pad-allocs}").text(annotate="none")
    assert text.index("scf.for") < text.index("memref.alloc()")
