"""Whether two versions of a function differ on small inputs: both are executed on each, and compared.

The inputs are the small instances of `volcli.execution.instances`; floats are terms, so that what an element
is computed from is compared for all inputs at once, or random numbers where terms do not do, as in a branch.
An instance counts where the first version is defined, and ends. There, the second one must do so, too, and
give equal results, and equal memory to the caller: integers bit by bit, floats as functions of real numbers
(see `valuation`). All of it has one limit of iterations and of terms, which is the same in each run.
"""

# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownParameterType=false
# Values are numbers of any type, and arrays of any dtype.

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from xdsl.dialects.builtin import DYNAMIC_INDEX, IntegerType, ModuleOp, ShapedType
from xdsl.ir import Attribute, Operation
from xdsl.utils.type import get_element_type_or_self

from volcli.equivalence.trials.differences import difference
from volcli.execution.code import Codes
from volcli.execution.engine import Outcome, Result, execute
from volcli.execution.inputs import Inputs
from volcli.execution.instances import small, uncommon
from volcli.execution.machine import Options
from volcli.execution.outcomes import Defect, Endless, LimitReached, Stopped, Undefined
from volcli.execution.terms import Terms
from volcli.limits import execution as limits

_CHECKS = frozenset(Defect) - {Defect.POISON, Defect.UNINITIALIZED}
"""Results may be undefined in part: elements that are so before may be anything after."""
_FEW = 4
"""Integers are drawn so often at least, also where all sizes are constant."""
_INTEGERS = ("random", "iota", "zeros")
"""What elements are in turn that are integers, and may be used as indices."""


@dataclass(frozen=True)
class Version:
    """A `function` of `module`, whose arguments are called `names`, without %."""

    module: ModuleOp
    function: Operation
    names: Sequence[str]
    _codes: dict[bool, Codes] = field(default_factory=dict[bool, Codes], repr=False, compare=False)

    def codes(self, *, symbolic: bool) -> Codes:
        """What the function was compiled to, with terms or without: an execution of an instance leaves it."""
        return self._codes.setdefault(symbolic, {})

    @property
    def kinds(self) -> list[Attribute]:
        """The types of its arguments."""
        return [argument.type for argument in self.function.regions[0].blocks[0].args]

    @property
    def results(self) -> Sequence[Attribute]:
        """The types of its results."""
        return self.function.properties["function_type"].outputs.data  # type: ignore[attr-defined]


@dataclass(frozen=True)
class Discrepancy:
    """What differs in the execution of `inputs`, in the names of the first version.

    `output` is "result 0" or "argument %m", "definedness", "lifetimes" or "races" where the second version
    is undefined and the first is not, or "loops" where only the first one ends.
    """

    output: str
    text: str
    inputs: Inputs


@dataclass(frozen=True)
class Trial:
    """Of how many `instances` the results were compared, with sizes up to `largest`, and the `discrepancies`.

    `obstacle` is why no other instance was tried; None if all were.
    """

    instances: int
    largest: int
    discrepancies: tuple[Discrepancy, ...] = ()
    obstacle: str | None = None

    def __str__(self) -> str:
        if not self.instances:
            return f"not tried: {self.obstacle or 'BEFORE is undefined in all small instances'}"
        plural = "s" * (self.instances != 1)
        why = f" ({self.obstacle})" if self.obstacle else ""
        sizes = f" with sizes up to {self.largest}" if self.largest else ""
        return f"no difference in {self.instances} instance{plural}{sizes}{why}"


class _Unlike(Exception):
    """The execution of an instance cannot be compared, and so of all others."""


