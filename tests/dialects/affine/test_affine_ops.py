"""The operations of affine: their places, their fields, their index values, and what cannot be read (test_units.py has their text)."""

from __future__ import annotations

import math
from itertools import product

import pytest
from xdsl.ir import Operation
from xdsl.ir.affine import AffineMap

from tests.dialects import roundtrip
from tests.dialects.conftest import Ask
from tests.dialects.places import assert_same_places
from tests.presburger.test_build import evaluate
from tests.shared.enumeration import Function, function
from volcli.frontend.parse.affine.affine_text import map_text
from volcli.loading.driver import load
from volcli_dialects import affine
from volcli_dialects.affine.index import DelinearizeIndexOp
from volcli_dialects.affine.loops import ForOp, ParallelOp
from volcli_dialects.affine.memory import DmaStartOp, LoadOp

ARGUMENTS = "%m: memref<8x8xf32>, %i: index, %n: index, %x: f32"


def operation(text: str) -> Operation:
    """The first operation of affine in TEXT, a function's body."""
    parsed = roundtrip.read_natively(f"func.func @f({ARGUMENTS}) {{\n{text}\nreturn\n}}")
    return next(op for op in parsed.module.walk() if op.name.startswith("affine."))


@pytest.mark.mlir
def test_places(ask: Ask) -> None:
    assert_same_places(ask, "affine")


def test_units_have_every_operation() -> None:
    found = {
        op.name for text in roundtrip.units("affine") for op in roundtrip.read_natively(text).module.walk()
    }
    assert {op.name for op in affine.dialect().operations} <= found


# -- maps over values ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("subscripts", "map_", "operands"),
    [
        ("%i, %n", "(d0, d1) -> (d0, d1)", "in"),
        ("%n, %i", "(d0, d1) -> (d0, d1)", "ni"),
        ("%i, symbol(%n)", "(d0)[s0] -> (d0, s0)", "in"),
        ("symbol(%n), %i", "(d0)[s0] -> (s0, d0)", "in"),
        ("%i, %i + 1", "(d0) -> (d0, d0 + 1)", "i"),
        ("symbol(%i), %i", "()[s0] -> (s0, s0)", "i"),
        ("0, 1 + 2 * 3", "() -> (0, 7)", ""),
        ("-%i, 3 - (%i + %n) * 2", "(d0, d1) -> (-d0, (d0 + d1) * -2 + 3)", "in"),
        ("%i floordiv 2 mod 3, %i ceildiv 4", "(d0) -> ((d0 floordiv 2) mod 3, d0 ceildiv 4)", "i"),
        ("%i * symbol(%n), 0", "(d0)[s0] -> (d0 * s0, 0)", "in"),
    ],
)
def test_subscripts(subscripts: str, map_: str, operands: str) -> None:
    op = operation(f"%r = affine.load %m[{subscripts}] : memref<8x8xf32>")
    assert isinstance(op, LoadOp)
    assert map_text(op.map.data) == map_
    assert [value.name_hint for value in op.indices] == list(operands)


@pytest.mark.sample(2)
@pytest.mark.mlir
@pytest.mark.parametrize(
    ("map_", "operands", "is_custom"),
    [
        ("(d0, d1) -> (d0, d1)", "%i, %n", True),
        ("(d0)[s0] -> (s0, d0)", "%i, %n", True),
        ("(d0, d1) -> (d1, d0)", "%i, %n", False),
        ("(d0, d1) -> (d0, d0)", "%i, %n", False),
        ("(d0, d1) -> (d0, d1)", "%i, %i", False),
        ("(d0)[s0] -> (d0, s0)", "%i, %i", False),
        ("(d0, d1) -> (d0, d1)", "%r#0, %r#1", False),
        ("(d0) -> (d0, d0)", "%r#1", False),
        ("(d0) -> (d0, 0)", "%r#1", True),
    ],
)
def test_a_map_that_its_text_would_change_is_printed_in_generic_form(
    ask: Ask, map_: str, operands: str, is_custom: bool
) -> None:
    types = ", ".join(["memref<8x8xf32>", *("index" for _ in operands.split(","))])
    load_op = f'"affine.load"(%m, {operands}) <{{map = affine_map<{map_}>}}> : ({types}) -> f32'
    basis = "%r:2 = affine.delinearize_index %i into (8, 8) : index, index"
    text = f"func.func @f({ARGUMENTS}) {{\n{basis}\n%l = {load_op}\nreturn\n}}"
    printed = roundtrip.reprinted(text)
    assert ("= affine.load" in printed) is is_custom
    first, second = ask([text, printed], "-mlir-print-op-generic")
    assert first == second


