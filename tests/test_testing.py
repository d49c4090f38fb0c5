"""`volcli.testing` finds what is wrong with a case, and says which element it is."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from xdsl.dialects.builtin import TensorType
from xdsl.ir import Dialect
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def, result_def

from volcli.language.expressions import ANY, constant, dim_of, loop
from volcli.language.questions import Sizes, element_reads, result_sizes
from volcli.language.reads import ElementReads, copy, one_alternative
from volcli.loading import driver
from volcli.testing import CaseError, Element, check, computed_from


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
