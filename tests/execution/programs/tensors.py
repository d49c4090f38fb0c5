"""Steps on tensors, which mlir-opt bufferizes, and on vectors."""

from __future__ import annotations

import math
from collections.abc import Sequence

from tests.execution.programs.draft import Draft, Step, Value
from tests.execution.programs.memory import shape, some_dynamic, some_memory, type_text


def some_tensor(
    d: Draft, rank: int | None = None, *, element: str | None = None, sizes: Sequence[int] | None = None
) -> Value:
    """A tensor in scope, or a new one."""

    def fits(value: Value) -> bool:
        return (
            value.kind == "tensor"
            and element in (None, value.element)
            and rank in (None, len(value.shape))
            and (sizes is None or tuple(sizes) == value.sizes)
        )

    found = d.found(fits) if d.chance.random() < 0.7 else None
    return found or generated(d, element or d.element(), shape(d, rank) if sizes is None else sizes)


def generated(d: Draft, element: str, sizes: Sequence[int]) -> Value:
    """A tensor of numbers that depend on the indices."""
    stated, dynamic = some_dynamic(d, sizes)
    kind, name = type_text("tensor", stated, element), d.fresh()
    indices = [Value(d.fresh(), "index", "index") for _ in sizes]
    d.line(f"{name} = tensor.generate {', '.join(dynamic)} {{")
    d.line(f"^bb0({', '.join(f'{i.name}: index' for i in indices)}):")
    with d.region(*indices):
        at = d.constant(d.chance.randint(0, 100))
        for i in indices:
            at = d.defined(f"affine.apply affine_map<(i, j) -> (i * 5 + j)>({at}, {i.name})")
        found = d.defined(f"func.call @{d.support.number(element)}({at}) : (index) -> {element}")
        d.line(f"tensor.yield {found} : {element}")
    d.line(f"}} : {kind}")
    return d.add(Value(name, kind, element, tuple(sizes)))


def static(d: Draft, t: Value) -> Value:
    """T with its sizes in its type."""
    kind = type_text("tensor", t.shape, t.element)
    return (
        t if kind == t.type else d.let(f"tensor.cast {t.name} : {t.type} to {kind}", kind, t.element, t.sizes)
    )


def plain(d: Draft) -> None:
    generated(d, d.element(), shape(d))


def filled(d: Draft) -> None:
    e, sizes = d.element(), shape(d)
    stated, dynamic = some_dynamic(d, sizes)
    kind = type_text("tensor", stated, e)
    empty = d.defined(f"tensor.empty({', '.join(dynamic)}) : {kind}")
    d.let(f"linalg.fill ins({d.scalar(e).name} : {e}) outs({empty} : {kind}) -> {kind}", kind, e, sizes)


def cast(d: Draft) -> None:
    t = some_tensor(d)
    kind = type_text("tensor", ["?" for _ in t.shape], t.element)
    d.let(f"tensor.cast {t.name} : {t.type} to {kind}", kind, t.element, t.sizes)


def extract(d: Draft) -> None:
    t = some_tensor(d)
    d.let(f"tensor.extract {t.name}[{d.indices(t.shape)}] : {t.type}", t.element)


def insert(d: Draft) -> None:
    t = some_tensor(d)
    value = d.scalar(t.element).name
    d.let(
        f"tensor.insert {value} into {t.name}[{d.indices(t.shape)}] : {t.type}",
        t.type,
        t.element,
        t.sizes,
    )


def extract_slice(d: Draft) -> None:
    t = static(d, some_tensor(d, 2))
    rows, columns = t.shape
    i, n = d.chance.randrange(rows), d.chance.randint(1, columns)
    offset, stated = d.constant(i), "?" if d.chance.random() < 0.5 else n
    size = d.constant(n) if stated == "?" else n
    kind = type_text("tensor", (stated,), t.element)
    d.let(
        f"tensor.extract_slice {t.name}[{offset}, 0] [1, {size}] [1, 1] : {t.type} to {kind}",
        kind,
        t.element,
        (n,),
    )


def insert_slice(d: Draft) -> None:
    t = some_tensor(d, 2)
    rows, columns = t.shape
    stride = 2 if rows > 2 else 1
    n = (rows - 1) // stride + 1
    part = static(d, some_tensor(d, element=t.element, sizes=(n, 1)))
    at = f"[0, {d.index(columns)}] [{n}, 1] [{stride}, 1]"
    d.let(
        f"tensor.insert_slice {part.name} into {t.name}{at} : {part.type} into {t.type}",
        t.type,
        t.element,
        t.sizes,
    )


def pad(d: Draft) -> None:
    t = static(d, some_tensor(d, 1))
    (n,) = t.shape
    low, high, name = d.chance.randint(0, 2), d.chance.randint(0, 2), d.fresh()
    index = Value(d.fresh(), "index", "index")
    constant = d.scalar(t.element).name
    d.line(f"{name} = tensor.pad {t.name} low[{low}] high[{high}] {{")
    d.line(f"^bb0({index.name}: index):")
    with d.region(index):
        if d.chance.random() < 0.5:
            constant = d.defined(
                f"func.call @{d.support.number(t.element)}({index.name}) : (index) -> {t.element}"
            )
        d.line(f"tensor.yield {constant} : {t.element}")
    kind = type_text("tensor", (n + low + high,), t.element)
    d.line(f"}} : {t.type} to {kind}")
    d.add(Value(name, kind, t.element, (n + low + high,)))


