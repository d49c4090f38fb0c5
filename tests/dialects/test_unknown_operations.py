"""Operations that a dialect of which everything is known has not: mlir-opt's words, and the rest is analysed."""

from __future__ import annotations

import pytest

import volcli
from tests.dialects.problem_cases import Invalid, analysed, answers, said

UNKNOWN = {
    "custom": Invalid.within("%x: i32", "%r = arith.twist %x, %x : i32"),
    "generic": Invalid.within("%x: i32", '%r = "arith.twist"(%x) : (i32) -> i32'),
    "no result": Invalid.within("%x: i32", "func.twist %x : i32"),
}


@pytest.mark.parametrize("name", list(UNKNOWN))
def test_is_reported(name: str) -> None:
    assert [code for code, *_ in said(UNKNOWN[name].text)] == ["V110"]


def test_messages_and_places_are_those_of_mlir_opt(mlir_opt: str) -> None:
    asked = answers(mlir_opt, [case.text for case in UNKNOWN.values()])
    for (name, case), (answer, *_) in zip(UNKNOWN.items(), asked, strict=True):
        assert said(case.text)[0][1:] == answer, name


@pytest.mark.parametrize("name", list(UNKNOWN))
def test_the_rest_is_analysed(name: str) -> None:
    analysed(UNKNOWN[name].text)


def test_its_results_may_be_anything() -> None:
    text = """func.func @f(%x: tensor<4xf32>) -> tensor<?xf32> {
  %r = "tensor.twist"(%x) : (tensor<4xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
"""
    program = volcli.load(text, via="xdsl").run("element-maps")
    assert "V301" in {one.code for one in program.diagnostics}


@pytest.mark.parametrize("name", ["tosa.twist", "mystery.twist"])
def test_of_another_dialect_nobody_knows(name: str) -> None:
    text = Invalid.within("%x: i32", f'%r = "{name}"(%x) : (i32) -> i32').text
    assert said(text) == []


def test_is_not_said_to_be_opaque_as_well() -> None:
    program = volcli.load(UNKNOWN["custom"].text, via="xdsl")
    assert [one.code for one in program.diagnostics] == ["V110"]
