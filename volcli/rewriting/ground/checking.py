"""What must be true of a rewritten program: it is well-formed, its text is it, and what was claimed holds.

* The text that is printed is read again. It holds the same operations with the same types, and nothing is
  wrong with it that was not wrong before: each operand is defined wherever it is used, each block ends as it
  must, each operation is what its dialect asks for.
* What a pass proved of the old program it claims of the new one (`Changes.claim`): a size is what was put in
  its place, a bound is below its value. A claim fails where it is refuted; one that cannot be decided again
  says nothing.
* No two iterations of a loop that lost its order race.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from xdsl.ir import Operation

from volcli.diagnostics import Diagnostic
from volcli.frontend.check.wellformed import ill_formed
from volcli.frontend.parse.parser import ParsedModule, parse
from volcli.frontend.print.printer import print_module
from volcli.frontend.text.source import Source
from volcli.language import questions
from volcli.language.expressions import Expression, NotAffine
from volcli.language.interface import operation_name
from volcli.model.function import FunctionModel
from volcli.model.memory.checks.races.races import Races, RaceVerdict
from volcli.model.values.terms.answers import Verdict
from volcli.passes.base import Unit

Failure = tuple[Operation, str]
"""An operation of the rewritten program, and what is wrong with it."""


# -- the text ------------------------------------------------------------------------------------------


def misread(unit: Unit) -> Iterator[Failure]:
    """Where the program, printed and read again, is another one, or has a new problem."""
    parsed = unit.parsed
    text = print_module(parsed)
    again = parse(Source(parsed.source.name, text), parsed.context.clone())
    for op, other in zip_longest(parsed.module.walk(), again.module.walk()):
        if op is None:
            yield parsed.module, f"its text has one more '{operation_name(other)}' op"
            return
        if other is None or _shown(op) != _shown(other):
            unlike = "ends here" if other is None else f"has '{operation_name(other)}' op here"
            why = next((d.message for d in again.diagnostics if _is_new(d, parsed)), "")
            yield op, f"its text {unlike}{': ' * bool(why)}{why}"
            return
    known = Counter(_words(diagnostic.message) for diagnostic in unit.diagnostics)
    same_place = dict(zip(again.module.walk(), parsed.module.walk(), strict=True))
    for op, message in _problems(again):
        known[_words(message)] -= 1
        if known[_words(message)] < 0:
            yield same_place[op], message


def _shown(op: Operation) -> tuple[str, int, list[object]]:
    return operation_name(op), len(op.operands), [result.type for result in op.results]


def _is_new(diagnostic: Diagnostic, parsed: ParsedModule) -> bool:
    return all(each.message != diagnostic.message for each in parsed.diagnostics)


def _words(message: str) -> str:
    """What a problem is recognized by after a rewrite: its words, without types, numbers and signs."""
    return " ".join(re.findall("[a-z_]{3,}", message))


def _problems(parsed: ParsedModule) -> Iterator[Failure]:
    """What is wrong with the operations of PARSED, in the words that are used when a program is read."""
    for op, message, _ in ill_formed(parsed.module):
        yield op, message
    for op in parsed.module.walk():
        messages = [parsed.malformed[op]] if op in parsed.malformed else []
        messages += [problem.message for problem in questions.problems(op) or ()]
        for message in messages:
            yield op, f"'{operation_name(op)}' op {message}"


# -- claims --------------------------------------------------------------------------------------------


@dataclass
class Claim:
    """`left RELATION right` in each execution that gets to `at`, an operation of the rewritten program."""

    left: Expression
    relation: str
    right: Expression
    at: Operation


def refuted(unit: Unit, claims: Sequence[Claim], parallel: Sequence[Operation]) -> Iterator[Failure]:
    """The CLAIMS that fail in some execution, and the loops that are not PARALLEL."""
    for model in unit.models() if claims or parallel else ():
        inside = set(model.function.walk())
        for claim in claims:
            if claim.at in inside and (message := _refutation(model, claim)) is not None:
                yield claim.at, message
        yield from _races(model, [op for op in parallel if op in inside])


def proved_functions(unit: Unit, claims: Sequence[Claim]) -> Iterator[Operation]:
    """The functions of which all CLAIMS are proved, of the rewritten program.

    If a claim for each value that was replaced is all that was changed, these compute what they did: by
    induction over an execution, each operation has the operands that it had.
    """
    for model in unit.models() if claims else ():
        inside = set(model.function.walk())
        own = [claim for claim in claims if claim.at in inside]
        if own and all(_is_proved(model, claim) for claim in own):
            yield model.function


def _is_proved(model: FunctionModel, claim: Claim) -> bool:
    try:
        return model.bounds.proves(claim.left, claim.relation, claim.right, at=claim.at)
    except NotAffine:
        return False


def _refutation(model: FunctionModel, claim: Claim) -> str | None:
    """That a claim about values of MODEL's function fails in some execution that gets to its place."""
    store = model.bounds
    try:
        found = store.compare(claim.left, claim.relation, claim.right, at=claim.at)
    except NotAffine:
        return None
    if found.verdict is not Verdict.REFUTED:
        return None
    where = " and ".join(f"{name} = {number}" for name, number in (found.witness or {}).items())
    left, right = store.texts.of(claim.left), store.texts.of(claim.right)
    return f"{left} {claim.relation} {right} was proved and is not so{' where ' * bool(where)}{where}"


def _races(model: FunctionModel, loops: Sequence[Operation]) -> Iterator[Failure]:
    """The LOOPS of MODEL's function of which two iterations race."""
    races = Races(model.memory)
    for loop in loops:
        if races.of(loop).verdict is RaceVerdict.RACE:
            yield loop, "its iterations were proved to need no order, and two of them race"
