"""The func dialect: functions, declarations of functions, and calls, direct and indirect.

xDSL's function drops the attributes of a declaration's arguments, and its print loses properties.

Over 300 lines: `__init__.py` (the operations of one dialect).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from typing import Self

from xdsl.dialects import func
from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    FunctionType,
    StringAttr,
    SymbolRefAttr,
    UnitAttr,
)
from xdsl.ir import Attribute, Dialect, Operation, Region
from xdsl.irdl import (
    IRDLOperation,
    ParsePropInAttrDict,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    result_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer

from volcli.frontend.print.attribute_printer import uncounted_aliases
from volcli.language.memory import Effects
from volcli.language.questions import Callee, Problem, accesses, callee, effects, problems
from volcli_dialects.cases.memory.memory import Accesses, called, touch_nothing, with_stated_effects
from volcli_dialects.cases.symbols import symbol
from volcli_dialects.syntax.redeclared import Redeclared
from volcli_dialects.syntax.syntax import print_attributes
from volcli_dialects.verification.problems import parent_problem, structure

_Attributes = Mapping[str, Attribute]


def _parse_arguments(
    parser: Parser,
) -> tuple[Sequence[Parser.Argument], Sequence[Attribute], list[_Attributes]]:
    """`(%a: i32 {x.y}, %b: f32)`, or without names in a declaration: arguments, types, attributes."""
    named: list[Parser.Argument] = []
    types: list[Attribute] = []
    attributes: list[_Attributes] = []

    def one() -> None:
        position = parser.pos
        argument = parser.parse_optional_argument()
        types.append(parser.parse_type() if argument is None else argument.type)
        attributes.append(parser.parse_optional_dictionary_attr_dict())
        location = parser.parse_optional_location()
        if argument is not None:
            argument.location = location
            named.append(argument)
        if named and len(named) < len(types):
            message = "expected all arguments to be named or all arguments to be unnamed"
            parser.raise_error(message, position, parser.pos)

    parser.parse_comma_separated_list(parser.Delimiter.PAREN, one)
    return named, types, attributes


def _parse_results(parser: Parser) -> tuple[Sequence[Attribute], list[_Attributes]]:
    """`-> f32`, `-> (i32, f32 {x.y})` or nothing: types and attributes."""
    if parser.parse_optional_punctuation("->") is None:
        return [], []
    results = parser.parse_optional_comma_separated_list(
        parser.Delimiter.PAREN, lambda: (parser.parse_type(), parser.parse_optional_dictionary_attr_dict())
    )
    if results is None:
        return [parser.parse_type()], []
    return [kind for kind, _ in results], [attributes for _, attributes in results]


def _dictionaries(attributes: Sequence[_Attributes]) -> ArrayAttr[DictionaryAttr] | None:
    return ArrayAttr(DictionaryAttr(dict(each)) for each in attributes) if any(attributes) else None


@irdl_op_definition
class FuncOp(Redeclared, func.FuncOp):
    """`func.func private @f(%a: i32 {x.y}) -> (f32 {x.z}) attributes {no_inline} { ... }`."""

    body = region_def()
    sym_name = prop_def(StringAttr)
    function_type = prop_def(FunctionType)
    sym_visibility = opt_prop_def(StringAttr)
    arg_attrs = opt_prop_def(ArrayAttr[DictionaryAttr])
    res_attrs = opt_prop_def(ArrayAttr[DictionaryAttr])
    no_inline = opt_prop_def(UnitAttr)

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        visibility = parser.parse_optional_visibility_keyword()
        name = parser.parse_symbol_name()
        named, types, argument_attributes = _parse_arguments(parser)
        results, result_attributes = _parse_results(parser)
        reserved = ("sym_name", "function_type", "sym_visibility", "arg_attrs", "res_attrs")
        written = parser.parse_optional_attr_dict_with_keyword(reserved)
        attributes = {} if written is None else dict(written.data)
        region = parser.parse_optional_region(named if named or not types else None)
        properties: dict[str, Attribute | None] = {
            "sym_name": name,
            "function_type": FunctionType.from_lists(types, results),
            "sym_visibility": visibility,
            "arg_attrs": _dictionaries(argument_attributes),
            "res_attrs": _dictionaries(result_attributes),
            "no_inline": attributes.pop("no_inline", None),
        }
        return cls.create(
            properties={name: value for name, value in properties.items() if value is not None},
            attributes=attributes,
            regions=[Region() if region is None else region],
        )

    def print(self, printer: Printer) -> None:
        if self.sym_visibility is not None:
            printer.print_string(f" {self.sym_visibility.data}")
        printer.print_string(" ")
        printer.print_symbol_name(self.sym_name.data)
        with printer.in_parens():
            printer.print_list(
                range(len(self.function_type.inputs)), lambda i: self._print_argument(printer, i)
            )
        self._print_results(printer)
        inherent = {} if self.no_inline is None else {"no_inline": self.no_inline}
        printer.print_op_attributes(dict(sorted((self.attributes | inherent).items())), print_keyword=True)
        if self.body.blocks:
            printer.print_string(" ", indent=0)
            printer.print_region(self.body, print_entry_block_args=False, print_empty_block=False)

    def _print_argument(self, printer: Printer, index: int) -> None:
        kind = self.function_type.inputs.data[index]
        if self.body.blocks:
            printer.print_ssa_value(self.body.blocks[0].args[index])
            printer.print_string(": ")
        printer.print_attribute(kind)
        if self.arg_attrs is not None:
            # A declaration's attributes get aliases in mlir-opt, those of a definition do not.
            with uncounted_aliases(printer) if self.body.blocks else nullcontext():
                print_attributes(printer, self.arg_attrs.data[index].data)

    def _print_results(self, printer: Printer) -> None:
        """` -> f32`, or ` -> (i32, f32 {x.y})`, or nothing."""
        types = self.function_type.outputs.data
        if not types:
            return
        printer.print_string(" -> ")
        if len(types) == 1 and self.res_attrs is None and not isinstance(types[0], FunctionType):
            printer.print_attribute(types[0])
            return

        def one(index: int) -> None:
            printer.print_attribute(types[index])
            if self.res_attrs is not None:
                print_attributes(printer, self.res_attrs.data[index].data)

        with printer.in_parens():
            printer.print_list(range(len(types)), one)


@irdl_op_definition
class CallOp(Redeclared, func.CallOp):
    """`%r = func.call @f(%a) {no_inline} : (i32) -> f32`."""

    arguments = var_operand_def()
    callee = prop_def(SymbolRefAttr)
    arg_attrs = opt_prop_def(ArrayAttr[DictionaryAttr])
    res_attrs = opt_prop_def(ArrayAttr[DictionaryAttr])
    no_inline = opt_prop_def(UnitAttr)
    res = var_result_def()

    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$callee `(` $arguments `)` attr-dict `:` functional-type($arguments, $res)"


@irdl_op_definition
class CallIndirectOp(IRDLOperation):
    """`%r = func.call_indirect %f(%a) : (i32) -> f32`: a call of the function that %f is."""

    name = "func.call_indirect"

    callee = operand_def(FunctionType)
    arguments = var_operand_def()
    res = var_result_def()

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        callee = parser.parse_unresolved_operand()
        unresolved = parser.parse_comma_separated_list(
            parser.Delimiter.PAREN, parser.parse_unresolved_operand
        )
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        position = parser.pos
        kind = parser.parse_type()
        if not isinstance(kind, FunctionType):
            parser.raise_error("expected the type of a function", position, parser.pos)
        operands = parser.resolve_operands(unresolved, kind.inputs.data, position)
        return cls.create(
            operands=[parser.resolve_operand(callee, kind), *operands],
            result_types=kind.outputs.data,
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.callee)
        with printer.in_parens():
            printer.print_list(self.arguments, printer.print_ssa_value)
        print_attributes(printer, self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.callee.type)


@irdl_op_definition
class ConstantOp(IRDLOperation):
    """`%f = func.constant @f : (i32) -> f32`: a function as a value."""

    name = "func.constant"

    value = prop_def(SymbolRefAttr)
    result = result_def(FunctionType)

    assembly_format = "attr-dict $value `:` type($result)"


@problems.case(FuncOp)
def function_problems(op: FuncOp) -> list[Problem]:
    """The body's arguments are those of the type; a declaration is private."""
    inputs, block = op.function_type.inputs.data, op.body.first_block
    if block is None:
        is_private = op.sym_visibility is not None and op.sym_visibility.data in ("private", "nested")
        return [] if is_private else structure("symbol declaration cannot have public visibility")
    if len(block.args) != len(inputs):
        return structure(f"entry block must have {len(inputs)} arguments to match function signature")
    for index, (argument, kind) in enumerate(zip(block.args, inputs, strict=True)):
        if argument.type is not kind and argument.type != kind:
            return structure(
                f"type of entry block argument #{index}('{argument.type}') must match the type of the "
                f"corresponding argument in function signature('{kind}')"
            )
    return []


