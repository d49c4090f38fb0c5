"""A function of which less is known: what is computed on 64 bits may not be what the integers are.

Engines ask it what they ask of the function: an answer that is another one rests on arithmetic that does not
overflow.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, reduce
from operator import add, mul

from xdsl.ir import SSAValue

from volcli.language.expressions import (
    Atom,
    Dim,
    Expression,
    Mod,
    Monomial,
    NotAffine,
    Piecewise,
    Value,
    constant,
    expression_of_atom,
)
from volcli.limits import values as limits
from volcli.limits.widths import HALF
from volcli.model.function import FunctionModel
from volcli.model.memory.dependences.model import Memory
from volcli.model.values.outline.calls import stated_number
from volcli.model.values.store.store import BoundsStore
from volcli.model.values.terms.variables import is_wide


class MachineModel(FunctionModel):
    """The function of a model LIKE this one, and its memory, of which STORE knows the numbers."""

    def __init__(self, like: FunctionModel, store: BoundsStore) -> None:
        super().__init__(
            like.function,
            like.name_of,
            like.assumptions,
            like.operations,
            conditional=like._conditional,
            given=like._given,
        )
        self._like = like
        self._known = store

    @property
    def memory(self) -> Memory:
        return self._like.memory.by(self.bounds)

    @cached_property
    def memory_as_written(self) -> Memory:
        return self._like.memory_as_written.by(self.bounds)


def assumptions(model: FunctionModel, holds_in: Callable[[FunctionModel], bool]) -> tuple[str, ...]:
    """What an answer of MODEL that HOLDS_IN the machine assumes for its arithmetic to be that of integers."""
    if not model.computes:
        return ()

    def holds(store: BoundsStore) -> bool:
        if store not in model.in_machine:
            model.in_machine[store] = MachineModel(model, store)
        return holds_in(model.in_machine[store])

    return model.assuming.arithmetic.assumptions(holds)


def is_remainder(model: FunctionModel, known: Expression, other: Expression) -> bool:
    """Whether a number that is KNOWN in MODEL, of the machine, is the OTHER one modulo 2^64.

    Sums and products of remainders are those of the numbers: `(%n + 2^63) mod 2^64 - 2^63` is %n + 0 so, and
    a result of `arith.addi %n, %k` that may be any number is %n + %k.
    """
    for _ in range(limits.OVERFLOW_STEPS):
        difference = known - other
        if not difference.terms:
            return difference.constant % (2 * HALF) == 0
        match known.single_atom, other.single_atom:
            case Piecewise(pieces), Piecewise(others) if [w for w, _ in pieces] == [w for w, _ in others]:
                return all(is_remainder(model, k, o) for (_, k), (_, o) in zip(pieces, others, strict=True))
            case _:
                pass
        try:
            terms = (_stated(model, atom) * c for atom, c in known.terms)
            stated = reduce(add, terms, constant(known.constant))
        except NotAffine:
            return False
        if stated == known:
            return False
        known = stated
    return False


def _stated(model: FunctionModel, atom: Atom) -> Expression:
    """ATOM, or what it is the remainder of by 2^64, or is stated to be."""
    match atom:
        case Mod(numerator, divisor) if divisor == 2 * HALF:
            return numerator
        case Monomial():
            return reduce(mul, (_stated(model, each) for each in atom.factors))
        case Value(value) if is_wide(value.type) and (stated := _ring_number(value)) is not None:
            return model.bounds.definitions.resolve(stated)
        case _:
            return expression_of_atom(atom)


def _ring_number(value: SSAValue) -> Expression | None:
    """The sum of products of values that the operation states of which VALUE is a result; None for others."""
    stated = stated_number(value)
    is_ring = stated is not None and all(isinstance(each, Value | Dim | Monomial) for each in stated.atoms())
    return stated if is_ring else None
