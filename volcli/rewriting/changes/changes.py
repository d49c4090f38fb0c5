"""The changes that one pass makes to a program: made through builders, claimed, and checked at the end.

    changes = Changes(unit, "reify-bounds")
    value = Materializer(changes.before(op), order).value(expression)
    changes.claim(dim_of(t, 0), "==", value_of(value), at=op)
    changes.replace(op, [value])
    changes.finish()

Nothing else puts operations into a program or takes them out. `finish` looks at the result once more (see
`checking`): what fails there is an internal error, V900, and nothing is written. Where a function computes
other things than before (see `elements`), that is one, too, and the program stays what it was.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Attribute, BlockArgument, Operation, OpResult, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from volcli.diagnostics import internal
from volcli.language import questions
from volcli.language.expressions import Expression
from volcli.passes.base import Unit
from volcli.rewriting.changes.elements import unlike
from volcli.rewriting.ground.builder import Builder
from volcli.rewriting.ground.checking import Claim, Failure, misread, proved_functions, refuted
from volcli.rewriting.ground.dead import is_dead
from volcli.rewriting.ground.sharing import share


class BrokenRewrite(Exception):
    """What is wrong with a rewritten program."""


class Changes:
    """What the pass NAME changes in UNIT."""

    def __init__(self, unit: Unit, name: str) -> None:
        self.unit = unit
        self.claims: list[Claim] = []
        self.parallel: list[Operation] = []
        self.proved_otherwise: str | None = None
        self.is_claimed = False
        """Whether nothing is changed but values by others, each of which is claimed to be equal to it."""
        self._name = name
        self._made: dict[Operation, None] = {}
        self._candidates: dict[Operation, None] = {}
        self._changed = False

    # -- building --------------------------------------------------------------------------------------

    def before(self, op: Operation, origin: Operation | None = None) -> Builder:
        """A builder of what stands before OP, with the source place of ORIGIN (OP, if none is given)."""
        return self._builder(op if origin is None else origin, InsertPoint.before(op))

    def after(self, op: Operation) -> Builder:
        """A builder of what stands after OP."""
        return self._builder(op, InsertPoint.after(op))

    def behind(self, value: SSAValue) -> Builder:
        """A builder of what stands right after where VALUE is made."""
        if isinstance(value, OpResult):
            return self._builder(value.op, InsertPoint.after(value.op))
        assert isinstance(value, BlockArgument)
        return self._builder(None, InsertPoint.at_start(value.block))

    def _builder(self, origin: Operation | None, point: InsertPoint) -> Builder:
        return Builder(origin, self.unit.parsed.context, point, self.unit.parsed.names, self._made)

    def adopt(self, op: Operation) -> None:
        """OP, which was made elsewhere and stands in the program, is one of the changes."""
        self._changed = True
        self._made[op] = None

    def call(self, value: SSAValue, name: str | None) -> None:
        """Let VALUE have a NAME to begin with, if it was made here, and NAME is not a number."""
        is_name = name is not None and not name[:1].isdecimal()
        if is_name and isinstance(value, OpResult) and value.op in self._made:
            value.name_hint = name

    # -- replacing -------------------------------------------------------------------------------------

    def replace(self, op: Operation, values: Sequence[SSAValue]) -> None:
        """VALUES for the results of OP, which goes; those made for it take over the user's names."""
        self.supersede(op, values)
        self.erase(op)

    def supersede(self, op: Operation, values: Sequence[SSAValue]) -> None:
        """The same, but OP stays until all is checked: a claim may say that its results equal VALUES."""
        self._changed = True
        self._candidates[op] = None
        for old, new in zip(op.results, values, strict=True):
            if isinstance(new, OpResult) and new.op in self._made and self._is_named(old, new):
                self.unit.parsed.names.transfer(old, new)
        for old, new in zip(op.results, values, strict=True):
            old.replace_all_uses_with(new)

    def replace_results(self, old: Sequence[OpResult], new: Sequence[SSAValue]) -> None:
        """NEW for OLD, results of one operation, which goes if nothing uses it."""
        op = old[0].op
        if len(old) == len(op.results):
            self.replace(op, new)
            return
        self._changed = True
        for each, other in zip(old, new, strict=True):
            name = self.unit.parsed.names.get(each)
            if name is not None:
                self.call(other, f"{name.base}_{name.number}")
            each.replace_all_uses_with(other)
        self._candidates[op] = None

    def _is_named(self, old: SSAValue, new: SSAValue) -> bool:
        """Whether OLD's name is better than NEW's: one that the user gave, and no number beside a name."""
        known = self.unit.parsed.names
        name = known.get(old)
        return name is not None and known.get(new) is None and not (name.base.isdecimal() and new.name_hint)

    def erase(self, op: Operation) -> None:
        """Take OP, whose results are not used, out of the program; what it used may be dead now."""
        self._changed = True
        for claim in self.claims:
            if claim.at is op and op.next_op is not None:
                claim.at = op.next_op
        used = [operand.op for operand in op.operands if isinstance(operand, OpResult)]
        self._candidates.pop(op, None)
        Rewriter.erase_op(op)
        self._candidates.update(dict.fromkeys(used))

    def move(self, op: Operation, to: Builder) -> None:
        """Put OP, as it is, where TO builds."""
        self._changed = True
        to.take(op)

    def use(self, op: Operation, index: int, value: SSAValue) -> None:
        """VALUE as the operand of OP at INDEX; what made the old one may be dead now."""
        self._changed = True
        old = op.operands[index]
        if isinstance(old, OpResult):
            self._candidates[old.op] = None
        op.operands[index] = value

    def set_operands(self, op: Operation, operands: Sequence[SSAValue]) -> None:
        """OPERANDS for those of OP."""
        self._changed = True
        op.operands = operands

    def state(self, op: Operation, name: str, value: Attribute) -> None:
        """VALUE for what OP says under NAME, one of its properties."""
        self._changed = True
        op.properties[name] = value

    def retype(self, value: SSAValue, kind: Attribute) -> SSAValue:
        """VALUE with another type: the value that takes its place."""
        self._changed = True
        return Rewriter.replace_value_with_new_type(value, kind)

    def parallelize(self, op: Operation) -> Operation | None:
        """The loop without an order that takes the place of OP; None if its dialect knows of none."""
        rewrite, results = questions.parallelize(op), tuple(op.results)
        made = None if rewrite is None else rewrite()
        if made is None:
            return None
        for old, new in zip(results, made.results, strict=True):
            self.unit.parsed.names.transfer(old, new)
        self._changed = True
        self.parallel.append(made)
        return made

    def without_order(self, loops: Sequence[Operation], *, because: str | None = None) -> None:
        """Mark LOOPS as parallel by construction; BECAUSE is the reason why their race check is skipped."""
        if because is None:
            self.parallel += loops
        else:
            self.unit.unchecked += [because for _ in loops]

    # -- the end ---------------------------------------------------------------------------------------

    def claim(self, left: Expression, relation: str, right: Expression, at: Operation) -> None:
        """`LEFT RELATION RIGHT` where AT stands, or where what follows it does, should AT be replaced."""
        self.claims.append(Claim(left, relation, right, at))

    def share(self) -> None:
        """Let numbers that were computed twice be computed once (see `sharing`)."""
        share(self.unit.parsed.module, self._made)

    def finish(self, *, erase_dead: bool = False, assume_finite: bool = False) -> bool:
        """Check what became of the program; whether it was changed at all.

        With ERASE_DEAD, what was made in vain goes, and what only replaced operations used. With
        ASSUME_FINITE a rewrite may leave out what is multiplied by a structural zero, whatever the flags.
        What is computed is compared without tiles only where `proved_otherwise` says how it is known.
        """
        if not self._changed and all(op.parent is None for op in self._made):
            return False
        self.unit.rewrote()
        wrong = list(refuted(self.unit, self.claims, self.parallel))
        proved = (
            frozenset(proved_functions(self.unit, self.claims)) if self.is_claimed else frozenset[Operation]()
        )
        if erase_dead:
            self._erase_dead()
        wrong += misread(self.unit)
        before = self.unit.before
        remarks = not self._name.startswith("test-affine-")  # those say what mlir-opt's say
        different: list[Failure] = []
        if before is not None and not wrong:
            different = list(
                unlike(
                    self.unit,
                    before,
                    assume_finite=assume_finite,
                    remarks=remarks,
                    otherwise=self.proved_otherwise,
                    proved=proved,
                )
            )
        for op, message in (*wrong, *different):
            with internal.at(op):
                internal.remember(BrokenRewrite(message), self._name)
        self.unit.undone = bool(wrong or different)
        return True

    def _erase_dead(self) -> None:
        """Take out what does nothing and is not used, as far as this rewrite is the reason."""
        self._candidates.update(self._made)
        while self._candidates:
            op, _ = self._candidates.popitem()
            if is_dead(op):
                self.erase(op)
        self.unit.rewrote()
