"""The named structured operations of MLIR's linalg dialect (LLVM 22), one row each.

A structured operation is a perfect loop nest over a domain of named iterators; each operand (inputs first,
then outputs) is indexed by a map from that domain, and a scalar body combines one element of each operand.
A row says exactly this:

    Row("conv_1d_nwc_wcf", "n ow f +kw +c", "n W c; kw c f; n ow f", MAC)

reads: out[n, ow, f] += in[n, W, c] * filter[kw, c, f]. A "+" before an iterator marks a reduction, the
others are parallel. D, H and W abbreviate the windowed subscripts od*SD + kd*DD, oh*SH + kh*DH and ow*SW +
kw*DW, where SD, SH, SW are the entries of the op's `strides` and DD, DH, DW those of its `dilations` (1
where the attribute is absent). "-" is the map of a scalar operand. "..." stands for as many iterators as
the output has dimensions: the operation has any rank and each operand is indexed by all of them.

Source: the operation set of mlir-opt 22; tests/dialects/linalg/test_linalg_ops.py compares every row with
what mlir-opt's generalisation of the operation gives.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property

from xdsl.dialects.builtin import AffineMapAttr, ArrayAttr
from xdsl.dialects.linalg.attrs import IteratorTypeAttr
from xdsl.ir.affine import AffineExpr, AffineMap

ANY_RANK = "..."

# The bodies (see linalg_bodies.py). An elementwise function is named by itself: "exp", "add", "select", ...
MAC = "multiply-accumulate"  # out + in0 * in1
MAC_Q = "quantized multiply-accumulate"  # out + (in0 - in2) * (in1 - in3); in2 and in3 are the zero points
POOL_SUM = "accumulate add"  # out + in0
POOL_MAX, POOL_MIN = "accumulate max", "accumulate min"
POOL_UMAX, POOL_UMIN = "accumulate max_unsigned", "accumulate min_unsigned"


@dataclass(frozen=True)
class Row:
    """One named structured operation: `name` without the dialect, `iterators`, `maps` and `body` as in the
    table.

    `attributes` are the inherent attributes besides strides and dilations: "cast" (how elements are
    converted to the output's type) and "indexing_maps" (the maps may be given by the user; the row's are
    the default).
    """

    name: str
    iterators: str
    maps: str
    body: str
    attributes: tuple[str, ...] = ()

    @cached_property
    def any_rank(self) -> bool:
        """Whether the number of iterators is the rank of the output."""
        return self.iterators == ANY_RANK

    @cached_property
    def iterator_names(self) -> tuple[str, ...] | None:
        """The iterators' letters, outermost first; None where their number is not fixed."""
        return None if self.any_rank else tuple(name.lstrip("+") for name in self.iterators.split())

    @cached_property
    def operand_maps(self) -> tuple[str, ...]:
        """The text of each operand's map: ("m k", "", "m") for maps="m k; -; m"."""
        return tuple(text.strip(" -") for text in self.maps.split(";"))

    @cached_property
    def input_count(self) -> int:
        """How many operands are inputs: every named operation has one output."""
        return len(self.operand_maps) - 1

    @cached_property
    def windows(self) -> str:
        """The letters with a stride and a dilation, in the order of the attributes: "", "W", "HW", "DHW"."""
        return "".join(letter for letter in "DHW" if letter in self.maps)

    @cached_property
    def _iterator_types(self) -> ArrayAttr[IteratorTypeAttr]:
        return ArrayAttr(
            IteratorTypeAttr.reduction() if name.startswith("+") else IteratorTypeAttr.parallel()
            for name in self.iterators.split()
        )

    def iterator_types(self, rank: int) -> ArrayAttr[IteratorTypeAttr]:
        """The kinds of the iterators; `rank` (of the output) matters to operations of any rank only."""
        return parallel_iterators(rank) if self.any_rank else self._iterator_types

    def indexing_maps(self, strides: tuple[int, ...], dilations: tuple[int, ...]) -> ArrayAttr[AffineMapAttr]:
        """The maps of a row of fixed rank. Computed once for each pair of strides and dilations."""
        return _fixed_maps(self.name, strides, dilations)

    def any_rank_maps(self, ranks: tuple[int, ...]) -> ArrayAttr[AffineMapAttr]:
        """A row of any rank: the maps for operands of these ranks, the identity, or `-> ()` for a scalar."""
        return identity_maps(ranks)


