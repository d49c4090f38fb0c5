"""One execution that facts are compared with: what was recorded, and what the names in facts stand for."""

# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# Values are numbers of any type, and arrays of any dtype.

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, NamedTuple, TypeVar

import islpy as isl
from xdsl.ir import Operation, SSAValue

from volcli.diagnostics import Place
from volcli.execution.outcomes import Undefined
from volcli.execution.runs.inputs import Inputs
from volcli.execution.runs.recording import Recorder
from volcli.execution.tensors.structured import shape_of
from volcli.facts.fact import Fact
from volcli.facts.names import NO_NAMES, FactNames
from volcli.frontend.parse.names import values_of
from volcli.model.memory.dependences.assumed import DIFFERENT
from volcli.passes.base import Unit
from volcli.presburger.sets.build import DIM, at_values
from volcli.presburger.sets.condition_words import ConditionError
from volcli.presburger.sets.conditions import ParsedCondition, read
from volcli.presburger.sets.names import identifier

_SIZE = re.compile(r"dim\(%([\w$.-]+), (\d+)\)")
_HOLDING = (DIFFERENT, "do not overflow")
"""How assumptions end that each execution of a small instance fulfils: arguments are different memory."""
_CHECKED = "cf.assert "
"""How assumptions begin that each execution fulfils that ends."""


@dataclass(frozen=True)
class SampledRun:
    """An execution of FUNCTION that ended, or is undefined (`stopped`); floats are terms if `is_symbolic`."""

    unit: Unit
    function: Operation
    inputs: Inputs
    recorder: Recorder
    stopped: Undefined | None
    is_symbolic: bool
    demanded: Mapping[SSAValue, Sequence[tuple[tuple[int, ...], Any]]] = field(
        default_factory=dict[SSAValue, "Sequence[tuple[tuple[int, ...], Any]]"]
    )
    """Elements of tensors of which these alone were computed, where the whole is too large."""

    @cached_property
    def numbers(self) -> Mapping[str, int]:
        """What `%n` and `dim(%a, 0)` stand for: values with a name of their own that were one number."""
        found: dict[str, int] = {}
        for name, value in named(self.unit, self.function).items():
            shapes = {shape_of(each) for each in self.recorder.seen.get(value, ())}
            numbers = {each for each in self.recorder.seen.get(value, ()) if type(each) is int}
            if len(shapes) == 1:
                found |= {f"dim({name}, {d})": size for d, size in enumerate(shapes.pop())}
            if len(numbers) == 1:
                found[name] = numbers.pop()
        return found

    @property
    def arguments(self) -> frozenset[str]:
        """The names of the function's arguments, without %."""
        return frozenset(self.unit.parsed.names.of_arguments(self.function))

    @cached_property
    def parameters(self) -> Mapping[str, int]:
        """The same by the names in sets: `n`, `a_d0`, `dim__a__0_`; none that stands for two values."""
        found: dict[str, set[int]] = {}
        for name, number in self.numbers.items():
            found.setdefault(identifier(name), set()).add(number)
            if (size := _SIZE.fullmatch(name)) is not None:
                found.setdefault(f"{identifier(size[1])}_d{size[2]}", set()).add(number)
        return {name: each.pop() for name, each in found.items() if len(each) == 1}

    def fixed(self, points: isl.Set, names: FactNames = NO_NAMES) -> isl.Set:
        """POINTS for the parameters that are known here; NAMES says what they stand for, if it says any."""
        return at_values(points, self._known(names))

    def leaves_open(self, points: isl.Set, names: FactNames = NO_NAMES) -> bool:
        """Whether POINTS depend on a parameter that is not known here: a point may be in them, or not."""
        known = self._known(names)
        return any(
            points.get_dim_name(DIM.param, k) not in known and points.involves_dims(DIM.param, k, 1)
            for k in range(points.dim(DIM.param))
        )

    def _known(self, names: FactNames) -> Mapping[str, int]:
        """The parameters that are known here, by their names in sets."""
        known = self.parameters
        if names.parameters:
            stated = {
                each.name: each.value if each.dim is None else f"dim({each.value}, {each.dim})"
                for each in names.parameters
                if each.kind != "loaded"
            }
            known = {name: self.numbers[text] for name, text in stated.items() if text in self.numbers}
        return known

    def holds(self, condition: ParsedCondition) -> bool | None:
        """Whether CONDITION, on numbers of the function, holds here; None if it names others."""
        names = [str(name) for name in condition.names]
        if not all(name in self.numbers for name in names):
            return None
        return condition.holds_at([self.numbers[name] for name in names])

    def fulfils(self, assumptions: Iterable[str]) -> bool:
        """Whether all ASSUMPTIONS hold here, as far as that is seen."""
        return all(self._fulfils(each) for each in assumptions)

    def _fulfils(self, assumption: str) -> bool:
        if assumption.endswith(_HOLDING):
            return True
        if assumption.startswith(_CHECKED):
            return self.stopped is None
        try:
            return self.holds(read(assumption)) is True
        except ConditionError:
            return False

    def seen(self, value: SSAValue) -> Sequence[Any]:
        """What VALUE was, each time that it was computed."""
        return self.recorder.seen.get(value, ())


