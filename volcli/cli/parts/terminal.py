"""What a terminal shows of a text for people: in its columns, with colours and links where it has them."""

from __future__ import annotations

import os
import sys
from typing import IO

from volcli.cli.parts.output import STDOUT, is_terminal, width_of
from volcli.runtime.progress import columns_of


def use_colour(stream: IO[str] | None) -> bool:
    """Whether STREAM is a terminal of somebody who wants colours (https://no-color.org)."""
    if stream is None or not stream.isatty():
        return False
    return not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def has_colour(output: str) -> bool:
    """Whether what is written to OUTPUT has colours, and links."""
    return is_terminal(output) and use_colour(sys.stdout)


def for_people(target: str, text: str) -> str:
    """TEXT in the columns and colours of TARGET, if that is a terminal: files and pipes have whole lines."""
    return _shown(text, width_of(target) if target == STDOUT else None, has_colour(target))


def for_stderr(text: str) -> str:
    """TEXT as stderr shows it."""
    stream = sys.stderr
    width = columns_of(stream) if stream is not None and stream.isatty() else None
    return _shown(text, width, use_colour(stream))


def _shown(text: str, width: int | None, has_colour: bool) -> str:
    if width is not None:
        from volcli.report.fitted import fitted
        from volcli.report.lines import visible

        text = fitted(visible(text), width)
    if has_colour:
        from volcli.report.lines import coloured

        text = coloured(text)
    return text
