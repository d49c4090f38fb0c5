"""From facts to records. An answer that says nothing is the empty one: nothing can be lost of it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from xdsl.ir import Operation

from volcli.facts.access import AccessFact
from volcli.facts.bounds import BoundsFact
from volcli.facts.fact import Fact
from volcli.facts.flow import BufferFact
from volcli.facts.loops import LoopFact
from volcli.facts.preconditions import PreconditionFact
from volcli.facts.regions import RegionsFact
from volcli.facts.zeros import ZerosFact
from volcli.gate.findings.analysed import Analysed
from volcli.gate.findings.ignores import ignored_regressions
from volcli.gate.records.record import Answer, Record
from volcli.gate.records.written import written
from volcli.language.memory import is_memref
from volcli.model.symbols import entry_of

PASSES = (
    "check-accesses",
    "dependences{loops-only=true}",
    "value-bounds",
    "sparsity-regions",
    "structural-zeros",
    "memory-flow",
)
"""What has to be analysed for the records of a file."""
_NAME = re.compile(r"%[\w$.]+(?:#\d+)?")


def records(analysed: Analysed) -> Iterator[Record]:
    """What is known of a chunk of a file on which PASSES have run."""
    ignored = ignored_regressions(analysed)
    for each in _records(analysed):
        codes = ignored(each.line)
        yield replace(each, ignored=codes) if codes else each


def _records(analysed: Analysed) -> Iterator[Record]:
    at_operation: Counter[tuple[Operation | None, str]] = Counter()
    needed = {fact.function for fact in analysed.facts(PreconditionFact)}
    checked: dict[str, None] = {}
    for fact in analysed.unit.facts:
        op = analysed.operation(fact.where)
        position = at_operation[op, fact.question]
        at_operation[op, fact.question] += 1
        answer = _answer(fact)
        if isinstance(fact, AccessFact):
            checked[fact.function] = None
        names: tuple[str, ...] = ()
        if answer and isinstance(fact, PreconditionFact) and op is not None:
            names = tuple(map(analysed.unit.parsed.names.of, entry_of(op).args))
            answer = _by_position(answer, names)
        if answer is not None:
            record = _record(analysed, fact.question, fact.function, fact.subject, op, position, answer)
            yield replace(record, names=names) if names else record
    for model in analysed.models():
        if model.name in checked and model.name not in needed:
            answer = {"condition": "true"}
            yield _record(analysed, "preconditions", model.name, f"@{model.name}", model.function, 0, answer)
    yield from _written(analysed)


def _written(analysed: Analysed) -> Iterator[Record]:
    """For each argument that is memory, what its function leaves in it; also where that is not known."""
    flows = {(each.function, each.buffer): each for each in analysed.facts(BufferFact)}
    for model in analysed.models():
        arguments = entry_of(model.function).args if model.function.regions[0].blocks else ()
        names = tuple(map(analysed.unit.parsed.names.of, arguments))
        for position, (name, argument) in enumerate(zip(names, arguments, strict=True)):
            if is_memref(argument):
                fact = flows.get((model.name, name))
                answer: Answer = {} if fact is None else written(fact, names)
                record = _record(analysed, "written", model.name, name, model.function, position, answer)
                yield replace(record, names=names)


def _record(
    analysed: Analysed,
    question: str,
    function: str,
    subject: str,
    op: Operation | None,
    position: int,
    answer: Answer,
) -> Record:
    content = "" if op is None else f"{analysed.contents.whole(op)}.{position}"
    place = analysed.unit.parsed.written_at(op or analysed.unit.parsed.module)
    return Record(question, function, subject, answer, content, line=place.line, column=place.column)


def _answer(fact: Fact) -> Answer | None:
    """What FACT says; None if it is of no kind that is recorded."""
    match fact:
        case BoundsFact():
            ends = fact.lower.constant, fact.upper.constant
            says_nothing = fact.never or not fact.is_news or ends == (None, None)
            return {} if says_nothing else {"lower": ends[0], "upper": ends[1]}
        case AccessFact():
            return {"verdict": "in bounds"} if fact.verdict == "in-bounds" else {}
        case LoopFact():
            return {"kind": fact.kind} if fact.kind in ("parallel", "reduction") else {}
        case RegionsFact():
            return _regions(fact)
        case ZerosFact():
            zeros = [fact.zeros(row) for row in fact.live]
            most = max((each for each in zeros if each is not None), default=0)
            return {"zeros": most} if most else {}
        case PreconditionFact():
            text = "false" if fact.never else fact.condition
            return {} if text is None else {"condition": text}
        case _:
            return None


def _regions(fact: RegionsFact) -> Answer:
    """How many elements are zero, and how many depend on no input."""
    zero = sum(row.count or 0 for row in fact.regions if row.zero)
    static = sum(row.count or 0 for row in fact.regions if row.kind == "static")
    return {"zero": zero, "static": static} if zero or static else {}


def _by_position(answer: Answer, names: tuple[str, ...]) -> Answer:
    """ANSWER with the arguments, which are called NAMES, as %a0, %a1, ...: names are not compared."""
    positions = {name: f"%a{at}" for at, name in enumerate(names)}
    return {"condition": _NAME.sub(lambda name: positions.get(name[0], name[0]), answer["condition"])}
