"""Bounds over chosen values alone, with the assumptions that they need."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from xdsl.ir import SSAValue

from volcli.model.values.contexts.contexts import ProgramPoint
from volcli.model.values.terms.answers import Bounds
from volcli.model.values.terms.variables import Variable, own
from volcli.model.values.trust.minimal_assumptions import Assuming


def bounds_in_terms(
    assuming: Assuming,
    value: SSAValue,
    dim: int | None,
    chosen: Sequence[Variable],
    there: Sequence[ProgramPoint] = (),
) -> Bounds:
    """What VALUE, or its size DIM, lies between over CHOSEN variables, wherever all of these are THERE.

    They are, if nothing is said, where they are defined.
    """
    places = there or (value, *(each.value for each in chosen))
    store = assuming.store
    asked = [store.value(value, dim), *(store.definitions.resolve(own(each)) for each in chosen)]
    found, assumed = assuming.ask(
        lambda store: store.bounds_in_terms(value, dim, chosen, places),
        asked,
        places,
        lambda each: (each.never, each.lower.expression, each.upper.expression),
    )
    return replace(found, assumptions=assumed)
