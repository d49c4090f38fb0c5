"""Invalid operations of vector: what is said of them, and where, is what mlir-opt 22 says."""

from __future__ import annotations

from tests.dialects.problem_cases import Invalid, NoProblemTests, ProblemTests

INVALID: dict[str, Invalid] = {
    "broadcast size": Invalid.within(
        "%x: vector<4xf32>", "%r = vector.broadcast %x : vector<4xf32> to vector<3x5xf32>"
    ),
    "broadcast rank": Invalid.within(
        "%x: vector<2x4xf32>", "%r = vector.broadcast %x : vector<2x4xf32> to vector<4xf32>"
    ),
    "broadcast elem": Invalid.within(
        "%x: vector<4xf64>", "%r = vector.broadcast %x : vector<4xf64> to vector<3x4xf32>"
    ),
    "broadcast scalar": Invalid.within("%x: f64", "%r = vector.broadcast %x : f64 to vector<3x4xf32>"),
    "broadcast scal": Invalid.within(
        "%x: vector<[4]xf32>", "%r = vector.broadcast %x : vector<[4]xf32> to vector<2x4xf32>"
    ),
    "extract oob": Invalid.within("%x: vector<4xf32>", "%r = vector.extract %x[4] : f32 from vector<4xf32>"),
    "extract neg": Invalid.within("%x: vector<4xf32>", "%r = vector.extract %x[-2] : f32 from vector<4xf32>"),
    "extract scal": Invalid.within(
        "%x: vector<[4]xf32>", "%r = vector.extract %x[5] : f32 from vector<[4]xf32>"
    ),
    "extract rank": Invalid.within(
        "%x: vector<4xf32>", "%r = vector.extract %x[0, 0] : f32 from vector<4xf32>"
    ),
    "extract type": Invalid.within(
        "%x: vector<4x5xf32>", "%r = vector.extract %x[0] : vector<4xf32> from vector<4x5xf32>"
    ),
    "extract type2": Invalid.within(
        "%x: vector<4x5xf32>", "%r = vector.extract %x[0] : f32 from vector<4x5xf32>"
    ),
    "insert oob": Invalid.within(
        "%x: vector<4xf32>, %y: f32", "%r = vector.insert %y, %x[4] : f32 into vector<4xf32>"
    ),
    "insert rank": Invalid.within(
        "%x: vector<4xf32>, %y: f32", "%r = vector.insert %y, %x[0, 0] : f32 into vector<4xf32>"
    ),
    "insert scalar": Invalid.within(
        "%x: vector<4x5xf32>, %y: f32", "%r = vector.insert %y, %x[0] : f32 into vector<4x5xf32>"
    ),
    "insert rank2": Invalid.within(
        "%x: vector<4x5xf32>, %y: vector<5xf32>",
        "%r = vector.insert %y, %x[0, 1] : vector<5xf32> into vector<4x5xf32>",
    ),
    "transpose size": Invalid.within(
        "%x: vector<4x5xf32>", "%r = vector.transpose %x, [1, 0] : vector<4x5xf32> to vector<4x5xf32>"
    ),
    "transpose twice": Invalid.within(
        "%x: vector<4x5xf32>", "%r = vector.transpose %x, [1, 1] : vector<4x5xf32> to vector<5x4xf32>"
    ),
    "transpose range": Invalid.within(
        "%x: vector<4x5xf32>", "%r = vector.transpose %x, [0, 2] : vector<4x5xf32> to vector<4x5xf32>"
    ),
    "transpose length": Invalid.within(
        "%x: vector<4x5xf32>", "%r = vector.transpose %x, [0] : vector<4x5xf32> to vector<4x5xf32>"
    ),
    "transpose rank": Invalid.within(
        "%x: vector<4x5xf32>", "%r = vector.transpose %x, [1, 0] : vector<4x5xf32> to vector<4x5x1xf32>"
    ),
    "transpose elem": Invalid.within(
        "%x: vector<4x5xf32>", "%r = vector.transpose %x, [1, 0] : vector<4x5xf32> to vector<5x4xf64>"
    ),
    "shape_cast elements": Invalid.within(
        "%x: vector<4x5xf32>", "%r = vector.shape_cast %x : vector<4x5xf32> to vector<21xf32>"
    ),
    "shape_cast type": Invalid.within(
        "%x: vector<4x5xf32>", "%r = vector.shape_cast %x : vector<4x5xf32> to vector<20xf64>"
    ),
    "shape_cast scal": Invalid.within(
        "%x: vector<4x[5]xf32>", "%r = vector.shape_cast %x : vector<4x[5]xf32> to vector<20xf32>"
    ),
    "extract_strided_slice end": Invalid.within(
        "%x: vector<4x5xf32>",
        "%r = vector.extract_strided_slice %x {offsets = [3], sizes = [2], strides = [1]} : vector<4x5xf32> to vector<2x5xf32>",
    ),
    "extract_strided_slice offset": Invalid.within(
        "%x: vector<4x5xf32>",
        "%r = vector.extract_strided_slice %x {offsets = [4], sizes = [2], strides = [1]} : vector<4x5xf32> to vector<2x5xf32>",
    ),
    "extract_strided_slice size": Invalid.within(
        "%x: vector<4x5xf32>",
        "%r = vector.extract_strided_slice %x {offsets = [0], sizes = [5], strides = [1]} : vector<4x5xf32> to vector<5x5xf32>",
    ),
    "extract_strided_slice stride": Invalid.within(
        "%x: vector<4x5xf32>",
        "%r = vector.extract_strided_slice %x {offsets = [0], sizes = [2], strides = [2]} : vector<4x5xf32> to vector<2x5xf32>",
    ),
    "extract_strided_slice count": Invalid.within(
        "%x: vector<4x5xf32>",
        "%r = vector.extract_strided_slice %x {offsets = [0, 0], sizes = [2], strides = [1]} : vector<4x5xf32> to vector<2x5xf32>",
    ),
    "extract_strided_slice rank": Invalid.within(
        "%x: vector<4x5xf32>",
        "%r = vector.extract_strided_slice %x {offsets = [0, 0, 0], sizes = [2, 1, 1], strides = [1, 1, 1]} : vector<4x5xf32> to vector<2x5xf32>",
    ),
    "extract_strided_slice type": Invalid.within(
        "%x: vector<4x5xf32>",
        "%r = vector.extract_strided_slice %x {offsets = [0], sizes = [2], strides = [1]} : vector<4x5xf32> to vector<3x5xf32>",
    ),
    "insert_strided_slice end": Invalid.within(
        "%x: vector<2x5xf32>, %y: vector<4x5xf32>",
        "%r = vector.insert_strided_slice %x, %y {offsets = [3, 0], strides = [1, 1]} : vector<2x5xf32> into vector<4x5xf32>",
    ),
    "insert_strided_slice offset": Invalid.within(
        "%x: vector<2x5xf32>, %y: vector<4x5xf32>",
        "%r = vector.insert_strided_slice %x, %y {offsets = [4, 0], strides = [1, 1]} : vector<2x5xf32> into vector<4x5xf32>",
    ),
    "insert_strided_slice offsets": Invalid.within(
        "%x: vector<2x5xf32>, %y: vector<4x5xf32>",
        "%r = vector.insert_strided_slice %x, %y {offsets = [0], strides = [1, 1]} : vector<2x5xf32> into vector<4x5xf32>",
    ),
    "insert_strided_slice strides": Invalid.within(
        "%x: vector<2x5xf32>, %y: vector<4x5xf32>",
        "%r = vector.insert_strided_slice %x, %y {offsets = [0, 0], strides = [1]} : vector<2x5xf32> into vector<4x5xf32>",
    ),
    "insert_strided_slice rank": Invalid.within(
        "%x: vector<2x5x1xf32>, %y: vector<4x5xf32>",
        "%r = vector.insert_strided_slice %x, %y {offsets = [0, 0], strides = [1, 1, 1]} : vector<2x5x1xf32> into vector<4x5xf32>",
    ),
    "insert_strided_slice stride": Invalid.within(
        "%x: vector<2x5xf32>, %y: vector<4x5xf32>",
        "%r = vector.insert_strided_slice %x, %y {offsets = [0, 0], strides = [1, 2]} : vector<2x5xf32> into vector<4x5xf32>",
    ),
    "shuffle": Invalid.within(
        "%x: vector<4xf32>", "%r = vector.shuffle %x, %x [0, 8] : vector<4xf32>, vector<4xf32>"
    ),
    "shuffle2": Invalid.within(
        "%x: vector<4xf32>", "%r = vector.shuffle %x, %x [0, -2] : vector<4xf32>, vector<4xf32>"
    ),
    "create_mask": Invalid.within("%i: index", "%r = vector.create_mask %i : vector<4x4xi1>"),
    "constant_mask": Invalid.within("", "%r = vector.constant_mask [5] : vector<4xi1>"),
    "constant_mask rank": Invalid.within("", "%r = vector.constant_mask [1, 1] : vector<4xi1>"),
    "interleave": Invalid.within(
        "%x: vector<4xf32>",
        '%r = "vector.interleave"(%x, %x) : (vector<4xf32>, vector<4xf32>) -> vector<7xf32>',
    ),
    "bitcast rank": Invalid.within(
        "%x: vector<4xf32>", "%r = vector.bitcast %x : vector<4xf32> to vector<2x2xf32>"
    ),
    "bitcast dims": Invalid.within(
        "%x: vector<4x2xf32>", "%r = vector.bitcast %x : vector<4x2xf32> to vector<2x4xf32>"
    ),
    "bitcast bits": Invalid.within(
        "%x: vector<4xf32>", "%r = vector.bitcast %x : vector<4xf32> to vector<4xf64>"
    ),
}