@cache
def parallel_iterators(count: int) -> ArrayAttr[IteratorTypeAttr]:
    """`count` parallel iterators."""
    return ArrayAttr((IteratorTypeAttr.parallel(),) * count)


@cache
def identity_maps(ranks: tuple[int, ...]) -> ArrayAttr[AffineMapAttr]:
    """For each operand rank the identity over the last operand's dimensions, or the empty map for rank 0."""
    loops = ranks[-1]
    scalar = AffineMapAttr(AffineMap(loops, 0, ()))
    whole = AffineMapAttr(AffineMap.identity(loops))
    return ArrayAttr(whole if rank else scalar for rank in ranks)


@cache
def _fixed_maps(name: str, strides: tuple[int, ...], dilations: tuple[int, ...]) -> ArrayAttr[AffineMapAttr]:
    row = NAMED_OPS[name]
    iterators = row.iterator_names or ()
    window = dict(zip(row.windows, zip(strides, dilations, strict=True), strict=True))

    def subscript(text: str) -> AffineExpr:
        if text in window:
            (stride, dilation), letter = window[text], text.lower()
            return _scaled(iterators.index(f"o{letter}"), stride) + _scaled(
                iterators.index(f"k{letter}"), dilation
            )
        first, *rest = (_scaled(iterators.index(name), 1) for name in text.split("+"))
        return sum(rest, start=first)

    return ArrayAttr(
        AffineMapAttr(AffineMap(len(iterators), 0, tuple(map(subscript, text.split()))))
        for text in row.operand_maps
    )


def _scaled(iterator: int, factor: int) -> AffineExpr:
    """`d * factor`, without the multiplication by 1 that mlir-opt does not print."""
    dimension = AffineExpr.dimension(iterator)
    return dimension if factor == 1 else dimension * factor


def _elementwise(inputs: int, names: str) -> tuple[Row, ...]:
    maps = "; ".join([ANY_RANK] * (inputs + 1))
    return tuple(Row(name, ANY_RANK, maps, name) for name in names.split())


_USER_MAPS = ("indexing_maps", "cast")

