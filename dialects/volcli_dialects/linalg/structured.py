"""What all structured operations share, and the named ones, whose classes are made from the table of
named_ops.

A structured operation is a loop nest over named or numbered iterators with one indexing map for each
operand and a scalar body: `get_indexing_maps()`, `get_iterator_types()`, `inputs`, `outputs`, `res`,
`body`.
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self, cast

from xdsl.dialects.builtin import (
    AffineMapAttr,
    ArrayAttr,
    DenseArrayBase,
    DenseIntElementsAttr,
    DenseIntOrFPElementsAttr,
    ShapedType,
)
from xdsl.dialects.linalg.abstract_ops import LinalgStructuredOperation
from xdsl.dialects.linalg.attrs import IteratorTypeAttr
from xdsl.ir import Attribute, Region, SSAValue
from xdsl.irdl import AttrSizedOperandSegments, irdl_op_definition, opt_prop_def
from xdsl.parser import Parser
from xdsl.printer import Printer

from volcli_dialects.linalg.attributes import TypeFnAttr
from volcli_dialects.linalg.bodies import build_body
from volcli_dialects.linalg.named_ops import NAMED_OPS, Row
from volcli_dialects.syntax.pieces import InsAndOuts, ResultTypes
from volcli_dialects.syntax.syntax import (
    SEGMENT_SIZES,
    parse_operand_group,
    parse_result_types,
    print_attributes,
    segment_sizes,
)
from volcli_dialects.syntax.written import ReadParts, SyntaxPiece, WrittenOperation


def rank_of(value: SSAValue) -> int:
    """The number of an operand's dimensions; 0 for a scalar (and for what has no rank)."""
    return len(value.type.get_shape()) if isinstance(value.type, ShapedType) else 0


def integers(attribute: Attribute | None, count: int) -> tuple[int, ...]:
    """`count` integers of an attribute: `dense<[2, 1]>`, a splat `dense<2>`, `array<i64: 2, 1>`; all 1 if
    absent.

    Raises ValueError if there are not `count` of them or it is not a list of integers.
    """
    if attribute is None:
        return (1,) * count
    if not isinstance(attribute, DenseIntOrFPElementsAttr | DenseArrayBase):
        raise ValueError(f"expected a list of {count} integers, got {attribute}")
    elements = cast(Any, attribute)
    is_one = isinstance(attribute, DenseIntOrFPElementsAttr) and len(elements) == 1
    if len(elements) != count and not is_one:  # before the values are made: a splat may have billions
        raise ValueError(f"expected {count} integers, got {attribute}")
    return elements.get_values() * (count if is_one else 1)


class StructuredOp(WrittenOperation, LinalgStructuredOperation, ABC):
    """A structured operation as volcli reads it.

    Nothing is verified when xDSL verifies a module: `linalg_problems.structure_problems` says what is wrong
    with an operation, in mlir-opt's words, and the analyses carry on as far as they can.
    """

    @property
    def iterator_names(self) -> tuple[str, ...] | None:
        """The iterators' letters, as ("n", "f", "oh", "ow", "c", "kh", "kw"); None where they have none."""
        return None

    @property
    def map_count(self) -> int | None:
        """How many maps there are; None if each operand has one whatever it is."""
        if "indexing_maps" not in self.get_irdl_definition().properties:
            return None
        maps = self.properties.get("indexing_maps")
        return len(cast("ArrayAttr[Attribute]", maps).data) if isinstance(maps, ArrayAttr) else None

    def misfit(self) -> str | None:
        """A map for each operand, or the number of loops is not known."""
        maps, found = self.map_count, len(self.operands)
        if maps is None or maps == found:
            return None
        return (
            f"expected the number of indexing_map ({maps}) to be equal to the number of input/output "
            f"operands ({found})"
        )

    def verify_(self) -> None:
        """Accept everything (see the class)."""


@dataclass(frozen=True)
class BuiltBody(SyntaxPiece):
    """No text: the body follows from the operands.

    OF gives the body's name in BODIES, and how many inputs there are; there is one output.
    """

    of: Callable[[ReadParts], tuple[str, int]]

    def read(self, parser: Parser, found: ReadParts) -> None:
        body, count = self.of(found)
        operands: list[Any] = [*found.operands["inputs"], *found.operands["outputs"]]
        if [len(found.operands[each]) for each in ("inputs", "outputs")] != [count, 1]:
            inputs = f"{count} input" if count == 1 else f"{count} inputs"
            parser.raise_error(f"expected {inputs} and 1 output", found.start, parser.pos)
        try:
            region = build_body(body, operands, unsigned=is_unsigned(found.properties))
        except ValueError as error:
            parser.raise_error(f"{found.kind.name}: {error}", found.start, parser.pos)
        found.regions["body"] = [region]

    def write(self, printer: Printer, op: StructuredOp) -> None:
        pass


