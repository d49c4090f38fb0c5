"""What to do after an error: say what is wrong, and find where the next top-level operation begins."""

from __future__ import annotations

import re
import sys
from typing import NamedTuple

from xdsl.ir import Block, Operation, Region
from xdsl.irdl import IRDLOperation
from xdsl.utils.exceptions import MultipleSpansParseError, ParseError, VerifyException
from xdsl.utils.lexer import Span

from volcli.diagnostics import Diagnostic
from volcli.frontend.check.kinds import what_is_wanted
from volcli.frontend.text.lexer import Lexer
from volcli.frontend.text.locations import LineTable


class UnknownSyntax(ParseError):
    """An operation in a custom syntax that no dialect here has."""


class Redefinition(ParseError):
    """A name that is visible is defined once more; the first definition is at `earlier`."""

    def __init__(self, span: Span, message: str, earlier: int) -> None:
        super().__init__(span, message)
        self.earlier = earlier


class NestedFunction(ParseError):
    """A function inside a function: the outer one is not closed."""


NOT_CLOSED = " is not closed: a '}' is missing"


class AgainAsText(Exception):
    """What stands at the top level is read again: an operation in it is now known to stay text."""


def _sentence(message: str) -> str:
    """The first line of an exception's message, in the style of compilers: lower case, no full stop."""
    line = next((line.strip() for line in message.splitlines() if line.strip()), "").rstrip(".!")
    return line[:1].lower() + line[1:] if line[1:2].islower() else line


_IF_VALID = (
    "if mlir-opt accepts this text, give volcli its generic form (mlir-opt --mlir-print-op-generic); "
    "the rest of the file was analysed"
)


class Standing(NamedTuple):
    """Where the parser stood when it failed: its next token, and the innermost operation it was reading."""

    position: int
    op_start: int
    op_type: type[Operation] | None


def is_own_fault(error: Exception) -> bool:
    """Whether an exception of the parser is a bug of volcli or of a dialect, whatever the text is.

    No text makes a name undefined, a module absent, or memory short. A wrong attribute or argument is a bug
    where a dialect's code raises it; xDSL's own code does so for bad texts too.
    """
    match error:
        case ImportError() | NameError() | SyntaxError() | MemoryError():
            return True
        case AttributeError() | TypeError():
            return _raised_in(error) != "xdsl"
        case _:
            return False


def _raised_in(error: Exception) -> str:
    """The package whose code raised an exception, or called what raised it in Python's own library."""
    import traceback

    package = ""
    for frame, _ in traceback.walk_tb(error.__traceback__):
        name = str(frame.f_globals.get("__name__", "")).partition(".")[0]
        package = package if name in sys.stdlib_module_names else name
    return package


def explain(error: Exception, standing: Standing, table: LineTable, lexer: Lexer) -> Diagnostic:
    """The diagnostic for an exception of the parser: at the token, or at the operation that is invalid."""
    name = "this" if standing.op_type is None else f"'{standing.op_type.name}'"
    here = table.place(standing.position)
    if is_own_fault(error):
        message = f"{name} cannot be read: {type(error).__name__}: {error}"
        return Diagnostic("V900", message, table.place(standing.op_start))
    match error:
        case UnknownSyntax():
            return Diagnostic("V104", error.msg, table.place(error.span.start))
        case NestedFunction():
            offset = behind_previous(lexer.input.content, error.span.start)
            return Diagnostic("V103", name + NOT_CLOSED, table.place(offset))
        case Redefinition():
            related = ((table.place(error.earlier), "previously defined here"),)
            return Diagnostic("V103", error.msg, table.place(error.span.start), related=related)
        case ParseError():
            offset, message = _parse_error(error, name, table, lexer)
            if offset == error.span.start == standing.position and _MISSING.search(message):
                offset = behind_previous(lexer.input.content, offset)
            return Diagnostic("V103", _sentence(message), table.place(offset))
        case VerifyException():
            # Some of xDSL's checks are stricter than MLIR's: do not claim that mlir-opt agrees.
            said = _sentence(str(error))
            wrong = None if standing.op_type is None else wrong_type(standing.op_type, said)
            message = f"{name}: {said}" if wrong is None else f"{name} op {wrong}"
            return Diagnostic("V110", message, table.place(standing.op_start), _IF_VALID)
        case NotImplementedError() if str(error):
            return Diagnostic("V103", f"not supported: {_sentence(str(error))}", here, _IF_VALID)
        case ValueError() if "integer string conversion" in str(error):  # Python's limit
            return Diagnostic("V103", "not supported: an integer of more than 4300 digits", here, _IF_VALID)
        case RecursionError():
            return Diagnostic("V105", "the text is nested too deeply to be read", here)
        case _:
            detail = _sentence(str(error))
            reason = f" ({type(error).__name__}: {detail})" if detail else ""
            message = f"{name} cannot be read: the text here does not fit its syntax{reason}"
            return Diagnostic("V103", message, here, _IF_VALID)


