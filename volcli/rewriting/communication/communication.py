"""Functions that enumerate what is sent between processors, for any size of the blocks.

    func.func @f_receive_0(ARGUMENTS of @f, %processor: index, %list: memref<?x7xindex>) -> index

is for one write and one read of @f. It returns how many values the read gets on this processor from others,
and writes a row of the list for each, as long as there are rows: the other processor, the iteration of the
write, that of the read, and the element. They come in the order in which they are read. @f_send_0 is the same
for the processor that writes, in the order in which they are written. The names of the columns are in
`volcli.columns`.

The loops scan the system of `volcli.model.memory.flow.communication`, in the order (r, p_s, w, e) of figure
4-5 with p_r given, and (w, p_r, r, e) with p_s given; once for each of p_s < p_r and p_s > p_r.

Source: P. Suriana (2016), section 4.2, with E003-2.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from volcli.language.expressions import (
    Atom,
    Dim,
    Expression,
    FloorDiv,
    LoopIndex,
    Monomial,
    NotAffine,
    Parameter,
    Value,
    constant,
    expression_of_atom,
    substitute,
)
from volcli.model.memory.flow.communication import Message
from volcli.presburger.expressions.constraints import Conjunction
from volcli.rewriting.ground.widths import fits
from volcli.symbolic.context import Context
from volcli.symbolic.scanning import ScanNest, scan

HERE, OTHER, SIZE = Parameter("here"), Parameter("other"), Parameter("b")
"""The processor of which is asked, another one, and the size of a block."""


@dataclass(frozen=True, eq=False)
class CommunicationSet:
    """Loops over what one processor receives, or sends: `columns` are the variables of a row."""

    nests: tuple[ScanNest, ...]
    columns: tuple[Parameter, ...]
    names: tuple[str, ...]


def received(message: Message, names: Mapping[str, Sequence[str]]) -> CommunicationSet:
    """What the processor HERE reads of others; NAMES are those of the loops of both."""
    return _set(message, names, of_reader=True)


def sent(message: Message, names: Mapping[str, Sequence[str]]) -> CommunicationSet:
    """What the processor HERE writes for others."""
    return _set(message, names, of_reader=False)


def _set(message: Message, names: Mapping[str, Sequence[str]], *, of_reader: bool) -> CommunicationSet:
    """Raises NotAffine if a part is not a system of linear inequalities."""
    writes = tuple(Parameter(f"w{k}") for k in range(len(message.writer.levels)))
    reads = tuple(Parameter(f"r{k}") for k in range(len(message.reader.levels)))
    elements = tuple(Parameter(f"e{k}") for k in range(message.rank))
    own, others = (reads, writes) if of_reader else (writes, reads)
    at_read = _block(reads[message.to_level], HERE if of_reader else OTHER)
    at_write = _block(writes[message.from_level], OTHER if of_reader else HERE)
    here, other = expression_of_atom(HERE), expression_of_atom(OTHER)
    context = Context((expression_of_atom(SIZE) - 1,))
    nests: list[ScanNest] = []
    for part in message.parts:
        divisions: dict[Atom, Parameter] = {}
        inside = list(inequalities(part, (*writes, *reads, *elements), divisions))
        order = [*own, OTHER, *others, *elements, *divisions.values()]
        for apart in (here - other - 1, other - here - 1):
            system = [*inside, *at_read, *at_write, apart]
            nests += scan(order, system, context)
    if not all(fits(form) for nest in nests for form in nest.forms):
        raise NotAffine("a number of more than 64 bits")
    word = "sender" if of_reader else "receiver"
    coordinates = [f"d{k}" for k in range(message.rank)]
    called = (word, *names["writer"], *names["reader"], *coordinates)
    return CommunicationSet(tuple(nests), (OTHER, *writes, *reads, *elements), called)


def _block(variable: Parameter, processor: Parameter) -> tuple[Expression, Expression]:
    """b * p <= i < b * p + b."""
    size = expression_of_atom(SIZE)
    offset = expression_of_atom(variable) - size * expression_of_atom(processor)
    return offset, size - 1 - offset


def inequalities(
    part: Conjunction, variables: Sequence[Atom], divisions: dict[Atom, Parameter]
) -> Iterator[Expression]:
    """PART over VARIABLES for its dimensions, and over new ones, which are added, for its DIVISIONS."""

    def replaced(atom: Atom) -> Expression | None:
        if isinstance(atom, LoopIndex):
            return expression_of_atom(variables[atom.position])
        if isinstance(atom, FloorDiv):
            if atom not in divisions:
                divisions[atom] = Parameter(f"q{len(divisions)}")
            return expression_of_atom(divisions[atom])
        return None

    for form in part:
        yield substitute(form, replaced)
    done: set[Atom] = set()
    while pending := [atom for atom in divisions if atom not in done]:
        for atom in pending:
            assert isinstance(atom, FloorDiv)
            done.add(atom)
            rest = substitute(atom.numerator, replaced) - atom.divisor * expression_of_atom(divisions[atom])
            yield rest
            yield constant(atom.divisor - 1) - rest


def values_of(nests: Sequence[ScanNest]) -> Iterator[Value | Dim]:
    """The values of the program that NESTS depend on."""
    atoms = (atom for nest in nests for form in nest.forms for atom, _ in form.terms)
    for atom in atoms:
        factors = atom.factors if isinstance(atom, Monomial) else (atom,)
        yield from (factor for factor in factors if isinstance(factor, Value | Dim))
