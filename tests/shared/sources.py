"""What each element of a value is computed from, as an execution on terms shows it."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from tests.shared.enumeration import Function, Point
from tests.shared.recorded import Recorded
from volcli.execution.numbers.terms import FloatTerm
from volcli.execution.numbers.values import Tensor
from volcli.execution.runs.inputs import Inputs


def computed_from(f: Function, name: str, **parameters: int) -> set[tuple[Point, str, Point]]:
    """`(r, argument, x)`: what the element r of a value is computed from, where the PARAMETERS are numbers.

    They are named as in sets: `t_d0` is the size of dimension 0 of %t.
    """
    numbers, sizes = dict[str, float](), dict[tuple[str, int], int]()
    for key, number in parameters.items():
        if (size := re.fullmatch(r"(\w+)_d(\d+)", key)) is not None:
            sizes[size[1], int(size[2])] = number
        else:
            numbers[key] = number
    recorded = Recorded(f.text)
    run = recorded.run(Inputs(sizes, numbers, kind="terms"))
    assert run.stopped is None, run.stopped
    (found,) = (seen[-1] for value, seen in run.seen.items() if recorded.parsed.names.of(value) == name)
    array = found.data if isinstance(found, Tensor) else np.array(found, object)
    known: dict[Any, frozenset[tuple[str, Point]]] = {}
    return {(r, *leaf) for r in np.ndindex(*array.shape) for leaf in leaves(array[r], known)}


def leaves(term: Any, known: dict[Any, frozenset[tuple[str, Point]]]) -> frozenset[tuple[str, Point]]:
    """The elements of arguments in TERM; KNOWN are those of other terms."""
    if not isinstance(term, FloatTerm):
        return frozenset()
    if term not in known:
        own = {(term.key[1], term.key[2])} if term.name == "element" else set[Any]()
        known[term] = frozenset(own).union(*(leaves(each, known) for each in term.operands))
    return known[term]