def tried(before: Version, after: Version) -> Trial:
    """Execute BEFORE and AFTER on small instances, until one differs."""
    if not all(version.function.regions[0].blocks for version in (before, after)):
        return Trial(0, 0, obstacle="it has no body")
    sizes = _sizes(before, after)
    if sizes is None or len(before.results) != len(after.results):
        return Trial(0, 0, obstacle="the arguments or results have other types")
    steps, compared, largest = int(limits.TRIAL_STEPS), 0, 0
    kind = "terms"
    base = Inputs(sizes)
    instances = [each for made in (small, uncommon) for each in made(before.names, before.kinds, base)]
    for seed, instance in enumerate(instances * max(1, _FEW // len(instances))):
        given = dict.fromkeys(_integers(before), _INTEGERS[seed % len(_INTEGERS)])
        instance = replace(instance, seed=seed, elements=given)
        try:
            found = _compared(before, after, replace(instance, kind=kind), steps)
            if found is None and kind == "terms":
                kind = "random"
                found = _compared(before, after, replace(instance, kind=kind), steps)
        except _Unlike as why:
            return Trial(compared, largest, obstacle=str(why))
        if found is None:
            return Trial(compared, largest, obstacle="it depends on numbers that are not known")
        steps -= found.steps + _terms(before, found.inputs)
        if found.discrepancies:
            return Trial(compared + 1, largest, _in_numbers(before, after, found).discrepancies)
        if found.is_defined:
            compared += 1
            chosen = [size for at, size in instance.sizes.items() if at not in sizes]
            largest = max(largest, *chosen, *map(int, instance.numbers.values()), 0)
        if steps <= 0:
            return Trial(compared, largest, obstacle=f"more than {limits.TRIAL_STEPS:,} steps")
    return Trial(compared, largest)


def _in_numbers(before: Version, after: Version, found: _Instance) -> _Instance:
    """What was FOUND with terms, with numbers instead if terms are too long to be shown, and these differ."""
    first = found.discrepancies[0]
    if not first.inputs.has_terms or len(first.text) <= limits.TRIAL_TEXT:
        return found
    try:
        other = _compared(before, after, replace(first.inputs, kind="random"), int(limits.TRIAL_STEPS))
    except _Unlike:
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


@dataclass(frozen=True)
class _Instance:
    inputs: Inputs
    discrepancies: tuple[Discrepancy, ...]
    steps: int
    is_defined: bool = True


def _compared(before: Version, after: Version, inputs: Inputs, steps: int) -> _Instance | None:
    """What differs between BEFORE and AFTER with INPUTS; None if numbers are needed that are terms.

    Raises _Unlike if one of them cannot be executed.
    """
    terms = Terms()
    options = Options(
        _CHECKS, symbolic=inputs.has_terms, most_steps=max(steps, 1), most_bytes=limits.TRIAL_BYTES
    )
    outcomes: list[Outcome] = []
    for version in (before, after):
        found = _outcome(version, before.names, inputs, options, terms)
        is_shown = isinstance(found.stopped, Undefined | Endless)
        if is_shown and not outcomes:
            return _Instance(inputs, (), found.steps, is_defined=False)
        if found.stopped is not None and not is_shown:
            if inputs.has_terms and not isinstance(found.stopped, LimitReached):
                return None
            raise _Unlike(f"{'after' if outcomes else 'before'}: {found.stopped.message}")
        outcomes.append(found)
    used = sum(each.steps for each in outcomes)
    if (stopped := outcomes[1].stopped) is not None:
        assert isinstance(stopped, Undefined | Endless)
        return _Instance(inputs, (Discrepancy(_output_of(stopped), _stop(stopped), inputs),), used)
    return _Instance(
        inputs,
        tuple(
            Discrepancy(output, text, inputs)
            for output, one, other in _outputs(outcomes[0].results, outcomes[1].results)
            if (text := difference(one, other)) is not None
        ),
        used,
    )


def _outcome(
    version: Version, names: Sequence[str], inputs: Inputs, options: Options, terms: Terms
) -> Outcome:
    try:
        codes = version.codes(symbolic=options.symbolic)
        return execute(version.module, version.function, names, inputs, options, terms, codes=codes)
    except Stopped as error:  # an input contradicts a type, or needs too much memory
        raise _Unlike(error.message) from None


def _output_of(stopped: Undefined | Endless) -> str:
    if isinstance(stopped, Endless):
        return "loops"
    return {Defect.LIFETIME: "lifetimes", Defect.RACE: "races"}.get(stopped.kind, "definedness")


def _stop(stopped: Undefined | Endless) -> str:
    """Where the program after stops, and the one before does not."""
    name = f"'{stopped.operation.name}' op" if stopped.operation is not None else "it"
    where = f", in {', in '.join(text for _, text in stopped.trail)}" if stopped.trail else ""
    if isinstance(stopped, Endless):
        return f"after: {name}: {stopped.message}{where}, and BEFORE ends"
    return f"after: {name} is undefined: {stopped.message}{where}, and BEFORE is defined"


def _outputs(before: Sequence[Result], after: Sequence[Result]) -> Iterator[tuple[str, Result, Result]]:
    """The results, and the memory of the caller, of which BEFORE has some: a tensor may be memory after.

    What BEFORE has freed nobody may read.
    """
    memory = {each.name: each for each in after if each.name is not None}
    results = (each for each in after if each.name is None)
    for position, one in enumerate(before):
        if one.name is None:
            yield f"result {position}", one, next(results)
        elif one.value.allocation.freed is None:
            yield f"argument %{one.name}", one, memory[one.name]
