"""Functions that return memrefs, and that read and write globals: what their callers know, against execution.

Each store and each call of a program writes a number of its own, so that what a load prints says which of
them was the last to write the element.
"""

from __future__ import annotations

import re

import pytest
from xdsl.ir import Operation

import volcli
from tests.shared.execution import executed, needs_runner
from volcli.model.memory.flow.answers import ReadFlow
from volcli.model.memory.flow.flows import MemoryFlow

STRIDED = "memref<4xf32, strided<[1], offset: ?>>"
HELPERS = f"""
memref.global "private" @g : memref<8xf32> = dense<0.0>
memref.global "private" @other : memref<8xf32> = dense<0.0>
func.func private @put(%m: memref<8xf32>, %i: index, %x: f32) {{
  memref.store %x, %m[%i] : memref<8xf32>
  return
}}
func.func private @put_global(%i: index, %x: f32) {{
  %g = memref.get_global @g : memref<8xf32>
  memref.store %x, %g[%i] : memref<8xf32>
  return
}}
func.func private @put_next(%i: index, %x: f32) {{
  %c1 = arith.constant 1 : index
  %j = arith.addi %i, %c1 : index
  func.call @put_global(%j, %x) : (index, f32) -> ()
  return
}}
func.func private @put_both(%m: memref<8xf32>, %i: index, %x: f32) {{
  func.call @put_global(%i, %x) : (index, f32) -> ()
  memref.store %x, %m[%i] : memref<8xf32>
  return
}}
func.func private @the_global() -> memref<8xf32> {{
  %g = memref.get_global @g : memref<8xf32>
  return %g : memref<8xf32>
}}
func.func private @make(%n: index, %x: f32) -> memref<?xf32> {{
  %a = memref.alloc(%n) : memref<?xf32>
  affine.for %i = 0 to %n {{ affine.store %x, %a[%i] : memref<?xf32> }}
  return %a : memref<?xf32>
}}
func.func private @make_again(%n: index, %x: f32) -> memref<?xf32> {{
  %a = func.call @make(%n, %x) : (index, f32) -> memref<?xf32>
  return %a : memref<?xf32>
}}
func.func private @make_static(%x: f32) -> memref<8xf32> {{
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<8xf32>
  affine.for %i = 0 to 8 {{ affine.store %x, %a[%i] : memref<8xf32> }}
  return %a : memref<8xf32>
}}
func.func private @make_evens(%x: f32) -> memref<8xf32> {{
  %a = memref.alloc() : memref<8xf32>
  affine.for %i = 0 to 8 step 2 {{ affine.store %x, %a[%i] : memref<8xf32> }}
  return %a : memref<8xf32>
}}
func.func private @make_cast(%x: f32) -> memref<?xf32> {{
  %a = func.call @make_static(%x) : (f32) -> memref<8xf32>
  %c = memref.cast %a : memref<8xf32> to memref<?xf32>
  return %c : memref<?xf32>
}}
func.func private @same(%m: memref<8xf32>) -> memref<8xf32> {{
  return %m : memref<8xf32>
}}
func.func private @second(%a: memref<8xf32>, %b: memref<8xf32>) -> memref<8xf32> {{
  return %b : memref<8xf32>
}}
func.func private @part(%m: memref<8xf32>, %o: index) -> {STRIDED} {{
  %v = memref.subview %m[%o] [4] [1] : memref<8xf32> to {STRIDED}
  return %v : {STRIDED}
}}
func.func private @part_after(%m: memref<8xf32>, %o: index) -> {STRIDED} {{
  %c1 = arith.constant 1 : index
  %p = arith.addi %o, %c1 : index
  %v = func.call @part(%m, %p) : (memref<8xf32>, index) -> {STRIDED}
  return %v : {STRIDED}
}}
func.func private @two(%x: f32) -> (memref<8xf32>, memref<8xf32>) {{
  %a = func.call @make_static(%x) : (f32) -> memref<8xf32>
  %b = func.call @make_static(%x) : (f32) -> memref<8xf32>
  return %a, %b : memref<8xf32>, memref<8xf32>
}}
func.func private @twice(%x: f32) -> (memref<8xf32>, memref<8xf32>) {{
  %a = func.call @make_static(%x) : (f32) -> memref<8xf32>
  return %a, %a : memref<8xf32>, memref<8xf32>
}}
func.func private @one_of(%a: memref<8xf32>, %b: memref<8xf32>, %i: index) -> memref<8xf32> {{
  %c3 = arith.constant 3 : index
  %c = arith.cmpi slt, %i, %c3 : index
  %m = arith.select %c, %a, %b : memref<8xf32>
  return %m : memref<8xf32>
}}
func.func private @shows(%x: f32) -> memref<8xf32> {{
  %a = func.call @make_static(%x) : (f32) -> memref<8xf32>
  vector.print str "made\\0A"
  return %a : memref<8xf32>
}}
"""
HEAD = """func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %m = memref.alloc() : memref<8xf32>
  %o = memref.alloc() : memref<8xf32>
  affine.for %k = 0 to 8 {
    %zero = arith.constant 0.0 : f32
    affine.store %zero, %m[%k] : memref<8xf32>
    affine.store %zero, %o[%k] : memref<8xf32>
  }
"""
M = "memref<8xf32>"
THE = f"call @the_global() : () -> {M}"
PART = f": ({M}, index) -> {STRIDED}"
PROGRAMS = {
    "a global": f"""call @put_global(%c1, X) : (index, f32) -> ()
        call @put_global(%c3, X) : (index, f32) -> ()
        %g = memref.get_global @g : {M}
        LOAD %g[%c3] : {M}
        LOAD %g[%c1] : {M}""",
    "a global through two calls": f"""%g = memref.get_global @g : {M}
        memref.store X, %g[%c4] : {M}
        call @put_next(%c2, X) : (index, f32) -> ()
        LOAD %g[%c3] : {M}
        LOAD %g[%c4] : {M}""",
    "another global": f"""%g = memref.get_global @other : {M}
        memref.store X, %g[%c4] : {M}
        call @put_global(%c4, X) : (index, f32) -> ()
        LOAD %g[%c4] : {M}""",
    "a returned global": f"""%g = {THE}
        call @put_global(%c2, X) : (index, f32) -> ()
        LOAD %g[%c2] : {M}
        memref.store X, %g[%c2] : {M}
        %h = {THE}
        LOAD %h[%c2] : {M}""",
    "a global that is passed": f"""%g = {THE}
        call @put_both(%g, %c2, X) : ({M}, index, f32) -> ()
        LOAD %g[%c2] : {M}""",
    "new memory": """%f = call @make(%c8, X) : (index, f32) -> memref<?xf32>
        LOAD %f[%c3] : memref<?xf32>
        memref.store X, %f[%c3] : memref<?xf32>
        LOAD %f[%c3] : memref<?xf32>
        LOAD %f[%c4] : memref<?xf32>""",
    "new memory through two calls": """%f = call @make_again(%c4, X) : (index, f32) -> memref<?xf32>
        %e = call @make_again(%c4, X) : (index, f32) -> memref<?xf32>
        memref.store X, %e[%c3] : memref<?xf32>
        LOAD %f[%c3] : memref<?xf32>
        LOAD %e[%c2] : memref<?xf32>""",
    "new memory in a loop": f"""affine.for %i = 0 to 3 {{
          %f = func.call @make_static(X) : (f32) -> {M}
          LOAD %f[%i] : {M}
          memref.store X, %f[%i] : {M}
          LOAD %f[%i] : {M}
        }}""",
    "new memory that is written in part": f"""%f = call @make_evens(X) : (f32) -> {M}
        LOAD %f[%c4] : {M}
        memref.store X, %f[%c3] : {M}
        LOAD %f[%c3] : {M}""",
    "cast memory": """%f = call @make_cast(X) : (f32) -> memref<?xf32>
        LOAD %f[%c3] : memref<?xf32>""",
    "an argument": f"""memref.store X, %m[%c3] : {M}
        %s = call @same(%m) : ({M}) -> {M}
        LOAD %s[%c3] : {M}
        memref.store X, %s[%c3] : {M}
        LOAD %m[%c3] : {M}""",
    "the second argument": f"""memref.store X, %m[%c3] : {M}
        memref.store X, %o[%c3] : {M}
        %s = call @second(%m, %o) : ({M}, {M}) -> {M}
        memref.store X, %s[%c3] : {M}
        LOAD %m[%c3] : {M}
        LOAD %o[%c3] : {M}""",
    "a view": f"""memref.store X, %m[%c3] : {M}
        %v = call @part(%m, %c2) {PART}
        LOAD %v[%c1] : {STRIDED}
        memref.store X, %v[%c2] : {STRIDED}
        LOAD %m[%c4] : {M}""",
    "a view through two calls": f"""affine.for %i = 0 to 3 {{
          %v = func.call @part_after(%m, %i) {PART}
          memref.store X, %v[%c1] : {STRIDED}
        }}
        LOAD %m[%c4] : {M}
        LOAD %m[%c1] : {M}""",
    "a view of new memory": f"""%f = call @make_static(X) : (f32) -> {M}
        %v = call @part(%f, %c2) {PART}
        memref.store X, %v[%c1] : {STRIDED}
        LOAD %f[%c3] : {M}
        LOAD %f[%c2] : {M}""",
    "two new ones": f"""%a, %b = call @two(X) : (f32) -> ({M}, {M})
        memref.store X, %a[%c1] : {M}
        LOAD %b[%c1] : {M}
        LOAD %a[%c1] : {M}""",
    "one twice": f"""%a, %b = call @twice(X) : (f32) -> ({M}, {M})
        memref.store X, %a[%c1] : {M}
        LOAD %b[%c1] : {M}
        LOAD %b[%c2] : {M}""",
    "one of two": f"""memref.store X, %m[%c1] : {M}
        %s = call @one_of(%m, %o, %c4) : ({M}, {M}, index) -> {M}
        memref.store X, %s[%c1] : {M}
        LOAD %m[%c1] : {M}
        LOAD %o[%c1] : {M}""",
    "new memory of a function that prints": f"""%a = call @shows(X) : (f32) -> {M}
        memref.store X, %m[%c1] : {M}
        LOAD %m[%c1] : {M}
        LOAD %a[%c1] : {M}""",
}
UNSURE = {"a global that is passed": 1, "one of two": 2, "new memory of a function that prints": 1}
"""How many of their loads are not answered exactly."""


