"""`volcli.testing` finds what is wrong with a case, and says which element it is."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from xdsl.dialects.builtin import TensorType
from xdsl.ir import Dialect
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def, result_def

from volcli.execution.table import Perform, executions
from volcli.execution.tensors.blocks import moves
from volcli.language.expressions import ANY, constant, dim_of, loop
from volcli.language.questions import Sizes, element_reads, result_sizes
from volcli.language.reads import ElementReads, copy, one_alternative
from volcli.loading import driver
from volcli.testing import CaseError, Element, check, check_execution, computed_from


class _Flip(IRDLOperation):
    x = operand_def(TensorType)
    result = result_def(TensorType)
    assembly_format = "$x attr-dict `:` type($x) `->` type($result)"


@irdl_op_definition
class OffByOneOp(_Flip):
    name = "flip.off_by_one"


@irdl_op_definition
class AnywhereOp(_Flip):
    name = "flip.anywhere"


@irdl_op_definition
class ShortOp(_Flip):
    name = "flip.short"


@irdl_op_definition
class UnknownOp(_Flip):
    name = "flip.unknown"


@irdl_op_definition
class RaisingOp(_Flip):
    name = "flip.raising"


@element_reads.case(OffByOneOp, AnywhereOp, ShortOp, RaisingOp)
def stated(op: _Flip) -> list[ElementReads]:
    if isinstance(op, RaisingOp):
        raise LookupError("nothing")
    index = {AnywhereOp: ANY, OffByOneOp: dim_of(op.x, 0) - loop(0)}.get(type(op), loop(0))
    return [one_alternative(1, copy(op.x, [index]))]


@result_sizes.case(OffByOneOp, AnywhereOp, ShortOp, RaisingOp)
def sizes(op: _Flip) -> list[Sizes]:
    return [[constant(3) if isinstance(op, ShortOp) else dim_of(op.x, 0)]]


@executions.case(OffByOneOp, AnywhereOp, RaisingOp)
def flipped(op: _Flip) -> Perform:
    return moves(op, lambda elements: elements[::-1])


@pytest.fixture(autouse=True)
def _flip(monkeypatch: pytest.MonkeyPatch) -> None:
    known = driver.dialect_factories()
    made = Dialect("flip", [OffByOneOp, AnywhereOp, ShortOp, UnknownOp, RaisingOp])
    monkeypatch.setattr(driver, "dialect_factories", lambda: {**known, "flip": lambda: made})


def text(name: str, kind: str = "tensor<4xf32>") -> str:
    op = f"  %r = flip.{name} %x : {kind} -> {kind}"
    return f"func.func @f(%x: {kind}) -> {kind} {{\n{op}\n  return %r : {kind}\n}}"


def reverse(x: Sequence[Element]) -> Sequence[Element]:
    return x[::-1]


WRONG = {
    "off_by_one": r"flip.off_by_one: element \(0,\) comes from x\(3,\); its case says nothing",
    "anywhere": r"element \(0,\) comes from x\(3,\); its case says x\(0,\), x\(1,\), x\(2,\), x\(3,\)",
    "short": r"its case says sizes \[3\], and there are 4 of \[4\]",
    "unknown": r"there is no case of result_sizes",
    "raising": r"internal error in 'element_reads' of flip.raising, .*LookupError: nothing",
}


@pytest.mark.parametrize("name", list(WRONG))
def test_what_is_wrong_is_said(name: str) -> None:
    with pytest.raises(CaseError, match=WRONG[name]):
        check(text(name), reverse)


def test_more_than_there_is_may_be_allowed() -> None:
    check(text("anywhere"), reverse, exact=False)
    with pytest.raises(CaseError, match="its case says nothing"):
        check(text("off_by_one"), reverse, exact=False)


def test_sizes_are_numbers() -> None:
    with pytest.raises(CaseError, match="all sizes must be numbers"):
        check(text("anywhere", "tensor<?xf32>"), reverse)


def test_elements_know_their_sources() -> None:
    a, b = (Element(frozenset({("x", (k,))})) for k in range(2))
    assert (a * 2 + b).sources == {("x", (0,)), ("x", (1,))}
    assert computed_from(1, 2.0).sources == frozenset()
    with pytest.raises(TypeError, match="computed_from"):
        max(a, b)


def test_an_execution_and_a_case_that_differ() -> None:
    with pytest.raises(
        CaseError, match=r"flip.off_by_one: element \(0,\) comes from x\(3,\); its case says nothing"
    ):
        check_execution(text("off_by_one"))
    with pytest.raises(CaseError, match=r"its case says x\(0,\), x\(1,\), x\(2,\), x\(3,\)"):
        check_execution(text("anywhere"))
    check_execution(text("anywhere"), exact=False)


def test_an_operation_without_execution_or_case() -> None:
    with pytest.raises(CaseError, match=r"flip.short: its execution stops: flip.short has no execution"):
        check_execution(text("short"))
    with pytest.raises(CaseError, match="LookupError"):
        check_execution(text("raising"))


PADDED = """
func.func @f(%x: tensor<1x2x1xf32>, %w: tensor<2x1x1xf32>) -> tensor<1x3x1xf32> {
  %r = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[1, 1]]}
    {feature_group_count = 1 : i64, batch_group_count = 1 : i64}
    : (tensor<1x2x1xf32>, tensor<2x1x1xf32>) -> tensor<1x3x1xf32>
  return %r : tensor<1x3x1xf32>
}"""


def test_a_product_with_zero_reads_nothing() -> None:
    check_execution(PADDED)


def test_constants_are_no_elements_and_chains_are_refused() -> None:
    chain = """
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %one = arith.constant dense<1.0> : tensor<4xf32>
  %y = arith.addf %x, %one : tensor<4xf32>
  %r = arith.mulf %y, %x : tensor<4xf32>
  return %r : tensor<4xf32>
}"""
    with pytest.raises(CaseError, match="%y is neither an argument nor a constant"):
        check_execution(chain)
    check_execution(chain.replace("mulf %y, %x", "mulf %one, %x"))
