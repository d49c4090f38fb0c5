"""Whether two versions of a function differ on small inputs: both are executed on each, and compared.

The inputs are the small instances of `volcli.execution.runs.instances`; floats are terms, so that what an
element is computed from is compared for all inputs at once, or random numbers where terms do not do, as in a
branch.
All of it has one limit of iterations and of terms, which is the same in each run.

What is too large to be executed, by sizes that are constant, is compared in some elements of the results, and
only what these are computed from is executed: those at borders first (see `places`).
"""

# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownParameterType=false
# Values are numbers of any type, and arrays of any dtype.

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial

from xdsl.dialects.builtin import DYNAMIC_INDEX, IntegerType, ShapedType
from xdsl.utils.type import get_element_type_or_self

from volcli.diagnostics.counted import counted
from volcli.equivalence.trials.exactness import has_floats, has_promises, numbers_of_floats
from volcli.equivalence.trials.executed import compared
from volcli.equivalence.trials.places import drawn, numbers_of
from volcli.equivalence.trials.unseen import undefined_unseen
from volcli.equivalence.trials.versions import Discrepancy, Instance, Unlike, Version
from volcli.execution.runs.inputs import Inputs
from volcli.execution.runs.instances import all_equal, small, uncommon
from volcli.language.interface import operation_name
from volcli.limits import execution as limits

_FEW = 4
"""Integers are drawn so often at least, also where all sizes are constant."""
_INTEGERS = ("random", "iota", "zeros")
"""What elements are in turn that are integers, and may be used as indices."""


@dataclass(frozen=True)
class Trial:
    """Of how many `instances` the results were compared, with sizes up to `largest`, and the `discrepancies`.

    `elements` of the results were compared, if not all of them. `obstacle` is why no other instance was
    tried; None if all were. It `is_large` if none can be executed as a whole.
    """

    instances: int
    largest: int
    discrepancies: tuple[Discrepancy, ...] = ()
    obstacle: str | None = None
    elements: int = 0
    is_large: bool = False

    def __str__(self) -> str:
        if not self.instances:
            return f"not tried: {self.obstacle or 'BEFORE is undefined in all small instances'}"
        why = f" ({self.obstacle})" if self.obstacle else ""
        sizes = f" with sizes up to {self.largest}" if self.largest else ""
        if self.elements:
            return f"no difference in {counted(self.elements, 'element')}{sizes}{why}"
        return f"no difference in {counted(self.instances, 'instance')}{sizes}{why}"


@dataclass(frozen=True)
class _Trying:
    """Two versions, of whose results all elements are compared, or those that are drawn (`by_element`)."""

    before: Version
    after: Version
    by_element: bool = False
    numbers: frozenset[int] = frozenset()

    def instance(self, inputs: Inputs, steps: int) -> Instance | None:
        """What comes of INPUTS. As `compared`."""
        places = None
        if self.by_element:
            places = partial(drawn, numbers=self.numbers, seed=inputs.seed)
        return compared(self.before, self.after, inputs, steps, places)

    @property
    def steps(self) -> int:
        """Of all instances."""
        return int(limits.DRAWN_STEPS if self.by_element else limits.TRIAL_STEPS)

    @property
    def numeric(self) -> str:
        """What floats are where they are no terms: of random numbers, none is made without the others."""
        return "iota" if self.by_element else "random"


def tried(before: Version, after: Version) -> Trial:
    """Execute BEFORE and AFTER on small instances, until one differs.

    If they are too large to be executed as a whole, some elements of the results are compared.
    """
    if not all(version.function.regions[0].blocks for version in (before, after)):
        return Trial(0, 0, obstacle="it has no body")
    sizes = _sizes(before, after)
    if sizes is None or len(before.results) != len(after.results):
        return Trial(0, 0, obstacle="the arguments or results have other types")
    found = _each(_Trying(before, after), sizes)
    if found == Trial(0, 0) or (found.is_large and before.walks):
        written = _as_written(_Trying(before, after), sizes)
        found = written if written.discrepancies or not found.is_large else found
    if not found.is_large:
        return found if found.discrepancies else _extreme(_Trying(before, after), sizes, found)
    if not before.walks and (op := undefined_unseen(before.function)) is not None:
        why = f"{found.obstacle}, and '{operation_name(op)}' may be undefined in elements that are not drawn"
        return replace(found, obstacle=why)
    numbers = frozenset(numbers_of(before.function) | numbers_of(after.function))
    return _each(_Trying(before, after, by_element=True, numbers=numbers), sizes)


def _as_written(trying: _Trying, sizes: Mapping[tuple[str, int], int]) -> Trial:
    """Try the instance in which sizes and index values are the greatest number in the text of BEFORE.

    Loops to 60 need arrays of 60 elements, which is no small instance.
    """
    before = trying.before
    number = max((n for n in numbers_of(before.function) if n <= limits.WRITTEN_SIZE), default=0)
    base = Inputs(sizes, elements=dict.fromkeys(_integers(before), "random"), kind=trying.numeric)
    try:
        found = trying.instance(all_equal(before.names, before.kinds, base, number), limits.WRITTEN_STEPS)
    except Unlike:
        found = None
    if found is None or not found.is_defined:
        return Trial(0, 0)
    return Trial(1, number, found.discrepancies, elements=found.elements)


