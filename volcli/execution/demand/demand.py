"""Tensors of which the elements that are asked for are computed, and no other.

A `DeferredTensor` is a node of a graph: its `rule` says which elements of which tensors the elements at some
positions are computed from, and computes them. `evaluated` visits the graph twice, each node once: from the
result back, it collects the positions at which each node is needed, and in the opposite order it computes
these. Nodes are numbered as they are made, and read older ones only, so the larger number is visited first.

For `E = (A B) D` of matrices of the size n, one element of E needs a row of `A B` and a column of D, and the
row needs a row of A and B: n^2 products in the place of 2 n^3.

A position is the row-major index of an element. What asks for `data` gets all elements: an operation whose
execution knows nothing of this file is executed as ever.
"""

# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownParameterType=false
# Values are numbers of any type, and arrays of any dtype.

from __future__ import annotations

import heapq
import math
import mmap
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
from xdsl.dialects.builtin import VectorType
from xdsl.ir import Operation

from volcli.execution.memory.machine import Machine
from volcli.execution.numbers.values import Array, States, Tensor, alike
from volcli.limits import execution as limits

_NO_RESERVE = 0x4000
"""MAP_NORESERVE of Linux, which `mmap` has no name for: pages that are never read need not exist."""
Positions = npt.NDArray[np.int64]


class ElementRule(Protocol):
    """What elements are computed from, and how; positions are sorted, each is there once."""

    def needs(self, at: Positions) -> Iterable[tuple[Tensor, Positions]]:
        """Of each tensor that it reads, at which positions it does so for the elements AT."""
        ...

    def values(self, at: Positions) -> Tensor:
        """The elements AT, one after the other; what they need is known."""
        ...


class DeferredTensor(Tensor):
    """A tensor of SHAPE that OP makes by RULE."""

    def __init__(
        self,
        machine: Machine,
        op: Operation | None,
        shape: Sequence[int],
        dtype: npt.DTypeLike,
        rule: ElementRule,
    ) -> None:
        machine.deferred += 1
        self.__dict__.update(
            machine=machine,
            op=op,
            number=machine.deferred,
            dtype=np.dtype(dtype),
            rule=rule,
            _shape=tuple(map(int, shape)),
            _positions=np.empty(0, np.int64),
            _values=None,
            _whole=None,
            _asked=0,
        )

    machine: Machine
    op: Operation | None
    number: int
    dtype: np.dtype[Any]
    rule: ElementRule
    _shape: tuple[int, ...]
    _positions: Positions
    _values: Tensor | None
    _whole: Tensor | None
    _asked: int

    @property
    def shape(self) -> tuple[int, ...]:
        """Its sizes."""
        return self._shape

    @property
    def data(self) -> Array:  # pyright: ignore[reportIncompatibleVariableOverride]
        """All of its elements."""
        return self.whole().data

    @property
    def states(self) -> States | None:  # pyright: ignore[reportIncompatibleVariableOverride]
        """The states of all of its elements."""
        return self.whole().states

    def whole(self) -> Tensor:
        """It with all elements computed. Raises LimitReached if they need too much memory."""
        if self._whole is None:
            self.machine.holds(self.op, self.count, self.dtype)
            evaluated(self, np.arange(self.count))
            if self._whole is None:
                self._keep_whole(self.rule.values(np.arange(0)))  # it has no element
        assert self._whole is not None
        return self._whole

    def element(self, index: tuple[int, ...]) -> Any:
        """The scalar at INDEX; of a small tensor that is asked for many, all are computed."""
        self.__dict__["_asked"] += 1
        if self._asked > limits.DEMANDED_ELEMENTS and self.count <= limits.DEMANDED_SIZE:
            return self.whole().element(index)
        self.ask([index])
        position = np.ravel_multi_index(index, self._shape) if index else 0
        return self.at(np.array([position], np.int64)).element((0,))

    def ask(self, indices: Sequence[tuple[int, ...]]) -> None:
        """Compute the elements at INDICES together."""
        found = [np.ravel_multi_index(index, self._shape) if index else 0 for index in indices]
        evaluated(self, np.array(found, np.int64))

    def at(self, positions: Positions) -> Tensor:
        """The elements at POSITIONS, which have been computed."""
        if self._whole is not None:
            return self._whole.at(positions)
        if self._values is None:
            assert not positions.size
            return Tensor(np.empty(0, self.dtype))
        return self._values.at(np.searchsorted(self._positions, positions))

    def rearranged(self, move: Callable[[Array], Array]) -> Tensor:
        """Its elements where MOVE puts them, which is a function of arrays of any dtype."""
        if self._whole is not None:
            return deferred(self.machine, self.op, self._whole.rearranged(move))
        if (places := _places(self._shape, move)) is None:
            return self.whole().rearranged(move)
        shape, position = places
        return DeferredTensor(self.machine, self.op, shape, self.dtype, _Rearranged(self, position))

    # -- what is known ---------------------------------------------------------------------------------

    def missing(self, positions: Positions) -> Positions:
        """Those of POSITIONS whose elements have not been computed."""
        if self._whole is not None:
            return positions[:0]
        if not self._positions.size:
            return positions
        return np.setdiff1d(positions, self._positions, assume_unique=True)

    def keep(self, positions: Positions, values: Tensor) -> None:
        """The elements at POSITIONS, of which nothing was known, are VALUES."""
        if positions.size == self.count:
            self._keep_whole(values)
            return
        if self._values is not None:
            values = concatenated([self._values, values])
            positions = np.concatenate([self._positions, positions])
            order = np.argsort(positions)
            positions, values = positions[order], values.at(order)
        self.__dict__.update(_positions=positions, _values=values)
        if positions.size == self.count:
            self._keep_whole(values)

    def _keep_whole(self, values: Tensor) -> None:
        self.__dict__.update(
            _whole=values.rearranged(lambda data: data.reshape(self._shape)), _values=None, _positions=None
        )


