"""`--assume`: conditions on arguments, as text, for the functions of a file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from volcli.diagnostics import Diagnostic, Place, UsageError
from volcli.model.function import FunctionModel
from volcli.model.values.terms.assumptions import argument
from volcli.passes.base import Unit
from volcli.passes.texts import ASSUMPTION
from volcli.presburger.sets.condition_words import ConditionError, ConditionName
from volcli.presburger.sets.conditions import ParsedCondition, conjuncts, read


def parse_assumptions(texts: Sequence[str]) -> list[tuple[int, ParsedCondition]]:
    """The conditions that TEXTS join by `and`, each with the number of its text, from 1.

    Raises UsageError (V009) for what is not a condition, or holds for no values.
    """
    found: list[tuple[int, ParsedCondition]] = []
    for line, text in enumerate(texts, 1):
        try:
            parts = conjuncts(text)
        except ConditionError as error:
            raise _error(error.message, line, error.at) from None
        if read(text).points.is_empty():
            raise _error("no values satisfy this", line, 0)
        for part in parts:
            if not part.names:
                raise _error(f"'{part.text}' names no argument", line, 0)
            found.append((line, part))
    return found


def assume(texts: Sequence[str], units: Sequence[Unit]) -> None:
    """Let UNITS, the chunks of one file, know that TEXTS hold.

    Raises UsageError (V009) if a name is not an argument of any function, or of several.
    """
    conditions = parse_assumptions(texts)
    models = [model for unit in units for model in unit.models()]
    for line, condition in conditions:
        _check(condition, line, models)
    for unit in units:
        unit.suppose(condition for _, condition in conditions)


def _check(condition: ParsedCondition, line: int, models: Sequence[FunctionModel]) -> None:
    """That there is just one function with all arguments that CONDITION names."""
    owners = [model.name for model in models if all(_has(model, name) for name in condition.names)]
    first = condition.names[0]
    if len(owners) > 1:
        several = ", ".join(f"@{owner}" for owner in owners)
        note = f"write @{owners[0]}:{first} for that of @{owners[0]}"
        raise _error(f"'{first}' is an argument of {several}", line, first.at, note)
    if owners:
        return
    missing = next((n for n in condition.names if not any(_has(model, n) for model in models)), None)
    if missing is None:
        names = ", ".join(map(str, condition.names))
        raise _error(f"no function has all of the arguments {names}", line, first.at)
    known = list(dict.fromkeys(_arguments(models)))
    note = f"the arguments are {', '.join(known[:8])}" if known else "the functions have no such arguments"
    raise _error(
        f"'{missing}' is neither an index or integer argument, nor the size of one", line, missing.at, note
    )


def _has(model: FunctionModel, name: ConditionName) -> bool:
    is_meant = name.function in (None, model.name)
    return is_meant and argument(model.function, model.name_of, name) is not None


def _arguments(models: Sequence[FunctionModel]) -> Iterator[str]:
    from volcli.model.values.terms.assumptions import numbers_of_arguments

    for model in models:
        yield from (model.bounds.texts.of(number) for number in numbers_of_arguments(model.function))


def _error(message: str, line: int, at: int, note: str | None = None) -> UsageError:
    return UsageError(Diagnostic("V009", message, Place(ASSUMPTION, line, at + 1), note))
