"""A policy for a repository, from what its files look like."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from volcli.diagnostics.codes import SITE
from volcli.limits import gate as limits

_TEST = re.compile(rb"//\s*(RUN:|CHECK[A-Z0-9-]*:|expected-(error|warning|remark))")
"""What tests of lit and FileCheck say in comments."""
_CI = {
    ".github/workflows": "GitHub: - uses: volcli/volcli@main",
    ".gitlab-ci.yml": "GitLab: include: https://raw.githubusercontent.com/volcli/volcli/main/ci/gitlab.yml",
    ".pre-commit-config.yaml": "pre-commit: repo https://github.com/volcli/volcli, hook volcli-check",
}
"""By what a repository has, what runs the gate there."""


@dataclass
class _Folder:
    """What is below a folder: how many files, how many of them are tests, and its own folders."""

    files: int = 0
    tests: int = 0
    folders: dict[str, _Folder] = field(default_factory=lambda: defaultdict(_Folder))


@dataclass(frozen=True)
class Proposal:
    """What is proposed for a repository of so many FILES: TESTS are folders of tests, CI what may run it."""

    files: int
    tests: tuple[str, ...]
    ci: tuple[str, ...]

    @property
    def text(self) -> str:
        """The policy."""
        lines = [
            f"# What `volcli check` reports of this repository; the entries: {SITE}/check.html#policy",
            'fail-on = "error"              # "warning" for more',
            'unreadable = "ignore"          # files in dialects that volcli does not know are only counted',
            '# baseline = "known.json"      # keeps silent what --update-baseline has written there',
        ]
        if self.tests == (".",):
            lines.append('profile = "tests"              # not what tests have on purpose')
        else:
            for folder in self.tests:
                lines += ["", f'[per-path."{_escaped(folder)}/**"]', 'profile = "tests"']
        lines += ["", "# What operations of other dialects do, as `volcli coverage` lists them:"]
        lines += ["# [effects]", '# "foo.barrier" = "none"']
        return "\n".join(lines) + "\n"


def proposal(root: Path, files: Sequence[str]) -> Proposal:
    """A policy for FILES, which are below ROOT."""
    top = _Folder()
    for path in files:
        relative = PurePosixPath(Path(path).resolve().relative_to(root.resolve()).as_posix())
        is_test = _is_test(path)
        folder = top
        for name in (None, *relative.parts[:-1]):
            folder = folder if name is None else folder.folders[name]
            folder.files += 1
            folder.tests += is_test
    return Proposal(
        top.files, tuple(_tests(top, ())), tuple(said for name, said in _CI.items() if (root / name).exists())
    )


def _is_test(path: str) -> bool:
    try:
        with Path(path).open("rb") as file:
            return _TEST.search(file.read(limits.TEST_TEXT)) is not None
    except OSError:
        return False


def _tests(folder: _Folder, parts: tuple[str, ...]) -> Iterator[str]:
    """The outermost folders of tests."""
    if folder.files and 100 * folder.tests >= limits.TESTS_PERCENT * folder.files:
        yield "/".join(parts) or "."
        return
    folders: Mapping[str, _Folder] = folder.folders
    for name in sorted(folders):
        yield from _tests(folders[name], (*parts, name))


def _escaped(folder: str) -> str:
    """FOLDER as a pattern of a .gitignore, in a quoted key of TOML."""
    return re.sub(r"([\\*?\[\]!#])", r"\\\\\1", folder).replace('"', '\\"')