def _each(trying: _Trying, sizes: Mapping[tuple[str, int], int]) -> Trial:
    """Try small instances in which what the types state of SIZES holds."""
    before = trying.before
    steps, trial = trying.steps, Trial(0, 0)
    kind = "terms"
    base = Inputs(sizes)
    instances = [each for made in (small, uncommon) for each in made(before.names, before.kinds, base)]
    for seed, instance in enumerate(instances * max(1, _FEW // len(instances))):
        elements = _INTEGERS[trying.by_element :]
        given = dict.fromkeys(_integers(before), elements[seed % len(elements)])
        instance = replace(instance, seed=seed, elements=given)
        try:
            found = trying.instance(replace(instance, kind=kind), steps)
            if found is None and kind == "terms":
                kind = trying.numeric
                found = trying.instance(replace(instance, kind=kind), steps)
        except Unlike as why:
            is_first = not trial.instances
            text = str(why) if is_first or not why.is_large else f"more than {trying.steps:,} steps"
            return replace(trial, obstacle=text, is_large=why.is_large and is_first)
        if found is None:
            return replace(trial, obstacle="it depends on numbers that are not known")
        steps -= found.steps + (0 if trying.by_element else _terms(before, found.inputs))
        if found.is_defined:
            chosen = [size for at, size in instance.sizes.items() if at not in sizes]
            largest = max(trial.largest, *chosen, *map(int, instance.numbers.values()), 0)
            trial = Trial(trial.instances + 1, largest, elements=trial.elements + found.elements)
        if found.discrepancies:
            return replace(trial, discrepancies=_in_numbers(trying, found).discrepancies)
        if steps <= 0:
            return replace(trial, obstacle=found.obstacle or f"more than {trying.steps:,} steps")
    return trial


def _extreme(trying: _Trying, sizes: Mapping[tuple[str, int], int], trial: Trial) -> Trial:
    """TRIAL, with what executions on extreme numbers show: NaN, infinities, signs of zeros, overflow."""
    before, after = trying.before, trying.after
    kind = numbers_of_floats(before.function, after.function)
    if kind is None and (has_floats(before.function) or has_floats(after.function)):
        if not has_promises(after.function):
            return trial
        instances = small(before.names, before.kinds, Inputs(sizes, kind="signs"))
    else:
        instances = small(before.names, before.kinds, Inputs(sizes, kind=kind or "extreme"))
    steps, count = trying.steps, 0
    for seed in range(limits.EXTREME_INSTANCES):
        inputs = replace(instances[seed % len(instances)], seed=seed)
        try:
            found = compared(before, after, inputs, steps, exact=kind is not None)
        except Unlike:
            break
        if found is None:
            break
        count += found.is_defined
        steps -= found.steps
        if found.discrepancies:
            return replace(trial, discrepancies=found.discrepancies)
        if steps <= 0:
            break
    return replace(trial, instances=trial.instances + count)


def _in_numbers(trying: _Trying, found: Instance) -> Instance:
    """What was FOUND with terms, with numbers instead if terms are too long to be shown, and these differ."""
    first = found.discrepancies[0]
    if trying.by_element or not first.inputs.has_terms or len(first.text) <= limits.TRIAL_TEXT:
        return found
    try:
        other = trying.instance(replace(first.inputs, kind=trying.numeric), trying.steps)
    except Unlike:
        return found
    return found if other is None or not other.discrepancies else other


def _terms(version: Version, inputs: Inputs) -> int:
    """How many terms INPUTS have: making one takes time like an iteration."""
    found = 0
    for name, kind in zip(version.names, version.kinds, strict=True):
        if inputs.has_terms and isinstance(kind, ShapedType) and name not in inputs.elements:
            sizes = enumerate(kind.get_shape())
            found += math.prod(inputs.sizes.get((name, d), max(size, 1)) for d, size in sizes)
    return found


def _integers(version: Version) -> list[str]:
    """The arguments of VERSION whose elements are integers."""
    pairs = zip(version.names, version.kinds, strict=True)
    return [
        name
        for name, kind in pairs
        if isinstance(kind, ShapedType) and isinstance(get_element_type_or_self(kind), IntegerType)
    ]


def _sizes(before: Version, after: Version) -> dict[tuple[str, int], int] | None:
    """The sizes of arguments that a type of one of the versions states; None if no input fits both.

    A tensor may have become a memref.
    """
    found: dict[tuple[str, int], int] = {}
    if len(before.kinds) != len(after.kinds):
        return None
    for name, one, other in zip(before.names, before.kinds, after.kinds, strict=True):
        if get_element_type_or_self(one) != get_element_type_or_self(other):
            return None
        shapes = [each.get_shape() if isinstance(each, ShapedType) else () for each in (one, other)]
        if len(shapes[0]) != len(shapes[1]) or len({isinstance(e, ShapedType) for e in (one, other)}) > 1:
            return None
        for dimension, pair in enumerate(zip(*shapes, strict=True)):
            stated = set(pair) - {DYNAMIC_INDEX}
            if len(stated) > 1:
                return None
            if stated:
                found[name, dimension] = stated.pop()
    return found
