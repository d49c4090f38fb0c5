"""Reading operations in unknown syntax: where they end, what they use, and what their results are."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Sequence
from typing import Any, NamedTuple

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.parser import UnresolvedOperand
from xdsl.utils.exceptions import ParseError
from xdsl.utils.lexer import Span
from xdsl.utils.mlir_lexer import MLIRTokenKind

from volcli.frontend.parse.opaque import (
    ATTRIBUTES,
    OpaqueContainer,
    OpaqueOperation,
    UnknownType,
    at_depth_zero,
    closing_brace,
    end_of_opaque,
    names_in,
)
from volcli.frontend.parse.recovery import AgainAsText, UnknownSyntax, is_own_fault
from volcli.frontend.parse.values import ValueParser
from volcli.frontend.text.lexer import skip_blank
from volcli.limits import frontend as limits

# `util.func public @f(%a`; with no argument, a region needs no signature to be read.
_SIGNATURE = re.compile(r"[\w$.]+(?:[ \t]+[a-z_]+)*[ \t]+@(?P<symbol>[\w$.-]+)\((?=\s*%)", re.ASCII)
_FUNCTION = re.compile(r"\bfunc\.func\b")
_CONTAINERS = frozenset((ModuleOp, OpaqueOperation, OpaqueContainer))


class Waiting(NamedTuple):
    """A name in an opaque operation's text that is not defined so far; perhaps it never is, or only there."""

    op: OpaqueOperation
    spelling: str
    position: int  # among the results of one operation


class Signature(NamedTuple):
    """The symbol and the arguments of what looks as a function does; END is after them."""

    symbol: str
    end: int
    arguments: Sequence[Any]


class Awaited(NamedTuple):
    """The names that are waited for: in the block that is being read, and in those before it."""

    in_block: list[Waiting]
    by_name: dict[str, list[Waiting]]


