"""Steps on memory: allocations, accesses, copies and their ends."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from tests.execution.programs.draft import Draft, Step, Value
from tests.execution.programs.support import FLOATS, INTEGERS


def shape(d: Draft, rank: int | None = None) -> tuple[int, ...]:
    """Small sizes."""
    return tuple(d.chance.randint(1, 4) for _ in range(d.chance.randint(1, 3) if rank is None else rank))


def type_text(kind: str, sizes: Sequence[int | str], element: str, layout: str = "") -> str:
    """`memref<?x4xf32>`"""
    return f"{kind}<{''.join(f'{size}x' for size in sizes)}{element}{layout}>"


def some_dynamic(d: Draft, sizes: Sequence[int]) -> tuple[list[int | str], list[str]]:
    """The SIZES with some as "?", and constants for these."""
    stated = [size if d.chance.random() < 0.6 else "?" for size in sizes]
    return stated, [d.constant(n) for n, s in zip(sizes, stated, strict=True) if s == "?"]


def allocated(
    d: Draft, element: str, sizes: Sequence[int], name: str = "memref.alloc", *, static: bool = False
) -> Value:
    """New memory, all of it written."""
    stated, dynamic = (list[int | str](sizes), list[str]()) if static else some_dynamic(d, sizes)
    kind = type_text("memref", stated, element)
    return written(d, d.let(f"{name}({', '.join(dynamic)}) : {kind}", kind, element, sizes))


def written(d: Draft, value: Value) -> Value:
    """VALUE, new memory that was added to the scope, with all of it written."""
    value = _rooted(d, value)
    initialize(d, value)
    return value


def _rooted(d: Draft, value: Value) -> Value:
    d.scopes[-1].remove(value)
    d.roots += 1
    return d.add(Value(value.name, value.type, value.element, value.sizes, (d.roots, len(d.scopes))))


def initialize(d: Draft, value: Value) -> None:
    """Write all elements."""
    assert value.sizes is not None
    rank = len(value.sizes)
    of = d.support.shown_type("memref", rank, value.element)
    name = d.defined(f"memref.cast {value.name} : {value.type} to {of}") if of != value.type else value.name
    seed = d.constant(d.chance.randint(0, 1000))
    d.line(f"func.call @{d.support.initializer(rank, value.element)}({name}, {seed}) : ({of}, index) -> ()")


def view(d: Draft, source: Value, text: str, kind: str, sizes: Sequence[int]) -> Value:
    """A view of SOURCE, in scope."""
    found = Value(d.defined(text), kind, source.element, tuple(sizes), source.root)
    return d.add(found)


def some_memory(
    d: Draft,
    rank: int | None = None,
    *,
    written: bool = False,
    plain: bool = False,
    element: str | None = None,
) -> Value:
    """Memory in scope, or new one; that may be written, without a layout, of an element."""

    def fits(value: Value) -> bool:
        return (
            value.kind == "memref"
            and value.root[0] not in d.ended
            and not (written and value.root[1] < d.pure)
            and not (plain and not value.is_plain)
            and (element is None or value.element == element)
            and rank in (None, len(value.shape))
        )

    found = d.found(fits) if d.chance.random() < 0.7 else None
    return found or allocated(d, element or d.element(), shape(d, rank))


def alloc(name: str, d: Draft) -> None:
    allocated(d, d.element(), shape(d, d.chance.randint(0, 3)), name)


def load(name: str, d: Draft) -> None:
    m = some_memory(d)
    d.let(f"{name} {m.name}[{d.indices(m.shape)}] : {m.type}", m.element)


def affine_load(d: Draft) -> None:
    m = some_memory(d, 2)
    rows, columns = m.shape
    i, j = d.constant(d.chance.randrange(rows)), d.constant(d.chance.randrange(columns))
    at = d.chance.choice(
        (f"symbol({i}), {j}", f"{i} mod {rows}, {j} floordiv 2", f"({i} + {j}) mod {rows}, {j}")
    )
    d.let(f"affine.load {m.name}[{at}] : {m.type}", m.element)


def affine_store(d: Draft) -> None:
    m = some_memory(d, 2, written=True)
    rows, columns = m.shape
    i, j = d.constant(d.chance.randrange(rows)), d.constant(d.chance.randrange(columns))
    d.line(
        f"affine.store {d.scalar(m.element).name}, {m.name}[({i} * 3 + {j}) mod {rows}, {j} floordiv 1] : {m.type}"
    )


def store(d: Draft) -> None:
    m = some_memory(d, written=True)
    d.line(f"memref.store {d.scalar(m.element).name}, {m.name}[{d.indices(m.shape)}] : {m.type}")


def prefetch(d: Draft) -> None:
    m = some_memory(d, 1, plain=True)
    d.line(f"affine.prefetch {m.name}[0], read, locality<3>, data : {m.type}")


def dim(d: Draft) -> None:
    m = some_memory(d)
    d.let(
        f"memref.dim {m.name}, {d.index(len(m.shape))} : {m.type}" if m.sizes else "arith.constant 3 : index",
        "index",
    )


def rank(d: Draft) -> None:
    m = some_memory(d)
    d.let(f"memref.rank {m.name} : {m.type}", "index")


def metadata(d: Draft) -> None:
    m = some_memory(d, 2)
    name = d.fresh()
    d.line(
        f"{name}:6 = memref.extract_strided_metadata {m.name} : {m.type} -> "
        f"memref<{m.element}>, index, index, index, index, index"
    )
    for k in range(1, 4):
        d.add(Value(f"{name}#{k}", "index", "index"))


def copy(d: Draft) -> None:
    m = some_memory(d)
    target = allocated(d, m.element, m.shape)
    d.line(f"memref.copy {m.name}, {target.name} : {m.type} to {target.type}")


def dealloc(d: Draft) -> None:
    m = allocated(d, d.element(), shape(d))
    load("memref.load", d)
    d.ended.add(m.root[0])
    d.line(f"memref.dealloc {m.name} : {m.type}")


def realloc(d: Draft) -> None:
    m = allocated(d, d.element(), (d.chance.randint(2, 4),))
    d.ended.add(m.root[0])
    (size,) = m.shape
    kind = type_text("memref", ("?",), m.element)
    new = d.chance.randint(1, size)
    _rooted(
        d, d.let(f"memref.realloc {m.name}({d.constant(new)}) : {m.type} to {kind}", kind, m.element, (new,))
    )


def atomic(name: str, d: Draft) -> None:
    elements = [
        e for e in (FLOATS if name.endswith("f") else INTEGERS[1:]) if e in ("i32", "i64", "f32", "f64")
    ]
    m = some_memory(d, written=True, element=d.chance.choice(elements))
    value = d.scalar(m.element).name
    d.let(
        f"memref.atomic_rmw {name} {value}, {m.name}[{d.indices(m.shape)}] : ({m.element}, {m.type}) -> {m.element}",
        m.element,
    )


def generic_atomic(d: Draft) -> None:
    """Its result is not used: the specification says what is stored, mlir-opt-22 gives what was there."""
    m = some_memory(d, written=True, element=d.chance.choice(("i32", "i64")))
    old, name, at = Value(d.fresh(), m.element, m.element), d.fresh(), d.indices(m.shape)
    other = d.scalar(m.element).name
    d.line(f"{name} = memref.generic_atomic_rmw {m.name}[{at}] : {m.type} {{")
    d.line(f"^bb0({old.name}: {m.element}):")
    with d.region(old):
        new = d.defined(f"arith.xori {old.name}, {other} : {m.element}")
        d.line(f"memref.atomic_yield {new} : {m.element}")
    d.line("}")


def of_a_global(d: Draft) -> None:
    e, name = d.chance.choice(("i32", "f64", "i8")), f"{d.name}_global{len(d.functions)}"
    numbers = "[[1, 2, -3], [4, 5, 6]]" if e.startswith("i") else "[[1.0, 2.5, -3.0], [4.0, 0.1, 6.0]]"
    kind = type_text("memref", (2, 3), e)
    d.functions.append(f'memref.global "private" constant @{name} : {kind} = dense<{numbers}>')
    m = view(d, Value("", kind, e, (2, 3), (0, -1)), f"memref.get_global @{name} : {kind}", kind, (2, 3))
    d.let(f"memref.load {m.name}[{d.indices((2, 3))}] : {kind}", e)


STEPS: list[Step] = [
    partial(alloc, "memref.alloc"), partial(alloc, "memref.alloca"), partial(load, "memref.load"), affine_load, affine_store,
    store, prefetch, dim, rank, metadata, copy, dealloc, realloc, generic_atomic, of_a_global,
    *(partial(atomic, name) for name in ("addi", "addf", "assign", "maxs", "maxu", "mins", "minu", "ori", "andi")),
]  # fmt: skip
