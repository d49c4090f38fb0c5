"""Pictures of the elements that an access names: those of its buffer, and those outside."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress

import islpy as isl

from volcli.api.set_pictures import ElementPicture, refused, sets_drawn, without_parameters
from volcli.api.spots import Spot
from volcli.diagnostics import UsageError
from volcli.facts.access import AccessFact
from volcli.model.function import FunctionModel
from volcli.model.memory.checks.accesses.elements import named_elements
from volcli.model.memory.checks.stated.stated import StatedAccess, stated_accesses
from volcli.presburger.limits.budget import DEFAULT_OPERATIONS, BudgetExceeded, budget
from volcli.presburger.sets.names import parameters_of_space


def outside_pictures(spot: Spot) -> Iterator[ElementPicture]:
    """The elements that each access at SPOT names that is out of bounds, where a picture can show them."""
    facts = [each for each in spot.facts if isinstance(each, AccessFact)]
    if spot.function is None or all(each.witness is None for each in facts):
        return
    unit, function = spot.function.unit, spot.function.operation
    model = next(each for each in unit.models() if each.function is function)
    operations = {unit.operation(each.where) for each in facts}
    stated = [each for each in stated_accesses(model.memory) if each.site.op in operations]
    for fact, each in zip(facts, stated, strict=False) if len(facts) == len(stated) else ():
        if fact.witness is not None:
            with suppress(BudgetExceeded, UsageError), budget(DEFAULT_OPERATIONS):
                yield _picture(model, fact, fact.witness.parameters, each)


def _picture(
    model: FunctionModel, fact: AccessFact, given: Mapping[str, int], stated: StatedAccess
) -> ElementPicture:
    """The elements that the access of FACT names for GIVEN arguments. Raises UsageError (V011)."""
    found = named_elements(model.memory, stated)
    if found is None:
        raise refused("the elements are not known exactly")
    buffer = fact.element.partition("[")[0].strip()
    verb = "written" if fact.kind == "write" else "read" if fact.kind == "read" else "taken"
    parts = [
        (verb, found.inside),
        ("out of bounds", found.outside),
        (f"the others of {buffer}", found.others),
    ]
    drawn = [(text, without_parameters(points, _numbers(model, points, given))) for text, points in parts]
    at = ", ".join(f"{name} = {number}" for name, number in given.items())
    return ElementPicture(sets_drawn(f"elements of {buffer}{f' for {at}' * bool(at)}", drawn, {}, ()))


def _numbers(model: FunctionModel, points: isl.Set, given: Mapping[str, int]) -> dict[str, int]:
    """What is GIVEN for values of the program, for the parameters of POINTS."""
    texts = model.memory.bounds.texts
    found = ((name, texts.elimination.find(name)) for name in parameters_of_space(points))
    said = {name: texts.of_variable(variable) for name, variable in found if variable is not None}
    return {name: given[text] for name, text in said.items() if text in given}
