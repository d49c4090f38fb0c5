"""The operations of planned loops: scf.for with bounds of arith, around the statements of the program."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from xdsl.dialects.builtin import IndexType
from xdsl.ir import Block, Operation, Region, SSAValue

from volcli.language import questions
from volcli.language.expressions import Atom, Expression, constant, substitute, value_of
from volcli.language.programs.known_loops import counted_loop
from volcli.model.values.store.store import BoundsStore
from volcli.rewriting.changes.changes import Changes
from volcli.rewriting.code.index_code import IndexCode, Known
from volcli.rewriting.code.loop_code import FOR, PARALLEL, loop_operation
from volcli.rewriting.ground.builder import Builder
from volcli.rewriting.nests.affine_operations import branch_condition, index_uses, regions_in
from volcli.rewriting.nests.loop_trees import TiledStatement, TreeLoop
from volcli.rewriting.nests.scanned_trees import JoinedBounds, Planned
from volcli.symbolic.scanning import Quotient


@dataclass
class TreeCode:
    """Makes the loops of a plan with the numbers of INDEX; NAMES are those of the variables.

    The loops over PARALLEL variables are scf.parallel; these are `unordered`. `cells` are the values, where
    code is made, of what the loops of the program carry (`carried_values`): those of the outermost one at
    first, and its results in the end.
    """

    changes: Changes
    index: IndexCode
    names: Mapping[Atom, str | None]
    parallel: frozenset[Atom] = frozenset()
    unordered: list[Operation] = field(default_factory=list[Operation])
    cells: list[SSAValue] = field(default_factory=list[SSAValue])

    def put(self, builder: Builder, plan: Planned, known: Known) -> None:
        """PLAN at the place of BUILDER, where parameters are what is KNOWN."""
        if not plan.conditions:
            self._unconditional(builder, plan, known)
            return
        holds = self.index.holds(builder, plan.conditions, known)
        made, before = made_in(plan), list(self.cells)
        block = Block()
        inside = builder.inside(block)
        with self.index.block():
            self._unconditional(inside, plan, known)
        inside.operation("scf.yield", [self.cells[k] for k in made])
        regions = [Region([block]), Region()]
        if made:
            regions[1] = Region([Block()])
            builder.inside(regions[1].block).operation("scf.yield", [before[k] for k in made])
        types = [before[k].type for k in made]
        self._fill(made, builder.operation("scf.if", [holds], results=types, regions=regions).results)

    def _fill(self, positions: Sequence[int], values: Sequence[SSAValue]) -> None:
        """VALUES are in the cells at POSITIONS from here on."""
        for position, value in zip(positions, values, strict=True):
            self.cells[position] = value

    def _unconditional(self, builder: Builder, plan: Planned, known: Known) -> None:
        if plan.run is not None:
            for op in plan.run.operations:
                builder.take(op)
            self._make_plain(plan.run.operations)
            if isinstance(plan.run, TiledStatement) and plan.run.makes:
                yielded = plan.run.around[-1].yields
                self._fill(plan.run.makes, [yielded[k] for k in plan.run.makes])
        elif plan.bounds is not None:
            self._loop(builder, plan, plan.bounds, known)

    def _loop(self, builder: Builder, plan: Planned, bounds: JoinedBounds, known: Known) -> None:
        if bounds.value is not None:
            here = substitute(bounds.value, known.get)
            self._body(builder, plan, {**known, bounds.variable: here})
            return
        made = made_in(plan)
        before = [self.cells[k] for k in made]
        block = self._block(bounds.variable, before)
        with self.index.block():
            self._fill(made, block.args[1:])
            self._body(builder.inside(block), plan, {**known, bounds.variable: value_of(block.args[0])})
        loop = self._make_loop(builder, bounds, block, known, before, [self.cells[k] for k in made])
        self._fill(made, loop.results)

    def _block(self, variable: Atom, carried: Sequence[SSAValue]) -> Block:
        """The block of the loop over VARIABLE, with arguments for what is CARRIED."""
        block = Block(arg_types=[IndexType(), *(each.type for each in carried)])
        block.args[0].name_hint = self.names.get(variable)
        return block

    def _make_loop(
        self,
        builder: Builder,
        bounds: JoinedBounds,
        block: Block,
        known: Known,
        first: Sequence[SSAValue],
        yielded: Sequence[SSAValue],
    ) -> Operation:
        """The loop of BOUNDS around BLOCK, which has no end yet. It carries what is FIRST, then YIELDED."""
        lower = self.index.lower(builder, bounds.lower, known)
        end = self.index.end(builder, bounds.upper, known)
        operands = [lower, end, self.index.number(builder, bounds.step, known), *first]
        kind = PARALLEL if bounds.variable in self.parallel else FOR
        made = loop_operation(builder, builder.inside(block), kind, operands, Region([block]), yielded)
        if kind == PARALLEL:
            self.unordered.append(made)
        return made

    def _body(self, builder: Builder, plan: Planned, known: dict[Atom, Expression]) -> None:
        """What is in the loop of PLAN, and its induction variable for that of the program's loop."""
        if plan.loop is not None:
            variable = plan.loop.induction_variable
            value = self._number(builder, plan.loop.value, known)
            if variable.type != value.type:  # a loop over i32: its numbers fit, since its bounds do
                value = builder.make("arith.index_cast", [value], result=variable.type)
            variable.replace_all_uses_with(value)
            for each, cell in zip(plan.loop.carried, self.cells, strict=False):
                each.argument.replace_all_uses_with(cell)
            for element, yielded in plan.loop.elements:
                element.replace_all_uses_with(yielded)
        for each in plan.body:
            self.put(builder, each, known)

    def _number(self, builder: Builder, form: Expression, known: Known) -> SSAValue:
        return self.index.number(builder, form, known)

    def _make_plain(self, operations: tuple[Operation, ...]) -> None:
        """What takes the variables of affine loops only, by a map, takes index values."""
        for op in list(index_uses(operations)):
            value = questions.value_of_result(op.results[0])
            assert value is not None
            self.changes.replace(op, [self._index(op, value)])
        for op in [inner for each in operations for inner in each.walk()]:
            new = self._plain(op)
            if new is not None:
                self.changes.replace(op, new.results)
        for op in list(regions_in(operations)):
            if branch_condition(op) is None:
                self._make_plain_loop(op)
            else:
                self._make_plain_branch(op)

    def _make_plain_branch(self, op: Operation) -> None:
        """An scf.if with the regions of OP, an affine.if."""
        condition = branch_condition(op)
        assert condition is not None
        builder = self.changes.before(op)
        with self.index.block():
            holds = self.index.holds(builder, condition, {})
        self._make_plain_region(op, builder, "scf.if", [holds])

    def _make_plain_loop(self, op: Operation) -> None:
        """An scf.for with the region of OP, an affine.for."""
        form = counted_loop(op)
        assert form is not None
        builder, (induction,) = self.changes.before(op), form.inductions
        with self.index.block():
            operands = [
                self.index.lower(builder, [[Quotient(each, constant(1)) for each in induction.lower]], {}),
                self.index.end(builder, [[Quotient(each - 1, constant(1)) for each in induction.upper]], {}),
                self.index.number(builder, induction.step, {}),
            ]
        self._make_plain_region(op, builder, "scf.for", [*operands, *(e.initial for e in form.carried)])

    def _make_plain_region(
        self, op: Operation, builder: Builder, name: str, operands: Sequence[SSAValue]
    ) -> None:
        """An operation NAME of OPERANDS with the results and regions of OP, in its place."""
        regions = [op.detach_region(op.regions[0]) for _ in tuple(op.regions)]
        for block in (block for region in regions for block in region.blocks):
            last = block.last_op
            assert last is not None
            self.changes.before(last).operation("scf.yield", last.operands)
            self.changes.erase(last)
        types = [each.type for each in op.results]
        made = builder.operation(name, operands, results=types, regions=regions)
        self.changes.replace(op, made.results)

    def _plain(self, op: Operation) -> Operation | None:
        """The access that takes the place of OP; None if it stays."""
        make = questions.plain_access(op)
        if make is None:
            return None
        accesses = questions.accesses(op)
        assert accesses is not None
        indices = [self._index(op, e) for e in accesses[0].index if isinstance(e, Expression)]
        return self.changes.before(op).known(make(indices))

    def _index(self, op: Operation, form: Expression) -> SSAValue:
        with self.index.block():  # what is made here is not in front of other operations of the block
            return self.index.number(self.changes.before(op), form, {})


def made_in(plan: Planned) -> list[int]:
    """The positions of the cells that statements in PLAN make."""
    own = plan.run.makes if isinstance(plan.run, TiledStatement) else ()
    return sorted({*own, *(k for each in plan.body for k in made_in(each))})


def steps_of(tree: TreeLoop, builder: Builder, index: IndexCode, bounds: BoundsStore) -> Known:
    """The steps of TREE that are values, and what they are: at least 1."""
    found: dict[Atom, Expression] = {}
    for step in tree.steps:
        number = index.number(builder, step.number, {})
        low = bounds.constant_bounds(number).lower if step.number.single_atom is not None else None
        if low is None or low < 1:
            number = builder.make(
                "arith.maxsi", [number, index.constant(1)], called=builder.name(number, "step")
            )
        found[step.parameter] = value_of(number)
    return found


def names_of_loops(changes: Changes, tree: TreeLoop) -> dict[Atom, str | None]:
    """What the loops of TREE are called in the program."""
    name_of = changes.unit.parsed.names.of
    names = ((loop.variable, name_of(loop.induction_variable).removeprefix("%")) for loop in tree.loops)
    return {variable: None if name.isdecimal() else name for variable, name in names}
