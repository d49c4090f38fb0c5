"""Random buffers, and views of them."""

from __future__ import annotations

from math import prod

from tests.oracles.memory.expressions import Binary, Expression, plus, times
from tests.oracles.memory.memrefs import Alloc, GetGlobal, MemrefType, View, list_of
from tests.oracles.memory.scope import Buffer, Scope


def shape(scope: Scope) -> tuple[int, ...]:
    """The sizes of a small buffer."""
    rank = scope.chance.choice([1, 1, 2, 2, 2, 3])
    return tuple(scope.chance.randint(3, 10 if rank < 3 else 5) for _ in range(rank))


def alloc(scope: Scope) -> None:
    """A new buffer."""
    sizes = shape(scope)
    name = scope.fresh("m")
    leading = None
    dims: tuple[int | None, ...] = sizes
    if scope.parameters and scope.depth == 0 and scope.flip(0.2):
        leading, dims = scope.chance.choice(scope.parameters), (None, *sizes[1:])
    operation = scope.chance.choice(["memref.alloc", "memref.alloc", "memref.alloca"])
    scope.write(Alloc(name, MemrefType(dims), leading, operation))
    scope.memrefs += (Buffer(name, MemrefType(dims), dims),)


def get_global(scope: Scope, symbol: str, type: MemrefType) -> None:
    """A handle of a global."""
    name = scope.fresh("g")
    scope.write(GetGlobal(name, type, symbol))
    scope.memrefs += (Buffer(name, type, type.dims),)


def view(scope: Scope) -> None:
    """A view of a memref."""
    base = scope.chance.choice(scope.memrefs)
    known = None not in base.type.dims and None not in base.extents
    contiguous = known and base.type.strides is None
    makers = [cast, transpose]
    makers += [subview, subview, subview] if known else []
    makers += [collapse_shape, collapse_shape] if contiguous and len(base.extents) > 1 else []
    makers += [expand_shape] if contiguous and any(dim and dim % 2 == 0 for dim in base.extents) else []
    made, extents = scope.chance.choice(makers)(scope, base)
    scope.write(made)
    scope.memrefs += (Buffer(made.result, made.type, extents), Buffer(made.result, made.type, extents))


Made = tuple[View, tuple[int | None, ...]]


def same(rank: int) -> tuple[Expression, ...]:
    """(%0, %1, ...), the index of an element."""
    return tuple(f"%{number}" for number in range(rank))


def cast(scope: Scope, base: Buffer) -> Made:
    """memref.cast, to a type that says less."""
    dims = tuple(None if scope.flip(0.5) else dim for dim in base.type.dims)
    # Without a layout the strides follow from the dims: with fewer of these they have to be spelled.
    layout = base.type.steps if None in dims[1:] or base.type.strides is not None else None
    kind = MemrefType(dims, layout, base.type.offset)
    rank = len(dims)
    sizes = (None,) * rank
    made = View(scope.fresh("v"), kind, base.name, base.type, f"memref.cast {base.name}", sizes, same(rank))
    return made, base.extents


def transpose(scope: Scope, base: Buffer) -> Made:
    """memref.transpose, of a memref of rank 2 or more; of others a cast."""
    rank = len(base.extents)
    if rank < 2 or None in base.extents:
        return cast(scope, base)
    order = list(range(rank))
    scope.chance.shuffle(order)
    dims = tuple(base.type.dims[each] for each in order)
    strides = tuple(base.type.steps[each] for each in order)
    results = ", ".join(f"d{each}" for each in order)
    operation = f"memref.transpose {base.name} ({', '.join(f'd{n}' for n in range(rank))}) -> ({results})"
    index = tuple(f"%{order.index(each)}" for each in range(rank))
    extents = tuple(base.extents[each] for each in order)
    kind = MemrefType(dims, strides, base.type.offset)
    return View(scope.fresh("v"), kind, base.name, base.type, operation, extents, index), extents


