"""What two functions have to have in common beside the elements: sizes, and what globals hold at first."""

from __future__ import annotations

import islpy as isl

from volcli.equivalence.backward.function import Asked, FunctionSources
from volcli.equivalence.comparing.outputs import Compared
from volcli.equivalence.paths.leaves import GlobalMemory, LeafKind
from volcli.equivalence.paths.points import parameters, sample
from volcli.equivalence.places.defined import equal
from volcli.equivalence.results.constants import bits_of_nan
from volcli.language import questions
from volcli.language.interface import operation_name
from volcli.model.values.terms.answers import Verdict

_READS_BITS = frozenset(
    ("arith.bitcast", "tensor.bitcast", "vector.bitcast", "math.copysign", "memref.view", "vector.type_cast",
     "memref.extract_aligned_pointer_as_index", "llvm.bitcast")
)  # fmt: skip
"""What tells NaN of different bits apart, by their signs at least."""


def of_other_sizes(
    name: str, sides: tuple[FunctionSources, FunctionSources], asked: tuple[Asked, Asked], context: isl.Set
) -> Compared | None:
    """That the output NAME has other sizes, also where these leave no elements: 0 x 3 is not 3 x 0.

    Raises NotAffine.
    """
    sizes = [side.sizes(side.value(each)) for side, each in zip(sides, asked, strict=True)]
    pairs = [pair for pair in zip(*sizes, strict=True) if pair[0] != pair[1]]
    others = context.subtract(equal(pairs))
    if not pairs or others.is_empty():
        return None
    at = parameters(sample(isl.Set.from_params(others)))
    if not sides[0].needs.are_met(dict(at)):
        return Compared(name, Verdict.UNKNOWN, "it differs where sizes may not be what operations need")
    return Compared(name, Verdict.REFUTED, "the sizes differ", parameters=at)


def begun_alike(found: Compared, before: FunctionSources, after: FunctionSources) -> Compared:
    """FOUND, but that a global which begins with other elements is no other input: some may be the same."""
    leaf = None if found.difference is None else found.difference.leaf
    match None if leaf is None or leaf.kind is not LeafKind.INPUT else leaf.what:
        case GlobalMemory(symbol) if before.initially(symbol) != after.initially(symbol):
            return Compared(found.name, Verdict.UNKNOWN, f"@{symbol} begins with other elements")
        case _:
            return found


def of_other_nan(*sides: FunctionSources) -> str | None:
    """Why what is equal may not be: constants are NaN with other bits, and an operation reads bits."""
    ops = [op for side in sides for op in side.function.walk()]
    reading = next((op for op in ops if operation_name(op) in _READS_BITS), None)
    if reading is None:
        return None
    modules = {id(module): module for side in sides if (module := side.function.parent_op()) is not None}
    ops += [op for module in modules.values() for region in module.regions for op in region.ops]
    bits = [each for op in ops if questions.literal.answers(type(op)) for each in bits_of_nan(op)]
    differ = len(set(bits)) > 1
    return (
        f"{operation_name(reading)} reads bits, and constants are NaN with different ones" if differ else None
    )
