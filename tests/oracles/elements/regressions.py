"""Small programs about which volcli and the oracle once differed, reduced by hand."""

from __future__ import annotations

from collections.abc import Callable

from tests.oracles.elements.bodies import Binary, Expr, Fetch, IndexTest, Literal, Operand, Outside, Select
from tests.oracles.elements.examples import Script
from tests.oracles.elements.layers import Slot
from tests.oracles.elements.programs import Program
from tests.oracles.elements.structured import Generate, LinalgGeneric
from tests.oracles.elements.tensors import ExtractSlice, FromElements, InsertSlice, Recast, Slice
from tests.oracles.elements.values import Value
from tests.oracles.interpreter.affine import Affine, identity


def two_strides() -> Program:
    """A slice inserted with strides 3 and 2: the constant region's projections are no progressions."""
    s = Script()
    source = s.argument("source", 5, 7)
    zeros = s.filled("zeros", s.scalar("cst0", 0), (14, 14))
    cut = Slice((0, 1), (5, 7), (3, 2))
    return s.program(s.add(InsertSlice(Value("inserted", (14, 14)), source, zeros, cut)))


def horner() -> Program:
    """acc * x + 1 over a reduction: acc is 0 at first and does not stay so, hence x matters."""
    s = Script()
    source = s.argument("source", 4)
    init = s.filled("init", s.scalar("cst0", 0), ())
    one = s.scalar("one", 1)
    body = Binary("add", Binary("mul", Operand(1), Operand(0)), Outside(one))
    slots = (Slot(source, identity(1)),)
    return s.program(s.add(LinalgGeneric(Value("total", ()), (4,), slots, Slot(init, ()), body)))


def product_with_zero() -> Program:
    """acc * x over a reduction from 0: here acc does stay 0, and x does not matter."""
    s = Script()
    source = s.argument("source", 4)
    init = s.filled("init", s.scalar("cst0", 0), ())
    slots = (Slot(source, identity(1)),)
    body = Binary("mul", Operand(1), Operand(0))
    return s.program(s.add(LinalgGeneric(Value("total", ()), (4,), slots, Slot(init, ()), body)))


def generated_by_index() -> Program:
    """tensor.generate that reads an argument below index 2 and nothing above."""
    s = Script()
    scalar = Value("scalar", (), tensor=False)
    s.arguments.append(scalar)
    body = Select(IndexTest(Affine((0, 1), -2)), Literal(2), Outside(scalar))
    return s.program(s.add(Generate(Value("generated", (2, 6)), body)))


def selected_by_loop(fetched: bool = False) -> Program:
    """A generic that selects by linalg.index, or fetches at an index computed from it."""
    s = Script()
    source, init = s.argument("source", 6), s.argument("init", 6)
    mirrored: Expr = Fetch(source, (Affine((-1,), 5),), spelled_out=True)
    selected = Select(IndexTest(Affine((1,), -2)), Outside(s.scalar("one", 1)), Operand(0))
    return s.program(s.pointwise("selected", source, init, mirrored if fetched else selected))


def zero_after_cast() -> Program:
    """Padding that is sliced out and cast to a dynamic type and back is still zero: it hides the weights."""
    s = Script()
    source, weights, cst0 = s.argument("source", 2, 3), s.argument("weights", 2, 3), s.scalar("cst0", 0)
    pad0 = s.pad("pad0", source, (2, 0), (0, 0), cst0)
    part = s.add(ExtractSlice(Value("part", (2, 3)), pad0, Slice((0, 0), (2, 3), (1, 1))))
    cast = s.add(Recast(Value("cast", (2, 3)), part, (0,)))
    slots = (Slot(cast, identity(2)), Slot(weights, identity(2)))
    body = Binary("mul", Operand(0), Operand(1))
    node = LinalgGeneric(
        Value("scaled", (2, 3)), (2, 3), slots, Slot(s.filled("e", cst0, (2, 3)), identity(2)), body
    )
    return s.program(s.add(node))


def lone_elements() -> Program:
    """Data at positions 0 and 3 only: the period is 3, though no set of two points shows it at once."""
    s = Script()
    first, last = (Value(name, (), tensor=False) for name in ("first", "last"))
    s.arguments += [first, last]
    cst0 = s.scalar("cst0", 0)
    listed = s.add(FromElements(Value("listed", (4,)), (first, cst0, cst0, last)))
    weights, init = s.argument("weights", 2), s.argument("init", 3)
    return s.program(s.window("conv_1d", "conv0", (listed, weights), init))


def strided_boundary() -> Program:
    """A padded row inserted with stride 2 into data: what the boundary touches has period 2."""
    s = Script()
    row, dest, weights = s.argument("row", 3), s.argument("dest", 10), s.argument("weights", 3)
    pad0 = s.pad("pad0", row, (0,), (2,), s.scalar("cst0", 0))
    inserted = s.add(InsertSlice(Value("inserted", (10,)), pad0, dest, Slice((0,), (5,), (2,))))
    return s.program(s.window("conv_1d", "conv0", (inserted, weights), s.argument("init", 8)))


def two_products() -> Program:
    """a * b + a * c: where b and c are both zero a does not matter, though no one factor serves both uses."""
    s = Script()
    a, inner, cst0 = s.argument("a", 6), s.argument("inner", 4), s.scalar("cst0", 0)
    b, c = s.pad("b", inner, (2,), (0,), cst0), s.pad("c", inner, (1,), (1,), cst0)
    slots = tuple(Slot(value, identity(1)) for value in (a, b, c))
    products = (Binary("mul", Operand(0), Operand(k)) for k in (1, 2))
    out = Slot(s.filled("init", cst0, (6,)), identity(1))
    return s.program(s.add(LinalgGeneric(Value("both", (6,)), (6,), slots, out, Binary("add", *products))))


REGRESSIONS: dict[str, Callable[[], Program]] = {
    "two_strides": two_strides,
    "horner": horner,
    "product_with_zero": product_with_zero,
    "generated_by_index": generated_by_index,
    "selected_by_loop": selected_by_loop,
    "fetched_by_loop": lambda: selected_by_loop(fetched=True),
    "zero_after_cast": zero_after_cast,
    "lone_elements": lone_elements,
    "strided_boundary": strided_boundary,
    "two_products": two_products,
}
