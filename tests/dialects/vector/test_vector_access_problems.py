"""Invalid operations of vector that touch memory, or combine elements: what is said of them, and where, is what mlir-opt 22 says."""

from __future__ import annotations

from tests.dialects.problem_cases import Invalid, NoProblemTests, ProblemTests

INVALID: dict[str, Invalid] = {
    "transfer_read rank": Invalid.within(
        "%m: memref<4x4xf32>, %i: index, %x: f32",
        "%r = vector.transfer_read %m[%i], %x : memref<4x4xf32>, vector<4xf32>",
    ),
    "transfer_write rank": Invalid.within(
        "%m: memref<4x4xf32>, %i: index, %x: vector<4xf32>",
        "vector.transfer_write %x, %m[%i] : vector<4xf32>, memref<4x4xf32>",
    ),
    "transfer_read in_bounds": Invalid.within(
        "%m: memref<4x4xf32>, %i: index, %x: f32",
        "%r = vector.transfer_read %m[%i, %i], %x {in_bounds = [true, true]} : memref<4x4xf32>, vector<4xf32>",
    ),
    "transfer_read map": Invalid.within(
        "%m: memref<4x4xf32>, %i: index, %x: f32",
        "%r = vector.transfer_read %m[%i, %i], %x {permutation_map = affine_map<(d0) -> (d0)>} : memref<4x4xf32>, vector<4xf32>",
    ),
    "transfer_read map results": Invalid.within(
        "%m: memref<4x4xf32>, %i: index, %x: f32",
        "%r = vector.transfer_read %m[%i, %i], %x {permutation_map = affine_map<(d0, d1) -> (d0, d1)>} : memref<4x4xf32>, vector<4xf32>",
    ),
    "transfer_read map twice": Invalid.within(
        "%m: memref<4x4xf32>, %i: index, %x: f32",
        "%r = vector.transfer_read %m[%i, %i], %x {permutation_map = affine_map<(d0, d1) -> (d0, d0)>} : memref<4x4xf32>, vector<4x4xf32>",
    ),
    "load rank": Invalid.within(
        "%m: memref<4x4xf32>, %i: index", "%r = vector.load %m[%i] : memref<4x4xf32>, vector<4xf32>"
    ),
    "load elem": Invalid.within(
        "%m: memref<4xf32>, %i: index", "%r = vector.load %m[%i] : memref<4xf32>, vector<4xf64>"
    ),
    "load vec elem": Invalid.within(
        "%m: memref<4xvector<4xf32>>, %i: index",
        "%r = vector.load %m[%i] : memref<4xvector<4xf32>>, vector<4xf64>",
    ),
    "load vec elem2": Invalid.within(
        "%m: memref<4xvector<4xf32>>, %i: index",
        "%r = vector.load %m[%i] : memref<4xvector<4xf32>>, vector<8xf32>",
    ),
    "load stride": Invalid.within(
        "%m: memref<4x4xf32, strided<[1, 4]>>, %i: index",
        "%r = vector.load %m[%i, %i] : memref<4x4xf32, strided<[1, 4]>>, vector<4xf32>",
    ),
    "store rank": Invalid.within(
        "%m: memref<4x4xf32>, %i: index, %x: vector<4xf32>",
        "vector.store %x, %m[%i] : memref<4x4xf32>, vector<4xf32>",
    ),
    "store elem": Invalid.within(
        "%m: memref<4xf32>, %i: index, %x: vector<4xf64>",
        "vector.store %x, %m[%i] : memref<4xf32>, vector<4xf64>",
    ),
    "store rank elem": Invalid.within(
        "%m: memref<4x4xf32>, %i: index, %x: vector<4xf64>",
        "vector.store %x, %m[%i] : memref<4x4xf32>, vector<4xf64>",
    ),
    "maskedload rank": Invalid.within(
        "%m: memref<4x4xf32>, %i: index, %k: vector<4xi1>, %x: vector<4xf32>",
        "%r = vector.maskedload %m[%i], %k, %x : memref<4x4xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>",
    ),
    "maskedload mask": Invalid.within(
        "%m: memref<4x4xf32>, %i: index, %k: vector<5xi1>, %x: vector<4xf32>",
        "%r = vector.maskedload %m[%i, %i], %k, %x : memref<4x4xf32>, vector<5xi1>, vector<4xf32> into vector<4xf32>",
    ),
    "maskedload elem": Invalid.within(
        "%m: memref<4x4xf64>, %i: index, %k: vector<4xi1>, %x: vector<4xf32>",
        "%r = vector.maskedload %m[%i, %i], %k, %x : memref<4x4xf64>, vector<4xi1>, vector<4xf32> into vector<4xf32>",
    ),
    "maskedload pass": Invalid.within(
        "%m: memref<4x4xf32>, %i: index, %k: vector<4xi1>, %x: vector<5xf32>",
        "%r = vector.maskedload %m[%i, %i], %k, %x : memref<4x4xf32>, vector<4xi1>, vector<5xf32> into vector<4xf32>",
    ),
    "maskedstore rank": Invalid.within(
        "%m: memref<4x4xf32>, %i: index, %k: vector<4xi1>, %x: vector<4xf32>",
        "vector.maskedstore %m[%i], %k, %x : memref<4x4xf32>, vector<4xi1>, vector<4xf32>",
    ),
    "maskedstore mask": Invalid.within(
        "%m: memref<4x4xf32>, %i: index, %k: vector<5xi1>, %x: vector<4xf32>",
        "vector.maskedstore %m[%i, %i], %k, %x : memref<4x4xf32>, vector<5xi1>, vector<4xf32>",
    ),
    "maskedstore elem": Invalid.within(
        "%m: memref<4x4xf64>, %i: index, %k: vector<4xi1>, %x: vector<4xf32>",
        "vector.maskedstore %m[%i, %i], %k, %x : memref<4x4xf64>, vector<4xi1>, vector<4xf32>",
    ),
    "expandload rank": Invalid.within(
        "%m: memref<4x4xf32>, %i: index, %k: vector<4xi1>, %x: vector<4xf32>",
        "%r = vector.expandload %m[%i], %k, %x : memref<4x4xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>",
    ),
    "compressstore rank": Invalid.within(
        "%m: memref<4x4xf32>, %i: index, %k: vector<4xi1>, %x: vector<4xf32>",
        "vector.compressstore %m[%i], %k, %x : memref<4x4xf32>, vector<4xi1>, vector<4xf32>",
    ),
    "compressstore elem": Invalid.within(
        "%m: memref<4x4xf64>, %i: index, %k: vector<4xi1>, %x: vector<4xf32>",
        "vector.compressstore %m[%i, %i], %k, %x : memref<4x4xf64>, vector<4xi1>, vector<4xf32>",
    ),
    "gather rank": Invalid.within(
        "%m: memref<4x4xf32>, %i: index, %o: vector<4xi32>, %k: vector<4xi1>, %x: vector<4xf32>",
        "%r = vector.gather %m[%i] [%o], %k, %x : memref<4x4xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32> into vector<4xf32>",
    ),
    "gather elem": Invalid.within(
        "%m: memref<4x4xf64>, %i: index, %o: vector<4xi32>, %k: vector<4xi1>, %x: vector<4xf32>",
        "%r = vector.gather %m[%i, %i] [%o], %k, %x : memref<4x4xf64>, vector<4xi32>, vector<4xi1>, vector<4xf32> into vector<4xf32>",
    ),
    "gather offsets": Invalid.within(
        "%m: memref<4x4xf32>, %i: index, %o: vector<5xi32>, %k: vector<4xi1>, %x: vector<4xf32>",
        "%r = vector.gather %m[%i, %i] [%o], %k, %x : memref<4x4xf32>, vector<5xi32>, vector<4xi1>, vector<4xf32> into vector<4xf32>",
    ),
    "gather mask": Invalid.within(
        "%m: memref<4x4xf32>, %i: index, %o: vector<4xi32>, %k: vector<5xi1>, %x: vector<4xf32>",
        "%r = vector.gather %m[%i, %i] [%o], %k, %x : memref<4x4xf32>, vector<4xi32>, vector<5xi1>, vector<4xf32> into vector<4xf32>",
    ),
    "gather pass": Invalid.within(
        "%m: memref<4x4xf32>, %i: index, %o: vector<4xi32>, %k: vector<4xi1>, %x: vector<5xf32>",
        "%r = vector.gather %m[%i, %i] [%o], %k, %x : memref<4x4xf32>, vector<4xi32>, vector<4xi1>, vector<5xf32> into vector<4xf32>",
    ),
    "scatter rank": Invalid.within(
        "%m: memref<4x4xf32>, %i: index, %o: vector<4xi32>, %k: vector<4xi1>, %x: vector<4xf32>",
        "vector.scatter %m[%i] [%o], %k, %x : memref<4x4xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32>",
    ),
    "scatter mask": Invalid.within(
        "%m: memref<4x4xf32>, %i: index, %o: vector<4xi32>, %k: vector<5xi1>, %x: vector<4xf32>",
        "vector.scatter %m[%i, %i] [%o], %k, %x : memref<4x4xf32>, vector<4xi32>, vector<5xi1>, vector<4xf32>",
    ),
    "reduction rank": Invalid.within(
        "%x: vector<4x4xf32>", "%r = vector.reduction <add>, %x : vector<4x4xf32> into f32"
    ),
    "reduction kind": Invalid.within(
        "%x: vector<4xf32>", "%r = vector.reduction <and>, %x : vector<4xf32> into f32"
    ),
    "reduction kind2": Invalid.within(
        "%x: vector<4xi32>", "%r = vector.reduction <maximumf>, %x : vector<4xi32> into i32"
    ),
    "reduction kind3": Invalid.within(
        "%x: vector<4xf32>", "%r = vector.reduction <maxsi>, %x : vector<4xf32> into f32"
    ),
    "contract": Invalid.within(
        "%x: vector<4x5xf32>, %y: vector<6x4xf32>, %z: vector<4x4xf32>",
        '%r = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %x, %y, %z : vector<4x5xf32>, vector<6x4xf32> into vector<4x4xf32>',
    ),
    "contract result": Invalid.within(
        "%x: vector<4x5xf32>, %y: vector<5x4xf32>, %z: vector<4x6xf32>",
        '%r = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %x, %y, %z : vector<4x5xf32>, vector<5x4xf32> into vector<4x6xf32>',
    ),
    "contract batch": Invalid.within(
        "%x: vector<2x4x5xf32>, %y: vector<3x5x4xf32>, %z: vector<2x4x4xf32>",
        '%r = vector.contract {indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, k, n)>, affine_map<(b, m, n, k) -> (b, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"], kind = #vector.kind<add>} %x, %y, %z : vector<2x4x5xf32>, vector<3x5x4xf32> into vector<2x4x4xf32>',
    ),
    "contract maps": Invalid.within(
        "%x: vector<4x5xf32>, %y: vector<5x4xf32>, %z: vector<4x4xf32>",
        '%r = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %x, %y, %z : vector<4x5xf32>, vector<5x4xf32> into vector<4x4xf32>',
    ),
    "contract rank": Invalid.within(
        "%x: vector<4x5xf32>, %y: vector<5x4xf32>, %z: vector<4x4xf32>",
        '%r = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %x, %y, %z : vector<4x5xf32>, vector<5x4xf32> into vector<4x4xf32>',
    ),
    "contract dims": Invalid.within(
        "%x: vector<4x5xf32>, %y: vector<5x4xf32>, %z: vector<4x4xf32>",
        '%r = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel"], kind = #vector.kind<add>} %x, %y, %z : vector<4x5xf32>, vector<5x4xf32> into vector<4x4xf32>',
    ),
    "multi_reduction": Invalid.within(
        "%x: vector<4x5xf32>, %y: vector<4xf32>",
        "%r = vector.multi_reduction <add>, %x, %y [0] : vector<4x5xf32> to vector<4xf32>",
    ),
    "multi_reduction scalar": Invalid.within(
        "%x: vector<4x5xf32>, %y: f32",
        "%r = vector.multi_reduction <add>, %x, %y [0] : vector<4x5xf32> to f32",
    ),
    "multi_reduction range": Invalid.within(
        "%x: vector<4x5xf32>, %y: vector<4xf32>",
        "%r = vector.multi_reduction <add>, %x, %y [2] : vector<4x5xf32> to vector<4xf32>",
    ),
    "fma": Invalid.within(
        "%x: vector<4xf32>, %y: vector<5xf32>",
        '%r = "vector.fma"(%x, %x, %y) : (vector<4xf32>, vector<4xf32>, vector<5xf32>) -> vector<4xf32>',
    ),
    "load dyn stride": Invalid.within(
        "%m: memref<4x4xf32, strided<[1, ?]>>, %i: index",
        "%r = vector.load %m[%i, %i] : memref<4x4xf32, strided<[1, ?]>>, vector<4xf32>",
    ),
    "multi rank0": Invalid.within(
        "%x: vector<4xf32>, %y: vector<f32>",
        "%r = vector.multi_reduction <add>, %x, %y [0] : vector<4xf32> to vector<f32>",
    ),
}

