"""How atomic updates, and reductions of parallel loops, execute: by their kinds."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from xdsl.ir import Attribute, Operation

from volcli.execution.numbers import floats, integers
from volcli.execution.numbers.formats import format_of
from volcli.execution.table import Scalar


def combination(op: Operation, name: str, kind: Attribute) -> Scalar:
    """What an atomic update, or a reduction, NAME makes of two numbers of this KIND: "maxs" of i32."""
    format = format_of(kind)
    if name == "assign":
        return Scalar(_first)
    if name.endswith("f"):
        of = name.removesuffix("f")
        scalar = floats.extremum(of) if of in floats.EXTREMA else floats.arithmetic(of)
        return replace(scalar, term=name)
    if name.endswith("i"):
        return integers.alike(op, name.removesuffix("i"), format)
    return (integers.with_sign if name.endswith("s") else integers.without_sign)(op, name[:-1], format)


def _first(value: Any, _: Any) -> Any:
    return value
