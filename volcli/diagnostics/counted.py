"""Counts in sentences: one of a thing is named in the singular."""

from __future__ import annotations


def counted(number: int | str, word: str, several: str = "") -> str:
    """NUMBER, which may be written already, and WORD, or what SEVERAL are called.

    >>> counted(1, "file"), counted("1,024", "byte"), counted(2, "branch", "branches")
    ('1 file', '1,024 bytes', '2 branches')
    """
    return f"{number} {word if str(number) == '1' else several or word + 's'}"
