"""communication: functions that enumerate what blocks of iterations send to each other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from xdsl.dialects.builtin import IndexType
from xdsl.ir import SSAValue

from volcli.diagnostics import Diagnostic, UsageError
from volcli.language.expressions import NotAffine
from volcli.model.function import FunctionModel
from volcli.model.memory.flow.communication import Message, messages
from volcli.model.memory.loops.loops import named_assumptions
from volcli.passes.base import Pass, Unit, option
from volcli.rewriting.changes.changes import Changes
from volcli.rewriting.communication.communication import CommunicationSet, received, sent, values_of
from volcli.rewriting.communication.communication_code import CommunicationCode


@dataclass(frozen=True)
class Communication(Pass):
    """Say which values travel between processors that run blocks of a loop's iterations (section 4.2).

    The iterations of the loops over the variables `loops` are distributed: processor p runs those from
    `size * p` to `size * p + size - 1`. For each write W that gives a read R of another block its value,
    there are two functions more:

        @f_receive_0(ARGUMENTS of @f, %processor: index, %list: memref<?xNxindex>) -> index
        @f_send_0(ARGUMENTS of @f, %processor: index, %list: memref<?xNxindex>) -> index

    They return how many values the processor receives, or sends, and write a row of the list for each, as far
    as it has rows: the other processor, the iteration of W, that of R, and the element (`volcli.columns`
    names them). Rows are in the order of the iterations of R, or W. The function itself stays as it is. A
    size below 1 counts as 1.
    """

    name = "communication"
    summary = "functions that enumerate what blocks of iterations send to each other"
    rewrites = True
    wants = "nests of affine loops in which iterations read what others have written"

    loops: tuple[str, ...] = option((), help="the induction variables whose iterations are distributed")
    size: str = option("", help="the size of a block, an argument with its %")
    assume_noalias_args: bool = option(False, help="arguments are different memory")

    def apply(self, unit: Unit) -> None:
        """Two functions for each flow between the loops' iterations."""
        if not self.loops or not self.size:
            message = f"{self.name}: options 'loops' and 'size' are values, as in loops=%i size=%b"
            raise UsageError(Diagnostic("V002", message))
        changes = Changes(unit, self.name)
        symbols = {name for model in unit.of_module() if (name := model.name)}
        for model in list(unit.models()):
            names = unit.parsed.names
            variables = [v for each in self.loops if (v := names.find(model.function, each)) is not None]
            if variables:
                for reason in self._functions(model, variables, changes, symbols):
                    at = unit.parsed.written_at(model.function)
                    message = f"communication in @{model.name} is not enumerated: {reason}"
                    unit.diagnostics.append(Diagnostic("V310", message, at))
        changes.finish()

    def _functions(
        self, model: FunctionModel, variables: list[SSAValue], changes: Changes, symbols: set[str]
    ) -> Iterator[str]:
        """The functions of MODEL's; why some cannot be made."""
        size = changes.unit.parsed.names.find(model.function, self.size)
        arguments = model.function.regions[0].block.args
        if size is None or size not in arguments or not isinstance(size.type, IndexType):
            yield f"{self.size} is not an argument of type index"
            return
        code = CommunicationCode(changes, model.function, size)
        number = 0
        for message in messages(model.memory_as_written, variables):
            try:
                sets = self._sets(model, message)
            except NotAffine as error:
                yield str(error)
                continue
            if not any(each.nests for each in sets.values()):
                continue
            for word, each in sets.items():
                name = _free(f"{model.name}_{word}_{number}", symbols)
                code.put(name, each)
            number += 1

    def _sets(self, model: FunctionModel, message: Message) -> dict[str, CommunicationSet]:
        """What is received and sent of MESSAGE. Raises NotAffine if that is not known."""
        if message.because is not None:
            raise NotAffine(message.because)
        assumed = named_assumptions(message.assumptions, noalias=self.assume_noalias_args)
        if assumed:
            raise NotAffine(f"it is only known if {' and '.join(assumed)}")
        names = {
            "writer": [_variable(model, each.variable) for each in message.writer.levels],
            "reader": [_variable(model, each.variable) for each in message.reader.levels],
        }
        sets = {"receive": received(message, names), "send": sent(message, names)}
        for each in values_of([nest for one in sets.values() for nest in one.nests]):
            if each.value not in model.function.regions[0].block.args:
                raise NotAffine(f"it depends on {model.name_of(each.value)}, which is not an argument")
        return sets


def _variable(model: FunctionModel, variable: SSAValue | None) -> str:
    return "?" if variable is None else model.name_of(variable)


def _free(name: str, symbols: set[str]) -> str:
    """NAME, or with more after it if there is such a function; then there is."""
    while name in symbols:
        name += "_"
    symbols.add(name)
    return name
