"""What volcli says of a small integer program, against all of its runs."""

from __future__ import annotations

import random
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TypeVar

import volcli
from tests.oracles.arith.execute import POISON, Number
from tests.oracles.arith.formulas import column, membership, names_in
from tests.oracles.arith.programs import Program
from tests.oracles.arith.runs import Rows, chosen, inputs, joined, run
from tests.oracles.interpreter.arithmetic import RELATIONS, signed
from volcli.api.function import Function
from volcli.facts.bounds import BoundsFact, Side
from volcli.facts.preconditions import precondition_set
from volcli.language.expressions import Expression
from volcli.model.values.terms.answers import Comparison, Verdict

T = TypeVar("T")
SIZE = 3
"""Of the memory that is accessed."""
_CLAIMS = 3
"""About each value: which ones is a matter of chance, decided by the program's text."""


@dataclass
class Tally:
    """What was asked: how many answers were compared with the runs, and what the slowest took."""

    answers: int = 0
    slowest: list[tuple[float, str, str]] = field(default_factory=list[tuple[float, str, str]])

    def ask(self, program: str, question: str, answer: Callable[[], T]) -> T:
        """The ANSWER, counted and timed."""
        start = time.process_time()
        found = answer()
        self.answers += 1
        taken = time.process_time() - start
        if taken > 1:
            self.slowest = sorted([*self.slowest, (taken, question, program)], reverse=True)[:20]
        return found


@dataclass(frozen=True)
class _Case:
    """A value of a program, and what was known in all runs whenever it was computed, but for poison."""

    function: Function
    name: str
    rows: Rows
    others: tuple[str, ...]
    """The values with which it is compared."""
    chance: random.Random
    ask: Callable[[str, Callable[[], T]], T]

    @property
    def numbers(self) -> list[int]:
        return [int(each) for each in self.rows[self.name]]


def complaints(program: Program, tally: Tally | None = None) -> Iterator[str]:
    """What is wrong with volcli's answers about PROGRAM."""
    text, tally = program.text, tally or Tally()
    function = volcli.loads(text).function("f")
    seen: dict[str, list[Rows]] = {}
    last = run(program.steps, inputs(program.domains), seen)
    chance = random.Random(text)
    for name in program.results:
        never: Rows = {key: [] for key in (*program.arguments, name)}
        rows = _whenever(seen.get(name) or [never], name)
        others = tuple(each for each in (*program.arguments, *program.results) if each in rows)
        ask = partial(tally.ask, text)
        case = _Case(function, name, rows, others, chance, ask)
        yield from (f"{name}: {each}\n{text}" for each in _of_value(case))
    final = program.results[-1] if program.results else ""
    if final in last and chance.random() < 0.4:
        yield from _of_accesses(program, final, _without_poison(last, final), tally)


def _whenever(parts: Sequence[Rows], name: str) -> Rows:
    """The runs of PARTS, in which NAME was computed at different times, with what all of them know."""
    known = set.intersection(*(set(each) for each in parts))
    return _without_poison(joined(parts, sorted(known)), name)


def _without_poison(rows: Rows, name: str) -> Rows:
    return chosen(rows, [each is not POISON for each in rows[name]])


# -- bounds and claims ----------------------------------------------------------------------------------


def _of_value(case: _Case) -> Iterator[str]:
    numbers = set(case.numbers)
    found: BoundsFact = case.ask(f"bounds {case.name}", lambda: case.function.bounds(case.name))
    if found.never:
        if numbers:
            yield f"it is said never to be computed, and is {min(numbers)}"
        return
    yield from _of_side(found.lower, case, 1)
    yield from _of_side(found.upper, case, -1)
    if found.equal is not None and _speaks_of(found.equal, case.rows):
        stated = zip(column(found.equal, case.rows), case.numbers, strict=True)
        if any(each not in (None, number) for each, number in stated):
            yield f"it is not always {found.equal}"
    for claim, truths in _claims(case, found):
        said: Comparison = case.ask(claim, lambda claim=claim: case.function.compare(claim).found)
        yield from (f"{claim}: {each}" for each in _of_claim(said, case.rows, truths))


def _speaks_of(expression: Expression, rows: Rows) -> bool:
    """Whether ROWS know all values of EXPRESSION, and not only what is inside of a branch."""
    return rows.keys() >= {*names_in(expression)}


def _of_side(side: Side, case: _Case, sign: int) -> Iterator[str]:
    numbers, number = case.numbers, side.constant
    if number is not None and numbers:
        if min(sign * each for each in numbers) < sign * number:
            yield f"{min(numbers)} to {max(numbers)}, beyond the bound {number}"
        if side.exact and number not in numbers:
            yield f"{number} is not attained"
    if side.expression is None or not _speaks_of(side.expression, case.rows):
        return
    bounds = column(side.expression, case.rows)
    if any(b is not None and sign * n < sign * b for b, n in zip(bounds, numbers, strict=True)):
        yield f"beyond the bound {side.expression}"
    if number is None and side.exact and numbers:
        groups: dict[tuple[Number, ...], bool] = defaultdict(bool)
        spoken = (case.rows[each] for each in names_in(side.expression))
        for key, bound, each in zip(zip(*spoken, strict=True), bounds, numbers, strict=True):
            groups[key] |= bound in (None, each)
        missed = [key for key, is_attained in groups.items() if not is_attained]
        yield from (f"the bound {side.expression} is not attained for {key}" for key in missed[:1])


