"""Statements that repeat: made by their template, without lexing and parsing their text once more.

A statement is parsed, and its template is kept by its text without names. One with the same text is the same
operation on other values, if

- the names that it uses are defined, with values of the same types, and those that it defines are not;
- two of its names are equal where those of the first one were;
- what follows it begins as something that followed a statement of this template;
- its regions have one block each, which is ended, or is to be ended as one of this template was.

Anything else is parsed, and nothing is read twice: regions that were read when a premise fails are handed to
the parser (`_read_regions`). Where more matters than the text, there is no template: for operations without
a dot in their names, functions and modules, `loc(...)`, unknown syntax, what is malformed.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Sequence
from typing import Any

from xdsl.context import Context
from xdsl.ir import Attribute, Block, BlockArgument, Operation, Region, SSAValue
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.utils.lexer import Span

from volcli.frontend.parse.learning import Lesson, ReadRegion, ReadStatement, learned
from volcli.frontend.parse.making import MakingParser
from volcli.frontend.parse.templates import (
    LINE,
    Opening,
    Slot,
    Template,
    append,
    is_cut,
    slots_of,
    without_names,
)
from volcli.frontend.parse.values import BEGINS_OPERATION
from volcli.frontend.text.source import Source


class RepeatingParser(MakingParser):
    """A parser that keeps templates of the statements that it reads."""

    def __init__(self, context: Context, source: Source) -> None:
        super().__init__(context, source)
        self._templates: dict[Hashable, Opening | Template | Lesson] = {}
        self._labels: dict[Hashable, Sequence[tuple[Slot, Attribute]]] = {}
        self._reading = ReadStatement()
        self._read_regions: dict[int, ReadRegion] = {}

    def go_back(self, checkpoint: Any) -> None:
        super().go_back(checkpoint)
        self._templates.clear()
        self._labels.clear()
        self._read_regions.clear()

    # What is read

    def resolve_operand(self, operand: UnresolvedOperand, type: Any) -> SSAValue[Any]:
        value = super().resolve_operand(operand, type)
        self._reading.uses.append((operand, value))
        return value

    def _get_block_from_name(self, block_name: Span) -> Block:
        self._reading.labels.append(block_name)
        return super()._get_block_from_name(block_name)

    def _parse_op_result_list(self) -> list[tuple[Span, int]]:
        results = super()._parse_op_result_list()
        self._reading.results, self._reading.name_at = results, self.pos
        return results

    def parse_optional_region(self, arguments: Iterable[Parser.Argument] | None = None) -> Region | None:
        """A region, unless it was read before."""
        start = self.pos
        found = self._read_regions.pop(start, None)
        if found is None:
            arguments = None if arguments is None else list(arguments)
            region = super().parse_optional_region(arguments)
            if region is None:
                return None
            found = ReadRegion(start, self.closed_at, region, arguments, _last(region))
        else:
            self._resume_from(found.end + 1)
        self._reading.regions.append(found)
        return found.region

    # Statements

    def parse_statement(self, block: Block) -> None:
        """The statements of BLOCK that have templates, and one that has none."""
        text = self._lexer.input.content
        begin = start = self.pos
        while text[start : start + 1] not in "^}" and (made := self._repeated(start)) is not None:
            op, start = made
            append(block, op)
        if start != begin:
            self._resume_from(start)
        if self._parser_state.current_token.kind in BEGINS_OPERATION:
            block.add_op(self._parse_once())

    def parse_item(self) -> Operation:
        """The next statement of a module."""
        made = self._repeated(self.pos)
        if made is None:
            return self._parse_once()
        op, end = made
        self._resume_from(end)
        return op

    def _parse_once(self) -> Operation:
        """The next statement, which has no template so far."""
        outside, self._reading = self._reading, ReadStatement()
        start = self.pos
        op = self.parse_operation()
        is_special = op in self.malformed or op in self.written_at or self._guessed or self._waiting
        line = LINE.match(self._lexer.input.content, start)
        if not is_special and line is not None:
            lesson = Lesson(op, slice(start, self.pos), self._reading, self.blocks)
            known = self._templates.setdefault(without_names(line[1])[0], lesson)
            if not isinstance(known, Lesson):
                self._learn(lesson)
        self._reading = outside
        return op

    def _learn(self, lesson: Lesson) -> None:
        """Keep the template that LESSON teaches."""
        found = learned(self._lexer.input.content, lesson)
        if found is None:
            return
        level: dict[Any, Any] = self._templates
        key: Hashable = found.key
        for opening, piece in zip(found.openings, found.rest, strict=True):
            known = level.setdefault(key, opening)
            if not isinstance(known, Opening):
                return
            level, key = known.rest, piece
        known = level.setdefault(key, found.template)
        if isinstance(known, Template):
            known.after.update(found.template.after)
            for index, ending in enumerate(found.template.endings):
                known.endings[index] = known.endings[index] or ending

    def _repeated(self, start: int) -> tuple[Operation, int] | None:
        """The statement at START and where the next token stands; None if it has no template."""
        line = LINE.match(self._lexer.input.content, start)
        if line is None or self._guessed or self._waiting:
            return None
        key, names = without_names(line[1])
        template = self._templates.get(key)
        if isinstance(template, Lesson):  # the second statement of its kind
            del self._templates[key]
            self._learn(template)
            template = self._templates.get(key)
        if isinstance(template, Template):
            return self.made(template, names, start, line)
        return self._made_around_regions(template, names, line) if isinstance(template, Opening) else None

    # Blocks

    def _parse_label(self) -> Block:
        start, text = self.pos, self._lexer.input.content
        line = LINE.match(text, start)
        if line is None or self._guessed or self._waiting:
            return super()._parse_label()
        key, names = without_names(line[1])
        arguments = self._labels.get(key)
        if arguments is None or self.are_known(names[1:]):
            block = super()._parse_label()
            if self.pos == line.end() and len(names) == 1 + len(block.args):
                self._learn_label(key, line, block)
            return block
        block: Any = self._begin_block(Span(start, start + 1 + len(names[0]), self._lexer.input))
        block._args = tuple(
            BlockArgument(kind, block, index, self.lines.location(slot.start(start, names)))
            for index, (slot, kind) in enumerate(arguments)
        )
        for argument, name, (slot, _) in zip(block.args, names[1:], arguments, strict=True):
            self.define(name, (argument,), slot.start(start, names))
        self._resume_from(line.end())
        return block

    def _learn_label(self, key: Hashable, line: re.Match[str], block: Block) -> None:
        """Keep what LINE, which is a label and nothing else, says of the arguments of BLOCK."""
        if "loc" not in line[1] and not is_cut(line):
            slots = slots_of(line[1])[1:]
            self._labels[key] = [(slot, each.type) for slot, each in zip(slots, block.args, strict=True)]

    # Regions

    def _made_around_regions(
        self, opening: Opening, names: Sequence[str], line: re.Match[str]
    ) -> tuple[Operation, int] | None:
        """The statement that begins with OPENING, and where the next token stands; None if none fits."""
        start = line.start()
        defined = names[: opening.at.number]
        if self.values(opening.uses, names) is None or self.are_known(defined):
            return None
        self._starts.append(opening.at.start(start, names))
        self._types.append(opening.kind)
        self._parser_state.dialect_stack.append(opening.kind.dialect_name())
        read: list[ReadRegion] = []
        rest: Opening | Template | None = opening
        piece: re.Match[str] | None = line
        while isinstance(rest, Opening) and piece is not None:
            read.append(self._read_again(rest, names, start, piece))
            piece = LINE.match(line.string, read[-1].end + 1)
            rest = None if piece is None else rest.rest.get(piece[1])
        for each in (self._starts, self._types, self._parser_state.dialect_stack):
            each.pop()
        if isinstance(rest, Template) and piece is not None:
            made = self.made(rest, names, start, piece, [each.region for each in read])
            if made is not None:
                return made
        self._resume_from(start)
        self._read_regions.update((each.start, each) for each in read)
        return None

    def _read_again(
        self, opening: Opening, names: Sequence[str], start: int, line: re.Match[str]
    ) -> ReadRegion:
        """The region after OPENING, the end of LINE; the statement begins at START and has these NAMES."""
        brace = line.start() + len(line[1].rstrip()) - 1
        arguments: list[Parser.Argument] | None = None
        if opening.arguments is not None:
            arguments = [
                Parser.Argument(self.span_of(slot, names, start), kind) for slot, kind in opening.arguments
            ]
        self._resume_from(brace)
        region = super().parse_optional_region(arguments)
        assert region is not None
        return ReadRegion(brace, self.closed_at, region, arguments, _last(region))


def _last(region: Region) -> Operation | None:
    block = region.last_block
    return None if block is None else block.last_op
