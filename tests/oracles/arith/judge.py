"""What volcli says of a small integer program, against all of its runs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice

import islpy as isl

import volcli
from tests.oracles.arith.execute import POISON, Number, inputs, run
from tests.oracles.arith.programs import Program
from tests.oracles.interpreter.arithmetic import RELATIONS, signed
from volcli.api.function import Function
from volcli.facts.bounds import BoundsFact, Side
from volcli.facts.preconditions import precondition_set
from volcli.language.expressions import Expression, Parameter, constant, substitute
from volcli.model.values.terms.answers import Comparison, Verdict

Runs = Sequence[dict[str, Number]]
_MOST_TRIED = 300
SIZE = 3
"""Of the memory that is accessed."""


def complaints(program: Program, *, accesses: bool = True) -> Iterator[str]:
    """What is wrong with volcli's answers about PROGRAM."""
    function = volcli.loads(program.text).function("f")
    states = [list(run(program.steps, given)) for given in inputs(program.domains)]
    for position, step in enumerate(program.steps):
        for result in step.results:
            if step.name != "constant" and position >= program.guards:
                runs = [each[position] for each in states if len(each) > position]
                runs = [now for now in runs if now[result] is not POISON]
                yield from (f"{result}: {each}\n{program.text}" for each in _of_value(function, result, runs))
    last = next(iter(program.steps[-1:]), None)
    if accesses and last is not None and last.results:
        runs = [each[-1] for each in states if len(each) == len(program.steps)]
        yield from _of_accesses(program, last.results[0], runs)


# -- bounds and claims ----------------------------------------------------------------------------------


def _of_value(function: Function, name: str, runs: Runs) -> Iterator[str]:
    found = function.bounds(name)
    numbers = {int(now[name]) for now in runs}
    if found.never:
        if numbers:
            yield f"it is said never to be computed, and is {min(numbers)}"
        return
    yield from _of_side(found.lower, name, runs, 1)
    yield from _of_side(found.upper, name, runs, -1)
    if found.equal is not None and any(_at(found.equal, now) not in (None, now[name]) for now in runs):
        yield f"it is not always {found.equal}"
    for claim, relation in _claims(name, found, numbers):
        yield from (
            f"{claim}: {each}" for each in _of_claim(function.compare(claim).found, name, relation, runs)
        )


def _of_side(side: Side, name: str, runs: Runs, sign: int) -> Iterator[str]:
    numbers = [int(now[name]) for now in runs]
    number = side.constant
    if number is not None:
        if any(sign * each < sign * number for each in numbers):
            yield f"{min(numbers)} to {max(numbers)}, beyond the bound {number}"
        if side.exact and numbers and number not in numbers:
            yield f"{number} is not attained"
    if side.expression is None:
        return
    groups: dict[tuple[tuple[str, Number], ...], list[tuple[int | None, int]]] = defaultdict(list)
    spoken = sorted({a.name for a in side.expression.atoms() if isinstance(a, Parameter)})
    for now in runs:
        if not now.keys() >= {*spoken}:
            return  # it speaks of what is inside of a branch
        key = tuple((each, now[each]) for each in spoken)
        groups[key].append((_at(side.expression, now), int(now[name])))
    for key, pairs in groups.items():
        if any(bound is not None and sign * value < sign * bound for bound, value in pairs):
            yield f"beyond the bound {side.expression} for {dict(key)}"
        if (
            number is None
            and side.exact
            and all(bound is not None and value != bound for bound, value in pairs)
        ):
            yield f"the bound {side.expression} is not attained for {dict(key)}"


def _at(expression: Expression, now: Mapping[str, Number]) -> int | None:
    """EXPRESSION for the numbers of a run; None if one is poison."""
    known = {Parameter(name): constant(each) for name, each in now.items() if isinstance(each, int)}
    found = substitute(expression, known.get)
    return found.constant if found.is_constant else None


_MIRRORED = {"==": "==", "<": ">", ">=": "<="}


def _claims(name: str, found: BoundsFact, numbers: set[int]) -> Iterator[tuple[str, Callable[[int], bool]]]:
    """Claims about a value: with its bounds, between and beside them."""
    ends = [each.constant for each in (found.lower, found.upper) if each.constant is not None]
    tried = dict.fromkeys([*ends, *([min(numbers), max(numbers)] if numbers else ()), 0])
    for number in [*tried][:4]:
        for relation in ("==", "<", ">="):
            yield f"{name} {relation} {number}", partial(RELATIONS[_MIRRORED[relation]], number)


