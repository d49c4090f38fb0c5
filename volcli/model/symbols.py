"""The symbols that operations define."""

from __future__ import annotations

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Operation

from volcli.language.interface import operation_name


def symbol_of(op: Operation) -> str:
    """The symbol that OP defines, or its operation name as the text has it."""
    symbol = op.properties.get("sym_name") or op.attributes.get("sym_name")
    return symbol.data if isinstance(symbol, StringAttr) else operation_name(op)
