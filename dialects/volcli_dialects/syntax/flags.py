"""The flags of arithmetic: what they promise of floats, and of integers that do not wrap around."""

from __future__ import annotations

from typing import Any

from xdsl.dialects.arith import FastMathFlagsAttr, IntegerOverflowAttr
from xdsl.ir import Attribute

from volcli_dialects.syntax.pieces import BareAttribute
from volcli_dialects.syntax.written import Maybe

NO_FASTMATH = FastMathFlagsAttr("none")
MAY_WRAP = IntegerOverflowAttr("none")


def _flags(keyword: str, name: str, kind: Any, default: Attribute | None = None) -> Maybe:
    """` fastmath<nnan>`: the property NAME of this KIND after KEYWORD, or its DEFAULT, not written."""
    return Maybe(f" {keyword}", BareAttribute(name, kind), of=name, default=default)


FASTMATH = _flags("fastmath", "fastmath", FastMathFlagsAttr, NO_FASTMATH)
OPTIONAL_FASTMATH = _flags("fastmath", "fastmath", FastMathFlagsAttr)
"""Where the property may be absent."""
OVERFLOW = _flags("overflow", "overflowFlags", IntegerOverflowAttr, MAY_WRAP)
