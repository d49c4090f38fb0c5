"""Tiles whose arrays lie in memory MARS by MARS: loops over tiles, with copies in and out of local arrays.

    allocate blocks and local arrays; copy arrays that are only read into blocks
    for each tile {
      blocks of other tiles, and the arrays, to local arrays
      the points of the tile, on local arrays
      local arrays to the tile's own blocks, and to the arrays
    }

All is planned before anything is made: what is refused leaves the program as it is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from xdsl.ir import Operation

from volcli.language import questions
from volcli.language.expressions import (
    Atom,
    Expression,
    NotAffine,
    Parameter,
    constant,
    expression_of_atom,
)
from volcli.model.mars.allocation.allocation import AllocatedArray
from volcli.model.mars.allocation.blocks import MarsBlocks
from volcli.model.mars.tilings.tiling import HyperplaneTiling
from volcli.model.values.store.store import BoundsStore
from volcli.rewriting.changes.changes import BrokenRewrite, Changes
from volcli.rewriting.code.index_code import IndexCode
from volcli.rewriting.ground.builder import Builder
from volcli.rewriting.ground.discovery import visible
from volcli.rewriting.ground.hyperplanes import TileFamily
from volcli.rewriting.mars.mars_copies import (
    ArrayMemory,
    Copies,
    InArray,
    PlannedArray,
    PlannedBlocks,
    coordinate,
)
from volcli.rewriting.mars.mars_moves import ScannedMove, combined, scanned, values_in
from volcli.rewriting.nests.checked_plans import check_plan
from volcli.rewriting.nests.loop_trees import TreeLoop
from volcli.rewriting.nests.scanned_trees import JoinedBounds, Planned, planned, tiles
from volcli.rewriting.nests.tree_code import TreeCode, names_of_loops
from volcli.symbolic.scanning import ScanLoop, scan

_DONE = "the exchanged elements are compared as sets; the values that the program computes are not"


@dataclass
class MarsTiles:
    """Makes tiles of TREE, along FAMILIES by the sizes of TILING, with their own memory."""

    changes: Changes
    bounds: BoundsStore
    tree: TreeLoop
    families: Sequence[TileFamily]
    tiling: HyperplaneTiling

    def __post_init__(self) -> None:
        functions = [
            [
                each.at({loop.induction_variable: loop.value for loop in statement.around})
                for each in self.families
            ]
            for statement in self.tree.statements
        ]
        sizes = [constant(size) for size in self.tiling.sizes if isinstance(size, int)]
        self._around = tiles(functions, [sizes], 0)

    def allocate(
        self, arrays: Sequence[AllocatedArray], accesses: Mapping[Operation, AllocatedArray]
    ) -> None:
        """Tiles with ARRAYS in memory of their own; ACCESSES are those to them. Raises NotAffine."""
        plan = planned(self.tree, self._around)
        outermost = self.tree.level.op
        if plan is not None:
            plans = {each: self._planned(each) for each in arrays}
            self._check_values([move for each in plans.values() for move in each.moves])
            check_plan(self.changes, self.tree, self._around, plan)
            try:
                self._make(plan, plans, accesses)
            except NotAffine as error:  # the program is no longer what it was
                raise BrokenRewrite(str(error)) from error
            self.changes.proved_otherwise = _DONE
        self.changes.erase(outermost)

    def _make(
        self,
        plan: Planned,
        plans: Mapping[AllocatedArray, PlannedArray],
        accesses: Mapping[Operation, AllocatedArray],
    ) -> None:
        """The code, in front of the nest."""
        builder = self.changes.before(self.tree.level.op)
        copies = Copies(IndexCode(builder), self._around.variables)
        memory = {each: copies.allocate(builder, of) for each, of in plans.items()}
        code = _MarsCode(self.changes, copies.index, self._names(), copies=copies)
        code.memory = list(memory.values())
        code.accesses = {op: memory[of] for op, of in accesses.items()}
        code.put(builder, plan, {})
        for value in (value for each in memory.values() for value in each.allocated):
            builder.operation("memref.dealloc", [value])

    def _names(self) -> dict[Atom, str | None]:
        found = names_of_loops(self.changes, self.tree)
        for plane, variable in enumerate(self._around.variables):
            words = [n for n, c in zip(self.tiling.iterators, self.tiling.normals[plane], strict=True) if c]
            found[variable] = f"{'_'.join(word.removeprefix('%') for word in words)}_tile"
        return found

    # -- plans -----------------------------------------------------------------------------------------

    def _planned(self, array: AllocatedArray) -> PlannedArray:
        initial, final = (
            tuple(scanned(move, self._around.variables, (), self.bounds) for move in moves)
            for moves in (array.initial, array.final)
        )
        return PlannedArray(array, tuple(map(self._blocks, array.blocks)), initial, final)

    def _blocks(self, blocks: MarsBlocks) -> PlannedBlocks:
        tile, coordinates = self._around.variables, blocks.coordinates
        owner: Sequence[Atom] = tile
        if blocks.writer is None:
            owner = [coordinate(position) for position in range(len(coordinates))]
        return PlannedBlocks(
            blocks,
            tuple(map(self._range, coordinates)),
            tuple(scanned(move, owner, coordinates, self.bounds) for move in blocks.writes),
            tuple(scanned(move, tile, coordinates, self.bounds) for move in blocks.reads),
        )

    def _range(self, row: Sequence[int]) -> JoinedBounds:
        """The least and the greatest value of ROW·t over all tiles t."""
        variable = Parameter("z")
        sum_of_tiles = combined(row, list(map(expression_of_atom, self._around.variables)))
        equal = expression_of_atom(variable) - sum_of_tiles
        sides: list[ScanLoop] = []
        for statement, inequalities in zip(self.tree.statements, self._around.inequalities, strict=True):
            own = [each for loop in statement.around for each in loop.inequalities]
            order = [variable, *self._around.variables, *(loop.variable for loop in statement.around)]
            nests = scan(order, [*own, *inequalities, equal, -equal], self._around.context)
            if len(nests) > 1:
                raise NotAffine("how many tiles there are depends on the sign of a value")
            sides += [nest.loops[0] for nest in nests]
        if not all(side.lower and side.upper for side in sides):
            raise NotAffine("there are tiles without end")
        lower = tuple(dict.fromkeys(side.lower for side in sides))
        return JoinedBounds(variable, lower, tuple(dict.fromkeys(side.upper for side in sides)))

    def _check_values(self, moves: Sequence[ScannedMove]) -> None:
        """Raise NotAffine if MOVES depend on what is computed inside of the nest."""
        outermost = self.tree.level.op
        for atom in values_in(moves):
            if not visible(atom.value, outermost, self.bounds.definitions):
                raise NotAffine("the exchanged elements depend on a value that is computed inside")


@dataclass
class _MarsCode(TreeCode):
    """Loops with what tiles copy, in front of their points and after them."""

    copies: Copies = field(kw_only=True)
    memory: list[ArrayMemory] = field(default_factory=list[ArrayMemory])
    accesses: dict[Operation, ArrayMemory] = field(default_factory=dict[Operation, ArrayMemory])
    _local: dict[ArrayMemory, InArray] = field(default_factory=dict["ArrayMemory", "InArray"])

    def _body(self, builder: Builder, plan: Planned, known: dict[Atom, Expression]) -> None:
        if plan.bounds is None or plan.bounds.variable != self.copies.tile[-1]:
            super()._body(builder, plan, known)
            return
        self._local = {each: self.copies.local(builder, each, known) for each in self.memory}
        for each, local in self._local.items():
            self.copies.enter(builder, each, local, known)
        super()._body(builder, plan, known)
        for each, local in self._local.items():
            self.copies.leave(builder, each, local, known)

    def _plain(self, op: Operation) -> Operation | None:
        """The access to the local array, where OP is one to the array."""
        memory = self.accesses.get(op)
        if memory is None:
            return super()._plain(op)
        accesses = questions.accesses(op)
        assert accesses is not None
        (access,) = accesses
        local = self._local[memory]
        indices = [
            self._index(op, e - base)
            for e, base in zip(access.index, local.base, strict=True)
            if isinstance(e, Expression)
        ]
        builder = self.changes.before(op)
        if access.stored is not None:
            return builder.operation("memref.store", [access.stored, local.memory, *indices])
        types = [result.type for result in op.results]
        return builder.operation("memref.load", [local.memory, *indices], results=types)
