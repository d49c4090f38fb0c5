"""Nests whose arrays are laid out by MARS: which loops, whether their tiles are legal, and which arrays."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from xdsl.ir import Operation, SSAValue

from volcli.language.expressions import NotAffine
from volcli.model.function import FunctionModel
from volcli.model.mars.allocation.accesses import NotAllocatable, translations
from volcli.model.mars.allocation.allocation import AllocatedArray, NestAllocation
from volcli.model.mars.footprints.dataflow import Flow, flows, without_edges
from volcli.model.mars.tilings.schemes import TileScheme
from volcli.model.mars.tilings.tiling import HyperplaneTiling
from volcli.model.memory.buffers.buffers import Root
from volcli.model.memory.buffers.nests import Level
from volcli.model.memory.flow.answers import BufferFlow
from volcli.model.memory.flow.flows import MemoryFlow
from volcli.model.memory.loops.loops import named_assumptions
from volcli.model.memory.loops.tilings import Tilings
from volcli.rewriting.changes.changes import Changes
from volcli.rewriting.ground.hyperplanes import OfVariables, TileFamily
from volcli.rewriting.mars.mars_tiles import MarsTiles
from volcli.rewriting.nests.legal_tilings import illegal
from volcli.rewriting.nests.tree_making import tree_of

Left = tuple[Operation, str]
"""What is left as it is, and why."""


@dataclass
class MarsNest:
    """Lays arrays out in the tiles of TILING; arguments are different memory if NOALIAS says so."""

    changes: Changes
    model: FunctionModel
    tiling: HyperplaneTiling
    noalias: bool
    operations: int

    def rewrite(self) -> Iterator[Left]:
        """Rewrite the nest that has all loops of the tiling, if the function has one."""
        found = self._loops()
        if not all(found.values()):
            return
        variables = [levels[0] for levels in found.values()]
        owners = [level.op for level in variables]
        nest = next((op for op in owners if all(op.is_ancestor(each) for each in owners)), None)
        several = [name for name, levels in found.items() if len(levels) > 1]
        try:
            if several:
                raise NotAllocatable(f"there are several loops over {several[0]}: give each its own name")
            if nest is None:
                raise NotAllocatable("the loops of the tiling are not in one of them")
            yield from self._nest(nest, [v for level in variables if (v := level.variable) is not None])
        except (NotAffine, NotAllocatable) as error:
            yield owners[0], f"no array is laid out by MARS: {error}"

    def _loops(self) -> dict[str, list[Level]]:
        """The loops of the function by the names of the tiling's iterators."""
        nests = self.model.memory_as_written.nests
        found: dict[str, list[Level]] = {name: [] for name in self.tiling.iterators}
        for op in self.model.function.walk():
            for level in nests.of_operation(op):
                name = "" if level.variable is None else self.model.name_of(level.variable)
                if name in found:
                    found[name].append(level)
        return found

    def _nest(self, nest: Operation, variables: Sequence[SSAValue]) -> Iterator[Left]:
        translations(self.tiling)
        if self.model.memory_as_written.nests.levels(nest.parent):
            raise NotAllocatable("the loops of the tiling are inside of another loop")
        forms = [
            OfVariables(tuple((v, c) for v, c in zip(variables, normal, strict=True) if c))
            for normal in self.tiling.normals
        ]
        families = [TileFamily(self.tiling.plane_text(j), (form,)) for j, form in enumerate(forms)]
        tree = tree_of(nest, set(variables), self.model.memory_as_written.nests, self.model.bounds)
        if tree.steps:
            raise NotAffine("the step of a loop is not constant")
        if any(loop.carried for loop in tree.loops):
            raise NotAffine("a loop carries a value, which is in no array")
        assumed = Tilings(self.model.loops_as_written).assumptions(nest)
        self._check_assumptions(assumed)
        reason = illegal(self.model.loops_as_written, tree, families)
        if reason is not None:
            raise NotAllocatable(reason)
        tiles = MarsTiles(self.changes, self.model.bounds, tree, families, self.tiling)
        allocation = NestAllocation(self.model, self.tiling, nest)
        arrays: list[AllocatedArray] = []
        for root, left in self._arrays(allocation):
            if isinstance(left, str):
                name = self.model.memory_as_written.names.memref(root.value)
                yield nest, f"{name} is not laid out by MARS: {left}"
            else:
                arrays.append(left)
        if not arrays:
            raise NotAllocatable("no data flow between tiles")
        accesses = {site.op: each for each in arrays for site in allocation.sites(each.root)}
        tiles.allocate(arrays, accesses)

    def _arrays(self, allocation: NestAllocation) -> Iterator[tuple[Root, AllocatedArray | str]]:
        """The arrays that the nest reads, or why one is not laid out."""
        buffers = MemoryFlow(self.model.memory_as_written, operations=self.operations).all()
        found = without_edges(flows(self.model, TileScheme((self.tiling,)), self.operations))
        for buffer in buffers:
            root = buffer.root
            if all(site.is_write for site in allocation.sites(root)):
                continue
            own = [flow for flow in found if flow.root == root]
            try:
                yield root, self._array(allocation, buffer, own)
            except NotAllocatable as error:
                yield root, str(error)

    def _array(self, allocation: NestAllocation, buffer: BufferFlow, own: Sequence[Flow]) -> AllocatedArray:
        self._check_assumptions(buffer.assumptions)
        made = allocation.array(buffer.root, buffer, own)
        if not made.blocks:
            raise NotAllocatable("no two tiles exchange its values")
        return made

    def _check_assumptions(self, texts: Sequence[str]) -> None:
        assumed = named_assumptions(tuple(texts), noalias=self.noalias)
        if assumed:
            raise NotAllocatable(f"it is only legal if {' and '.join(assumed)}")
