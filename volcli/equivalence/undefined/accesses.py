"""For which arguments a function goes out of bounds, over the parameters that two programs have in common.

`a0` is the first argument, `a1_0` the first size of the second one, as in `equivalence.places.numbers`. All
arguments for which some access leaves its buffer are in `may`, and those in `surely` make one leave it:

    func @f(%n, %x) { affine.for %i = 0 to %n { affine.load %x[%i] } }          { a0 > a1_0 and a0 > 0 }

What data decides, or what is not known, is not among them: these accesses are `unknown`.
"""

from __future__ import annotations

from dataclasses import dataclass

import islpy as isl
from xdsl.ir import Operation

from volcli.model.function import FunctionModel
from volcli.model.memory.checks.accesses.accesses import AccessChecks
from volcli.model.memory.checks.answers.access_answers import AccessAnswer, AccessVerdict
from volcli.model.memory.checks.calls.preconditions import Argument, Precondition, precondition
from volcli.presburger.sets.build import DIM


@dataclass(frozen=True, eq=False)
class OutOfBounds:
    """The parameters for which a function goes out of bounds; an `example` of an access that may.

    These are the parameters of the operations `known`.
    """

    may: isl.Set
    surely: isl.Set
    unknown: tuple[Operation, ...]
    example: AccessAnswer | None
    known: tuple[Operation, ...] = ()


def out_of_bounds(model: FunctionModel, operations: int) -> OutOfBounds:
    """For which parameters an access, or a slice, of the function of MODEL is out of bounds."""
    none = isl.Set("{ : false }")
    found = AccessChecks(model.memory, operations=operations).all()
    outside = [each for each in found if each.verdict is AccessVerdict.OUT_OF_BOUNDS]
    known = [each for each in outside if each.calls is not None]
    calls = [each.calls for each in known if each.calls is not None]
    needed = precondition(model.memory, calls, operations) if calls else None
    unknown = [each.site.op for each in found if each.verdict is AccessVerdict.UNKNOWN]
    unknown += [each.site.op for each in outside if each.calls is None]
    if needed is None:
        unknown += [each.site.op for each in known]
        return OutOfBounds(none, none, tuple(dict.fromkeys(unknown)), next(iter(outside), None))
    unknown += [each.site.op for each in known if not each.exact]
    may, necessary, callable_ = (
        _named(needed, each) for each in (needed.sufficient, needed.necessary, needed.callable)
    )
    example = next((each for each in known if each.always), next(iter(known), None))
    return OutOfBounds(
        may.complement(),
        callable_.subtract(necessary),
        tuple(dict.fromkeys(unknown)),
        example,
        tuple(dict.fromkeys(each.site.op for each in known)),
    )


def name_of(argument: Argument) -> str:
    """`a0` for the first argument, `a0_1` for its size along dimension 1."""
    dimension = "" if argument.dimension is None else f"_{argument.dimension}"
    return f"a{argument.position}{dimension}"


def _named(needed: Precondition, points: isl.Set) -> isl.Set:
    """POINTS over the arguments that are NEEDED as parameters."""
    count = len(needed.arguments)
    parameters = points.move_dims(DIM.param, 0, DIM.set, 0, count)
    for position, argument in enumerate(needed.arguments):
        parameters = parameters.set_dim_name(DIM.param, position, name_of(argument))
    return parameters.params()
