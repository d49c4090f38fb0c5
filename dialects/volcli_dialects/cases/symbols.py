"""What a symbol stands for, where the operation uses it."""

from __future__ import annotations

from typing import NamedTuple
from weakref import WeakKeyDictionary, ref

from xdsl.dialects.builtin import ModuleOp, StringAttr, SymbolRefAttr
from xdsl.ir import Operation

from volcli.frontend.parse.opaque import OpaqueOperation
from volcli.frontend.unread import UnreadOperation, fragments


class Found(NamedTuple):
    """The operation that defines a symbol; None if there is none."""

    op: Operation | None


Table = dict[str, ref[Operation]]

_tables: WeakKeyDictionary[ModuleOp, Table | None] = WeakKeyDictionary()
"""The symbols of modules; of operations only references that keep nothing, since each knows its module."""


def symbol(user: Operation, reference: SymbolRefAttr) -> Found | None:
    """What REFERENCE stands for in the module around USER; None if the module does not say.

    It does not if the symbol may be defined by something that was not read, or that the dump of one function
    does not show, or if the reference is nested.
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
    if table is None:
        return None
    found = table.get(reference.root_reference.data)
    if found is None and module in fragments:
        return None
    return Found(None if found is None else found())


def _table(module: ModuleOp) -> Table | None:
    symbols: Table = {}
    for op in module.body.ops:
        if isinstance(op, UnreadOperation | OpaqueOperation):
            return None
        name = op.properties.get("sym_name") or op.attributes.get("sym_name")
        if isinstance(name, StringAttr):
            symbols.setdefault(name.data, ref(op))
    return symbols
