"""Reading a policy: `volcli.toml`, or `[tool.volcli]` of a `pyproject.toml`; mistakes have places."""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NoReturn, cast

from volcli.diagnostics import CODES, Diagnostic, Place, Severity, UsageError
from volcli.diagnostics.codes import SITE
from volcli.gate.findings.finding import ALWAYS
from volcli.gate.policy.policy import PROFILES, UNREADABLE_AS, Override, Policy
from volcli.limits import gate as limits

NAMES = ("volcli.toml", "pyproject.toml")
_DOORS = ("auto", "xdsl", "mlir-opt")
_UNITS = {"B": 1, "KB": 10**3, "MB": 10**6, "GB": 10**9, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30}
_KEY = re.compile(
    r"\s*((?:[A-Za-z0-9_-]+|\"[^\"]*\"|'[^']*')(?:\s*\.\s*(?:[A-Za-z0-9_-]+|\"[^\"]*\"|'[^']*'))*)\s*="
)


Keys = tuple[str, ...]
"""The keys that lead to an entry: ("per-path", "tests/**", "ignore")."""


def find_policy(folder: Path) -> Policy:
    """The policy of FOLDER: in the nearest file from there upwards that has one; the default if none has."""
    for here in (folder, *folder.parents):
        for name in NAMES:
            if (here / name).is_file() and (found := _read(here / name, sought=True)) is not None:
                return found
    return Policy()


def read_policy(path: Path) -> Policy:
    """The policy in the file PATH. Raises UsageError (V013) if it has none."""
    found = _read(path, sought=False)
    if found is None:
        raise UsageError(Diagnostic("V013", f"'{path}' has no table [tool.volcli]"))
    return found


def _read(path: Path, *, sought: bool) -> Policy | None:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(Diagnostic("V013", f"'{path}' cannot be read: {error}")) from None
    is_project = path.name == "pyproject.toml"
    try:
        data: Any = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        if is_project and sought and "[tool.volcli" not in text:
            return None  # somebody else's business
        at = re.search(r"\(at line (\d+), column (\d+)\)", str(error))
        line, column = (int(at[1]), int(at[2])) if at else _end(text)
        message = str(error).partition(" (at ")[0]
        raise UsageError(Diagnostic("V013", message, Place(str(path), line, column))) from None
    above: Keys = ("tool", "volcli") if is_project else ()
    for key in above:
        data = cast("dict[str, Any]", data).get(key)
        if not isinstance(data, dict):
            return None
    return _Reader(path, text, above).policy(cast("dict[str, Any]", data))


