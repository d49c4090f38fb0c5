"""Structured operations as loop nests: what a rewrite must know to compute a part of one.

    for all loop points l, in lexicographic order:  out_k[I_k(l)] = body_k(in[I_in(l)], ..., out[I_out(l)])

with an index function I for each operand and a scalar body (IMPACT 2023, section 4.2.1).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from xdsl.ir import Operation, SSAValue

from volcli.language.expressions import Expression, LoopIndex
from volcli.language.reads import Access

Start = tuple[int | SSAValue, int]
"""Where a loop of a part begins, and its step: the loop's index there is `start + step * k`."""

Sizes = Sequence[int | SSAValue]

Remake = Callable[
    [Sequence[SSAValue], Sequence[tuple[Expression, ...]], Sequence[Start], Sequence[Sizes]], Operation
]


@dataclass(frozen=True, eq=False)
class StructuredNest:
    """The loops of a structured operation.

    `accesses` are what each operand is accessed at, `inputs` of them first; `parallel` says of each loop
    whether its iterations are independent; `weight` is the number of operations in the body, `moves` says
    that it only passes an element on. The other operands are what results are initially; if there are none,
    `results` are the accesses to the results themselves: `arith.addf` of tensors is such a nest.
    `remade` makes the same computation of other operands, with other index functions, and with loops that
    begin at other `Start`s: the body sees the loop indices of the old operation. `results` have other sizes
    then, which it is given.
    """

    accesses: tuple[Access, ...]
    inputs: int
    parallel: tuple[bool, ...]
    moves: bool
    weight: int
    remade: Remake
    results: tuple[Access, ...] = ()

    @property
    def outputs(self) -> tuple[Access, ...]:
        """The accesses to what is computed."""
        return self.accesses[self.inputs :] or self.results

    def initial(self, result: int) -> SSAValue | None:
        """The operand that RESULT is at first; None if it has no elements before."""
        return None if self.results else self.outputs[result].operand

    def alone(self, loop: int) -> tuple[SSAValue, int] | None:
        """An operand and a dimension of it that LOOP alone runs along, from the first to the last element."""
        for access in (*self.accesses, *self.results):
            for dimension, index in enumerate(access.index):
                if isinstance(index, Expression) and index.single_atom == LoopIndex(loop):
                    return access.operand, dimension
        return None
