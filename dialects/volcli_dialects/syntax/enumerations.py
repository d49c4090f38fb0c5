"""Attributes that are one word of several, in angle brackets: `#linalg.type_fn<cast_signed>`."""

from __future__ import annotations

from typing import ClassVar, cast

from xdsl.ir import Data
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException


class CaseAttr(Data[str]):
    """One case of an enumeration: `data` is its name, one of CASES. Any other name is a parse error."""

    CASES: ClassVar[str] = ""

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> str:
        with parser.in_angle_brackets():
            position = parser.pos
            case = parser.parse_identifier()
            if case not in cls.CASES.split():
                parser.raise_error(f"expected one of: {', '.join(cls.CASES.split())}", position)
            return case

    def verify(self) -> None:
        if self.data not in self.CASES.split():
            raise VerifyException(f"expected one of: {', '.join(self.CASES.split())}")

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string(self.data)


def enumeration(name: str, cases: str) -> type[CaseAttr]:
    """The attribute NAME with these CASES: "vector.punctuation", one of "no_punctuation newline comma"."""
    class_name = "".join(part.title() for part in name.partition(".")[2].split("_")) + "Attr"
    kind = type(
        class_name, (CaseAttr,), {"name": name, "CASES": cases, "__annotations__": {"CASES": ClassVar[str]}}
    )
    return cast("type[CaseAttr]", irdl_attr_definition(kind))
