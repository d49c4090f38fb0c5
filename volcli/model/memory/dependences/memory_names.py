"""Accesses, buffers and parameters of one function, with the names of the program."""

from __future__ import annotations

import islpy as isl
from xdsl.ir import SSAValue

from volcli.language.expressions import Expression
from volcli.model.memory.accesses.site import Site
from volcli.model.memory.buffers.buffers import Buffers, Origin, Root
from volcli.model.values.store.store import BoundsStore
from volcli.presburger.sets.build import DIM
from volcli.presburger.sets.names import parameters_of_space


class MemoryNames:
    """The names of what the function of BOUNDS accesses, in its BUFFERS."""

    def __init__(self, bounds: BoundsStore, buffers: Buffers) -> None:
        self._bounds = bounds
        self._buffers = buffers

    def access(self, site: Site) -> str:
        """The element as the program says it: `%m[%i, 2 * %j]`."""
        if site.is_escaped:
            return self.buffer(site.place.root)
        texts = self._bounds.texts
        index = ", ".join(texts.of(e) if isinstance(e, Expression) else "?" for e in site.access.index)
        return f"{self.memref(site.access.memref)}[{index}]"

    def buffer(self, root: Root) -> str:
        """The name of the value that stands for ROOT."""
        return "escaped memory" if root.origin is Origin.ESCAPED else self.memref(root.value)

    def memref(self, memref: SSAValue) -> str:
        """The name of MEMREF; of a global that another function names, its symbol."""
        symbol = self._buffers.root(memref).symbol
        is_named_here = symbol is None or self._bounds.function.is_ancestor(memref.owner)
        return self._bounds.name_of(memref) if is_named_here else f"@{symbol}"

    def values(self, point: isl.Point) -> dict[str, int]:
        """The values of the parameters at POINT that the program names, by their texts."""
        variables = map(self._bounds.elimination.variable, parameters_of_space(isl.Set.from_point(point)))
        return {
            self._bounds.texts.of_variable(variable): point.get_coordinate_val(DIM.param, k).to_python()
            for k, variable in enumerate(variables)
            if self._bounds.texts.is_named(variable)
        }
