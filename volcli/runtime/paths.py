"""Paths as reports and patterns have them: with `/` between names, on every system."""

from __future__ import annotations

import os
from pathlib import PureWindowsPath
from urllib.parse import quote


def relative(path: str, folder: str | os.PathLike[str] | None) -> str:
    """PATH from FOLDER, or from the current one; PATH itself if it is on another drive of Windows."""
    try:
        found = os.path.relpath(path, folder)
    except ValueError:
        found = path
    return with_slashes(found)


def with_slashes(path: str) -> str:
    """PATH with `/` in place of the system's separator."""
    return path.replace(os.sep, "/")


def uri(file: str) -> str:
    """FILE, with slashes, as a URI: relative, or file:// if it is absolute (with a drive or a computer)."""
    drive = PureWindowsPath(file).drive.replace("\\", "/") if os.sep == "\\" else ""
    path = drive + quote(file[len(drive) :], errors="surrogateescape")
    if drive:
        return f"file:{path}" if drive.startswith("//") else f"file:///{path}"
    return f"file://{path}" if file.startswith("/") else path
