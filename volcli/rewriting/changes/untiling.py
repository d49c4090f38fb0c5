"""Loops without their tiles: a copy of a function in which points run in the order that the nest inside has.

    for o = 0 to n step b { for i = o to min(o + b, n) { S } }        for i = 0 to n { S }

Both compute alike if

* the loops over tiles and over points reach the points of the loops over points alone, each in one tile
  (`volcli.symbolic.tile_numbers`), for all sizes;
* no dependence of the nest without tiles goes back along what the tiles are of
  (`volcli.model.memory.loops.tilings`): tiles run one after the other, and each in the order of the nest.

So programs with tiles whose sizes are values are compared with others, though sets of integers know
nothing of them. A loop over tiles is one whose variable is used for bounds of loops inside only.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from xdsl.ir import Block, Operation, SSAValue

from volcli.frontend.parse.parser import ParsedModule
from volcli.language.expressions import Expression, NotAffine, constant
from volcli.language.interface import operation_name
from volcli.language.programs.choices import values_in
from volcli.language.programs.flags import promises_order
from volcli.limits.rewriting import TILE_EFFORT
from volcli.model.function import FunctionModel
from volcli.model.inlining import copied
from volcli.model.memory.loops.tilings import Functions, TiledPlace, Tilings
from volcli.model.memory.loops.updates import carried_updates
from volcli.model.stated_effects import only_computes
from volcli.presburger.limits.budget import BudgetExceeded
from volcli.rewriting.changes.defined_operations import hoist_origins
from volcli.rewriting.changes.joined_loops import join
from volcli.rewriting.changes.shifted_loops import shift, shift_of
from volcli.rewriting.changes.tile_functions import CountedAlong, counted_at
from volcli.rewriting.changes.tile_nests import PointBounds, TileNest
from volcli.rewriting.code.index_code import IndexCode
from volcli.rewriting.code.loop_code import loop_operation
from volcli.rewriting.ground.bound_uses import bounds_others, carried_first, last_of_chain, loops_in
from volcli.rewriting.ground.builder import Builder
from volcli.symbolic.rows import effort


@dataclass(frozen=True, eq=False)
class TileOrder:
    """Tiles, once around LOOP, that ran one after the other along a function of each block inside."""

    loop: Operation
    functions: Mapping[Block, Expression]

    @property
    def values(self) -> Sequence[SSAValue]:
        """The values that the functions speak of."""
        return values_in((tuple(self.functions.values()),))


@dataclass(frozen=True, eq=False)
class Untiled:
    """A FUNCTION without tiles that computes what another one does, and what that rests on.

    It does if the ORDERS of the tiles keep its dependences, which sets of integers do not say. Among the
    assumptions are those about the STEPS of loops over tiles.
    """

    function: Operation
    assumptions: tuple[str, ...]
    steps: tuple[str, ...] = ()
    orders: tuple[TileOrder, ...] = ()


def untiled(parsed: ParsedModule, model: FunctionModel) -> Untiled | None:
    """The function of MODEL, of the program PARSED, without loops over tiles; None if it has none.

    What is made is a copy; the function stays as it is. Tiles in blocks go after the blocks.
    """
    found = last = _untiled_once(parsed, model)
    while last is not None and not last.orders:
        inner = model.anew(last.function)
        last = _untiled_once(parsed, inner)
        if found is not None and last is not None:
            assumptions = tuple(dict.fromkeys((*found.assumptions, *last.assumptions)))
            found = replace(last, assumptions=assumptions, steps=(*found.steps, *last.steps))
    return found


def _untiled_once(parsed: ParsedModule, model: FunctionModel) -> Untiled | None:
    """The same without the outermost loops over tiles, and those that are found with them."""
    if not any(bounds_others(op) or shift_of(op) for op in loops_in(model.followed.function)):
        return None
    made = copied(model.followed.function)
    parsed.stand_for(made.operations, made.values)
    hoist_origins(made.function)
    shift(parsed, made.function)
    copy = model.anew(made.function)
    nests: list[TileNest] = []
    for op in list(loops_in(made.function)):
        if bounds_others(op) and not any(nest.root.is_ancestor(op) for nest in nests):
            nests += _tile_nest(op, copy)
    try:
        strips = {tile for nest in nests for tile in nest.tiles if _is_strip(nest, tile)}
        inner = [_rewritten(parsed, nest) for nest in nests]
        without = model.anew(made.function)
        return _checked(without, nests, inner, strips) if nests else None
    except (NotAffine, BudgetExceeded):
        return None


def _tile_nest(op: Operation, model: FunctionModel) -> list[TileNest]:
    """The loop OP over tiles, and all inside, if it is one."""
    for is_split in (False, True):
        with suppress(NotAffine, BudgetExceeded), effort(TILE_EFFORT):
            return [TileNest(op, model, is_split=is_split)]
    return []


def _checked(
    model: FunctionModel,
    nests: Sequence[TileNest],
    inside: Sequence[Mapping[Operation, Operation]],
    strips: Collection[Operation],
) -> Untiled | None:
    """The function of MODEL, in which NESTS have no tiles, if its dependences allow those they had.

    INSIDE are the loops in their loops over tiles; STRIPS are those that leave the order as it is.
    """
    legality = Tilings(model.loops_as_written)
    assumptions: dict[str, None] = {}
    orders: list[TileOrder] = []
    steps: list[str] = []
    for nest, inner in zip(nests, inside, strict=True):
        assumptions.update(dict.fromkeys(nest.steps))
        steps += nest.steps
        for tile, function in nest.functions.items():
            if tile in strips:
                continue
            loop = inner[tile]
            if legality.order(loop) is not None:
                return None
            assumptions.update(dict.fromkeys(legality.assumptions(loop)))
            if not _keeps_carried(model, loop, nest.along[tile]):
                return None
            if not _is_kept(legality, loop, function):
                orders.append(TileOrder(loop, nest.written(tile)))
    if not orders:  # they are about loops that joining takes away
        join(model)
    return Untiled(model.function, tuple(assumptions), tuple(steps), tuple(orders))


def _is_kept(legality: Tilings, loop: Operation, function: Functions) -> bool:
    """Whether no dependence in LOOP goes back along FUNCTION, as far as its factors are numbers."""
    with suppress(NotAffine):
        return legality.reversed(loop, function) is None
    return False


def _keeps_carried(model: FunctionModel, loop: Operation, along: Mapping[Block, CountedAlong]) -> bool:
    """Whether what LOOP carries is the same in tiles ALONG what they count: by its order, or in any order."""
    if not loop.results:
        return True
    values, combined = carried_updates(loop, model.name_of)
    is_free = not any(each.assumptions or any(map(promises_order, each.path)) for each in combined)
    if is_free and not values:
        return True
    last, nests = last_of_chain(loop), model.memory_as_written.nests
    with suppress(NotAffine):
        place = TiledPlace(last, counted_at(along, last.parent, nests.levels(last.parent)))
        return Tilings(model.loops_as_written).keeps_order(loop, [place])
    return False


# -- operations ------------------------------------------------------------------------------------------


def _rewritten(parsed: ParsedModule, nest: TileNest) -> Mapping[Operation, Operation]:
    """Give the loops over points of NEST their own bounds, and take out those over tiles. Raises NotAffine.

    Of each of those, the loop that was inside.
    """
    found = {op: _first_of_points(nest, op) for op in nest.tiles}
    for op, bounds in nest.bounds.items():
        made = _with_bounds(parsed, op, bounds)
        found = {tile: made if inner is op else inner for tile, inner in found.items()}
    for op in nest.tiles:
        _take_out(op)
    return found


def _first_of_points(nest: TileNest, op: Operation) -> Operation:
    """The outermost loop over points in the loop OP over tiles of NEST. Raises NotAffine."""
    inner = _only_inside(op)
    while inner in nest.tiles or operation_name(inner) == "scf.if":
        inner = _only_inside(inner)
    return inner


def _is_strip(nest: TileNest, tile: Operation) -> bool:
    """Whether TILE of NEST runs over tiles of the outermost loop over points: the order is the same then."""
    own = _first_of_points(nest, tile).regions[0].block.args[0]
    return operation_name(tile) in ("scf.for", "affine.for") and all(
        nest.sign(factor) > 0 if variable is own else factor == constant(0)
        for factors, _ in nest.along[tile].values()
        for variable, factor in factors.items()
    )


def _with_bounds(parsed: ParsedModule, op: Operation, bounds: PointBounds) -> Operation:
    """The loop OP with new BOUNDS, as an scf.for, or scf.parallel if it is one."""
    builder = Builder.before(op, parsed.context)
    index = IndexCode(builder)
    end = index.end(builder, [bounds.upper], {})
    if bounds.lower is None:
        raise NotAffine("a loop over points that has a step")
    operands = [index.lower(builder, [bounds.lower], {}), end, builder.constant(1), *carried_first(op)]
    region = op.regions[0]
    last = region.block.last_op
    kind = "scf.parallel" if operation_name(op) == "scf.parallel" else "scf.for"
    assert last is not None
    yielded = list(last.operands)
    last.detach()
    last.erase()
    inside = builder.inside(region.block)
    made = loop_operation(builder, inside, kind, operands, op.detach_region(region), yielded)
    for old, new in zip(op.results, made.results, strict=True):
        old.replace_all_uses_with(new)
    op.detach()
    op.erase()
    return made


def _take_out(op: Operation) -> None:
    """What is in the body of the loop OP over tiles in its place; nothing needs its variable any more."""
    block = op.regions[0].block
    *body, last = block.ops
    _erase_uses(block.args[0])
    inner = _only_inside(op)
    if list(inner.results) != list(last.operands) or list(carried_first(inner)) != list(block.args[1:]):
        raise NotAffine("a loop over tiles carries other values than the loop inside")
    for values, others in ((block.args[1:], carried_first(op)), (op.results, inner.results)):
        for value, other in zip(values, others, strict=True):
            value.replace_all_uses_with(other)
    around = op.parent
    assert around is not None
    for inner in body:
        if inner.parent is block:
            inner.detach()
            around.insert_op_before(inner, op)
    last.detach()
    last.erase()
    op.detach()
    op.erase()


def _erase_uses(value: SSAValue) -> None:
    """Erase what is computed from VALUE, and used by nothing else. Raises NotAffine if something else is."""
    while value.uses:
        user = next(iter(value.uses)).operation
        if user.regions:
            raise NotAffine("the number of a tile is used")
        for result in user.results:
            _erase_uses(result)
        user.detach()
        user.erase()


def _only_inside(op: Operation) -> Operation:
    """What stands in the body of the loop OP over tiles, beside what computes numbers. Raises NotAffine."""
    *body, _ = op.regions[0].block.ops
    found = [each for each in body if each.regions or not only_computes(each)]
    if len(found) != 1:
        raise NotAffine("several operations in a loop over tiles")
    return found[0]
