"""What volcli says of a function of blocks, against its executions.

All is compared by the lines of operations: of the blocks themselves no iterations are numbered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import islpy as isl
from xdsl.ir import Operation

import volcli
from tests.oracles.blocks.execute import Event, Run, runs
from tests.oracles.blocks.programs import Program
from tests.oracles.blocks.structured import Structured
from tests.oracles.interpreter.judgement import Judgement, crash
from tests.shared.numbers import value
from volcli.facts.access import AccessFact
from volcli.facts.bounds import BoundsFact
from volcli.facts.dead import DeadFact
from volcli.facts.flow import WriteFact
from volcli.language.expressions import Expression, Parameter
from volcli.language.unchanged import operations_in

RUNS = 40


def judged(program: Program | Structured) -> Iterator[Judgement]:
    """What volcli's answers about PROGRAM are worth."""
    every = runs(program, RUNS)
    for name, judge in JUDGES.items():
        try:
            found = volcli.loads(program.text)
            yield from judge(found, every)
        except Exception as error:  # whatever it is, it belongs in the campaign's report
            yield crash(name, name, error)


def _judgement(kind: str, question: str, wrong: Sequence[Any], said: str, because: str | None) -> Judgement:
    if wrong:
        return Judgement(kind, "wrong", question, said, f"{sorted(wrong)}")
    return Judgement(kind, "loose" if because else "exact", question, said, because)


# -- flow ----------------------------------------------------------------------------------------------


def _flow(program: volcli.Program, every: Sequence[Run]) -> Iterator[Judgement]:
    facts = [fact for function in program.functions for fact in function.flow()]
    alike: dict[tuple[int, str], list[dict[str, Any]]] = {}
    for each in facts:  # a block in front of which ways meet may be two copies
        fact = {**each.to_json(), "is_whole": isinstance(each, WriteFact) and each.is_wholly_dead}
        alike.setdefault((fact["line"], fact["kind"]), []).append(fact)
    for (line, kind), found in alike.items():
        match kind:
            case "read":
                yield _of_read(found, line, every)
            case "write":
                yield from (_of_write(fact, line, every) for fact in found if len(found) == 1)
            case _:
                for fact in found:
                    yield from _of_buffer(fact, every)
    program.run("memory-flow")
    for finding in program.diagnostics:
        line = finding.place.line
        if finding.code == "V206":
            yield _judgement("V206", str(line), _used(line, every), finding.message, None)
        elif finding.code == "V205":
            bad = [
                n
                for n, run in enumerate(every)
                if run.is_finished
                and any(event.line == line for event in run.events)
                and not any(at == line and buffer is None for at, buffer, _ in run.unwritten)
            ]
            yield _judgement("V205", str(line), bad, finding.message, None)


def _of_read(facts: Sequence[dict[str, Any]], line: int, every: Sequence[Run]) -> Judgement:
    because = next((fact["reason"] for fact in facts if fact["reason"]), None)
    if any(fact["reason"] and not fact["sources"] and fact["unwritten"] is None for fact in facts):
        return Judgement("flow", "unknown", str(line), "", because)
    said = {source["source"]["line"] for fact in facts for source in fact["sources"]}
    missing = {f"{w} to {r}" for run in every for w, r in run.flow if r == line and w not in said}
    if all(fact["unwritten"] is None for fact in facts):
        missing |= {f"nothing to {line}" for run in every for at, *_ in run.unwritten if at == line}
    return _judgement("flow", str(line), sorted(missing), str(sorted(said)), because)


def _used(line: int, every: Sequence[Run]) -> list[str]:
    return [f"read in run {n}" for n, run in enumerate(every) if line in run.used]


def _of_write(fact: dict[str, Any], line: int, every: Sequence[Run]) -> Judgement:
    if fact["dead"] is None:
        return Judgement("dead", "unknown" if fact["reason"] else "exact", str(line), "", fact["reason"])
    wrong = _used(line, every) if fact["is_whole"] else []
    return _judgement("dead", str(line), wrong, fact["dead"], fact["reason"])


def _of_buffer(fact: dict[str, Any], every: Sequence[Run]) -> Iterator[Judgement]:
    name = fact["value"]
    if name not in ("%a", "%b"):
        return
    read = {(at, e) for run in every for _, at, e in run.unwritten if at == name}
    left = {(at, e) for run in every for at, e in run.left if at == name}
    for side, true in (("live_in", read), ("live_out", left)):
        said = fact[side]
        inside = isl.Set("{ [x] : false }" if said is None else said)
        missing = [at for at in true if not _contains(inside, at[1])]
        yield _judgement(side, name, missing, str(said), fact["reason"])


def _contains(points: isl.Set, element: int) -> bool:
    return not points.intersect(isl.Set(f"{{ [{element}] }}")).is_empty()


# -- dependences and loops -----------------------------------------------------------------------------


def _conflicts(events: Sequence[Event]) -> Iterator[tuple[Event, Event]]:
    """Accesses to one element, one of which writes, as they follow each other."""
    before: dict[Any, list[Event]] = {}
    for event in events:
        earlier = before.setdefault((event.buffer, event.element), [])
        yield from ((each, event) for each in earlier if each.is_write or event.is_write)
        earlier.append(event)


