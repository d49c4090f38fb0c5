"""What the fuzzing of the reader found, each as small as it gets: read or refused, in time that is about linear."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from volcli.facts.regions import RegionsFact
from volcli.frontend.parse.opaque import end_of_opaque
from volcli.frontend.parse.parser import ParsedModule
from volcli.frontend.parse.recovery import end_of_operation
from volcli.frontend.print.printer import print_module
from volcli.frontend.text.source import Source
from volcli.loading.driver import load_source

Read = Callable[..., ParsedModule]

PASSES = "infer-shapes,element-maps{of=all},sparsity-regions{of=all}"
A = "func.func @a() {\n  return\n}\n"

GENERIC = """func.func @f(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {{
  %r = linalg.generic {{indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]}} ins(%x : tensor<4xf32>) outs(%y : tensor<4xf32>) {{
{}
  }} -> tensor<4xf32>
  return %r : tensor<4xf32>
}}
"""


@pytest.mark.parametrize(
    "body",
    [
        "  ^bb0(%a: f32, %b: f32):",
        "  ^bb0(%a: f32, %b: f32):\n    linalg.yield",
        "  ^bb0(%a: f32):\n    linalg.yield %a : f32",
        "    %a = arith.constant 1.0 : f32\n  ^bb0(%b: f32, %c: f32):\n    linalg.yield %b : f32",
    ],
)
def test_a_body_that_is_none_says_nothing_of_the_elements(body: str) -> None:
    program = load_source(Source("t.mlir", GENERIC.format(body)), via="xdsl")
    program.run(PASSES)
    assert "V900" not in {diagnostic.code for diagnostic in program.diagnostics}


def test_what_is_computed_from_its_own_result_is_refused_and_unknown() -> None:
    inner = GENERIC.format("  ^bb0(%a: f32, %b: f32):\n    linalg.yield %a : f32")
    program = load_source(Source("t.mlir", inner.replace("ins(%x ", "ins(%r ")), via="xdsl")
    (fact,) = program.run("sparsity-regions").facts
    assert isinstance(fact, RegionsFact)
    assert not fact.exact
    assert [each.code for each in program.diagnostics if each.severity.value == "error"] == ["V110"]


def test_an_operand_that_the_region_of_its_user_defines_is_undefined(read: Read) -> None:
    user = '%r = "t.a"(%x) ({\n  %x = "t.b"() : () -> i32\n}) : (i32) -> i32\n'
    for text in (user, f"func.func @f() {{\n{user}return\n}}\n"):
        (diagnostic,) = read(text).diagnostics
        assert (diagnostic.code, diagnostic.message) == ("V103", "%x is used but never defined")


PAD = """func.func @f(%x: tensor<?x4xf32>) -> tensor<?x5xf32> {{
  %r = tensor.pad %x {} {{
  {}
  }} : tensor<?x4xf32> to tensor<?x5xf32>
  return %r : tensor<?x5xf32>
}}
"""
YIELDS = "^bb0(%i: index, %j: index):\n    %c = arith.constant 0.0 : f32\n    tensor.yield %c : f32"


@pytest.mark.parametrize(
    ("sizes", "body"),
    [
        ("low[1, 0] high[0, 1]", ""),
        ("low[1, 0] high[0, 1]", f"{YIELDS}\n  ^bb1:\n    cf.br ^bb1"),
        ("low[-9223372036854775808, 0] high[0, 1]", YIELDS),
    ],
)
def test_a_pad_that_is_none_is_printed_as_it_is(sizes: str, body: str) -> None:
    """The number is xDSL's and MLIR's mark for an operand, of which there is none."""
    program = load_source(Source("t.mlir", PAD.format(sizes, body)), via="xdsl").run(PASSES)
    assert "tensor.pad" in print_module(program.units[0].parsed)


def test_no_elements_are_no_splat() -> None:
    text = "func.func @f() {\n  %c = arith.constant dense<> : tensor<0xi2>\n  return\n}\n"
    program = load_source(Source("t.mlir", text), via="xdsl").run(PASSES)
    assert program.exit_code == 0


def test_whatever_is_read_can_be_analysed_and_printed() -> None:
    """The reader's own depth is for all that follows: 300 modules are as deep as many a recursion."""
    program = load_source(Source("t.mlir", "module {\n" * 300 + A + "}\n" * 300), via="xdsl").run(PASSES)
    assert program.exit_code == 0
    assert print_module(program.units[0].parsed).count("module {") == 300


BEYOND = (
    "9223372036854775808"  # the least number that no i64 holds: xDSL's attributes would have -2^63 instead
)


