"""Facts of the user: what is known of elements that no operation says (IMPACT 2023, section 5.2).

    %a: tensor<8x8xf32> {volcli.facts = {zero = affine_set<(i, j) : (j - i - 1 >= 0)>}}
    --given '%a[i, j] = 0 : i < j'        --given '%w[k] = k - 1'        --given '%b[i] is constant : i < 2'

A fact is a predicate on the elements of one volume. In it, d0, d1, ... are the indices, and s0, s1, ..., if
there are any, the sizes:

* `zero`: the number 0, of either sign;
* `constant`: the same unknown number in each run;
* `undefined`: no number that anything may rest on, as the elements of `tensor.empty`;
* `equal`: the number that an affine function of the indices is;
* `sparse`: computed from data and from constants around it, as the edges of what was padded.

What is zero, constant, undefined or equal to a function of the indices depends on no data. All of them are
assumptions, which callers keep; each answer that needs one names it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

import islpy as isl
from xdsl.dialects.builtin import (
    AffineMapAttr,
    AffineSetAttr,
    ArrayAttr,
    DictionaryAttr,
    IntegerType,
    TensorType,
    UnitAttr,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.ir.affine import AffineConstraintExpr, AffineConstraintKind
from xdsl.utils.hints import isa

from volcli.diagnostics.counted import counted
from volcli.language.affine_maps import evaluate
from volcli.language.expressions import (
    Atom,
    Dim,
    Expression,
    NotAffine,
    dim_of,
    loops,
    parameter,
    substitute,
)
from volcli.language.reads import Conjunction, Disjunction, rank_of
from volcli.model.values.sizes.sizes import Sizes
from volcli.model.values.terms.assumptions import attributes_of_arguments
from volcli.model.values.terms.variables import width_of
from volcli.presburger.sets import build

ATTRIBUTE = "volcli.facts"
EVERYWHERE: Disjunction = ((),)
NameOf = Callable[[SSAValue], str]


class FactKind(Enum):
    """What is known of elements."""

    ZERO = "zero"
    CONSTANT = "constant"
    UNDEFINED = "undefined"
    SPARSE = "sparse"
    EQUAL = "equal"


@dataclass(frozen=True, eq=False)
class GivenFact:
    """The elements of VALUE `where` a condition on the indices holds are of KIND, as TEXT says in words.

    `number` is what EQUAL ones are equal to, over the indices.
    """

    value: SSAValue
    kind: FactKind
    where: Disjunction
    text: str
    number: Expression | None = None
    is_about_some: bool = True
    """Whether it says that there are such elements."""

    def elements(self, store: Sizes) -> isl.Set:
        """The elements that it is about."""
        rank = rank_of(self.value)
        domain = store.domain(self.value)
        found = isl.Set.empty(domain.get_space())
        for conjunction in self.where:
            resolved = tuple(map(store.resolve, conjunction))
            found = found.union(domain.intersect(build.nonnegative(rank, resolved)))
        return found.coalesce()

    def signs(self, store: Sizes) -> tuple[isl.Set, isl.Set, isl.Set]:
        """The indices at which `number` is positive, 0 and negative."""
        assert self.number is not None, "a fact that says which number"
        rank, number = rank_of(self.value), store.resolve(self.number)
        zero = build.nonnegative(rank, (number, -number))
        return build.nonnegative(rank, (number - 1,)), zero, build.nonnegative(rank, (-number - 1,))

    def unrepresentable(self, store: Sizes) -> isl.Set:
        """The indices at which `number` is none of the integers of the element type, signed or unsigned."""
        kind, rank = self.value.type, rank_of(self.value)
        element: Attribute = kind.element_type if isa(kind, TensorType) else kind
        if self.number is None or not isinstance(element, IntegerType):
            return isl.Set.empty(build.space((), rank))
        number, bits = store.resolve(self.number), width_of(element)
        above = build.nonnegative(rank, (number - 2**bits,))
        return above.union(build.nonnegative(rank, (-number - 2 ** (bits - 1) - 1,)))


def stated_facts(function: Operation, name_of: NameOf) -> Iterator[GivenFact]:
    """The facts that attributes of FUNCTION's arguments state; an attribute with a problem states none."""
    for value, attribute in attributes_of_arguments(function, ATTRIBUTE):
        if problem(value, attribute) is None:
            assert isinstance(attribute, DictionaryAttr)
            for name, said in attribute.data.items():
                kind = FactKind(name)
                for number, where, words in _parts(value, kind, said, name_of):
                    text = f"given: {_head(value, name_of)} {_predicate(kind, number, value, name_of)}{words}"
                    yield GivenFact(value, kind, where, text, number)


def problems_of(function: Operation, name_of: NameOf) -> Iterator[str]:
    """What is wrong with the facts that FUNCTION's arguments state."""
    return attribute_problems(function, name_of, ATTRIBUTE, problem)


