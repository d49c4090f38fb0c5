"""Element maps and sizes of every structured linalg operation, named or generic.

IMPACT 2023, section 4.2.1: each operand and result V has an indexing map I_V from the loops to its indices,
the iteration domain is the set of loop points whose indices lie inside *all* operands (erratum E000-2: not
only inside the results), and the result element `I_R(l)` is computed from the elements `I_V(l)`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from xdsl.dialects.builtin import ShapedType
from xdsl.dialects.linalg.abstract_ops import LinalgStructuredOperation
from xdsl.ir import Block, SSAValue

from volcli.language.affine_maps import over_loops
from volcli.language.expressions import (
    ANY,
    Atom,
    Expression,
    LoopIndex,
    NotAffine,
    dim_of,
    loop,
    loops,
    substitute,
)
from volcli.language.programs.backward_slices import backward_slice
from volcli.language.programs.bodies import Body
from volcli.language.programs.loop_numbers import LoopNumbers
from volcli.language.questions import (
    SizeFact,
    Sizes,
    element_numbers,
    element_reads,
    index_value,
    iterator_names,
    result_sizes,
    size_facts,
)
from volcli.language.reads import (
    Access,
    Alternative,
    Disjunction,
    ElementReads,
    Read,
    Use,
    copy,
    is_number,
    rank_of,
)
from volcli_dialects.linalg.bounds import extents
from volcli_dialects.linalg.scalars import IndexOp


def accesses(op: LinalgStructuredOperation) -> list[Access]:
    """Per operand the element that a loop point accesses: `operand[indexing_map(l)]`."""
    maps = [attribute.data for attribute in op.get_indexing_maps()]
    found: list[Access] = []
    if len(maps) != len(op.operands):
        raise NotAffine(f"{op.name} has {len(maps)} indexing maps for {len(op.operands)} operands")
    for operand, indexing_map in zip(op.operands, maps, strict=True):
        if len(indexing_map.results) != rank_of(operand) or indexing_map.num_symbols:
            raise NotAffine(f"an indexing map of {op.name} does not fit its operand")
        found.append(Access(operand, over_loops(indexing_map)))
    return found


@element_reads.case(LinalgStructuredOperation)
def structured_reads(op: LinalgStructuredOperation) -> list[ElementReads]:
    """`R_k[I_k(l)]` is computed from the elements that the k-th yielded scalar uses.

    An element of the result that no loop point reaches keeps its initial value.
    """
    everything = accesses(op)
    block = op.body.first_block if len(op.body.blocks) == 1 else None
    if (
        block is None
        or len(block.args) != len(everything)
        or block.last_op is None
        or len(block.last_op.operands) != len(op.res)
    ):
        raise NotAffine(f"the body of {op.name} does not yield its results")
    return [_result_reads(op, everything, position) for position in range(len(op.res))]


@element_numbers.case(LinalgStructuredOperation)
def structured_numbers(op: LinalgStructuredOperation) -> list[Expression | None]:
    """What is yielded, where it is an integer that the loops determine, one loop point for each element."""
    everything = accesses(op)
    block = op.body.block
    inits = everything[len(op.inputs) :]
    states = _accumulators(block, inits, op.get_num_loops())
    numbers = LoopNumbers(block, dict(zip(block.args, everything, strict=True)), frozenset(states.values()))
    assert block.last_op is not None
    found: list[Expression | None] = []
    for value, init in zip(block.last_op.operands, inits, strict=False):
        coordinates = _coordinates(init, op.get_num_loops())
        number = numbers.expression(value) if is_number(value) and coordinates else None
        found.append(None if number is None else substitute(number, coordinates.get))
    return found


def _coordinates(init: Access, count: int) -> Mapping[Atom, Expression]:
    """Each of COUNT loops as a coordinate of the element of INIT; nothing if they are not just these."""
    found = {e.single_atom: loop(d) for d, e in enumerate(init.index) if isinstance(e, Expression)}
    is_whole = set(found) == set(map(LoopIndex, range(count))) and len(init.index) == count
    return {atom: e for atom, e in found.items() if atom is not None} if is_whole else {}


def _result_reads(op: LinalgStructuredOperation, everything: list[Access], position: int) -> ElementReads:
    """The element that the last loop point leaves: from its own reads, and from what other outputs carry."""
    block, count = op.body.block, op.get_num_loops()
    inits = everything[len(op.inputs) :]
    init = inits[position]
    element = tuple(e for e in init.index if isinstance(e, Expression))
    accumulators = _accumulators(block, inits, count)
    states = frozenset(accumulators.values())
    body = Body(block, dict(zip(block.args, everything, strict=True)), states)
    assert block.last_op is not None
    yielded = block.last_op.operands
    others = _carried(block, yielded, accumulators, position)
    direct = body.reads(yielded[position])
    carried = body.reads(*(yielded[k] for k in (position, *others))) if others else direct
    chain = [inits[k] for k in (position, *others)]
    adding = _added_up(op, everything, body, accumulators, position, others)
    reads, is_exact = _with_state(chain, direct, carried) if adding is None else ((*direct, *adding), True)
    inexact = None
    if not is_exact:
        inexact = f"a state goes from iteration to iteration through result {others[0]} of {op.name}"
    own = accumulators.get(position)
    anew, keeps = (None, None) if own is None else _overwriting(body, own, yielded[position])
    if others and keeps is not None:
        keeps, inexact = None, inexact or "an iteration overwrites what those before it wrote"
    bounds = tuple(a for a in everything if isinstance(a.operand.type, ShapedType))
    indices = (e for read in carried for e in (*read.access.index, *read.where))
    selecting = tuple(e for e in indices if isinstance(e, Expression)) if others else ()
    computed = Alternative(
        count, element, reads, bounds, yielded[position], body.scalars, body.conditions, states, own, None,
        (*body.deciding, *selecting), block.args[len(op.inputs) + position],
    )  # fmt: skip
    identity = loops(len(element))
    kept = Alternative(len(element), identity, copy(init.operand, identity))
    overwritten = () if anew is None or keeps is None else (replace(computed, reads=anew, keeps=keeps),)
    alternatives = (*overwritten, *(() if keeps == () else (computed,)), kept)
    return ElementReads(alternatives, body.inexact or inexact, body.is_parametric, body.is_opaque)


def _accumulators(block: Block, inits: Sequence[Access], count: int) -> dict[int, SSAValue]:
    """The arguments that hold results so far: those of outputs of which loop points share an element.

    Each has its own map: in `r0[i], r1[] = f(...)` with one loop i only r1 goes on to other loop points.
    """
    outputs = block.args[len(block.args) - len(inits) :]
    return {k: outputs[k] for k, init in enumerate(inits) if not _is_injective(init, range(count))}


def _is_injective(access: Access, iterators: Iterable[int]) -> bool:
    """Whether each of the ITERATORS is, times a number, one of the indices of ACCESS: (d1, 2 * d0)."""
    alone = {e.terms[0][0] for e in access.index if isinstance(e, Expression) and len(e.terms) == 1}
    return all(LoopIndex(k) in alone for k in iterators)


def _overwriting(
    body: Body, accumulator: SSAValue, yielded: SSAValue
) -> tuple[tuple[Read, ...], Disjunction | None]:
    """What is YIELDED from but for ACCUMULATOR, and the loop points that use that; None if all of them do."""
    marked = Body(body.block, {**body.arguments, accumulator: Access(accumulator, ())}, body.states)
    reads = marked.reads(yielded)
    where = tuple(read.where for read in reads if read.access.operand is accumulator)
    return tuple(r for r in reads if r.access.operand is not accumulator), None if () in where else where


def _carried(
    block: Block, yielded: Sequence[SSAValue], accumulators: Mapping[int, SSAValue], position: int
) -> list[int]:
    """The results whose state at earlier loop points result POSITION depends on.

    Itself is one of them only if the state of another one holds it.
    """

    def used(k: int) -> list[int]:
        below = backward_slice(yielded[k], block)
        return [j for j, value in accumulators.items() if value in below]

    found = [k for k in used(position) if k != position]
    for k in found:
        found += [j for j in used(k) if j not in found]
    return found


def _added_up(
    op: LinalgStructuredOperation, everything: Sequence[Access], body: Body,
    accumulators: Mapping[int, SSAValue], position: int, others: Sequence[int],
) -> tuple[Read, ...] | None:  # fmt: skip
    """What reaches result POSITION through the state of one other result, of which it adds up all; or None.

    Each point adds what the point before it left: what is read at all points but the last one. That is
    stated for a box of loop points: the last one is the last of each loop that the results share.
    """
    block, inits = op.body.block, everything[len(op.inputs) :]
    assert block.last_op is not None
    if len(others) != 1 or position not in accumulators or inits[others[0]].index != inits[position].index:
        return None
    yielded = block.last_op.operands
    chain = (position, others[0])
    states = {accumulators[k]: Access(accumulators[k], ()) for k in chain}
    marked = Body(block, {**body.arguments, **states}, body.states).reads(yielded[position])
    always = {read.access.operand for read in marked if not read.where}
    behind = set(backward_slice(yielded[others[0]], block))
    if not always.issuperset(states) or behind & ({*accumulators.values()} - {accumulators[others[0]]}):
        return None
    indices = [index for access in everything for index in access.index]
    own = {index.single_atom for index in inits[position].index if isinstance(index, Expression)}
    sizes = {k: size for k, size in enumerate(extents(op)) if LoopIndex(k) not in own}
    is_box = all(
        isinstance(e, Expression) and (e.is_constant or isinstance(e.single_atom, LoopIndex)) for e in indices
    )
    if not is_box or None in sizes.values():
        return None
    return tuple(
        replace(read, where=(*read.where, size - 2 - loop(k)), uses=tuple(map(_signed, read.uses)))
        for read in body.reads(yielded[others[0]])
        for k, size in sizes.items()
        if size is not None
    )


def _with_state(
    chain: Sequence[Access], direct: tuple[Read, ...], carried: tuple[Read, ...]
) -> tuple[tuple[Read, ...], bool]:
    """What a result is computed from, by its own loop point and by states, and whether that is exact.

    CHAIN are the elements of the outputs that hold the states, its own first, DIRECT its own loop point's
    reads, CARRIED those of all of CHAIN. With one map for all of them a state stays within an element; what
    it was computed from reaches the result of the last loop point if that reads as much itself (an argmax
    beside its maximum). Otherwise a state of any loop point may reach any element: all that is read.
    """
    if any(use.sees_sign for read in carried if read.access in chain for use in read.uses):
        carried = tuple(replace(read, uses=tuple(map(_signed, read.uses))) for read in carried)
    if all(access.index == chain[0].index for access in chain):
        own = {(read.access, read.where) for read in direct}
        return carried, all((read.access, read.where) in own for read in carried)
    whole = dict.fromkeys(Access(r.access.operand, (ANY,) * rank_of(r.access.operand)) for r in carried)
    return tuple(Read(access, uses=(Use(sees_sign=True),)) for access in whole), False


def _signed(use: Use) -> Use:
    """USE by what can tell +0 from -0."""
    return Use(tuple(replace(product, signed=True) for product in use.products), sees_sign=True)


@index_value.case(IndexOp)
def loop_index(op: IndexOp) -> Expression:
    """`linalg.index k` is the loop d_k of the operation around it."""
    return loop(op.dim.value.data)


@result_sizes.case(LinalgStructuredOperation)
def structured_sizes(op: LinalgStructuredOperation) -> list[Sizes]:
    """A result is as large as its initial value."""
    return [[dim_of(init, d) for d in range(rank_of(init))] for init in op.outputs[: len(op.res)]]


@size_facts.case(LinalgStructuredOperation)
def shared_loops(op: LinalgStructuredOperation) -> list[SizeFact]:
    """Dimensions that are indexed by the same loop have the same size."""
    shapes = [o.type for o in op.operands if isinstance(o.type, ShapedType)]
    if all(shape.has_static_shape() for shape in shapes):
        return []  # `questions.problems` compares static sizes
    first: dict[LoopIndex, tuple[SSAValue, int]] = {}
    names = structured_iterators(op) or [f"d{k}" for k in range(op.get_num_loops())]
    facts: list[SizeFact] = []
    try:
        everything = accesses(op)
    except NotAffine:
        return []
    for access in everything:
        for dimension, index in enumerate(access.index):
            atom = index.single_atom if isinstance(index, Expression) else None
            if not isinstance(atom, LoopIndex):
                continue
            known = first.setdefault(atom, (access.operand, dimension))
            if known != (access.operand, dimension):
                what = f"loop {names[atom.position]}"
                facts.append(SizeFact(dim_of(*known), dim_of(access.operand, dimension), what))
    return facts


@iterator_names.case(LinalgStructuredOperation)
def structured_iterators(op: LinalgStructuredOperation) -> Sequence[str] | None:
    """The iterators' names, for the named operations: n, f, oh, ow, c, kh, kw."""
    names: Sequence[str] | None = getattr(op, "iterator_names", None)
    return names
