"""What values are while a program runs.

| type              | value                                                                           |
|-------------------|---------------------------------------------------------------------------------|
| index, integers   | `int`: the signed number of these bits; of i1 0 or 1, of ui8 the unsigned one   |
| floats            | numpy's scalar of this width, which rounds as IEEE says; bf16, f8: ml_dtypes'   |
| complex           | numpy's scalar                                                                  |
| tensor, vector    | `Tensor`: an array of these, which nothing writes to                            |
| memref            | `MemoryView`: offset, sizes and strides in an allocation (see memory.py)        |
| any scalar        | `POISON`, or `Unset`: an element that nothing has written                       |
| floats as terms   | `FloatTerm`: what the number is computed from (see terms.py)                    |
"""

# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownParameterType=false
# Values are numbers of any type, and arrays of any dtype.

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
States = npt.NDArray[np.uint8]
"""Of each element, whether it is DEFINED, UNSET or POISONED."""
DEFINED, UNSET, POISONED = 0, 1, 2


class NotANumber:
    """A scalar that arithmetic does not work on: every operator raises TypeError, comparison included.

    So an operation is written for numbers alone, and costs nothing for the rest: the engine catches the
    TypeError and decides there what the operation means for terms, poison and elements never written.
    """

    __slots__ = ()
    __array_ufunc__ = None  # numpy's scalars leave the operator to this class

    def _refuse(self, *_: object) -> NoReturn:
        raise TypeError("not a number")  # caught for each step of terms: their text would cost the most

    __eq__ = __ne__ = __bool__ = __lt__ = __le__ = __gt__ = __ge__ = _refuse
    __index__ = __int__ = __float__ = __complex__ = _refuse
    __hash__ = object.__hash__


class PoisonValue(NotANumber):
    """The result of an operation whose promise is broken, as `addi nsw` of numbers that are too large."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "poison"


class Unset(NotANumber):
    """The value of an element of memory, or of tensor.empty, that nothing has written."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "uninitialized"


POISON, NEVER_SET = PoisonValue(), Unset()
OF_STATE = {UNSET: NEVER_SET, POISONED: POISON}
STATE_OF: dict[type, int] = {Unset: UNSET, PoisonValue: POISONED}


@dataclass(frozen=True, eq=False)
class Tensor:
    """The elements of a tensor or vector; `states` (None: all are defined) are of the same shape."""

    data: Array
    states: States | None = None

    @property
    def shape(self) -> tuple[int, ...]:
        """Its sizes."""
        return self.data.shape

    @property
    def count(self) -> int:
        """How many elements it has."""
        return math.prod(self.shape)

    def element(self, index: tuple[int, ...]) -> Any:
        """The scalar at INDEX, which is within bounds."""
        if self.states is not None and (state := int(self.states[index])):
            return OF_STATE[state]
        return scalar(self.data[index])

    def moved(self, data: Array, states: Array | None) -> Tensor:
        """Some of its elements elsewhere: DATA and STATES were made alike from its own."""
        return Tensor(data, states if states is not None and _some(states) else None)

    def whole(self) -> Tensor:
        """It, with all of its elements computed."""
        return self

    def rearranged(self, move: Callable[[Array], Array]) -> Tensor:
        """Its elements where MOVE puts them."""
        return self.moved(move(self.data), None if self.states is None else move(self.states))

    def at(self, positions: npt.NDArray[np.int64]) -> Tensor:
        """The elements at POSITIONS in row-major order, one after the other."""

        def chosen(data: Array) -> Array:
            if data.flags.c_contiguous:
                return data.reshape(-1)[positions]
            return data[np.unravel_index(positions, data.shape)]

        return self.rearranged(chosen)

    def known_states(self) -> States:
        """Its states as an array."""
        return np.zeros(self.data.shape, np.uint8) if self.states is None else self.states


def _some(states: States) -> bool:
    """Whether one of STATES is not DEFINED; copies that are no memory of their own are looked at once."""
    once = tuple(slice(0, 1) if stride == 0 else slice(None) for stride in states.strides)
    return bool(states[once].any())


def scalar(element: Any) -> Any:
    """An ELEMENT of an array as a value: integers become `int`."""
    return int(element) if isinstance(element, _INTEGERS) else element


_INTEGERS = (np.integer, np.bool_)


def is_unset(value: Any) -> bool:
    """Whether nothing has written VALUE, or one of its elements."""
    if isinstance(value, Tensor):
        return value.states is not None and bool((value.states == UNSET).any())
    return isinstance(value, Unset)


def unset_tensor(shape: tuple[int, ...], dtype: npt.DTypeLike) -> Tensor:
    """A tensor whose elements nothing has written."""
    return Tensor(np.zeros(shape, dtype), np.full(shape, UNSET, np.uint8))


def as_objects(data: Array) -> Array:
    """DATA as objects, which terms can join: each number keeps its type, as `astype` does not."""
    if data.dtype == object:
        return data
    found: Array = np.empty(data.size, object)
    found[:] = list(data.flat)
    return found.reshape(data.shape)


def alike(*arrays: Array) -> Sequence[Array]:
    """ARRAYS as one of them can be assigned to another: all of objects if one of them is."""
    return [as_objects(each) for each in arrays] if any(a.dtype == object for a in arrays) else arrays


def assign(data: Array, index: Any, elements: Array) -> None:
    """`data[index] = elements`: in the place of one object, numpy would put an array of rank 0 itself."""
    data[index] = elements[()]


def overwritten(target: Tensor, index: Any, elements: Array, states: States) -> Tensor:
    """TARGET with ELEMENTS, which are in these STATES, at INDEX."""
    old, new = alike(target.data, elements)
    data, known = np.array(old), np.array(target.known_states())
    assign(data, index, new)
    known[index] = states
    return target.moved(data, known)


def put(data: Array, states: States | bytearray, index: Any, value: Any) -> None:
    """Write the scalar VALUE at INDEX."""
    if (state := STATE_OF.get(type(value), DEFINED)) == DEFINED:
        data[index] = value
    states[index] = state
