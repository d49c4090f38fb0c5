"""A run in shards: every n-th file by each of n runs, and their results put together again.

Files are sorted by name, and shard k of n has those at the positions k - 1, k - 1 + n, ...: so neighbours,
which mostly are alike, are in different shards. What n runs have written as JSON is what one run finds in all
files, and is written as that, byte by byte. A baseline is compared when all is known, as code moves between
files: shards that are to be compared write their facts, too.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar, cast

from volcli.diagnostics import Diagnostic, UsageError
from volcli.gate.findings.finding import Finding
from volcli.gate.policy.policy import Policy
from volcli.gate.records.baseline import Baseline
from volcli.gate.records.record import Record
from volcli.gate.records.since import FileNow
from volcli.gate.records.trees import told_once
from volcli.gate.report import FileFindings, Report, compared_with

T = TypeVar("T")

SCHEMA = 1
_FORM = re.compile(r"([1-9]\d*)/([1-9]\d*)")


@dataclass(frozen=True)
class Shard:
    """The `number`-th of `count` shards; the first one has the number 1."""

    number: int
    count: int

    def of(self, members: Sequence[T]) -> list[T]:
        """Those of MEMBERS that are in it.

        >>> Shard(2, 3).of("abcdefgh")
        ['b', 'e', 'h']
        """
        return list(members[self.number - 1 :: self.count])

    def __str__(self) -> str:
        return f"{self.number}/{self.count}"


def read_shard(text: str) -> Shard:
    """The shard that TEXT names, `3/10`. Raises UsageError (V007)."""
    found = _FORM.fullmatch(text.strip())
    if found is None or int(found[1]) > int(found[2]):
        note = "the third of ten shards is --shard 3/10; they count from 1"
        raise UsageError(Diagnostic("V007", f"--shard: '{text}' is not a shard", note=note))
    return Shard(int(found[1]), int(found[2]))


@dataclass(frozen=True)
class _Written:
    """What one run has written."""

    path: str
    shard: Shard | None
    exit_code: int
    files: tuple[FileFindings, ...]


def merged(paths: Sequence[str], policy: Policy, baseline: Baseline | None = None) -> Report:
    """What the runs have found that wrote the JSON files in PATHS, as one run.

    With a BASELINE, what is new since then, by POLICY. Raises UsageError (V016) if one of them is not such a
    file, if a file was checked twice, or if a shard is missing.
    """
    written = [_read(path) for path in paths]
    _check(written)
    files = sorted((file for each in written for file in each.files), key=lambda file: file.file)
    now = told_once([_now(each) for each in files])
    if baseline is None:
        told = (
            replace(file, findings=each.findings, ignored=each.ignored)
            for file, each in zip(files, now, strict=True)
        )
        return Report(tuple(told), max(each.exit_code for each in written))
    for file in files:
        if file.records is None:
            message = f"the facts about '{file.file}' are not in these results"
            note = "give --baseline to `volcli check --shard`, too: then its facts are written"
            raise UsageError(Diagnostic("V016", message, note=note))
    return compared_with(baseline, now, policy)


def _now(file: FileFindings) -> FileNow:
    of_file = file.findings, file.records or (), file.functions, file.unanalysed, file.ignored
    return FileNow(file.file, file.file, *of_file)


def _check(written: Iterable[_Written]) -> None:
    """See that WRITTEN is all of one run. Raises UsageError (V016)."""
    shards = Counter(each.shard for each in written if each.shard is not None)
    counts = {each.count for each in shards}
    if len(counts) > 1:
        raise _unusable(
            f"these are shards of different runs, which had {' and '.join(map(str, sorted(counts)))} of them"
        )
    wanted = [Shard(n + 1, count) for count in counts for n in range(count)]
    missing = [str(each) for each in wanted if each not in shards]
    if missing:
        raise _unusable(f"the shard{'s' * (len(missing) > 1)} {', '.join(missing)} {_is(missing)} missing")
    files = Counter(file.file for each in written for file in each.files)
    twice = [file for file, count in files.items() if count > 1]
    if twice:
        raise _unusable(f"'{twice[0]}' is in several of these results")


def _is(members: Sequence[object]) -> str:
    return "is" if len(members) == 1 else "are"


def _unusable(message: str) -> UsageError:
    return UsageError(Diagnostic("V016", message))


def _read(path: str) -> _Written:
    try:
        data: Mapping[str, Any] = json.loads(Path(path).read_text(encoding="utf-8"))
        if data["schema"] != SCHEMA:
            raise _unusable(f"'{path}' is of schema {data['schema']}, and this volcli reads schema {SCHEMA}")
        if "baseline" in data:
            raise _unusable(f"'{path}' reports only what is new since a baseline")
        shard = read_shard(data["shard"]) if "shard" in data else None
        files = tuple(_file(each) for each in cast("list[Mapping[str, Any]]", data["files"]))
        return _Written(path, shard, int(data["exit_code"]), files)
    except OSError as error:
        raise _unusable(f"'{path}' cannot be read: {error.strerror or error}") from None
    except (UnicodeDecodeError, json.JSONDecodeError) as error:
        raise _unusable(f"'{path}' is not JSON: {error}") from None
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise _unusable(f"'{path}' was not written by `volcli check --format json`: {error}") from None


def _file(data: Mapping[str, Any]) -> FileFindings:
    records = cast("list[Mapping[str, Any]] | None", data.get("records"))
    return FileFindings(
        data["file"],
        tuple(map(Finding.from_json, data["findings"])),
        tuple(data.get("symbols", ())) or ("",) * data["functions"],
        None if records is None else tuple(map(Record.from_json, records)),
        {str(code): int(count) for code, count in data.get("unanalysed", {}).items()},
        tuple(map(Finding.from_json, data.get("ignored", ()))),
    )
