"""The xDSL context that a file is parsed in."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TypeVar

from xdsl.context import Context
from xdsl.dialects import get_all_dialects
from xdsl.ir import Attribute, Dialect, Operation, TypeAttribute

from volcli.language.unregistered import attributes_named, operations_named
from volcli.runtime.installed import may_announce

T = TypeVar("T")


@cache
def _xdsl_dialects() -> Mapping[str, Callable[[], Dialect]]:
    """The dialects of xDSL, and of the packages that extend its universe, once for the process.

    Where there is none, its universe is not imported, which brings passes and targets with it.
    """
    if not may_announce("xdsl.universe", besides="xdsl"):
        return get_all_dialects()
    from xdsl.universe import Universe

    return Universe.get_multiverse().all_dialects


@dataclass
class SharingContext(Context):
    """A context in which what no dialect defines has the class that it has in all others.

    Of the dialects `only_of_xdsl` nothing but xDSL's definitions is known, which may be older than LLVM's.
    """

    only_of_xdsl: frozenset[str] = frozenset()

    def clone(self) -> SharingContext:
        return SharingContext(**vars(super().clone()), only_of_xdsl=self.only_of_xdsl)

    def get_optional_op(self, name: str, *, dialect_stack: Sequence[str] = ()) -> type[Operation] | None:
        found, others = self._registered(super().get_optional_op, name, dialect_stack=dialect_stack)
        return operations_named(name) if found is None and others else found

    def get_optional_type(self, name: str) -> type[TypeAttribute] | None:
        found, others = self._registered(super().get_optional_type, name)
        if found is not None or not others:
            return found
        unregistered = attributes_named(name, True)
        assert issubclass(unregistered, TypeAttribute)
        return unregistered

    def get_optional_attr(self, name: str) -> type[Attribute] | None:
        found, others = self._registered(super().get_optional_attr, name)
        return attributes_named(name, False) if found is None and others else found

    def _registered(
        self, find: Callable[..., T | None], name: str, **options: object
    ) -> tuple[T | None, bool]:
        """What xDSL is to FIND of that NAME, without a class that it makes; whether others are allowed."""
        allowed, self.allow_unregistered = self.allow_unregistered, False
        try:
            return find(name, **options), allowed
        finally:
            self.allow_unregistered = allowed


def make_context(dialects: Mapping[str, Callable[[], Dialect]]) -> Context:
    """A fresh context that knows all dialects of xDSL, each loaded when it first occurs.

    `dialects` adds dialects, or replaces xDSL's of the same name. Operations, types and attributes that no
    dialect knows are allowed, in their generic form. Make one context for each file: xDSL keeps the keys of
    `dense_resource` in the context's dialects, and those of one file would rename those of the next.
    """
    # Without any of its own, xDSL's are those that count.
    only_of_xdsl = frozenset(_xdsl_dialects()) - {*dialects, "builtin"} if dialects else frozenset[str]()
    context = SharingContext(allow_unregistered=True, only_of_xdsl=only_of_xdsl)
    for name, factory in {**_xdsl_dialects(), **dialects}.items():
        context.register_dialect(name, factory)
    return context
