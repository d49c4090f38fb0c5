"""Chains of one associative and commutative operation: what each of its results is the sum of.

for k: s = addf s, mulf a[k], b[k]         the last s is the sum of all mulf at k, and of the first s
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from xdsl.ir import Operation, OpResult

from volcli.equivalence.backward.function import FunctionSources
from volcli.equivalence.paths.ends import Ends
from volcli.equivalence.paths.leaves import ABSORBED, ABSORBED_BY_CONSTANTS, COMPUTED, Leaf, LeafKind
from volcli.equivalence.results.operations import is_elementwise, made_last
from volcli.equivalence.terms.terms import Kind, ScalarTerm, kind_of
from volcli.language import questions

_NEUTRAL = {"addi": 0, "muli": 1, "andi": -1, "ori": 0, "xori": 0, "maxu": 0, "minu": -1}
_NEUTRAL_FLOAT = {
    "addf": (-0.0,), "mulf": (1.0,), "maximumf": (float("-inf"),), "minimumf": (float("inf"),),
}  # fmt: skip
IDEMPOTENT = frozenset(
    ("andi", "ori", "maxs", "mins", "maxu", "minu", "maximumf", "minimumf", "maxnumf", "minnumf")
)


@dataclass(frozen=True)
class Chain:
    """Operations that are followed: of this kind, on scalars of this kind."""

    combines: str
    kind: Kind

    def has(self, result: OpResult) -> bool:
        last = made_last(result)
        is_same = questions.combines(last.op) == self.combines and kind_of(last.type) == self.kind
        return is_same and is_elementwise(last)


def chain_of(leaf: Leaf) -> Chain | None:
    """The chain whose last operation makes LEAF, if one does."""
    if leaf.kind is not LeafKind.MADE:
        return None
    last = made_last(cast("OpResult", leaf.what))
    combines, kind = questions.combines(last.op), kind_of(last.type)
    if combines is None or kind is None or not is_elementwise(last):
        return None
    return Chain(combines, kind)


class ChainTerms:
    """The chains of one kind in a FUNCTION: the terms that each of their results is the sum of."""

    def __init__(self, function: FunctionSources, chain: Chain, operations: int) -> None:
        self._chain = chain
        self.operations: set[Operation] = set()
        self._sources = FunctionSources(
            function.function, operations, to_operations=True, through=self._is_followed
        )
        self._known: dict[OpResult, Ends] = {}

    def _is_followed(self, result: OpResult) -> bool:
        is_in_chain = self._chain.has(result)
        if is_in_chain:
            self.operations.add(made_last(result).op)
        return is_in_chain

    def terms(self, result: OpResult) -> Ends:
        """What RESULT is the sum of, at all points at which it is made."""
        if result not in self._known:
            self.operations.add(made_last(result).op)
            ends = self._sources.leaves(self._sources.backward.expanded(result, counted=True))
            ignored = (COMPUTED, ABSORBED, ABSORBED_BY_CONSTANTS)
            self._known[result] = {leaf: paths for leaf, paths in ends.items() if leaf not in ignored}
        return self._known[result]


def is_neutral(chain: Chain, term: ScalarTerm) -> bool:
    """Whether TERM is a constant that changes nothing in CHAIN."""
    number, kind = term.number, chain.kind
    if number is None:
        return False
    if isinstance(kind, str):
        return repr(float(number)) in map(repr, _NEUTRAL_FLOAT.get(chain.combines, ()))
    extrema = {"maxs": 2 ** (kind - 1), "mins": 2 ** (kind - 1) - 1}
    neutral = _NEUTRAL.get(chain.combines, extrema.get(chain.combines))
    return neutral is not None and (int(number) - neutral) % 2**kind == 0
