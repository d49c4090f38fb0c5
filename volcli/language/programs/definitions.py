"""What follows from the definition of an operation on tensors: reads, numbers, sizes.

IMPACT 2023, section 4.2.1: each operand and result V has an index function I_V from the loops to its indices,
the iteration domain is the set of loop points whose indices lie inside *all* operands (erratum E000-2: not
only inside the results), and the result element `I_R(l)` is computed from the elements `I_V(l)`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from xdsl.dialects.builtin import ShapedType
from xdsl.ir import Operation, SSAValue

from volcli.language.declared import LikeAnother
from volcli.language.definitions import DefinedOutput, TensorDefinition
from volcli.language.expressions import (
    ANY,
    Atom,
    Expression,
    LoopIndex,
    constant,
    loop,
    loops,
    substitute,
)
from volcli.language.memory import is_memref
from volcli.language.programs.backward_slices import backward_slice
from volcli.language.programs.bodies import Body
from volcli.language.programs.loop_numbers import LoopNumbers
from volcli.language.questions import SizeFact, Sizes, definition
from volcli.language.reads import (
    Access,
    Alternative,
    Condition,
    Disjunction,
    ElementReads,
    Read,
    Use,
    is_number,
    rank_of,
)


def own_body(op: Operation) -> TensorDefinition | None:
    """The definition of OP, if its body is a block of scalars that OP has; its loops have sizes then.

    It computes the results of OP, or memory. Raises NotAffine where that is not known.
    """
    stated = definition(op) if op.regions or isinstance(op, LikeAnother) else None
    if stated is None or stated.block.parent_op() is not op:
        return None
    if op.results and any(output.begins and is_memref(output.begins) for output in stated.outputs):
        return None
    if any(isinstance(argument.type, ShapedType) for argument in stated.block.args):
        return None
    return stated if len(stated.sizes) == stated.loops else None


def defined_reads(of: TensorDefinition, name: str) -> list[ElementReads]:
    """`R_k[element_k(l)]` is computed from the elements that the k-th scalar uses, for the operation NAME.

    An element of a result that no loop point reaches keeps its initial value.
    """
    return [_Derived(of, name, k).reads() for k in range(len(of.outputs))]


def defined_numbers(of: TensorDefinition) -> list[Expression | None]:
    """What is yielded, where it is an integer that the loops determine, one loop point for each element."""
    states = frozenset(_accumulators(of).values())
    numbers = LoopNumbers(of.block, _arguments(of), states)
    found: list[Expression | None] = []
    for output in of.outputs:
        coordinates = _coordinates(output, of.loops)
        known = numbers.expression(output.yields) if is_number(output.yields) and coordinates else None
        found.append(None if known is None else substitute(known, coordinates.get))
    return found


def defined_sizes(of: TensorDefinition) -> list[Sizes]:
    """A result is as large as the loops run that its dimensions are indexed by; 1 where none moves."""
    extents = of.known_extents()

    def size(index: Expression) -> Expression | None:
        atom = index.single_atom
        if isinstance(atom, LoopIndex):
            return extents[atom.position]
        return constant(1) if index.is_constant else None

    return [list(map(size, output.element)) for output in of.outputs]


def defined_facts(of: TensorDefinition, names: Sequence[str] | None = None) -> list[SizeFact]:
    """Dimensions that are indexed by the same loop have the same size; NAMES are those of the loops."""
    first: dict[int, Expression] = {}
    return [
        SizeFact(first[k], size, f"loop {names[k] if names else f'd{k}'}")
        for k, size in of.extents_of_loops()
        if first.setdefault(k, size) != size
    ]


def _arguments(of: TensorDefinition) -> dict[SSAValue, Access | Expression | Condition]:
    """What the arguments of the body stand for at the first loop point of an element."""
    found = dict(of.arguments)
    for output in of.outputs:
        if output.state is None or output.state in found:
            continue
        initial = output.initial
        if isinstance(initial, Access):
            over: dict[Atom, Expression] = {LoopIndex(d): e for d, e in enumerate(output.element)}
            index = (substitute(e, over.get) if isinstance(e, Expression) else e for e in initial.index)
            found[output.state] = Access(initial.operand, tuple(index))
        else:
            found[output.state] = constant(int(initial or 0) if is_number(output.state) else 0)
    return found


def _accumulators(of: TensorDefinition) -> dict[int, SSAValue]:
    """The arguments that hold results so far: those of outputs of which loop points share an element.

    Each has its own map: in `r0[i], r1[] = f(...)` with one loop i only r1 goes on to other loop points.
    """
    return {
        k: output.state
        for k, output in enumerate(of.outputs)
        if output.state is not None and not of.is_injective(output.element)
    }


def _coordinates(output: DefinedOutput, count: int) -> Mapping[Atom, Expression]:
    """Each of COUNT loops as a coordinate of the element; nothing if they are not just these."""
    found = {e.single_atom: loop(d) for d, e in enumerate(output.element)}
    is_whole = set(found) == set(map(LoopIndex, range(count))) and len(output.element) == count
    return {atom: e for atom, e in found.items() if atom is not None} if is_whole else {}


@dataclass
class _Derived:
    """What result POSITION of the operation NAME, which is defined as OF, is computed from."""

    of: TensorDefinition
    name: str
    position: int

    def __post_init__(self) -> None:
        self.output = self.of.outputs[self.position]
        self.accumulators = _accumulators(self.of)
        self.own = self.accumulators.get(self.position)
        self.passed = [output.left or output.yields for output in self.of.outputs]
        self.initial = _arguments(self.of)
        self.body = Body(self.of.block, self.initial, frozenset(self.accumulators.values()))

    def reads(self) -> ElementReads:
        """The element that the last loop point leaves: from its own reads, and from what others carry."""
        body, others = self.body, self._carried()
        direct = body.reads(self.passed[self.position])
        carried = body.reads(*(self.passed[k] for k in (self.position, *others))) if others else direct
        adding = self._added_up(others)
        if adding is not None:
            reads, is_exact = (*direct, *adding), True
        else:
            reads, is_exact = self._with_state(others, direct, carried)
        inexact = None
        if not is_exact:
            inexact = f"a state goes from iteration to iteration through result {others[0]} of {self.name}"
        anew, keeps = (None, None) if self.own is None else self._overwriting(self.own)
        if others and keeps is not None:
            keeps, inexact = None, inexact or "an iteration overwrites what those before it wrote"
        indices = (e for read in carried for e in (*read.access.index, *read.where))
        selecting = tuple(e for e in indices if isinstance(e, Expression)) if others else ()
        computed = self._computed((*reads, *self._at_last(direct)), selecting)
        overwritten = () if anew is None or keeps is None else (replace(computed, reads=anew, keeps=keeps),)
        alternatives = (*overwritten, *(() if keeps == () else (computed,)), *self._kept())
        return ElementReads(alternatives, body.inexact or inexact, body.is_parametric, body.is_opaque)

    def _computed(self, reads: tuple[Read, ...], selecting: tuple[Expression, ...]) -> Alternative:
        of, output, body, start = self.of, self.output, self.body, self.output.initial
        return Alternative(
            of.loops, output.element, reads, of.bounds, output.yields, body.scalars, body.conditions,
            frozenset(self.accumulators.values()), self.own, None, (*body.deciding, *selecting), output.state,
            of.extents, None if isinstance(start, Access) else start, of.around, output.left,
        )  # fmt: skip

    def _kept(self) -> tuple[Alternative, ...]:
        """What an element is that no loop point reaches."""
        rank = len(self.output.element)
        initial = self.output.initial if self.output.otherwise is None else self.output.otherwise
        if initial is None:
            return ()
        if isinstance(initial, Access):
            return (Alternative(rank, loops(rank), (Read(initial),)),)
        return (Alternative(rank, loops(rank), (), start=initial),)

    def _at_last(self, before: Sequence[Read]) -> tuple[Read, ...]:
        """What the last point reads beside what each does: it is stated for one point of each element."""
        if self.output.left is None:
            return ()
        known = {read.access for read in before}
        added = [read for read in self.body.reads(self.output.yields) if read.access not in known]
        own = {atom for index in self.output.element for atom in index.atoms()}
        summed = [loop(k) for k in range(self.of.loops) if LoopIndex(k) not in own]
        first = tuple(-each for each in summed) if self._is_box() else ()
        return tuple(replace(read, where=(*read.where, *first)) for read in added)

    def _is_box(self) -> bool:
        """Whether the loop points are a box: each bound is one of a loop, or of none."""
        indices = [index for access in self.of.bounds for index in access.index]
        return all(
            isinstance(e, Expression) and (e.is_constant or isinstance(e.single_atom, LoopIndex))
            for e in (*indices, *(index for index, _ in self.of.extents))
        )

    def _overwriting(self, accumulator: SSAValue) -> tuple[tuple[Read, ...], Disjunction | None]:
        """What is passed on but for ACCUMULATOR, and the points that use that; None if all of them do."""
        arguments = {**self.initial, accumulator: Access(accumulator, ())}
        marked = Body(self.of.block, arguments, self.body.states)
        reads = marked.reads(self.passed[self.position])
        where = tuple(read.where for read in reads if read.access.operand is accumulator)
        return tuple(r for r in reads if r.access.operand is not accumulator), None if () in where else where

    def _carried(self) -> list[int]:
        """The results whose state at earlier loop points this result depends on.

        Itself is one of them only if the state of another one holds it.
        """

        def used(k: int) -> list[int]:
            below = backward_slice(self.passed[k], self.of.block)
            return [j for j, value in self.accumulators.items() if value in below]

        found = [k for k in used(self.position) if k != self.position]
        for k in found:
            found += [j for j in used(k) if j not in found]
        return found

    def _added_up(self, others: Sequence[int]) -> tuple[Read, ...] | None:
        """What reaches this result through the state of one other, of which it adds up all; or None.

        Each point adds what the point before it left: what is read at all points but the last one. That is
        stated for a box of loop points: the last one is the last of each loop that the results share.
        """
        of, accumulators, position = self.of, self.accumulators, self.position
        is_one = len(others) == 1 and position in accumulators
        if not is_one or of.outputs[others[0]].element != self.output.element:
            return None
        states = {accumulators[k]: Access(accumulators[k], ()) for k in (position, others[0])}
        marked = Body(of.block, {**self.initial, **states}, self.body.states).reads(self.passed[position])
        always = {read.access.operand for read in marked if not read.where}
        behind = set(backward_slice(self.passed[others[0]], of.block))
        if not always.issuperset(states) or behind & ({*accumulators.values()} - {accumulators[others[0]]}):
            return None
        own = {index.single_atom for index in self.output.element}
        sizes = {k: size for k, size in enumerate(of.known_extents()) if LoopIndex(k) not in own}
        if not self._is_box() or None in sizes.values():
            return None
        return tuple(
            replace(read, where=(*read.where, size - 2 - loop(k)), uses=tuple(map(_signed, read.uses)))
            for read in self.body.reads(self.passed[others[0]])
            for k, size in sizes.items()
            if size is not None
        )

    def _with_state(
        self, others: Sequence[int], direct: tuple[Read, ...], carried: tuple[Read, ...]
    ) -> tuple[tuple[Read, ...], bool]:
        """What the result is computed from, by its own loop point and by states, and whether that is exact.

        DIRECT are its own loop point's reads, CARRIED those of all states that it depends on. With one map
        for all of them a state stays within an element; what it was computed from reaches the result of the
        last loop point if that reads as much itself (an argmax beside its maximum). Otherwise a state of any
        loop point may reach any element: all that is read.
        """
        chain = [self.of.outputs[k] for k in (self.position, *others)]
        states = [self.initial[output.state] for output in chain if output.state is not None]
        if any(use.sees_sign for read in carried if read.access in states for use in read.uses):
            carried = tuple(replace(read, uses=tuple(map(_signed, read.uses))) for read in carried)
        if all(output.element == self.output.element for output in chain):
            own = {(read.access, read.where) for read in direct}
            return carried, all((read.access, read.where) in own for read in carried)
        whole = dict.fromkeys(Access(r.access.operand, (ANY,) * rank_of(r.access.operand)) for r in carried)
        return tuple(Read(access, uses=(Use(sees_sign=True),)) for access in whole), False


def _signed(use: Use) -> Use:
    """USE by what can tell +0 from -0."""
    return Use(tuple(replace(product, signed=True) for product in use.products), sees_sign=True)
