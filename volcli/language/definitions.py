"""The definition of an operation on tensors or memory: loops, what they access, and a body of scalars.

    R_k[element_k(l)] = body_k(operand_j[index_j(l)] for all j, R[element(l)] so far)

for all loop points l inside the bounds, in lexicographic order. It is what linalg.generic says of itself, and
what other operations state of themselves: which elements a result is computed from, which numbers they are,
which loop points contribute, and how large results are, follow from it.

Example: `tosa.matmul` of 1x2x3 and 1x3x4 has the loops n, i, j, k, reads a[n, i, k] and b[n, k, j], writes
R[n, i, j], which is 0 at first, and its body is `so_far + a * b`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from xdsl.dialects.builtin import ShapedType
from xdsl.ir import Block, SSAValue

from volcli.language.expressions import Dim, Expression, Index, LoopIndex, NotAffine, dim_of
from volcli.language.reads import Access, Around, Condition


@dataclass(frozen=True, eq=False)
class DefinedOutput:
    """`R[element(l)]` becomes the scalar `yields` of the body.

    `state` is the argument of the body that holds what the points before have left of it. Before the first
    point that is `initial`: a number, or the element of an operand, over the coordinates of R; None where an
    element that no point reaches has no number. What a point leaves is `left`, if the last point does more
    than to pass that on, as adding a bias: an element that no point reaches is `otherwise` then.
    """

    element: tuple[Expression, ...]
    yields: SSAValue
    state: SSAValue | None = None
    initial: Access | float | None = None
    left: SSAValue | None = None
    otherwise: Access | None = None

    @property
    def begins(self) -> SSAValue | None:
        """The operand whose elements it has at first: a tensor, or the memory that it is itself."""
        return self.initial.operand if isinstance(self.initial, Access) else None


@dataclass(frozen=True, eq=False)
class TensorDefinition:
    """The results or memory `outputs` over as many `loops`, of which BLOCK computes one point.

    `arguments` are what the block's arguments stand for at a point: the element of an operand, a number of
    the loops, or a truth of them. The loop points are those at which each access in `bounds` lies inside of
    its operand, and `0 <= index < size` for all pairs of `extents`. The block may belong to no operation.
    """

    loops: int
    block: Block
    arguments: Mapping[SSAValue, Access | Expression | Condition]
    outputs: tuple[DefinedOutput, ...]
    bounds: tuple[Access, ...]
    extents: tuple[tuple[Expression, Expression], ...] = ()
    around: tuple[Around, ...] = ()

    def known_extents(self) -> list[Expression | None]:
        """How far each loop runs: the size of a dimension that is indexed by it alone, if there is one.

        All such dimensions have one size; a static one is preferred.
        """
        found: list[Expression | None] = [None] * self.loops
        for at, size in self.extents_of_loops():
            known = found[at]
            if known is None or (_is_static(size) and not _is_static(known)):
                found[at] = size
        return found

    def extents_of_loops(self) -> Iterator[tuple[int, Expression]]:
        """A loop, and the size of a dimension that it alone runs along."""
        every: list[tuple[Index, Expression]] = list(self.extents)
        for access in self.bounds:
            every += ((index, dim_of(access.operand, d)) for d, index in enumerate(access.index))
        for index, size in every:
            atom = index.single_atom if isinstance(index, Expression) else None
            if isinstance(atom, LoopIndex):
                yield atom.position, size

    @cached_property
    def sizes(self) -> tuple[Expression, ...]:
        """How far each loop runs. Raises NotAffine if that of one is not known."""
        known = tuple(size for size in self.known_extents() if size is not None)
        if len(known) != self.loops:
            raise NotAffine("a loop that no size bounds")
        return known

    @cached_property
    def states(self) -> Mapping[SSAValue, int]:
        """The position of the output whose state an argument is."""
        return {output.state: k for k, output in enumerate(self.outputs) if output.state is not None}

    def is_injective(self, element: Sequence[Index]) -> bool:
        """Whether each loop is, times a number, one of the indices ELEMENT: (d1, 2 * d0)."""
        alone = {e.terms[0][0] for e in element if isinstance(e, Expression) and len(e.terms) == 1}
        return all(LoopIndex(k) in alone for k in range(self.loops))


def _is_static(size: Expression) -> bool:
    """Whether SIZE is a number, or one dimension whose size the type says."""
    atom = size.single_atom
    if not isinstance(atom, Dim):
        return size.is_constant
    kind = atom.value.type
    return isinstance(kind, ShapedType) and kind.get_shape()[atom.dimension] >= 0


WITHOUT: dict[str, str] = {}
"""By name, why an operation of a dialect that is known has no definition, and reads all of its operands."""


def without_definition(dialect: str, reasons: Mapping[str, str]) -> None:
    """State for each of REASONS that the operations that it is given for, of DIALECT, have no definition."""
    for reason, names in reasons.items():
        WITHOUT.update((f"{dialect}.{name}", reason) for name in names.split())
