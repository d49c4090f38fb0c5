"""Source text: reading it from a file, and splitting it into the chunks of `--split-input-file`."""

from __future__ import annotations

import errno
import os
import re
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from volcli.diagnostics import Diagnostic, Place, UsageError

SPLIT_MARKER = "// -----"
SKIPPED = r'//[^\n]*|"(?:[^"\\\n]|\\.)*"'
"""A comment or a string, as an expression, also where text cannot be read: no name or bracket is in it."""
SYMBOL = r'@(?:[\w$.-]+|"(?:[^"\\\n]|\\.)*")'
"""The name of a symbol, likewise."""

# mlir-opt takes the marker wherever it stands in a line, but not where it ends the file. It also takes the
# first five dashes of a longer ruler and then chokes on the rest: we leave rulers alone.
_SPLIT = re.compile(re.escape(SPLIT_MARKER) + r"(?=[^-])")

_BYTE_ORDER_MARKS = (
    (b"\xef\xbb\xbf", "UTF-8"), (b"\xff\xfe\0\0", "UTF-32"), (b"\0\0\xfe\xff", "UTF-32"),
    (b"\xff\xfe", "UTF-16"), (b"\xfe\xff", "UTF-16"),
)  # fmt: skip
_AS_UTF8 = "save the file as UTF-8 without a byte order mark"
_BYTECODE_MAGIC = b"ML\xefR"


@dataclass(frozen=True)
class Source:
    """MLIR text with the name and the place that it comes from.

    `first_line` and `first_column` say where `text` begins in the file: a chunk of a split file keeps the
    file's own line numbers, as mlir-opt's locations do.

    >>> chunk = Source("a.mlir", "first\\nsecond\\n", first_line=10)
    >>> chunk.line(11)
    'second'
    """

    name: str
    text: str
    first_line: int = 1
    first_column: int = 1

    @cached_property
    def _lines(self) -> list[str]:
        # Not str.splitlines: that also splits at form feeds and at U+2028, where MLIR counts no line.
        return self.text.split("\n")

    def line(self, number: int) -> str | None:
        """The text of a line of the file without its line ending; None if this source does not hold it."""
        index = number - self.first_line
        return self._lines[index].removesuffix("\r") if 0 <= index < len(self._lines) else None


def _refuse(
    code: str, message: str, path: str, line: int = 1, column: int = 1, note: str | None = None
) -> UsageError:
    return UsageError(Diagnostic(code, message, Place(path, line, column), note))


def _is_in_comment(data: bytes, offset: int) -> bool:
    """Whether `//` stands before OFFSET in its line."""
    return b"//" in data[data.rfind(b"\n", 0, offset) + 1 : offset]


def read_bytes(path: str) -> bytes:
    """What a file holds; `-` is standard input. Raises UsageError with V100 or V101."""
    try:
        if path == "-":
            if sys.stdin is None:  # the caller closed it
                raise OSError(errno.EBADF, os.strerror(errno.EBADF))
            return sys.stdin.buffer.read()
        return Path(path).read_bytes()
    except IsADirectoryError as error:
        raise _refuse("V101", f"'{path}' is a directory", path) from error
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise _refuse("V100", f"'{path}' cannot be read: {reason}", path) from error


def decode(data: bytes, path: str) -> Source:
    """The text that a file at PATH with this DATA holds. Raises UsageError (V102)."""
    if data.startswith(_BYTECODE_MAGIC):
        raise _refuse("V102", "this is MLIR bytecode, not text", path)

    def place_of_byte(offset: int) -> tuple[int, int]:
        return data.count(b"\n", 0, offset) + 1, offset - data.rfind(b"\n", 0, offset)

    for mark, name in _BYTE_ORDER_MARKS:
        if data.startswith(mark):
            raise _refuse("V102", f"the text begins with a byte order mark of {name}", path, note=_AS_UTF8)
    if (offset := data.find(b"\0")) >= 0:
        where = " in a comment" if _is_in_comment(data, offset) else ""
        note = "remove the byte" if where else None
        raise _refuse(
            "V102", f"a NUL byte{where or ': this is not MLIR text'}", path, *place_of_byte(offset), note=note
        )
    try:
        return Source(path, data.decode("utf-8"))
    except UnicodeDecodeError as error:
        byte = data[error.start]
        where = " in a comment" if _is_in_comment(data, error.start) else ""
        message = f"byte 0x{byte:02x}{where} is not UTF-8"
        if byte >= 0xA0:
            message += f" ('{bytes((byte,)).decode('latin-1')}' in Latin-1)"
        raise _refuse("V102", message, path, *place_of_byte(error.start), note=_AS_UTF8) from error


def read_source(path: str) -> Source:
    """The text of a file; `-` is standard input, and its name in places is "-", as in mlir-opt.

    Line endings are kept as they are. Raises UsageError with V100 (cannot be read), V101 (a directory) or
    V102 (not UTF-8 text; MLIR bytecode is named as such).
    """
    return decode(read_bytes(path), path)


def split_chunks(source: Source) -> list[Source]:
    """The chunks between `// -----` markers, as `mlir-opt --split-input-file` sees them.

    A chunk begins right after its marker, so that `join_chunks` gives back the identical text.

    >>> [chunk.first_line for chunk in split_chunks(Source("a", "x\\n// -----\\ny\\n"))]
    [1, 2]
    """
    chunks: list[Source] = []
    begin, line, column = 0, source.first_line, source.first_column
    for marker in _SPLIT.finditer(source.text):
        chunks.append(Source(source.name, source.text[begin : marker.start()], line, column))
        line += source.text.count("\n", begin, marker.end())
        line_start = source.text.rfind("\n", 0, marker.end()) + 1
        before = source.first_column - 1 if line_start == 0 else 0
        column = len(source.text[line_start : marker.end()].encode()) + before + 1
        begin = marker.end()
    chunks.append(Source(source.name, source.text[begin:], line, column))
    return chunks


def join_chunks(texts: Iterable[str]) -> str:
    """The inverse of `split_chunks` on the chunks' texts.

    >>> text = "x\\n// -----\\ny"
    >>> join_chunks(chunk.text for chunk in split_chunks(Source("a", text))) == text
    True
    """
    return SPLIT_MARKER.join(texts)


def join_printed(texts: Sequence[str]) -> str:
    """The chunks' printed TEXTS as one text that `mlir-opt --split-input-file` reads.

    A chunk without anything in it is an empty module, as mlir-opt prints it.

    >>> print(join_printed(["a", "", "b\\n"]), end="")
    a
    <BLANKLINE>
    // -----
    <BLANKLINE>
    module {
    }
    <BLANKLINE>
    // -----
    <BLANKLINE>
    b
    """
    if len(texts) == 1:
        return texts[0]
    chunks = [text.strip("\n") + "\n" if text.strip() else "module {\n}\n" for text in texts]
    return f"\n{SPLIT_MARKER}\n\n".join(chunks)
