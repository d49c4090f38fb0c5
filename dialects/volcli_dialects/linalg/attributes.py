"""The enumeration attributes of linalg that xDSL lacks, such as `#linalg.type_fn<cast_signed>`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.ir import Data
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer

UNARY = "exp log abs ceil floor negf reciprocal round sqrt rsqrt square tanh erf"
BINARY = "add sub mul div div_unsigned max_signed min_signed max_unsigned min_unsigned powf"
TERNARY = "select"


class CaseAttr(Data[str]):
    """One case of an enumeration: `data` is its name, one of `cases()`.

    `#linalg.type_fn<cast_unsigned>` is `TypeFnAttr("cast_unsigned")`. Parsing any other name is a parse
    error.
    """

    CASES: ClassVar[str] = ""

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> str:
        with parser.in_angle_brackets():
            position = parser.pos
            case = parser.parse_identifier()
            if case not in cls.CASES.split():
                parser.raise_error(f"expected one of: {', '.join(cls.CASES.split())}", position)
            return case

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string(self.data)


@irdl_attr_definition
class TypeFnAttr(CaseAttr):
    """How an element is converted to a wider type: with its sign or without."""

    name = "linalg.type_fn"
    CASES: ClassVar[str] = "cast_signed cast_unsigned"


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


@irdl_attr_definition
class UnaryFnAttr(CaseAttr):
    """A function of one number; older named operations took it as an attribute."""

    name = "linalg.unary_fn"
    CASES: ClassVar[str] = UNARY


@irdl_attr_definition
class BinaryFnAttr(CaseAttr):
    """A function of two numbers; older named operations took it as an attribute."""

    name = "linalg.binary_fn"
    CASES: ClassVar[str] = BINARY


@irdl_attr_definition
class TernaryFnAttr(CaseAttr):
    """A function of three numbers; older named operations took it as an attribute."""

    name = "linalg.ternary_fn"
    CASES: ClassVar[str] = TERNARY


ATTRIBUTES: Sequence[type[CaseAttr]] = (
    TypeFnAttr,
    ElementwiseKindAttr,
    UnaryFnAttr,
    BinaryFnAttr,
    TernaryFnAttr,
)
