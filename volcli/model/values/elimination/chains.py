"""Evaluates long chains of definitions bottom-up, so that the depth of recursion stays bounded."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from xdsl.ir import BlockArgument, OpResult, SSAValue

from volcli.language import questions
from volcli.limits import values as limits
from volcli.model.values.definitions.tightness import Tightness
from volcli.model.values.elimination.elimination import Elimination
from volcli.model.values.terms.constraint_set import Kept
from volcli.model.values.terms.variables import Variable, integers_of, own, variables_of


class Chains:
    """Works out what is known of values in the order of the text: each from what is known before."""

    def __init__(self, elimination: Elimination, tightness: Tightness) -> None:
        self._elimination = elimination
        self._definitions = elimination.definitions
        self._tightness = tightness
        self._met: set[SSAValue] = set()
        self._known: set[Variable] = set()
        self._joined: set[tuple[object, Variable]] = set()
        self._ranged: set[Variable] = set()
        self._is_begun = False

    def value(self, value: SSAValue) -> None:
        """Let the linear form of VALUE, and of all it is computed from, and their definitions, be known."""
        if value in self._met:
            return
        pending = [(value, False)]
        while pending:
            each, is_complete = pending.pop()
            if is_complete:
                self._resolve(each)
            elif each not in self._met:
                self._met.add(each)
                pending.append((each, True))
                if not self._stops(each):
                    pending += [(source, False) for source in _sources(each) if source not in self._met]

    def _stops(self, value: SSAValue) -> bool:
        """Whether nothing is asked of what VALUE is computed from."""
        numbers = [number.single_atom for number in integers_of(value)]
        return bool(numbers) and all(isinstance(v, Variable) and self._definitions.stops(v) for v in numbers)

    def _resolve(self, value: SSAValue) -> None:
        for number in integers_of(value):
            for variable in variables_of(number):
                for each in variables_of(self._definitions.linear(variable)):
                    self._definitions.definition(each)
                    self._definitions.range(each)

    def variables(self, variables: Iterable[Variable], kept: Kept) -> None:
        """Let what VARIABLES are computed from be known, each alone, in terms of what is KEPT."""
        new = [v for v in variables if (kept.key, v) not in self._joined]
        if not new or self._is_begun:
            return
        self._is_begun = True
        try:
            self._begin(new, kept)
        finally:
            self._is_begun = False

    def _begin(self, new: Iterable[Variable], kept: Kept) -> None:
        found = sorted(
            self._definitions.slice_of(new, lambda v: (kept.key, v) in self._joined),
            key=self._definitions.order,
        )
        for variable in found:
            if variable not in self._known:
                self._known.add(variable)
                self._definitions.slice_mask(variable)
                self._definitions.range(variable)
                self._elimination.rests_on_lone_leaves(variable)
                self._tightness.of(own(variable))
        for variable in found:
            if len(found) >= limits.CHAIN_VARIABLES and self._is_new(variable, kept):
                self._elimination.mask(variable, kept)
                self._elimination.kept_mask(variable, kept)
                self._elimination.joint(frozenset((variable,)), kept)
            self._joined.add((kept.key, variable))

    def ranges(self, variables: Iterable[Variable]) -> None:
        """Let the ranges of VARIABLES, and of what they are computed from, be known."""
        new = [v for v in variables if v not in self._ranged]
        if not new:
            return
        found = self._definitions.slice_of(new, self._ranged.__contains__)
        for variable in sorted(found, key=self._definitions.order):
            self._definitions.range(variable)
            self._ranged.add(variable)

    def _is_new(self, variable: Variable, kept: Kept) -> bool:
        return (kept.key, variable) not in self._joined and not kept.contains(variable)


def _sources(value: SSAValue) -> Iterator[SSAValue]:
    """What the operation of VALUE uses; of loops and branches, which yield results, in their regions too."""
    if isinstance(value, OpResult):
        op = value.op
        if op.regions and (questions.loop.answers(type(op)) or questions.choices.answers(type(op))):
            for inner in op.walk():
                yield from inner.operands
        else:
            yield from op.operands
    elif isinstance(value, BlockArgument):
        owner = value.block.parent_op()
        if owner is not None:
            yield from owner.operands
