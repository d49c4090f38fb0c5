"""Pictures of dependences in the terminal: iterations as characters, dependences as vectors.

%i  0  1  2  3
    o  o  x  x       o is a source, x a sink, @ both, . neither
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from volcli.diagnostics.counted import counted
from volcli.limits import printing as limits
from volcli.model.memory.dependences.answers import Kind
from volcli.model.memory.steps.diagrams import Arrow, Diagram, Iteration
from volcli.report.lines import Line, grid_head, grid_row

_KEY = "o source, x sink, @ both, . neither"


class TooWide(Exception):
    """A picture that does not fit; the text says how wide it is."""


Group = tuple[int, Kind]
"""A depth and a kind of dependence."""


def groups(diagram: Diagram) -> dict[Group, dict[Iteration, list[Arrow]]]:
    """The arrows by depth and kind, and by distance; in order."""
    found: dict[Group, dict[Iteration, list[Arrow]]] = {}
    for arrow in sorted(diagram.arrows, key=lambda a: (a.depth, a.kind.value, a.distance, a.source)):
        found.setdefault((arrow.depth, arrow.kind), defaultdict(list))[arrow.distance].append(arrow)
    return found


def picture(diagram: Diagram, *, width: int | None = None) -> Iterator[Line]:
    """DIAGRAM as lines of text, at most WIDTH columns wide. Raises TooWide."""
    yield from _settings(diagram)
    if not diagram.iterations:
        yield Line("no iteration at all")
        return
    yield from _grid(diagram, width)
    yield Line()
    yield Line(_KEY, "dim")
    yield from vectors(diagram)


def _settings(diagram: Diagram) -> Iterator[Line]:
    if diagram.fixed:
        yield Line(", ".join(f"{name} = {number}" for name, number in diagram.fixed.items()))
        yield Line()


def _grid(diagram: Diagram, width: int | None) -> Iterator[Line]:
    """One row for each iteration of the outer loop, one column for each of the inner one."""
    marks = _marks(diagram)
    last = [iteration[-1] for iteration in diagram.iterations]
    columns = range(min(last), max(last) + 1)
    is_flat = len(diagram.axes) == 1
    outer = sorted({iteration[0] for iteration in diagram.iterations}) if not is_flat else [0]
    rows = range(outer[0], outer[-1] + 1)
    head = diagram.axes[0] if is_flat else f"{diagram.axes[0]} \\ {diagram.axes[1]}"
    margin = max(len(head), *(len(str(row)) for row in (outer[0], outer[-1])))
    for cell in (max(len(str(columns[0])), len(str(columns[-1]))) + 2, 2):
        if width is None or margin + cell * len(columns) <= width:
            break
    else:
        raise TooWide(f"it is {margin + 2 * len(columns)} columns wide, and the terminal {width}")
    yield grid_head(head, margin, columns, cell)
    for row in rows:
        cells = [marks.get((column,) if is_flat else (row, column), "") for column in columns]
        yield grid_row("" if is_flat else str(row), margin, ((mark.rjust(cell), "") for mark in cells))


def _marks(diagram: Diagram) -> dict[Iteration, str]:
    sources = {arrow.source for arrow in diagram.arrows}
    sinks = {arrow.sink for arrow in diagram.arrows}
    kinds = {(False, False): ".", (True, False): "o", (False, True): "x", (True, True): "@"}
    return {each: kinds[each in sources, each in sinks] for each in diagram.iterations}


def vectors(diagram: Diagram) -> Iterator[Line]:
    """The distances of each depth and kind, each with how many arrows there are and the first one."""
    for (depth, kind), by_distance in groups(diagram).items():
        yield Line()
        yield Line(group_text(diagram, depth, kind), "bold cyan")
        for distance, arrows in list(by_distance.items())[: limits.VECTORS]:
            first = arrows[0]
            times = "once" if len(arrows) == 1 else f"{counted(len(arrows), 'time')}, first"
            yield Line(f"  {_tuple(distance)}  {times}: {_tuple(first.source)} -> {_tuple(first.sink)}")
        if len(by_distance) > limits.VECTORS:
            yield Line(f"  and {len(by_distance) - limits.VECTORS} more distances")
    if not diagram.arrows:
        yield Line()
        yield Line("no dependence" if not diagram.notes else "no dependence that is certain")
    for note in diagram.notes:
        yield Line(note)


def group_text(diagram: Diagram, depth: int, kind: Kind) -> str:
    """`depth 1, RAW`."""
    same = all(not any(a.distance) for a in diagram.arrows if (a.depth, a.kind) == (depth, kind))
    return f"depth {depth}, {kind.value}{', in the same iteration' if same else ''}"


def _tuple(numbers: Iteration) -> str:
    return f"({', '.join(map(str, numbers))})"
