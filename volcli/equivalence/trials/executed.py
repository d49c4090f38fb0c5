"""Two versions of a function, executed on one input: which results differ, and in which element.

An input counts where the first version is defined, and ends. There, the second one must do so, too, and give
equal results, and equal memory to the caller (see `differences`).

With `places`, results are tensors on demand, and only the elements at these places are computed. They are
asked for in rounds, the first of one element, so that a limit of steps leaves some that were compared. What
is undefined in elements that nothing asks for stays unseen: `unseen` says which programs that concerns.
"""

# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownParameterType=false
# Values are numbers of any type, and arrays of any dtype.

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from volcli.equivalence.trials.differences import Drawn, Unvalued, difference
from volcli.equivalence.trials.versions import Discrepancy, Instance, Unlike, Version
from volcli.execution.memory.machine import Machine, Options
from volcli.execution.memory.memory import MemoryView
from volcli.execution.numbers.terms import Terms
from volcli.execution.outcomes import Defect, Endless, LimitReached, Stopped, Undefined
from volcli.execution.runs.engine import Result, elements_of, execute, sizes_of
from volcli.execution.runs.inputs import InitialMemory, Inputs
from volcli.execution.walking.results import walked_results
from volcli.language.interface import operation_name
from volcli.limits import execution as limits

_CHECKS = frozenset(Defect) - {Defect.POISON, Defect.UNINITIALIZED}
"""Results may be undefined in part: elements that are so before may be anything after."""
_ROUNDS = (1, 1, 2, 4, 8, 16)
"""How many elements of each result are asked for at once."""
_SHARE = 2
"""A round may use half of the steps that are left."""
Places = Callable[[Sequence[int]], Sequence[tuple[int, ...]]]
"""Of the sizes of a result: the elements that are compared, the most telling ones first."""


class _NeedsNumbers(Exception):
    """Numbers are needed that are terms."""


class _UndefinedBefore(Exception):
    """The first version is undefined."""


@dataclass(frozen=True)
class _Run:
    """An execution of a version, by `machine`; `side` is "before" or "after"."""

    side: str
    version: Version
    machine: Machine
    results: Sequence[Result]

    def elements(self, result: Result, places: Sequence[tuple[int, ...]]) -> list[object]:
        """The elements of RESULT at PLACES. Raises as `_judged`."""
        try:
            return elements_of(self.version.function, result.value, places)
        except Stopped as stopped:
            raise _judged(self.side, stopped, self.machine) from None


class _UndefinedAfter(Exception):
    """The second version is undefined, or does not end."""

    def __init__(self, stopped: Undefined | Endless) -> None:
        super().__init__()
        self.stopped = stopped


def compared(
    before: Version,
    after: Version,
    inputs: Inputs,
    steps: int,
    places: Places | None = None,
    *,
    exact: bool = False,
) -> Instance | None:
    """What differs between BEFORE and AFTER with INPUTS; None if numbers are needed that are terms.

    Floats are compared up to the order of sums, or bit by bit if they are EXACT.

    Raises Unlike if one of them cannot be executed.
    """
    options = Options(
        _CHECKS,
        symbolic=inputs.has_terms,
        demands=places is not None,
        most_steps=max(steps, 1),
        most_bytes=limits.TRIAL_BYTES,
    )
    terms, machines = Terms(), list[Machine]()
    runs: list[_Run] = []

    def used() -> int:
        return sum(each.steps for each in machines)

    try:
        for side, version in (("before", before), ("after", after)):
            walks = options.demands and version.walks
            own = replace(options, walks=walks)
            machines.append(Machine(version.module, own, terms, version.codes(options)))
            run = _walked if walks else _results
            results = run(side, version, before.names, inputs, machines[-1])
            runs.append(_Run(side, version, machines[-1], results))
        if places is not None:
            return _ByElement(runs, inputs, places).compare()
        found = _whole(runs, inputs, exact=exact)
    except (_NeedsNumbers, Unvalued):
        return None
    except _UndefinedBefore:
        return Instance(inputs, (), used(), is_defined=False)
    except _UndefinedAfter as undefined:
        stopped = undefined.stopped
        found = (Discrepancy(_output_of(stopped), _stop(stopped), inputs),)
    return Instance(inputs, found, used())


def _results(
    side: str, version: Version, names: Sequence[str], inputs: Inputs, machine: Machine
) -> Sequence[Result]:
    """What VERSION computes. Raises as `_judged`."""
    try:
        found = execute(version.module, version.function, names, inputs, codes=machine.codes, machine=machine)
    except Stopped as error:  # an input contradicts a type, or needs too much memory
        raise Unlike(error.message, is_large=isinstance(error, LimitReached)) from None
    if found.stopped is not None:
        raise _judged(side, found.stopped, machine)
    return found.results


def _walked(
    side: str, version: Version, names: Sequence[str], inputs: Inputs, machine: Machine
) -> Sequence[Result]:
    """What VERSION computes, with memory on demand. Raises as `_judged`."""
    try:
        walk, found = walked_results(machine, version.function, names, inputs)
        if side == "before" and (op := walk.doubtful) is not None:
            raise Unlike(f"'{operation_name(op)}' may be undefined in iterations that are not executed")
        return found
    except Stopped as stopped:
        raise _judged(side, stopped, machine) from None


