"""What mkdocstrings shows of a docstring: its examples, which are doctests, as blocks of Python."""

from __future__ import annotations

import re
from typing import Any

import griffe

_EXAMPLE = re.compile(r"^>>> .*(?:\n(?!\n).*)*", re.MULTILINE)


def fenced(text: str) -> str:
    """TEXT with a fence around each example, which Markdown would take for a quotation.

    >>> print(fenced("The sum.\\n\\n>>> 1 + 1\\n2\\n\\nExact."))
    The sum.
    <BLANKLINE>
    ```python
    >>> 1 + 1
    2
    ```
    <BLANKLINE>
    Exact.
    """
    return _EXAMPLE.sub(lambda example: f"```python\n{example.group()}\n```", text)


class Doctests(griffe.Extension):
    """Fences the examples of each docstring that is shown."""

    def on_instance(self, *, obj: griffe.Object, **_: Any) -> None:
        """OBJ was read from its source."""
        if obj.docstring is not None:
            obj.docstring.value = fenced(obj.docstring.value)
