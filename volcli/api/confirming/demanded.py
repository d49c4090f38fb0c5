"""Elements of tensors that are too large to be computed as a whole: a few of each, on demand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.dialects.builtin import ModuleOp, ShapedType, TensorType
from xdsl.ir import Attribute, SSAValue
from xdsl.utils.hints import isa

from volcli.api.confirming.elements import chosen
from volcli.api.confirming.runs import SampledRun
from volcli.api.confirming.values import value_at
from volcli.execution.memory.machine import Options
from volcli.execution.numbers.terms import Terms
from volcli.execution.outcomes import Stopped
from volcli.execution.runs.engine import DemandedElements, execute
from volcli.execution.runs.inputs import Inputs, made
from volcli.execution.runs.recording import Recorder
from volcli.facts.fact import Fact
from volcli.facts.maps import MapFact
from volcli.facts.regions import RegionsFact
from volcli.limits import execution as limits
from volcli.model.function import FunctionModel
from volcli.passes.base import Unit


def demanded_runs(unit: Unit, model: FunctionModel, facts: Sequence[Fact]) -> Iterator[SampledRun]:
    """Executions of the function of MODEL, each for some elements of one tensor that FACTS are about.

    Its sizes are those of its type; what is recorded is the arguments, which parameters stand for.
    """
    module, function = unit.parsed.module, model.function
    assert isinstance(module, ModuleOp)
    names = unit.parsed.names.of_arguments(function)
    inputs = Inputs(kind="terms")
    for value in _values(unit, model, facts):
        assert isinstance(value.type, ShapedType)
        indices = chosen(value.type.get_shape(), limits.CONFIRMED_DEMANDED)
        demand = DemandedElements(unit.parsed.names.of(value), value, indices)
        options = Options(
            symbolic=True,
            demands=True,
            traced=frozenset([value]),
            most_steps=limits.COMPARING_STEPS,
            most_bytes=limits.CONFIRMING_BYTES,
        )
        try:
            outcome = execute(
                module, function, names, inputs, options, Terms(limits.COMPARING_STEPS), demand=demand
            )
        except Stopped:
            continue
        if outcome.stopped is None:
            found = list(zip(indices, (each for _, each in outcome.trace), strict=True))
            recorder = Recorder(module, options)
            arguments = function.regions[0].blocks[0].args
            kinds = [each.type for each in arguments]
            recorder.note(arguments, made(recorder, names, kinds, inputs).values)
            yield SampledRun(unit, function, inputs, recorder, None, True, {value: found})


def _values(unit: Unit, model: FunctionModel, facts: Sequence[Fact]) -> list[SSAValue]:
    """The tensors of known sizes that FACTS say the map or the regions of, each once."""
    found: dict[SSAValue, None] = {}
    for fact in facts:
        if isinstance(fact, MapFact | RegionsFact):
            value = value_at(unit, model.function, fact, fact.value)
            kind = None if value is None else value.type
            if (
                value is not None
                and isa(kind, TensorType[Attribute])
                and min(kind.get_shape(), default=1) > 0
            ):
                found[value] = None
    return list(found)