def attribute_problems(
    function: Operation, name_of: NameOf, name: str, problem: Callable[[SSAValue, Attribute], str | None]
) -> Iterator[str]:
    """Each PROBLEM of the attributes called NAME of FUNCTION's arguments."""
    for value, attribute in attributes_of_arguments(function, name):
        if (message := problem(value, attribute)) is not None:
            yield f"'{name}' of {name_of(value)} {message}"


def problem(value: SSAValue, attribute: Attribute) -> str | None:
    """Why ATTRIBUTE states no facts of VALUE."""
    if not isinstance(value.type, TensorType):
        return "is for a ranked tensor, which this is not"
    if not isinstance(attribute, DictionaryAttr):
        return "is not a dictionary such as {zero = affine_set<(d0, d1) : (d0 - d1 >= 0)>}"
    for name, said in attribute.data.items():
        if name not in {kind.value for kind in FactKind}:
            return f"says '{name}', which is none of {', '.join(kind.value for kind in FactKind)}"
        try:
            list(_parts(value, FactKind(name), said, lambda _: ""))
        except _NoFact as error:
            return f"has '{name}', which {error}"
        except NotAffine as error:
            return f"has '{name}', which holds {error}"
    return None


class _NoFact(Exception):
    """An attribute that is not a set, or no function, of the indices."""


_Part = tuple[Expression | None, Disjunction, str]
"""The number, where, and the latter in words."""


def _parts(value: SSAValue, kind: FactKind, said: Attribute, name_of: NameOf) -> Iterator[_Part]:
    """What SAID states; raises _NoFact or NotAffine. A list of sets is their union."""
    number: Expression | None = None
    sets: Sequence[Attribute] = said.data if isa(said, ArrayAttr[Attribute]) else (said,)
    if kind is FactKind.EQUAL:
        function, *sets = sets
        if not isinstance(function, AffineMapAttr) or len(function.data.results) != 1:
            raise _NoFact("is neither an affine_map with one result, nor a list of one and sets")
        _check(value, function.data.num_dims, function.data.num_symbols)
        number = evaluate(function.data.results[0], *_indices_and_sizes(value))
        sets = sets or (UnitAttr(),)
    for each in sets:
        if isinstance(each, UnitAttr):
            yield number, EVERYWHERE, ""
            continue
        if not isinstance(each, AffineSetAttr):
            raise _NoFact("is neither an affine_set, nor a list of affine_sets")
        _check(value, each.data.num_dims, each.data.num_symbols)
        forms = [(form_of(value, constraint), constraint.kind) for constraint in each.data.constraints]
        where = tuple(c for form, relation in forms for c in conditions_of(form, relation))
        words = " and ".join(text_of(form, relation, value, name_of) for form, relation in forms)
        yield number, (where,), f" : {words}"


def _check(value: SSAValue, dims: int, symbols: int) -> None:
    rank = rank_of(value)
    if dims != rank or symbols not in (0, rank):
        raise _NoFact(
            f"has {counted(dims, 'dimension')} and {counted(symbols, 'symbol')}, not {rank} and 0 or {rank}"
        )


def _indices_and_sizes(value: SSAValue) -> tuple[Sequence[Expression], Sequence[Expression]]:
    rank = rank_of(value)
    return loops(rank), [dim_of(value, d) for d in range(rank)]


def form_of(value: SSAValue, constraint: AffineConstraintExpr) -> Expression:
    """What CONSTRAINT on the indices of VALUE says to be 0, or not to be negative; raises NotAffine."""
    over = _indices_and_sizes(value)
    form = evaluate(constraint.lhs, *over) - evaluate(constraint.rhs, *over)
    return -form if constraint.kind is AffineConstraintKind.le else form


def conditions_of(form: Expression, kind: AffineConstraintKind) -> Conjunction:
    """FORM is 0, or not negative, as expressions that are not negative."""
    return (form, -form) if kind is AffineConstraintKind.eq else (form,)


def text_of(form: Expression, kind: AffineConstraintKind, value: SSAValue, name_of: NameOf) -> str:
    """`d0 - d1 >= 0`; the sizes as `dim(%a, 0)`."""
    return f"{_written(form, value, name_of)} {'=' if kind is AffineConstraintKind.eq else '>='} 0"


def _written(form: Expression, value: SSAValue, name_of: NameOf) -> Expression:
    def written(atom: Atom) -> Expression | None:
        is_size = isinstance(atom, Dim)
        return parameter(f"dim({name_of(value)}, {atom.dimension})") if is_size else None

    return substitute(form, written)


def _head(value: SSAValue, name_of: NameOf) -> str:
    rank = rank_of(value)
    indices = f"[{', '.join(f'd{d}' for d in range(rank))}]" if rank else ""
    return name_of(value) + indices


def _predicate(kind: FactKind, number: Expression | None, value: SSAValue, name_of: NameOf) -> str:
    if kind is FactKind.ZERO:
        return "= 0"
    return f"is {kind.value}" if number is None else f"= {_written(number, value, name_of)}"