VALID: dict[str, str] = {
    "multi_reduction kind": Invalid.within(
        "%x: vector<4x5xf32>, %y: vector<4xf32>",
        "%r = vector.multi_reduction <and>, %x, %y [1] : vector<4x5xf32> to vector<4xf32>",
    ).text,
    "load 1 elem strided": Invalid.within(
        "%m: memref<4x4xf32, strided<[1, 4]>>, %i: index",
        "%r = vector.load %m[%i, %i] : memref<4x4xf32, strided<[1, 4]>>, vector<1xf32>",
    ).text,
    "load vec elem ok": Invalid.within(
        "%m: memref<4xvector<4xf32>>, %i: index",
        "%r = vector.load %m[%i] : memref<4xvector<4xf32>>, vector<4xf32>",
    ).text,
    "contract scalar": Invalid.within(
        "%x: vector<4xf32>, %z: f32",
        '%r = vector.contract {indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> (k)>, affine_map<(k) -> ()>], iterator_types = ["reduction"], kind = #vector.kind<add>} %x, %x, %z : vector<4xf32>, vector<4xf32> into f32',
    ).text,
    "contract mixed": Invalid.within(
        "%x: vector<4x5xf16>, %y: vector<5x4xf16>, %z: vector<4x4xf32>",
        '%r = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (n, m)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %x, %y, %z : vector<4x5xf16>, vector<5x4xf16> into vector<4x4xf32>',
    ).text,
    "reduction rank0": Invalid.within(
        "%x: vector<f32>", "%r = vector.reduction <add>, %x : vector<f32> into f32"
    ).text,
    "reduction index": Invalid.within(
        "%x: vector<4xindex>", "%r = vector.reduction <maxui>, %x : vector<4xindex> into index"
    ).text,
    "multi scalar": Invalid.within(
        "%x: vector<4x5xf32>, %y: f32",
        "%r = vector.multi_reduction <add>, %x, %y [0, 1] : vector<4x5xf32> to f32",
    ).text,
    "multi none": Invalid.within(
        "%x: vector<4x5xf32>, %y: vector<4x5xf32>",
        "%r = vector.multi_reduction <add>, %x, %y [] : vector<4x5xf32> to vector<4x5xf32>",
    ).text,
    "transfer broadcast": Invalid.within(
        "%m: memref<4x4xf32>, %i: index, %x: f32",
        "%r = vector.transfer_read %m[%i, %i], %x {permutation_map = affine_map<(d0, d1) -> (0, d0)>, in_bounds = [true, true]} : memref<4x4xf32>, vector<4x4xf32>",
    ).text,
    "transfer vec elem": Invalid.within(
        "%m: memref<4x4xvector<4xf32>>, %i: index, %x: vector<4xf32>",
        "%r = vector.transfer_read %m[%i, %i], %x : memref<4x4xvector<4xf32>>, vector<1x1x4xf32>",
    ).text,
    "transfer vec elem2": Invalid.within(
        "%m: memref<4x4xvector<4x3xf32>>, %i: index, %x: vector<4x3xf32>",
        "%r = vector.transfer_read %m[%i, %i], %x : memref<4x4xvector<4x3xf32>>, vector<1x1x4x3xf32>",
    ).text,
}


class TestProblems(ProblemTests, NoProblemTests):
    invalid = INVALID
    valid = VALID
