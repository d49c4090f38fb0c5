"""volcli's answers about a program; the rest knows no volcli."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import islpy as isl

import volcli
from tests.oracles.interpreter.judgement import Judgement, crash
from tests.oracles.memory.judge import Answer, Hull, Witness, judge, judge_loop
from tests.oracles.memory.memrefs import Index
from tests.oracles.memory.programs import Program, Question
from volcli.model.memory.dependences import answers
from volcli.model.memory.dependences.model import Memory
from volcli.model.memory.loops.loops import Loops
from volcli.presburger.sets.names import identifier

DIM = isl.dim_type


def judged(program: Program) -> Iterator[Judgement]:
    """What volcli's answers about PROGRAM are worth."""
    try:
        memory = memory_of(program)
        assert len(memory.sites) == len(program.sites), f"{len(memory.sites)} sites"
    except Exception as error:  # whatever it is, it belongs in the campaign's report
        yield crash("program", "load", error)
        return
    for question in program.questions():
        try:
            yield judge(program, question, answered(program, memory, question))
        except Exception as error:
            yield crash("dependence", str(question), error)
    try:
        for number, loop in enumerate(Loops(memory).all()):
            yield judge_loop(program, number, loop.kind.value, loop.because)
    except Exception as error:
        yield crash("loop", "all", error)


def memory_of(program: Program) -> Memory:
    """PROGRAM's accesses as volcli sees them."""
    (unit,) = volcli.load(program.text).units
    (model,) = unit.models()
    return model.memory


def answered(program: Program, memory: Memory, question: Question) -> Answer:
    """volcli's answer to QUESTION."""
    source, sink = memory.sites[question.source], memory.sites[question.sink]
    said = memory.dependence(source, sink, question.depth)
    distances, witness = said.distances.points, memory.witness(said)
    named = None if distances is None else parameters(memory, distances, program)
    return Answer(
        verdict=said.verdict.value,
        kind=said.kind.value,
        distances=None if distances is None or named is None else lambda v: points(distances, named, v),
        own_hull=None if distances is None else lambda: hull_of(distances),
        hull=said.hull,
        exact=said.distances.exact,
        witness=None if witness is None else witness_of(witness),
        because=said.because,
        text=f"{said.verdict.value} {distances} hull {said.hull} {witness}",
    )


def witness_of(said: answers.Witness) -> Witness:
    """A pair of iterations."""
    return Witness(tuple(said.source), tuple(said.sink), tuple(said.element), dict(said.parameters))


def parameters(memory: Memory, distances: isl.Set, program: Program) -> Mapping[int, int]:
    """Which parameter of the program each parameter of DISTANCES is, by their positions."""
    known = {identifier(name): position for position, name in enumerate(program.parameters)}
    found: dict[int, int] = {}
    for position in range(distances.dim(DIM.param)):
        if not distances.involves_dims(DIM.param, position, 1):
            continue
        name = distances.get_dim_name(DIM.param, position)
        assert name is not None, "a parameter without a name"
        if name not in known:  # the engine's own name of an SSA value
            name = identifier(memory.bounds.texts.of_variable(memory.bounds.elimination.variable(name)))
        found[position] = known[name]
    return found


def points(distances: isl.Set, named: Mapping[int, int], vector: Index) -> set[Index]:
    """The vectors of DISTANCES for one vector of parameters."""
    fixed = distances
    for position, parameter in named.items():
        fixed = fixed.fix_val(DIM.param, position, isl.Val(vector[parameter]))
    fixed = fixed.project_out_all_params()
    found: set[Index] = set()
    rank = fixed.dim(DIM.set)

    def note(point: isl.Point) -> None:
        found.add(tuple(point.get_coordinate_val(DIM.set, n).to_python() for n in range(rank)))

    fixed.foreach_point(note)
    return found


def hull_of(distances: isl.Set) -> Hull:
    """The least and the greatest of each component, for all parameters."""
    every = distances.project_out_all_params()

    def bound(value: isl.Val) -> int | None:
        return value.to_python() if value.is_int() else None

    return tuple(
        (bound(every.dim_min_val(n)), bound(every.dim_max_val(n))) for n in range(every.dim(DIM.set))
    )
