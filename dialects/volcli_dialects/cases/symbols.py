"""What a symbol stands for, where the operation uses it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import NamedTuple
from weakref import WeakKeyDictionary, ref

from xdsl.dialects.builtin import ModuleOp, StringAttr, SymbolRefAttr
from xdsl.ir import Operation

from volcli.frontend.parse.opaque import OpaqueOperation
from volcli.frontend.unread import UnreadOperation, fragments, name_and_symbol

_FUNCTION = re.compile(r"\bfunc\b")


class Found(NamedTuple):
    """The operation that defines a symbol; None if there is none."""

    op: Operation | None


@dataclass
class _Table:
    """The symbols of a module: of operations only references that keep nothing, since each knows its module.

    `unread` are those of operations that were not read. It `is_whole` if it has all symbols there are.
    """

    read: dict[str, ref[Operation]] = field(default_factory=dict[str, "ref[Operation]"])
    unread: set[str] = field(default_factory=set[str])
    is_whole: bool = True


_tables: WeakKeyDictionary[ModuleOp, _Table] = WeakKeyDictionary()


def symbol(user: Operation, reference: SymbolRefAttr) -> Found | None:
    """What REFERENCE stands for in the module around USER; None if the module does not say.

    It does not if the symbol is, or may be, defined by something that was not read, or that the dump of one
    function does not show, or if the reference is nested. No two operations define the same symbol.
    """
    if reference.nested_references.data:
        return None
    module = user
    while not isinstance(module, ModuleOp):
        parent = module.parent_op()
        if parent is None or "." not in parent.name or parent.name == "builtin.unregistered":
            return None
        module = parent
    table, name = _tables.get(module), reference.root_reference.data
    if table is None:
        table = _tables[module] = _table(module)
    if (found := table.read.get(name)) is not None:
        return Found(found())
    is_known = table.is_whole and name not in table.unread and module not in fragments
    return Found(None) if is_known else None


def _table(module: ModuleOp) -> _Table:
    table = _Table()
    for op in module.body.ops:
        name = op.properties.get("sym_name") or op.attributes.get("sym_name")
        if isinstance(op, UnreadOperation) and (own := _own_symbol(op.text.data)) is not None:
            table.unread.add(own)
        elif isinstance(op, UnreadOperation | OpaqueOperation):
            table.is_whole = False
        elif isinstance(name, StringAttr):
            table.read.setdefault(name.data, ref(op))
    return table


def _own_symbol(text: str) -> str | None:
    """The one symbol that TEXT defines, which is that of a function; None if it may define others."""
    name, found = name_and_symbol(text)
    is_single = name == "func.func" and len(_FUNCTION.findall(text)) == 1
    return found.removeprefix("@").strip('"') if is_single and found is not None else None
