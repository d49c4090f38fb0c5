"""Structured operations whose maps are written out: linalg.generic, linalg.contract, linalg.elementwise."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, cast

from xdsl.dialects.builtin import AffineMapAttr, ArrayAttr, DictionaryAttr, StringAttr
from xdsl.dialects.linalg.attrs import IteratorType, IteratorTypeAttr
from xdsl.ir import Attribute
from xdsl.ir.affine import AffineDimExpr
from xdsl.irdl import AttrSizedOperandSegments, opt_prop_def, prop_def
from xdsl.parser import Parser
from xdsl.printer import Printer

from volcli_dialects.linalg.attributes import ElementwiseKindAttr, TypeFnAttr
from volcli_dialects.linalg.named_ops import MAC, identity_maps, parallel_iterators
from volcli_dialects.linalg.structured import BuiltBody, StructuredOp, rank_of
from volcli_dialects.syntax.pieces import Attributes, InsAndOuts, Property, ResultTypes
from volcli_dialects.syntax.redeclared import operation
from volcli_dialects.syntax.region_syntax import LabelledRegion
from volcli_dialects.syntax.written import Maybe, ReadParts, SyntaxPiece

_INHERENT = ("doc", "indexing_maps", "iterator_types", "library_call")


class _Trait(SyntaxPiece):
    """` {doc = "..", indexing_maps = [..], iterator_types = [..], library_call = ".."}`, or an alias."""

    def read(self, parser: Parser, found: ReadParts) -> None:
        trait = parser.parse_attribute()
        if not isinstance(trait, DictionaryAttr):
            parser.raise_error("expected a dictionary attribute or an alias of one", found.start, parser.pos)
        entries = dict(trait.data)
        found.properties |= {name: entries.pop(name) for name in _INHERENT if name in entries}
        for name in ("indexing_maps", "iterator_types"):
            if not isinstance(found.properties.get(name), ArrayAttr):
                message = f"expected {name} in the trait of linalg.generic"
                parser.raise_error(message, found.start, parser.pos)
        iterators = cast(ArrayAttr[Attribute], found.properties["iterator_types"])
        try:
            found.properties["iterator_types"] = ArrayAttr(map(_iterator_type, iterators))
        except ValueError as error:
            parser.raise_error(str(error), found.start, parser.pos)
        found.attributes |= (
            entries | parser.parse_optional_attr_dict()
        )  # older printers write some of them here

    def write(self, printer: Printer, op: Any) -> None:
        trait = {name: op.properties[name] for name in _INHERENT if name in op.properties}
        trait["iterator_types"] = ArrayAttr(StringAttr(each.data) for each in op.iterator_types)
        printer.print_string(" ")
        printer.print_attribute(DictionaryAttr(trait))


def _iterator_type(iterator: Attribute) -> IteratorTypeAttr:
    if isinstance(iterator, IteratorTypeAttr):
        return iterator
    if not isinstance(iterator, StringAttr):
        raise ValueError(f"expected an iterator type, got {iterator}")
    return IteratorTypeAttr(IteratorType(iterator.data))


@operation("linalg.generic")
class GenericOp(StructuredOp):
    """A structured operation with its maps, iterator types and body written out.

    Syntax: `linalg.generic {trait} ins(...) outs(...) attrs = {...} {body} -> types`; the trait may be an
    alias, and its further entries are attributes of the operation.
    """

    doc = opt_prop_def(StringAttr)
    indexing_maps = prop_def(ArrayAttr[AffineMapAttr])
    iterator_types = prop_def(ArrayAttr[IteratorTypeAttr])
    library_call = opt_prop_def(StringAttr)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    def get_indexing_maps(self) -> ArrayAttr[AffineMapAttr]:
        return self.indexing_maps

    def get_iterator_types(self) -> ArrayAttr[IteratorTypeAttr]:
        return self.iterator_types

    SYNTAX: ClassVar = (
        _Trait(), InsAndOuts(), Maybe(" attrs =", Attributes(), when=lambda op: op.attributes),
        LabelledRegion("body"), ResultTypes(),
    )  # fmt: skip


_MAPS = Property("indexing_maps", Parser.parse_attribute)


@operation("linalg.contract")
class ContractOp(StructuredOp):
    """A sum of products, out[i] += left[j] * right[k], with the maps given; iterators not in out's are
    summed over.

    Syntax: `linalg.contract indexing_maps = [...] {attributes} ins(...) outs(...) -> type`.
    """

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

    SYNTAX: ClassVar = (
        " indexing_maps = ", _MAPS, Attributes("cast"), InsAndOuts(), ResultTypes(),
        BuiltBody(lambda _: (MAC, 2)),
    )  # fmt: skip


def _kind(parser: Parser) -> Attribute:
    position = parser.pos
    kind = parser.parse_attribute()
    if not isinstance(kind, ElementwiseKindAttr):
        message = "expected the operation's kind, as #linalg.elementwise_kind<add>"
        parser.raise_error(message, position, parser.pos)
    return kind


def _function(found: ReadParts) -> tuple[str, int]:
    kind: Any = found.properties["kind"]
    return kind.function, kind.input_count


def _identities(operands: Sequence[Any]) -> ArrayAttr[AffineMapAttr]:
    """The maps of OPERANDS where none are written."""
    return identity_maps((rank_of(operands[-1]),) * len(operands))


class _IdentityMaps(SyntaxPiece):
    """No text: the maps that were not written."""

    def read(self, parser: Parser, found: ReadParts) -> None:
        if found.operands["outputs"] and "indexing_maps" not in found.properties:
            operands = [*found.operands["inputs"], *found.operands["outputs"]]
            found.properties["indexing_maps"] = _identities(operands)

    def write(self, printer: Printer, op: Any) -> None:
        pass


@operation("linalg.elementwise")
class ElementwiseOp(StructuredOp):
    """A function of one, two or three numbers applied to each element; the maps default to the identity.

    Syntax: `linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [...] {attributes} ins(...)
    outs(...) -> type`.
    """

    indexing_maps = prop_def(ArrayAttr[AffineMapAttr])
    kind = prop_def(ElementwiseKindAttr)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    def get_indexing_maps(self) -> ArrayAttr[AffineMapAttr]:
        return self.indexing_maps

    def get_iterator_types(self) -> ArrayAttr[IteratorTypeAttr]:
        return parallel_iterators(self.indexing_maps.data[-1].data.num_dims)

    SYNTAX: ClassVar = (
        " kind=", Property("kind", _kind),
        Maybe(" indexing_maps = ", _MAPS, when=lambda op: op.indexing_maps != _identities(op.operands)),
        Attributes(), InsAndOuts(), _IdentityMaps(), ResultTypes(), BuiltBody(_function),
    )  # fmt: skip
