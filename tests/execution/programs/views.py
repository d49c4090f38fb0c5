"""Steps that give memory another form."""

from __future__ import annotations

import math
from functools import partial

from tests.execution.programs.draft import Draft, Form, Step, Value
from tests.execution.programs.memory import allocated, shape, some_memory, type_text, view, written


def loose(d: Draft, m: Value) -> Value:
    """M with a layout of any strides."""
    kind = d.support.shown_type("memref", len(m.shape), m.element)
    return m if m.type == kind else view(d, m, f"memref.cast {m.name} : {m.type} to {kind}", kind, m.shape)


def subview(d: Draft) -> None:
    m = loose(d, some_memory(d, d.chance.randint(1, 2)))
    parts: list[tuple[int, int, int]] = []
    for n in m.shape:
        stride = d.chance.randint(1, 2)
        offset = d.chance.randrange(n)
        parts.append((offset, d.chance.randint(1, (n - 1 - offset) // stride + 1), stride))
    texts = [", ".join(_mixed(d, part[k]) for part in parts) for k in range(3)]
    stated = ["?" if text.startswith("%") else int(text) for text in texts[1].split(", ")]
    sizes = [part[1] for part in parts]
    dropped = d.chance.random() < 0.3 and len(stated) == 2 and stated[0] == 1
    kept = slice(1, None) if dropped else slice(None)
    layout = f", strided<[{', '.join('?' * len(sizes[kept]))}], offset: ?>"
    kind = type_text("memref", stated[kept], m.element, layout)
    at = "".join(f"[{text}]" for text in texts)
    view(d, m, f"memref.subview {m.name}{at} : {m.type} to {kind}", kind, sizes[kept])


def _mixed(d: Draft, number: int) -> str:
    return str(number) if d.chance.random() < 0.5 else d.constant(number)


def static_subview(d: Draft) -> None:
    m = allocated(d, d.element(), (4, 3), static=True)
    layout = ", strided<[6, 1], offset: 4>"
    kind = type_text("memref", (2, 2), m.element, layout)
    view(d, m, f"memref.subview {m.name}[1, 1] [2, 2] [2, 1] : {m.type} to {kind}", kind, (2, 2))


def reinterpret_cast(d: Draft) -> None:
    m = some_memory(d, plain=True)
    count = math.prod(m.shape)
    offset = d.chance.randrange(count)
    size = d.chance.randint(1, count - offset)
    stride = d.chance.choice((1, 1, 0)) if size > 1 else d.chance.randint(0, 3)
    kind = type_text("memref", ("?",), m.element, ", strided<[?], offset: ?>")
    o, n, s = (d.constant(k) for k in (offset, size, stride))
    text = f"memref.reinterpret_cast {m.name} to offset: [{o}], sizes: [{n}], strides: [{s}] : {m.type} to {kind}"
    view(d, m, text, kind, (size,))


def collapse(d: Draft) -> None:
    m = allocated(d, d.element(), shape(d, 3), static=True)
    a, b, c = m.shape
    kind = type_text("memref", (a, b * c), m.element)
    view(d, m, f"memref.collapse_shape {m.name} [[0], [1, 2]] : {m.type} into {kind}", kind, (a, b * c))


def expand(d: Draft) -> None:
    m = allocated(d, d.element(), (d.chance.randint(1, 3), 6))
    a, n = m.shape, d.chance.choice((1, 2, 3, 6))
    first = "?" if "<?" in m.type else str(a[0])
    size = d.constant(a[0]) if first == "?" else first
    second = (n, 6 // n)
    if m.type.endswith(f"?x{m.element}>"):
        m = view(
            d,
            m,
            f"memref.cast {m.name} : {m.type} to memref<{first}x6x{m.element}>",
            f"memref<{first}x6x{m.element}>",
            a,
        )
    kind = type_text("memref", (first, *second), m.element)
    text = f"memref.expand_shape {m.name} [[0], [1, 2]] output_shape [{size}, {n}, {6 // n}] : {m.type} into {kind}"
    view(d, m, text, kind, (a[0], *second))


def transpose(d: Draft) -> None:
    m = loose(d, some_memory(d, 2))
    rows, columns = m.shape
    inside = m.type.removeprefix("memref<").split(m.element)[0].split("x")
    kind = type_text("memref", (inside[1], inside[0]), m.element, ", strided<[?, ?], offset: ?>")
    view(d, m, f"memref.transpose {m.name} (i, j) -> (j, i) : {m.type} to {kind}", kind, (columns, rows))


def reshape(d: Draft) -> None:
    m = some_memory(d, plain=True)
    count = math.prod(m.shape)
    two = d.chance.choice([k for k in (1, 2, 3, 4) if count % k == 0])
    sizes = d.defined("memref.alloc() : memref<2xindex>")
    for at, n in enumerate((two, count // two)):
        d.line(f"memref.store {d.constant(n)}, {sizes}[{d.constant(at)}] : memref<2xindex>")
    kind = type_text("memref", ("?", "?"), m.element)
    view(
        d,
        m,
        f"memref.reshape {m.name}({sizes}) : ({m.type}, memref<2xindex>) -> {kind}",
        kind,
        (two, count // two),
    )


def casts(name: str, d: Draft) -> None:
    m = some_memory(d, plain=name != "distinct_objects")
    if name == "memory_space_cast":
        kind = m.type.replace(">", ", 0>") if m.is_plain else m.type
        view(d, m, f"memref.memory_space_cast {m.name} : {m.type} to {kind}", kind, m.shape)
    elif name == "assume_alignment":
        view(d, m, f"memref.assume_alignment {m.name}, 1 : {m.type}", m.type, m.shape)
    else:
        other = allocated(d, d.element(), (2,))
        pair = d.fresh()
        d.line(f"{pair}:2 = memref.distinct_objects {m.name}, {other.name} : {m.type}, {other.type}")
        d.add(Value(f"{pair}#0", m.type, m.element, m.sizes, m.root))


_BYTES = {"i8": 1, "i16": 2, "i32": 4, "i64": 8, "index": 8, "f16": 2, "bf16": 2, "f32": 4, "f64": 8}


def in_bytes(d: Draft) -> None:
    """Numbers of two types in the bytes of one allocation, one after the other."""
    pool = d.defined("memref.alloc() : memref<288xi8>")
    first = 0
    for _ in range(2):
        element, sizes = d.chance.choice(list(_BYTES)), shape(d, 2)
        first = -(-first // 8) * 8 + d.chance.randint(0, 1) * _BYTES[element]
        stated = [sizes[0] if d.chance.random() < 0.5 else "?", sizes[1]]
        dynamic = d.constant(sizes[0]) if stated[0] == "?" else ""
        kind = type_text("memref", stated, element)
        text = f"memref.view {pool}[{d.constant(first)}][{dynamic}] : memref<288xi8> to {kind}"
        written(d, d.let(text, kind, element, sizes))
        first += math.prod(sizes) * _BYTES[element]


def of_vectors(d: Draft) -> None:
    """Memory as one vector, and memory of vectors.

    Their rows have a power of two elements, or they may be wider than these, and at most 16 bytes, since what
    mlir-opt-22 allocates is not aligned to more.
    """
    element = d.chance.choice([each for each, size in _BYTES.items() if size <= 4])
    m = allocated(d, element, (2, 4), static=True)
    whole = f"vector<2x4x{element}>"
    cast = d.defined(f"vector.type_cast {m.name} : {m.type} to memref<{whole}>")
    d.let(f"memref.load {cast}[] : memref<{whole}>", whole, element, (2, 4))
    row, kind = f"vector<4x{element}>", f"memref<3xvector<4x{element}>>"
    rows = d.defined(f"memref.alloc() : {kind}")
    for k in range(3):
        d.line(
            f"memref.store {d.value(Form('vector<4x{}>', (4,)), element).name}, {rows}[{d.constant(k)}] : {kind}"
        )
    d.let(f"memref.load {rows}[{d.index(3)}] : {kind}", row, element, (4,))


STEPS: list[Step] = [
    in_bytes, of_vectors,
    subview, subview, static_subview, static_subview, reinterpret_cast, reinterpret_cast, collapse, expand, transpose, reshape,
    *(partial(casts, name) for name in ("memory_space_cast", "assume_alignment", "distinct_objects")),
]  # fmt: skip