def subview(scope: Scope, base: Buffer) -> Made:
    """memref.subview: mostly inside its base, sometimes moving with a loop, sometimes of smaller rank."""
    chance = scope.chance
    values = (*scope.dims, *scope.indices, *scope.parameters)
    offsets: list[Expression] = []
    sizes: list[int] = []
    strides: list[int] = []
    for extent in base.extents:
        assert extent is not None, "a base whose sizes are known"
        moving = bool(values) and scope.flip(0.3)
        offsets.append(chance.choice(values) if moving else chance.randint(0, max(0, extent // 2)))
        room = extent - (offsets[-1] if isinstance(offsets[-1], int) else 0)
        strides.append(chance.choice([1, 1, 2]) if room > 2 else 1)
        sizes.append(chance.randint(1, max(1, (room + strides[-1] - 1) // strides[-1])))
    # The strides of the result's type say which dimensions it lacks, if no two are the same.
    distinct = len(set(base.type.steps)) == len(sizes)
    dropped = [n for n, size in enumerate(sizes) if size == 1 and distinct and scope.flip(0.5)]
    kept = [n for n in range(len(sizes)) if n not in dropped[: len(sizes) - 1]]
    steps = base.type.steps
    offset = base.type.offset
    for at, step in zip(offsets, steps, strict=True):
        known = isinstance(at, int) and step is not None and offset is not None
        offset = offset + at * step if known else None
    layout = tuple(None if (step := steps[n]) is None else step * strides[n] for n in kept)
    index = tuple(
        plus(times(f"%{kept.index(n)}", strides[n]), offsets[n]) if n in kept else offsets[n]
        for n in range(len(sizes))
    )
    operation = f"memref.subview {base.name}{list_of(offsets)} {list_of(sizes)} {list_of(strides)}"
    extents = tuple(sizes[n] for n in kept)
    kind = MemrefType(extents, layout, offset)
    return View(scope.fresh("v"), kind, base.name, base.type, operation, extents, index), extents


def collapse_shape(scope: Scope, base: Buffer) -> Made:
    """memref.collapse_shape of two or more neighbours."""
    extents = [extent or 0 for extent in base.extents]
    rank = len(extents)
    first = scope.chance.randint(0, rank - 2)
    after = scope.chance.randint(first + 2, rank)
    groups = [[n] for n in range(first)] + [list(range(first, after))] + [[n] for n in range(after, rank)]
    index: list[Expression] = list(same(first))
    for n in range(first, after):
        step = prod(extents[n + 1 : after])
        outer: Expression = Binary("floordiv", f"%{first}", step) if step > 1 else f"%{first}"
        index.append(outer if n == first else Binary("mod", outer, extents[n]))
    index += [f"%{n - (after - first - 1)}" for n in range(after, rank)]
    dims = tuple(prod(extents[n] for n in group) for group in groups)
    operation = f"memref.collapse_shape {base.name} {groups}"
    made = View(
        scope.fresh("v"), MemrefType(dims), base.name, base.type, operation, dims, tuple(index), "into"
    )
    return made, dims


def expand_shape(scope: Scope, base: Buffer) -> Made:
    """memref.expand_shape of one dimension into two, the inner one of size 2."""
    extents = [extent or 0 for extent in base.extents]
    at = scope.chance.choice([n for n, extent in enumerate(extents) if extent % 2 == 0])
    dims = (*extents[:at], extents[at] // 2, 2, *extents[at + 1 :])
    groups = [[n] for n in range(at)] + [[at, at + 1]] + [[n + 1] for n in range(at + 1, len(extents))]
    index = [
        *same(at),
        plus(times(f"%{at}", 2), f"%{at + 1}"),
        *(f"%{n + 1}" for n in range(at + 1, len(extents))),
    ]
    operation = f"memref.expand_shape {base.name} {groups} output_shape {list(dims)}"
    made = View(
        scope.fresh("v"), MemrefType(dims), base.name, base.type, operation, dims, tuple(index), "into"
    )
    return made, dims