def collapse(d: Draft) -> None:
    t = static(d, some_tensor(d, 3))
    a, b, c = t.shape
    kind = type_text("tensor", (a * b, c), t.element)
    d.let(f"tensor.collapse_shape {t.name} [[0, 1], [2]] : {t.type} into {kind}", kind, t.element, (a * b, c))


def expand(d: Draft) -> None:
    t = static(d, some_tensor(d, 2))
    a, b = t.shape
    kind = type_text("tensor", (a, 1, b), t.element)
    text = f"tensor.expand_shape {t.name} [[0, 1], [2]] output_shape [{a}, 1, {b}] : {t.type} into {kind}"
    d.let(text, kind, t.element, (a, 1, b))


def reshape(d: Draft) -> None:
    t = some_tensor(d, 2)
    count = math.prod(t.shape)
    one = d.defined(f"tensor.from_elements {d.constant(count)} : tensor<1xindex>")
    kind = type_text("tensor", ("?",), t.element)
    d.let(
        f"tensor.reshape {t.name}({one}) : ({t.type}, tensor<1xindex>) -> {kind}", kind, t.element, (count,)
    )


def from_elements(d: Draft) -> None:
    e, sizes = d.element(), shape(d, d.chance.randint(1, 2))
    kind = type_text("tensor", sizes, e)
    names = [d.scalar(e).name for _ in range(math.prod(sizes))]
    d.let(f"tensor.from_elements {', '.join(names)} : {kind}", kind, e, sizes)


def splat(d: Draft) -> None:
    e, sizes = d.element(), shape(d, 2)
    stated, dynamic = some_dynamic(d, sizes)
    kind = type_text("tensor", stated, e)
    at = f"[{', '.join(dynamic)}]" if dynamic else ""
    d.let(f"tensor.splat {d.scalar(e).name}{at} : {kind}", kind, e, sizes)


def dim_and_rank(d: Draft) -> None:
    t = some_tensor(d)
    d.let(f"tensor.rank {t.name} : {t.type}", "index")
    d.let(f"tensor.dim {t.name}, {d.constant(0)} : {t.type}", "index")


def shared_outs(d: Draft) -> None:
    """A parallel loop whose iterations insert an element each."""
    t = some_tensor(d, 1)
    (n,) = t.shape
    i, shared, name = (
        Value(d.fresh(), "index", "index"),
        Value(d.fresh(), t.type, t.element, t.sizes),
        d.fresh(),
    )
    d.line(f"{name} = scf.forall ({i.name}) in ({n}) shared_outs({shared.name} = {t.name}) -> ({t.type}) {{")
    with d.region(i), d.parallel():
        d.body()
        one = d.defined(f"tensor.from_elements {d.scalar(t.element).name} : tensor<1x{t.element}>")
        d.line("scf.forall.in_parallel {")
        d.line(
            f"tensor.parallel_insert_slice {one} into {shared.name}[{i.name}] [1] [1] : tensor<1x{t.element}> into {t.type}"
        )
        d.line("}")
    d.line("}")
    d.add(Value(name, t.type, t.element, t.sizes))


# -- between tensors and memory --------------------------------------------------------------------------


def to_memory(d: Draft) -> None:
    t = static(d, some_tensor(d))
    kind = t.type.replace("tensor", "memref")
    m = d.defined(f"bufferization.to_buffer {t.name} read_only : {t.type} to {kind}")
    d.let(f"memref.load {m}[{d.indices(t.shape)}] : {kind}", t.element)


def to_tensor(d: Draft) -> None:
    m = some_memory(d, plain=True)
    name = d.defined(f"bufferization.clone {m.name} : {m.type} to {m.type}")
    kind = m.type.replace("memref", "tensor").replace(", 0>", ">")
    d.let(f"bufferization.to_tensor {name} restrict : {m.type} to {kind}", kind, m.element, m.sizes)


def alloc_tensor(d: Draft) -> None:
    t = some_tensor(d)
    d.let(f"bufferization.alloc_tensor() copy({t.name}) : {t.type}", t.type, t.element, t.sizes)


def materialize(d: Draft) -> None:
    t = some_tensor(d)
    source, t = static(d, some_tensor(d, element=t.element, sizes=t.sizes)), static(d, t)
    name = d.defined(f"bufferization.alloc_tensor() copy({t.name}) : {t.type}")
    target = Value(name, t.type, t.element, t.sizes)
    text = f"bufferization.materialize_in_destination {source.name} in {target.name}"
    d.let(f"{text} : ({source.type}, {target.type}) -> {target.type}", target.type, t.element, t.sizes)


STEPS: list[Step] = [
    plain, filled, filled, cast, extract, insert, insert, extract_slice, extract_slice, insert_slice,
    insert_slice, pad, pad, collapse, collapse, expand, expand, reshape, reshape, from_elements, splat, splat, dim_and_rank,
    dim_and_rank, shared_outs, shared_outs, to_memory, to_tensor, alloc_tensor, materialize, materialize,
]  # fmt: skip
