"""What the operations of arith are, beyond their syntax (test_units.py has that)."""

from __future__ import annotations

import pytest
from xdsl.dialects import arith as xdsl_arith
from xdsl.dialects.builtin import FloatAttr, IntegerAttr, StringAttr, UnitAttr
from xdsl.ir import Operation

from tests.dialects.roundtrip import read_natively
from tests.shared.enumeration import Function, function
from volcli.frontend.parse.constants.carried import CarriedAttr
from volcli.language import questions
from volcli.language.questions import Vanishing
from volcli.loading.driver import load
from volcli_dialects import arith


def operations(arguments: str, body: str) -> list[Operation]:
    """The operations of BODY."""
    (f,) = read_natively(function(arguments, body)).module.body.block.ops
    return list(f.regions[0].block.ops)[:-1]


def operation(arguments: str, body: str) -> Operation:
    """The last operation of BODY."""
    return operations(arguments, body)[-1]


@pytest.mark.parametrize(
    ("kind", "truth"),
    [
        ("i32", "i1"),
        ("index", "i1"),
        ("vector<[4]x2xi8>", "vector<[4]x2xi1>"),
        ("tensor<4x?xi64>", "tensor<4x?xi1>"),
        ("tensor<*xi32>", "tensor<*xi1>"),
        ('tensor<8xi8, "enc">', 'tensor<8xi1, "enc">'),
    ],
)
def test_a_comparison_has_the_shape_of_its_operands(kind: str, truth: str) -> None:
    op = operation(f"%a: {kind}", f"%r = arith.cmpi slt, %a, %a : {kind}")
    assert str(op.results[0].type) == truth


def test_a_comparison_of_tensors_is_element_wise() -> None:
    f = Function(function(
        "%a: tensor<2xi32>, %b: tensor<2xi32>", "%r = arith.cmpi ult, %a, %b : tensor<2xi32>",
        "%r : tensor<2xi1>",
    ))  # fmt: skip
    assert f.reads("%r") == {((i,), name, (i,)) for i in range(2) for name in "ab"}
    assert f.sizes("%r") == ["2"]


def test_a_selection_by_a_tensor_reads_its_condition() -> None:
    f = Function(function(
        "%c: tensor<2xi1>, %a: tensor<2xf32>", "%r = arith.select %c, %a, %a : tensor<2xi1>, tensor<2xf32>",
        "%r : tensor<2xf32>",
    ))  # fmt: skip
    assert f.reads("%r") == {((i,), name, (i,)) for i in range(2) for name in "ac"}


def test_flags_are_properties() -> None:
    exact, casts = (
        operation("%a: i32", "%r = arith.divsi %a, %a exact : i32"),
        operation("%a: f64", "%r = arith.truncf %a toward_zero : f64 to f32"),
    )
    assert exact.properties["isExact"] == UnitAttr()
    assert casts.properties["roundingmode"] == IntegerAttr(3, 32)


def test_ours_are_also_xdsls() -> None:
    """A case on a class of xDSL's answers for ours."""
    ours = {kind.name: kind for kind in arith.dialect().operations}
    for base in (xdsl_arith.AddiOp, xdsl_arith.MulfOp, xdsl_arith.CmpiOp, xdsl_arith.ConstantOp):
        assert issubclass(ours[base.name], base)
    op = operation("%a: f32", "%r = arith.mulf %a, %a : f32")
    assert questions.vanishing(op) is Vanishing.IF_ANY_OPERAND


@pytest.mark.parametrize(
    "op",
    [
        "arith.addi %a, %a overflow<sometimes> : i32",
        "arith.cmpi less, %a, %a : i32",
        "arith.cmpi 3, %a, %a : i32",
        "arith.addf %a, %a : i32",
        "arith.constant @f",
        "arith.constant sparse",
        "arith.constant sparse<[[0]], 1",
    ],
)
def test_what_is_no_operation_of_arith(op: str) -> None:
    program = load(function("%a: i32", f"%r = {op}"), via="xdsl")
    assert [d.code for d in program.diagnostics if d.code in ("V103", "V110")]


@pytest.mark.parametrize(
    ("text", "carried"),
    [
        ("sparse<[[0, 0], [1, 2]], [1, 5]> : tensor<3x4xi32>", "sparse<[[0, 0], [1, 2]], [1, 5]>"),
        ("dense<[1.0, 2.0]> : tensor<2xf80>", "dense<[1.0, 2.0]>"),
        ("dense<[1.0, 0x7F800001]> : tensor<2xf32>", "dense<[1.0, 0x7F800001]>"),
        ("1.25 : f128", "1.25"),
        ("0x7F800001 : f32", "0x7F800001"),
        ("0x7FC00000 : f32", None),
        ("1.0e-300 : f64", None),
    ],
)
def test_constants_that_are_carried(text: str, carried: str | None) -> None:
    op = operation("", f"%c = arith.constant {text}")
    value = op.properties["value"]
    kind = text.rpartition(" : ")[2]
    assert str(op.results[0].type) == kind
    if carried is None:
        assert isinstance(value, FloatAttr)
    else:
        assert isinstance(value, CarriedAttr)
        assert value.text == StringAttr(carried)
        assert str(value.type) == kind
        assert questions.constant_fill(op) is None
