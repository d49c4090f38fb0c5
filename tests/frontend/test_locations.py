"""Places, equal to mlir-opt's on every operation and every block argument."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from xdsl.dialects.builtin import LocationAttr
from xdsl.ir import Operation

from volcli.diagnostics import Place
from volcli.frontend.parse.parser import ParsedModule
from volcli.frontend.text.locations import place_of, place_of_argument

Read = Callable[..., ParsedModule]
Generic = Callable[..., str]

PROGRAMS = {
    "functions": """
func.func private @declared(i32, f32)
func.func @args(%a: i32,
    %b: tensor<4xf32> {x.y}) -> i32 {
  %0, %1:2 = "t.three"() : () -> (i32, i32, i32)
  %2 =
      arith.addi %a, %1#1 : i32
  return %2 : i32
}""",
    "several in a line": """\
func.func @a() { return } func.func @b(%x: i32) { "t.a"() : () -> () "t.b"() : () -> () return }""",
    "loops": """
func.func @f(%n: index, %m: memref<?xf32>, %c: i1, %z: f32) {
  scf.for %i = %n to %n step %n { }
  %s = scf.for %i = %n to %n step %n iter_args(%acc = %z) -> (f32) {
    %t = arith.addf %acc, %z : f32
    scf.yield %t : f32
  }
  affine.for %j = 0 to 10 {
    %v = affine.load %m[%j + 1] : memref<?xf32>
  }
  scf.if %c { %t = arith.addf %z, %z : f32 } else { %e = arith.addf %z, %z : f32 }
  return
}""",
    "blocks": """
func.func @f(%c: i1) -> i32 {
  %one = arith.constant 1 : i32
  cf.cond_br %c, ^bb1(%one : i32), ^bb2
^bb1(%x: i32):
  return %x : i32
^bb2:
  return %one : i32
}""",
    "nested modules": """
module @outer {
  module {
    "t.a"() ({ ^bb0(%x: i32, %y: i32): "t.b"() : () -> () }) : () -> ()
  }
}""",
    "explicit": """
#file = loc("model.py":10:2)
"t.a"() : () -> () loc("other.py":3:4)
"t.b"() : () -> () loc(#file)
"t.c"() : () -> () loc(#later)
"t.d"() : () -> () loc(unknown)
"t.e"() : () -> () loc(callsite("f" at fused["a":1:2, "name"("b":3:4)]))
"t.f"() : () -> () loc(fused<"pass">["a":1:2])
"t.g"() ({ ^bb0(%x: i32 loc("arg.py":7:8), %y: i32): }) : () -> ()
#later = loc("late.py":1:1)
""",
    "tabs and CRLF": 'module {\r\n\t"t.a"() : () -> ()\t"t.b"() : () -> ()\r\n\r\n}\r\n',
    "lone carriage returns": '// comment\r"t.a"() : () -> ()\r  "t.b"() : () -> ()\n "t.c"() : () -> ()',
    "unicode": '// ünïcödé\n"t.a"() {s = "äöü €"} : () -> () "t.b"() : () -> () // é\n  "t.c"() : () -> ()',
    "hidden bodies": """
func.func @f(%a: tensor<2x3xf32>, %b: tensor<3x2xf32>, %c: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %0 = linalg.transpose ins(%a : tensor<2x3xf32>) outs(%b : tensor<3x2xf32>) permutation = [1, 0]
  return %c : tensor<2x2xf32>
}""",
}


def locations(module: Operation) -> Iterator[tuple[str, LocationAttr]]:
    for op in module.walk():
        name = op.attributes.get("op_name__", op.name)
        yield str(name), op.location
        for region in op.regions:
            for block in region.blocks:
                yield from ((f"argument of {name}", argument.location) for argument in block.args)


@pytest.mark.sample(2)
@pytest.mark.mlir
@pytest.mark.parametrize("text", PROGRAMS.values(), ids=PROGRAMS)
def test_as_mlir_opt(read: Read, generic: Generic, text: str) -> None:
    ours = read(text, "<stdin>")
    theirs = read(generic(text, "--mlir-print-debuginfo"))
    assert not ours.diagnostics
    assert not theirs.diagnostics
    assert list(locations(ours.module)) == list(locations(theirs.module))


@pytest.mark.sample(1)
@pytest.mark.mlir
@pytest.mark.parametrize("name", ["linalg/conv_layer.mlir", "tensor/pad.mlir"])
def test_as_mlir_opt_on_testdata(read: Read, generic: Generic, root: Path, name: str) -> None:
    text = (root / "testdata" / name).read_text()
    ours, theirs = read(text, "<stdin>"), read(generic(text, "--mlir-print-debuginfo"))
    assert not ours.diagnostics
    assert list(locations(ours.module)) == list(locations(theirs.module))


def test_a_chunk_keeps_the_lines_of_its_file(read: Read) -> None:
    parsed = read('\n  "t.a"() : () -> ()', first_line=7)
    op = parsed.module.body.block.first_op
    assert op is not None
    assert place_of(op) == Place("t.mlir", 8, 3)
    assert place_of(parsed.module) == Place("t.mlir", 7, 1)


def test_an_explicit_location_wins_but_the_text_keeps_its_place(read: Read) -> None:
    parsed = read('"t.a"() : () -> ()\n  "t.b"() : () -> () loc("model.py":10:2)')
    _, op = parsed.module.body.block.ops
    assert place_of(op) == Place("model.py", 10, 2)
    assert parsed.written_at(op) == Place("t.mlir", 2, 3)


def test_what_has_no_place_has_that_of_its_parent(read: Read) -> None:
    parsed = read('"t.a"() ({ ^bb0(%x: i32 loc(unknown)): "t.b"() : () -> () loc(unknown) }) : () -> ()')
    op = parsed.module.body.block.first_op
    assert op is not None
    block = op.regions[0].block
    inner = block.first_op
    assert inner is not None
    assert place_of(inner) == place_of(op) == place_of_argument(block.args[0]) == Place("t.mlir", 1, 1)
    inner.detach()
    assert place_of(inner) == Place("<unknown>", 1, 1)
    assert parsed.written_at(inner) == Place("t.mlir", 1, 40)


def test_range_of_a_file_is_its_beginning(read: Read) -> None:
    parsed = read('"t.a"() : () -> () loc("m.py":1:2 to 3:4)\n"t.b"() : () -> () loc("m.py":5:6 to :9)')
    assert [place_of(op) for op in parsed.module.body.block.ops] == [Place("m.py", 1, 2), Place("m.py", 5, 6)]
    assert not parsed.diagnostics
