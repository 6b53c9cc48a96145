"""The store that the results of a run are kept in."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pagemeter.commands.saying import say
from pagemeter.commands.sinks import line_measure, needs_texts
from pagemeter.corpus.urls import Url
from pagemeter.errors import ClusterError, UsageError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator
    from pathlib import Path

    from pagemeter.corpus import Recipe, Wanted
    from pagemeter.corpus.runners.work import Runner
    from pagemeter.store import Store, Stored


class InterruptedRunError(KeyboardInterrupt):
    """Somebody has ended a run whose results are kept."""


@dataclass(slots=True)
class KeptIn:
    """A store that is open, and the runner whose results it keeps."""

    store: Store
    force: bool
    runner: Stored | None = None

    def around(self, runner: Runner) -> Runner:
        """The runner with the store around it."""
        from pagemeter.store import Stored  # noqa: PLC0415  (only where asked for)

        self.runner = Stored(self.store, runner, force=self.force)
        return self.runner

    def done(self, *, prune: bool) -> None:
        """Says what was done, and takes out pages that are not among the inputs if that was asked for."""
        left, folder = self.store.index.unused, self.store.folder
        said = f"{folder}: {_counts(self.runner) if self.runner else 'nothing evaluated'}"
        if left and prune:
            self.store.prune()
            said += f", {left:,} others taken out"
        elif left:
            said += f", {left:,} others kept (--prune takes them out)"
        say(said)


def _counts(runner: Stored) -> str:
    failed, unpaired = runner.failed, runner.unpaired
    parts = [
        f"{runner.evaluated - failed - unpaired:,} evaluated",
        failed and f"{failed:,} failed",
        unpaired and f"{unpaired:,} without ground truth or left out",
        f"{runner.reused:,} there already",
    ]
    return ", ".join(part for part in parts if part)


@contextmanager
def kept(parsed: argparse.Namespace, recipe: Recipe, wanted: Wanted) -> Iterator[KeptIn | None]:
    """The store that was asked for, open as long as the run goes on."""
    if parsed.store is None:
        for name in ("store_lines", "force", "prune"):
            if getattr(parsed, name):
                raise UsageError(f"--{name.replace('_', '-')}: there is no store; add --store DIR")
        yield None
        return
    if isinstance(parsed.store, Url):
        raise UsageError(f"--store {parsed.store}: a store is a folder of this machine; give its path")
    from pagemeter.store import Store  # noqa: PLC0415  (only where asked for)

    folder: Path = parsed.store
    per_line = line_measure(wanted, "--store-lines") if parsed.store_lines else None
    with Store(folder, recipe, per_line=per_line, force=parsed.force) as store:
        keeping = KeptIn(store, parsed.force or needs_texts(parsed))
        try:
            yield keeping
        except KeyboardInterrupt:
            raise InterruptedRunError(f"interrupted; {_kept_in(folder)}") from None
        except ClusterError as error:
            raise ClusterError(f"{error}; {_kept_in(folder)}") from None
        keeping.done(prune=parsed.prune)


def _kept_in(folder: Path) -> str:
    return f"what was done is in {folder}, and the same command goes on from there"
