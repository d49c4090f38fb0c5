"""Constants, resources and aliases."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

import pytest
from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, DenseResourceAttr, TensorType, f32, i8
from xdsl.ir import Attribute

from volcli.frontend.parse.constants.splat import SplatElementsAttr, splat
from volcli.frontend.parse.parser import ParsedModule
from volcli.frontend.print.printer import print_module

Read = Callable[..., ParsedModule]


def attribute(parsed: ParsedModule) -> Attribute:
    op = parsed.module.body.block.first_op
    assert op is not None
    assert not parsed.diagnostics
    return op.attributes["a"]


@pytest.mark.parametrize(
    "constant",
    [
        "dense<0> : tensor<100x64x220x220xi32>",
        "dense<0.000000e+00> : tensor<1000000x1000000xf32>",
        "dense<true> : vector<1000000x1000000xi1>",
        "dense<(1.000000e+00,2.000000e+00)> : tensor<1000000x1000000xcomplex<f32>>",
    ],
)
def test_a_splat_of_any_size_is_instant(read: Read, constant: str) -> None:
    start = time.perf_counter()
    value = attribute(read(f'"t.a"() {{a = {constant}}} : () -> ()'))
    assert time.perf_counter() - start < 1
    assert isinstance(value, SplatElementsAttr)
    assert isinstance(value, DenseIntOrFPElementsAttr)
    assert value.is_splat()
    assert str(value) == constant


def test_a_splat_in_hexadecimal_is_instant(read: Read) -> None:
    value = attribute(read('"t.a"() {a = dense<"0x0000803F"> : tensor<1000000x1000000xf32>} : () -> ()'))
    assert isinstance(value, SplatElementsAttr)
    assert value.value == 1.0


def test_a_small_splat_has_the_values_of_a_list() -> None:
    type_ = TensorType(i8, [2, 2])
    small, listed = splat([255], type_), DenseIntOrFPElementsAttr.from_list(type_, [255] * 4)
    assert small.get_values() == tuple(small.iter_values()) == listed.get_values()
    assert small.get_attrs() == tuple(small.iter_attrs()) == tuple(listed.get_attrs())
    assert len(small) == len(listed)
    assert small == splat([-1], type_)
    assert small != splat([1], type_)
    assert small.shape_is_complete


def test_a_splat_is_a_valid_constant() -> None:
    ConstantOp(splat([0.0], TensorType(f32, [3, 10**9]))).verify()


def test_other_dense_constants_are_read_as_before(read: Read) -> None:
    for text in ("dense<[1, 2]> : tensor<2xi32>", "dense<7> : tensor<i32>", "dense<> : tensor<0xi32>"):
        value = attribute(read(f'"t.a"() {{a = {text}}} : () -> ()'))
        assert not isinstance(value, SplatElementsAttr)
        assert str(value) == text
    blob = attribute(read('"t.a"() {a = dense<"0x0100000002000000"> : tensor<2xi32>} : () -> ()'))
    assert str(blob) == "dense<[1, 2]> : tensor<2xi32>"


@pytest.mark.parametrize(
    "constant", ["dense<0xFF800000> : tensor<4xf32>", "dense<[0xFF800000, 0xFF800000]> : tensor<2xf32>"]
)
def test_hexadecimal_floats_are_bit_patterns(read: Read, constant: str) -> None:
    value = attribute(read(f'"t.a"() {{a = {constant}}} : () -> ()'))
    assert isinstance(value, DenseIntOrFPElementsAttr)
    assert next(iter(value.iter_values())) == -math.inf


RESOURCE = """
"t.a"() {a = dense_resource<weights> : tensor<2xf32>} : () -> ()

{-#
  dialect_resources: {
    builtin: { weights: "0x04000000000000000000803F" },
    unheard_of: { key: "0x00 #-} not the end" }
  },
  external_resources: { anything: { goes: true } }
#-}
"""


def test_resources_keep_their_names_from_file_to_file(read: Read) -> None:
    for _ in range(2):
        parsed = read(RESOURCE)
        value = attribute(parsed)
        assert isinstance(value, DenseResourceAttr)
        assert value.resource_handle.data == "weights"
        assert parsed.metadata == [RESOURCE[RESOURCE.index("{-#") :].rstrip()]


def test_resource_sections_are_printed_again(read: Read) -> None:
    assert RESOURCE[RESOURCE.index("{-#") :] in print_module(read(RESOURCE))


def test_an_alias_that_is_not_understood_costs_only_its_users(read: Read) -> None:
    parsed = read('#bad = affine_map<(d0) -> (x)>\n"t.a"() {a = #bad} : () -> ()\n"t.b"() : () -> ()')
    assert [d.code for d in parsed.diagnostics] == ["V103", "V103"]
    assert [op.name for op in parsed.unread] == ["t.a"]
    assert parsed.aliases == ["#bad = affine_map<(d0) -> (x)>"]


def test_an_integer_of_very_many_digits_is_refused_in_our_words(read: Read) -> None:
    (said,) = read(f"func.func @f() {{\n  %c = arith.constant {'9' * 6000} : i64\n  return\n}}\n").diagnostics
    assert (said.code, said.message) == ("V103", "not supported: an integer of more than 4300 digits")