# -- the fields of loops -------------------------------------------------------------------------------


def test_the_bounds_of_a_loop() -> None:
    op = operation("affine.for %k = max affine_map<(d0)[s0] -> (d0, s0)>(%i)[%n] to %n step 2 { }")
    assert isinstance(op, ForOp)
    assert map_text(op.lower_bound_map.data) == "(d0)[s0] -> (d0, s0)"
    assert [value.name_hint for value in op.lower_bound_operands] == ["i", "n"]
    assert map_text(op.upper_bound_map.data) == "()[s0] -> (s0)"
    assert [value.name_hint for value in op.upper_bound_operands] == ["n"]
    assert op.step.value.data == 2
    assert not op.inits


def test_the_bounds_of_a_parallel_loop() -> None:
    op = operation("affine.parallel (%a, %b) = (0, max(%i, symbol(%n))) to (symbol(%i), min(%n, 8)) { }")
    assert isinstance(op, ParallelOp)
    assert map_text(op.lower_bounds_map.data) == "(d0)[s0] -> (0, d0, s0)"
    assert [value.name_hint for value in op.lower_bounds_operands] == ["i", "n"]
    assert tuple(op.lower_bounds_groups.get_values()) == (1, 2)
    assert map_text(op.upper_bounds_map.data) == "(d0)[s0] -> (s0, d0, 8)"
    assert [value.name_hint for value in op.upper_bounds_operands] == ["n", "i"]
    assert [step.value.data for step in op.steps] == [1, 1]


def test_a_value_may_be_dim_of_one_bound_and_symbol_of_another() -> None:
    op = operation("affine.parallel (%a, %b) = (%i, symbol(%i)) to (%i, %i + 1) { }")
    assert isinstance(op, ParallelOp)
    assert op.lower_bounds_map.data == AffineMap.from_callable(lambda d, s: (d, s), dim_symbol_split=(1, 1))
    assert map_text(op.upper_bounds_map.data) == "(d0) -> (d0, d0 + 1)"


def test_the_places_of_a_transfer() -> None:
    op = operation(
        "affine.dma_start %m[%i, %n + 1], %m[0, symbol(%n)], %m[0, 0], %n, %n, %i :"
        " memref<8x8xf32>, memref<8x8xf32>, memref<8x8xf32>"
    )
    assert isinstance(op, DmaStartOp)
    found = [
        (map_text(map_.data), [value.name_hint for value in indices]) for _, map_, indices in op.places()
    ]
    assert found == [
        ("(d0, d1) -> (d0, d1 + 1)", ["i", "n"]),
        ("()[s0] -> (0, s0)", ["n"]),
        ("() -> (0, 0)", []),
    ]
    assert [value.name_hint for value in op.sizes()] == ["n", "n", "i"]


# -- index values --------------------------------------------------------------------------------------


def digits(x: int, basis: tuple[int, ...]) -> tuple[int, ...]:
    """The digits of X; the outermost takes what is left, whatever the basis says of it."""
    found: list[int] = []
    for size in reversed(basis[1:]):
        found.insert(0, x % size)
        x //= size
    return (x, *found)


