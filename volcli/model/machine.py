"""A function of which less is known: what is computed on 64 bits may not be what the integers are.

Engines ask it what they ask of the function: an answer that is another one rests on arithmetic that does not
overflow.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

from volcli.model.function import FunctionModel
from volcli.model.memory.dependences.model import Memory
from volcli.model.values.store.store import BoundsStore


class MachineModel(FunctionModel):
    """The function of a model LIKE this one, and its memory, of which STORE knows the numbers."""

    def __init__(self, like: FunctionModel, store: BoundsStore) -> None:
        super().__init__(
            like.function,
            like.name_of,
            like.assumptions,
            like.operations,
            conditional=like._conditional,
            given=like._given,
        )
        self._like = like
        self._known = store

    @property
    def memory(self) -> Memory:
        return self._like.memory.by(self.bounds)

    @cached_property
    def memory_as_written(self) -> Memory:
        return self._like.memory_as_written.by(self.bounds)


def assumptions(model: FunctionModel, holds_in: Callable[[FunctionModel], bool]) -> tuple[str, ...]:
    """What an answer of MODEL that HOLDS_IN the machine assumes for its arithmetic to be that of integers."""
    if not model.computes:
        return ()

    def holds(store: BoundsStore) -> bool:
        if store not in model.in_machine:
            model.in_machine[store] = MachineModel(model, store)
        return holds_in(model.in_machine[store])

    return model.assuming.arithmetic.assumptions(holds)
