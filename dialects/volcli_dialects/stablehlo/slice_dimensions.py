"""Which dimensions slices run along, as gather and scatter of stablehlo say it."""

from __future__ import annotations

import re

from xdsl.ir import Operation

from volcli.language.expressions import NotAffine
from volcli_dialects.cases.elements.selected_slices import SliceDimensions
from volcli_dialects.cases.parts import attribute
from volcli_dialects.stablehlo.syntax import text_of


def slice_dimensions(op: Operation) -> SliceDimensions:
    """`#stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], ..>`."""
    text = text_of(attribute(op, "dimension_numbers") or attribute(op, "scatter_dimension_numbers"))
    lists = {
        name: tuple(int(n) for n in listed.split(",") if n.strip())
        for name, listed in re.findall(r"(\w+)\s*=\s*\[([-\d,\s]*)\]", text)
    }
    vector = re.search(r"index_vector_dim\s*=\s*(\d+)", text)

    def one_of(*names: str) -> tuple[int, ...]:
        return next((lists[name] for name in names if name in lists), ())

    pairs = (
        one_of("operand_batching_dims", "input_batching_dims"),
        one_of("start_indices_batching_dims", "scatter_indices_batching_dims"),
    )
    if not text or len(pairs[0]) != len(pairs[1]):
        raise NotAffine("dimensions of slices that are not known")
    return SliceDimensions(
        one_of("offset_dims", "update_window_dims"),
        one_of("collapsed_slice_dims", "inserted_window_dims"),
        one_of("start_index_map", "scatter_dims_to_operand_dims"),
        tuple(zip(*pairs, strict=True)),
        int(vector.group(1)) if vector else 0,
    )