@pytest.mark.parametrize(
    "text",
    [
        f"%r = tensor.concat dim({BEYOND}) %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>",
        GENERIC.format(
            f"""  ^bb0(%a: f32, %b: f32):
    %i = linalg.index {BEYOND} : index
    %zero = arith.constant 0 : index
    %c = arith.cmpi sge, %i, %zero : index
    %s = arith.select %c, %a, %b : f32
    linalg.yield %s : f32"""
        ),
    ],
    ids=["dimension", "loop"],
)
def test_a_number_beyond_all_is_no_dimension(text: str) -> None:
    if "func.func" not in text:
        text = f"func.func @f(%x: tensor<4xf32>) {{\n  {text}\n  return\n}}\n"
    program = load_source(Source("t.mlir", text), via="xdsl").run(PASSES)
    (found,) = program.diagnostics
    assert (found.code, found.message) == ("V103", "integer value too large")


def test_an_operation_without_its_attributes_is_printed_in_generic_form(read: Read) -> None:
    text = """func.func @f(%a: memref<40xf32>, %t: memref<1xi32>, %i: index) {
  "affine.dma_start"(%a, %i, %a, %i, %t, %i, %i) : (memref<40xf32>, index, memref<40xf32>, index, memref<1xi32>, index, index) -> ()
  return
}
"""
    program = load_source(Source("t.mlir", text), via="xdsl")
    assert '"affine.dma_start"(%a, %i, %a, %i, %t, %i, %i)' in print_module(program.units[0].parsed)


HUGE = [
    ("%s:2147483648 = t.a", "more than 65536 results"),
    ("vector.to_elements %v : vector<2147483648xf32>", "expected at most 65536 elements"),
    ("linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<2> : tensor<2147483648xi64>} "
     "ins(%v, %v : f32, f32) outs(%v : f32)", "expected 2 integers"),
    ("%x = vector.transfer_read %v[], %v : memref<f32>, f32", "expected a memref or a ranked tensor, and a vector"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "message"), HUGE, ids=["names", "results", "attribute", "types"])
def test_what_does_not_fit_is_refused_before_it_is_made(text: str, message: str) -> None:
    program = load_source(Source("t.mlir", text), via="xdsl")
    (diagnostic,) = program.diagnostics
    assert diagnostic.code == "V103"
    assert message in diagnostic.message


# Times are not measured here: these say that no part of the text is looked at again and again.


@pytest.mark.slow
def test_what_is_nested_too_deeply_is_not_tried_at_each_level(read: Read) -> None:
    parsed = read('"t.a"() ({\n' * 3000)
    assert {diagnostic.code for diagnostic in parsed.diagnostics} <= {"V103", "V105"}
    assert len(parsed.diagnostics) < 500


def test_an_impatient_search_for_an_end_stops_at_the_first_candidate() -> None:
    text = "x.y {\n  a.b\nx.z\nx.y"
    assert text[end_of_operation(text, 0, "x.y", patient=False) :] == "\nx.z\nx.y"
    assert text[end_of_operation(text, 0, "x.y") :] == "\nx.y"


def test_unread_operations_leave_all_others_to_be_read(read: Read) -> None:
    parsed = read("t.a {\n" * 300 + A)
    assert len(parsed.unread) == 300
    assert A in print_module(parsed)


def test_brackets_that_are_never_closed_are_looked_for_once() -> None:
    text = "x.y { [\nx.y {\n  z"
    unclosed: set[int] = set()
    assert end_of_opaque(text, 0, unclosed) is None
    assert unclosed == {text.index("{"), text.index("["), text.rindex("{")}
    assert end_of_opaque(text + " } ] }", 0, unclosed) is None, "the set is believed"
    assert end_of_opaque("x.y { }", 0, set()) == len("x.y { }")


def test_a_constant_of_more_elements_than_can_be_counted() -> None:
    text = (
        "func.func @f() {\n  %x = arith.constant dense<2> : tensor<18446744073709551616xui8>\n  return\n}\n"
    )
    program = load_source(Source("t.mlir", text), via="xdsl").run(PASSES)
    assert {d.code for d in program.diagnostics} <= {"V103", "V110"}


def test_functions_in_unknown_operations_are_carried_as_text_where_they_nest_deeply() -> None:
    inner = "func.func @f() {\n  return\n}"
    for _ in range(200):
        inner = f"x.y {{\n{inner}\n}}"
    program = load_source(Source("t.mlir", inner + "\n"), via="xdsl").run(PASSES)
    (op,) = program.units[0].parsed.module.body.ops
    depth = 0
    while op.regions and op.regions[0].blocks:
        (op,) = op.regions[0].block.ops
        depth += 1
    assert depth < 20


def test_a_number_in_the_place_of_a_type_is_no_memref() -> None:
    program = load_source(Source("t.mlir", "memref.alloc():980\n"), via="xdsl")
    assert {diagnostic.code for diagnostic in program.diagnostics} == {"V110"}
