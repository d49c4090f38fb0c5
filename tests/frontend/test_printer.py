"""Printing rewritten IR."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from xdsl.builder import Builder
from xdsl.dialects import test as test_dialect
from xdsl.dialects.builtin import StringAttr, i32
from xdsl.ir.affine import AffineExpr, AffineMap
from xdsl.rewriter import InsertPoint

from volcli.frontend.parse.affine.affine_text import expression_text, map_text
from volcli.frontend.parse.context import make_context
from volcli.frontend.parse.parser import ParsedModule, parse
from volcli.frontend.print.printer import print_module
from volcli.frontend.text.source import Source
from volcli.loading.driver import dialect_factories

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


ALIASES = {
    "in the order of their uses": """\
"t.a"() {b = affine_map<(i) -> (i + 1)>, a = affine_set<(i) : (i - 3 >= 0)>} : () -> ()
"t.b"() {a = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0 + 1)>]} : () -> ()
""",
    "in generic form, regions come first, then types": """\
%m = "t.a"() ({
  "t.b"() {a = affine_map<(d0) -> (d0 + 3)>} : () -> ()
}) {a = affine_map<(d0) -> (d0 + 1)>} : () -> memref<4xf32, affine_map<(d0) -> (d0 + 2)>>
""",
    "in signatures": """\
func.func private @f(memref<4xf32, affine_map<(d0) -> (d0 * 2)>>, f32 {a.b = affine_map<(d0) -> (d0)>})
func.func @g(%a: f32 {a.b = affine_map<(d0) -> (d0)>, a.c = affine_map<(d0) -> (d0 + 5)>})
    -> (f32 {a.b = affine_map<(d0) -> (d0 + 7)>}) {
  return %a : f32
}
""",
    "behind what a failed custom format used": """\
func.func @f(%m: memref<4x4xf32>) {
  %r:2 = "t.a"() : () -> (index, index)
  "t.b"() {a = affine_map<(d0) -> (d0 + 9)>} : () -> ()
  affine.for %i = affine_map<(d0) -> (d0 + 3)>(%r#0) to affine_map<(d0) -> (d0 + 9)>(%r#1) { }
  return
}
""",
}


def read_with_our_dialects(text: str) -> ParsedModule:
    return parse(Source("t.mlir", text), make_context(dialect_factories()))


def definitions(text: str) -> list[str]:
    """The alias definitions at the beginning of a text."""
    return [line for line in text.splitlines() if line.startswith("#")]


@pytest.mark.sample(2)
@pytest.mark.parametrize("text", ALIASES.values(), ids=ALIASES)
def test_aliases_as_mlir_opt_defines_them(mlir_opt: str, text: str) -> None:
    done = subprocess.run(
        [mlir_opt, "-allow-unregistered-dialect"], input=text, capture_output=True, text=True, check=True
    )
    assert definitions(print_module(read_with_our_dialects(text))) == definitions(done.stdout)


def test_aliases_stand_above_the_module(read: Read) -> None:
    printed = print_module(read('module { "t.a"() {a = affine_map<(x) -> (x - 2)>} : () -> () }'))
    assert printed == '#map = affine_map<(d0) -> (d0 - 2)>\nmodule {\n  "t.a"() {a = #map} : () -> ()\n}\n'


def test_aliases_of_verbatim_text_keep_their_names(read: Read) -> None:
    parsed = read(
        "#map = affine_map<(d0) -> (d0 + 1)>\n"
        "#unused = affine_map<(d0) -> (d0 + 2)>\n"
        "!pair = tuple<i32, i32>\n"
        "#outer = [#map]\n"
        "func.func @f() {\n"
        "  mystery.op [#outer]\n"
        '  "t.a"() {a = affine_map<(x) -> (x * 2)>, b = affine_map<(x) -> (x + 1)>} : () -> ()\n'
        "  return\n"
        "}\n"
    )
    assert print_module(parsed) == (
        "#map = affine_map<(d0) -> (d0 + 1)>\n"
        "#outer = [#map]\n"
        "#map1 = affine_map<(d0) -> (d0 * 2)>\n"
        "func.func @f() {\n"
        "  mystery.op [#outer]\n"
        '  "t.a"() {a = #map1, b = #map} : () -> ()\n'
        "  return\n"
        "}\n"
    )


@pytest.mark.mlir
def test_a_name_of_a_value_outside_is_not_used_inside_what_is_isolated(read: Read, generic: Generic) -> None:
    text = '%x = "t.a"() : () -> i32\nfunc.func @f(%x: i32) -> i32 { return %x : i32 }\n'
    printed = print_module(read(text))
    assert "@f(%x_0: i32)" in printed
    assert generic(printed) == generic(text.replace("%x", "%y", 1))


def test_types_of_elements_and_memory_spaces_go_without_saying(read: Read) -> None:
    text = (
        '"t.a"() {a = [1, 2 : i32, 5.000000e-01, 5.000000e-01 : f32], b = 1 : i64}'
        " : () -> (memref<4xf32, 1>, memref<*xf32, 2 : i32>)\n"
    )
    assert print_module(read(f"%0:2 = {text}")) == f"%0:2 = {text}"


def test_names_without_their_dialect() -> None:
    text = """\
module {
  func.func private @f(i32)
  func.func @g(%a: i32, %c: i1) {
    call @f(%a) : (i32) -> ()
    scf.if %c {
      func.call @f(%a) : (i32) -> ()
    }
    return
  }
}
module {
}
"""
    assert print_module(read_with_our_dialects(text)) == text


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
    "attributes of operations of other dialects": """
"llvm.mlir.global"() <{addr_space = 0 : i32, global_type = i64, linkage = #llvm.linkage<external>,
  sym_name = "g", value = 1 : i64, visibility_ = 0 : i64}> ({}) : () -> ()
module attributes {transform.with_named_sequence} {
  transform.named_sequence @a(%x: !transform.any_op {transform.readonly}) -> !transform.any_op {
    "transform.yield"(%x) {my.tag} : (!transform.any_op) -> ()
  }
  llvm.func @f(%a: i64) -> i64 {
    "llvm.return"(%a) {my.tag} : (i64) -> ()
  }
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


@pytest.mark.sample(1)
@pytest.mark.mlir
@pytest.mark.parametrize("text", PROGRAMS.values(), ids=PROGRAMS)
def test_mlir_opt_reads_the_identical_program(read: Read, generic: Generic, text: str) -> None:
    assert generic(print_module(read(text))) == generic(text)


@pytest.mark.slow
@pytest.mark.mlir
def test_mlir_opt_reads_the_identical_testdata(read: Read, generic: Generic, root: Path) -> None:
    paths = [
        path for room in ("linalg", "tensor") for path in sorted((root / "testdata" / room).glob("*.mlir"))
    ]
    assert paths
    for path in paths:
        text = path.read_text()
        assert generic(print_module(read(text))) == generic(text), path.name
