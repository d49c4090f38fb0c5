"""Sections `{-# ... #-}` of a file, in which its resources are: their texts."""

from __future__ import annotations

import re

# No `*+` at the end: before Python 3.11.5, what a branch has read when it fails stays read after that.
METADATA_REST = re.compile(r'(?:[^"#]++|"(?:[^"\\]++|\\.)*+"|#(?!-\}))*#-\}')


def metadata_sections(text: str) -> list[str]:
    """The sections `{-# ... #-}` of TEXT, each of which begins a line.

    >>> metadata_sections("module {\\n}\\n{-# a: { b: 1 } #-}\\n")
    ['{-# a: { b: 1 } #-}']
    """
    ends = (
        (m.start(), METADATA_REST.match(text, m.end())) for m in re.finditer(r"^\{-#", text, re.MULTILINE)
    )
    return [text[start : rest.end()] for start, rest in ends if rest is not None]
