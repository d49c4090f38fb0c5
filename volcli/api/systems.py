"""Systems of inequalities and boxes as text, and the systems of nests: what `explain --system` is about."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

import islpy as isl
from xdsl.ir import BlockArgument, SSAValue

from volcli.api.program import Program
from volcli.diagnostics import Diagnostic, Place, UsageError
from volcli.frontend.text.source import Source
from volcli.language.expressions import (
    Atom,
    Expression,
    NotAffine,
    constant,
    over_names,
    parameter,
    substitute,
)
from volcli.model.function import FunctionModel
from volcli.model.values.terms.variables import text_of
from volcli.passes.assume import parse_assumptions
from volcli.passes.texts import ASSUMPTION
from volcli.presburger.expressions.read_back import disjunction
from volcli.presburger.sets.condition_words import ConditionError, ConditionName
from volcli.presburger.sets.conditions import ParsedCondition, read, read_expression
from volcli.rewriting.nests.loop_trees import TreeLoop
from volcli.rewriting.nests.tree_making import tree_of
from volcli.symbolic.context import Context
from volcli.symbolic.fourier_motzkin import check_linear
from volcli.symbolic.steps import SystemSteps, system_steps

_COMMENT = re.compile(r"\s*(?:#|//)")
_BOX = re.compile(r"\s*(?:[Bb]ox\s+)?([\w.]+)\s*:\s*")
_INTERVAL = re.compile(r"\s*([\w.]+)\s*:\s*\[(.*)\]\s*")
_Kind = TypeVar("_Kind")
_LINES = "write a condition in each line, such as 'j >= b * t'; name loops of a program as '%i, %j'"
_LINEAR = "variables occur in sums, and times symbols, as in 'b * t <= j'; ends are extrema of such sums"
_INTERVALS = "write 'A:' for a box, and below it 'x: [0, min(n, b * t) - 1]' for each dimension"


@dataclass(frozen=True)
class ExplainedSystem:
    """A system over `variables`, where `known` holds, and how it is eliminated and scanned."""

    variables: tuple[Atom, ...]
    known: tuple[Expression, ...]
    steps: SystemSteps


def system_of_text(source: Source, variables: Sequence[str], assumed: Sequence[str]) -> ExplainedSystem:
    """The system that SOURCE has, a condition in each line, over VARIABLES. Raises UsageError."""
    _check_names(variables)
    atoms = [parameter(each).terms[0][0] for each in variables]
    inequalities: list[Expression] = []
    names: set[str] = set()
    for line, text in _lines(source):
        try:
            condition = read(text)
            names.update(map(_symbol, condition.names))
            forms = _conjunction(condition)
        except ConditionError as error:
            raise _wrong(source, line, error.at + 1, error.message, _LINES) from None
        except NotAffine as error:
            raise _wrong(source, line, 1, str(error), _LINES) from None
        try:
            for each in forms:
                check_linear(each, atoms)
        except NotAffine as error:
            raise _not_eliminated(error, Place(source.name, line, 1)) from None
        inequalities += forms
    missing = [each for each in variables if each not in names]
    if missing:
        message = f"no condition of {source.name} has {' and '.join(missing)}"
        raise UsageError(Diagnostic("V005", message, note=_LINES))
    return _explained([parameter(each) for each in variables], inequalities, context_of(assumed))


def system_of_nest(program: Program, variables: Sequence[str], assumed: Sequence[str]) -> ExplainedSystem:
    """The system of the loops over VARIABLES, the outermost first, in the first function that has them.

    Raises UsageError (V002, V005, V011).
    """
    _check_names(variables)
    for unit in program.units:
        for model in unit.models():
            found = [unit.parsed.names.find(model.function, each) for each in variables]
            values = [each for each in found if isinstance(each, BlockArgument)]
            if len(values) == len(variables):
                return _of_loops(model, values, assumed)
    message = f"no function has loops over {' and '.join(variables)}"
    raise UsageError(Diagnostic("V005", message, note="name the variables of loops around each other"))


def context_of(assumed: Sequence[str], sigil: str = "") -> Context:
    """What the texts ASSUMED state of the symbols, called with SIGIL. Raises UsageError (V009)."""
    try:
        known = [fact for _, each in parse_assumptions(assumed) for fact in _conjunction(each, sigil)]
    except NotAffine as error:
        raise UsageError(Diagnostic("V009", str(error), Place(ASSUMPTION, 1, 1))) from None
    return Context(known)


def _of_loops(
    model: FunctionModel, values: Sequence[BlockArgument], assumed: Sequence[str]
) -> ExplainedSystem:
    root = values[0].block.parent_op()
    try:
        if root is None or not model.memory_as_written.nests.of_operation(root):
            raise NotAffine(f"{model.name_of(values[0])} is not the variable of a loop")
        wanted = set[SSAValue](values)
        tree = tree_of(root, wanted, model.memory_as_written.nests, model.bounds)
    except NotAffine as error:
        message = f"the loops do not form a system of inequalities: {error}"
        raise UsageError(Diagnostic("V011", message, note=_LINEAR)) from None
    name_of = model.name_of
    loops = [loop for loop in tree.loops if loop.induction_variable in values]
    names: dict[Atom, Expression] = {
        loop.variable: parameter(_called(loop, name_of(loop.induction_variable))) for loop in loops
    }
    called = names | {step.parameter: step.number for step in tree.steps}

    def named(form: Expression) -> Expression:
        known = substitute(form, called.get)
        return over_names(known, lambda variable: text_of(variable, name_of))

    forms = [named(each) for loop in loops for each in loop.inequalities]
    known = [named(fact) for step in tree.steps for fact in step.facts[:1]]
    return _explained(
        [names[loop.variable] for loop in loops], forms, context_of(assumed, "%").assuming(*known)
    )


def _called(loop: TreeLoop, name: str) -> str:
    """What the variable of LOOP is called: as in the program, or its number, where that is another one."""
    return name if loop.value.single_atom == loop.variable else f"{name}_number"


def _explained(
    variables: Sequence[Expression], inequalities: Sequence[Expression], context: Context
) -> ExplainedSystem:
    atoms = tuple(each.terms[0][0] for each in variables)
    try:
        return ExplainedSystem(atoms, context.facts, system_steps(atoms, inequalities, context))
    except NotAffine as error:
        raise _not_eliminated(error) from None


def _not_eliminated(error: NotAffine, place: Place | None = None) -> UsageError:
    return UsageError(Diagnostic("V011", f"the system is not eliminated: {error}", place, note=_LINEAR))


def _check_names(variables: Sequence[str]) -> None:
    """Raise UsageError (V002) if VARIABLES are none, or one of them is there twice."""
    twice = [each for k, each in enumerate(variables) if each in variables[:k]]
    if twice or not all(variables):
        said = f"'{twice[0]}' is there twice" if twice else "a name is missing"
        message = f"option '--system' lists variables, the outermost first: {said}"
        raise UsageError(Diagnostic("V002", message, note=_LINES))


def _conjunction(condition: ParsedCondition, sigil: str = "") -> tuple[Expression, ...]:
    """The inequalities that CONDITION joins: `x <= min(n, m)` are two. Raises NotAffine if it has cases."""
    numbers = condition.numbers([parameter(_symbol(name, sigil)) for name in condition.names])
    points = condition.points
    if len(points.get_basic_sets()) > 1:
        hull = isl.Set.from_basic_set(points.polyhedral_hull())
        points = hull if hull.is_subset(points) else points
    cases = disjunction(points, lambda name: numbers[int(name[1:])])
    if not cases:  # 2 * x = 9
        return (constant(-1),)
    if len(cases) != 1:
        raise NotAffine(
            "expected inequalities that all hold: no 'or' or '!=', no upper bound that is a maximum"
        )
    return cases[0]


def _symbol(name: ConditionName, sigil: str = "") -> str:
    return f"{sigil}{name.value}" if name.dim is None else str(name)


# -- boxes -----------------------------------------------------------------------------------------------

Interval = tuple[Expression, Expression]


def boxes_of_text(source: Source) -> dict[str, dict[str, Interval]]:
    """The boxes that SOURCE has: under a line `A:` a line `x: [low, high]` for each dimension.

    Raises UsageError (V009).
    """
    found: dict[str, dict[str, Interval]] = {}
    for line, text in _lines(source):
        if (head := _BOX.fullmatch(text)) is not None:
            _add(found, head[1], {}, source, line)
        elif (interval := _INTERVAL.fullmatch(text)) is None or not found:
            message = "expected a box, 'A:', or an interval in one, 'x: [0, n - 1]'"
            raise _wrong(source, line, 1, message, _INTERVALS)
        else:
            ends = _ends(source, line, interval)
            _add(found[next(reversed(found))], interval[1], ends, source, line)
    if not found:
        raise UsageError(Diagnostic("V005", f"no box in {source.name}", note=_INTERVALS))
    return found


def _add(found: dict[str, _Kind], name: str, what: _Kind, source: Source, line: int) -> None:
    """WHAT has NAME, which nothing else in FOUND has. Raises UsageError (V009)."""
    if name in found:
        raise _wrong(source, line, 1, f"a second '{name}'", _INTERVALS)
    found[name] = what


def _ends(source: Source, line: int, interval: re.Match[str]) -> Interval:
    """The ends of an INTERVAL. Raises UsageError (V009)."""
    try:
        ends = [read_expression(part, _of_name) for part in _at_commas(interval[2])]
    except ConditionError as error:
        raise _wrong(source, line, interval.start(2) + 1, error.message, _INTERVALS) from None
    if len(ends) != 2:
        raise _wrong(source, line, interval.start(2) + 1, "expected two ends, '[0, n - 1]'", _INTERVALS)
    return ends[0], ends[1]


def _of_name(name: ConditionName) -> Expression:
    return parameter(_symbol(name))


def _at_commas(text: str) -> Iterator[str]:
    """The parts of TEXT between commas that are in no brackets."""
    begin = depth = 0
    for at, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if letter == "," and depth == 0:
            yield text[begin:at]
            begin = at + 1
    yield text[begin:]


def _lines(source: Source) -> Iterator[tuple[int, str]]:
    """The lines of SOURCE that state something, with their numbers."""
    for number, text in enumerate(source.text.split("\n"), 1):
        if text.strip() and _COMMENT.match(text) is None:
            yield number, text


def _wrong(source: Source, line: int, column: int, message: str, note: str) -> UsageError:
    return UsageError(Diagnostic("V009", message, Place(source.name, line, column), note))
