"""Whether a tree of loops may be tiled along hyperplanes: what its dependences say of each statement's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.ir import Operation

from volcli.language.expressions import Expression, NotAffine, loop
from volcli.model.memory.accesses.site import Site
from volcli.model.memory.loops.loops import Loops
from volcli.model.memory.loops.tilings import Tilings
from volcli.rewriting.ground.hyperplanes import TileFamily
from volcli.rewriting.nests.loop_trees import TiledStatement, TreeLoop


def illegal(loops: Loops, tree: TreeLoop, tilings: Sequence[TileFamily]) -> str | None:
    """Why the loops of TREE may not be tiled along TILINGS, if so.

    Raises NotAffine if a statement has no such function.
    """
    legality = Tilings(loops)
    op = tree.level.op
    if (reason := legality.order(op)) is not None:
        return reason
    statements = {each: statement for statement in tree.statements for each in statement.operations}

    def functions(site: Site) -> Sequence[Expression]:
        around = {each.level for each in _statement_of(site.op, statements).around}
        values = {
            level.variable: loop(k)
            for k, level in enumerate(site.levels)
            if level in around and level.variable is not None
        }
        return [each.at(values) for each in tilings]

    found = legality.reversed(op, functions)
    return None if found is None else legality.text(found, [each.text for each in tilings])


def _statement_of(op: Operation, statements: Mapping[Operation, TiledStatement]) -> TiledStatement:
    """The one that OP is in."""
    current: Operation | None = op
    while current is not None and current not in statements:
        current = current.parent_op()
    if current is None:
        raise NotAffine(f"'{op.name}' is in no statement")
    return statements[current]