@problems.case(func.ReturnOp)
def return_problems(op: func.ReturnOp) -> list[Problem]:
    """It returns what its function says."""
    function = op.parent_op()
    if not isinstance(function, FuncOp):
        return parent_problem(op, "func.func")
    results, name = function.function_type.outputs.data, function.sym_name.data
    if len(op.operands) != len(results):
        return structure(
            f"has {len(op.operands)} operands, but enclosing function (@{name}) returns {len(results)}"
        )
    for index, (value, kind) in enumerate(zip(op.operands, results, strict=True)):
        if value.type is not kind and value.type != kind:
            return structure(
                f"type of return operand {index} ('{value.type}') doesn't match function result type "
                f"('{kind}') in function @{name}"
            )
    return []


@problems.case(CallOp)
def call_problems(op: CallOp) -> list[Problem]:
    """The function is there, and takes and returns these types."""
    found = symbol(op, op.callee)
    if found is None:
        return []
    if not isinstance(found.op, FuncOp):
        return structure(f"'{op.callee.string_value()}' does not reference a valid function")
    inputs, outputs = found.op.function_type.inputs.data, found.op.function_type.outputs.data
    if len(op.operands) != len(inputs):
        return structure("incorrect number of operands for callee")
    for index, (value, kind) in enumerate(zip(op.operands, inputs, strict=True)):
        if value.type != kind:
            return structure(
                f"operand type mismatch: expected operand type '{kind}', but provided '{value.type}' for "
                f"operand number {index}"
            )
    if len(op.results) != len(outputs):
        return structure("incorrect number of results for callee")
    for index, (value, kind) in enumerate(zip(op.results, outputs, strict=True)):
        if value.type != kind:
            return structure(f"result type mismatch at index {index}")
    return []