_UNEXPECTED = re.compile(r"unexpected attribute (?P<kind>\S+)$", re.IGNORECASE)


def wrong_type(kind: type[Operation], said: str) -> str | None:
    """What xDSL has SAID of a type that operations of class KIND cannot have, as mlir-opt says it."""
    found = _UNEXPECTED.search(said)
    if found is None or not issubclass(kind, IRDLOperation):
        return None
    wanted = {what_is_wanted(part.constr) for _, part in kind.get_irdl_definition().operands}
    name = wanted.pop() if len(wanted) == 1 else None
    return None if name is None else f"operand #0 must be {name}, but got '{found['kind']}'"


_MISSING = re.compile(r"^expected|expected$|^an? .* expected", re.IGNORECASE)


def behind_previous(text: str, offset: int) -> int:
    """Where something is missing: after the token before OFFSET, comments apart, as mlir-opt has it.

    >>> behind_previous("x = a // b\\n\\n  c", 14)
    5
    """
    before = text[:offset].rstrip(" \t")
    while before and before[-1] in "\r\n":
        before = before[:-1]
        line = max(before.rfind("\n"), before.rfind("\r")) + 1
        comment = before.find("//", line)
        before = (before if comment < 0 else before[:comment]).rstrip(" \t")
    return len(before) if before else offset


def _parse_error(error: ParseError, name: str, table: LineTable, lexer: Lexer) -> tuple[int, str]:
    """The offset and the message of a syntax error inside the operation called `name`."""
    offset, message = error.span.start, error.msg
    if lexer.error is not None and lexer.error.span.start == offset:
        return offset, lexer.error.msg
    if offset >= len(lexer.input.content) and message == " in block definition":
        return behind_previous(lexer.input.content, offset), name + NOT_CLOSED
    if offset >= len(lexer.input.content):
        return offset, f"the text ends inside {name}: {_sentence(message)}"
    if message == " in block definition":
        return offset, "expected an operation, a block label or '}'"
    if isinstance(error, MultipleSpansParseError) and error.refs:
        reference = error.refs[0][0]
        if "missing block" in message:
            return reference.start, f"block {reference.text} is used but never defined"
        return offset, f"{message} (first in line {table.line_column(reference.start)[0]})"
    return offset, message


# Comments, strings and names are matched so that brackets and dots in them do not count.
TOKEN = re.compile(
    r"""(?P<comment>//[^\n\r]*)
      | (?P<metadata>\{-\#)
      | (?P<open>[(\[{]) | (?P<close>[)\]}])
      | (?P<string>@?"(?:[^"\\\n]|\\.)*+"?)
      | (?P<definition>%[\w$.-]+(?::\d+)?(?:\s*,\s*%[\w$.-]+(?::\d+)?)*\s*=(?!=)|[\#!][A-Za-z_][\w$.]*\s*=)
      | (?P<sigil>[@\#!%^][\w$.-]*)
      | (?P<word>[A-Za-z_][\w$.]*)
      | (?P<other>->|\d[\w.]*|\S)""",
    re.VERBOSE | re.ASCII,  # MLIR's white space: U+2028 is a token, if a bad one
)
_CLOSES = {")": "(", "]": "[", "}": "{"}
_DOTLESS_OPERATIONS = frozenset(("module", "func"))


