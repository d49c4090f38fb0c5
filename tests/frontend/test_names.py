"""The user's names of values."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from xdsl.dialects import test as test_dialect
from xdsl.dialects.builtin import i32
from xdsl.ir import Block, Region

from volcli.frontend.parse.names import Names
from volcli.frontend.parse.parser import ParsedModule

Read = Callable[..., ParsedModule]

TEXT = """
func.func @f(%act0: i32, %7: i32) -> i32 {
  %42:2 = "t.two"(%act0) : (i32) -> (i32, i32)
  %0, %r:2 = "t.three"() : () -> (i32, i32, i32)
  "t.region"() ({
  ^bb0(%x: i32):
    "t.use"(%x) : (i32) -> ()
  }) : () -> ()
  return %42#1 : i32
}
func.func @g(%7: f32) { return }
"""


@pytest.mark.parametrize("text", ["%act0", "%7", "%42#0", "%42#1", "%0", "%r#0", "%r#1", "%x"])
def test_a_value_is_found_by_the_name_it_has(read: Read, text: str) -> None:
    parsed = read(TEXT)
    function = parsed.module.body.block.first_op
    assert function is not None
    value = parsed.names.find(function, text)
    assert value is not None
    assert parsed.names.of(value) == text


def test_names_belong_to_a_function(read: Read) -> None:
    parsed = read(TEXT)
    first, second = parsed.module.body.block.ops
    assert parsed.names.find(first, "%7") is not parsed.names.find(second, "%7")
    assert parsed.names.find(second, "%act0") is None
    assert parsed.names.find(first, "%r") is parsed.names.find(first, "%r#0")
    assert parsed.names.find(first, "%r#2") is None
    assert parsed.names.find(first, "%r#x") is None


def test_values_without_a_name_are_described() -> None:
    op, names = test_dialect.TestOp(result_types=[i32, i32]), Names()
    op.results[1].name_hint = "hint"
    assert names.of(op.results[0]) == "<result 0 of test.op>"
    assert names.of(op.results[1]) == "%hint"
    around = test_dialect.TestOp(regions=[Region(Block(arg_types=[i32, i32]))])
    assert names.of(around.regions[0].block.args[1]) == "<argument 1 of a block of test.op>"
    names.passed_on(around, 7)
    assert names.of(around.regions[0].block.args[1]) == "the branch in line 7"


def test_a_name_is_handed_over() -> None:
    old, new, names = (
        test_dialect.TestOp(result_types=[i32]),
        test_dialect.TestOp(result_types=[i32]),
        Names(),
    )
    names.record("x", old.results)
    names.transfer(old.results[0], new.results[0])
    names.transfer(old.results[0], old.results[0])
    assert names.of(new.results[0]) == "%x"
    assert names.get(old.results[0]) is None
