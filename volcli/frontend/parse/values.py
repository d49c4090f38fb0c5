"""SSA values in the text: their uses, their definitions, and the regions that are their scopes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from xdsl.ir import Block, BlockArgument, Region, SSAValue
from xdsl.parser import ForwardDeclaredValue, Parser, UnresolvedOperand
from xdsl.utils.exceptions import MultipleSpansParseError, ParseError
from xdsl.utils.lexer import Span
from xdsl.utils.mlir_lexer import MLIRToken, MLIRTokenKind

from volcli.frontend.parse.labels import LabelParser
from volcli.frontend.parse.names import Names
from volcli.frontend.parse.recovery import Redefinition
from volcli.frontend.text.locations import LineTable, is_implicit
from volcli.language.unchanged import cached_method
from volcli.limits import frontend as limits

BEGINS_OPERATION = frozenset(
    (MLIRTokenKind.PERCENT_IDENT, MLIRTokenKind.BARE_IDENT, MLIRTokenKind.STRING_LIT)
)


class LexedOperand(UnresolvedOperand):
    """An operand whose span is made when someone asks."""

    def __init__(self, token: MLIRToken, index: int) -> None:
        self._token = token
        self.index = index

    @property
    def span(self) -> Span:  # pyright: ignore[reportIncompatibleVariableOverride]
        return self._token.span

    @property
    def operand_name(self) -> str:
        return self._token.text[1:]


class VisibleNames(NamedTuple):
    """What is visible where an isolated region begins, set aside until it ends."""

    values: dict[str, tuple[SSAValue, ...]]
    forward: dict[str, dict[int, ForwardDeclaredValue]]
    defined: list[str]


class ValueParser(LabelParser):
    """A parser that keeps the names of values, and knows scopes by what to forget at their end.

    xDSL copies the table of all visible values for each region; here, `defined` lists the names in the order
    of their definitions, and a region's end drops those that it added.
    """

    lines: LineTable
    names: Names
    defined: list[str]
    closed_at: int
    """Where the brace stands that ends the region that was read last."""

    def begin_values(self) -> None:
        """Begin with no values; a part of the initialisation."""
        self.names = Names()
        self.defined = []
        self.replaced: list[tuple[str, Span, ForwardDeclaredValue[Any]]] = []
        self._forward_spans: dict[SSAValue, Span] = {}
        self._defined_at: dict[str, int] = {}

    # Uses

    def parse_optional_unresolved_operand(self) -> UnresolvedOperand | None:
        state = self._parser_state
        token = state.current_token
        if token.kind is not MLIRTokenKind.PERCENT_IDENT:
            return None
        state.current_token = state.lexer.lex()
        if state.current_token.kind is MLIRTokenKind.HASH_IDENT:
            number = state.current_token
            if not number.text[1:].isdecimal():
                self.raise_error("Expected integer as SSA value tuple index", number.span)
            state.current_token = state.lexer.lex()
            return LexedOperand(token, int(number.text[1:]))
        return LexedOperand(token, 0)

    def parse_unresolved_operand(self, msg: str = "expected SSA operand") -> UnresolvedOperand:
        operand = self.parse_optional_unresolved_operand()
        if operand is None:
            self.raise_error(msg)
        return operand

    def resolve_operand(self, operand: UnresolvedOperand, type: Any) -> SSAValue[Any]:
        """As xDSL's, and notes where a value is first used before its definition."""
        values = self.ssa_values.get(operand.operand_name)
        if values is not None and operand.index < len(values):
            value = values[operand.index]
            if value.type is type or value.type == type:
                return value
        value = super().resolve_operand(operand, type)
        if isinstance(value, ForwardDeclaredValue):
            self._forward_spans.setdefault(value, operand.span)
        return value

    def undefined_values(self) -> list[tuple[str, Span, ForwardDeclaredValue[Any]]]:
        """Values that were used and, so far, not defined: the name, the first use, the placeholder."""
        found = [
            (f"%{name}", self._forward_spans[value], value)
            for name, references in self.forward_ssa_references.items()
            for value in references.values()
        ]
        return sorted(found, key=lambda item: item[1].start)

    # Definitions

    def _parse_op_result_list(self) -> list[tuple[Span, int]]:
        state = self._parser_state
        results: list[tuple[Span, int]] = []
        if state.current_token.kind is not MLIRTokenKind.PERCENT_IDENT:
            return results
        results.append(self._parse_op_result())
        while self.parse_optional_punctuation(",") is not None:
            results.append(self._parse_op_result())
        if sum(size for _, size in results) > limits.RESULTS:
            raise ParseError(results[-1][0], f"more than {limits.RESULTS} results")
        self.parse_punctuation("=", " after operation result list")
        return results

    def _register_ssa_definition(self, name: str, values: Sequence[SSAValue], span: Span) -> None:
        if name in self.ssa_values and name in self._defined_at:
            kind = "region entry argument '%{}' is already in use"
            is_argument = all(isinstance(value, BlockArgument) for value in values) and values
            message = kind if is_argument else "redefinition of SSA value '%{}'"
            raise Redefinition(span, message.format(name), self._defined_at[name])
        self._defined_at[name] = span.start
        if name in self.ssa_values or name in self.forward_ssa_references:
            forward = self.forward_ssa_references.get(name, {}).values()
            self.replaced += [(f"%{name}", self._forward_spans[value], value) for value in forward]
            super()._register_ssa_definition(name, values, span)
        self.ssa_values[name] = tuple(values)
        self.defined.append(name)
        self.names.record(name, values)
        hint = self._hint(name)
        for value in values:
            value._name = hint  # pyright: ignore[reportPrivateUsage]  # without checking it once more
            if isinstance(value, BlockArgument) and is_implicit(value.location):
                value.location = self.lines.location(span.start)

    @cached_method
    def _hint(self, name: str) -> str | None:
        """What xDSL makes of a name: numbers are none, and a number after it is cut off; no empty one."""
        is_valid = SSAValue.is_valid_name(name)
        return (SSAValue.extract_valid_name(name) or None) if is_valid else None

    def forget_values(self, count: int) -> None:
        """Forget all visible values but those that were defined first."""
        for name in self.defined[count:]:
            del self.ssa_values[name]
        del self.defined[count:]

    # Regions

    def begin_isolated(self) -> VisibleNames:
        """Begin a region that neither sees nor shadows the values outside."""
        outside = VisibleNames(self.ssa_values, self.forward_ssa_references, self.defined)
        self.ssa_values, self.forward_ssa_references, self.defined = {}, {}, []
        return outside

    def end_isolated(self, outside: VisibleNames) -> None:
        """End a region that is isolated from above: everything in it must be defined in it."""
        if self.forward_ssa_references:
            name, span, _ = self.undefined_values()[0]
            raise ParseError(span, f"{name} is used but never defined")
        self.ssa_values, self.forward_ssa_references, self.defined = outside

    def parse_optional_region(self, arguments: Iterable[Parser.Argument] | None = None) -> Region | None:
        """As xDSL's, without a copy of the values."""
        if self.parse_optional_punctuation("{") is None:
            return None
        outside, visible = (self.blocks, self.forward_block_references), len(self.defined)
        self.blocks, self.forward_block_references = {}, defaultdict(list)
        region = Region()
        entry = self._parse_entry_block(arguments)
        if entry is not None:
            region.add_block(entry)
        while self._parser_state.current_token.kind is not MLIRTokenKind.R_BRACE:
            region.add_block(self._parse_block())
        self.closed_at = self.pos
        self._consume_token()
        if self.forward_block_references:
            self._refuse_undefined_blocks()
        self.forget_values(visible)
        self.blocks, self.forward_block_references = outside
        return region

    def _parse_entry_block(self, arguments: Iterable[Parser.Argument] | None) -> Block | None:
        kind = self._current_token.kind
        arguments = None if arguments is None else list(arguments)
        if kind is MLIRTokenKind.CARET_IDENT:
            if arguments:
                self.raise_error("the first block has a label, and arguments in front of the region")
            return None
        if arguments is None:
            if kind is MLIRTokenKind.R_BRACE:
                return None
            block = Block()
        else:
            block = Block(arg_types=[argument.type for argument in arguments])
            for value, argument in zip(block.args, arguments, strict=True):
                if argument.location is not None:
                    value.location = argument.location
                self._register_ssa_definition(argument.name.text[1:], (value,), argument.name)
        self._parse_block_body(block)
        return block

    def _parse_block_body(self, block: Block) -> None:
        while self._parser_state.current_token.kind in BEGINS_OPERATION:
            self.parse_statement(block)

    def parse_statement(self, block: Block) -> None:
        """The next operation of BLOCK."""
        block.add_op(self.parse_operation())

    def _refuse_undefined_blocks(self) -> None:
        references = [span for spans in self.forward_block_references.values() for span in spans]
        raise MultipleSpansParseError(
            Span(self.pos, self.pos + 1, self._lexer.input),
            "region ends with missing block declarations",
            "dangling block references:",
            [(span, None) for span in references],
        )
