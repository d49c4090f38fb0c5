"""`--given`: facts about elements, as text, for the functions of a file."""

from __future__ import annotations

from collections.abc import Sequence

from volcli.diagnostics import Diagnostic, Place, UsageError
from volcli.model.function import FunctionModel
from volcli.model.volumes.domains.given_texts import NoFact, given_fact, value_of_fact
from volcli.passes.base import Unit
from volcli.passes.texts import GIVEN
from volcli.presburger.expressions.predicates import ParsedPredicate, read_predicate
from volcli.presburger.sets.condition_words import ConditionError


def parse_given(texts: Sequence[str]) -> list[ParsedPredicate]:
    """The facts that TEXTS state. Raises UsageError (V009) for what is not a fact, or about no element."""
    found: list[ParsedPredicate] = []
    for line, text in enumerate(texts, 1):
        try:
            said = read_predicate(text)
        except ConditionError as error:
            raise _error(error.message, line, error.at) from None
        if said.where is not None and said.where.points.is_empty():
            raise _error("no element satisfies this", line, text.index(":", text.index("%")))
        found.append(said)
    return found


def give(texts: Sequence[str], units: Sequence[Unit]) -> None:
    """Let UNITS, the chunks of one file, know the facts that TEXTS state.

    Raises UsageError (V009) if a name is not a value of any function, or of several, or if nothing can be
    said of it.
    """
    facts = parse_given(texts)
    models = [model for unit in units for model in unit.models()]
    for line, said in enumerate(facts, 1):
        _check(said, line, models)
    for unit in units:
        unit.give(facts)


def _check(said: ParsedPredicate, line: int, models: Sequence[FunctionModel]) -> None:
    owners = [(m, v) for m in models if (v := value_of_fact(m.function, m.name_of, said)) is not None]
    if not owners:
        raise _error(f"'{said.value}' is not a value of a function's own blocks", line, 0)
    if len(owners) > 1:
        several = ", ".join(f"@{model.name}" for model, _ in owners)
        note = f"write @{owners[0][0].name}:{said.value} for that of @{owners[0][0].name}"
        raise _error(f"'{said.value}' is a value of {several}", line, 0, note)
    ((model, value),) = owners
    try:
        given_fact(model.function, model.name_of, said, value)
    except NoFact as error:
        raise _error(str(error), line, 0) from None


def _error(message: str, line: int, at: int, note: str | None = None) -> UsageError:
    return UsageError(Diagnostic("V009", message, Place(GIVEN, line, at + 1), note))
