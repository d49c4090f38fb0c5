"""Variables that are equal because they are computed alike: the first in the program stands for all of them."""

from __future__ import annotations

import pytest
from xdsl.dialects.builtin import IndexType
from xdsl.ir import SSAValue

import volcli
from volcli.language.expressions import Value
from volcli.model.function import FunctionModel
from volcli.model.values.outline.outline import Outline
from volcli.model.values.store.store import BoundsStore

PROGRAMS = {
    "an extremum, of operands in another order": (
        """
        %a = arith.addi %n, %c1 : index
        %x = arith.maxsi %a, %c7 : index
        %b = arith.addi %c1, %n : index
        %y = arith.maxsi %c7, %b : index
        """,
        True,
    ),
    "a remainder, and the sum that it is in": (
        """
        %x = affine.apply affine_map<()[s0] -> (s0 mod 3 + 1)>()[%n]
        %y = affine.apply affine_map<()[s0] -> (s0 mod 3)>()[%n]
        """,
        False,
    ),
    "products of one element of a tensor": (
        """
        %a = tensor.extract %t[%c1] : tensor<?xindex>
        %x = arith.muli %a, %n : index
        %b = tensor.extract %t[%c1] : tensor<?xindex>
        %y = arith.muli %n, %b : index
        """,
        True,
    ),
    "products of one element of memory": (
        """
        %a = memref.load %m[%c1] : memref<?xindex>
        %x = arith.muli %a, %n : index
        memref.store %n, %m[%c7] : memref<?xindex>
        %b = memref.load %m[%c1] : memref<?xindex>
        %y = arith.muli %n, %b : index
        """,
        True,
    ),
    "products of one element of memory that is written between": (
        """
        %a = memref.load %m[%c1] : memref<?xindex>
        %x = arith.muli %a, %n : index
        memref.store %n, %m[%k] : memref<?xindex>
        %b = memref.load %m[%c1] : memref<?xindex>
        %y = arith.muli %n, %b : index
        """,
        False,
    ),
    "an element that is first read in a branch": (
        """
        scf.if %c {
          %x = memref.load %m[%c1] : memref<?xindex>
        }
        %y = memref.load %m[%c1] : memref<?xindex>
        """,
        False,
    ),
    "sums of 128 bits, one of which may have wrapped around in 64": (
        """
        %i = arith.index_cast %n : index to i64
        %j = arith.index_cast %k : index to i64
        %s = arith.addi %i, %j : i64
        %w = arith.extsi %s : i64 to i128
        %x = arith.maxsi %w, %big : i128
        %v = arith.extsi %i : i64 to i128
        %u = arith.extsi %j : i64 to i128
        %z = arith.addi %v, %u : i128
        %y = arith.maxsi %z, %big : i128
        """,
        False,
    ),
}


def model_of(body: str) -> FunctionModel:
    """The function with BODY."""
    program = volcli.loads(f"""
        func.func @f(%n: index, %k: index, %c: i1, %t: tensor<?xindex>, %m: memref<?xindex>) {{
          %c1 = arith.constant 1 : index
          %c7 = arith.constant 7 : index
          %big = arith.constant 7 : i128
          {body}
          return
        }}""")
    (model,) = program.units[0].models()
    return model


def values_of(model: FunctionModel) -> dict[str, SSAValue]:
    return {model.name_of(result): result for op in model.function.walk() for result in op.results}


@pytest.mark.parametrize("name", PROGRAMS)
def test_congruent(name: str) -> None:
    body, are_congruent = PROGRAMS[name]
    model = model_of(body)
    values = values_of(model)
    congruence = Outline(model.function, model.name_of).congruence
    x, y = Value(values["%x"]), Value(values["%y"])
    assert list(congruence.until(x)) == [x]
    assert list(congruence.until(y)) == ([x, y] if are_congruent else [y])
    if are_congruent:
        assert isinstance(y.value.type, IndexType)
        store = BoundsStore(model.function, model.name_of)
        assert store.value(y.value) == store.value(x.value)
