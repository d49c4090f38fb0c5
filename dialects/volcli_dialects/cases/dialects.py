"""The operations of a dialect: xDSL's, and ours in the place of those of the same name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from types import ModuleType

from xdsl.ir import Attribute, Dialect, Operation

from volcli_dialects.cases.memory.memory import with_stated_effects


def operations_of(*modules: ModuleType) -> Iterator[type[Operation]]:
    """The operations that MODULES define, in the order of their definitions."""
    for module in modules:
        for kind in vars(module).values():
            is_class = isinstance(kind, type) and issubclass(kind, Operation)
            if is_class and kind.__module__ == module.__name__ and "get_irdl_definition" in vars(kind):
                yield kind  # what several derive from has no definition


def dialect_of(
    base: Dialect | str, ours: Iterable[type[Operation]], attributes: Iterable[type[Attribute]] = ()
) -> Dialect:
    """The dialect BASE, or one of this name, with OURS; operations do no more than their cases say."""
    theirs = Dialect(base) if isinstance(base, str) else base
    operations = {kind.name: kind for kind in (*theirs.operations, *ours)}
    return with_stated_effects(
        Dialect(theirs.name, list(operations.values()), [*theirs.attributes, *attributes])
    )
