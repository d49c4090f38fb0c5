"""Steps on vectors: made, taken apart, and moved to and from memory."""

from __future__ import annotations

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


STEPS: list[Step] = [
    broadcast, broadcast, vector_shapes, vector_shapes, vector_elements, vector_elements, vector_positions,
    vector_positions, masks, masks, vector_print, vector_print, *(partial(vector_memory, name) for name in ("vector", "vector", "affine", "affine")),
]  # fmt: skip
