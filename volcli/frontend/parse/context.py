"""The xDSL context that a file is parsed in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache

from xdsl.context import Context
from xdsl.dialects import get_all_dialects
from xdsl.ir import Dialect

from volcli.installed import may_announce


@cache
def _xdsl_dialects() -> Mapping[str, Callable[[], Dialect]]:
    """The dialects of xDSL, and of the packages that extend its universe, once for the process.

    Where there is none, its universe is not imported, which brings passes and targets with it.
    """
    if not may_announce("xdsl.universe", besides="xdsl"):
        return get_all_dialects()
    from xdsl.universe import Universe

    return Universe.get_multiverse().all_dialects


def make_context(dialects: Mapping[str, Callable[[], Dialect]]) -> Context:
    """A fresh context that knows all dialects of xDSL, each loaded when it first occurs.

    `dialects` adds dialects, or replaces xDSL's of the same name. Operations, types and attributes that no
    dialect knows are allowed, in their generic form. Make one context for each file: xDSL keeps the keys of
    `dense_resource` in the context's dialects, and those of one file would rename those of the next.
    """
    context = Context(allow_unregistered=True)
    for name, factory in {**_xdsl_dialects(), **dialects}.items():
        context.register_dialect(name, factory)
    return context
