"""Which operations with a case of some question execute: what is missing is in one list, which only shrinks."""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping
from typing import Any

from xdsl.ir import Operation
from xdsl.traits import IsTerminator

from volcli.execution import table
from volcli.language import questions
from volcli.language.interface import Interface
from volcli.loading.driver import dialect_factories

MISSING: Mapping[str, str] = {
    "the engine runs them itself: what is called, and what is global": "func.func memref.global",
    "it states an assumption, and computes nothing": "util.assume.int",
    "it shows an address, which is the machine's": "memref.extract_aligned_pointer_as_index",
    "its sizes are the machine's": "vector.vscale vector.scalable.extract vector.scalable.insert",
    "only tests of LLVM have it": "test.value_with_bounds",
}


def _operations() -> dict[str, list[type[Operation]]]:
    """The classes with a case for some question, by name, without those that end a block."""
    tables: list[Interface[Any]] = [each for each in vars(questions).values() if isinstance(each, Interface)]
    found: dict[str, list[type[Operation]]] = {}
    for make in dialect_factories().values():
        for kind in make().operations:
            if any(each.answers(kind) for each in tables) and not kind.has_trait(IsTerminator):
                found.setdefault(kind.name, []).append(kind)
    return found


def test_what_does_not_execute_is_listed() -> None:
    known = _operations()
    for dialect in sorted({name.partition(".")[0] for name in known}):
        package = importlib.util.find_spec(f"volcli_dialects.{dialect}")
        is_folder = package is not None and package.submodule_search_locations is not None
        if is_folder and importlib.util.find_spec(f"volcli_dialects.{dialect}.execution"):
            importlib.import_module(f"volcli_dialects.{dialect}.execution")
    tables: tuple[Interface[Any], ...] = (table.executions, table.scalars, table.branches)
    missing = {
        name
        for name, kinds in known.items()
        if not any(each.answers(kind) for each in tables for kind in kinds)
    }
    listed = {name for names in MISSING.values() for name in names.split()}
    assert sorted(missing - listed) == []
    assert sorted(listed - missing) == []
