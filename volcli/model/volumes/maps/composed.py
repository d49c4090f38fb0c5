"""Element maps: the elements of a volume, and those of other volumes that they depend on.

Values may be other indices of one value: views and slices (IMPACT 2023, definitions 4.8 and 4.9). A view
`v[i] = w[m(i)]` moves elements and computes none. It is a slice if `m(i) = o + i * s` along each dimension;
dimensions of w that v has no index for stay where they are:

    extract_slice %w[2, 0] [4, 1] [3, 1] to tensor<4xf32>    offset [2, 0], size [4, 1], stride [3, 0]

What is not a slice of w may have the elements of one: a transpose has all elements, in another order.
Algorithm 3 of the paper finds a slice from a set of indices; here that is the reason that is given, if there
is one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import islpy as isl
from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Operation, OpResult, SSAValue

from volcli.language.expressions import Atom, Dim, Expression, Index, LoopIndex, loop, substitute
from volcli.language.reads import rank_of
from volcli.model.values.sizes.sizes import Sizes
from volcli.model.volumes.knowledge.sparsity import is_constant
from volcli.model.volumes.relations.relations import Relations
from volcli.model.volumes.relations.statements import Statement
from volcli.presburger.expressions.match_slice import SliceParameters, match_slice
from volcli.presburger.sets.names import parameters_of_space


@dataclass(frozen=True)
class VolumeUse:
    """A volume as one operation uses it.

    `user` is None for ordinary volumes. A scalar constant is one volume per use (section 5.4: otherwise the
    activation's use of %cst0 would hide the padding's).
    """

    volume: SSAValue
    user: Operation | None = None


@dataclass(frozen=True, eq=False)
class ElementMap:
    """The elements of `source` and the elements of each volume in `targets` that they depend on.

    All relations are anonymous; `text` names them. `inexact` is None if they are exact, else why they
    over-approximate. `assumes` are fastmath flags that operations lack, and that they rest on.
    """

    source: SSAValue
    targets: Mapping[VolumeUse, isl.Map]
    inexact: str | None = None
    assumes: frozenset[str] = frozenset()
    stated: tuple[str, ...] = ()
    """What else it rests on: which memory is different."""
    points: isl.Set | None = None
    """Of a scalar in a body: the loop points, which are its index domain."""
    unknown: str | None = None
    """Why nothing is known, of memory."""


def words(store: Sizes, points: isl.Set | isl.Map) -> tuple[list[str], list[str]]:
    """The parameters of POINTS that are sizes, and those that are other numbers of at most 64 bits."""
    sizes: list[str] = []
    numbers: list[str] = []
    for name in parameters_of_space(points):
        origin = store.origin(name)
        if isinstance(origin, Dim):
            sizes.append(name)
        elif not isinstance(kind := origin.value.type, IntegerType) or kind.bitwidth <= 64:
            numbers.append(name)
    return sizes, numbers


def default_names(value: SSAValue) -> tuple[str, ...]:
    """d0, d1, ...: the dimension names of a volume that nothing names."""
    return tuple(f"d{d}" for d in range(rank_of(value)))


@dataclass(frozen=True)
class ViewOf:
    """A value that has elements of SOURCE: the `slice` that it is, or why it is none.

    A stride of 0 is of a dimension that does not move.
    """

    source: SSAValue
    slice: SliceParameters | None
    reason: str | None = None


def view_of(value: SSAValue, relations: Relations, store: Sizes, context: isl.Set) -> ViewOf | None:
    """What VALUE is a view of, in the CONTEXT of its parameters; None if it is none."""
    if not isinstance(value, OpResult) or is_constant(value.op) or not rank_of(value):
        return None
    relation = relations.of(value)
    if relation.inexact is not None or relation.opaque or len(relation.statements) != 1:
        return None
    (statement,) = relation.statements
    yields, sizes = statement.source.yields, store.sizes(value)
    is_copy = (yields is None or yields in statement.scalars) and not statement.source.accumulators
    if not is_copy or len(statement.reads) != 1 or statement.reads[0].where or not statement.covers:
        return None
    (read,) = statement.reads
    if not rank_of(read.operand) or not statement.relation(read).is_single_valued():
        return None
    index = _over_indices(read.index, statement)
    is_unit = [size.is_constant and size.constant == 1 for size in sizes]
    reason = "none of its indices is an offset and a stride" if index is None else _why_none(index, is_unit)
    if index is not None and reason is None:
        found = [_line(each) for each in index]
        extents = tuple(sizes[d] if d is not None else Expression((), 1) for _, _, d in found)
        made = SliceParameters(tuple(o for o, _, _ in found), extents, tuple(s for _, s, _ in found))
        return ViewOf(read.operand, made)
    elements = statement.relation(read).intersect_domain(store.domain(value)).range()
    matched = match_slice(elements, context)
    if isinstance(matched, SliceParameters):
        return ViewOf(read.operand, None, f"{reason}; its elements are {texts(matched)}, in another order")
    witness = "" if matched.witness is None else f", as {matched.witness} shows"
    return ViewOf(read.operand, None, f"{reason}; of its elements: {matched.reason}{witness}")


def texts(found: SliceParameters) -> str:
    """`offset [2, 0], size [4, 1], stride [3, 0]`."""
    parts = (("offset", found.offsets), ("size", found.sizes), ("stride", found.strides))
    return ", ".join(f"{name} [{', '.join(map(str, each))}]" for name, each in parts)


def _over_indices(index: Sequence[Index], statement: Statement) -> Sequence[Index] | None:
    """INDEX over the indices of the result, each of which is one loop of STATEMENT; None if it is not.

    A loop that is not an index of the result is 0 if it has one iteration.
    """
    position = {each.single_atom: d for d, each in enumerate(statement.element)}
    if len(position) < len(statement.element) or not all(isinstance(atom, LoopIndex) for atom in position):
        return None
    atoms = {atom for each in index if isinstance(each, Expression) for atom in each.atoms()}
    loops = {atom for atom in atoms if isinstance(atom, LoopIndex) and atom not in position}
    if not all(atom.position in statement.unit_loops for atom in loops):
        return None

    def moved(atom: Atom) -> Expression | None:
        if atom in position:
            return loop(position[atom])
        return Expression((), 0) if isinstance(atom, LoopIndex) else None

    return [substitute(each, moved) if isinstance(each, Expression) else each for each in index]


def _why_none(index: Sequence[Index], unit: Sequence[bool]) -> str | None:
    """Why INDEX is not an offset and a stride per dimension; None if it is. UNIT: which indices are 0."""
    used: list[int] = []
    for dimension, each in enumerate(index):
        if not isinstance(each, Expression):
            return f"index {dimension} may be any"
        moved = [atom.position for atom, _ in each.terms if isinstance(atom, LoopIndex)]
        inside = {a.position for a in each.atoms() if isinstance(a, LoopIndex)}
        if len(moved) > 1 or inside != set(moved):
            return f"index {dimension}, {each}, is not an offset and a stride along one dimension"
        used += moved
    if used != sorted(used):
        return "its dimensions are in another order"
    if len(set(used)) < len(used):
        return "one index moves along several dimensions"
    missing = [d for d, is_unit in enumerate(unit) if not is_unit and d not in used]
    return f"dimension {missing[0]} repeats elements" if missing else None


def _line(index: Index) -> tuple[Expression, Expression, int | None]:
    """Offset and stride of an INDEX, and the loop that moves it."""
    assert isinstance(index, Expression), "an index that is known"
    for atom, factor in index.terms:
        if isinstance(atom, LoopIndex):
            step = Expression((), factor)
            return index - step * Expression(((atom, 1),), 0), step, atom.position
    return index, Expression((), 0), None
