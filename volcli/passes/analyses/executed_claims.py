"""Claims about numbers that no proof decides, executed: a run in which one fails refutes it.

    scf.for %i = %c0 to %n step %i0 { cf.assert ... }      is %n * %n < %m + 3 after it?

What the assertions say of %n and %m is not known exactly, so that no point of what is known is a witness; a
run that gets there is one. Functions whose arguments are all numbers are executed, for small ones: then the
arguments alone determine the run.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, product
from math import isqrt
from typing import cast

from xdsl.dialects.builtin import IndexType, IntegerType
from xdsl.ir import Attribute, SSAValue

from volcli.execution.memory.machine import Options
from volcli.execution.outcomes import Defect, Undefined
from volcli.execution.runs.inputs import Inputs
from volcli.execution.runs.recording import Recorder
from volcli.execution.runs.sampling import samples
from volcli.language.programs.blocks import blocks_around, home
from volcli.limits import execution as limits
from volcli.model.function import FunctionModel
from volcli.model.symbols import is_private, stated_in
from volcli.model.values.products.polynomials import value_at
from volcli.model.values.terms.assumptions import ATTRIBUTE, numbers_of_arguments, stated
from volcli.passes.base import Unit
from volcli.presburger.sets.conditions import ParsedCondition

_CHECKS = frozenset(Defect) - {Defect.POISON}
_NUMBERS = (2, 1, 3, 0, 5, -1, 4, -2, 7, -3, 20, -20)
"""Those of arguments, the more telling first."""


def counterexample(
    unit: Unit, model: FunctionModel, condition: ParsedCondition, values: Sequence[SSAValue]
) -> Mapping[str, int] | None:
    """Arguments and the numbers in CONDITION, of VALUES, in a run in which it fails; None: none is found."""
    names = unit.parsed.names.of_arguments(model.function)
    if (
        not model.function.regions[0].blocks
        or not all(map(_is_wide, (*model.function.regions[0].blocks[0].args, *values)))
        or is_private(model.function)
        or unit.given
        or not stated_in(model.function) <= {ATTRIBUTE}
        or not all(_is_about(each, names, model.name) for each in unit.assume)
    ):
        return None
    last = max(values, key=model.bounds.definitions.position)
    if not set(blocks_around(home(last))).issuperset(map(home, values)):
        return None
    terms = [(value, name.dim) for value, name in zip(values, condition.names, strict=True)]
    known: dict[tuple[int, ...], bool] = {}
    for given, run in _runs(unit, model, names):
        for numbers in run.together(terms, last):
            key = tuple(numbers)
            if key not in known:
                known[key] = condition.holds_at(numbers)
            if not known[key]:
                called = [f"%{each.value}" if each.dim is None else str(each) for each in condition.names]
                return {**given, **dict(zip(called, numbers, strict=True))}
    return None


def _is_wide(value: SSAValue) -> bool:
    """Whether VALUE is a number; one of few bits may be meant without a sign."""
    kind: Attribute = value.type
    return isinstance(kind, IndexType) or (isinstance(kind, IntegerType) and kind.bitwidth >= 8)


def _is_about(condition: ParsedCondition, arguments: Sequence[str], function: str) -> bool:
    """Whether CONDITION is about ARGUMENTS of FUNCTION alone."""
    return all(
        each.dim is None and each.function in (None, function) and each.value in arguments
        for each in condition.names
    )


def _runs(
    unit: Unit, model: FunctionModel, names: Sequence[str]
) -> Iterator[tuple[Mapping[str, int], Recorder]]:
    """Executions for arguments with these NAMES that meet what is assumed, up to what is undefined."""
    kinds = [each.type for each in model.function.regions[0].blocks[0].args]
    chosen = islice(_arguments(unit, model, names, kinds), int(limits.REFUTING_INSTANCES))
    options = Options(_CHECKS, traced=None)
    for sample in samples(unit.parsed.module, model.function, names, chosen, options, Recorder):
        if sample.outcome.stopped is None or isinstance(sample.outcome.stopped, Undefined):
            given = {f"%{name}": int(number) for name, number in sample.inputs.numbers.items()}
            yield given, cast(Recorder, sample.machine)


def _arguments(
    unit: Unit, model: FunctionModel, names: Sequence[str], kinds: Sequence[Attribute]
) -> Iterator[Inputs]:
    """Numbers for arguments with these NAMES and KINDS, which meet what is assumed or stated."""
    atoms = [number.terms[0][0] for number in numbers_of_arguments(model.function)]
    known = [each.condition for each in stated(model.function, model.name_of)]
    for chosen in islice(_chosen([_of_kind(kind) for kind in kinds]), int(limits.REFUTING_ARGUMENTS)):
        numbers, at = dict(zip(names, chosen, strict=True)), dict(zip(atoms, chosen, strict=True))
        if all(each.holds_at([numbers[name.value] for name in each.names]) for each in unit.assume) and all(
            any(all(value_at(fact, at) >= 0 for fact in case) for case in each) for each in known
        ):
            yield Inputs(numbers=numbers)


def _of_kind(kind: Attribute) -> Sequence[int]:
    """Numbers of a KIND, the more telling first."""
    if not isinstance(kind, IntegerType):
        return _NUMBERS
    greatest = (1 << kind.bitwidth - 1) - 1
    found = [*_NUMBERS, greatest, -greatest - 1, isqrt(greatest) + 1, greatest // 2 + 1]
    return [each for each in found if -greatest - 1 <= each <= greatest]


def _chosen(numbers: Sequence[Sequence[int]]) -> Iterator[Sequence[int]]:
    """One of each of NUMBERS: all of their first ones in all ways, and then any, the same in each run.

    >>> list(islice(_chosen([(2, 1, 3), (2, 1, 3)]), 5))
    [(2, 2), (2, 1), (1, 2), (1, 1), (2, 3)]
    """
    most = limits.REFUTING_INSTANCES // (1 if len(numbers) <= 2 else 2)
    few = next((n for n in range(len(_NUMBERS) + 4, 1, -1) if n ** len(numbers) <= most), 1)
    for rank in range(1, few + 1):
        for each in product(*(some[:rank] for some in numbers)):
            if rank == 1 or any(x in some[rank - 1 : rank] for x, some in zip(each, numbers, strict=True)):
                yield each
    chance = random.Random(len(numbers))
    for _ in range(int(limits.REFUTING_ARGUMENTS) if numbers else 0):
        yield [chance.choice(some) for some in numbers]
