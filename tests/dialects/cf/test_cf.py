"""What cf.assert says of sizes: equalities, and nothing that it does not say."""

from __future__ import annotations

import pytest

from tests.shared.enumeration import Function, function
from volcli.model.function import FunctionModel

PRELUDE = """%c0 = arith.constant 0 : index
%a = tensor.dim %t, %c0 : tensor<?xf32>
%b = tensor.dim %u, %c0 : tensor<?xf32>
"""
ARGUMENTS = "%t: tensor<?xf32>, %u: tensor<?xf32>, %k: i1"


def sizes(condition: str) -> tuple[str, str]:
    f = Function(function(ARGUMENTS, PRELUDE + condition + '\ncf.assert %p, "mismatched size"'))
    (left,), (right,) = f.sizes("%t"), f.sizes("%u")
    return left, right


def test_equal_sizes_get_one_name() -> None:
    left, right = sizes("%p = arith.cmpi eq, %a, %b : index")
    assert left == right == "t_d0"


def test_a_size_gets_its_number() -> None:
    left, right = sizes("%c4 = arith.constant 4 : index\n%p = arith.cmpi eq, %a, %c4 : index")
    assert (left, right) == ("4", "u_d0")


def test_a_conjunction_says_both() -> None:
    left, right = sizes("""%c4 = arith.constant 4 : index
        %x = arith.cmpi eq, %a, %c4 : index
        %y = arith.cmpi eq, %b, %a : index
        %p = arith.andi %x, %y : i1""")
    assert (left, right) == ("4", "4")


def test_an_equality_from_two_inequalities() -> None:
    left, right = sizes("""%x = arith.cmpi sle, %a, %b : index
        %y = arith.cmpi sle, %b, %a : index
        %p = arith.andi %x, %y : i1""")
    assert left == right


@pytest.mark.parametrize(
    "condition",
    [
        "%p = arith.cmpi ne, %a, %b : index",
        "%p = arith.cmpi sle, %a, %b : index",
        "%p = arith.cmpi ult, %a, %b : index",
        "%x = arith.cmpi eq, %a, %b : index\n%p = arith.ori %x, %k : i1",
        "%x = arith.cmpi eq, %a, %b : index\n%p = arith.xori %x, %k : i1",
        "%x = arith.cmpi eq, %a, %b : index\n%t1 = arith.constant true\n%p = arith.xori %x, %t1 : i1",
        "%x = arith.cmpi eq, %a, %b : index\n%y = arith.cmpi eq, %a, %c0 : index\n%p = arith.ori %x, %y : i1",
        "%p = arith.constant true",
        "%p = arith.andi %k, %k : i1",
    ],
)
def test_other_conditions_say_no_equality(condition: str) -> None:
    assert sizes(condition) == ("t_d0", "u_d0")


def test_an_assertion_through_i64() -> None:
    """As torch-mlir writes it: the sizes are cast to i64 first."""
    left, right = sizes("""%x = arith.index_cast %a : index to i64
        %y = arith.index_cast %b : index to i64
        %p = arith.cmpi eq, %x, %y : i64""")
    assert left == right


def test_without_assertions() -> None:
    text = function(ARGUMENTS, PRELUDE + '%p = arith.cmpi eq, %a, %b : index\ncf.assert %p, "m"')
    f = Function(text)
    assert f.sizes("%t") == f.sizes("%u")
    alone = FunctionModel(f.model.function, f.model.name_of, conditional=False)
    assert alone.store.sizes(f.value("%t")) != alone.store.sizes(f.value("%u"))
    assert f.model.shapes.sizes(f.value("%t")) != f.model.shapes.sizes(f.value("%u"))
