"""Printing rewritten IR."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from xdsl.builder import Builder
from xdsl.dialects import test as test_dialect
from xdsl.dialects.builtin import StringAttr, i32
from xdsl.ir.affine import AffineExpr, AffineMap
from xdsl.rewriter import InsertPoint

from volcli.frontend.affine_text import expression_text, map_text
from volcli.frontend.parser import ParsedModule
from volcli.frontend.printer import print_module

Read = Callable[..., ParsedModule]
Generic = Callable[..., str]

CANONICAL = """\
module attributes {a.b = 1 : i32} {
  func.func @f(%arg0: i32, %7: i32 {a.c}) -> i32 attributes {x.y = "q"} {
    %42:2 = "t.two"(%arg0) {tag = 3 : i64} : (i32) -> (i32, i32)
    %0, %r:2 = "t.three"() : () -> (i32, i32, i32)
    %1 = arith.addi %42#0, %r#1 {keep = "me"} : i32
    "t.regions"() ({
    ^bb0(%x: i32):
      %y = arith.addi %x, %x : i32
    }, {
    ^bb0(%x: i32):
      %y = arith.addi %x, %x : i32
    }) : () -> ()
    cf.br ^next(%1 : i32)
  ^next(%z: i32):
    return %z : i32
  }
  func.func @g(%arg0: f32) {
    return
  }
}
"""


def test_names_and_attributes_are_kept(read: Read) -> None:
    assert print_module(read(CANONICAL)) == CANONICAL


def test_a_module_that_the_text_lacks_is_not_printed(read: Read) -> None:
    parsed = read('"t.a"() : () -> ()\n"t.b"() : () -> ()\n')
    assert print_module(parsed) == '"t.a"() : () -> ()\n"t.b"() : () -> ()\n'
    parsed.module.attributes["a.b"] = StringAttr("c")
    assert print_module(parsed).startswith("module attributes")


def test_unread_operations_stand_in_their_place(read: Read) -> None:
    text = (
        "#m = affine_map<(d0) -> (d0)>\n"
        '"t.a"() : () -> ()\n'
        "module {\n  mystery.op   @x [ a = #m,\n      b )\n}\n"
        '"t.b"() : () -> ()\n'
    )
    parsed = read(text)
    assert len(parsed.unread) == 1
    assert print_module(parsed) == text


def test_names_of_copies_are_unique(read: Read) -> None:
    parsed = read('%x = "t.a"() : () -> i32\n%0 = "t.a"() : () -> i32\n%r:2 = "t.b"() : () -> (i32, i32)\n')
    body = parsed.module.body.block
    x, number, pair = body.ops
    body.add_ops([x.clone(), number.clone(), pair.clone(), test_dialect.TestOp(result_types=[i32])])
    body.add_op(test_dialect.TestOp(operands=[op.results[0] for op in list(body.ops)[3:]]))
    assert print_module(parsed).splitlines() == [
        '%x = "t.a"() : () -> i32',
        '%0 = "t.a"() : () -> i32',
        '%r:2 = "t.b"() : () -> (i32, i32)',
        '%x_0 = "t.a"() : () -> i32',
        '%1 = "t.a"() : () -> i32',
        '%r_0, %r_1 = "t.b"() : () -> (i32, i32)',
        '%2 = "test.op"() : () -> i32',
        '"test.op"(%x_0, %1, %r_0, %2) : (i32, i32, i32, i32) -> ()',
    ]


def test_a_group_that_a_pass_took_apart_is_printed_apart(read: Read) -> None:
    parsed = read('%r:2 = "t.b"() : () -> (i32, i32)\n"t.c"(%r#1) : (i32) -> ()\n')
    pair, user = parsed.module.body.block.ops
    new = test_dialect.TestOp(result_types=[i32])
    Builder(InsertPoint.before(user)).insert(new)
    parsed.names.transfer(pair.results[1], new.results[0])
    user.operands[0] = new.results[0]
    assert print_module(parsed).splitlines() == [
        '%r, %r_0 = "t.b"() : () -> (i32, i32)',
        '%r_1 = "test.op"() : () -> i32',
        '"t.c"(%r_1) : (i32) -> ()',
    ]


def test_an_attribute_that_a_custom_format_loses_is_printed_generically(read: Read) -> None:
    parsed = read("func.func @f(%n: index) {\n  scf.for %i = %n to %n step %n { }\n  return\n}\n")
    for op in parsed.module.walk():
        op.attributes.setdefault("volcli.mark", StringAttr(op.name))
    printed = print_module(parsed)
    again = read(printed)
    assert not again.diagnostics
    assert all(op.attributes["volcli.mark"] == StringAttr(op.name) for op in again.module.walk())


D0, D1, S0 = AffineExpr.dimension(0), AffineExpr.dimension(1), AffineExpr.symbol(0)


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        (D0 - 2, "d0 - 2"),
        (D0 + D1 * -1, "d0 - d1"),
        (D0 - (D1 + 1) // 2, "d0 - (d1 + 1) floordiv 2"),
        (D0 * 2 - D1 * 3 - S0 - 4, "d0 * 2 - d1 * 3 - s0 - 4"),
        (((D0 + 1) // 2).ceil_div(3) % 4, "(((d0 + 1) floordiv 2) ceildiv 3) mod 4"),
        (AffineExpr.constant(-5), "-5"),
        (D1 * -1, "-d1"),
    ],
)
def test_affine_expressions(expression: AffineExpr, text: str) -> None:
    assert expression_text(expression) == text


def test_maps() -> None:
    assert map_text(AffineMap(1, 1, (D0 + S0,))) == "(d0)[s0] -> (d0 + s0)"
    assert map_text(AffineMap(0, 0, ())) == "() -> ()"


PROGRAMS = {
    "names": CANONICAL,
    "maps": """
