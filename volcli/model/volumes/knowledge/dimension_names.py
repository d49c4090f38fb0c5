"""Names of dimensions, for printed sets: `{ act0[n, f, h, w] : ... }` says more than `[d0, d1, d2, d3]`.

Named linalg operations name their iterators; results and operands take them over through the indexing maps,
and dimensions that follow each other one to one (padding, element-wise operations, slices) pass names on, in
both directions. What nothing names is d0, d1, ...
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.ir import OpResult, SSAValue

from volcli.language import questions
from volcli.language.expressions import Expression, Index, LoopIndex
from volcli.language.reads import rank_of
from volcli.model.values.sizes.sizes import Sizes
from volcli.model.volumes.knowledge.boundaries import Track, tracks
from volcli.model.volumes.relations.relations import Relations

Names = dict[SSAValue, list[str | None]]


def dimension_names(store: Sizes, relations: Relations) -> Mapping[SSAValue, tuple[str, ...]]:
    """The names of the dimensions of all volumes of a function."""
    found: Names = {}
    results = [r for block in store.blocks for op in block.ops for r in op.results if rank_of(r)]
    for result in results:
        _from_iterators(result, relations, found)
        _exchange(result, relations, found, backward=False)
    for result in reversed(results):
        _exchange(result, relations, found, backward=True)
    return {value: _filled(names) for value, names in found.items()}


def _from_iterators(result: OpResult, relations: Relations, found: Names) -> None:
    iterators = questions.iterator_names(result.op)
    if not iterators:
        return
    alternative = relations.stated(result).alternatives[0]
    _name(found, result, [_named(e, iterators) for e in alternative.element])
    for access in (*alternative.bounds, *(r.access for r in alternative.reads)):
        _name(found, access.operand, [_named(e, iterators) for e in access.index])


def _named(index: Index, iterators: Sequence[str]) -> str | None:
    """The name of the first iterator in INDEX: `2 * oh + kh` runs along h."""
    if not isinstance(index, Expression) or not index.terms:
        return None
    atom = index.terms[0][0]
    if not isinstance(atom, LoopIndex) or atom.position >= len(iterators):
        return None
    name = iterators[atom.position]
    return name[1:] if len(name) == 2 and name[0] == "o" else name


def _exchange(result: OpResult, relations: Relations, found: Names, *, backward: bool) -> None:
    """Names pass between the result and the operands whose dimensions it follows."""
    for alternative in relations.stated(result).alternatives[:1]:
        for read in alternative.reads:
            operand = read.access.operand
            source, target = (result, operand) if backward else (operand, result)
            is_named = target in found and None not in found[target]
            if source in found and not is_named and rank_of(operand):
                track = tracks(alternative.element, read.access.index, frozenset[int]())
                _pass_on(found, result, operand, track, backward=backward)


def _pass_on(
    found: Names, result: SSAValue, operand: SSAValue, track: Sequence[Track | None], *, backward: bool
) -> None:
    names: list[str | None] = [None] * rank_of(operand if backward else result)
    known = found.get(result if backward else operand)
    if known is None:
        return
    for dimension, target in enumerate(track):
        if target is None:
            continue
        if backward:
            names[dimension] = known[target.dimension]
        else:
            names[target.dimension] = known[dimension]
    _name(found, operand if backward else result, names)


def _name(found: Names, value: SSAValue, names: Sequence[str | None]) -> None:
    """Fill what has no name yet; a volume never gets one name twice."""
    known = found.setdefault(value, [None] * rank_of(value))
    for dimension, name in enumerate(names):
        if name is not None and known[dimension] is None and name not in known:
            known[dimension] = name


def _filled(names: Sequence[str | None]) -> tuple[str, ...]:
    return tuple(f"d{d}" if name is None else name for d, name in enumerate(names))
