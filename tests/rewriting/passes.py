"""A pass that does what a test does, and the operations that it does it to."""

from __future__ import annotations

from collections.abc import Callable

from xdsl.ir import Operation

import volcli
from volcli.language.interface import operation_name
from volcli.loading.driver import Program
from volcli.passes.base import Pass, Unit
from volcli.rewriting.changes.changes import Changes


class Rewrites(Pass):
    """Does what a test does to a function."""

    name = "test-rewrite"
    summary = "a rewrite"
    rewrites = True

    def __init__(self, what: Callable[[Changes, Operation], None]) -> None:
        self._what = what

    def apply(self, unit: Unit) -> None:
        changes = Changes(unit, self.name)
        for model in unit.models():
            self._what(changes, model.function)
        changes.finish()


def rewritten(text: str, what: Callable[[Changes, Operation], None]) -> Program:
    """TEXT, with what WHAT changes in each of its functions."""
    program = volcli.loads(text)
    for unit in program.units:
        unit.run(Rewrites(what))
    return program


def named(function: Operation, name: str) -> Operation:
    """The first operation of this NAME in FUNCTION."""
    return next(op for op in function.walk() if operation_name(op) == name)
