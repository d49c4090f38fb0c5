"""The locating parser: xDSL's, with the place of every operation and argument and the name of every value."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from xdsl.context import Context
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, Region
from xdsl.parser import ForwardDeclaredValue, Parser
from xdsl.traits import IsolatedFromAbove, SymbolTable
from xdsl.utils.exceptions import ParseError
from xdsl.utils.lexer import Span
from xdsl.utils.mlir_lexer import MLIRToken, MLIRTokenKind

from volcli.diagnostics import Place
from volcli.frontend.check.definitions import Fitting, complete_segments, is_of_xdsl, malformed, misfit
from volcli.frontend.parse.context import SharingContext
from volcli.frontend.parse.opaque import OpaqueOperation
from volcli.frontend.parse.opaque_parser import Awaited, OpaqueParser
from volcli.frontend.parse.recovery import AgainAsText, NestedFunction, is_own_fault
from volcli.frontend.parse.values import VisibleNames
from volcli.frontend.text.locations import LineTable, is_implicit, locate_hidden_operations
from volcli.frontend.text.source import Source
from volcli.language.unchanged import cached_method


class Checkpoint(NamedTuple):
    """Where the parser stands between two operations."""

    scope: VisibleNames
    visible: int
    blocks: dict[str, tuple[Block, Span | None]]
    forward_blocks: dict[str, list[Span]]
    forward_values: dict[str, dict[int, ForwardDeclaredValue]]
    awaited: Awaited
    opaque: int
    depth: int
    dialects: int


class LocatingParser(OpaqueParser):
    """A parser that notes where everything stands, and which operations are not what their name promises.

    An operation stands at its name, after its result list; a block argument at its own name. An explicit
    `loc(...)` in the input wins, and then `written_at` has the place in the text. All values pass
    `_register_ssa_definition`, which keeps their names.
    """

    def __init__(self, context: Context, source: Source) -> None:
        super().__init__(context, source)
        self.source = source
        self.lines = LineTable(source)
        self.begin_values()
        self.begin_opaque()
        self.written_at: dict[Operation, Place] = {}
        self.malformed: dict[Operation, str] = {}
        self._fitting: Fitting = {}
        # The operations being read, outermost first: where each begins, and its class once known.
        self._starts: list[int] = []
        self._types: list[type[Operation]] = []
        self._op_types: dict[str, type[Operation]] = {}
        self._known_syntax: set[type[Operation]] = set()
        self._kept_as_text: set[str] = set()
        """Names of operations that xDSL alone defines, and whose syntax it does not read."""

    # Going back

    def checkpoint(self) -> Checkpoint:
        return Checkpoint(
            VisibleNames(self.ssa_values, self.forward_ssa_references, self.defined),
            len(self.defined),
            self.blocks.copy(),
            self.forward_block_references.copy(),
            {name: references.copy() for name, references in self.forward_ssa_references.items()},
            self.awaited(),
            len(self.opaque),
            len(self._starts),
            len(self._parser_state.dialect_stack),
        )

    def go_back(self, checkpoint: Checkpoint) -> None:
        self.ssa_values, _, self.defined = checkpoint.scope
        self.forget_values(checkpoint.visible)
        self.blocks, self.forward_block_references = checkpoint.blocks, checkpoint.forward_blocks
        self.forward_ssa_references = checkpoint.forward_values
        self.restore_awaited(checkpoint.awaited)
        del self.opaque[checkpoint.opaque :]
        del self._starts[checkpoint.depth :]
        del self._types[checkpoint.depth :]
        del self._parser_state.dialect_stack[checkpoint.dialects :]

    # Places

    def parse_operation(self) -> Operation:
        """As xDSL's, and notes the places of the operation and of what its text leaves out."""
        first = self._current_token
        results = self._parse_op_result_list()
        start = self.pos
        self._starts.append(start)
        op = self._parse_named_operation(results)
        op = self._as_defined(op, start)
        self._types.pop()
        self._starts.pop()
        if is_implicit(op.location):
            op.location = self.lines.location(start)
        else:
            self.written_at[op] = self.lines.place(start)
        if op.regions:
            locate_hidden_operations(op)
        self._define_results(op, results, first)
        return op

    def _as_defined(self, op: Operation, start: int) -> Operation:
        """OP, which begins at START, or its parts alone where they are not those that its name promises."""
        is_generic = self._lexer.input.content[start] == '"'
        if not is_generic and is_of_xdsl(type(op)):
            return op
        complete_segments(op)
        message = misfit(op, self._fitting)
        if message is None and isinstance(op, FuncOp) and self._types[:-1]:
            around = self._types[-2]
            has_table = around.has_trait(SymbolTable, value_if_unregistered=True)
            message = None if has_table or self._is_only_of_xdsl(around) else _NOT_NESTED
        if message is None:
            return op
        found = malformed(op)
        self.malformed[found] = message
        return found

    def _parse_named_operation(self, results: list[tuple[Span, int]]) -> Operation:
        state = self._parser_state
        token = state.current_token
        is_custom = token.kind is MLIRTokenKind.BARE_IDENT
        if is_custom:
            state.current_token = state.lexer.lex()
            name = token.text
        else:
            name = self.expect(self.parse_optional_str_literal, "operation name expected")
        op_type = self._get_op_by_name(name)
        if op_type is OpaqueOperation:
            return self.parse_opaque(name, self._starts[-1], results)
        state.dialect_stack.append(op_type.dialect_name())
        op = self._parse_custom(op_type, name) if is_custom else self._parse_generic_operation(op_type)
        state.dialect_stack.pop()
        if is_custom and (location := self.parse_optional_location()) is not None:
            op.location = location
        return op

    def _parse_custom(self, op_type: type[Operation], name: str) -> Operation:
        """NAME in the syntax of its class; where that is xDSL's alone and does not fit, it stays text."""
        depth = len(self._starts)
        try:
            return op_type.parse(self)
        except Exception as error:
            # The error may be one of an operation inside, which reads its own syntax.
            is_its_own = len(self._starts) == depth and not is_own_fault(error)
            if is_its_own and self._is_only_of_xdsl(op_type):
                self._kept_as_text.add(name)
                raise AgainAsText from error
            raise

    def _is_only_of_xdsl(self, op_type: type[Operation]) -> bool:
        context = self.ctx
        return isinstance(context, SharingContext) and op_type.dialect_name() in context.only_of_xdsl

    def _define_results(self, op: Operation, results: list[tuple[Span, int]], first: MLIRToken) -> None:
        values = op.results
        if results and sum(size for _, size in results) != len(values):
            self.raise_error(
                f"Operation has {len(values)} results, but was given "
                f"{sum(size for _, size in results)} to bind.",
                first.span,
            )
        position = 0
        for span, size in results:
            self._register_ssa_definition(span.text[1:], values[position : position + size], span)
            position += size

    # Names of operations

    def _get_op_by_name(self, name: str) -> type[Operation]:
        op_type = self._op_types.get(name)
        if op_type is None:
            op_type = super()._get_op_by_name(name)
            if "." in name:  # otherwise it depends on the dialect around
                self._op_types[name] = op_type
        start = self._starts[-1]
        if name in self._kept_as_text and self._lexer.input.content[start] != '"':
            op_type = OpaqueOperation
        elif op_type not in self._known_syntax and not self._has_syntax(op_type, start):
            if "." not in name:
                span = Span(start, start + len(name), self._lexer.input)
                raise ParseError(span, f"expected an operation, found '{name}'")
            op_type = OpaqueOperation
        is_function = issubclass(op_type, FuncOp) and self._lexer.input.content[start] != '"'
        if is_function and self._is_in_function():
            raise NestedFunction(Span(start, start + len(name), self._lexer.input), "in a function")
        self._types.append(op_type)
        return op_type

    def _is_in_function(self) -> bool:
        """Whether a function around is left open; what is unknown may hold functions of its own."""
        is_nested = any(issubclass(outer, FuncOp) for outer in self._types)
        return is_nested and not self._types[-1].has_trait(SymbolTable, value_if_unregistered=True)

    def _has_syntax(self, op_type: type[Operation], start: int) -> bool:
        """Whether the text at START, generic or in an operation's own syntax, can be one of this class."""
        if getattr(op_type.parse, "__func__", None) is not _NO_CUSTOM_SYNTAX:
            self._known_syntax.add(op_type)
            return True
        return self._lexer.input.content[start] == '"'

    def parse_optional_region(self, arguments: Iterable[Parser.Argument] | None = None) -> Region | None:
        """A region; one that is isolated from above neither sees nor shadows the values outside."""
        if not self._types or not self._is_isolated(self._types[-1]):
            return super().parse_optional_region(arguments)
        outside = self.begin_isolated()
        region = super().parse_optional_region(arguments)
        self.end_isolated(outside)
        return region

    @cached_method
    def _is_isolated(self, op_type: type[Operation]) -> bool:
        return op_type.has_trait(IsolatedFromAbove, value_if_unregistered=False)


_NOT_NESTED = "symbol's parent must have the SymbolTable trait"
_NO_CUSTOM_SYNTAX = Operation.parse.__func__