Point = tuple[int, ...]
"""An iteration, or the index of an element."""


class Observed(NamedTuple):
    """That FACT was looked at; `wrong` is what contradicts it.

    What no fact states, and should, has a `wrong` alone, and the place.
    """

    fact: Fact | None
    wrong: str | None = None
    place: Place | None = None


class Judge(ABC):
    """Compares facts of one kind with executions: with those that end, or that are undefined, too."""

    only_ended: ClassVar[bool] = True
    symbolic: ClassVar[bool | None] = False
    """Whether floats are to be terms; None: either."""

    def wants(self, run: SampledRun) -> bool:
        """Whether RUN is one that it compares with."""
        is_of_kind = self.symbolic is None or self.symbolic == run.is_symbolic
        return is_of_kind and not (self.only_ended and run.stopped is not None)

    @abstractmethod
    def observed(self, run: SampledRun) -> Iterator[Observed]:
        """What RUN shows, and what it contradicts."""


def named(unit: Unit, function: Operation) -> dict[str, SSAValue]:
    """The values of FUNCTION by their names, but for names of several."""
    found: dict[str, SSAValue | None] = {}
    for value in values_of(function):
        name = unit.parsed.names.of(value)
        found[name] = None if name in found else value
    return {name: value for name, value in found.items() if value is not None}


def example(parameters: Mapping[str, int]) -> Inputs | None:
    """The sizes and arguments that PARAMETERS are, `%n` and `dim(%a, 0)`; None if one is something else.

    >>> example({"%n": 3, "dim(%a, 0)": 4})
    Inputs(sizes={('a', 0): 4}, numbers={'n': 3}, elements={}, kind='random', size=4, seed=0)
    """
    sizes = {(m[1], int(m[2])): number for name, number in parameters.items() if (m := _SIZE.fullmatch(name))}
    numbers = {name[1:]: number for name, number in parameters.items() if re.fullmatch(r"%[\w$.-]+", name)}
    return Inputs(sizes, numbers) if len(sizes) + len(numbers) == len(parameters) > 0 else None


F = TypeVar("F", bound=Fact)


def placed(unit: Unit, facts: Iterable[Fact], kind: type[F]) -> Iterator[tuple[Operation, F]]:
    """Those of FACTS that are of this KIND, each with the operation that it is about."""
    for fact in facts:
        if isinstance(fact, kind) and (op := unit.operation(fact.where)) is not None:
            yield op, fact


def joined(relation: isl.Map) -> isl.Set:
    """RELATION as the set of its pairs, one after the other."""
    return relation.wrap().flatten()


def dimensions(points: isl.Set) -> int:
    """How many coordinates POINTS have."""
    return points.dim(DIM.set)