#map = affine_map<(d0, d1)[s0] -> (d0 - 2, -d0 + d1, d0 * -1 + s0, 2 * d0 - 3 * d1 - s0 - 4, -5, (-d0) mod 4,
  (d0 + 1) floordiv 2 - d1 ceildiv 3, d0 mod 3 + (d0 floordiv 4) mod 2)>
"t.a"() {map = #map, set = affine_set<(d0)[s0] : (d0 - 2 >= 0, -d0 + s0 == 0)>} : () -> ()
""",
    "attributes": """
func.func @f(%a: i32, %t: tensor<?x4xf32>, %n: index) -> i32 {
  %0 = arith.addi %a, %a {my.tag = "x", unit} : i32
  %1 = arith.constant {my.tag} 3 : i32
  %2 = tensor.dim {my.tag} %t, %n : tensor<?x4xf32>
  %3 = tensor.cast %t {my.tag} : tensor<?x4xf32> to tensor<4x4xf32>
  return {my.tag} %0 : i32
}""",
    "constants": """
"t.a"() {a = dense<0> : tensor<100x64x220x220xi32>, b = dense<0xFF800000> : tensor<4xf32>,
  c = 0x7FC00000 : f32, d = dense<"0x0000803F"> : tensor<1000000x1000000xf32>,
  e = 1.0e-45 : f32, f = "q\\22\\0A\\\\"} : () -> ()""",
    "resources": """
"t.a"() {a = dense_resource<weights> : tensor<1xf32>} : () -> ()
{-# dialect_resources: { builtin: { weights: "0x040000000000803F" } } #-}""",
    "unread": """
#map = affine_map<(d0)[s0] -> (d0 * s0)>
func.func @a() { return }
func.func @b(%n: index) { gpu.barrier %0 = affine.apply #map(%n)[%n] gpu.barrier %1 = index.add %0, %0 return }
func.func @c() { return }""",
}


@pytest.mark.mlir
@pytest.mark.parametrize("text", PROGRAMS.values(), ids=PROGRAMS)
def test_mlir_opt_reads_the_identical_program(read: Read, generic: Generic, text: str) -> None:
    assert generic(print_module(read(text))) == generic(text)


@pytest.mark.mlir
def test_mlir_opt_reads_the_identical_testdata(read: Read, generic: Generic, root: Path) -> None:
    paths = [
        path for room in ("linalg", "tensor") for path in sorted((root / "testdata" / room).glob("*.mlir"))
    ]
    assert paths
    for path in paths:
        text = path.read_text()
        assert generic(print_module(read(text))) == generic(text), path.name
