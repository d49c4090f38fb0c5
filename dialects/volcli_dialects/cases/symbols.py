"""What a symbol stands for, where the operation uses it."""

from __future__ import annotations

from typing import NamedTuple
from weakref import WeakKeyDictionary

from xdsl.dialects.builtin import ModuleOp, StringAttr, SymbolRefAttr
from xdsl.ir import Operation

from volcli.frontend.parse.opaque import OpaqueOperation
from volcli.frontend.unread import UnreadOperation


class Found(NamedTuple):
    """The operation that defines a symbol; None if there is none."""

    op: Operation | None


_tables: WeakKeyDictionary[ModuleOp, dict[str, Operation] | None] = WeakKeyDictionary()


def symbol(user: Operation, reference: SymbolRefAttr) -> Found | None:
    """What REFERENCE stands for in the module around USER; None if the module does not say.

    It does not if the symbol may be defined by something that was not read, or if the reference is nested.
    """
    if reference.nested_references.data:
        return None
    module = user
    while not isinstance(module, ModuleOp):
        parent = module.parent_op()
        if parent is None or "." not in parent.name or parent.name == "builtin.unregistered":
            return None
        module = parent
    if module not in _tables:
        _tables[module] = _table(module)
    table = _tables[module]
    return None if table is None else Found(table.get(reference.root_reference.data))


def _table(module: ModuleOp) -> dict[str, Operation] | None:
    symbols: dict[str, Operation] = {}
    for op in module.body.ops:
        if isinstance(op, UnreadOperation | OpaqueOperation):
            return None
        name = op.properties.get("sym_name") or op.attributes.get("sym_name")
        if isinstance(name, StringAttr):
            symbols.setdefault(name.data, op)
    return symbols
