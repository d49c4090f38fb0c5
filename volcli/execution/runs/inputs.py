"""The inputs of an execution: sizes, numbers and elements of a function's arguments."""

# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownParameterType=false
# Values are numbers of any type, and arrays of any dtype.

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, cast

import numpy as np
import numpy.typing as npt
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    IndexType,
    MemRefType,
    ShapedType,
    UnrankedMemRefType,
    UnrankedTensorType,
    VectorType,
)
from xdsl.ir import Attribute

from volcli.execution.demand.demand import DeferredTensor, deferred
from volcli.execution.demand.rules import Generated
from volcli.execution.elements.elementwise import packed
from volcli.execution.memory.machine import Machine
from volcli.execution.memory.memory import AllocatedMemory, MemoryView, row_major
from volcli.execution.memory.views import strides_of
from volcli.execution.numbers.extremes import EXTREME, extreme_numbers
from volcli.execution.numbers.formats import SCALABLE, Format, format_of, is_scalable, sizes_in_memory
from volcli.execution.numbers.values import Array, Tensor, as_objects, scalar
from volcli.execution.outcomes import Stopped, Unsupported

DEFAULT_SIZE = 4
"""The size that nobody gave: small, even, and not 2."""
KINDS = ("random", "iota", "zeros", *EXTREME, "terms")
"""What elements may be: random numbers, 0, 1, 2, ... row by row, zeros, extreme ones, or terms (floats).

Extreme are the least and greatest integers, those around 0, NaN, both infinities and both zeros, and some
fractions; signs are both zeros, 1, -1, NaN and infinities, and infinities those that are not 0.
"""
_DRAWN = ("random", *EXTREME)


@dataclass(frozen=True)
class Inputs:
    """What is known of a function's arguments, by their names without %.

    `sizes` are those of dynamic dimensions, `numbers` those of scalars, `elements` an array or one of KINDS.
    What is not there is `size`, and `kind`, with the random numbers of `seed`; index arguments are `size`
    too.
    """

    sizes: Mapping[tuple[str, int], int] = field(default_factory=dict[tuple[str, int], int])
    numbers: Mapping[str, int | float] = field(default_factory=dict[str, int | float])
    elements: Mapping[str, str | npt.NDArray[Any]] = field(
        default_factory=dict[str, "str | npt.NDArray[Any]"]
    )
    kind: str = "random"
    size: int = DEFAULT_SIZE
    seed: int = 0

    @property
    def has_terms(self) -> bool:
        """Whether some elements may be terms."""
        kinds = [self.kind, *(each for each in self.elements.values() if isinstance(each, str))]
        return "terms" in kinds


@dataclass(frozen=True)
class InitialMemory:
    """What memory of a `shape` holds at first: the `element` at each index."""

    shape: tuple[int, ...]
    element: Callable[[tuple[int, ...]], Any]


class BadInput(Stopped):
    """An input that an argument cannot have; `name` is the argument's."""

    def __init__(self, name: str, message: str) -> None:
        super().__init__(None, message)
        self.name = name


@dataclass(frozen=True)
class Arguments:
    """The `values` of a function's arguments; `defaults` says which were not given, as "dim(%a, 0) = 4"."""

    values: list[Any]
    defaults: list[str]


def made(machine: Machine, names: Sequence[str], kinds: Sequence[Attribute], inputs: Inputs) -> Arguments:
    """The arguments called NAMES, of the types KINDS.

    Raises BadInput if one contradicts its type, LimitReached if they need too much memory.
    """
    _check(dict(zip(names, kinds, strict=True)), inputs)
    maker = _Maker(machine, inputs)
    values = [maker.value(name, kind) for name, kind in zip(names, kinds, strict=True)]
    return Arguments(values, maker.defaults)


