"""V220, V221 and V222: `// volcli: expect ...`, what the author of a program holds to be true of it.

| comment                                 | means, of the operation that it is about                        |
|-----------------------------------------|-----------------------------------------------------------------|
| `expect bound %n <= 64`                 | a claim, as for --compare, about values of its function         |
| `expect in-bounds`                      | all accesses and slices in it are in bounds, for all arguments  |
| `expect parallel %i`                    | the loop of %i, in it, is parallel                              |
| `expect reduction %i`                   | the same, or it only combines values in any order               |
| `expect independent`                    | no dependence has an access in it as its source or sink         |
| `expect regions %v: dense 36, static 8` | so many elements of %v are in regions with these labels         |

Above a function it is about all that is in it, and always about each value and loop that is called so. What
is refuted is V220, what is not proved V221, both with the reason; what cannot be understood V222.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from xdsl.ir import Operation

from volcli.diagnostics import Place, UsageError
from volcli.diagnostics.counted import counted
from volcli.facts.dependences import DependenceFact
from volcli.facts.fact import Fact
from volcli.facts.regions import RegionsFact
from volcli.frontend.parse.opaque import OpaqueOperation
from volcli.gate.findings.analysed import Analysed
from volcli.gate.findings.directives import Directive
from volcli.gate.findings.finding import Finding
from volcli.language.interface import operation_name
from volcli.model.values.terms.answers import Verdict
from volcli.passes.analyses.compare_values import parse_claim

F = TypeVar("F", bound=Fact)

_WORD = re.compile(r"([a-z-]+)\s*(.*)")
_LABEL = re.compile(r"\s*([a-z][a-z0-9 ,=]*?)\s+(\d+)\s*(?:,|$)")
_FORMS = "bound, in-bounds, parallel, reduction, independent or regions"


@dataclass(frozen=True)
class _Answer:
    """Whether an expectation is fulfilled; why not."""

    verdict: Verdict
    because: str = ""


_FULFILLED = _Answer(Verdict.PROVED)
_WORST = (Verdict.REFUTED, Verdict.UNKNOWN, Verdict.PROVED)


class _NotUnderstoodError(Exception):
    """What is wrong with a comment."""


def expectations(analysed: Analysed) -> Iterator[Finding]:
    """A finding for each expectation that is not proved."""
    for directive in analysed.directives:
        if directive.mistake is not None:
            yield from _misunderstood(analysed, directive)
        if directive.kind != "expect" or directive.mistake is not None:
            continue
        line = directive.line_of(analysed.lines)
        op = None if line is None else analysed.first_in(line)
        code, said = "V222", "no operation begins here"
        if op is not None:
            code, said = _judged(analysed, op, directive)
        if code:
            place = Place(analysed.unit.parsed.source.name, directive.line, directive.column)
            yield analysed.finding(code, op, said, subject=f"expect {directive.text}", place=place)


def _misunderstood(analysed: Analysed, directive: Directive) -> Iterator[Finding]:
    """That DIRECTIVE is none, and what it may mean."""
    line = directive.line_of(analysed.lines)
    op = None if line is None else analysed.first_in(line)
    place = Place(analysed.unit.parsed.source.name, directive.line, directive.column)
    subject = f"{directive.kind} {directive.text}"
    yield analysed.finding("V222", op, directive.mistake or "", subject=subject, place=place)


def _judged(analysed: Analysed, op: Operation, directive: Directive) -> tuple[str, str]:
    """The code, "" for none, and the message for what DIRECTIVE says of OP."""
    found = analysed.function_around(op)
    if found is None:
        return "V222", "this comment does not precede a function"
    try:
        answer = _Expected(analysed, found, op).answer(directive.text)
    except _NotUnderstoodError as error:
        return "V222", str(error)
    except UsageError as error:
        return "V222", error.diagnostic.message
    if answer.verdict is Verdict.PROVED:
        return "", ""
    code, verb = ("V220", "does not hold") if answer.verdict is Verdict.REFUTED else ("V221", "is not proved")
    return code, f"'{directive.text}' {verb}" + f": {answer.because}" * bool(answer.because)


class _Expected:
    """What may be expected of OP, in a FUNCTION."""

    def __init__(self, analysed: Analysed, function: Operation, op: Operation) -> None:
        from volcli.api.function import Function  # all that can be asked: few files expect something

        self._analysed = analysed
        self._function = Function(analysed.unit, function)
        self._op = op

    @cached_property
    def _forms(self) -> Mapping[str, Callable[[str], _Answer]]:
        return {
            "bound": self._bound,
            "in-bounds": self._in_bounds,
            "parallel": lambda text: self._loop(text, ("parallel",)),
            "reduction": lambda text: self._loop(text, ("parallel", "reduction")),
            "independent": self._independent,
            "regions": self._regions,
        }

    def answer(self, text: str) -> _Answer:
        """Whether what TEXT says is so."""
        found = _WORD.fullmatch(text)
        if found is None or found[1] not in self._forms:
            raise _NotUnderstoodError(f"expect {_FORMS}, not '{text}'")
        return self._forms[found[1]](found[2])

    def _bound(self, text: str) -> _Answer:
        parse_claim(text)
        found = self._function.compare(text)
        return _Answer(found.found.verdict, found.because)

    def _in_bounds(self, text: str) -> _Answer:
        _nothing_more(text, "in-bounds")
        facts = [fact for fact in self._function.accesses() if self._is_inside(fact)]
        opaque = next((op for op in self._op.walk() if isinstance(op, OpaqueOperation)), None)
        if not facts and opaque is None:
            raise _NotUnderstoodError("nothing here accesses an element or takes a slice")
        for wrong, verdict in (("out-of-bounds", Verdict.REFUTED), ("unknown", Verdict.UNKNOWN)):
            for fact in facts:
                if fact.verdict == wrong:
                    return _Answer(verdict, f"{fact.subject} {fact.because}")
        if opaque is not None:
            because = f"what '{operation_name(opaque)}' op accesses is unknown: it was read as text"
            return _Answer(Verdict.UNKNOWN, because)
        return _FULFILLED

    def _loop(self, text: str, kinds: tuple[str, ...]) -> _Answer:
        loops = [fact for fact in self._function.loops() if self._is_inside(fact)]
        named = [fact for fact in loops if text in (fact.loop, *fact.loop.split(", "))]
        if not named:
            names = ", ".join(fact.loop for fact in loops) or "none"
            raise _NotUnderstoodError(f"no loop of '{text}' here; there are those of {names}")
        others = [fact for fact in named if fact.kind not in kinds]
        if not others:
            return _FULFILLED
        fact = min(others, key=lambda fact: fact.kind == "unknown")
        verdict = Verdict.UNKNOWN if fact.kind == "unknown" else Verdict.REFUTED
        because = "; ".join(row[2] for row in fact.rows() if row[2])
        which = fact.loop if len(named) == 1 else f"{fact.loop} in line {fact.place.line}"
        return _Answer(verdict, f"{which} is {fact.kind}" + f": {because}" * bool(because))

    def _independent(self, text: str) -> _Answer:
        _nothing_more(text, "independent")
        facts = [
            fact
            for fact in self._function.dependences()
            if fact.verdict != "independent" and self._has_an_end(fact)
        ]
        for fact in sorted(facts, key=lambda fact: fact.verdict != "dependent"):
            verdict = Verdict.REFUTED if fact.verdict == "dependent" else Verdict.UNKNOWN
            kind, source, sink, *_, first = fact.rows()[0]
            return _Answer(verdict, f"{kind} {source} -> {sink}" + f": {first}" * bool(first))
        return _FULFILLED

    def _regions(self, text: str) -> _Answer:
        name, colon, rest = text.partition(":")
        expected = {label: int(count) for label, count in _LABEL.findall(rest)}
        if not colon or not expected or _LABEL.sub("", rest).strip():
            raise _NotUnderstoodError("write labels and numbers: expect regions %v: dense 36, static 8")
        first = self._function.value(name.strip())  # raises UsageError if there is none
        called = [value for value in self._function.values if value.name == first.name]
        answers = [_counted(value.regions(), expected) for value in called]
        return min(answers, key=lambda answer: _WORST.index(answer.verdict))

    def _is_inside(self, fact: Fact) -> bool:
        op = self._analysed.operation(fact.where)
        return op is not None and self._op.is_ancestor(op)

    def _has_an_end(self, fact: DependenceFact) -> bool:
        ends = (self._analysed.at(end.place) for end in (fact.source, fact.sink))
        return any(op is not None and self._op.is_ancestor(op) for op in ends)


def _nothing_more(text: str, word: str) -> None:
    if text:
        raise _NotUnderstoodError(f"'{word}' is about the operation below, and takes no '{text}'")


def _counted(fact: RegionsFact, expected: Mapping[str, int]) -> _Answer:
    """Whether the regions of FACT have as many elements as EXPECTED, by their labels."""
    if fact.domain is None:
        return _Answer(Verdict.UNKNOWN, fact.reason or "")
    for label, count in expected.items():
        rows = [row for row in fact.regions if row.label == label]
        counts = [row.count for row in rows]
        if None in counts:
            return _Answer(Verdict.UNKNOWN, f"how many elements are {label} depends on arguments")
        total = sum(each for each in counts if each is not None)
        if total != count:
            verdict = Verdict.REFUTED if fact.exact else Verdict.UNKNOWN
            return _Answer(verdict, f"{counted(total, 'element is', 'elements are')} {label}")
    return _FULFILLED if fact.exact or not fact.reason else _Answer(Verdict.UNKNOWN, fact.reason)