def _claims(case: _Case, found: BoundsFact) -> Iterator[tuple[str, list[bool]]]:
    """Claims about a value, and where they are true: with its bounds, beside them, and with other values."""
    ends = [each.constant for each in (found.lower, found.upper) if each.constant is not None]
    numbers = case.numbers
    tried = [*dict.fromkeys([*ends, *([min(numbers), max(numbers)] if numbers else ()), 0])][:4]
    about = [(str(number), [number] * len(numbers)) for number in tried]
    others = [each for each in case.others if each != case.name and POISON not in case.rows[each]]
    about += [(each, [int(n) for n in case.rows[each]]) for each in others[-4:]]
    pairs = [(relation, *each) for each in about for relation in ("=", "<", ">=")]
    for relation, text, right in case.chance.sample(pairs, min(_CLAIMS, len(pairs))):
        holds = RELATIONS["==" if relation == "=" else relation]
        yield f"{case.name} {relation} {text}", [holds(*each) for each in zip(numbers, right, strict=True)]


def _of_claim(said: Comparison, rows: Rows, truths: Sequence[bool]) -> Iterator[str]:
    if said.verdict is Verdict.PROVED:
        if not all(truths):
            yield "proved, and false"
        if said.never and truths:
            yield "said never to be computed"
    elif said.verdict is Verdict.REFUTED:
        if truths and all(truths):
            yield "refuted, and true"
        if said.never and any(truths):
            yield "said to be false always"
        if said.witness is not None and not _is_witness(said.witness, rows, truths):
            yield f"{said.witness} is no witness"
    yield from _of_condition(said.precondition, said.weakest, rows, truths)


def _is_witness(witness: Mapping[str, int], rows: Rows, truths: Sequence[bool]) -> bool:
    """Whether something fails for the values of a WITNESS, as far as they are of this program."""
    known = [name for name in witness if name in rows]
    wanted = tuple(witness[name] for name in known)
    columns = zip(*(rows[name] for name in known), strict=True) if known else [()] * len(truths)
    return any(each == wanted and not truth for each, truth in zip(columns, truths, strict=True))


def _of_condition(
    text: str | None, is_necessary: bool, rows: Rows, truths: Sequence[bool], *, is_sufficient: bool = True
) -> Iterator[str]:
    """Whether TEXT is a condition on arguments under which something is true always, and holds at times."""
    condition = precondition_set(text)
    if text is None or condition is None:
        return
    names = [f"%{each.value}" for each in condition.names]
    if not rows.keys() >= {*names}:
        return  # it speaks of what is inside of a branch
    keys = zip(*(rows[each] for each in names), strict=True) if names else [()] * len(truths)
    always: dict[tuple[Number, ...], bool] = {}
    for numbers, truth in zip(keys, truths, strict=True):
        always[numbers] = always.get(numbers, True) and truth
    holds = membership(str(condition.points))
    for numbers, truth in always.items():
        if POISON in numbers:
            continue
        fulfilled = holds(numbers)
        if (is_sufficient and fulfilled and not truth) or (is_necessary and truth and not fulfilled):
            yield f"{text} {'does not suffice' if fulfilled else 'is not necessary'}: {numbers}"
            break
    if text.strip() == "false":
        yield "a condition that is never true"


# -- accesses -------------------------------------------------------------------------------------------


def _of_accesses(program: Program, name: str, rows: Rows, tally: Tally) -> Iterator[str]:
    """An access at a number."""
    width = program.width_of(name)
    cast = "index_castui" if width == 1 else "index_cast"
    store = (
        "  %zero = arith.constant 0 : i8",
        f"  %at = arith.{cast} {name} : i{width} to index" if width else "  %nothing = arith.constant 1 : i8",
        f"  %m = memref.alloc() : memref<{SIZE}xi8>",
        f"  memref.store %zero, %m[{'%at' if width else name}] : memref<{SIZE}xi8>",
    )
    text = program.ends(*store).text
    function = volcli.loads(text).function("f")
    truths = [0 <= signed(int(each), 64) < SIZE for each in rows[name]]
    if not truths:
        return  # an access at poison is undefined, whatever is said of it
    for fact in tally.ask(text, "access", function.accesses):
        if fact.verdict == "in-bounds" and not all(truths):
            yield f"in bounds, and not\n{text}"
        if fact.verdict == "out-of-bounds":
            witness = fact.witness
            if all(truths) or (fact.always and any(truths)):
                yield f"out of bounds, and not\n{text}"
            elif witness is not None:
                # What is between arguments and index need not be known exactly where all it can be is outside.
                given = {k: n for k, n in witness.parameters.items() if k in program.arguments}
                if not _is_witness(given, rows, truths):
                    yield f"out of bounds for {witness.parameters}, which is none\n{text}"
        yield from (f"access: {each}\n{text}" for each in _of_condition(fact.condition, False, rows, truths))
    needed = tally.ask(text, "preconditions", function.precondition)
    if needed is not None:
        said = _of_condition(
            needed.condition, needed.necessary, rows, truths, is_sufficient=needed.sufficient
        )
        yield from (f"precondition: {each}\n{text}" for each in said)
