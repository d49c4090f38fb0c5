"""Operations in an unknown custom syntax: read as their text, with what the text shows."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple, cast

from xdsl.dialects.builtin import ArrayAttr, StringAttr, UnregisteredOp
from xdsl.ir import Attribute, Block, ParametrizedAttribute, Region, SSAValue, TypeAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.printer import Printer

from volcli.frontend.parse.recovery import TOKEN, begins_operation

_CLOSES = {")": "(", "]": "[", "}": "{"}
_LABEL = re.compile(r"\^[\w$.-]+\s*(?:\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))?\s*:", re.ASCII)
_CONTINUES = frozenset((",", ":", "->", "="))
# A dictionary, not a region: `{a.b = ...`, `{a.b, ...`, `{}`, or `{a.b}` in one line; or a list, `{["a"]}`.
ATTRIBUTES = re.compile(r'\{\s*(?:[\}\[(<@#!\d-]|(?:[\w$.]+|"[^"\n]*")(?:\s*[=,]|[ \t]*\}))')
_VALUE = re.compile(r"%[\w$.-]+(?:#\d+)?", re.ASCII)


@irdl_attr_definition
class UnknownType(ParametrizedAttribute, TypeAttribute):
    """The type of a result as long as no other operation has said it; printed nowhere."""

    name = "volcli.unknown"


class OpaqueOperation(UnregisteredOp):
    """An operation that is its text, verbatim, from its name to its end.

    Its operands are the values around it that the text names, each once, and `spellings` says as what; its
    successors are the blocks that the text names, as `labels`. The regions that were read stand between the
    pieces of the `text`. What looks as a function has a `sym_name`, and its text names the `arguments` of the
    first region.
    """

    name = "builtin.unregistered"

    UNNAMED_ATTRIBUTES = ("op_name__", "text", "spellings", "labels", "arguments", "sym_name")

    @staticmethod
    def of(
        name: str,
        pieces: Sequence[str],
        uses: Sequence[tuple[str, SSAValue]],
        blocks: Sequence[tuple[str, Block]],
        result_types: Sequence[Attribute],
        regions: Sequence[Region],
    ) -> OpaqueOperation:
        """The operation NAME with the PIECES of its text, its USES and BLOCKS with their spelling."""
        return OpaqueOperation.create(
            operands=[value for _, value in uses],
            successors=[block for _, block in blocks],
            result_types=result_types,
            regions=regions,
            attributes={
                "op_name__": StringAttr(name),
                "text": _strings(pieces),
                "spellings": _strings(spelling for spelling, _ in uses),
                "labels": _strings(spelling for spelling, _ in blocks),
            },
        )

    def strings(self, name: str) -> list[str]:
        """The pieces of the `text`, the `spellings` or the `labels`."""
        return [text.data for text in cast(ArrayAttr[StringAttr], self.attributes[name])]

    def define(self, symbol: str, arguments: Sequence[str]) -> None:
        """Be the function SYMBOL, whose text names the ARGUMENTS of the first region."""
        self.attributes["sym_name"] = StringAttr(symbol)
        self.attributes["arguments"] = _strings(arguments)

    def add_use(self, spelling: str, value: SSAValue) -> None:
        """Add an operand that is defined after this operation."""
        self.attributes["spellings"] = _strings([*self.strings("spellings"), spelling])
        self.operands = [*self.operands, value]

    def print(self, printer: Printer) -> None:
        is_function = "arguments" in self.attributes
        for piece, region in zip(self.strings("text"), (*self.regions, None), strict=True):
            self._print_piece(printer, piece)
            if region is not None:
                has_label = region.first_block is not None and bool(region.first_block.args)
                has_label = has_label and not (is_function and region is self.regions[0])
                printer.print_region(region, print_entry_block_args=has_label)

    def _print_piece(self, printer: Printer, text: str) -> None:
        """A piece of the text, with the names that values and blocks have by now."""
        values: dict[str, SSAValue] = dict(zip(self.strings("spellings"), self.operands, strict=True))
        if "arguments" in self.attributes:
            values.update(zip(self.strings("arguments"), self.regions[0].blocks[0].args, strict=True))
        blocks = dict(zip(self.strings("labels"), self.successors, strict=True))
        printed = 0
        for name in names_in(text):
            value, block = values.get(name.text), blocks.get(name.text) if name.depth == 0 else None
            if value is None and block is None:
                continue
            printer.print_string(text[printed : name.start], indent=0)
            printed = name.end
            if value is not None:
                printer.print_ssa_value(value)
            elif block is not None:
                printer.print_block_name(block)
        printer.print_string(text[printed:], indent=0)


def _strings(texts: Iterable[str]) -> ArrayAttr[StringAttr]:
    return ArrayAttr([StringAttr(text) for text in texts])


class OpaqueContainer(OpaqueOperation):
    """The class of an operation like gpu.module while the functions in it are read."""


class NameInText(NamedTuple):
    """`%value`, `%value#1` or `^block` in a text; DEPTH counts the braces around it."""

    text: str
    start: int
    end: int
    depth: int
    is_definition: bool = False


def names_in(text: str) -> Iterator[NameInText]:
    """The names of values and blocks in an operation's text, in its order; none from strings and comments.

    >>> [(n.text, n.is_definition) for n in names_in('x.y %a#1, "%b" { %c:2 = x.z %d }')]
    [('%a#1', False), ('%c', True), ('%d', False)]
    """
    depth = 0
    for token in TOKEN.finditer(text):
        word, start = token[0], token.start()
        match token.lastgroup:
            case "open" | "close":
                depth += {"{": 1, "}": -1}.get(word, 0)
            case "definition":
                for name in _VALUE.finditer(text, start, token.end()):
                    yield NameInText(name[0], name.start(), name.end(), depth, True)
            case "sigil" if word[0] == "%":
                name = _VALUE.match(text, start)
                if name is not None:
                    yield NameInText(name[0], start, name.end(), depth)
            case "sigil" if word[0] == "^":
                yield NameInText(word, start, token.end(), depth)
            case _:
                pass


def end_of_opaque(text: str, start: int, unclosed: set[int] | None = None) -> int | None:
    """The offset after an operation in unknown syntax; None if its brackets do not balance.

    It ends before the brace that closes the region around it; or before the first line, outside all brackets,
    that begins an operation, a block, an alias or a metadata section. In a line it also ends where something
    begins one after its types. Brackets that are found to be never closed go into UNCLOSED, and those that
    are there are not looked after again.

    >>> text = "x.y %a {\\n  x.z\\n}\\n  : (i32) -> i32\\n%b = x.y"
    >>> text[: end_of_opaque(text, 0)].splitlines()[-1]
    '  : (i32) -> i32'
    >>> text = "x.y %a : !t<x.y, i32> return %a : i32"
    >>> text[: end_of_opaque(text, 0)]
    'x.y %a : !t<x.y, i32>'
    """
    unclosed = set() if unclosed is None else unclosed
    stack: list[re.Match[str]] = []
    end, before = start, "="
    angles, has_types = 0, False
    for token in TOKEN.finditer(text, start):
        word = token[0]
        if token.lastgroup == "comment":
            continue
        begins = "\n" in text[end : token.start()] or (has_types and not angles)
        if not stack and begins and before not in _CONTINUES and _begins_item(token):
            return end
        angles += {"<": 1, ">": -1}.get(word, 0)
        has_types = has_types or (not stack and word in (":", "->"))
        if token.lastgroup == "open":
            stack.append(token)
            if token.start() in unclosed:
                break
        elif token.lastgroup == "close":
            if not stack:
                return end if word == "}" else None
            if stack[-1][0] != _CLOSES[word]:
                break
            stack.pop()
        end, before = token.end(), word
    unclosed.update(token.start() for token in stack)
    return None if stack else end


def _begins_item(token: re.Match[str]) -> bool:
    if token[0].startswith("^"):
        return _LABEL.match(token.string, token.start()) is not None
    return begins_operation(token, True) or token[0] in ("return", "call")


def at_depth_zero(text: str, wanted: Callable[[re.Match[str]], bool]) -> Iterator[re.Match[str]]:
    """The tokens of a text outside all brackets, `<...>` too, that are WANTED."""
    depth = 0
    for token in TOKEN.finditer(text):
        word = token[0]
        if depth == 0 and wanted(token):
            yield token
        if token.lastgroup == "open" or word == "<":
            depth += 1
        elif token.lastgroup == "close" or word == ">":
            depth -= 1


def has_body(text: str) -> bool:
    """Whether the TEXT of an operation has braces that hold no attributes.

    >>> has_body("a.b %c {d = 1}"), has_body("a.f @g { %h = a.i }")
    (False, True)
    """
    braces = at_depth_zero(text, lambda token: token[0] == "{")
    return any(ATTRIBUTES.match(text, brace.start()) is None for brace in braces)


def closing_brace(text: str, begin: int) -> int:
    """Where the brace that stands at BEGIN is closed; the end of the text if it is not."""
    depth = 0
    for token in TOKEN.finditer(text, begin):
        if token.lastgroup in ("open", "close"):
            depth += {"{": 1, "}": -1}.get(token[0], 0)
            if depth == 0 and token[0] == "}":
                return token.start()
    return len(text)
