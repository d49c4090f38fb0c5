"""volcli's answers about loops, and what they are worth; the rest knows no volcli."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from xdsl.dialects.builtin import UnitAttr
from xdsl.ir import Operation

import volcli
from tests.oracles.interpreter.judgement import Judgement, crash
from tests.oracles.nests.draw import bindings
from tests.oracles.nests.programs import Access, Loop, Node, Program, walk
from tests.oracles.nests.rewritings import bands, fused, in_lanes, reordered, replaced
from tests.oracles.nests.run import Instance, Machine, Outcome, conflicts
from volcli.model.memory.checks.races.races import MARK, Races
from volcli.model.memory.dependences.model import Memory
from volcli.model.memory.loops.fusions import Fusions
from volcli.model.memory.loops.legality import Legality
from volcli.model.memory.loops.loops import Loops


def judged(program: Program) -> list[Judgement]:
    """What volcli's answers about PROGRAM are worth."""
    try:
        return list(Judge(program).all())
    except Exception as error:  # whatever it is, it belongs in the campaign's report
        return [crash("program", "all", error)]


class Judge:
    """Compares answers with runs."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.bindings = bindings(program)
        self.before = [Machine(program, binding).outcome for binding in self.bindings]
        self.loops = [node for node in walk(program.body) if isinstance(node, Loop)]

    def all(self) -> Iterator[Judgement]:
        memory = _memory(self.program)
        loops = Loops(memory)
        found = [op for op in memory.function.walk() if memory.nests.of_operation(op)]
        of = dict(zip(found, self.loops, strict=True))
        yield from self._bands(Legality(loops), of)
        yield from self._fusions(Fusions(loops), of)
        yield from self._lanes(Legality(loops), of)
        for answer in loops.all():
            yield self._loop("loop", of[answer.op], answer.kind.value, answer.assumptions, answer.because)
        for op in found:
            op.attributes[MARK] = UnitAttr()
        for answer in Races(memory).all():
            yield self._loop("race", of[answer.op], answer.verdict.value, answer.assumptions, answer.because)

    def _holds(self, rewritten: Sequence[Program], assumptions: Sequence[str]) -> bool:
        """Whether REWRITTEN programs show the same in all runs that ASSUMPTIONS do not exclude."""
        return all(
            Machine(each, binding).outcome.shown() == before.shown()
            for binding, before in zip(self.bindings, self.before, strict=True)
            if not binding.is_excluded(assumptions)
            for each in rewritten
        )

    def _with(self, loop: Loop, rewritings: Iterable[Sequence[Node]]) -> list[Program]:
        body = self.program.body
        return [replace(self.program, body=replaced(body, loop, nodes)) for nodes in rewritings]

    def _bands(self, legality: Legality, of: dict[Operation, Loop]) -> Iterator[Judgement]:
        said = {of[band.levels[0].op]: band.assumptions for band in legality.bands()}
        for loop in self.loops:
            if loop in self.program.body and any(isinstance(inner, Loop) for inner in loop.body):
                programs = self._with(loop, ([each] for each in bands(loop)))
                if loop in said:
                    worth = "exact" if self._holds(programs, said[loop]) else "wrong"
                    yield Judgement("band", worth, "", f"{loop.ivs} {said[loop]}")
                else:
                    missed = len(loop.body) == 1 and self._holds(programs, ())
                    yield Judgement("band", "missed" if missed else "exact", "", "none")

    def _fusions(self, fusions: Fusions, of: dict[Operation, Loop]) -> Iterator[Judgement]:
        for fusion in fusions.all():
            first, second = of[fusion.first], of[fusion.second]
            body = replaced(self.program.body, second, ())
            without = replace(self.program, body=body)
            orders = list(fused(first, second))
            if any(_carries(run, loop) for run in self.before for loop in (first, second)):
                orders = orders[:1]  # a race: what it shows depends on the order already
            programs = [replace(without, body=replaced(without.body, first, [each])) for each in orders]
            said = f"{fusion.legal.value} {fusion.because} {fusion.assumptions}"
            match fusion.legal.value:
                case "yes":
                    worth = "exact" if self._holds(programs, fusion.assumptions) else "wrong"
                case "no":
                    worth = "exact" if self._collide(first, second) else "overclaimed"
                case _:
                    worth = "unknown" if fusion.because else "wrong"
            yield Judgement("fusion", worth, "", said, fusion.because)

    def _collide(self, first: Loop, second: Loop) -> bool:
        """Whether an iteration of SECOND needs a later one of FIRST (any other one, if that has no order)."""
        numbers = [{n.number for n in walk([loop]) if isinstance(n, Access)} for loop in (first, second)]
        is_parallel = first.is_parallel
        for (one, at), (other, then) in conflicts(self.before[0]):
            i, j = dict(at).get(first.ivs[0]), dict(then).get(second.ivs[0])
            if one not in numbers[0] or other not in numbers[1] or i is None or j is None:
                continue
            if i > j or (is_parallel and i != j):
                return True
        return is_parallel and not second.is_parallel and _carries(self.before[0], second)

    def _lanes(self, legality: Legality, of: dict[Operation, Loop]) -> Iterator[Judgement]:
        for answer, lanes in legality.vectors():
            programs = self._with(of[answer.op], [in_lanes(of[answer.op], lanes)])
            worth = "exact" if self._holds(programs, answer.assumptions) else "wrong"
            yield Judgement("lanes", worth, "", f"{lanes} {answer.assumptions}")

    def _loop(
        self, kind: str, loop: Loop, said: str, assumptions: Sequence[str], because: str | None
    ) -> Judgement:
        text = f"{loop.ivs} {said} {tuple(assumptions)}"
        if said in ("parallel", "race-free"):
            runs = [
                o for b, o in zip(self.bindings, self.before, strict=True) if not b.is_excluded(assumptions)
            ]
            holds = self._holds(self._with(loop, ([each] for each in reordered(loop))), assumptions)
            is_wrong = any(_carries(run, loop) for run in runs) or not holds
            return Judgement(kind, "wrong" if is_wrong else "exact", "", text)
        if said in ("carried", "race"):
            return Judgement(kind, "exact" if _carries(self.before[0], loop) else "overclaimed", "", text)
        return Judgement(kind, "unknown" if because else "wrong", "", text, because)


def _carries(outcome: Outcome, loop: Loop) -> bool:
    """Whether two iterations of LOOP conflict, in one iteration of the loops around it."""
    (iv,) = loop.ivs
    numbers = {node.number for node in walk([loop]) if isinstance(node, Access)}

    def outside(instance: Instance) -> tuple[tuple[str, int], ...]:
        return tuple(each for each in instance[1] if each[0] < iv)  # %i is around %j

    return any(
        first[0] in numbers
        and second[0] in numbers
        and outside(first) == outside(second)
        and dict(first[1])[iv] != dict(second[1])[iv]
        for first, second in conflicts(outcome)
    )


def _memory(program: Program) -> Memory:
    (unit,) = volcli.load(program.text).units
    return next(model.memory for model in unit.models() if model.name == "f")
