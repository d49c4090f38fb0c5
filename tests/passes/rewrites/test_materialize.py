"""Expressions as operations, the order of their operands, and which values may be used where."""

from __future__ import annotations

import pytest
from xdsl.ir import Operation

from tests.shared.enumeration import Function
from volcli.language.expressions import Dim, Expression, NotAffine, Value, dim_of, maximum, minimum, value_of
from volcli.language.interface import operation_name
from volcli.rewriting.code.materialize import Materializer, fits
from volcli.rewriting.ground.builder import Builder
from volcli.rewriting.ground.discovery import applications, asked_size, discovery_order, visible

TEXT = """func.func @f(%a: index, %b: index, %t: tensor<?x4xf32>, %i: i64) {
  "test.op"() : () -> ()
  return
}
"""


def named(function: Function, name: str) -> Operation:
    """The one operation of this NAME."""
    (found,) = [op for op in function.model.function.walk() if operation_name(op) == name]
    return found


class Place:
    """The function above, into which operations are put before test.op."""

    def __init__(self) -> None:
        self.function = Function(TEXT)
        self.op = named(self.function, "test.op")

    def value(self, name: str) -> Expression:
        return value_of(self.function.value(name))

    def order(self, variable: Value | Dim) -> tuple[int, int]:
        """In the order of the arguments."""
        name = self.function.unit.parsed.names.of(variable.value)
        return "abti".index(name[1:]), variable.dimension if isinstance(variable, Dim) else -1

    def lines(
        self, expression: Expression, *, use_arith: bool = False, is_natural: bool = False
    ) -> list[str]:
        """The operations that are made of EXPRESSION."""
        block = self.op.parent
        assert block is not None
        before = set(block.ops)
        builder = Builder.before(self.op, self.function.unit.parsed.context)
        Materializer(builder, self.order, use_arith, lambda _: is_natural).value(expression)
        return [shown(op) for op in block.ops if op not in before]


def shown(op: Operation) -> str:
    """The name of OP, and its map or number."""
    found = op.properties.get("map") or op.properties.get("value")
    return op.name if found is None else f"{op.name} {getattr(found, 'data', found)}"


def test_a_value_is_itself() -> None:
    place = Place()
    assert place.lines(place.value("%a")) == []


def test_a_sum_is_one_affine_map() -> None:
    place = Place()
    assert place.lines(2 * place.value("%b") + place.value("%a") - 1) == [
        "affine.apply ()[s0, s1] -> (((s0 + (s1 * 2)) + -1))"
    ]


def test_a_size_is_asked_for_and_an_integer_is_cast() -> None:
    place = Place()
    lines = place.lines(dim_of(place.function.value("%t"), 0) + place.value("%i"))
    assert [line.split()[0] for line in lines] == [
        "arith.constant",
        "tensor.dim",
        "arith.index_cast",
        "affine.apply",
    ]


def test_an_extremum_takes_in_what_is_added_to_it() -> None:
    """3 - min(a, b) is max(3 - a, 3 - b)."""
    place = Place()
    (line,) = place.lines(3 - minimum(place.value("%a"), place.value("%b")))
    assert line.startswith("affine.max ()[s0, s1]")


def test_an_inner_extremum_is_made_first() -> None:
    place = Place()
    a, b = place.value("%a"), place.value("%b")
    lines = place.lines(minimum(a, b) + maximum(a, b))
    names = [line.split()[0] for line in lines]
    assert set(names[:2]) == {"affine.min", "affine.max"}
    assert names[2:] == ["affine.apply"]


@pytest.mark.parametrize(
    ("is_natural", "quotient", "remainder"),
    [
        (False, ["arith.floordivsi"], ["arith.floordivsi", "arith.muli", "arith.subi"]),
        (True, ["arith.divsi"], ["arith.remsi"]),
    ],
)
def test_divisions_round_down(is_natural: bool, quotient: list[str], remainder: list[str]) -> None:
    """What truncates is only used where the dividend is not negative."""
    for modulo, expected in ((False, quotient), (True, remainder)):
        place = Place()
        a = place.value("%a")
        lines = place.lines(a % 4 if modulo else a // 4, use_arith=True, is_natural=is_natural)
        assert [line for line in lines if not line.startswith("arith.constant")] == expected


@pytest.mark.parametrize("number", [2**63, -(2**63) - 1])
def test_numbers_of_more_than_64_bits_are_refused(number: int) -> None:
    place = Place()
    a = place.value("%a")
    for expression in (a + number, a * number, minimum(a, a % 3 + number)):
        assert not fits(expression)
        with pytest.raises(NotAffine):
            place.lines(expression)
    assert fits(a + 2**63 - 1)


CHAIN = """func.func @f(%a: index, %b: index, %t: tensor<?xf32>) {
  %z = arith.constant 0 : index
  %d = tensor.dim %t, %z : tensor<?xf32>
  %s = arith.addi %b, %a : index
  %l = affine.linearize_index [%s, %d] by (%a, 8) : index
  %p = affine.apply affine_map<()[s0] -> (s0 + 1)>()[%a]
  %q = affine.apply affine_map<()[s0, s1] -> (s0 * 2 + s1)>()[%p, %b]
  scf.for %i = %z to %a step %b {
    %x = arith.addi %i, %a : index
    "test.inner"() : () -> ()
    %y = arith.addi %i, %b : index
  }
  "test.outer"() : () -> ()
  return
}
"""


@pytest.fixture(scope="module")
def chain() -> Function:
    return Function(CHAIN)


def ordered(chain: Function, root: str, *names: str) -> list[str]:
    """NAMES in the order in which they are met from ROOT."""
    position = discovery_order(Value(chain.value(root)))
    return sorted(names, key=lambda name: position(Value(chain.value(name))))


def test_operands_are_met_from_left_to_right_and_breadth_first(chain: Function) -> None:
    assert ordered(chain, "%s", "%a", "%b") == ["%b", "%a"]


def test_what_composed_maps_are_of_comes_behind_the_rest(chain: Function) -> None:
    assert ordered(chain, "%q", "%a", "%b") == ["%b", "%a"]


def test_maps_are_composed_with_maps_only(chain: Function) -> None:
    found = {chain.unit.parsed.names.of(value) for value in applications(chain.value("%q"))}
    assert found == {"%q", "%p"}


def test_a_size_is_what_a_dim_asks_for(chain: Function) -> None:
    assert asked_size(chain.value("%d")) == Dim(chain.value("%t"), 0)
    assert asked_size(chain.value("%s")) is None


@pytest.mark.parametrize(
    ("place", "seen"), [("test.inner", {"%a", "%s", "%i", "%x"}), ("test.outer", {"%a", "%s"})]
)
def test_a_value_is_visible_behind_it_and_inside_of_its_region(
    chain: Function, place: str, seen: set[str]
) -> None:
    op = named(chain, place)
    definitions = chain.model.bounds.definitions
    names = ("%a", "%s", "%i", "%x", "%y")
    assert {name for name in names if visible(chain.value(name), op, definitions)} == seen