@problems.case(ConstantOp)
def constant_problems(op: ConstantOp) -> list[Problem]:
    """The function is there, and has this type."""
    found = symbol(op, op.value)
    if found is None:
        return []
    if not isinstance(found.op, FuncOp):
        return structure(f"reference to undefined function '{op.value.string_value()}'")
    fits = found.op.function_type == op.result.type
    return [] if fits else structure("reference to function with mismatched type")


touch_nothing(func.ReturnOp)


@accesses.case(CallOp)
def call_accesses(op: CallOp) -> Accesses:
    return called(op, f"@{op.callee.string_value()}")


@accesses.case(CallIndirectOp)
def indirect_call_accesses(op: CallIndirectOp) -> Accesses:
    return called(op, f"'{op.name}'")


@effects.case(CallOp)
def call_effects(op: CallOp) -> Effects:
    return Effects(unknown=f"@{op.callee.string_value()}")


@effects.case(CallIndirectOp)
def indirect_call_effects(op: CallIndirectOp) -> Effects:
    """Those of whichever function the value is."""
    return Effects(unknown=f"'{op.name}'")


@callee.case(CallOp)
def called_function(op: CallOp) -> Callee | None:
    """The function of that name, unless it is only declared."""
    found = symbol(op, op.callee)
    if found is None or not isinstance(found.op, FuncOp) or not found.op.body.blocks:
        return None
    returns = [block.last_op for block in found.op.body.blocks if isinstance(block.last_op, func.ReturnOp)]
    return Callee(found.op, tuple(tuple(each.operands) for each in returns))


def dialect() -> Dialect:
    """xDSL's func dialect with the operations and the syntax that it lacks."""
    ours: list[type[Operation]] = [FuncOp, CallOp, CallIndirectOp, ConstantOp]
    operations = {op.name: op for op in (*func.Func.operations, *ours)}
    return with_stated_effects(Dialect("func", list(operations.values()), [*func.Func.attributes]))
