"""What every operation is lowered to: loops that write result elements from operand elements."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tests.oracles.elements.bodies import Expr, Fetch, Leaf, Mixture, Operand, Outside, leaves, resolved
from tests.oracles.elements.values import Value
from tests.oracles.interpreter.affine import Affine, Index, at, box, identity


@dataclass(frozen=True)
class Slot:
    """An operand with its index expressions over the loops."""

    value: Value
    index: tuple[Affine, ...]


@dataclass(frozen=True)
class Access:
    """A read of VALUE at INDEX on behalf of LEAF of the body.

    None stands for an index that is no affine expression of the loops: PLACES knows it.
    """

    value: Value
    index: tuple[Affine | None, ...]
    leaf: Leaf

    def places(self, point: Index) -> list[Index]:
        """The elements that are read at the loop POINT: one, or all of them for a mixture."""
        if isinstance(self.leaf, Mixture):
            return self.value.points
        if isinstance(self.leaf, Fetch):
            return [self.leaf.place(point)]
        return [tuple(e.at(point) for e in self.index if e is not None)]


@dataclass(frozen=True)
class Layer:
    """for l in box(loops): R[result(l)] = body(slots at l). A later layer overwrites an earlier one.

    accumulator: the slot that is R itself, already initialised with that operand.
    """

    loops: tuple[int, ...]
    result: tuple[Affine, ...]
    slots: tuple[Slot, ...]
    body: Expr
    accumulator: int | None = None

    def accesses(self) -> list[Access]:
        """The reads that the body's value is computed from; an unused operand is not among them."""
        found: list[Access] = []
        for leaf in leaves(self.body):
            match leaf:
                case Operand(number):
                    found.append(Access(self.slots[number].value, self.slots[number].index, leaf))
                case Outside(value):
                    found.append(Access(value, (), leaf))
                case Fetch(value, indices, modulus):
                    last = indices[-1:] if modulus is None else (None,)
                    found.append(Access(value, (*indices[:-1], *last), leaf))
                case Mixture(values):
                    found.extend(Access(value, (None,) * len(value.shape), leaf) for value in values)
                case _:
                    pass
        return found

    def at(self, point: Index) -> Layer:
        """The layer as it is at one loop POINT: selections by index are decided."""
        body = resolved(self.body, point)
        return self if body == self.body else replace(self, body=body)

    def covers(self, shape: Sequence[int]) -> bool:
        """Whether every element of SHAPE is written."""
        written = {at(self.result, point) for point in box(self.loops)}
        return all(point in written for point in box(shape))


def move(source: Value, loops: Sequence[int], result: Sequence[Affine], index: Sequence[Affine]) -> Layer:
    """R[result(l)] = source[index(l)] for l in box(loops)."""
    return Layer(tuple(loops), tuple(result), (Slot(source, tuple(index)),), Operand(0))


def copy(source: Value) -> Layer:
    """R[r] = source[r]."""
    return move(source, source.shape, identity(len(source.shape)), identity(len(source.shape)))


def spread(scalar: Value, shape: Sequence[int]) -> Layer:
    """R[r] = scalar for all r of SHAPE."""
    return move(scalar, shape, identity(len(shape)), ())
