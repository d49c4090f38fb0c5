"""Which buffers operations of one function write, and which arguments they free: these hold nothing then."""

from __future__ import annotations

from xdsl.ir import Operation

from volcli.equivalence.places.places import Places
from volcli.language import questions
from volcli.language.expressions import NotAffine
from volcli.language.memory import Effect
from volcli.language.unchanged import cached_method
from volcli.model.memory.buffers.roots import Origin, Root
from volcli.model.stated_effects import effects_of, has_unknown_effects, unknown_effects


class Written:
    """What the operations of the function of PLACES write, each found once."""

    def __init__(self, places: Places) -> None:
        self._places = places

    def __call__(self, op: Operation) -> frozenset[Root]:
        """The buffers that OP, or what is in it, writes or frees, as far as that is known."""
        return self.effects(op)[0]

    def doubt(self, op: Operation) -> str | None:
        """Why it is not known what OP writes, if it is not."""
        return self.effects(op)[1]

    def freed(self, op: Operation) -> frozenset[Root]:
        """The memory of the caller that OP, what is in it apart, frees for sure."""
        stated = effects_of(op)
        roots = () if stated.conditional else map(self._places.buffers.root, stated.frees)
        return frozenset(root for root in roots if root.origin is Origin.ARGUMENT)

    def may_free(self, op: Operation, memory: Root) -> bool:
        """Whether OP, what is in it apart, perhaps frees MEMORY of the caller, and perhaps not."""
        stated = effects_of(op)
        roots = set(map(self._places.buffers.root, stated.frees))
        return (stated.conditional and memory in roots) or not all(map(self._places.is_known, roots))

    @cached_method
    def effects(self, op: Operation) -> tuple[frozenset[Root], str | None]:
        """Both."""
        roots: set[Root] = set()
        because: str | None = None
        for inner in op.walk():
            try:
                accesses = questions.accesses(inner) or ()
            except NotAffine as error:
                accesses, because = (), because or str(error)
            if has_unknown_effects(inner):
                because = because or unknown_effects(inner)
            roots |= self.freed(inner)
            for access in accesses:
                if access.effect is Effect.WRITE:
                    root = self._places.buffers.root(access.memref)
                    roots.add(root)
                    if not self._places.is_known(root):
                        because = because or root.because or "unknown memory is written"
        return frozenset(roots), because