@pytest.mark.parametrize("outermost", ["4, ", "%n, ", ""])
def test_delinearized_index(outermost: str) -> None:
    f = Function(
        function(
            "%x: index, %n: index",
            f"%r:3 = affine.delinearize_index %x into ({outermost}5, 3) : index, index, index",
            "%r#2 : index",
        )
    )
    (op,) = (o for o in f.model.store.blocks[0].ops if isinstance(o, DelinearizeIndexOp))
    values = [f.model.store.number(result) for result in op.results]
    for x in range(-40, 100):
        assert tuple(evaluate(v, (), {"x": x, "n": 4}) for v in values) == digits(x, (4, 5, 3))


@pytest.mark.parametrize("outermost", ["4, ", "%n, ", ""])
def test_linearized_index(outermost: str) -> None:
    f = Function(
        function(
            "%a: index, %b: index, %c: index, %n: index",
            f"%r = affine.linearize_index [%a, %b, %c] by ({outermost}5, 3) : index",
            "%r : index",
        )
    )
    value = f.model.store.number(f.value("%r"))
    for a, b, c in product(range(-2, 5), range(6), range(-1, 4)):
        expected = sum(digit * weight for digit, weight in zip((a, b, c), (15, 3, 1), strict=True))
        assert evaluate(value, (), {"a": a, "b": b, "c": c, "n": 4}) == expected


def test_a_basis_that_is_known_only_at_run_time() -> None:
    """The innermost digit is `x mod n`, which is not affine, and the outermost a quotient that is not."""
    f = Function(
        function(
            "%x: index, %n: index",
            """%r:2 = affine.delinearize_index %x into (8, %n) : index, index
               %l = affine.linearize_index [%x, %x] by (8, %n) : index""",
            "%l : index",
        )
    )
    assert f.number("%l") == "l"
    (op,) = (o for o in f.model.store.blocks[0].ops if isinstance(o, DelinearizeIndexOp))
    assert len({str(f.model.store.number(result)) for result in op.results}) == 2


def test_linearizing_undoes_delinearizing() -> None:
    f = Function(
        function(
            "%x: index",
            """%r:3 = affine.delinearize_index %x into (7, 5, 3) : index, index, index
               %l = affine.linearize_index disjoint [%r#0, %r#1, %r#2] by (7, 5, 3) : index""",
            "%l : index",
        )
    )
    value = f.model.store.number(f.value("%l"))
    assert [evaluate(value, (), {"x": x}) for x in range(math.prod((7, 5, 3)))] == list(range(105))


# -- what cannot be read -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("%r = affine.apply affine_map<(d0) -> (d0)>(%i)[%n]", "expected 1 dims and 0 symbols, got 1 and 1"),
        ("%r = affine.min 3 : i32", "expected an affine map"),
        ("affine.for %k = 0 to 10 step -1 { }", "expected step to be representable as a positive"),
        ("affine.for %k = affine_map<() -> (0, 1)>() to 2 { }", "a bound by several expressions needs 'max'"),
        ("affine.if affine_map<() -> (0)>() { }", "expected an affine set"),
        ('affine.parallel (%k) = (0) to (8) reduce ("xor") -> f32 { }', "expected one of: addf, addi"),
        ("%r = affine.load %m[%i, %x] : memref<8x8xf32>", "operand is used with type index"),
        ("%r = affine.load %m[%i, i] : memref<8x8xf32>", "expected integer literal"),
        ("%r = affine.load %x[] : f32", "expected a memref type"),
        ("affine.prefetch %m[0, 0], peek, locality<3>, data : memref<8x8xf32>", "'read', 'write'"),
    ],
)
def test_unreadable_operations_say_why(text: str, reason: str) -> None:
    program = load(f"func.func @f({ARGUMENTS}) {{\n{text}\nreturn\n}}", via="xdsl")
    (diagnostic,) = program.diagnostics
    assert diagnostic.code == "V103"
    assert diagnostic.place is not None
    assert diagnostic.place.line == 2
    assert reason in diagnostic.message, diagnostic.message
