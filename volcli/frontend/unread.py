"""Operations that could not be read: what is known of them, and what stands for them in the module."""

from __future__ import annotations

import re
from dataclasses import dataclass
from weakref import WeakSet

from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.irdl import IRDLOperation, attr_def, irdl_op_definition
from xdsl.printer import Printer

from volcli.diagnostics import Diagnostic, Place

_HEAD = re.compile(r"""(?:%[^=\n]*=\s*)?(?:"(?P<quoted>[^"\n]*)"|(?P<bare>[A-Za-z_][\w$.]*))?""")
_SYMBOL = re.compile(r"""[^@({\n]*@(?P<bare>[A-Za-z_][\w$.]*|"[^"\n]*")""")
_SYMBOL_ATTRIBUTE = re.compile(r"""\bsym_name\s*=\s*"(?P<quoted>[^"\n]*)\"""")

fragments: WeakSet[ModuleOp] = WeakSet()
"""Modules of which the text has a part only: the dump of one function does not have what this refers to."""


@dataclass(frozen=True)
class UnreadOp:
    """A top-level operation that volcli could not read, and why; `text` is source.text[first:last].

    The reason would be the same whatever stood behind the line that was `seen`; None: all of the text was.
    """

    op_name: str
    symbol: str | None
    place: Place
    text: str
    first: int
    last: int
    reason: Diagnostic
    seen: int | None

    @property
    def name(self) -> str:
        """The operation for a reader: `func.func @main`; `text` where not even its name was readable."""
        return " ".join(part for part in (self.op_name or "text", self.symbol) if part)


def name_and_symbol(text: str) -> tuple[str, str | None]:
    """The operation's name and symbol, as far as they can be seen in its text.

    >>> name_and_symbol("func.func private @main(%x: ???)")
    ('func.func', '@main')
    >>> name_and_symbol('"llvm.func"() <{sym_name = "g"}> ({ ??')
    ('llvm.func', '@g')
    """
    head = _HEAD.match(text)
    assert head is not None  # the pattern accepts the empty string
    name = head["quoted"] or head["bare"] or ""
    name = {"module": "builtin.module", "func": "func.func"}.get(name, name)
    if symbol := _SYMBOL.match(text, head.end()):
        return name, f"@{symbol['bare']}"
    if head["quoted"] and (symbol := _SYMBOL_ATTRIBUTE.search(text, head.end())):
        return name, f"@{symbol['quoted']}"
    return name, None


@irdl_op_definition
class UnreadOperation(IRDLOperation):
    """The place of an unread operation in the module: it holds the text, and prints as just that.

    Not a member of any dialect: no input can name it.
    """

    name = "volcli.unread"

    text = attr_def(StringAttr)

    def __init__(self, text: str) -> None:
        super().__init__(attributes={"text": StringAttr(text)})

    def print(self, printer: Printer) -> None:
        printer.print_string(self.text.data, indent=0)