_ROWS: tuple[Row, ...] = (
    *_elementwise(1, "exp log abs ceil floor negf reciprocal round sqrt rsqrt square tanh erf"),
    *_elementwise(2, "add sub mul div div_unsigned max min powf"),
    *_elementwise(3, "select"),
    Row("copy", "...", "...; ...", "copy", ("cast",)),
    Row("fill", "...", "-; ...", "fill"),
    Row("fill_rng_2d", "i j", "-; -; -; i j", "fill_rng_2d"),
    # Contractions.
    Row("matmul", "m n +k", "m k; k n; m n", MAC, _USER_MAPS),
    Row("batch_matmul", "b m n +k", "b m k; b k n; b m n", MAC, _USER_MAPS),
    Row("batch_reduce_matmul", "+b m n +k", "b m k; b k n; m n", MAC, _USER_MAPS),
    Row("quantized_matmul", "m n +k", "m k; k n; -; -; m n", MAC_Q),
    Row("quantized_batch_matmul", "b m n +k", "b m k; b k n; -; -; b m n", MAC_Q),
    Row("mmt4d", "m n +k m0 n0 +k0", "m k m0 k0; n k n0 k0; m n m0 n0", MAC),
    Row("batch_mmt4d", "b m n +k m0 n0 +k0", "b m k m0 k0; b n k n0 k0; b m n m0 n0", MAC),
    Row("matvec", "m +n", "m n; n; m", MAC),
    Row("vecmat", "n +m", "m; m n; n", MAC),
    Row("batch_matvec", "b m +k", "b m k; b k; b m", MAC),
    Row("batch_vecmat", "b n +k", "b k; b k n; b n", MAC),
    Row("dot", "+m", "m; m; -", MAC),
    # Convolutions: the input, the filter, the output.
    Row("conv_1d", "ow +kw", "ow+kw; kw; ow", MAC),
    Row("conv_2d", "oh ow +kh +kw", "oh+kh ow+kw; kh kw; oh ow", MAC),
    Row("conv_3d", "od oh ow +kd +kh +kw", "od+kd oh+kh ow+kw; kd kh kw; od oh ow", MAC),
    Row("conv_1d_nwc_wcf", "n ow f +kw +c", "n W c; kw c f; n ow f", MAC),
    Row("conv_1d_ncw_fcw", "n f ow +c +kw", "n c W; f c kw; n f ow", MAC),
    Row("conv_2d_nhwc_hwcf", "n oh ow f +kh +kw +c", "n H W c; kh kw c f; n oh ow f", MAC),
    Row("conv_2d_nhwc_fhwc", "n oh ow f +kh +kw +c", "n H W c; f kh kw c; n oh ow f", MAC),
    Row("conv_2d_nchw_fchw", "n f oh ow +c +kh +kw", "n c H W; f c kh kw; n f oh ow", MAC),
    Row("conv_2d_ngchw_fgchw", "n g f oh ow +c +kh +kw", "n g c H W; f g c kh kw; n g f oh ow", MAC),
    Row("conv_2d_ngchw_gfchw", "n g f oh ow +c +kh +kw", "n g c H W; g f c kh kw; n g f oh ow", MAC),
    Row("conv_2d_nhwgc_gfhwc", "n oh ow g f +kh +kw +c", "n H W g c; g f kh kw c; n oh ow g f", MAC),
    Row("conv_3d_ndhwc_dhwcf", "n od oh ow f +kd +kh +kw +c", "n D H W c; kd kh kw c f; n od oh ow f", MAC),
    Row("conv_3d_ncdhw_fcdhw", "n f od oh ow +c +kd +kh +kw", "n c D H W; f c kd kh kw; n f od oh ow", MAC),
    # Quantised convolutions: the input, the filter, their two zero points, the output.
    Row("conv_2d_nhwc_hwcf_q", "n oh ow f +kh +kw +c", "n H W c; kh kw c f; -; -; n oh ow f", MAC_Q),
    Row("conv_2d_nhwc_fhwc_q", "n oh ow f +kh +kw +c", "n H W c; f kh kw c; -; -; n oh ow f", MAC_Q),
    Row("conv_2d_nchw_fchw_q", "n f oh ow +c +kh +kw", "n c H W; f c kh kw; -; -; n f oh ow", MAC_Q),
    Row(
        "conv_2d_ngchw_gfchw_q", "n g f oh ow +c +kh +kw", "n g c H W; g f c kh kw; -; -; n g f oh ow", MAC_Q
    ),
    Row(
        "conv_2d_nhwgc_gfhwc_q", "n oh ow g f +kh +kw +c", "n H W g c; g f kh kw c; -; -; n oh ow g f", MAC_Q
    ),
    Row(
        "conv_3d_ndhwc_dhwcf_q",
        "n od oh ow f +kd +kh +kw +c",
        "n D H W c; kd kh kw c f; -; -; n od oh ow f",
        MAC_Q,
    ),
    # Depthwise convolutions: each input channel has filters of its own.
    Row("depthwise_conv_1d_nwc_wc", "n ow ic +kw", "n W ic; kw ic; n ow ic", MAC),
    Row("depthwise_conv_1d_ncw_cw", "n ow ic +kw", "n ic W; ic kw; n ic ow", MAC),
    Row("depthwise_conv_1d_nwc_wcm", "n ow ic cm +kw", "n W ic; kw ic cm; n ow ic cm", MAC),
    Row("depthwise_conv_2d_nhwc_hwc", "n oh ow ic +kh +kw", "n H W ic; kh kw ic; n oh ow ic", MAC),
    Row("depthwise_conv_2d_nchw_chw", "n oh ow ic +kh +kw", "n ic H W; ic kh kw; n ic oh ow", MAC),
    Row("depthwise_conv_2d_nhwc_hwc_q", "n oh ow ic +kh +kw", "n H W ic; kh kw ic; -; -; n oh ow ic", MAC_Q),
    Row("depthwise_conv_2d_nhwc_hwcm", "n oh ow ic cm +kh +kw", "n H W ic; kh kw ic cm; n oh ow ic cm", MAC),
    Row(
        "depthwise_conv_2d_nhwc_hwcm_q",
        "n oh ow ic cm +kh +kw",
        "n H W ic; kh kw ic cm; -; -; n oh ow ic cm",
        MAC_Q,
    ),
    Row(
        "depthwise_conv_3d_ndhwc_dhwc",
        "n od oh ow +kd +kh +kw ic",
        "n D H W ic; kd kh kw ic; n od oh ow ic",
        MAC,
    ),
    Row(
        "depthwise_conv_3d_ncdhw_cdhw",
        "n od oh ow +kd +kh +kw ic",
        "n ic D H W; ic kd kh kw; n ic od oh ow",
        MAC,
    ),
    Row(
        "depthwise_conv_3d_ndhwc_dhwcm",
        "n od oh ow cm +kd +kh +kw ic",
        "n D H W ic; kd kh kw ic cm; n od oh ow ic cm",
        MAC,
    ),
    # Poolings: the input, the window (of which only the shape matters), the output.
    Row("pooling_nwc_sum", "n ow c +kw", "n W c; kw; n ow c", POOL_SUM),
    Row("pooling_nwc_max", "n ow c +kw", "n W c; kw; n ow c", POOL_MAX),
    Row("pooling_nwc_max_unsigned", "n ow c +kw", "n W c; kw; n ow c", POOL_UMAX),
    Row("pooling_nwc_min", "n ow c +kw", "n W c; kw; n ow c", POOL_MIN),
    Row("pooling_nwc_min_unsigned", "n ow c +kw", "n W c; kw; n ow c", POOL_UMIN),
    Row("pooling_ncw_sum", "n c ow +kw", "n c W; kw; n c ow", POOL_SUM),
    Row("pooling_ncw_max", "n c ow +kw", "n c W; kw; n c ow", POOL_MAX),
    Row("pooling_nhwc_sum", "n oh ow c +kh +kw", "n H W c; kh kw; n oh ow c", POOL_SUM),
    Row("pooling_nhwc_max", "n oh ow c +kh +kw", "n H W c; kh kw; n oh ow c", POOL_MAX),
    Row("pooling_nhwc_max_unsigned", "n oh ow c +kh +kw", "n H W c; kh kw; n oh ow c", POOL_UMAX),
    Row("pooling_nhwc_min", "n oh ow c +kh +kw", "n H W c; kh kw; n oh ow c", POOL_MIN),
    Row("pooling_nhwc_min_unsigned", "n oh ow c +kh +kw", "n H W c; kh kw; n oh ow c", POOL_UMIN),
    Row("pooling_nchw_sum", "n c oh ow +kh +kw", "n c H W; kh kw; n c oh ow", POOL_SUM),
    Row("pooling_nchw_max", "n c oh ow +kh +kw", "n c H W; kh kw; n c oh ow", POOL_MAX),
    Row("pooling_ndhwc_sum", "n od oh ow c +kd +kh +kw", "n D H W c; kd kh kw; n od oh ow c", POOL_SUM),
    Row("pooling_ndhwc_max", "n od oh ow c +kd +kh +kw", "n D H W c; kd kh kw; n od oh ow c", POOL_MAX),
    Row("pooling_ndhwc_min", "n od oh ow c +kd +kh +kw", "n D H W c; kd kh kw; n od oh ow c", POOL_MIN),
)

NAMED_OPS: dict[str, Row] = {row.name: row for row in _ROWS}
"""Every row by the operation's name without `linalg.`."""
