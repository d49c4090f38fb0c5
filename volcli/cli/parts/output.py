"""Where a result goes: stdout, or a file that is either replaced whole or left as it was."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import shutil
import stat
import sys
from pathlib import Path

from volcli.diagnostics import Diagnostic, UsageError
from volcli.runtime import progress

STDOUT = "-"
_NAMES_OF_STDOUT = (STDOUT, "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1")
"""As a file these could be opened anew, and would then lose what was written before, or be replaced."""


def is_terminal(output: str) -> bool:
    """Whether OUTPUT is a terminal."""
    return output == STDOUT and sys.stdout is not None and sys.stdout.isatty()


def width_of(output: str) -> int | None:
    """The columns of OUTPUT. A pipe has none, unless somebody sets them: rows stay on one line, for grep."""
    has_width = is_terminal(output) or "COLUMNS" in os.environ
    return shutil.get_terminal_size().columns if has_width else None


def write_output(path: str, text: str) -> None:
    """Write TEXT to PATH (`-` is stdout) as UTF-8, with the line endings that it has.

    A file is written beside its place and moved into it, so that no reader ever sees half of it and an
    interrupted run leaves the old one; it keeps its permissions, and a symbolic link stays one. What is no
    regular file (a pipe, /dev/null) is written to directly. Raises UsageError (V006) if that is not possible.
    """
    write_bytes(path, text.encode("utf-8", "surrogateescape"))


def write_bytes(path: str, data: bytes) -> None:
    """The same for DATA."""
    if path in _NAMES_OF_STDOUT:
        _write_stdout(data)
        return
    try:
        if Path(path).exists() and not Path(path).is_file():
            Path(path).write_bytes(data)  # not its real path: an open pipe has no name
        else:
            _replace(Path(os.path.realpath(path)), data)
    except OSError as error:
        raise UsageError(Diagnostic("V006", f"cannot write '{path}': {error.strerror}")) from None


def _write_stdout(data: bytes) -> None:
    if sys.stdout is None:  # the caller closed it
        reason = os.strerror(errno.EBADF)
        raise UsageError(Diagnostic("V006", f"cannot write the output: {reason}"))
    progress.clear()
    try:
        sys.stdout.flush()
        rest = memoryview(data)
        while rest:  # unbuffered (python -u), one write may take a part and say nothing of a closed pipe
            rest = rest[sys.stdout.buffer.write(rest) :]
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        raise
    except OSError as error:  # a full disk behind a redirection
        discard_output(1)
        raise UsageError(Diagnostic("V006", f"cannot write the output: {error.strerror}")) from None


def discard_output(*streams: int) -> None:
    """Let what is still buffered for STREAMS vanish, and not fail at the interpreter's end."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in streams:
        os.dup2(nowhere, stream)
    os.close(nowhere)


def _replace(target: Path, data: bytes) -> None:
    """Put DATA in TARGET's place at once."""
    import tempfile

    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.chmod(name, _mode(target))
        os.replace(name, target)
    except BaseException:  # Ctrl-C too
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise


def _mode(target: Path) -> int:
    """TARGET's permissions; those of any new file if there is none."""
    try:
        return stat.S_IMODE(target.stat().st_mode)
    except FileNotFoundError:
        umask = os.umask(0)
        os.umask(umask)
        return 0o666 & ~umask


def difference(before: str, after: str, name: str, other: str) -> str:
    """What changes from BEFORE, which is called NAME, to AFTER, called OTHER, as a unified diff.

    Only a newline ends a line, as for git and patch, and a last line without one is marked as they do.
    """
    import difflib

    old, new = (re.findall(r"[^\n]*\n|[^\n]+", each) for each in (before, after))
    ending = "\n\\ No newline at end of file\n"
    lines = difflib.unified_diff(old, new, name, other)
    return "".join(each if each.endswith("\n") else each + ending for each in lines)