class NamedOp(StructuredOp, ABC):
    """A named structured operation; its class says which row of the table it is.

    Syntax: `linalg.matmul indexing_maps = [...] {attributes} ins(...) outs(...) -> type`, each part optional.
    """

    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    ROW: ClassVar[Row]

    @property
    def iterator_names(self) -> tuple[str, ...] | None:
        return self.ROW.iterator_names

    @property
    def map_count(self) -> int | None:
        return None if self.ROW.any_rank else super().map_count or len(self.ROW.operand_maps)

    def misfit(self) -> str | None:
        if self.ROW.any_rank and not self.outputs:  # its rank would be the number of loops
            return "expected 1 or more outputs, but found 0"
        return super().misfit()

    @property
    def window(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The strides and the dilations, outermost spatial dimension first; ((), ()) without spatial
        dimensions.

        Raises ValueError if an attribute has not one integer for each of them.
        """
        count = len(self.ROW.windows)
        properties = self.properties
        return integers(properties.get("strides"), count), integers(properties.get("dilations"), count)

    def get_indexing_maps(self) -> ArrayAttr[AffineMapAttr]:
        maps = self.properties.get("indexing_maps") if "indexing_maps" in self.ROW.attributes else None
        if maps is not None:
            return cast(ArrayAttr[AffineMapAttr], maps)
        if self.ROW.any_rank:
            return self.ROW.any_rank_maps(tuple(map(rank_of, self.operands)))
        return self.ROW.indexing_maps(*self.window)

    def get_iterator_types(self) -> ArrayAttr[IteratorTypeAttr]:
        return self.ROW.iterator_types(rank_of(self.operands[-1]))

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        position = parser.pos
        attributes = parser.parse_optional_properties_dict()
        if "indexing_maps" in cls.ROW.attributes and parser.parse_optional_keyword("indexing_maps"):
            parser.parse_punctuation("=")
            attributes["indexing_maps"] = parser.parse_attribute()
        attributes |= parser.parse_optional_attr_dict()
        inputs, outputs = parse_operand_group(parser, "ins"), parse_operand_group(parser, "outs")
        attributes |= parser.parse_optional_attr_dict()
        results = parse_result_types(parser)
        try:
            return cls.assemble(inputs, outputs, results, attributes)
        except ValueError as error:
            parser.raise_error(f"{cls.name}: {error}", position, parser.pos)

    @classmethod
    def assemble(
        cls,
        inputs: Sequence[SSAValue],
        outputs: Sequence[SSAValue],
        results: Sequence[Attribute],
        attributes: Mapping[str, Attribute],
    ) -> Self:
        """The operation with its body built; of `attributes`, the inherent ones become properties.

        Raises ValueError for the wrong number of operands and for element types that the body does not admit.
        """
        row = cls.ROW
        if len(inputs) != row.input_count or len(outputs) != 1:
            raise ValueError(
                f"expects {row.input_count} inputs and 1 output, got {len(inputs)} and {len(outputs)}"
            )
        inherent = cls.get_irdl_definition().properties
        properties = {name: value for name, value in attributes.items() if name in inherent}
        properties[SEGMENT_SIZES] = segment_sizes(len(inputs), len(outputs))
        if "indexing_maps" in row.attributes and "indexing_maps" not in properties:
            properties["indexing_maps"] = row.indexing_maps((), ())
        operands = (*inputs, *outputs)
        op = cls.create(
            operands=operands,
            result_types=results,
            properties={name: properties[name] for name in sorted(properties)},
            attributes={name: value for name, value in attributes.items() if name not in inherent},
            regions=(cls.build_body(operands, properties),),
        )
        if row.windows:
            _ = op.window
        return op

    @classmethod
    def build_body(cls, operands: Sequence[SSAValue], properties: Mapping[str, Attribute]) -> Region:
        """The body that mlir-opt gives this operation."""
        return build_body(cls.ROW.body, operands, unsigned=is_unsigned(properties))

    def print(self, printer: Printer) -> None:
        maps = self.properties.get("indexing_maps")
        if maps is not None and maps != self.ROW.indexing_maps((), ()):
            printer.print_string(" indexing_maps = ")
            printer.print_attribute(maps)
        print_attributes(printer, {**self.attributes, **self.properties}, omit=("indexing_maps",))
        InsAndOuts().write(printer, self)
        ResultTypes().write(printer, self)


def is_unsigned(properties: Mapping[str, Attribute]) -> bool:
    """Whether the `cast` attribute says that integers are widened without their sign."""
    cast_kind = properties.get("cast")
    return isinstance(cast_kind, TypeFnAttr) and cast_kind.data == "cast_unsigned"


def _named_class(row: Row) -> type[NamedOp]:
    class_name = "".join(part.capitalize() for part in row.name.split("_")) + "Op"
    fields: dict[str, object] = {
        "__doc__": f"linalg.{row.name}: {row.body} over {row.iterators}, operands indexed by {row.maps}.",
        "__annotations__": {"ROW": ClassVar[Row]},
        "__module__": __name__,
        "name": f"linalg.{row.name}",
        "ROW": row,
    }
    if row.windows:
        fields |= {name: opt_prop_def(DenseIntElementsAttr) for name in ("strides", "dilations")}
    if "cast" in row.attributes:
        fields["cast"] = opt_prop_def(TypeFnAttr)
    if "indexing_maps" in row.attributes:
        fields["indexing_maps"] = opt_prop_def(ArrayAttr[AffineMapAttr])
    return irdl_op_definition(cast(type[NamedOp], type(class_name, (NamedOp,), fields)))


NAMED_CLASSES: Mapping[str, type[NamedOp]] = {name: _named_class(row) for name, row in NAMED_OPS.items()}
"""The class of each named operation, by its name without `linalg.`."""
