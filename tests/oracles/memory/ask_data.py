"""volcli's answers about programs whose subscripts depend on data, against runs of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import islpy as isl

import volcli
from tests.oracles.memory.ask import DIM
from tests.oracles.memory.data import Ivs, Program, Run
from volcli.model.function import FunctionModel
from volcli.model.memory.checks.accesses.accesses import AccessChecks
from volcli.model.memory.checks.answers.access_answers import AccessVerdict
from volcli.model.memory.dependences.model import Memory
from volcli.model.memory.flow.answers import ReadFlow, WriteFlow
from volcli.model.memory.flow.flows import MemoryFlow

MOST_ITERATIONS = 8


def failures(program: Program, found: list[Run], budget: int | None = None) -> Iterator[str]:
    """What is said of PROGRAM, and is not so in one of the runs FOUND."""
    (unit,) = volcli.load(program.text, budget=budget).units
    model = next(each for each in unit.models() if each.name == "f")
    judge = Judge(model.memory, {id(s): unit.parsed.written_at(s.op).line for s in model.memory.sites})
    options = {} if budget is None else {"operations": budget}
    for buffer in MemoryFlow(model.memory, **options).all():
        for run in found:
            for read in buffer.reads:
                yield from judge.read(read, run)
            for write in buffer.writes:
                yield from judge.write(write, run)
    yield from judge.bounds(model, found, options)


class Judge:
    """Compares answers with runs; accesses are known by the LINES that they are on."""

    def __init__(self, memory: Memory, lines: dict[int, int]) -> None:
        self.memory = memory
        self.lines = lines

    def points(self, points: isl.Set, run: Run) -> set[Ivs] | None:
        """The points, for the values of the run; None if one of them is of an iteration only."""
        for position in reversed(range(points.dim(DIM.param))):
            name = points.get_dim_name(DIM.param, position)
            assert name is not None
            text = self.memory.bounds.texts.of_variable(self.memory.bounds.elimination.variable(name))
            if points.involves_dims(DIM.param, position, 1) and text not in run.values:
                return None
            if text in run.values:
                points = points.fix_val(DIM.param, position, isl.Val(run.values[text]))
        found: set[Ivs] = set()
        count = points.dim(DIM.set)
        fixed = points.project_out_all_params()
        for position in range(count):  # the iterations of a while have no end, those of a run have
            fixed = fixed.lower_bound_val(DIM.set, position, isl.Val(0))
            fixed = fixed.upper_bound_val(DIM.set, position, isl.Val(MOST_ITERATIONS))

        def note(point: isl.Point) -> None:
            found.add(tuple(point.get_coordinate_val(DIM.set, n).to_python() for n in range(count)))

        fixed.foreach_point(note)
        return found

    def read(self, read: ReadFlow, run: Run) -> Iterator[str]:
        line = self.lines[id(read.site)]
        if read.unwritten is None or read.never_written is None or _is_excluded(run, read.assumptions):
            return
        moments = {moment: writer for moment, writer in run.writer.items() if moment[0] == line}
        nothing = {ivs for (_, ivs), writer in moments.items() if writer is None}
        most = self.points(read.unwritten.domain(), run)
        least = self.points(read.never_written.domain(), run)
        if most is not None and nothing - most:
            yield f"{line}: reads what nothing wrote at {nothing - most}"
        if least is not None and (bad := {ivs for ivs in least if (line, ivs) in moments} - nothing):
            yield f"{line}: something wrote before {bad}"
        said = {self.lines[id(each.writer)]: each for each in read.writers if not each.writer.is_escaped}
        depth = len(read.site.levels)
        for (_, ivs), writer in moments.items():
            if writer is None or not writer[0]:
                continue
            found = said.get(writer[0])
            pairs = set[Ivs]() if found is None else self.points(found.pairs.wrap().flatten(), run)
            if pairs is not None and (*writer[1], *ivs) not in pairs:
                yield f"{line}: {ivs} is written by {writer}, which is not said"
        for number, each in said.items():
            sure = self.points((each.pairs if each.exact else each.certain).wrap().flatten(), run)
            for pair in sure or ():
                source, sink = (pair[:-depth], pair[-depth:]) if depth else (pair, ())
                if (line, sink) in moments and moments[line, sink] != (number, source):
                    yield f"{line}: {sink} is not written by {number} {source} but by {moments[line, sink]}"

    def write(self, write: WriteFlow, run: Run) -> Iterator[str]:
        line = self.lines[id(write.site)]
        is_said = write.dead is not None and not _is_excluded(run, write.assumptions)
        dead = self.points(write.dead, run) if is_said and write.dead is not None else None
        for ivs in dead or ():
            if (line, ivs) in run.ran - run.outside and (line, ivs) not in run.dead:
                yield f"{line}: {ivs} is not dead"

    def bounds(self, model: FunctionModel, found: list[Run], options: dict[str, int]) -> Iterator[str]:
        for answer in AccessChecks(model.memory, **options).all():
            if answer.slice:
                continue
            line = self.lines[id(answer.site)]
            for run in found:
                outside = {ivs for number, ivs in run.outside if number == line}
                ran = {ivs for number, ivs in run.ran if number == line}
                if answer.verdict is AccessVerdict.IN_BOUNDS and outside:
                    yield f"{line}: out of bounds at {outside}"
                if answer.verdict is AccessVerdict.OUT_OF_BOUNDS and ran and not outside:
                    yield f"{line}: in bounds"


def _is_excluded(run: Run, assumptions: Sequence[str]) -> bool:
    """Whether ASSUMPTIONS say that buffers are different which are the same memory in RUN."""
    pairs = (f"{a} and {b} are different memory" for a in run.aliased for b in run.aliased if a != b)
    return not set(pairs).isdisjoint(assumptions)
