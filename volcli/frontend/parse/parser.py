"""Reading MLIR text: one bad top-level operation does not lose the file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.utils.lexer import Span, Token
from xdsl.utils.mlir_lexer import MLIRTokenKind

from volcli.diagnostics import Diagnostic, Place
from volcli.frontend.parse.names import Names
from volcli.frontend.parse.opaque import OpaqueContainer
from volcli.frontend.parse.reader import Checkpoint
from volcli.frontend.parse.recovery import (
    NOT_CLOSED,
    AgainAsText,
    NestedFunction,
    Standing,
    end_of_operation,
    explain,
    is_inside,
)
from volcli.frontend.parse.recursion import deep_recursion, no_collector_pauses
from volcli.frontend.parse.repetition import RepeatingParser
from volcli.frontend.parse.values import BEGINS_OPERATION
from volcli.frontend.text.dumps import header_of
from volcli.frontend.text.locations import place_of
from volcli.frontend.text.source import Source
from volcli.frontend.unread import UnreadOp, UnreadOperation, fragments, name_and_symbol
from volcli.language.interface import refused
from volcli.limits import frontend as limits

_BEGINS_ALIAS = frozenset((MLIRTokenKind.HASH_IDENT, MLIRTokenKind.EXCLAMATION_IDENT))


@dataclass
class ParsedModule:
    """A source and what was read of it.

    What could not be read stands in `unread` with its reason, is one of the `diagnostics`, and has an
    `UnreadOperation` in its place in the module. `aliases` and `metadata` are the texts of the source's
    alias definitions and resource sections. `implicit_module` says that the text has no module of its own.
    Operations that lack a part that their definition asks for are `malformed`, each with what is wrong.
    What is `taken_over` was printed by another tool: its text is not that of the source. By its `extents`,
    what stands at the top level, or in a module there, is source.text[first:last].
    """

    source: Source
    module: ModuleOp
    names: Names
    diagnostics: list[Diagnostic] = field(default_factory=list[Diagnostic])
    unread: list[UnreadOp] = field(default_factory=list[UnreadOp])
    aliases: list[str] = field(default_factory=list[str])
    metadata: list[str] = field(default_factory=list[str])
    implicit_module: bool = True
    taken_over: set[Operation] = field(default_factory=set[Operation])
    explicit_places: dict[Operation, Place] = field(default_factory=dict[Operation, Place])
    malformed: dict[Operation, str] = field(default_factory=dict[Operation, str])
    context: Context = field(default_factory=Context)
    extents: dict[Operation, tuple[int, int]] = field(default_factory=dict[Operation, tuple[int, int]])
    _originals: dict[Operation, Operation] = field(default_factory=dict[Operation, Operation])

    def stand_for(
        self, operations: Mapping[Operation, Operation], values: Mapping[SSAValue, SSAValue]
    ) -> None:
        """OPERATIONS and VALUES are copies: they have the places and the names of what they are copies of.

        What is wrong with an original is wrong with its copy.
        """
        self._originals |= operations
        self.names.copy(values)
        for copy, original in operations.items():
            if copy.name != original.name:
                self.names.passed_on(copy, self.written_at(original).line)
        refused.update(copy for copy, original in operations.items() if original in refused)
        for copy, original in operations.items() if self.malformed else ():
            if original in self.malformed:
                self.malformed[copy] = self.malformed[original]

    def original(self, op: Operation) -> Operation:
        """What OP is a copy of, or a copy of a copy; OP itself if it is none."""
        while op in self._originals:
            op = self._originals[op]
        return op

    def is_taken_over(self, op: Operation) -> bool:
        """Whether the text of an operation is that of another tool."""
        current: Operation | None = self.original(op) if self.taken_over else None
        while current is not None and current not in self.taken_over:
            current = current.parent_op()
        return current is not None

    def written_at(self, op: Operation) -> Place:
        """Where an operation stands in the source's text, whatever its `loc(...)` says of its origin."""
        current: Operation | None = self.original(op)
        while current is not None:
            if (place := self.explicit_places.get(current)) is not None:
                return place
            if (place := place_of(current)).file == self.source.name:
                return place
            current = current.parent_op()
        return Place(self.source.name, self.source.first_line, self.source.first_column)


