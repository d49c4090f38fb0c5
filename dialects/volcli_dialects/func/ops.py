"""Functions, calls, and functions as values, with the syntax of LLVM 22.

xDSL's function drops the attributes of a declaration's arguments, and its print loses properties.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from typing import ClassVar, Self

from xdsl.dialects import func
from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    FunctionType,
    StringAttr,
    SymbolRefAttr,
    UnitAttr,
)
from xdsl.ir import Attribute, Region
from xdsl.irdl import (
    IRDLOperation,
    ParsePropInAttrDict,
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
from volcli_dialects.syntax.pieces import PAREN, Attributes, OperandList, Type
from volcli_dialects.syntax.redeclared import Redeclared, operation
from volcli_dialects.syntax.syntax import print_attributes
from volcli_dialects.syntax.written import Operand, ReadParts, WrittenOperation

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


@operation("func.func")
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


@operation("func.call", "$callee `(` $arguments `)` attr-dict `:` functional-type($arguments, $res)")
class CallOp(Redeclared, func.CallOp):
    """`%r = func.call @f(%a) {no_inline} : (i32) -> f32`."""

    arguments = var_operand_def()
    callee = prop_def(SymbolRefAttr)
    arg_attrs = opt_prop_def(ArrayAttr[DictionaryAttr])
    res_attrs = opt_prop_def(ArrayAttr[DictionaryAttr])
    no_inline = opt_prop_def(UnitAttr)
    res = var_result_def()

    irdl_options = (ParsePropInAttrDict(),)


class _Callee(Type):
    """The type of a function that is called: `(i32) -> f32`."""

    def read(self, parser: Parser, found: ReadParts) -> None:
        position = parser.pos
        super().read(parser, found)
        (kind,) = found.types["callee"]
        if not isinstance(kind, FunctionType):
            parser.raise_error("expected the type of a function", position, parser.pos)
        found.types |= {"arguments": kind.inputs.data, "results": kind.outputs.data}


@operation("func.call_indirect")
class CallIndirectOp(WrittenOperation):
    """`%r = func.call_indirect %f(%a) : (i32) -> f32`: a call of the function that %f is."""

    callee = operand_def(FunctionType)
    arguments = var_operand_def()
    res = var_result_def()

    SYNTAX: ClassVar = (
        " ", Operand("callee"), OperandList("arguments", None, PAREN), Attributes(), " : ", _Callee("callee")
    )  # fmt: skip


@operation("func.constant", "attr-dict $value `:` type($result)")
class ConstantOp(IRDLOperation):
    """`%f = func.constant @f : (i32) -> f32`: a function as a value."""

    value = prop_def(SymbolRefAttr)
    result = result_def(FunctionType)
