"""Steps on vectors: made, taken apart, and moved to and from memory."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from tests.execution.programs.draft import Draft, Form, Step, Value
from tests.execution.programs.memory import initialize, shape
from tests.execution.programs.support import FLOATS

STORED = ("i8", "i16", "i32", "i64", *FLOATS)
"""Elements that vectors have in memory as memory has them."""


def _vector(d: Draft, rank: int, element: str | None = None) -> Value:
    sizes = shape(d, rank)
    form = Form(f"vector<{'x'.join(map(str, sizes))}x{{}}>", sizes)
    return d.found(
        lambda v: v.kind == "vector" and len(v.shape) == rank and element in (None, v.element)
    ) or d.numbers(form, element or d.element())


def broadcast(d: Draft) -> None:
    e = d.element()
    if d.chance.random() < 0.5:
        d.let(f"vector.broadcast {d.scalar(e).name} : {e} to vector<2x3x{e}>", f"vector<2x3x{e}>", e, (2, 3))
    else:
        v = _vector(d, 1)
        kind = f"vector<2x{v.sizes[0] if v.sizes else 1}x{v.element}>"
        d.let(f"vector.broadcast {v.name} : {v.type} to {kind}", kind, v.element, (2, *(v.shape)))


def vector_shapes(d: Draft) -> None:
    v = _vector(d, 2)
    rows, columns = v.shape
    flat, turned = f"vector<{rows * columns}x{v.element}>", f"vector<{columns}x{rows}x{v.element}>"
    d.let(f"vector.shape_cast {v.name} : {v.type} to {flat}", flat, v.element, (rows * columns,))
    d.let(f"vector.transpose {v.name}, [1, 0] : {v.type} to {turned}", turned, v.element, (columns, rows))


def vector_elements(d: Draft) -> None:
    v = _vector(d, 1)
    (n,) = v.shape
    name = d.fresh()
    d.line(
        f"{name}:{n} = vector.to_elements {v.name} : {v.type}"
        if n > 1
        else f"{name} = vector.to_elements {v.name} : {v.type}"
    )
    first = f"{name}#{n - 1}" if n > 1 else name
    one = d.add(Value(first, v.element, v.element))
    kind = f"vector<2x{v.element}>"
    d.let(f"vector.from_elements {one.name}, {d.scalar(v.element).name} : {kind}", kind, v.element, (2,))


def vector_positions(d: Draft) -> None:
    v = _vector(d, 2)
    rows, columns = v.shape
    row = f"vector<{columns}x{v.element}>"
    at = d.chance.randrange(rows)
    part = d.let(f"vector.extract {v.name}[{at}] : {row} from {v.type}", row, v.element, (columns,))
    one = d.let(f"vector.extract {part.name}[{d.index(columns)}] : {v.element} from {row}", v.element)
    changed = d.let(
        f"vector.insert {one.name}, {part.name}[0] : {v.element} into {row}", row, v.element, (columns,)
    )
    d.let(
        f"vector.insert {changed.name}, {v.name}[{rows - 1}] : {row} into {v.type}",
        v.type,
        v.element,
        v.sizes,
    )


def vector_memory(name: str, d: Draft) -> None:
    e = d.chance.choice(STORED)
    m = d.let(f"memref.alloc() : memref<3x4x{e}>", f"memref<3x4x{e}>", e, (3, 4))
    d.scopes[-1].remove(m)
    initialize(d, m)
    n = d.chance.randint(1, 4)
    at = f"{m.name}[{d.index(3)}, {d.constant(d.chance.randint(0, 4 - n))}]"
    kind = f"vector<{n}x{e}>"
    word = {
        "vector": ("vector.load", "vector.store"),
        "affine": ("affine.vector_load", "affine.vector_store"),
    }[name]
    at = at if name == "vector" else f"{m.name}[{d.constant(1)} + 1, {4 - n}]"
    v = d.let(f"{word[0]} {at} : {m.type}, {kind}", kind, e, (n,))
    d.line(f"{word[1]} {v.name}, {m.name}[{d.constant(0)}, {d.constant(0)}] : {m.type}, {kind}")
    d.show(m)


def masks(d: Draft) -> None:
    d.let(
        f"vector.create_mask {d.constant(d.chance.randint(-1, 5))} : vector<4xi1>", "vector<4xi1>", "i1", (4,)
    )
    d.let("vector.constant_mask [2, 1] : vector<3x2xi1>", "vector<3x2xi1>", "i1", (3, 2))
    d.let("vector.step : vector<4xindex>", "vector<4xindex>", "index", (4,))


def vector_print(d: Draft) -> None:
    v = _vector(d, d.chance.randint(1, 2), d.chance.choice(("i8", "i32", "i64", "index")))
    d.line(f"vector.print {v.name} : {v.type}")


def _of(d: Draft, sizes: Sequence[int], element: str) -> Value:
    return d.numbers(Form(f"vector<{'x'.join(map(str, sizes))}x{{}}>", tuple(sizes)), element)


def fma(d: Draft) -> None:
    e, n = d.chance.choice(("f32", "f64")), d.chance.randint(1, 5)
    a, b, c = (_of(d, (n,), e) for _ in range(3))
    d.let(f"vector.fma {a.name}, {b.name}, {c.name} : {a.type}", a.type, e, (n,))


def lanes(d: Draft) -> None:
    """Interleaved, taken apart again, and shuffled; mlir-opt-22 does not lower that of indices."""
    e, n = d.chance.choice(STORED), d.chance.randint(1, 4)
    a, b = _of(d, (n,), e), _of(d, (n,), e)
    both = f"vector<{2 * n}x{e}>"
    c = d.let(f"vector.interleave {a.name}, {b.name} : {a.type} -> {both}", both, e, (2 * n,))
    pair = d.fresh()
    d.line(f"{pair}, {pair}_odd = vector.deinterleave {c.name} : {both} -> {a.type}")
    d.add(Value(f"{pair}_odd", a.type, e, (n,)))
    order = [d.chance.randrange(3 * n) for _ in range(3)]
    d.let(f"vector.shuffle {a.name}, {c.name} {order} : {a.type}, {both}", f"vector<3x{e}>", e, (3,))


def strided_slices(d: Draft) -> None:
    e, rows, columns = d.element(), d.chance.randint(2, 4), d.chance.randint(2, 4)
    v = _of(d, (rows, columns), e)
    part = f"vector<2x{columns - 1}x{e}>"
    at = f"{{offsets = [{rows - 2}, 1], sizes = [2, {columns - 1}], strides = [1, 1]}}"
    c = d.let(f"vector.extract_strided_slice {v.name} {at} : {v.type} to {part}", part, e, (2, columns - 1))
    at = "{offsets = [0, 0], strides = [1, 1]}"
    d.let(f"vector.insert_strided_slice {c.name}, {v.name} {at} : {part} into {v.type}", v.type, e, v.shape)


def _kind(d: Draft, element: str) -> str:
    """A kind of reduction whose result does not depend on which zero or NaN is met."""
    if element in FLOATS:
        return d.chance.choice(("add", "mul", "maximumf", "minimumf"))
    return d.chance.choice(("add", "mul", "minui", "minsi", "maxui", "maxsi", "and", "or", "xor"))


def reduction(d: Draft) -> None:
    e, n = d.chance.choice(("i8", "i32", "i64", "f32", "f64")), d.chance.randint(1, 5)
    v, start = _of(d, (n,), e), f", {d.scalar(e).name}" if d.chance.random() < 0.5 else ""
    d.let(f"vector.reduction <{_kind(d, e)}>, {v.name}{start} : {v.type} into {e}", e)


def multi_reduction(d: Draft) -> None:
    e, (rows, columns) = d.chance.choice(("i8", "i32", "f32", "f64")), shape(d, 2)
    v, kind = _of(d, (rows, columns), e), _kind(d, e)
    start = _of(d, (rows,), e)
    text = f"vector.multi_reduction <{kind}>, {v.name}, {start.name} [1] : {v.type} to {start.type}"
    d.let(text, start.type, e, (rows,))


WINDOWS = (
    ("(i, j) -> (j)", "4"), ("(i, j) -> (i)", "5"), ("(i, j) -> (0)", "2"), ("(i, j) -> (j, i)", "2x3"),
    ("(i, j) -> (i, j)", "2x3"),
)  # fmt: skip


def _matrix(d: Draft) -> Value:
    """Memory of 3 by 4, which only this step uses."""
    e = d.chance.choice(STORED)
    m = d.let(f"memref.alloc() : memref<3x4x{e}>", f"memref<3x4x{e}>", e, (3, 4))
    d.scopes[-1].remove(m)
    initialize(d, m)
    return m


def transfers(d: Draft) -> None:
    """Beyond the end of memory there is padding; a row is broadcast, a matrix transposed."""
    m, (map_, kind) = _matrix(d), d.chance.choice(WINDOWS)
    e, vector, sizes = m.element, f"vector<{kind}x{m.element}>", tuple(map(int, kind.split("x")))
    at, pad = f"[{d.index(3)}, {d.index(4)}]", d.scalar(e).name
    attribute = f"{{permutation_map = affine_map<{map_}>}}"
    v = d.let(f"vector.transfer_read {m.name}{at}, {pad} {attribute} : {m.type}, {vector}", vector, e, sizes)
    if "0" not in map_:
        at = f"[{d.index(3)}, {d.index(4)}]"
        d.line(f"vector.transfer_write {v.name}, {m.name}{at} {attribute} : {vector}, {m.type}")
    d.show(m)


def masked(d: Draft) -> None:
    m, first = _matrix(d), d.chance.randint(0, 3)
    e, row, column = m.element, d.index(3), d.constant(first)
    mask = d.defined(f"vector.create_mask {d.constant(d.chance.randint(0, 4 - first))} : vector<4xi1>")
    v, kind = _of(d, (4,), e), f"memref<3x4x{e}>, vector<4xi1>, vector<4x{e}>"
    text = f"vector.maskedload {m.name}[{row}, {column}], {mask}, {v.name} : {kind} into {v.type}"
    read = d.let(text, v.type, e, (4,))
    d.line(f"vector.maskedstore {m.name}[{d.index(3)}, {column}], {mask}, {read.name} : {kind}")
    d.show(m)


STEPS: list[Step] = [
    fma, fma, lanes, lanes, lanes, strided_slices, strided_slices, reduction, reduction, reduction, multi_reduction,
    multi_reduction, transfers, transfers, transfers, masked, masked,
    broadcast, broadcast, vector_shapes, vector_shapes, vector_elements, vector_elements, vector_positions,
    vector_positions, masks, masks, vector_print, vector_print, *(partial(vector_memory, name) for name in ("vector", "vector", "affine", "affine")),
]  # fmt: skip