def prepared(body: str, *, prints: bool) -> tuple[str, dict[int, float]]:
    """BODY in a program, in which each X is another number; and these numbers, by the lines they are in.

    If it PRINTS, what is loaded is printed.
    """
    lines = f"{HELPERS}{HEAD}{body}\nreturn\n}}".split("\n")
    numbers: dict[int, float] = {}
    made: list[str] = []
    for position, line in enumerate(lines):
        if re.search(r"\bX\b", line):
            numbers[position + 1] = float(len(numbers) + 1)
            name = f"%x{position}"
            line = (
                f"{name} = arith.constant {numbers[position + 1]} : f32 {re.sub(r'X(?![a-z])', name, line)}"
            )
        if "LOAD" in line:
            name = f"%l{position}"
            line = line.replace("LOAD", f"{name} = memref.load")
            line += f" vector.print {name} : f32" if prints else ""
        made.append(line)
    return "\n".join(made), numbers


def flows(text: str) -> tuple[list[ReadFlow], dict[Operation, int]]:
    """The flow to the loads of @main, in the order of the text; and the lines of what they may get it from."""
    program = volcli.loads(text)
    assert [each for each in program.diagnostics if each.code.startswith("V1")] == []
    function = program.function("main")
    parsed, memory = function.unit.parsed, function.unit.models()[-1].memory
    found = [read for flow in MemoryFlow(memory).all() for read in flow.reads]
    reads = sorted((r for r in found if r.site.op.name == "memref.load"), key=lambda r: r.site.number)
    return reads, {site.op: parsed.written_at(site.op).line for site in memory.sites}


@pytest.mark.sample(1)
@needs_runner
@pytest.mark.parametrize("name", PROGRAMS)
def test_what_loads_read_is_what_is_executed(name: str, mlir_opt: str) -> None:
    text, numbers = prepared(PROGRAMS[name], prints=False)
    reads, lines = flows(text)
    ran, _ = prepared(PROGRAMS[name], prints=True)
    printed = [float(each) for each in executed(mlir_opt, ran).split() if re.fullmatch(r"[\d.]+", each)]
    assert printed
    assert len(printed) % len(reads) == 0
    for position, read in enumerate(reads):
        named = {numbers.get(lines[each.writer.op], 0.0) for each in read.writers}
        unwritten = read.unwritten is None or not read.unwritten.is_empty()
        values = set(printed[position :: len(reads)])
        assert values <= (named | {0.0} if unwritten else named)
        assert values == named or not read.is_exact
    assert sum(not read.is_exact for read in reads) == UNSURE.get(name, 0)