def _judged(side: str, stopped: Stopped, machine: Machine) -> Exception:
    """What it means for a comparison that the version of a SIDE has STOPPED."""
    if isinstance(stopped, Undefined | Endless):
        return _UndefinedBefore() if side == "before" else _UndefinedAfter(stopped)
    is_large = isinstance(stopped, LimitReached)
    if machine.options.symbolic and not is_large:
        return _NeedsNumbers()
    return Unlike(f"{side}: {stopped.message}", is_large=is_large)


def _whole(runs: Sequence[_Run], inputs: Inputs, *, exact: bool) -> tuple[Discrepancy, ...]:
    return tuple(
        Discrepancy(output, text, inputs)
        for output, one, other in _outputs(runs[0].results, runs[1].results)
        if (text := difference(one, other, exact=exact)) is not None
    )


class _ByElement:
    """Elements at PLACES of all outputs of RUNS, compared in rounds."""

    def __init__(self, runs: Sequence[_Run], inputs: Inputs, places: Places) -> None:
        self._runs = runs
        self._inputs = inputs
        outputs = _outputs(runs[0].results, runs[1].results)
        self._outputs = [each for each in outputs if not _is_unwritten(each)]
        self._places = {name: places(sizes_of(one.value)) for name, one, _ in self._outputs}
        self._drawn = {name: Drawn() for name in self._places}
        self._count = 0
        self._most = runs[0].machine.options.most_steps

    def compare(self) -> Instance:
        """Until one differs, or the steps are used up. Raises as `compared`.

        What takes too many steps is left out: the last element of a recurrence is computed from all others.
        """
        first, obstacle = 0, None
        for size in _ROUNDS:
            for name, *pair in self._outputs:
                if self._left() <= 0:
                    return self._instance(None, obstacle)
                try:
                    found = self._differing(name, pair, self._places[name][first : first + size])
                except Unlike as why:
                    if not why.is_large:
                        raise
                    obstacle = obstacle or why
                    continue
                if found is not None:
                    return self._instance(found)
            first += size
        return self._instance(None, obstacle)

    def _left(self) -> int:
        """How many steps are left; each program may use a part of them for the next elements."""
        used = sum(run.machine.steps for run in self._runs)
        left = self._most - used - sum(each.steps for each in self._drawn.values())
        for run in self._runs:
            most = run.machine.steps + max(left // _SHARE, 1)
            run.machine.options = replace(run.machine.options, most_steps=most)
        return left

    def _differing(
        self, name: str, pair: Sequence[Result], places: Sequence[tuple[int, ...]]
    ) -> Discrepancy | None:
        """The first difference of a PAIR of results at PLACES."""
        sizes = [list(sizes_of(each.value)) for each in pair]
        if sizes[0] != sizes[1]:
            text = f"it has the sizes {sizes[0]} before, and {sizes[1]} after"
            return Discrepancy(name, text, self._inputs)
        try:
            values = [run.elements(each, places) for run, each in zip(self._runs, pair, strict=True)]
        except _UndefinedAfter as undefined:
            element = places[0] if len(places) == 1 else None
            stopped = undefined.stopped
            return Discrepancy(_output_of(stopped), _stop(stopped), self._inputs, element)
        for index, before, after in zip(places, *values, strict=True):
            self._count += 1
            if (text := self._drawn[name].difference(index, before, after)) is not None:
                return Discrepancy(name, text, self._inputs, index)
        return None

    def _instance(self, found: Discrepancy | None, obstacle: Unlike | None = None) -> Instance:
        if obstacle is not None and not self._count:
            raise obstacle
        differing = () if found is None else (found,)
        steps = self._most - self._left()
        why = None if obstacle is None else "others take too many steps"
        return Instance(self._inputs, differing, steps, elements=self._count, obstacle=why)


def _is_unwritten(output: tuple[str, Result, Result]) -> bool:
    """Whether neither version writes the memory of an OUTPUT."""
    return all(isinstance(each.value, InitialMemory) for each in output[1:])


def _output_of(stopped: Undefined | Endless) -> str:
    if isinstance(stopped, Endless):
        return "loops"
    return {Defect.LIFETIME: "lifetimes", Defect.RACE: "races"}.get(stopped.kind, "definedness")


def _stop(stopped: Undefined | Endless) -> str:
    """Where the program after stops, and the one before does not."""
    name = f"'{stopped.operation.name}' op" if stopped.operation is not None else "it"
    is_race = isinstance(stopped, Undefined) and stopped.kind is Defect.RACE  # which names its iterations
    where = f", in {', in '.join(text for _, text in stopped.trail)}" if stopped.trail and not is_race else ""
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
            other = next(results, None)
            if other is None:
                raise Unlike("the programs return other results")
            yield f"result {position}", one, other
        elif not (isinstance(one.value, MemoryView) and one.value.allocation.freed is not None):
            yield f"argument %{one.name}", one, memory[one.name]
