"""The syntax of an operation, stated once: what reads its text also writes it.

    class LoadOp(WrittenOperation):
        '''`%x = affine.load %m[%i + 1] : memref<8xf32>`'''
        SYNTAX = (" ", Operand("memref"), SubscriptList(), Attributes(), " : ", Type("memref"))

A string stands for itself: it is written as it is, and its words and signs are expected where it is read. A
piece reads or writes the part of the operation that it names, by the name in the definition; `operands` and
`results` are all of them. What xDSL's declarative formats can express is stated in these.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar, Self

from xdsl.dialects.builtin import (
    UnitAttr,
)
from xdsl.ir import Attribute, Region, SSAValue
from xdsl.irdl import AttrSizedOperandSegments, IRDLOperation, VariadicDef
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer

from volcli_dialects.syntax.syntax import (
    SEGMENT_SIZES,
    segment_sizes,
)

_Operands = Sequence[UnresolvedOperand] | Sequence[SSAValue]


class ReadParts:
    """What has been read of an operation of a KIND from START on, by the names of its definition."""

    def __init__(self, kind: type[IRDLOperation], start: int) -> None:
        self.kind = kind
        self.start = start
        self.properties: dict[str, Attribute] = {}
        self.attributes: dict[str, Attribute] = {}
        self.operands: dict[str, _Operands] = {}
        self.types: dict[str, Sequence[Attribute]] = {}
        self.regions: dict[str, Sequence[Region]] = {}
        self.arguments: list[Any] = []
        """Those of the next region."""

    def resolve(self, parser: Parser, name: str) -> Sequence[SSAValue]:
        """The operands called NAME, whose types are known by now."""
        operands: Any = self.operands.get(name, ())
        if not operands or isinstance(operands[0], UnresolvedOperand):
            operands = parser.resolve_operands(operands, self.types.get(name, ()), self.start)
            self.operands[name] = operands
        return operands


_Read = Callable[[Parser, ReadParts], object]


class SyntaxPiece(ABC):
    """A part of the text of an operation."""

    @abstractmethod
    def read(self, parser: Parser, found: ReadParts) -> None:
        """Read it, and note in FOUND what it says."""

    @abstractmethod
    def write(self, printer: Printer, op: Any) -> None:
        """Write it for OP. Raises LookupError or ValueError if OP is not of this form."""


class WrittenOperation(IRDLOperation, ABC):
    """An operation whose text is SYNTAX."""

    SYNTAX: ClassVar[Sequence[SyntaxPiece | str]] = ()

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        found = ReadParts(cls, parser.pos)
        reads, names, results, regions, has_segments = _read_by(cls)
        for read in reads:
            read(parser, found)
        operands = found.operands.get("operands")
        if operands is not None:
            operands = found.resolve(parser, "operands")
        elif names:
            groups = [found.resolve(parser, name) for name in names]
            operands = [operand for group in groups for operand in group]
            if has_segments:
                found.properties[SEGMENT_SIZES] = segment_sizes(*map(len, groups))
        types = found.types.get("results")
        if types is None:
            types = [kind for name in results for kind in found.types.get(name, ())]
        return cls.create(
            operands=operands or (),
            result_types=types,
            properties=found.properties,
            attributes=found.attributes,
            regions=[region for name, none in regions for region in found.regions.get(name) or none()],
        )

    def print(self, printer: Printer) -> None:
        for piece in self.SYNTAX:
            _write(piece, printer, self)


@cache
def _tokens(text: str) -> Sequence[str]:
    return re.findall(r"\w+|->|[^\w\s]", text)


_Regions = Sequence[tuple[str, Callable[[], Sequence[Region]]]]


@cache
def _read_by(
    kind: type[WrittenOperation],
) -> tuple[Sequence[_Read], Sequence[str], Sequence[str], _Regions, bool]:
    """What reads the text; the names of operands, results and regions; whether group sizes are a property.

    With a region what stands for it where it is not written: one without a block, or none if it is one of
    any number.
    """
    definition = kind.get_irdl_definition()
    has_segments = any(isinstance(each, AttrSizedOperandSegments) for each in definition.options)
    operands, results = ([name for name, _ in part] for part in (definition.operands, definition.results))
    regions = [
        (name, list[Region] if isinstance(each, VariadicDef) else lambda: [Region()])
        for name, each in definition.regions
    ]
    return list(_readers(kind.SYNTAX)), operands, results, regions, has_segments


def _readers(pieces: Sequence[SyntaxPiece | str]) -> Iterator[_Read]:
    """What reads PIECES one after the other: each word and each sign of texts, and the others."""
    for piece in pieces:
        if isinstance(piece, str):
            yield from map(_expecting, _tokens(piece))
        else:
            yield piece.read


def _expecting(token: Any) -> _Read:
    if token[0].isalpha():
        return lambda parser, _: parser.parse_keyword(token)
    return lambda parser, _: parser.parse_punctuation(token)


def _write(piece: SyntaxPiece | str, printer: Printer, op: Any) -> None:
    if isinstance(piece, str):
        printer.print_string(piece)
    else:
        piece.write(printer, op)


def values(op: Any, name: str) -> Sequence[SSAValue]:
    """The operands or results of OP that are called NAME, in any number."""
    found: Any = getattr(op, name)
    if isinstance(found, SSAValue):
        return [found]  # pyright: ignore[reportUnknownVariableType]
    return found or ()


@dataclass(frozen=True)
class Operand(SyntaxPiece):
    """`%a`; with a TYPE if that is always the same."""

    name: str
    type: Attribute | None = None

    def read(self, parser: Parser, found: ReadParts) -> None:
        if self.type is None:
            found.operands[self.name] = [parser.parse_unresolved_operand()]
        else:
            found.operands[self.name] = [parser.parse_operand(self.type)]

    def write(self, printer: Printer, op: Any) -> None:
        printer.print_ssa_value(getattr(op, self.name))


class Maybe(SyntaxPiece):
    """A TEXT that begins with a word or a sign, and PIECES after it, or nothing.

    `Maybe(" init(", OperandList("inits"), ")", of="inits")` is written if there are values called `inits`.
    OF may be a property, too: without PIECES it is a unit. Where the text has nothing, it is the DEFAULT,
    which is not written. With WHEN, that decides whether it is written.
    """

    def __init__(
        self,
        text: str,
        *pieces: SyntaxPiece | str,
        of: str = "",
        default: Attribute | None = None,
        when: Callable[[Any], Any] | None = None,
    ) -> None:
        self._text = text
        self._pieces = pieces
        self._first, *rest = (*_tokens(text), *pieces)
        self._rest = [*_readers(rest)]
        self._of = of
        self._default = default
        self._when = when

    def read(self, parser: Parser, found: ReadParts) -> None:
        if not self._begins(parser, found):
            if self._default is not None:
                found.properties[self._of] = self._default
        elif not self._pieces:
            found.properties[self._of] = UnitAttr()

    def _begins(self, parser: Parser, found: ReadParts) -> bool:
        """Whether it is here; then it is read."""
        first = self._first
        if isinstance(first, str):
            is_word = first[0].isalpha()
            begin: Any = parser.parse_optional_keyword if is_word else parser.parse_optional_punctuation
            if begin(first) is None:
                return False
        else:
            operand = parser.parse_optional_unresolved_operand()
            if operand is None or not isinstance(first, Operand):
                return False
            found.operands[first.name] = [operand]
        for read in self._rest:
            read(parser, found)
        return True

    def write(self, printer: Printer, op: Any) -> None:
        if self._when(op) if self._when is not None else self._is_there(op):
            for piece in (self._text, *self._pieces):
                _write(piece, printer, op)

    def _is_there(self, op: Any) -> bool:
        if self._default is not None:
            return op.properties.get(self._of, self._default) != self._default
        return self._of in op.properties or (hasattr(op, self._of) and bool(values(op, self._of)))
