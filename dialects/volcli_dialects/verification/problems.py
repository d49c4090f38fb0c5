"""What can be wrong with operations of several dialects, in mlir-opt's words: sizes, slices, reshapes, types.

Each function says the first thing that is wrong, or None. A size is static, or the number that stands for
`?`; a static size fits a dynamic one only where mlir-opt 22 says so (tests/dialects/test_problems.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar, cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ContainerType,
    DenseArrayBase,
    IndexType,
    IntegerType,
    MemRefType,
    ShapedType,
    TensorType,
    UnrankedMemRefType,
    UnrankedTensorType,
    VectorType,
)
from xdsl.ir import Attribute, Operation, Region, SSAValue

from volcli.language.questions import Problem, problems

OpT = TypeVar("OpT", bound=Operation)


class Shape(str):
    """A message that two static sizes which must be equal are not; all others are about structure."""

    __slots__ = ()


def messages(
    *kinds: type[OpT],
) -> Callable[[Callable[[OpT], Iterable[str | None]]], Callable[[OpT], Iterable[str | None]]]:
    """A case of `problems` for KINDS: the first of the messages that the decorated function yields."""

    def add(find: Callable[[OpT], Iterable[str | None]]) -> Callable[[OpT], Iterable[str | None]]:
        problems.case(*kinds)(lambda op: first(find(op)))
        return find

    return add


def first(messages: Iterable[str | None]) -> list[Problem]:
    for message in messages:
        if message is not None:
            return [Problem("shape" if isinstance(message, Shape) else "structure", str(message))]
    return []


def must(kind: type[OpT], holds: Callable[[OpT], bool], message: str | Callable[[OpT], str]) -> None:
    """A case of `problems` for KIND: MESSAGE where that does not hold."""

    def find(op: OpT) -> Iterator[str]:
        if not holds(op):
            yield message if isinstance(message, str) else message(op)

    messages(kind)(find)


def types(values: Iterable[SSAValue]) -> list[Attribute]:
    """The types of VALUES."""
    return [value.type for value in values]


def sized(message: str, left: Sequence[int] | None, right: Sequence[int] | None) -> str:
    """MESSAGE that shapes differ: about sizes if only two static ones do, else about structure."""
    differ = left is not None and right is not None and len(left) == len(right)
    return Shape(message) if differ and not are_compatible(left or (), right or ()) else message


def differences(
    given: Sequence[Attribute], wanted: Iterable[Attribute]
) -> Iterator[tuple[int, Attribute, Attribute]]:
    """The types of GIVEN that are not those of WANTED, and their positions."""
    for index, (one, other) in enumerate(zip(given, wanted, strict=False)):
        if one is not other and one != other:
            yield index, one, other


def sizes_of(kind: Attribute) -> tuple[int, ...] | None:
    """The sizes of a type that has a rank; None for all others."""
    return kind.get_shape() if isinstance(kind, ShapedType) else None


def are_indices(indices: Sequence[SSAValue], kind: Attribute) -> bool:
    """Whether there is one of INDICES for each dimension of KIND; true as well if it has no rank."""
    sizes = sizes_of(kind)
    return sizes is None or len(sizes) == len(indices)


def index_list_problem(container: str, kind: Attribute) -> str | None:
    """That KIND is no list of sizes: a CONTAINER of integers with one dimension."""
    sizes, element = sizes_of(kind), element_of(kind)
    if sizes is not None and len(sizes) == 1 and isinstance(element, IntegerType | IndexType):
        return None
    wanted = f"1D {container} of signless integer or index values"
    return f"operand #1 must be {wanted}, but got '{kind}'"


def output_shape_problem(
    sizes: Sequence[int] | None, noun: str, static: Sequence[int], dynamic: Sequence[SSAValue]
) -> str | None:
    """That an output shape has not a size for each dimension, or not a value for each `?`."""
    if sizes is not None and len(sizes) != len(static):
        return (
            f"expected number of static shape {noun} to be equal to the output rank ({len(sizes)}) but found "
            f"{len(static)} inputs instead"
        )
    unknown = list(static).count(DYNAMIC_INDEX)
    if unknown == len(dynamic):
        return None
    return (
        "mismatch in dynamic dims in output_shape and static_output_shape: static_output_shape has "
        f"{unknown} dynamic dims while output_shape has {len(dynamic)} values"
    )


def no_arguments_problem(*branches: Region) -> str | None:
    """That a branch is no block without arguments; it may be empty."""
    for index, region in enumerate(branches):
        if len(region.blocks) > 1:
            return f"expects region #{index} to have 0 or 1 blocks"
        if any(block.args for block in region.blocks):
            return f"region #{index} should have no arguments"
    return None


def elementwise_problem(op: Operation) -> str | None:
    """That the operands and results of an element-wise operation, scalars apart, have not one shape.

    `(vector<4xf32>, f32) -> vector<4xf32>` is right, `(f32, f32) -> vector<4xf32>` is not.
    """
    operands = [kind for kind in op.operand_types if container_of(kind)]
    results = [kind for kind in op.result_types if container_of(kind)]
    if operands and not results:
        return "if an operand is non-scalar, then there must be at least one non-scalar result"
    if operands and len(results) != len(op.results):
        return "if an operand is non-scalar, then all results must be non-scalar"
    if results and not operands:
        return "if a result is non-scalar, then at least one operand must be non-scalar"
    known = [sizes for kind in (*operands, *results) if (sizes := sizes_of(kind)) is not None]
    containers = {container_of(kind) for kind in (*operands, *results)}
    if len(containers) <= 1 and all(are_compatible(known[0], each) for each in known[1:]):
        return None
    return "all non-scalar operands/results must have the same shape and base type"


def container_of(kind: Attribute) -> str:
    """What a type holds elements in; "" for a scalar."""
    match kind:
        case VectorType():
            return "vector"
        case TensorType():
            return "tensor"
        case UnrankedTensorType():
            return "unranked tensor"
        case _:
            return ""


def as_tensor(kind: Attribute) -> TensorType[Attribute] | None:
    """KIND if it is a ranked tensor."""
    return cast("TensorType[Attribute]", kind) if isinstance(kind, TensorType) else None


def as_memref(kind: Attribute) -> MemRefType[Attribute] | None:
    """KIND if it is a ranked buffer."""
    return cast("MemRefType[Attribute]", kind) if isinstance(kind, MemRefType) else None


def element_of(kind: Attribute) -> Attribute:
    """The type of the elements of KIND; a scalar is its own."""
    if isinstance(kind, UnrankedTensorType | UnrankedMemRefType):
        return cast("UnrankedTensorType[Attribute]", kind).element_type
    if isinstance(kind, ContainerType):
        return cast("ContainerType[Attribute]", kind).get_element_type()
    return kind


def are_compatible(left: Sequence[int], right: Sequence[int]) -> bool:
    """Whether some shape is both: ranks are equal, and so are static sizes."""
    return len(left) == len(right) and all(
        a == b or DYNAMIC_INDEX in (a, b) for a, b in zip(left, right, strict=True)
    )


def cast_problem(op: Operation) -> str:
    """That the type of the operand cannot become that of the result."""
    before, after = op.operands[0].type, op.results[0].type
    message = f"operand type '{before}' and result type '{after}' are cast incompatible"
    return sized(message, sizes_of(before), sizes_of(after))


def dynamic_size_problem(kind: Attribute, dynamic: Sequence[SSAValue]) -> str | None:
    """As many index values as the type has `?`."""
    expected = (sizes_of(kind) or ()).count(DYNAMIC_INDEX)
    if len(dynamic) == expected:
        return None
    return f"incorrect number of dynamic sizes, has {len(dynamic)}, expected {expected}"


def parent_problem(op: Operation, *allowed: str) -> str | None:
    """OP stands in the region of one of the operations ALLOWED."""
    parent = op.parent_op()
    if parent is not None and (parent.name in allowed or parent.name == "builtin.unregistered"):
        return None
    names = ", ".join(allowed)
    some = f"to be one of '{names}'" if len(allowed) > 1 else f"'{names}'"
    return f"expects parent op {some}"


def same_type_problem(types: Iterable[Attribute], message: str) -> str | None:
    """All TYPES are one."""
    first, *others = types
    return message if any(other is not first and other != first for other in others) else None


# Slices


def window_problem(op: Operation, rank: int, groups: Sequence[tuple[str, int, Sequence[int]]]) -> str | None:
    """Offsets, sizes and strides: one each per dimension, the first two not negative.

    Each of GROUPS has its name, the number of its operands, and its numbers with markers for the operands.
    """
    counts = [len(numbers) for _, _, numbers in groups]
    for (name, other), a, b in zip(
        (("offsets", "sizes"), ("sizes", "strides")), counts, counts[1:], strict=False
    ):
        if a != b:
            return (
                f"expected mixed {name} rank to match mixed {other} rank ({a} vs {b}) so the rank of the "
                "result type is well-formed."
            )
    for name, dynamic, numbers in groups:
        if len(numbers) != rank:
            return f"expected {rank} {name} values, got {len(numbers)}"
        if (markers := list(numbers).count(DYNAMIC_INDEX)) != dynamic:
            return f"expected {markers} dynamic {name} values"
    for name, _, numbers in groups[:2]:
        for number in numbers:
            if number < 0 and number != DYNAMIC_INDEX:
                return f"expected {name}s to be non-negative, but got {number}"
    return None


def numbers_of(op: Operation, of: int, names: Sequence[str]) -> list[tuple[str, int, Sequence[int]]]:
    """The groups of `window_problem`, from the static properties NAMES of OP.

    The operands of the groups follow OF other ones, as `operandSegmentSizes` says.
    """
    segments = op.properties.get("operandSegmentSizes")
    counts = segments.get_values() if isinstance(segments, DenseArrayBase) else ()
    groups: list[tuple[str, int, Sequence[int]]] = []
    for index, name in enumerate(names):
        static = op.properties.get(name)
        numbers = static.get_values() if isinstance(static, DenseArrayBase) else ()
        dynamic = counts[of + index] if of + index < len(counts) else 0
        groups.append(
            (name.removeprefix("static_").removesuffix("s"), int(dynamic), tuple(map(int, numbers)))
        )
    return groups


def is_reduced(sizes: Sequence[int], reduced: Sequence[int]) -> bool:
    """Whether REDUCED is SIZES without some dimensions of size 1; dropped from the left."""
    kept = 0
    for size in sizes:
        if kept < len(reduced) and reduced[kept] == size:
            kept += 1
        elif size != 1:
            return False
    return kept == len(reduced)


def bounds_problem(whole: Sequence[int], groups: Sequence[tuple[str, int, Sequence[int]]]) -> str | None:
    """The first and the last element of a slice lie inside, as far as both are static."""
    offsets, sizes, strides = (numbers for _, _, numbers in groups)
    for dim, (extent, offset, size, stride) in enumerate(zip(whole, offsets, sizes, strides, strict=True)):
        if DYNAMIC_INDEX in (extent, offset):
            continue
        if offset >= extent:
            return f"offset {dim} is out-of-bounds: {offset} >= {extent}"
        last = offset + (size - 1) * stride
        if DYNAMIC_INDEX not in (size, stride) and last >= extent:
            return f"slice along dimension {dim} runs out-of-bounds: {last} >= {extent}"
    return None


def width_of(kind: Attribute) -> int | None:
    """The number of bits of an integer or a float."""
    width = getattr(kind, "bitwidth", None)
    return width if isinstance(width, int) else None
