"""What a function needs of its arguments is stated as `volcli.assume`, which it then demands of its callers.

The weakest precondition P of a function (V204, V215) is stated if it is one conjunction whose parts each are
about one argument, or about numbers alone:

    dim(%m, 0) >= 10        %m: memref<?xf32> {volcli.assume = affine_set<(d0) : (d0 - 10 >= 0)>}
    0 <= %i < %n            attributes {volcli.assume = affine_set<(d0, d1) : (d0 >= 0, d1 - d0 - 1 >= 0)>}

A condition on one argument stands beside that, and is added to what is stated there already.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from xdsl.ir import Operation
from xdsl.utils.mlir_lexer import MLIRTokenKind

from volcli.gate.findings.fix import Fix
from volcli.gate.fixes.changes import TextChanges
from volcli.gate.fixes.written import Extent, WrittenText
from volcli.language.atoms import LoopIndex
from volcli.language.expressions import Atom, Expression, NotAffine, parameter, substitute
from volcli.language.reads import is_number, rank_of
from volcli.model.memory.checks.calls.preconditions import Argument, Precondition
from volcli.model.values.terms.assumptions import ATTRIBUTE, arguments
from volcli.presburger.expressions.read_back import disjunction

_Constraints = list[tuple[Expression, str]]
"""Expressions over indices d0, d1, ..., one for each argument of a precondition, and `>= 0` or `== 0`."""


class _Place(NamedTuple):
    """The token `{` of the dictionary of an argument or a function, and after which token one may be put."""

    dictionary: int | None
    after: int
    keyword: str = ""


class _Stated(NamedTuple):
    """CONSTRAINTS on the arguments NEEDED in an affine set whose dimensions stand for DIMS."""

    constraints: _Constraints
    needed: Sequence[Argument]
    dims: Sequence[Argument]

    def text(self, names: Sequence[str]) -> str:
        """`d0 - 10 >= 0, d1 - d0 == 0`, with NAMES of the dimensions."""

        def named(atom: Atom) -> Expression | None:
            is_index = isinstance(atom, LoopIndex)
            return parameter(names[self.dims.index(self.needed[atom.position])]) if is_index else None

        return ", ".join(f"{substitute(form, named)} {sign}" for form, sign in self.constraints)


def stating(function: Operation, needed: Precondition | None, written: WrittenText) -> Fix | None:
    """The text WRITTEN in which FUNCTION states what is NEEDED; None if it cannot be stated."""
    extent = written.extent(function)
    if needed is None or extent is None or function.name != "func.func":
        return None
    changes = TextChanges(written)
    found = _by_argument(_constraints(needed), needed.arguments)
    for position, constraints in found.items():
        place = _place(position, extent, written)
        own = _Stated(constraints, needed.arguments, _dims(function, position))
        if place is None or not _put(own, place, written, changes):
            return None
    return changes.fix("state it as volcli.assume") if found else None


def _constraints(needed: Precondition) -> _Constraints:
    """What is NEEDED; nothing if that is no conjunction, or not the weakest condition."""
    if needed.never or not (needed.is_necessary and needed.is_sufficient):
        return []
    try:
        parts = disjunction(needed.necessary.coalesce(), parameter)
    except NotAffine:
        return []
    part = parts[0] if len(parts) == 1 else ()
    found: _Constraints = []
    for form in part:  # an equality is two of them, one after the other
        if found and found[-1][0] == -form:
            found[-1] = -form, "== 0"
        else:
            found.append((form, ">= 0"))
    return found


def _by_argument(constraints: _Constraints, needed: Sequence[Argument]) -> Mapping[int | None, _Constraints]:
    """CONSTRAINTS by the position of the argument that they are about; None: about several numbers.

    Nothing if one is about several arguments and not all of them are numbers.
    """
    found: defaultdict[int | None, _Constraints] = defaultdict(list)
    for form, sign in constraints:
        if not all(isinstance(atom, LoopIndex) for atom, _ in form.terms):
            return {}  # a remainder, say
        used = {needed[atom.position] for atom, _ in form.terms if isinstance(atom, LoopIndex)}
        positions = {each.position for each in used}
        if len(positions) > 1 and any(each.dimension is not None for each in used):
            return {}
        found[positions.pop() if len(positions) == 1 else None].append((form, sign))
    return found


def _dims(function: Operation, position: int | None) -> list[Argument]:
    """What the dimensions of a set at the argument of FUNCTION at POSITION, or at FUNCTION, stand for."""
    args = arguments(function)
    if position is None:
        return [Argument(each.index) for each in args if is_number(each)]
    if is_number(args[position]):
        return [Argument(position)]
    return [Argument(position, dimension) for dimension in range(rank_of(args[position]))]


# -- text --------------------------------------------------------------------------------------------------


def _place(position: int | None, extent: Extent, written: WrittenText) -> _Place | None:
    """Where the attributes of the function in EXTENT, or of its argument at POSITION, are or may be."""
    tokens = written.tokens
    if position is None:
        *dictionaries, body = written.bodies(extent)
        own = [each for each, _ in dictionaries if tokens[each - 1].text == "attributes"]
        return _Place(own[0] if own else None, body[0] - 1, "attributes ")
    opening = next(at for at in range(extent.name, extent.last) if tokens[at].text == "(")
    names = [
        at
        for at in range(opening, written.closing(opening))
        if tokens[at].kind is MLIRTokenKind.PERCENT_IDENT and tokens[at - 1].text in ("(", ",")
    ]
    if len(names) <= position:
        return None
    first = names[position]
    last = (names[position + 1] if position + 1 < len(names) else written.closing(opening) + 1) - 2
    inside = range(first, last + 1)
    found = next((at for at in inside if tokens[at].text == "{"), None)
    location = next((at for at in inside if tokens[at].text == "loc"), last + 1)
    return _Place(found, location - 1)


def _put(own: _Stated, place: _Place, written: WrittenText, changes: TextChanges) -> bool:
    """Add to CHANGES that OWN constraints stand at PLACE; False if nothing can be added to what is there."""
    tokens = written.tokens
    if place.dictionary is None:
        start, before, after = tokens[place.after].end, f" {place.keyword}{{", "}"
    else:
        closing = written.closing(place.dictionary)
        known = [at for at in range(place.dictionary, closing) if tokens[at].text.strip('"') == ATTRIBUTE]
        if known:
            return _add(own, known[0], written, changes)
        is_empty = closing == place.dictionary + 1
        start, before, after = tokens[place.dictionary].end, "", "" if is_empty else ", "
    names = [f"d{each}" for each in range(len(own.dims))]
    stated = f"{ATTRIBUTE} = affine_set<({', '.join(names)}) : ({own.text(names)})>"
    changes.replace(start, start, before + stated + after)
    return True


def _add(own: _Stated, attribute: int, written: WrittenText, changes: TextChanges) -> bool:
    """Add to CHANGES that OWN constraints are in the set of ATTRIBUTE, `name = affine_set<(d0) : (...)>`."""
    tokens = written.tokens
    if [each.text for each in tokens[attribute + 1 : attribute + 5]] != ["=", "affine_set", "<", "("]:
        return False
    end = written.closing(attribute + 4)
    names = [each.text for each in tokens[attribute + 5 : end] if each.text != ","]
    if [each.text for each in tokens[end + 1 : end + 3]] != [":", "("] or len(names) != len(own.dims):
        return False
    start = tokens[written.closing(end + 2)].start
    changes.replace(start, start, f", {own.text(names)}")
    return True