class _Reader:
    """The entries of the policy in the file PATH, which is TEXT, below the keys ABOVE."""

    def __init__(self, path: Path, text: str, above: Keys) -> None:
        self._path = path
        self._text = text
        self._above = above

    def policy(self, data: Mapping[str, Any]) -> Policy:
        """The policy that DATA is."""
        fields: dict[str, Any] = {}
        tables: dict[str, Callable[[Any, Keys], Any]] = {
            **self._of_paths,
            "per-path": lambda value, _: tuple(self._overrides(value)),
            "via": self._one_of(_DOORS),
            "unreadable": self._one_of(UNREADABLE_AS),
            **dict.fromkeys(
                ("allow-empty", "force-exclude", "require-reasons"), self._a(bool, "true or false")
            ),
            "effects": lambda value, _: tuple(self._effects(value)),
            "exclude": self._texts,
            "baseline": self._a(str, "a string"),
        }
        for key, value in data.items():
            self._known(key, (*tables, "budget"), (key,))
            if key == "budget":
                fields |= self._budget(value)
            else:
                fields[key.replace("-", "_")] = tables[key](value, (key,))
        return Policy(folder=str(self._path.parent), **fields)

    def _overrides(self, value: Any) -> Iterator[Override]:
        for pattern, entries in self._table(value, ("per-path",)).items():
            at = ("per-path", pattern)
            fields: dict[str, Any] = {}
            for key, entry in self._table(entries, at).items():
                self._known(key, self._of_paths, (*at, key))
                fields[key.replace("-", "_")] = self._of_paths[key](entry, (*at, key))
            yield Override(pattern, **fields)

    @property
    def _of_paths(self) -> dict[str, Callable[[Any, Keys], Any]]:
        """What reads the entries that there may be for some paths only."""
        return {
            "select": self._codes,
            "ignore": self._codes,
            "severity": self._severities,
            "fail-on": self._severity,
            "assume": self._conditions,
            "profile": self._one_of(PROFILES),
        }

    def _budget(self, value: Any) -> Iterator[tuple[str, Any]]:
        for key, entry in self._table(value, ("budget",)).items():
            at = ("budget", key)
            self._known(key, ("operations", "timeout", "allocation"), at)
            if key == "allocation":
                yield key, self._bytes(entry, at)
                continue
            is_number = isinstance(entry, int | float) and not isinstance(entry, bool)
            if not is_number or entry < 0 or (key == "operations" and not isinstance(entry, int)):
                self._fail(at, f"'{key}' must be a number, not {_shown(entry)}")
            if key == "operations" and entry < 1:
                self._fail(at, "an answer takes at least one operation")
            yield key, entry or None

    def _bytes(self, value: Any, at: Keys) -> int:
        """`64 MiB`, or a number of bytes."""
        if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
            return value
        parts = re.fullmatch(r"(\d+)\s*([A-Za-z]+)", value) if isinstance(value, str) else None
        if parts is None or parts[2] not in _UNITS:
            self._fail(
                at,
                f"{_shown(value)} is not a size",
                f"write a number of bytes, or one with {', '.join(_UNITS)}",
            )
        return int(parts[1]) * _UNITS[parts[2]]

    def _severities(self, value: Any, at: Keys) -> dict[str, Severity]:
        table = self._table(value, at)
        for code in table:
            self._code(code, (*at, code))
        return {code.upper(): self._severity(entry, (*at, code)) for code, entry in table.items()}

    def _severity(self, value: Any, at: Keys) -> Severity:
        return Severity(self._one_of([each.value for each in Severity])(value, at))

    def _codes(self, value: Any, at: Keys) -> tuple[str, ...]:
        codes = self._texts(value, at)
        for code in codes:
            self._code(code, at)
        return tuple(code.upper() for code in codes)

    def _code(self, code: str, at: Keys) -> None:
        """Fails unless CODE is the beginning of codes that may be left out."""
        named = [name for name in CODES if code and name.startswith(code.upper())]
        if not named:
            self._fail(
                at, f"no code begins with '{code}'", _near(code.upper(), CODES, "`volcli codes`"), code
            )
        if all(name.startswith(ALWAYS) for name in named):
            self._fail(
                at,
                f"'{code}' is always reported",
                "V0xx and V9xx mean that volcli could not do its work",
                code,
            )

    def _conditions(self, value: Any, at: Keys) -> tuple[str, ...]:
        texts = self._texts(value, at)
        from volcli.passes.assume import parse_assumptions

        for text in texts:
            try:
                parse_assumptions([text])
            except UsageError as error:
                self._fail(at, f"'{text}': {error.diagnostic.message}", error.diagnostic.note, text)
        return texts

    def _effects(self, value: Any) -> Iterator[str]:
        """The entries of [effects] as the texts that --effects takes."""
        from volcli.loading.effects import parse_effects

        for name, entry in self._table(value, ("effects",)).items():
            at = ("effects", name)
            if not isinstance(entry, str):
                self._fail(at, f"'{name}' must be a string, not {_shown(entry)}")
            text = f"{name} = {entry}"
            try:
                parse_effects([text])
            except UsageError as error:
                self._fail(at, error.diagnostic.message, error.diagnostic.note)
            yield text

    def _texts(self, value: Any, at: Keys) -> tuple[str, ...]:
        items = cast("list[Any]", value) if isinstance(value, list) else None
        if items is None or not all(isinstance(each, str) for each in items):
            message = f"'{at[-1]}' must be a list of strings, not {_shown(value)}"
            self._fail(at, message, f'{at[-1]} = ["..."]')
        return tuple(items)

    def _table(self, value: Any, at: Keys) -> dict[str, Any]:
        if not isinstance(value, dict):
            self._fail(at, f"'{at[-1]}' must be a table, not {_shown(value)}")
        return cast("dict[str, Any]", value)

    def _one_of(self, words: Iterable[str]) -> Callable[[Any, Keys], str]:
        def read(value: Any, at: Keys) -> str:
            if value not in list(words):
                message = f"'{at[-1]}' must be one of {', '.join(words)}, not {_shown(value)}"
                self._fail(at, message, item=str(value))
            return value

        return read

    def _a(self, kind: type, called: str) -> Callable[[Any, Keys], Any]:
        def read(value: Any, at: Keys) -> Any:
            if not isinstance(value, kind):
                self._fail(at, f"'{at[-1]}' must be {called}, not {_shown(value)}")
            return value

        return read

    def _known(self, key: str, keys: Iterable[str], at: Keys) -> None:
        if key not in keys:
            self._fail(at, f"no entry '{key}'", _near(key, keys, f"{SITE}/check.html#policy"))

    def _fail(self, at: Keys, message: str, note: str | None = None, item: str | None = None) -> NoReturn:
        """Raise UsageError (V013) at the entry AT, or at the text ITEM in it."""
        line, column = _place(self._text, (*self._above, *at), item)
        raise UsageError(Diagnostic("V013", message, Place(str(self._path), line, column), note=note))


