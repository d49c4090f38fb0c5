"""A function: each question about it is a method, each answer a fact that holds the mathematics."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NoReturn

from xdsl.ir import Operation, SSAValue

from volcli.api.asking import answers, unknown_name
from volcli.api.pictures import Picture, picture_of
from volcli.api.set_pictures import ElementPicture, mars_picture
from volcli.api.set_pictures import regions_picture as picture_of_regions
from volcli.api.values import FunctionValue
from volcli.facts.access import AccessFact
from volcli.facts.allocations import AllocationFact
from volcli.facts.bounds import BoundsFact
from volcli.facts.comparisons import ClaimFact
from volcli.facts.cost import CostFact
from volcli.facts.dependences import DependenceFact, DependenceKind
from volcli.facts.fact import Fact
from volcli.facts.flow import BufferFact, ReadFact, WriteFact
from volcli.facts.loops import LoopFact
from volcli.facts.maps import MapFact
from volcli.facts.mars import MarsFact
from volcli.facts.nests import NestFact
from volcli.facts.preconditions import PreconditionFact
from volcli.facts.races import RaceFact
from volcli.facts.regions import RegionsFact
from volcli.facts.shapes import ShapeFact
from volcli.facts.slices import SlicesFact
from volcli.facts.volumes import VolumeFact
from volcli.facts.zeros import ZerosFact
from volcli.frontend.parse.names import values_of
from volcli.model.symbols import symbol_of
from volcli.passes.analyses.allocations import Allocations
from volcli.passes.analyses.check_accesses import CheckAccesses
from volcli.passes.analyses.check_races import CheckRaces
from volcli.passes.analyses.compare_slices import CompareSlices
from volcli.passes.analyses.compare_values import CompareValues
from volcli.passes.analyses.dependences import Dependences
from volcli.passes.analyses.index_costs import IndexCosts
from volcli.passes.analyses.mars import Mars
from volcli.passes.analyses.memory_flow import MemoryFlowPass
from volcli.passes.analyses.nests import Nests
from volcli.passes.analyses.structural_zeros import StructuralZeros
from volcli.passes.analyses.volumes import Volumes
from volcli.passes.base import Unit

if TYPE_CHECKING:  # numpy is imported when something is executed
    from volcli.execution.runs.inputs import Inputs
    from volcli.facts.executions import Execution


@dataclass(frozen=True, eq=False, repr=False)
class Function:
    """One function of a program: `program.function("f")`.

    Values are named as the program names them, with or without their %. A name that the function does not
    have raises UsageError (V005) with the nearest one. What is asked here is not added to `program.facts`.
    """

    unit: Unit
    operation: Operation

    def __reduce__(self) -> NoReturn:
        raise TypeError("a Function cannot be pickled: send its Program, or the facts that it answers with")

    @property
    def name(self) -> str:
        """Its symbol, without the @."""
        return symbol_of(self.operation)

    @property
    def arguments(self) -> tuple[FunctionValue, ...]:
        """Its arguments."""
        blocks = [region.blocks[0] for region in self.operation.regions if region.blocks]
        return tuple(
            FunctionValue(self.unit, self.operation, each) for block in blocks for each in block.args
        )

    @property
    def results(self) -> tuple[FunctionValue, ...]:
        """The returned values, each once."""
        found = [model.results() for model in self.unit.models() if model.function is self.operation]
        return tuple(FunctionValue(self.unit, self.operation, each) for results in found for each in results)

    @property
    def values(self) -> tuple[FunctionValue, ...]:
        """All values of the function, with those of nested regions, in the order of the text."""
        return tuple(FunctionValue(self.unit, self.operation, each) for each in values_of(self.operation))

    def value(self, name: str) -> FunctionValue:
        """The value called NAME; of several of one name, the first in the text.

        >>> import volcli
        >>> f = volcli.loads("func.func @f(%n: index, %m: index) { return }").function("f")
        >>> f.value("n")
        <Value %n: index>
        >>> f.value("%k")
        Traceback (most recent call last):
        volcli.diagnostics.diagnostic.UsageError: no value %k in @f
        """
        value = self.unit.parsed.names.find(self.operation, name)
        if value is None:
            names = [each.name for each in self.values]
            raise unknown_name("value", f"%{name.removeprefix('%')}", names, f"@{self.name}")
        return FunctionValue(self.unit, self.operation, value)

    # -- execution -------------------------------------------------------------------------------------

    @property
    def has_body(self) -> bool:
        """Whether it is more than a declaration."""
        return any(region.blocks for region in self.operation.regions)

    def run(
        self,
        inputs: Inputs | None = None,
        *,
        shuffle: int | None = None,
        sanitize: str = "all",
        show: str = "results",
        steps: int | None = None,
        memory: int | None = None,
    ) -> Execution:
        """Execute it on INPUTS (None: sizes of 4 and random elements).

        With `show="%r[0, 5]"`, only what this element of a tensor is computed from is executed.
        `shuffle` is the number of a random order of the iterations of parallel loops (None: as written),
        `steps` and `memory` (in MB) limit it, `sanitize` and `show` are as of `volcli run`. Raises UsageError
        (V018) if an input contradicts the type of its argument.

        >>> import volcli
        >>> f = volcli.loads(
        ...     "func.func @f(%n: i8) -> i8 { %r = arith.addi %n, %n : i8 return %r : i8 }"
        ... ).function("f")
        >>> from volcli.execution.runs.inputs import Inputs
        >>> f.run(Inputs(numbers={"n": 100})).results
        (-56,)
        """
        from volcli.api.execution import checks_of, element_of, executed
        from volcli.execution.memory.machine import Options
        from volcli.execution.runs.engine import DemandedElements
        from volcli.execution.runs.inputs import Inputs

        inputs = inputs or Inputs()
        name, index = element_of(show) if "[" in show else (show, None)
        traced = {"results": frozenset[SSAValue](), "trace": None}
        shown = None if show in traced else self.value(name)
        demand = None
        if shown is not None and index is not None:
            demand = DemandedElements(shown.name, shown.value, [index])
        options = Options(
            checks=checks_of(sanitize),
            seed=shuffle,
            symbolic=inputs.has_terms,
            demands=demand is not None,
            traced=traced[show] if shown is None else frozenset((shown.value,)),
        )
        if steps is not None:
            options = replace(options, most_steps=steps)
        if memory is not None:
            options = replace(options, most_bytes=memory << 20)
        return executed(
            self.unit,
            self.operation,
            self.unit.parsed.names.of_arguments(self.operation),
            inputs,
            options,
            demand,
        )

    def instances(self, base: Inputs) -> list[Inputs]:
        """Small sizes and index arguments, where BASE does not give them, that cover what may differ."""
        from volcli.execution.runs.instances import small

        names = self.unit.parsed.names.of_arguments(self.operation)
        return small(names, [each.type for each in self.operation.regions[0].blocks[0].args], base)

    # -- values ----------------------------------------------------------------------------------------

    def bounds(self, name: str, dim: int | None = None, in_terms_of: Sequence[str] = ()) -> BoundsFact:
        """`lower <= value <= upper` in all executions, of a number or of the size of a dimension DIM.

        Each side has an `expression` over what the function does not determine, and a number `constant` (each
        None without one), and is `exact` if it is attained. `equal` is the expression that the value is.
        With IN_TERMS_OF, the expressions speak of these values and sizes only, and are the tightest that do.

        >>> import volcli
        >>> f = volcli.loads('''func.func @f(%n: index) {
        ...   %c0 = arith.constant 0 : index
        ...   %c4 = arith.constant 4 : index
        ...   %c30 = arith.constant 30 : index
        ...   scf.for %i = %c0 to %c30 step %c4 {
        ...     %left = affine.min affine_map<(d0) -> (4, 30 - d0)>(%i)
        ...   }
        ...   return
        ... }''').function("f")
        >>> left = f.bounds("%left")
        >>> left.lower.constant, left.upper.constant, left.upper.exact
        (2, 4, True)
        >>> f.bounds("%left", in_terms_of=["%i"]).equal
        min(-%i + 30, 4)
        """
        return self.value(name).bounds(dim, in_terms_of)

    def shape(self, name: str) -> ShapeFact:
        """`sizes[d]`, the size of each dimension, as an expression over the sizes of the arguments.

        >>> import volcli
        >>> f = volcli.load("testdata/linalg/conv_layer_dynamic.mlir").function("krnl0")
        >>> f.shape("%pad0").sizes
        (1, 3, ifm_d2 + 3, ifm_d3 + 3)
        """
        return self.value(name).shape()

    def element_map(self, name: str, to: str = "inputs") -> MapFact:
        """`{ value[i] -> other[j] : value[i] depends on other[j] }`, at most where it is not `exact`.

        TO is "inputs" (of the function), "operands" (of the operation that makes it), or another value.
        `map` is isl's union map; each of `pieces` has isl's map of one volume. To a number (an index value,
        which may select elements) and across blocks it is unknown: `map` is None, and `reason` says why.

        >>> import volcli
        >>> f = volcli.load("testdata/linalg/conv_layer.mlir").function("krnl0")
        >>> f.element_map("%act0", to="%wgt").pieces
        (NamedMap("{ act0[n, f, h, w] -> wgt[f' = f, c, kh, kw] }"),)
        >>> f.element_map("%act0", to="%wgt").map.is_single_valued()
        False
        """
        value = self.value(name)
        return value.element_map(to if to in ("inputs", "operands") else self.value(to))

    def volumes(self) -> tuple[VolumeFact, ...]:
        """Each tensor as a volume: array, view or slice; the hull of a domain that is not a box.

        >>> import volcli
        >>> f = volcli.load("testdata/regions/volumes.mlir").function("volumes")
        >>> [(fact.value, fact.kind, fact.source) for fact in f.volumes()][:2]
        [('%upper', 'volume', None), ('%band', 'slice', '%upper')]
        """
        return answers(self.unit, self.operation, VolumeFact, Volumes())

    def zeros(self) -> tuple[ZerosFact, ...]:
        """How often each operation multiplies by a structural zero, and which loop points contribute.

        >>> import volcli
        >>> volcli.load("testdata/regions/finite.mlir").function("product").zeros()[0].multiplications
        60
        """
        return answers(self.unit, self.operation, ZerosFact, StructuralZeros())

    def mars(self, tile: str) -> tuple[MarsFact, ...]:
        """The data that flows between the tiles of TILE, hyperplanes with sizes (docs/mars.md).

        >>> import volcli
        >>> f = volcli.load("testdata/mars/jacobi_1d.mlir").function("jacobi_1d")
        >>> produced, initial = f.mars("t+i: 8, t-i: 8")
        >>> len(produced.sets), produced.flow_in, produced.invariant
        (4, 7, True)
        """
        return answers(self.unit, self.operation, MarsFact, Mars(tile=tile))

    def mars_pictures(self, tile: str, **numbers: int) -> tuple[ElementPicture, ...]:
        """The elements that one tile of TILE reads and produces of each array, drawn in two dimensions.

        NUMBERS are those of sizes that are symbols, of origins (o0, o1, ...; 0 if they are not given), and of
        dimensions that are not drawn. Raises UsageError (V005, V011).

        >>> import volcli
        >>> f = volcli.load("testdata/mars/jacobi_1d.mlir").function("jacobi_1d")
        >>> f.mars_pictures("t+i: 8, t-i: 8")[0]
        <ElementPicture %a produced by the tile (0, 0), tile t + i: 8, t - i: 8>
        """
        return tuple(mars_picture(fact, numbers) for fact in self.mars(tile))

    def regions_picture(self, name: str, **numbers: int) -> ElementPicture:
        """The regions of the value called NAME, drawn in two dimensions; NUMBERS are those of others.

        >>> import volcli
        >>> f = volcli.load("testdata/linalg/conv_layer.mlir").function("krnl0")
        >>> f.regions_picture("%act0")
        <ElementPicture regions of %act0 at n = 0, f = 0>
        """
        return picture_of_regions(self.regions(name), numbers)

    def regions(self, name: str, relative_to: Sequence[str] = ()) -> RegionsFact:
        """A partition of the value's index domain: dense, sparse by degree, static (docs/regions.md).

        Data are the elements of the values RELATIVE_TO, by default of all arguments.

        >>> import volcli
        >>> f = volcli.load("testdata/linalg/conv_layer.mlir").function("krnl0")
        >>> dense, edges, corners = f.regions("%act0").regions
        >>> edges.label, edges.count, edges.set.is_disjoint(dense.set)
        ('sparse of degree 1', 8128, True)
        """
        return self.value(name).regions([self.value(each) for each in relative_to])

    def allocations(self) -> tuple[AllocationFact, ...]:
        """How large each allocation can be, the loops that allocate it, and how long it lives.

        >>> import volcli
        >>> f = volcli.load("testdata/bounds/allocations.mlir").function("tiles")
        >>> [(each.value, each.size, each.loops, str(each.lifetime)) for each in f.allocations()]
        [('%tile', 256, ('%i',), 'freed in line 13'), ('%sums', 12, ('%i',), 'until its scope ends')]
        """
        return answers(self.unit, self.operation, AllocationFact, Allocations())

    # -- memory ----------------------------------------------------------------------------------------

    def dependences(
        self, kind: DependenceKind | None = None, *, assume_noalias_args: bool = False
    ) -> tuple[DependenceFact, ...]:
        """`{ sink's iteration - source's iteration }` of each two accesses to the same element.

        KIND is RAW, WAR or WAW. `distances.set` is isl's set; `witness` one pair of iterations.

        >>> import volcli
        >>> f = volcli.load("testdata/memory/shifted_rows.mlir").functions[0]
        >>> [(each.depth, each.distances.text) for each in f.dependences("RAW")]
        [(1, '{ [i = 2, j = 0] }')]
        """
        found = answers(self.unit, self.operation, DependenceFact, Dependences(assume_noalias_args))
        return tuple(each for each in found if kind in (None, each.kind))

    def loops(self, *, assume_noalias_args: bool = False) -> tuple[LoopFact, ...]:
        """Each loop: "parallel", a "reduction", or the dependences `carried` between its iterations.

        >>> import volcli
        >>> f = volcli.load("testdata/memory/paper_004.mlir").functions[0]
        >>> [(each.loop, each.kind, each.least_distance) for each in f.loops()]
        [('%i', 'carried', 2), ('%j', 'parallel', None)]
        """
        return answers(self.unit, self.operation, LoopFact, Dependences(assume_noalias_args, loops_only=True))

    def nests(self, *, assume_noalias_args: bool = False) -> tuple[NestFact, ...]:
        """Loops that may be interchanged and tiled, fused, or run several iterations at a time.

        Each is `legal` ("yes", "no", "unknown") if the `assumptions` hold.

        >>> import volcli
        >>> f = volcli.loads('''func.func @f(%m: memref<64xf32>) {
        ...   affine.for %i = 4 to 64 {
        ...     %x = affine.load %m[%i - 4] : memref<64xf32>
        ...     affine.store %x, %m[%i] : memref<64xf32>
        ...   }
        ...   return
        ... }''').function("f")
        >>> [(each.rewriting, each.legal, each.at_a_time) for each in f.nests()]
        [('vectorise', 'yes', 4)]
        """
        return answers(self.unit, self.operation, NestFact, Nests(assume_noalias_args))

    def costs(self) -> tuple[CostFact, ...]:
        """How many instructions index values and the bounds of loops take, and last the whole function.

        >>> import volcli
        >>> f = volcli.loads('''func.func @f(%n: index, %b: index) -> index {
        ...   %e = arith.ceildivsi %n, %b : index
        ...   return %e : index
        ... }''').function("f")
        >>> [(each.of, each.instructions, each.cycles) for each in f.costs()]
        [('%e', (('div', 1),), 24), ('@f', (('div', 1),), 24)]
        """
        return answers(self.unit, self.operation, CostFact, IndexCosts())

    def accesses(self) -> tuple[AccessFact, ...]:
        """Whether `0 <= index < size` for each access and each slice, in all iterations that reach it.

        >>> import volcli
        >>> f = volcli.loads('''func.func @f(%m: memref<9xf32>) {
        ...   affine.for %i = 0 to 9 { %x = affine.load %m[%i - 2] : memref<9xf32> }
        ...   return
        ... }''').function("f")
        >>> (access,) = f.accesses()
        >>> access.verdict, access.witness.iteration, access.witness.index
        ('out-of-bounds', (0,), (-2,))
        """
        return answers(self.unit, self.operation, AccessFact, CheckAccesses())

    def precondition(self) -> PreconditionFact | None:
        """The weakest condition on the arguments for all accesses to be in bounds; None if they need none.

        >>> import volcli
        >>> f = volcli.loads('''func.func @f(%m: memref<?xf32>, %n: index) {
        ...   affine.for %i = 0 to 10 { %x = affine.load %m[%i] : memref<?xf32> }
        ...   return
        ... }''').function("f")
        >>> f.precondition().condition
        'dim(%m, 0) >= 10'
        """
        return next(iter(answers(self.unit, self.operation, PreconditionFact, CheckAccesses())), None)

    def flow(self, *, assume_noalias_args: bool = False) -> tuple[BufferFact | ReadFact | WriteFact, ...]:
        """`{ writer's iteration -> reader's iteration }` of the last writer of each read; and dead writes.

        In the order of the text: first what each buffer brings in and leaves behind, then each access.

        >>> import volcli
        >>> f = volcli.loads('''func.func @f(%m: memref<8xf32>, %x: f32) {
        ...   affine.for %i = 0 to 8 { affine.store %x, %m[%i] : memref<8xf32> }
        ...   affine.for %j = 0 to 4 { %y = affine.load %m[2 * %j] : memref<8xf32> }
        ...   return
        ... }''').function("f")
        >>> buffer, write, read = f.flow()
        >>> read.sources[0].pairs.text, read.exact, read.unwritten
        ('{ [i] -> [j] : 2j = i and 0 <= i <= 6 }', True, None)
        """
        each = MemoryFlowPass(assume_noalias_args)
        found = answers(self.unit, self.operation, Fact, each)
        return tuple(one for one in found if isinstance(one, BufferFact | ReadFact | WriteFact))

    def races(self, *, assume_noalias_args: bool = False) -> tuple[RaceFact, ...]:
        """Whether two iterations of a parallel loop access the same element, and one of them writes it.

        >>> import volcli
        >>> f = volcli.loads('''func.func @f(%m: memref<8xindex>) {
        ...   affine.parallel (%i) = (0) to (8) { affine.store %i, %m[%i floordiv 2] : memref<8xindex> }
        ...   return
        ... }''').function("f")
        >>> (loop,) = f.races()
        >>> loop.verdict, loop.pairs[0].witness.source, loop.pairs[0].witness.sink
        ('race', (0,), (1,))
        """
        return answers(self.unit, self.operation, RaceFact, CheckRaces(assume_noalias_args))

    def slices(self, of: str = "") -> tuple[SlicesFact, ...]:
        """Each pair of slices of the tensor or buffer OF (default: of each): equal, disjoint, overlapping.

        >>> import volcli
        >>> f = volcli.load("testdata/slices/tiles.mlir").functions[0]
        >>> [(each.left, each.right, each.relation) for each in f.slices("%t")]
        [('%even', '%odd', 'disjoint'), ('%even', '%window', 'overlap'), ('%odd', '%window', 'overlap')]
        """
        names = (self.value(of).name,) if of else ()
        return answers(self.unit, self.operation, SlicesFact, CompareSlices(names))

    def compare(self, claim: str) -> ClaimFact:
        """Whether a CLAIM about the function's values holds in all executions: proved, refuted or unknown.

        >>> import volcli
        >>> f = volcli.load("testdata/bounds/matmul_tile.mlir").function("tiled")
        >>> f.compare("2 <= %width <= 9").found.verdict.value
        'proved'
        """
        (found,) = answers(self.unit, self.operation, ClaimFact, CompareValues(claim))
        return found

    def picture(self, dependence: DependenceFact, **numbers: int) -> Picture:
        """The iterations and arrows of a DEPENDENCE of this function; NUMBERS as for `Program.picture`."""
        spots = [(end.place.line, end.place.column) for end in (dependence.source, dependence.sink)]
        return picture_of([self.unit], dependence.place.file, spots, numbers)

    # -- notebooks -------------------------------------------------------------------------------------

    def __repr__(self) -> str:
        results = ", ".join(value.name for value in self.results)
        arguments = ", ".join(value.name for value in self.arguments)
        return f"<Function @{self.name}: {arguments or '()'} -> {results or '()'}>"