def parse(source: Source, context: Context) -> ParsedModule:
    """Read a source. Every error in the text is a diagnostic of the result; none is raised.

    The diagnostics have the codes V103 (syntax), V104 (unknown custom syntax), V105 (nested too deeply),
    V107 (no operation) and V110 (invalid IR). The context belongs to this source: see `make_context`.
    """
    with deep_recursion(), no_collector_pauses():
        return _RecoveringParser(context, source).parse_source()


class _RecoveringParser(RepeatingParser):
    def __init__(self, context: Context, source: Source) -> None:
        super().__init__(context, source)
        self._result = ParsedModule(
            source,
            ModuleOp([]),
            self.names,
            aliases=self.aliases,
            metadata=self.metadata,
            explicit_places=self.written_at,
            malformed=self.malformed,
            context=context,
        )
        self._extents = self._result.extents

    def parse_source(self) -> ParsedModule:
        result = self._result
        result.module.location = self.lines.module_location()
        body = result.module.body.block
        self._parse_top_level(body, nested=False)
        self._drop_operations_with_undefined_values()
        for name, offset in self.opaque:
            message = f"'{name}' is read as opaque: its custom syntax is not known"
            self._report(Diagnostic("V306", message, self.lines.place(offset)))
        first = body.first_op
        if first is None and not result.diagnostics:
            self._report(Diagnostic("V107", "there is no operation in this text", self.lines.place(0)))
        elif isinstance(first, ModuleOp) and first is body.last_op:
            first.detach()
            result.module, result.implicit_module = first, False
        if result.implicit_module and header_of(result.source.text) is not None:
            fragments.add(result.module)
        result.diagnostics.sort(key=lambda diagnostic: diagnostic.place or Place("", 0, 0))
        result.unread.sort(key=lambda op: op.first)
        return result

    def _report(self, diagnostic: Diagnostic) -> None:
        """Say DIAGNOSTIC, once: modules in modules that are nested too deeply end at the same place."""
        if self._result.diagnostics[-1:] != [diagnostic]:
            self._result.diagnostics.append(diagnostic)

    # The bodies of modules

    def _parse_block_body(self, block: Block) -> None:
        types = self._types
        if types and all(op_type is ModuleOp or op_type is OpaqueContainer for op_type in types):
            self._parse_top_level(block, nested=True)
        else:
            super()._parse_block_body(block)

    def _parse_top_level(self, block: Block, nested: bool) -> None:
        while True:
            token = self._current_token
            if token.kind in BEGINS_OPERATION:
                self._attempt(block, self.parse_item)
            elif token.kind is MLIRTokenKind.EOF and token.span.start >= len(self.source.text):
                if nested:
                    self._close_module(token.span)
                return
            elif nested and token.kind in (MLIRTokenKind.R_BRACE, MLIRTokenKind.CARET_IDENT):
                return
            elif not nested and token.kind in _BEGINS_ALIAS:
                self._attempt(block, self._parse_alias_def)
            elif not nested and token.kind is MLIRTokenKind.FILE_METADATA_BEGIN:
                self._attempt(block, self._parse_file_metadata_dictionary)
            else:
                self._attempt(block, self._refuse_token)

    def _refuse_token(self) -> None:
        self.raise_error(f"expected an operation, found '{self._current_token.text}'")

    def _close_module(self, end: Span) -> None:
        """At the end of the text, pretend the brace that is missing: what the module holds was read."""
        line, _ = self.lines.line_column(self._starts[-1])
        message = f"the module of line {line} is not closed: a '}}' is missing"
        self._report(Diagnostic("V103", message, self.lines.place(end.start)))
        self._parser_state.current_token = Token(MLIRTokenKind.R_BRACE, end)

    # Recovery

    def _attempt(self, block: Block, production: Callable[[], Operation | None]) -> None:
        """Read one item of a module's body; after an error, report it and go on after the item."""
        start, before, unread = self.pos, self.checkpoint(), len(self._result.unread)
        try:
            op = production()
            if op is not None:
                block.add_op(op)
                self._extents[op] = (start, self.pos)
        except AgainAsText:
            del self._result.unread[unread:]
            self.go_back(before)
            self._drop_uses(block)
            self._resume_from(start)
        # xDSL's parser leaks exceptions of many types; whatever happened, the next operation may be fine.
        except Exception as error:
            reason = self._explain(error, start, before)
            reason = self._explain(error, start, before)
            del self._result.unread[unread:]
            self._recover(block, start, before, error, reason)

    def _explain(self, error: Exception, start: int, before: Checkpoint) -> Diagnostic:
        inner_start = self._starts[-1] if len(self._starts) > before.depth else start
        inner_type = self._types[-1] if len(self._types) > before.depth else None
        return explain(error, Standing(self.pos, inner_start, inner_type), self.lines, self._lexer)

    def _recover(
        self, block: Block, start: int, before: Checkpoint, error: Exception, reason: Diagnostic
    ) -> None:
        failed = self.pos
        self.go_back(before)
        self._drop_uses(block)
        op_name, _ = name_and_symbol(self.source.text[start : start + 1000])
        # Lines inside what is nested too deeply begin nothing that is less so.
        beyond = failed if reason.code == "V105" else 0
        patient = len(self._result.unread) < limits.UNREAD_OPERATIONS
        end = end_of_operation(self.source.text, start, op_name, patient, beyond)
        if isinstance(error, NestedFunction) and error.span.start < end:
            end = start + len(self.source.text[start : error.span.start].rstrip())
        placeholder = self._unread(start, end, reason, self._seen(failed, reason))
        if placeholder is not None:
            block.add_op(placeholder)
        self._resume_from(end)

    def _seen(self, failed: int, reason: Diagnostic) -> int | None:
        """The last line on which an error depends that was found at FAILED; None: where the text ends."""
        if reason.message.endswith(NOT_CLOSED):
            return reason.place and reason.place.line
        return self.lines.line_column(failed)[0] if failed < len(self.source.text) else None

    def _unread(self, start: int, end: int, why: Diagnostic, seen: int | None) -> UnreadOperation | None:
        self._report(why)
        text = self.source.text[start:end]
        if text.startswith(("#", "!")):
            self.aliases.append(text)
            return None
        if text.startswith("{-#"):
            self.metadata.append(text)
            return None
        op_name, symbol = name_and_symbol(text)
        place, placeholder = self.lines.place(start), UnreadOperation(text)
        self._result.unread.append(UnreadOp(op_name, symbol, place, text, start, end, why, seen))
        self._extents[placeholder] = start, end
        placeholder.location = self.lines.location(start)
        return placeholder

    def _drop_uses(self, block: Block) -> None:
        """What was built before the error is dropped; values outside must not count it among their uses."""
        outside = [value for values in self.ssa_values.values() for value in values]
        outside += [value for forward in self.forward_ssa_references.values() for value in forward.values()]
        for value in outside:
            for use in tuple(value.uses):
                if not is_inside(use.operation, block):
                    value.remove_use(use)

    def _drop_operations_with_undefined_values(self) -> None:
        """Operations outside functions whose operands the text never defines count as unread.

        So do those with an operand that is defined, but in their own regions.
        """
        for name, span, value in [*self.undefined_values(), *self.replaced]:
            for use in tuple(value.uses):
                root = self._top_level(use.operation)
                if root in self._extents:
                    message = f"{name} is used but never defined"
                    self._drop(root, Diagnostic("V103", message, self.lines.place(span.start)))

    def _top_level(self, op: Operation) -> Operation:
        while op not in self._extents and (parent := op.parent_op()) is not None:
            op = parent
        return op

    def _drop(self, op: Operation, reason: Diagnostic) -> None:
        """Replace a top-level operation, and what uses its results, by placeholders."""
        start, end = self._extents.pop(op)
        end = start + len(self.source.text[start:end].rstrip())
        for user in {self._top_level(use.operation) for result in op.results for use in result.uses}:
            if user is not op and user in self._extents:
                self._drop(user, reason)
        placeholder = self._unread(start, end, reason, reason.place and reason.place.line)
        if op.parent is not None and placeholder is not None:
            op.parent.insert_op_before(placeholder, op)
            op.parent.erase_op(op, safe_erase=False)