def _of_claim(said: Comparison, name: str, holds: Callable[[int], bool], runs: Runs) -> Iterator[str]:
    truths = [(now, holds(int(now[name]))) for now in runs]
    if said.verdict is Verdict.PROVED:
        if not all(truth for _, truth in truths):
            yield "proved, and false"
        if said.never and truths:
            yield "said never to be computed"
    elif said.verdict is Verdict.REFUTED:
        if truths and all(truth for _, truth in truths):
            yield "refuted, and true"
        if said.never and any(truth for _, truth in truths):
            yield "said to be false always"
        if said.witness is not None and not any(
            not truth and _is_given(said.witness, now) for now, truth in truths
        ):
            yield f"{said.witness} is no witness"
    yield from _of_condition(said.precondition, said.weakest, truths)


def _is_given(witness: Mapping[str, int], now: Mapping[str, Number]) -> bool:
    return all(now.get(name, number) == number for name, number in witness.items())


def _of_condition(
    text: str | None,
    is_necessary: bool,
    truths: Sequence[tuple[dict[str, Number], bool]],
    *,
    is_sufficient: bool = True,
) -> Iterator[str]:
    """Whether TEXT is a condition on arguments under which something is true, and holds at times."""
    if text is None:
        return
    condition = precondition_set(text)
    if condition is None:
        return
    names = [f"%{each.value}" for each in condition.names]
    pairs = dict.fromkeys((tuple(now[each] for each in names), truth) for now, truth in truths)
    for numbers, truth in islice(pairs, _MOST_TRIED):
        holds = _holds(condition.points, [int(each) for each in numbers])
        if is_sufficient and holds and not truth:
            yield f"{text} does not suffice: {numbers}"
        if is_necessary and truth and not holds:
            yield f"{text} is not necessary: {numbers}"
    if text.strip() == "false":
        yield "a condition that is never true"


def _holds(points: isl.Set, numbers: Sequence[int]) -> bool:
    line = isl.Set.from_params(points) if points.is_params() else points
    kind = isl.dim_type.param if points.is_params() else isl.dim_type.set
    for position, number in enumerate(numbers):
        line = line.fix_val(kind, position, isl.Val(str(number)))
    return not line.is_empty()


# -- accesses -------------------------------------------------------------------------------------------


def _of_accesses(program: Program, name: str, runs: Runs) -> Iterator[str]:
    """An access at a number, and a branch that it decides."""
    width = program.steps[-1].target
    cast = "index_castui" if width == 1 else "index_cast"
    store = (
        "  %zero = arith.constant 0 : i8",
        f"  %at = arith.{cast} {name} : i{width} to index" if width else "  %nothing = arith.constant 1 : i8",
        f"  %m = memref.alloc() : memref<{SIZE}xi8>",
        f"  memref.store %zero, %m[{'%at' if width else name}] : memref<{SIZE}xi8>",
    )
    text = program.ends(*store).text
    function = volcli.loads(text).function("f")
    truths = [(now, 0 <= signed(int(now[name]), 64) < SIZE) for now in runs if now[name] is not POISON]
    if not truths:
        return  # an access at poison is undefined, whatever is said of it
    for fact in function.accesses():
        if fact.verdict == "in-bounds" and not all(truth for _, truth in truths):
            yield f"in bounds, and not\n{text}"
        if fact.verdict == "out-of-bounds":
            witness = fact.witness
            if all(truth for _, truth in truths) or (fact.always and any(truth for _, truth in truths)):
                yield f"out of bounds, and not\n{text}"
            elif witness is not None:
                # What is between arguments and index need not be known exactly where all it can be is outside.
                given = {
                    each: witness.parameters[each] for each in program.arguments if each in witness.parameters
                }
                if not any(not truth and _is_given(given, now) for now, truth in truths):
                    yield f"out of bounds for {witness.parameters}, which is none\n{text}"
        yield from (f"access: {each}\n{text}" for each in _of_condition(fact.condition, False, truths))
    needed = function.precondition()
    if needed is not None:
        said = _of_condition(needed.condition, needed.necessary, truths, is_sufficient=needed.sufficient)
        yield from (f"precondition: {each}\n{text}" for each in said)