VALID: dict[str, str] = {
    "broadcast": Invalid.within(
        "%x: vector<1xf32>", "%r = vector.broadcast %x : vector<1xf32> to vector<4xf32>"
    ).text,
    "broadcast scal2": Invalid.within(
        "%x: vector<1xf32>", "%r = vector.broadcast %x : vector<1xf32> to vector<[4]xf32>"
    ).text,
    "extract poison": Invalid.within(
        "%x: vector<4xf32>", "%r = vector.extract %x[-1] : f32 from vector<4xf32>"
    ).text,
    "extract vec1": Invalid.within(
        "%x: vector<4x5xf32>", "%r = vector.extract %x[0, 0] : vector<1xf32> from vector<4x5xf32>"
    ).text,
    "insert type": Invalid.within(
        "%x: vector<4x5xf32>, %y: vector<4xf32>",
        "%r = vector.insert %y, %x[0] : vector<4xf32> into vector<4x5xf32>",
    ).text,
    "extract dyn": Invalid.within(
        "%x: vector<4x5xf32>, %i: index", "%r = vector.extract %x[%i] : vector<5xf32> from vector<4x5xf32>"
    ).text,
    "extract all": Invalid.within(
        "%x: vector<4x5xf32>", "%r = vector.extract %x[] : vector<4x5xf32> from vector<4x5xf32>"
    ).text,
    "extract rank0": Invalid.within(
        "%x: vector<f32>", "%r = vector.extract %x[] : f32 from vector<f32>"
    ).text,
    "extract scal ok": Invalid.within(
        "%x: vector<2x[4]xf32>", "%r = vector.extract %x[1] : vector<[4]xf32> from vector<2x[4]xf32>"
    ).text,
    "bitcast": Invalid.within(
        "%x: vector<4xf32>", "%r = vector.bitcast %x : vector<4xf32> to vector<8xi16>"
    ).text,
    "bitcast rank0": Invalid.within(
        "%x: vector<f32>", "%r = vector.bitcast %x : vector<f32> to vector<i32>"
    ).text,
    "shuffle rank0": Invalid.within(
        "%x: vector<f32>", "%r = vector.shuffle %x, %x [0, 1] : vector<f32>, vector<f32>"
    ).text,
    "shuffle rank2": Invalid.within(
        "%x: vector<1x4xf32>", "%r = vector.shuffle %x, %x [0, 1, 0] : vector<1x4xf32>, vector<1x4xf32>"
    ).text,
    "strided slice partial": Invalid.within(
        "%x: vector<4x8x16xf32>",
        "%r = vector.extract_strided_slice %x {offsets = [0, 2], sizes = [2, 4], strides = [1, 1]} : vector<4x8x16xf32> to vector<2x4x16xf32>",
    ).text,
    "strided slice scal": Invalid.within(
        "%x: vector<4x[8]xf32>",
        "%r = vector.extract_strided_slice %x {offsets = [0], sizes = [2], strides = [1]} : vector<4x[8]xf32> to vector<2x[8]xf32>",
    ).text,
    "create_mask rank0": Invalid.within("%i: index", "%r = vector.create_mask %i : vector<i1>").text,
}


class TestProblems(ProblemTests, NoProblemTests):
    invalid = INVALID
    valid = VALID
