"""One chunk of a file after its analyses, as rules see it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

from xdsl.ir import Operation

from volcli.diagnostics import CODES, Diagnostic, Place
from volcli.facts.fact import Fact, Where
from volcli.gate.findings.directives import Directive, directives
from volcli.gate.findings.finding import Finding, character_at
from volcli.gate.findings.fingerprints import Fingerprints
from volcli.gate.findings.grounds import ASSUMED, CALLED, LOOP, Ground
from volcli.gate.findings.settings import Settings
from volcli.language import questions
from volcli.language.interface import operation_name
from volcli.limits import gate as limits
from volcli.model.function import FunctionModel
from volcli.model.symbols import called_by, functions, is_private, reached_from, symbol_of
from volcli.passes.base import Unit

F = TypeVar("F", bound=Fact)


_OF_COMMENTS = "V222", "V223"
"""The findings about comments, whatever iterations of loops do around these."""


@dataclass
class Analysed:
    """A UNIT on which the passes that rules need have run, of which some lines are shown."""

    unit: Unit
    settings: Settings
    shown: frozenset[int] | None = None
    """The lines of which something is found; None: all."""

    def shows(self, finding: Finding) -> bool:
        """Whether FINDING is about a line that is shown."""
        return self.shows_line(finding.line)

    def shows_line(self, line: int | None) -> bool:
        """Whether LINE is shown; what has none always is."""
        return self.shown is None or line is None or line in self.shown

    @cached_property
    def directives(self) -> list[Directive]:
        """The comments that speak to the gate, in the lines that are shown."""
        found = directives(self.unit.parsed.source)
        return [each for each in found if self.shows_line(each.line)]

    @cached_property
    def contents(self) -> Fingerprints:
        """What its operations are, apart from names and places."""
        return Fingerprints()

    def models(self) -> list[FunctionModel]:
        """Its functions."""
        return self.unit.models()

    def facts(self, kind: type[F]) -> Iterator[F]:
        """The facts of a KIND, in the order of the text."""
        return (fact for fact in self.unit.facts if isinstance(fact, kind))

    def diagnostics(self, code: str) -> list[Diagnostic]:
        """What was said with CODE."""
        return self._by_code[code]

    @cached_property
    def _by_code(self) -> Mapping[str, list[Diagnostic]]:
        found: defaultdict[str, list[Diagnostic]] = defaultdict(list)
        for diagnostic in self.unit.diagnostics:
            found[diagnostic.code].append(diagnostic)
        return found

    def at(self, place: Place | None) -> Operation | None:
        """The operation at PLACE, if one begins there."""
        return None if place is None else self._operations.get(place)

    @cached_property
    def _operations(self) -> Mapping[Place, Operation]:
        found: dict[Place, Operation] = {}
        module, *others = self.unit.parsed.module.walk()
        for op in (*others, module):  # which may begin where its first function does
            found.setdefault(self.unit.parsed.written_at(op), op)
        return found

    @cached_property
    def lines(self) -> list[int]:
        """The lines in which operations begin, each once, in order."""
        return sorted(self._firsts)

    def first_in(self, line: int) -> Operation:
        """The first operation that begins in LINE, one of `lines`."""
        return self._firsts[line]

    @cached_property
    def _firsts(self) -> Mapping[int, Operation]:
        name = self.unit.parsed.source.name
        found: dict[int, tuple[int, Operation]] = {}
        for place, op in self._operations.items():
            if place.file != name or op is self.unit.parsed.module:
                continue
            known = found.get(place.line)
            if known is None or place.column < known[0]:
                found[place.line] = place.column, op
        return {line: op for line, (_, op) in found.items()}

    def function_around(self, op: Operation) -> Operation | None:
        """The function that OP is, or is in."""
        current: Operation | None = op
        while current is not None and current not in self._functions:
            current = current.parent_op()
        return current

    @cached_property
    def _functions(self) -> Mapping[Operation, str]:
        return {op: symbol_of(op) for op in functions(self.unit.parsed.module)}

    def function_of(self, op: Operation | None) -> str:
        """The symbol of the function that OP is, or is in; "" if it is in none."""
        around = None if op is None else self.function_around(op)
        return "" if around is None else self._functions[around]

    def operation(self, where: Where) -> Operation | None:
        """The operation that a fact is about."""
        return self.unit.operation(where)

    def finding(
        self,
        code: str,
        op: Operation | None,
        message: str,
        *,
        subject: str | None = None,
        place: Place | None = None,
        witness: Mapping[str, Any] | None = None,
        note: str | None = None,
        trace: str | None = None,
        related: Iterable[tuple[Place, str]] = (),
        assumptions: Iterable[str] = (),
    ) -> Finding:
        """A finding about OP, at PLACE if that is another one than OP's; it rests on what is RELATED, too."""
        source = self.unit.parsed.source
        if place is None and op is not None:
            place = self.unit.parsed.written_at(op)
        text = None if place is None or place.file != source.name else source.line(place.line)
        characters = None
        if text is not None and place is not None:
            characters = character_at(text, place.column), len(text.rstrip()) + 1
        return Finding(
            code,
            CODES[code].severity.value,
            source.name,
            place.line if place else None,
            place.column if place else None,
            self.function_of(op),
            subject or self._subject(op),
            message,
            note or CODES[code].next_step,
            self._grounds(op, related, assumptions, in_loops=code not in _OF_COMMENTS),
            witness=witness,
            source=text
            if text is None or len(text) <= limits.SOURCE_TEXT
            else text[: limits.SOURCE_TEXT] + "...",
            characters=characters,
            trace=trace,
        )

    def _grounds(
        self,
        op: Operation | None,
        related: Iterable[tuple[Place, str]],
        assumptions: Iterable[str],
        *,
        in_loops: bool,
    ) -> tuple[Ground, ...]:
        """What a finding about OP rests on, and whether also on the loops around it."""
        if op is None:
            return ()
        others = ((self.at(place), said) for place, said in related)
        called = called_by(op)
        reached = () if called is None else reached_from(called)
        return (
            Ground("", self.contents.whole(op)),
            *(self._ground(LOOP, each) for each in reversed([*_loops_around(op)]) if in_loops),
            *(self._ground(said, each) for each, said in others if each is not None),
            *(self._ground(CALLED, each) for each in reached if is_private(each)),
            *(Ground(ASSUMED, each) for each in assumptions),
        )

    def _ground(self, said: str, op: Operation) -> Ground:
        """OP as a ground. A function is known by its name, and what counts of it by the message."""
        place = self.unit.parsed.written_at(op)
        content = "" if op in self._functions else self.contents.form(op)
        source = self.unit.parsed.source
        line = source.line(place.line) if place.file == source.name else None
        character = place.column if line is None else character_at(line, place.column)
        return Ground(said, content, place.line, place.column, character, self.function_of(op))

    def _subject(self, op: Operation | None) -> str:
        """What OP is called: its first result, the function that it is, or its name."""
        if op is None:
            return "file"
        if op in self._functions:
            return f"@{self._functions[op]}"
        if op.results:
            return self.unit.parsed.names.of(op.results[0])
        return operation_name(op)


def _loops_around(op: Operation) -> Iterator[Operation]:
    """The loops around OP, the innermost first."""
    around = op.parent_op()
    while around is not None:
        if questions.loop.answers(type(around)):
            yield around
        around = around.parent_op()
