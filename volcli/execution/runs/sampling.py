"""Executions of small instances of a function, as far as the steps for all of them last."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from volcli.execution.code.code import Codes
from volcli.execution.memory.machine import Machine, Options
from volcli.execution.numbers.terms import Terms
from volcli.execution.outcomes import Endless, LimitReached, Stopped, Undefined
from volcli.execution.runs.engine import Outcome, execute
from volcli.execution.runs.inputs import Inputs
from volcli.limits import execution as limits

_OF_THE_INSTANCE = (Undefined, Endless, LimitReached)
"""What ends one execution, and perhaps not that of another instance."""


class Sample(NamedTuple):
    """One execution: what the function was given, the machine that ran it, and what came of it."""

    inputs: Inputs
    machine: Machine
    outcome: Outcome


def samples(
    module: ModuleOp,
    function: Operation,
    names: Sequence[str],
    instances: Iterable[Inputs],
    options: Options,
    made: type[Machine] = Machine,
    *,
    steps: int = limits.CONFIRMING_STEPS,
) -> Iterator[Sample]:
    """Executions of FUNCTION, with INSTANCES in turn, by machines MADE with OPTIONS, of STEPS in all.

    An instance that contradicts a type is left out; one that is undefined, never ends or needs too much
    memory ends itself alone. After an operation without execution there is no other.
    """
    left, codes = int(steps), Codes()
    for inputs in instances:
        machine = made(
            module,
            replace(options, most_steps=left, most_bytes=limits.CONFIRMING_BYTES),
            Terms(left),
            codes,
        )
        try:
            outcome = execute(module, function, names, inputs, codes=codes, machine=machine)
        except Stopped:
            left -= machine.terms.count
            continue
        yield Sample(inputs, machine, outcome)
        left -= machine.steps + machine.terms.count + 1
        stopped = outcome.stopped
        if left <= 0 or (stopped is not None and not isinstance(stopped, _OF_THE_INSTANCE)):
            return
