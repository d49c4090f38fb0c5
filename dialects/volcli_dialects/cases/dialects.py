"""The operations of a dialect: xDSL's, and ours in the place of those of the same name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from types import ModuleType
from typing import TypeGuard

from xdsl.ir import Attribute, Dialect, Operation

from volcli_dialects.cases.memory.memory import with_stated_effects


def operations_of(*modules: ModuleType) -> Iterator[type[Operation]]:
    """The operations that MODULES define, in the order of their definitions."""
    for module in modules:
        for kind in filter(_is_operation, vars(module).values()):
            if kind.__module__ == module.__name__ and "get_irdl_definition" in vars(kind):
                yield kind  # what several derive from has no definition


def _is_operation(each: object) -> TypeGuard[type[Operation]]:
    return isinstance(each, type) and issubclass(each, Operation)


def dialect_of(
    base: Dialect | str, ours: Iterable[type[Operation]], attributes: Iterable[type[Attribute]] = ()
) -> Dialect:
    """The dialect BASE, or one of this name, with OURS; operations do no more than their cases say."""
    theirs = Dialect(base) if isinstance(base, str) else base
    operations = {kind.name: kind for kind in (*theirs.operations, *ours)}
    return with_stated_effects(
        Dialect(theirs.name, list(operations.values()), [*theirs.attributes, *attributes])
    )
