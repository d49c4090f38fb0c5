"""The enumeration attributes of linalg that xDSL lacks, such as `#linalg.type_fn<cast_signed>`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.irdl import irdl_attr_definition

from volcli_dialects.syntax.properties import CaseAttr, enumeration

UNARY = "exp log abs ceil floor negf reciprocal round sqrt rsqrt square tanh erf"
BINARY = "add sub mul div div_unsigned max_signed min_signed max_unsigned min_unsigned powf"
TERNARY = "select"


# How an element is converted to a wider type: with its sign or without.
TypeFnAttr = enumeration("linalg.type_fn", "cast_signed cast_unsigned")


@irdl_attr_definition
class ElementwiseKindAttr(CaseAttr):
    """The function that `linalg.elementwise` applies."""

    name = "linalg.elementwise_kind"
    CASES: ClassVar[str] = f"{UNARY} {BINARY} {TERNARY}"

    @property
    def input_count(self) -> int:
        """How many inputs the function takes: 1 for exp, 2 for add, 3 for select."""
        return 1 + (self.data not in UNARY.split()) + (self.data in TERNARY.split())

    @property
    def function(self) -> str:
        """The function by the name that it has as an operation: `max_signed` is `linalg.max`."""
        return self.data.removesuffix("_signed")


# The functions of one, two and three numbers, which older named operations took as an attribute.
_FUNCTIONS = (("unary", UNARY), ("binary", BINARY), ("ternary", TERNARY))
ATTRIBUTES: Sequence[type[CaseAttr]] = (
    TypeFnAttr,
    ElementwiseKindAttr,
    *(enumeration(f"linalg.{name}_fn", cases) for name, cases in _FUNCTIONS),
)