def _end(text: str) -> tuple[int, int]:
    """Line and column after the last character of TEXT but for line ends."""
    lines = text.rstrip().splitlines() or [""]
    return len(lines), len(lines[-1]) + 1


def _shown(value: Any) -> str:
    return f"'{value}'" if isinstance(value, str) else str(value)


def _near(word: str, words: Iterable[str], where: str) -> str:
    known = sorted(words)
    near = [f"'{each}'" for each in difflib.get_close_matches(word, known, n=limits.PROPOSED_NAMES)]
    if near:
        return f"did you mean {' or '.join(near)}?"
    return f"{where} lists all" + (f": {', '.join(known)}" if len(known) <= limits.LISTED_NAMES else "")


def _place(text: str, keys: Keys, item: str | None) -> tuple[int, int]:
    """Line and column of the entry that KEYS lead to in TEXT, or of ITEM after it; 1, 1 if not seen."""
    table: Keys = ()
    for number, line in enumerate(text.splitlines(), 1):
        if line.lstrip().startswith("["):
            found = _path(line.strip().strip("[]").partition("]")[0])
            table = table if found is None else found
            here, column = table, line.index("[") + 1
        elif (key := _KEY.match(line)) is not None:
            here, column = (*table, *(_path(key[1]) or ())), key.start(1) + 1
        else:
            continue
        if here[: len(keys)] == keys:
            return _of_item(text, number, item) or (number, column)
    return 1, 1


def _of_item(text: str, first: int, item: str | None) -> tuple[int, int] | None:
    """Where ITEM stands in quotes, in line FIRST or after it."""
    lines = text.splitlines()
    for number in range(first, len(lines) + 1):
        for quote in "\"'" if item is not None else "":
            if (column := lines[number - 1].find(f"{quote}{item}{quote}")) >= 0:
                return number, column + 1
    return None


def _path(text: str) -> Keys | None:
    """`a."b/**".c` as its keys."""
    try:
        data: Any = tomllib.loads(f"{text} = 0")
    except tomllib.TOMLDecodeError:
        return None
    keys: list[str] = []
    while isinstance(data, dict):
        ((key, data),) = cast("dict[str, Any]", data).items()
        keys.append(key)
    return tuple(keys)
