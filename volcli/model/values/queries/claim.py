"""What is claimed of numbers at places of a program."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import islpy as isl

from volcli.language.expressions import Expression
from volcli.model.values.contexts.contexts import ProgramPoint


@dataclass(frozen=True, eq=False)
class NumberClaim:
    """That NUMBERS, each under a name, are in HOLDS in all executions that reach all PLACES.

    In FAILS it is false; where the two sets leave something out, it is not known there.
    """

    numbers: Mapping[str, Expression]
    holds: isl.Set
    fails: isl.Set
    places: Sequence[ProgramPoint]
