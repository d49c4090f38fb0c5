"""The rules of tensors on demand: elements computed one from one, overwritten, generated, and along lines.

Each is given the function that computes whole tensors, and applies it to less: what an operation means is
stated once, and how elements are chosen here.
"""

# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownParameterType=false
# Values are numbers of any type, and arrays of any dtype.

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from types import CellType, FunctionType
from typing import Any, cast

import numpy as np
import numpy.typing as npt
from xdsl.ir import Operation, Region

from volcli.execution.demand.demand import DeferredTensor, Positions, first_deferred
from volcli.execution.memory.machine import Machine
from volcli.execution.memory.memory import row_major
from volcli.execution.numbers.values import Tensor, alike, overwritten
from volcli.language.interface import operation_name
from volcli.language.memory import is_memref
from volcli.limits import execution as limits


class Pointwise:
    """`r[i] = compute(*(x[i] for x in operands))`, of which this is the result number K."""

    def __init__(
        self, compute: Callable[[Sequence[Any]], Sequence[Tensor]], operands: Sequence[Any], k: int = 0
    ) -> None:
        self._compute = compute
        self._operands = operands
        self._k = k

    def needs(self, at: Positions) -> Iterable[tuple[Tensor, Positions]]:
        """The same elements of all operands."""
        return [(each, at) for each in self._operands if isinstance(each, Tensor)]

    def values(self, at: Positions) -> Tensor:
        """What `compute` gives for these."""
        parts = [each.at(at) if isinstance(each, Tensor) else each for each in self._operands]
        return self._compute(parts)[self._k]


class Overwritten:
    """TARGET, with PART at an index of slices."""

    def __init__(self, target: Tensor, index: Sequence[slice], part: Tensor) -> None:
        self._target = target
        self._part = part
        self._starts = [each.indices(n)[::2] for each, n in zip(index, target.shape, strict=True)]

    def needs(self, at: Positions) -> Iterable[tuple[Tensor, Positions]]:
        """Each element of one of the two."""
        inside, inner = self._split(at)
        return [(self._target, at[~inside]), (self._part, inner)]

    def values(self, at: Positions) -> Tensor:
        """The elements of both."""
        inside, inner = self._split(at)
        part = self._part.at(inner)
        if inside.all():
            return part
        rest = self._target.at(at[~inside])
        old, new = alike(rest.data, part.data)
        data, states = np.empty(at.shape, old.dtype), np.zeros(at.shape, np.uint8)
        data[~inside], data[inside] = old, new
        states[~inside], states[inside] = rest.known_states(), part.known_states()
        return rest.moved(data, states)

    def _split(self, at: Positions) -> tuple[npt.NDArray[np.bool_], Positions]:
        """Which of the elements AT are overwritten, and where they are in the part."""
        inside, inner = np.ones(at.shape, np.bool_), np.zeros(at.shape, np.int64)
        coordinates = np.unravel_index(at, self._target.shape) if self._target.shape else ()
        sizes = self._part.shape
        parts = zip(coordinates, self._starts, sizes, row_major(sizes), strict=True)
        for coordinate, (start, step), size, stride in parts:
            quotient, rest = np.divmod(coordinate - start, step)
            inside &= (rest == 0) & (quotient >= 0) & (quotient < size)
            inner += quotient * stride
        return inside, inner[inside]


def replaced(target: Tensor, index: Sequence[slice], part: Tensor) -> Tensor:
    """TARGET with PART, of the shape of the slices, at INDEX, which may end with the first dimensions."""
    index = (*index, *(slice(None),) * (len(target.shape) - len(index)))
    if (one := first_deferred(target, part)) is None:
        return overwritten(target, index, part.data, part.known_states())
    rule = Overwritten(target, index, part)
    return DeferredTensor(one.machine, one.op, target.shape, one.dtype, rule)


class Generated:
    """`r[i] = element(i)`, for the coordinates i."""

    def __init__(self, shape: Sequence[int], elements: Callable[[Sequence[tuple[int, ...]]], Tensor]) -> None:
        self._shape = tuple(shape)
        self._elements = elements

    def needs(self, at: Positions) -> Iterable[tuple[Tensor, Positions]]:
        """What the function reads, it asks for."""
        return ()

    def values(self, at: Positions) -> Tensor:
        """One after the other."""
        along = np.unravel_index(at, self._shape) if self._shape else ()
        coordinates = np.stack(along, -1) if along else np.zeros((at.size, 0), np.int64)
        return self._elements([tuple(each) for each in coordinates.tolist()])