def deferred(machine: Machine, op: Operation | None, tensor: Tensor) -> DeferredTensor:
    """TENSOR, whose elements are known."""
    found = DeferredTensor(machine, op, tensor.shape, tensor.data.dtype, _Given())
    found.__dict__["_whole"] = tensor
    return found


def defers(machine: Machine, op: Operation, operands: Iterable[Any]) -> bool:
    """Whether the results of OP are computed on demand: tensors whose operands are; vectors are not."""
    if not machine.options.demands or any(isinstance(each.type, VectorType) for each in op.results):
        return False
    return first_deferred(*operands) is not None


def first_deferred(*tensors: Any) -> DeferredTensor | None:
    """The first of TENSORS that is deferred."""
    return next((each for each in tensors if isinstance(each, DeferredTensor)), None)


def evaluated(root: DeferredTensor, positions: Positions) -> None:
    """Compute the elements of ROOT at POSITIONS, and what they are computed from."""
    asked: dict[int, list[Positions]] = {root.number: [positions]}
    nodes = {root.number: root}
    waiting = [-root.number]
    order: list[tuple[DeferredTensor, Positions]] = []
    while waiting:
        node = nodes.pop(number := -heapq.heappop(waiting))
        missing = node.missing(united(asked.pop(number), node.count))
        if not missing.size:
            continue
        node.machine.terms.holds(missing.size)
        order.append((node, missing))
        for source, needed in node.rule.needs(missing):
            if not isinstance(source, DeferredTensor) or not needed.size:
                continue
            if source.number not in nodes:
                nodes[source.number], asked[source.number] = source, []
                heapq.heappush(waiting, -source.number)
            asked[source.number].append(needed)
    for node, missing in reversed(order):
        node.keep(missing, node.rule.values(missing))


def united(parts: Sequence[Positions], count: int) -> Positions:
    """The positions in PARTS, sorted; COUNT is how many there could be."""
    if sum(part.size for part in parts) * 8 < count:
        return np.unique(np.concatenate(parts))
    found = np.zeros(count, np.bool_)
    for part in parts:
        found[part] = True
    return np.flatnonzero(found)


def concatenated(parts: Sequence[Tensor]) -> Tensor:
    """PARTS, lists of elements, one after the other."""
    data = np.concatenate(alike(*[part.data for part in parts]))
    states = np.concatenate([part.known_states() for part in parts])
    return parts[0].moved(data, states)


class _Given:
    """The rule of what is known."""

    def needs(self, at: Positions) -> Iterable[tuple[Tensor, Positions]]:
        return ()

    def values(self, at: Positions) -> Tensor:
        raise AssertionError("all elements are known")


class _Rearranged:
    def __init__(self, source: DeferredTensor, position: Callable[[Positions], Positions]) -> None:
        self._source = source
        self._position = position

    def needs(self, at: Positions) -> Iterable[tuple[Tensor, Positions]]:
        return [(self._source, self._position(at))]

    def values(self, at: Positions) -> Tensor:
        return self._source.at(self._position(at))


def _unread(count: int) -> Array:
    """COUNT bytes that take no memory as long as nobody reads them."""
    if count <= limits.DEMANDED_SIZE:
        return np.empty(count, np.uint8)
    try:
        reserved = mmap.mmap(-1, count, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | _NO_RESERVE)
    except (OSError, OverflowError) as error:
        raise MemoryError from error
    return np.frombuffer(reserved, np.uint8)


def _places(
    shape: tuple[int, ...], move: Callable[[Array], Array]
) -> tuple[tuple[int, ...], Callable[[Positions], Positions]] | None:
    """The shape that MOVE makes of SHAPE, and from which position each element comes; None if unknown.

    MOVE is applied to an array whose elements are bytes, and never read: in a view of it, the address of an
    element is where it comes from. Of a small array that is copied, the elements are numbered.
    """
    count = math.prod(shape)
    probe = _unread(count).reshape(shape)
    moved = np.asarray(move(probe))
    if moved.size and np.may_share_memory(moved, probe):
        start = moved.ctypes.data - probe.ctypes.data
        sizes, strides = moved.shape, moved.strides

        def position(at: Positions) -> Positions:
            coordinates = np.unravel_index(at, sizes) if sizes else ()
            terms = (each * stride for each, stride in zip(coordinates, strides, strict=True))
            return sum(terms, np.full(at.shape, start, np.int64))

        return sizes, position
    if count > limits.DEMANDED_SIZE:
        return None
    table = np.asarray(move(np.arange(count).reshape(shape)))
    return table.shape, lambda at: table.reshape(-1)[at]