class OpaqueParser(ValueParser):
    """A parser that reads an operation in unknown syntax as its text.

    Its uses are the visible values that the text names, and those that a later block defines. Its results
    have the types after the text's last `->` or `:`; where another operation says another type first, that
    one. Its regions are read as far as that works: they may use names whose types only the syntax says, and
    then the whole operation stays text.
    """

    _types: list[type[Operation]]

    def begin_opaque(self) -> None:
        """Begin with no opaque operation; a part of the initialisation."""
        self.opaque: list[tuple[str, int]] = []
        self._guessed: set[SSAValue] = set()
        self._unclosed: set[int] = set()
        self._waiting_in_block: list[Waiting] = []
        self._waiting: dict[str, list[Waiting]] = {}

    def checkpoint(self) -> Any:
        """Where the parser stands, to go back to."""
        raise NotImplementedError

    def go_back(self, checkpoint: Any) -> None:
        """Go back to a checkpoint; not in the text, and uses of values stay."""
        raise NotImplementedError

    def parse_opaque(self, name: str, start: int, results: Sequence[tuple[Span, int]]) -> OpaqueOperation:
        """The operation NAME, which begins at START and defines RESULTS."""
        text = self._lexer.input.content
        end = end_of_opaque(text, start, self._unclosed)
        if end is None:
            span = Span(start, start + len(name), self._lexer.input)
            raise UnknownSyntax(span, f"the custom syntax of '{name}' is not known")
        self.opaque.append((name, start))
        is_explicit, types = self._result_types(text[start:end], start, results)
        signature = self._signature(start, end)
        pieces, regions = self._parse_regions(start, end, signature)
        if signature is not None and not regions:
            signature = None
        uses, blocks, unknown = self._uses(pieces, signature)
        op = OpaqueOperation.of(name, [text[slice(*piece)] for piece in pieces], uses, blocks, types, regions)
        if signature is not None:
            op.define(signature.symbol, [argument.name.text for argument in signature.arguments])
        if not is_explicit:
            self._guessed.update(op.results)
        self._waiting_in_block += [Waiting(op, spelling, _index(spelling)) for spelling in unknown]
        self._resume_from(end)
        return op

    def awaited(self) -> Awaited:
        """What is waited for, to go back to."""
        return Awaited(self._waiting_in_block.copy(), self._waiting)

    def restore_awaited(self, awaited: Awaited) -> None:
        """Go back to what was waited for."""
        self._waiting_in_block, self._waiting = awaited

    # Functions

    def _signature(self, start: int, end: int) -> Signature | None:
        """The symbol and the arguments of an operation that looks as a function: `x.func @f(%a: i32)`."""
        text = self._lexer.input.content
        head = _SIGNATURE.match(text, start, end)
        if head is None or self.forward_ssa_references:
            return None
        self._resume_from(head.end() - 1)
        try:
            arguments = self.parse_comma_separated_list(self.Delimiter.PAREN, self._parse_parameter)
        except ParseError:
            return None
        return Signature(head["symbol"], self.pos, arguments) if arguments else None

    def _parse_parameter(self) -> Any:
        """An argument with its type, and attributes that stay text."""
        argument = self.parse_argument()
        self.parse_optional_attr_dict()
        return argument

    # Uses

    def _uses(
        self, pieces: Sequence[tuple[int, int]], signature: Signature | None
    ) -> tuple[list[tuple[str, SSAValue]], list[tuple[str, Block]], list[str]]:
        """The values and the blocks that pieces of the text name, and names that mean nothing so far."""
        uses: dict[str, SSAValue] = {}
        blocks: dict[str, Block] = {}
        unknown: dict[str, None] = {}
        text = self._lexer.input.content
        names = [(start, name) for start, end in pieces for name in names_in(text[start:end])]
        own = {name.text for _, name in names if name.is_definition}
        if signature is not None:
            names = [(start, name) for start, name in names if start + name.start >= signature.end]
        for start, name in names:
            base, index = _base(name.text), _index(name.text)
            values = self.ssa_values.get(base)
            if name.text[0] == "^":
                if name.depth == 0:
                    span = Span(start + name.start, start + name.end, self._lexer.input)
                    blocks[name.text] = self._get_block_from_name(span)
            elif values is not None and index < len(values):
                uses[name.text] = values[index]
            elif f"%{base}" not in own:
                unknown[name.text] = None
        return list(uses.items()), list(blocks.items()), list(unknown)

    def _register_ssa_definition(self, name: str, values: Sequence[SSAValue], span: Span) -> None:
        super()._register_ssa_definition(name, values, span)
        for waiting in self._waiting.pop(name, ()):
            if waiting.position < len(values):
                waiting.op.add_use(waiting.spelling, values[waiting.position])

    def _parse_block_body(self, block: Block) -> None:
        """A block; only after it may the names that its opaque operations wait for be defined."""
        outside, self._waiting_in_block = self._waiting_in_block, []
        super()._parse_block_body(block)
        for waiting in self._waiting_in_block:
            self._waiting.setdefault(_base(waiting.spelling), []).append(waiting)
        self._waiting_in_block = outside

    def parse_optional_region(self, arguments: Any = None) -> Region | None:
        outside, self._waiting = self._waiting, {}
        region = super().parse_optional_region(arguments)
        self._waiting_in_block += [waiting for each in self._waiting.values() for waiting in each]
        self._waiting = outside
        return region

    # Results

    def _result_types(
        self, text: str, start: int, results: Sequence[tuple[Span, int]]
    ) -> tuple[bool, list[Attribute]]:
        """The types of the results, and whether the text says them; else they are a guess."""
        count = sum(size for _, size in results)
        types: list[Attribute] = [UnknownType()] * count
        explicit = False
        marks = at_depth_zero(text, lambda token: token[0] in ("->", ":", "to", "into")) if count else ()
        last = next(iter(deque(marks, maxlen=1)), None)
        if last is not None:
            found = self._type_list(start + last.end())
            if len(found) == count:
                types, explicit = found, last[0] == "->"
        position = 0
        for span, size in results:
            for index, reference in self.forward_ssa_references.get(span.text[1:], {}).items():
                if index < size:
                    types[position + index] = reference.type
            position += size
        return explicit, types

    def _type_list(self, offset: int) -> list[Attribute]:
        """The types at an offset, in parentheses or not; none if there is something else."""
        self._resume_from(offset)
        in_parentheses = self._current_token.kind is MLIRTokenKind.L_PAREN
        delimiter = self.Delimiter.PAREN if in_parentheses else self.Delimiter.NONE
        try:
            return list(self.parse_comma_separated_list(delimiter, self.parse_type))
        except ParseError:
            return []

    def resolve_operand(self, operand: UnresolvedOperand, type: Any) -> SSAValue[Any]:
        """As before; the first operation that says the type of a guessed result is right."""
        values = self.ssa_values.get(operand.operand_name) if self._guessed else None
        if values is not None and operand.index < len(values):
            value = values[operand.index]
            if value in self._guessed:
                self._guessed.discard(value)
                value._type = type  # pyright: ignore[reportPrivateUsage]
        return super().resolve_operand(operand, type)

    # Regions

    def _parse_regions(
        self, start: int, end: int, signature: Signature | None
    ) -> tuple[list[tuple[int, int]], list[Region]]:
        """The regions in the text, and the pieces of text around them; or no region, and all of the text.

        The first one after a SIGNATURE is the body, which has its arguments.
        """
        text = self._lexer.input.content
        pieces: list[tuple[int, int]] = []
        regions: list[Region] = []
        # A region could define what was used before it, which could not be undone.
        nested = sum(issubclass(kind, OpaqueOperation) for kind in self._types)
        if self.forward_ssa_references or nested > limits.NESTED_OPAQUE:
            return [(start, end)], regions
        uses_before = [(v, v.first_use) for values in self.ssa_values.values() for v in values]
        begin = start
        for brace in at_depth_zero(text[start:end], lambda token: token[0] == "{"):
            opening = start + brace.start()
            if ATTRIBUTES.match(text, opening) is not None:
                continue
            closing = closing_brace(text, opening)
            arguments = signature.arguments if signature is not None and not regions else None
            region = self._parse_region_between(opening, closing, arguments)
            if region is None:
                for value, use in uses_before:
                    while value.first_use is not None and value.first_use is not use:
                        value.remove_use(value.first_use)
                return [(start, end)], []
            regions.append(region)
            pieces.append((begin, opening))
            begin = closing + 1
        return [*pieces, (begin, end)], regions

    def _parse_region_between(
        self, opening: int, closing: int, arguments: Sequence[Any] | None
    ) -> Region | None:
        """The region between two braces, if it can be read; functions in it are read one by one."""
        text, state = self._lexer.input.content, self._parser_state
        before, dialects, outermost = self.checkpoint(), state.dialect_stack, self._types[-1]
        is_container = set(self._types) <= _CONTAINERS and _FUNCTION.search(text, opening, closing)
        # Which dialect's names the region may shorten is unknown.
        state.dialect_stack = []
        self._types[-1] = OpaqueContainer if is_container else OpaqueOperation
        self._resume_from(opening)
        try:
            region = self.parse_region(arguments)
            complete = self.pos == skip_blank(text, closing + 1)
        # Whatever does not fit: the text can be carried as it is.
        except Exception as error:
            if is_own_fault(error) or isinstance(error, AgainAsText):
                raise
            region, complete = None, False
        state.dialect_stack = dialects
        if region is None or not complete or self.forward_ssa_references:
            self.go_back(before)
            region = None
        self._types[-1] = outermost
        return region


def _base(spelling: str) -> str:
    return spelling[1:].partition("#")[0]


def _index(spelling: str) -> int:
    return int(spelling.partition("#")[2] or 0)