class Lines:
    """A tensor computed from some of its indices alone: `compute` of less of its operands gives less of it.

    Dimension d of an operand is indexed by dimension `dims[d]` of the result, or is read as a whole (None):
    those of a product of matrices are [0, None] and [None, 1]. The elements are computed for all pairs of a
    row and a column that are asked for.
    """

    def __init__(
        self,
        shape: Sequence[int],
        sources: Sequence[tuple[Tensor, Sequence[int | None]]],
        compute: Callable[..., Tensor],
    ) -> None:
        self._shape = tuple(shape)
        self._sources = sources
        self._compute = compute
        self._selected = {d for _, dims in sources for d in dims}

    def needs(self, at: Positions) -> Iterable[tuple[Tensor, Positions]]:
        """The lines through these elements."""
        chosen, _ = self._chosen(at)
        return [(source, self._lines(source, dims, chosen)[0]) for source, dims in self._sources]

    def values(self, at: Positions) -> Tensor:
        """What `compute` gives for these lines, where they cross in elements that are asked for."""
        chosen, inverse = self._chosen(at)
        parts: list[Tensor] = []
        for source, dims in self._sources:
            positions, sizes = self._lines(source, dims, chosen)
            parts.append(source.at(positions).rearranged(lambda data, sizes=sizes: data.reshape(sizes)))
        found = self._compute(*parts)
        return found.rearranged(lambda data: data[tuple(inverse)])

    def _chosen(self, at: Positions) -> tuple[list[Positions], list[Positions]]:
        """Of each dimension the indices in AT, and which of them each element has.

        A dimension that indexes no operand is computed as a whole.
        """
        pairs = [
            np.unique(each, return_inverse=True) if d in self._selected else (each, each)
            for d, each in enumerate(np.unravel_index(at, self._shape))
        ]
        return [each for each, _ in pairs], [each for _, each in pairs]

    @staticmethod
    def _lines(
        source: Tensor, dims: Sequence[int | None], chosen: Sequence[Positions]
    ) -> tuple[Positions, list[int]]:
        """The positions of SOURCE on the CHOSEN lines, and how many there are along each dimension."""
        found, sizes = np.zeros(1, np.int64), []
        for size, dim, stride in zip(source.shape, dims, row_major(source.shape), strict=True):
            indices = np.arange(size) if dim is None else chosen[dim]
            found = (found[:, None] + indices * stride).reshape(-1)
            sizes.append(indices.size)
        return found, sizes


def along_lines(
    op: Operation,
    shape: Sequence[int],
    dtype: npt.DTypeLike,
    sources: Sequence[tuple[Tensor, Sequence[int | None]]],
    compute: Callable[..., Tensor],
) -> Tensor:
    """The tensor of SHAPE that COMPUTE makes of SOURCES, along `Lines` where they are on demand."""
    tensors = [source for source, _ in sources]
    if (one := first_deferred(*tensors)) is None or not shape:
        return compute(*tensors)
    return DeferredTensor(one.machine, op, shape, dtype, Lines(shape, sources, compute))


# -- bodies ------------------------------------------------------------------------------------------------

_PURE = frozenset(("affine", "arith", "complex", "index", "linalg", "math", "scf", "tensor"))


def is_pure(region: Region) -> bool:
    """Whether REGION, which has one block, may be executed later, or never: it reads and writes no memory."""
    return all(
        operation_name(op).partition(".")[0] in _PURE
        and not any(is_memref(each) for each in (*op.operands, *op.results))
        for op in region.walk()
    )


def kept(machine: Machine, body: Callable[..., Any]) -> Callable[..., Any]:
    """BODY with the values that it sees now: a block that runs again gives its values to the same names.

    A body that is executed on demand may ask for elements that other bodies compute. What the later ones of
    many read is computed as a whole, so that few wait for one another.
    """
    function = cast(FunctionType, body)
    cells = [
        CellType(cell.cell_contents) if _is_filled(cell) else cell for cell in function.__closure__ or ()
    ]
    read = [cell.cell_contents for cell in cells if _is_filled(cell)]
    tensors = [each for each in read if isinstance(each, DeferredTensor)]
    machine.demanding_bodies += bool(tensors)
    if machine.demanding_bodies > limits.DEMANDING_BODIES:
        for each in tensors:
            each.whole()
    code, name = function.__code__, function.__name__
    return FunctionType(code, function.__globals__, name, function.__defaults__, tuple(cells))


def _is_filled(cell: CellType) -> bool:
    try:
        return cell.cell_contents is not cell
    except ValueError:
        return False
