"""Random operations on tensors: only their sizes matter."""

from __future__ import annotations

from collections.abc import Sequence

from tests.oracles.bounds.affine import formula
from tests.oracles.bounds.arithmetic import select
from tests.oracles.bounds.scope import Scope
from tests.oracles.bounds.values import Value, tensor_type

Size = int | Value  # an attribute, or an operand


def size(scope: Scope) -> Value:
    """An integer that is not negative."""
    return scope.written(formula("affine.max", [("d0", "$0"), ("0", "0")], [scope.index()], 1))


def empty(scope: Scope) -> Value:
    """tensor.empty."""
    sizes: list[Size] = [size(scope)]
    if scope.chance.random() < 0.4:
        sizes.insert(scope.chance.randint(0, 1), scope.chance.randint(1, 6))
    operands = [each for each in sizes if isinstance(each, Value)]
    type = tensor_type(tuple(None if isinstance(each, Value) else each for each in sizes))
    texts = ["natural($0)" if isinstance(each, Value) else str(each) for each in sizes]
    return scope.compute(f"tensor.empty($0) : {type}", f"({', '.join(texts)},)", *operands, type=type)


def dim(scope: Scope) -> Value:
    """tensor.dim of any dimension, also of one that the type tells."""
    source = tensor(scope)
    which = scope.chance.randrange(len(source.sizes))
    position = scope.constant(which)
    return scope.compute(f"tensor.dim $0, $1 : {source.type}", f"$0[{which}]", source, position)


def tensor(scope: Scope) -> Value:
    """Some tensor, rather a late one; a new one if there is none."""
    return scope.chance.choice(scope.tensors[-3:]) if scope.tensors else empty(scope)


def pad(scope: Scope) -> Value:
    """tensor.pad, with constant or computed widths."""
    source = tensor(scope)
    low, high = ([width(scope) for _ in source.sizes] for _ in range(2))
    known = [
        None if isinstance(below, Value) or isinstance(above, Value) or of is None else of + below + above
        for of, below, above in zip(source.sizes, low, high, strict=True)
    ]
    type = tensor_type(tuple(known))
    operands, spelled = numbered([*low, *high], first=1)
    rank = len(known)
    python = [f"$0[{d}] + natural({spelled[d]}) + natural({spelled[rank + d]})" for d in range(rank)]
    block = ", ".join(f"%{source.name[1:]}_{scope.counters.names}_{d}: index" for d in range(rank))
    zero = f"%zero{scope.counters.names}"
    mlir = (
        f"tensor.pad $0 low[{', '.join(spelled[:rank])}] high[{', '.join(spelled[rank:])}] {{\n"
        f"^bb0({block}):\n"
        f"  {zero} = arith.constant 0.0 : f32\n"
        f"  tensor.yield {zero} : f32\n"
        f"}} : {source.type} to {type}"
    )
    return scope.compute(mlir, f"({', '.join(python)},)", source, *operands, type=type)


def width(scope: Scope) -> Size:
    """The width of a padding."""
    return size(scope) if scope.chance.random() < 0.3 else scope.chance.randint(0, 3)


def numbered(sizes: Sequence[Size], first: int) -> tuple[list[Value], list[str]]:
    """The operands among SIZES, and how all of them are spelled in a formula where they start at $FIRST."""
    operands: list[Value] = []
    spelled: list[str] = []
    for each in sizes:
        if isinstance(each, Value):
            spelled.append(f"${first + len(operands)}")
            operands.append(each)
        else:
            spelled.append(str(each))
    return operands, spelled


def extract_slice(scope: Scope) -> Value:
    """tensor.extract_slice that stays inside its source."""
    source = tensor(scope)
    offsets: list[Size] = []
    sizes: list[Size] = []
    strides: list[int] = []
    for which, of in enumerate(source.sizes):
        offset, taken, stride = part(scope, source, which, of)
        offsets.append(offset)
        sizes.append(taken)
        strides.append(stride)
    operands, spelled = numbered([*offsets, *sizes], first=1)
    rank = len(sizes)
    steps = ", ".join(map(str, strides))
    type = tensor_type(tuple(None if isinstance(each, Value) else each for each in sizes))
    mlir = (
        f"tensor.extract_slice $0[{', '.join(spelled[:rank])}] [{', '.join(spelled[rank:])}] [{steps}] "
        f": {source.type} to {type}"
    )
    python = [
        f"taken($0[{which}], {spelled[which]}, {spelled[rank + which]}, {stride})"
        for which, stride in enumerate(strides)
    ]
    return scope.compute(mlir, f"({', '.join(python)},)", source, *operands, type=type)


def part(scope: Scope, source: Value, which: int, of: int | None) -> tuple[Size, Size, int]:
    """An offset, a size and a stride that fit into dimension WHICH of SOURCE, whose type says OF."""
    chance = scope.chance
    stride = chance.choice([1, 1, 2])
    if of is not None:
        offset = chance.randint(0, min(of - 1, 2))
        return offset, chance.randint(1, -(-(of - offset) // stride)), stride
    position = scope.constant(which)
    extent = scope.compute(f"tensor.dim $0, $1 : {source.type}", f"$0[{which}]", source, position)
    offset = 0
    rest = ("d0", "$0")
    operands = [extent]
    if chance.random() < 0.4:
        most = str(chance.randint(1, 3))
        offset = scope.written(formula("affine.min", [("d0", "$0"), (most, most)], [extent], 1))
        rest, operands = ("d0 - d1", "$0 - $1"), [extent, offset]
    if stride > 1:
        rest = f"({rest[0]}) ceildiv {stride}", f"-(-({rest[1]}) // {stride})"
    tile = str(chance.randint(1, 6))
    taken = scope.written(formula("affine.min", [rest, (tile, tile)], operands, len(operands)))
    return offset, taken, stride


def selected(scope: Scope) -> Value:
    """arith.select of two tensors of one type."""
    first = tensor(scope)
    second = scope.chance.choice([each for each in scope.tensors if each.type == first.type])
    return select(scope, scope.truth(), first, second)
