"""Whether a tree of loops may be tiled along hyperplanes: what its dependences say of each statement's.

What loops carry in iter_args is made in the order of the iterations. Tiles may change it if what is carried
is combined by an associative and commutative operation: exactly (integers), or by permission (`reassoc`).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from xdsl.ir import Operation

from volcli.language.expressions import Expression, NotAffine, loop
from volcli.model.memory.accesses.site import Site
from volcli.model.memory.buffers.nests import Level
from volcli.model.memory.loops.loops import Loops
from volcli.model.memory.loops.tilings import UNKNOWN_LENGTHS, TiledPlace, TileLengths, Tilings
from volcli.model.memory.loops.updates import carried_updates
from volcli.rewriting.ground.hyperplanes import TileFamily
from volcli.rewriting.nests.loop_trees import TiledStatement, TreeLoop


def illegal(
    loops: Loops, tree: TreeLoop, tilings: Sequence[TileFamily], lengths: TileLengths = UNKNOWN_LENGTHS
) -> str | None:
    """Why the loops of TREE may not be tiled along TILINGS, in tiles of LENGTHS, if so: accesses to memory.

    Raises NotAffine if a statement has no such function.
    """
    legality = Tilings(loops)
    op = tree.level.op
    if (reason := legality.order(op)) is not None:
        return reason
    statements = {each: statement for statement in tree.statements for each in statement.operations}

    def functions(site: Site) -> Sequence[Expression]:
        return _functions(_statement_of(site.op, statements), site.levels, tilings)

    found = legality.reversed(op, functions, lengths)
    return None if found is None else legality.text(found, [each.text for each in tilings])


def reordered(
    loops: Loops, tree: TreeLoop, tilings: Sequence[TileFamily], lengths: TileLengths
) -> Collection[Operation] | str:
    """The operations that combine what loops of TREE carry, in another order in tiles of LENGTHS.

    None of them if the order is kept. Why it has to be kept, if so. Raises NotAffine if a statement has no
    such function.
    """
    op, nests = tree.level.op, loops.memory.nests
    places: list[TiledPlace] = []
    for statement in tree.makers:
        last = statement.around[-1].end
        places.append(TiledPlace(last, _functions(statement, nests.levels(last.parent), tilings)))
    if Tilings(loops).keeps_order(op, places, lengths):
        return ()
    values, combined = carried_updates(op, loops.memory.bounds.name_of, in_order=True)
    if values:
        return f"{' and '.join(values)} would be made in another order of the iterations"
    if assumed := dict.fromkeys(text for update in combined for text in update.assumptions):
        names = " and ".join(update.target for update in combined if update.assumptions)
        return f"{names} would be combined in another order, which needs {' and '.join(assumed)}"
    return tuple(each for update in combined for each in update.path)


def _functions(
    statement: TiledStatement, levels: Sequence[Level], tilings: Sequence[TileFamily]
) -> Sequence[Expression]:
    """TILINGS of what is in STATEMENT, where the loops around it are LEVELS."""
    around = {each.level for each in statement.around}
    values = {
        level.variable: loop(k)
        for k, level in enumerate(levels)
        if level in around and level.variable is not None
    }
    return [each.at(values) for each in tilings]


def _statement_of(op: Operation, statements: Mapping[Operation, TiledStatement]) -> TiledStatement:
    """The one that OP is in."""
    current: Operation | None = op
    while current is not None and current not in statements:
        current = current.parent_op()
    if current is None:
        raise NotAffine(f"'{op.name}' is in no statement")
    return statements[current]
