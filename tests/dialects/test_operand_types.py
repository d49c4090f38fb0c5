"""Operands that must be index or i1: generic form can say another type, and mlir-opt's words are said of it."""

from __future__ import annotations

import pytest

from tests.dialects.problem_cases import Invalid, analysed, answers, said

INVALID = {
    "one of a list": Invalid.within(
        "%m: memref<4x4xf32>, %i: index, %j: i32",
        '%r = "memref.load"(%m, %i, %j) : (memref<4x4xf32>, index, i32) -> f32',
    ),
    "behind another": Invalid.within(
        "%t: tensor<4xf32>, %i: i32", '%r = "tensor.dim"(%t, %i) : (tensor<4xf32>, i32) -> index'
    ),
    "before a list": Invalid.within("%c: i32", '"cf.assert"(%c) <{msg = "no"}> : (i32) -> ()'),
    "condition": Invalid.within("%c: i32", '"scf.if"(%c) ({\n    scf.yield\n  }, {}) : (i32) -> ()'),
    "of a map": Invalid.within(
        "%i: i32", '%r = "affine.apply"(%i) <{map = affine_map<(d0) -> (d0)>}> : (i32) -> index'
    ),
    "stored": Invalid.within(
        "%m: memref<4xf32>, %x: f32, %i: i64",
        '"memref.store"(%x, %m, %i) : (f32, memref<4xf32>, i64) -> ()',
    ),
}


@pytest.mark.parametrize("name", list(INVALID))
def test_is_reported(name: str) -> None:
    assert [code for code, *_ in said(INVALID[name].text)] == ["V110"]


def test_messages_and_places_are_those_of_mlir_opt(mlir_opt: str) -> None:
    asked = answers(mlir_opt, [case.text for case in INVALID.values()])
    for (name, case), (answer, *_) in zip(INVALID.items(), asked, strict=True):
        assert said(case.text)[0][1:] == answer, name


@pytest.mark.parametrize("name", list(INVALID))
def test_the_rest_is_analysed(name: str) -> None:
    analysed(INVALID[name].text)