def _dependences(program: volcli.Program, every: Sequence[Run]) -> Iterator[Judgement]:
    said: dict[tuple[int, int], str | None] = {}
    for function in program.functions:
        for fact in function.dependences():
            row = fact.to_json()
            said[row["source"]["line"], row["sink"]["line"]] = row["reason"]
    true = {(x.line, y.line) for run in every for x, y in _conflicts(run.events)}
    for pair in sorted(true):
        worth = "wrong" if pair not in said else "loose" if said[pair] else "exact"
        yield Judgement("dependence", worth, str(pair), "", said.get(pair, "missing"))


def _loops(program: volcli.Program, every: Sequence[Run]) -> Iterator[Judgement]:
    lines = program.source.text.split("\n")

    def need_an_order(x: Event, y: Event) -> bool:
        """Not writes of one value, the argument %v."""
        return not all("memref.store %v," in lines[event.line - 1] for event in (x, y))

    pairs = [(x, y) for run in every for x, y in _conflicts(run.events) if need_an_order(x, y)]
    carrying = {line for x, y in pairs for line in _between(x, y)}
    for function in program.functions:
        for fact in function.loops():
            if fact.kind == "parallel" and "scf.for" in str(fact.to_json()["op"]):
                wrong = [fact.place.line] if fact.place.line in carrying else []
                yield _judgement("loop", str(fact.place.line), wrong, fact.kind, None)


def _between(source: Event, sink: Event) -> Iterator[int]:
    """The loops of which two accesses are in different iterations, and in the same one of those around."""
    for (*run, number), (*other_run, other) in zip(source.loops, sink.loops, strict=False):
        if run != other_run:
            return
        if number != other:
            yield run[0]
            return


# -- bounds --------------------------------------------------------------------------------------------


def _access(program: volcli.Program, every: Sequence[Run]) -> Iterator[Judgement]:
    alike: dict[int, list[AccessFact]] = {}
    for function in program.functions:
        for fact in function.accesses():
            alike.setdefault(fact.place.line or 0, []).append(fact)
    for line, facts in alike.items():  # of a block that is two copies, one may never run
        said = {fact.verdict for fact in facts}
        if said == {"in-bounds"}:
            outside = any(run.outside == line for run in every)
            yield _judgement("access", str(line), ["out of bounds"] * outside, "in-bounds", None)
        elif all(fact.verdict == "out-of-bounds" and fact.always for fact in facts):
            wrong = [
                n
                for n, run in enumerate(every)
                if run.is_finished and any(event.line == line for event in run.events)
            ]
            yield _judgement("access", str(line), wrong, "out-of-bounds", None)
        else:
            reason = next((fact.reason for fact in facts if fact.verdict == "unknown"), None)
            worth = "exact" if said <= {"in-bounds", "out-of-bounds"} else "unknown"
            yield Judgement("access", worth, str(line), str(sorted(said)), reason)


def _bounds(program: volcli.Program, every: Sequence[Run]) -> Iterator[Judgement]:
    for name in dict.fromkeys(name for run in every for name in run.values):
        (function,) = program.functions
        fact = function.bounds(name)
        wrong = [v for run in every for v in run.values.get(name, ()) if _is_outside(fact, v, run.arguments)]
        because = None if fact.certainty.degree == "exact" else fact.certainty.reason or "not exact"
        yield _judgement("bounds", name, wrong, f"[{fact.lower}, {fact.upper}]", because)


def _is_outside(fact: BoundsFact, number: int, arguments: Mapping[str, int]) -> bool:
    """Whether NUMBER is not within the numbers of FACT, or its expressions over these ARGUMENTS."""
    low, high = (
        [end for end in (side.constant, _at(side.expression, arguments)) if end is not None]
        for side in (fact.lower, fact.upper)
    )
    return fact.never or any(number < end for end in low) or any(number > end for end in high)


def _at(expression: Expression | None, arguments: Mapping[str, int]) -> int | None:
    """What EXPRESSION is for ARGUMENTS; None if it is over other values."""
    names = {} if expression is None else {a: a.name for a in expression.atoms() if isinstance(a, Parameter)}
    if expression is None or not arguments.keys() >= {*names.values()}:
        return None
    return value(expression, {atom: arguments[name] for atom, name in names.items()})


# -- dead code -----------------------------------------------------------------------------------------


def _dead(program: volcli.Program, every: Sequence[Run]) -> Iterator[Judgement]:
    """What is said never to run; and what never did, where each run came to an end."""
    (unit,) = program.units
    (model,) = unit.models()
    executed = set[int]().union(*(run.executed for run in every))

    def lines(ops: Iterable[Operation]) -> set[int]:
        return {unit.parsed.written_at(op).line for op in ops}

    said: set[int] = set()
    program.run("dead-code")
    for fact in (each for each in program.facts if isinstance(each, DeadFact)):
        op = unit.operation(fact.where)
        assert op is not None
        blocks = [op.successors[fact.region]] if fact.kind == "block" else op.regions[fact.region].blocks
        inside = lines(each for block in blocks for top in block.ops for each in top.walk())
        said |= inside
        yield _judgement("dead code", str(fact.place.line), sorted(inside & executed), fact.text, None)
    if all(run.is_finished for run in every):
        with_results = lines(op for op in operations_in(model.function) if op.results)
        for line in sorted(with_results - executed - said):
            yield Judgement("dead code", "unknown", str(line), "", "no run executes it")


JUDGES: dict[str, Callable[[volcli.Program, Sequence[Run]], Iterator[Judgement]]] = {
    "flow": _flow,
    "dependences": _dependences,
    "loops": _loops,
    "access": _access,
    "bounds": _bounds,
    "dead code": _dead,
}
