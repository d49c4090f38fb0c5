"""The locating parser: xDSL's, with the place of every operation and argument and the name of every value."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from xdsl.context import Context
from xdsl.dialects.func import FuncOp
from xdsl.ir import BlockArgument, Operation, Region, SSAValue
from xdsl.parser import ForwardDeclaredValue, Parser, UnresolvedOperand
from xdsl.traits import IsolatedFromAbove
from xdsl.utils.exceptions import ParseError
from xdsl.utils.lexer import Span

from volcli.diagnostics import Place
from volcli.frontend.literals import LiteralParser
from volcli.frontend.locations import LineTable, is_implicit
from volcli.frontend.names import Names
from volcli.frontend.recovery import NestedFunction, UnknownSyntax
from volcli.frontend.source import Source


class LocatingParser(LiteralParser):
    """A parser that notes where everything stands.

    An operation stands at its name, behind its result list; a block argument at its own name. An explicit
    `loc(...)` in the input wins, and then `written_at` has the place in the text. All values pass
    `_register_ssa_definition`, which keeps their names.
    """

    def __init__(self, context: Context, source: Source) -> None:
        super().__init__(context, source)
        self.source = source
        self.lines = LineTable(source)
        self.names = Names()
        self.written_at: dict[Operation, Place] = {}
        # The operations being read, outermost first: where each begins, and its class once known.
        self._starts: list[int] = []
        self._types: list[type[Operation]] = []
        self._isolated: dict[type[Operation], bool] = {}
        self._forward_spans: dict[SSAValue, Span] = {}

    # Places

    def _parse_op_result_list(self) -> list[tuple[Span, int]]:
        results = super()._parse_op_result_list()
        self._starts.append(self.pos)
        return results

    def parse_operation(self) -> Operation:
        op = super().parse_operation()
        self._types.pop()
        start = self._starts.pop()
        if is_implicit(op.location):
            op.location = self.lines.location(start)
        else:
            self.written_at[op] = self.lines.place(start)
        for region in op.regions:
            block = region.last_block
            terminator = None if block is None else block.last_op
            if terminator is not None and is_implicit(terminator.location):
                _locate_hidden_operations(op, terminator)
        return op

    # Names of operations

    def _get_op_by_name(self, name: str) -> type[Operation]:
        op_type = super()._get_op_by_name(name)
        start = self._starts[-1]
        if (
            self._lexer.input.content[start] != '"'
            and getattr(op_type.parse, "__func__", None) is _NO_CUSTOM_SYNTAX
        ):
            span = Span(start, start + len(name), self._lexer.input)
            if "." not in name:
                raise ParseError(span, f"expected an operation, found '{name}'")
            raise UnknownSyntax(span, f"the custom syntax of '{name}' is not known")
        if op_type is FuncOp and FuncOp in self._types:
            message = "a function inside a function: is a '}' missing above?"
            raise NestedFunction(Span(start, start + len(name), self._lexer.input), message)
        self._types.append(op_type)
        return op_type

    # Values

    def _register_ssa_definition(self, name: str, values: Sequence[SSAValue], span: Span) -> None:
        super()._register_ssa_definition(name, values, span)
        self.names.record(name, values)
        if len(values) == 1:
            value = values[0]
            if isinstance(value, BlockArgument) and is_implicit(value.location):
                value.location = self.lines.location(span.start)

    def resolve_operand(self, operand: UnresolvedOperand, type: Any) -> SSAValue[Any]:
        """As xDSL's, and notes where a value is first used before its definition."""
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

    def parse_optional_region(self, arguments: Iterable[Parser.Argument] | None = None) -> Region | None:
        """A region; one that is isolated from above neither sees nor shadows the values outside."""
        if not self._types or not self._is_isolated(self._types[-1]):
            return super().parse_optional_region(arguments)
        outside = self.ssa_values, self.forward_ssa_references
        self.ssa_values, self.forward_ssa_references = {}, {}
        region = super().parse_optional_region(arguments)
        if undefined := self.undefined_values():
            name, span, _ = undefined[0]
            raise ParseError(span, f"{name} is used but never defined")
        self.ssa_values, self.forward_ssa_references = outside
        return region

    def _is_isolated(self, op_type: type[Operation]) -> bool:
        isolated = self._isolated.get(op_type)
        if isolated is None:
            isolated = op_type.has_trait(IsolatedFromAbove, value_if_unregistered=False)
            self._isolated[op_type] = isolated
        return isolated


_NO_CUSTOM_SYNTAX = Operation.parse.__func__


def _locate_hidden_operations(op: Operation, terminator: Operation) -> None:
    """Give operations that the text leaves out the locations that mlir-opt gives them.

    A terminator without operands stands where its parent stands. Of linalg's hidden bodies, those of `map`
    and `reduce` in short form stand there too, but not their arguments; the arguments of `transpose` and
    `broadcast` come from the operands; the bodies of named operations come from nowhere: loc(unknown).
    """
    block = terminator.parent
    if block is None:
        return
    if not terminator.operands:
        terminator.location = op.location
    elif op.name in ("linalg.transpose", "linalg.broadcast"):
        terminator.location = op.location
        for argument, operand in zip(block.args, op.operands, strict=False):
            owner = operand if isinstance(operand, BlockArgument) else operand.owner
            if isinstance(owner, Operation | BlockArgument):
                argument.location = owner.location
    elif op.name in ("linalg.map", "linalg.reduce"):
        for hidden in block.ops:
            hidden.location = op.location
