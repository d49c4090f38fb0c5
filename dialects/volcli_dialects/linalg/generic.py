"""Structured operations whose maps are written out: linalg.generic, linalg.contract, linalg.elementwise."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Self, TypeVar, cast

from xdsl.dialects.builtin import AffineMapAttr, ArrayAttr, DictionaryAttr, StringAttr
from xdsl.dialects.linalg.attrs import IteratorType, IteratorTypeAttr
from xdsl.ir import Attribute, Region, SSAValue
from xdsl.ir.affine import AffineDimExpr
from xdsl.irdl import AttrSizedOperandSegments, irdl_op_definition, opt_prop_def, prop_def
from xdsl.parser import Parser
from xdsl.printer import Printer

from volcli_dialects.linalg.attributes import ElementwiseKindAttr, TypeFnAttr
from volcli_dialects.linalg.bodies import build_body
from volcli_dialects.linalg.named_ops import MAC, identity_maps, parallel_iterators
from volcli_dialects.linalg.structured import StructuredOp, is_unsigned, print_operands_and_results, rank_of
from volcli_dialects.syntax.syntax import (
    SEGMENT_SIZES,
    parse_operand_group,
    parse_result_types,
    print_attributes,
    print_operand_group,
    print_result_types,
    segment_sizes,
)

Op = TypeVar("Op", bound=StructuredOp)


@irdl_op_definition
class GenericOp(StructuredOp):
    """A structured operation with its maps, iterator types and body written out.

    Syntax: `linalg.generic {trait} ins(...) outs(...) attrs = {...} {body} -> types`; the trait may be an
    alias, and its further entries are attributes of the operation.
    """

    name = "linalg.generic"

    doc = opt_prop_def(StringAttr)
    indexing_maps = prop_def(ArrayAttr[AffineMapAttr])
    iterator_types = prop_def(ArrayAttr[IteratorTypeAttr])
    library_call = opt_prop_def(StringAttr)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    def get_indexing_maps(self) -> ArrayAttr[AffineMapAttr]:
        return self.indexing_maps

    def get_iterator_types(self) -> ArrayAttr[IteratorTypeAttr]:
        return self.iterator_types

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        position = parser.pos
        trait = parser.parse_attribute()
        if not isinstance(trait, DictionaryAttr):
            parser.raise_error("expected a dictionary attribute or an alias of one", position, parser.pos)
        properties, attributes = _split_trait(parser, trait, position)
        attributes |= parser.parse_optional_attr_dict()  # older printers write some of them here
        inputs, outputs = parse_operand_group(parser, "ins"), parse_operand_group(parser, "outs")
        if parser.parse_optional_keyword("attrs"):
            parser.parse_punctuation("=")
            attributes |= parser.parse_optional_attr_dict()
        body = parser.parse_region()
        properties[SEGMENT_SIZES] = segment_sizes(len(inputs), len(outputs))
        return cls.create(
            operands=(*inputs, *outputs),
            result_types=parse_result_types(parser),
            properties=properties,
            attributes=attributes,
            regions=(body,),
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" {")
        if self.doc is not None:
            printer.print_string("doc = ")
            printer.print_attribute(self.doc)
            printer.print_string(", ")
        printer.print_string("indexing_maps = ")
        printer.print_attribute(self.indexing_maps)
        iterator_types = ", ".join(f'"{iterator.data}"' for iterator in self.iterator_types)
        printer.print_string(f", iterator_types = [{iterator_types}]")
        if self.library_call is not None:
            printer.print_string(", library_call = ")
            printer.print_attribute(self.library_call)
        printer.print_string("}")
        print_operand_group(printer, "ins", self.inputs)
        print_operand_group(printer, "outs", self.outputs)
        if self.attributes:
            printer.print_string(" attrs =")
            print_attributes(printer, self.attributes)
        printer.print_string(" ")
        printer.print_region(self.body)
        print_result_types(printer, self.res)


def _split_trait(
    parser: Parser, trait: DictionaryAttr, position: int
) -> tuple[dict[str, Attribute], dict[str, Attribute]]:
    """The inherent part of a trait, with its iterator types as attributes, and the rest."""
    entries = dict(trait.data)
    properties: dict[str, Attribute] = {}
    for name in ("doc", "indexing_maps", "iterator_types", "library_call"):
        if name in entries:
            properties[name] = entries.pop(name)
    if not isinstance(properties.get("indexing_maps"), ArrayAttr):
        parser.raise_error("expected indexing_maps in the trait of linalg.generic", position, parser.pos)
    iterators = properties.get("iterator_types")
    if not isinstance(iterators, ArrayAttr):
        parser.raise_error("expected iterator_types in the trait of linalg.generic", position, parser.pos)
    try:
        properties["iterator_types"] = ArrayAttr(map(_iterator_type, cast(ArrayAttr[Attribute], iterators)))
    except ValueError as error:
        parser.raise_error(str(error), position, parser.pos)
    return properties, entries


def _iterator_type(iterator: Attribute) -> IteratorTypeAttr:
    if isinstance(iterator, IteratorTypeAttr):
        return iterator
    if not isinstance(iterator, StringAttr):
        raise ValueError(f"expected an iterator type, got {iterator}")
    return IteratorTypeAttr(IteratorType(iterator.data))


def _parse_indexing_maps(parser: Parser) -> Attribute:
    parser.parse_punctuation("=")
    return parser.parse_attribute()


@irdl_op_definition
class ContractOp(StructuredOp):
    """A sum of products, out[i] += left[j] * right[k], with the maps given; iterators not in out's are
    summed over.

    Syntax: `linalg.contract indexing_maps = [...] {attributes} ins(...) outs(...) -> type`.
    """

    name = "linalg.contract"

    cast_kind = opt_prop_def(TypeFnAttr, prop_name="cast")
    indexing_maps = prop_def(ArrayAttr[AffineMapAttr])

    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    def get_indexing_maps(self) -> ArrayAttr[AffineMapAttr]:
        return self.indexing_maps

    def get_iterator_types(self) -> ArrayAttr[IteratorTypeAttr]:
        """An iterator is parallel if it is a subscript of the output."""
        output = self.indexing_maps.data[-1].data
        kept = {result.position for result in output.results if isinstance(result, AffineDimExpr)}
        return ArrayAttr(
            IteratorTypeAttr.parallel() if iterator in kept else IteratorTypeAttr.reduction()
            for iterator in range(output.num_dims)
        )

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        position = parser.pos
        parser.parse_keyword("indexing_maps")
        maps = _parse_indexing_maps(parser)
        attributes = parser.parse_optional_attr_dict()
        inputs, outputs = parse_operand_group(parser, "ins"), parse_operand_group(parser, "outs")
        results = parse_result_types(parser)
        properties = {"indexing_maps": maps, SEGMENT_SIZES: segment_sizes(len(inputs), len(outputs))}
        if "cast" in attributes:
            properties = {"cast": attributes.pop("cast")} | properties
        if (len(inputs), len(outputs)) != (2, 1):
            parser.raise_error("expected 2 inputs and 1 output", position, parser.pos)
        return _create(cls, parser, MAC, (*inputs, *outputs), results, properties, attributes, position)

    def print(self, printer: Printer) -> None:
        printer.print_string(" indexing_maps = ")
        printer.print_attribute(self.indexing_maps)
        print_attributes(printer, {**self.attributes, **self.properties}, omit=("indexing_maps",))
        print_operands_and_results(printer, self)


@irdl_op_definition
class ElementwiseOp(StructuredOp):
    """A function of one, two or three numbers applied to each element; the maps default to the identity.

    Syntax: `linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [...] {attributes} ins(...)
    outs(...) -> type`.
    """

    name = "linalg.elementwise"

    indexing_maps = prop_def(ArrayAttr[AffineMapAttr])
    kind = prop_def(ElementwiseKindAttr)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    def get_indexing_maps(self) -> ArrayAttr[AffineMapAttr]:
        return self.indexing_maps

    def get_iterator_types(self) -> ArrayAttr[IteratorTypeAttr]:
        return parallel_iterators(self.indexing_maps.data[-1].data.num_dims)

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        position = parser.pos
        parser.parse_keyword("kind")
        parser.parse_punctuation("=")
        kind = parser.parse_attribute()
        if not isinstance(kind, ElementwiseKindAttr):
            parser.raise_error(
                "expected the operation's kind, as #linalg.elementwise_kind<add>", position, parser.pos
            )
        maps = _parse_indexing_maps(parser) if parser.parse_optional_keyword("indexing_maps") else None
        attributes = parser.parse_optional_attr_dict()
        inputs, outputs = parse_operand_group(parser, "ins"), parse_operand_group(parser, "outs")
        results = parse_result_types(parser)
        if len(inputs) != kind.input_count or len(outputs) != 1:
            parser.raise_error(f"expected {kind.input_count} inputs and 1 output", position, parser.pos)
        if maps is None:
            maps = _all_identity(len(inputs) + 1, rank_of(outputs[0]))
        properties = {"indexing_maps": maps, "kind": kind, SEGMENT_SIZES: segment_sizes(len(inputs), 1)}
        return _create(
            cls, parser, kind.function, (*inputs, *outputs), results, properties, attributes, position
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" kind=")
        printer.print_attribute(self.kind)
        if self.indexing_maps != _all_identity(len(self.operands), rank_of(self.operands[-1])):
            printer.print_string(" indexing_maps = ")
            printer.print_attribute(self.indexing_maps)
        print_attributes(printer, self.attributes)
        print_operands_and_results(printer, self)


def _all_identity(operands: int, rank: int) -> ArrayAttr[AffineMapAttr]:
    return identity_maps((rank,) * operands)


def _create(
    cls: type[Op],
    parser: Parser,
    body: str,
    operands: Sequence[SSAValue],
    results: Sequence[Attribute],
    properties: Mapping[str, Attribute],
    attributes: Mapping[str, Attribute],
    position: int,
) -> Op:
    """The operation with its body built; a parse error if the body does not admit the types."""
    try:
        region: Region = build_body(body, operands, unsigned=is_unsigned(properties))
    except ValueError as error:
        parser.raise_error(f"{cls.name}: {error}", position, parser.pos)
    return cls.create(
        operands=operands,
        result_types=results,
        properties=dict(properties),
        attributes=dict(attributes),
        regions=(region,),
    )