def begins_operation(token: re.Match[str], at_line_begin: bool) -> bool:
    """Whether a token outside all brackets begins an operation, an alias or a metadata section."""
    match token.lastgroup:
        case "word":
            return "." in token.group() or token.group() in _DOTLESS_OPERATIONS
        case "string":
            return token.string.startswith("(", token.end()) and token.group()[0] == '"'
        case "definition":
            return at_line_begin
        case "metadata":
            return True
        case _:
            return False


def _close(stack: list[str], bracket: str) -> bool:
    """Close a bracket; a brace also closes what is open inside it. False if it closes what is around."""
    opener = _CLOSES[bracket]
    if bracket == "}":
        if opener not in stack:
            return False
        while stack.pop() != opener:
            pass
    elif stack and stack[-1] == opener:
        stack.pop()
    return True


def _indentation(text: str, gap_start: int, position: int) -> str | None:
    """The white space before a position if it is the first in its line; the gap before it is blank."""
    line_start = text.rfind("\n", gap_start, position) + 1
    return text[line_start:position] if line_start > gap_start or gap_start == 0 else None


def end_of_operation(text: str, start: int, op_name: str, patient: bool = True, beyond: int = 0) -> int:
    """The offset after an operation that could not be parsed, from its tokens alone.

    The operation ends before the next token, outside all brackets, that begins an operation; or before the
    brace that closes the module around it. Where brackets do not balance: before a line with the same
    indentation that begins with the same operation name, since functions do not nest in functions; or, if
    there is no end at all, before the first line with the same indentation that begins any operation. One who
    is not PATIENT takes that line at once: to see that there is no end, all of the text has to be looked at.
    Where brackets do not balance, no line before BEYOND counts.

    >>> text = "func.func @a() { oops( }  func.func @b() { }"
    >>> text[: end_of_operation(text, 0, "func.func")]
    'func.func @a() { oops( }'
    """
    line_start = text.rfind("\n", 0, start) + 1
    indentation = text[line_start:start]  # matches no white space where something else stands before it
    stack: list[str] = []
    end = gap_start = start
    named = False  # the results' names precede the operation's own name
    before_results: int | None = None  # before results' names in the middle of a line
    fallback: int | None = None
    for token in TOKEN.finditer(text, start):
        before = _indentation(text, gap_start, token.start())
        gap_start = token.end()
        if token.lastgroup == "comment":
            continue
        first, named = not named, named or token.lastgroup != "definition"
        if token.lastgroup == "open":
            stack.append(token.group())
        elif token.lastgroup == "close":
            if not _close(stack, token.group()) and not first:
                return end
        elif first or not begins_operation(token, before is not None):
            pass
        elif not stack:
            return end if before_results is None else before_results
        elif before != indentation or token.start() < beyond:
            pass
        elif token.group().strip('"') == op_name:
            return end if before_results is None else before_results
        elif token.lastgroup != "definition":
            if not patient:
                return end
            fallback = fallback or end
        before_results = end if token.lastgroup == "definition" and not first else None
        end = token.end()
    return fallback if stack and fallback is not None else max(end, start + 1)


def is_inside(op: Operation, block: Block) -> bool:
    """Whether an operation is in a block, or in a region below it, or in a block around it."""
    outermost: Operation | Block | Region = op
    while (parent := outermost.parent) is not None:
        if parent is block:
            return True
        outermost = parent
    return False
