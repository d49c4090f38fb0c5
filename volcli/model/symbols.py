"""The symbols that operations define."""

from __future__ import annotations

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Operation


def symbol_of(op: Operation) -> str:
    """The symbol that OP defines, or its operation name."""
    symbol = op.properties.get("sym_name") or op.attributes.get("sym_name")
    return symbol.data if isinstance(symbol, StringAttr) else op.name