def _check(kinds: Mapping[str, Attribute], inputs: Inputs) -> None:
    """Raises BadInput if INPUTS are about an argument, or a dimension, that there is not."""
    for name in sorted({name for name, _ in inputs.sizes} | set(inputs.numbers) | set(inputs.elements)):
        if name not in kinds:
            known = ", ".join(f"%{each}" for each in kinds) or "none"
            raise BadInput(name, f"no argument is called %{name}: there are {known}")
    for name, dimension in inputs.sizes:
        kind = kinds[name]
        if not isinstance(kind, ShapedType) or not 0 <= dimension < len(kind.get_shape()):
            raise BadInput(name, f"%{name} has no dimension {dimension}")
    for name in inputs.numbers:
        if isinstance(kinds[name], ShapedType):
            raise BadInput(name, f"%{name} is not a number: it is a {kinds[name]}")


class _Maker:
    def __init__(self, machine: Machine, inputs: Inputs) -> None:
        self._machine = machine
        self._inputs = inputs
        self._random = np.random.default_rng(inputs.seed)
        self.defaults: list[str] = []

    def value(self, name: str, kind: Attribute) -> Any:
        """The argument NAME of the type KIND."""
        try:
            if isinstance(kind, UnrankedTensorType | UnrankedMemRefType):
                raise Unsupported(None, f"arguments of the type {kind} are not executed")
            if is_scalable(kind):
                raise Unsupported(None, f"%{name} is a {kind}: {SCALABLE}")
            if isinstance(kind, ShapedType):
                return self._shaped(name, kind)
            return self._scalar(name, format_of(kind), is_index=isinstance(kind, IndexType))
        except Unsupported as error:
            raise BadInput(name, error.message) from None

    def _scalar(self, name: str, format: Format, *, is_index: bool) -> Any:
        if name in self._inputs.numbers:
            number = self._inputs.numbers[name]
            if format.kind == "integer":
                found = format.wrap()(int(number))
                if int(number) != number or int(number) not in (found, format.unsigned()(found)):
                    raise BadInput(name, f"%{name} = {number} is not an integer of {format.width} bits")
                return found
            return format.number(number)
        if is_index:
            self.defaults.append(f"%{name} = {self._inputs.size}")
            return self._inputs.size
        found = scalar(self._elements(name, (), format).reshape(-1)[0])
        self.defaults.append(f"%{name} = {found}")
        return found

    def _shaped(self, name: str, kind: Any) -> Any:
        shape, format = self._shape(name, kind), format_of(kind)
        is_symbolic = format.kind == "float" and self._machine.options.symbolic
        dtype: Any = object if is_symbolic else format.dtype
        options = self._machine.options
        if options.walks and isinstance(kind, MemRefType):
            return self._contents(name, shape, format, dtype)
        if options.demands and not isinstance(kind, MemRefType | VectorType):
            return self._on_demand(name, shape, format, dtype)
        self._machine.takes(None, math.prod(shape), dtype)
        data = self._elements(name, shape, format)
        if is_symbolic:
            data = as_objects(data)
        if not isinstance(kind, MemRefType):
            return Tensor(data)
        return _laid_out(cast("MemRefType[Any]", kind), data)

    def _on_demand(self, name: str, shape: tuple[int, ...], format: Format, dtype: Any) -> Tensor:
        """The argument, whose elements are made when they are asked for, if each can be made alone."""
        given = self._inputs.elements.get(name, self._inputs.kind)
        machine = self._machine
        if isinstance(given, np.ndarray) or given in _DRAWN or (given == "terms" and format.kind != "float"):
            machine.takes(None, math.prod(shape), dtype)
            data = self._elements(name, shape, format)
            return deferred(machine, None, Tensor(as_objects(data) if dtype is object else data))

        def elements(places: Sequence[tuple[int, ...]]) -> Tensor:
            return packed(
                [self._element(name, shape, format, each) for each in places], (len(places),), dtype
            )

        return DeferredTensor(machine, None, shape, format.dtype, Generated(shape, elements))

    def _contents(self, name: str, shape: tuple[int, ...], format: Format, dtype: Any) -> InitialMemory:
        """What memory holds, whose elements are made when they are asked for, if each can be made alone."""
        given = self._inputs.elements.get(name, self._inputs.kind)
        if not isinstance(given, str) or given in _DRAWN or (given == "terms" and format.kind != "float"):
            self._machine.takes(None, math.prod(shape), dtype)
            return InitialMemory(shape, Tensor(self._elements(name, shape, format)).element)
        return InitialMemory(shape, partial(self._element, name, shape, format))

    def _element(self, name: str, shape: tuple[int, ...], format: Format, index: tuple[int, ...]) -> Any:
        """An element of an argument whose elements are terms, zeros, or numbered."""
        given = self._inputs.elements.get(name, self._inputs.kind)
        if given == "terms":
            return self._machine.terms.element(name, index)
        k = 0 if given == "zeros" else sum(map(operator.mul, index, row_major(shape)))
        return format.number(k) if format.kind != "integer" else format.wrap()(k)

    def _shape(self, name: str, kind: Any) -> tuple[int, ...]:
        given = self._inputs.elements.get(name)
        array = given.shape if isinstance(given, np.ndarray) else None
        stated = sizes_in_memory(kind)
        if array is not None and len(array) != len(stated):
            raise BadInput(name, f"the array for %{name} has rank {len(array)}, and %{name} is a {kind}")
        shape: list[int] = []
        for dimension, size in enumerate(stated):
            asked = self._inputs.sizes.get((name, dimension))
            found = asked if asked is not None else (array[dimension] if array is not None else None)
            if found is None:
                found = self._inputs.size if size == DYNAMIC_INDEX else size
                if size == DYNAMIC_INDEX:
                    self.defaults.append(f"dim(%{name}, {dimension}) = {found}")
            wrong = size not in (DYNAMIC_INDEX, found) or (array is not None and array[dimension] != found)
            if wrong or found < 0:
                what = (
                    f"the array for %{name} has the shape {array}"
                    if array is not None
                    else f"%{name} is a {kind}"
                )
                raise BadInput(name, f"dim(%{name}, {dimension}) is not {found}: {what}")
            shape.append(found)
        return tuple(shape)

    def _elements(self, name: str, shape: tuple[int, ...], format: Format) -> Array:
        given = self._inputs.elements.get(name, self._inputs.kind)
        count = math.prod(shape)
        if isinstance(given, np.ndarray):
            wanted = np.dtype(format.dtype)
            if not np.can_cast(given.dtype, wanted, "same_kind"):
                raise BadInput(name, f"the array for %{name} has elements of {given.dtype}, not of {wanted}")
            return given.astype(wanted)
        if given == "terms" and format.kind == "float":
            data: Array = np.empty(count, object)
            for at, index in enumerate(np.ndindex(*shape)):
                data[at] = self._machine.terms.element(name, index)
            return data.reshape(shape)
        if given == "zeros":
            return np.zeros(shape, format.dtype)
        if given == "iota":
            wrap = format.wrap() if format.kind == "integer" else (lambda number: number)
            return np.array([wrap(k) for k in range(count)], format.dtype).reshape(shape)
        if given in EXTREME:
            return extreme_numbers(self._random, format, count, given).reshape(shape)
        return self._random_numbers(format, count).reshape(shape)

    def _random_numbers(self, format: Format, count: int) -> Array:
        if format.kind == "integer":
            width = min(format.width, 8)
            low, high = (
                (0, 1 << width)
                if format.is_unsigned or width == 1
                else (-(1 << (width - 1)), 1 << (width - 1))
            )
            return self._random.integers(low, high, count).astype(format.dtype)
        numbers = self._random.standard_normal(count)
        if format.kind == "complex":
            numbers = numbers + 1j * self._random.standard_normal(count)
        return numbers.astype(format.dtype)


def _laid_out(kind: MemRefType[Any], data: Array) -> MemoryView:
    """Memory of the type KIND with the elements DATA."""
    strides, offset = strides_of(kind)
    shape = data.shape
    found = tuple(
        row if stride is None else stride for stride, row in zip(strides, row_major(shape), strict=True)
    )
    start = offset or 0
    last = sum((size - 1) * stride for size, stride in zip(shape, found, strict=True)) if data.size else -1
    buffer: Array = np.zeros(start + last + 1, data.dtype)
    allocation = AllocatedMemory(None, buffer, np.zeros(buffer.size, np.uint8), is_heap=True)
    view = MemoryView(allocation, start, shape, found)
    if data.size:
        view.array(buffer)[...] = data
    return view
