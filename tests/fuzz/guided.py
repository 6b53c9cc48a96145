"""Coverage-guided fuzzing of one format: `make fuzz-coverage FORMAT=alto SECONDS=3600`.

atheris is libFuzzer for Python. An input is a file of the format; the mutations are those of `fuzz.mutation`
and those of libFuzzer. The corpus folder keeps every input that reached new code, and an input that fails is
written to the working folder. `packaging/oss-fuzz/build.sh` makes one program per format with `fuzz`, and its
seeds with `write_corpus`.
"""

from __future__ import annotations

import gc
import random
import sys
from collections.abc import Sequence
from pathlib import Path
from types import FunctionType

from fuzz.files import attempt
from fuzz.mutation import mutated
from fuzz.seeds import seeds_of
from pagemeter.formats import formats

INSTRUMENTED = ("pagemeter", "markdown_it")
MAX_BYTES = 20_000  # of an input; a longer one only slows the fuzzer down
LIMITS = (f"-max_len={MAX_BYTES}", "-timeout=20", "-rss_limit_mb=1500")
SOURCE = "input"


def write_corpus(folder: Path, format_name: str) -> None:
    """Write the seeds of a format to a folder, one file each."""
    folder.mkdir(parents=True, exist_ok=True)
    for number, (name, data) in enumerate(seeds_of(format_name)):
        if len(data) <= MAX_BYTES:
            (folder / f"{number:03}-{name}").write_bytes(data)


def fuzz(format_name: str, arguments: Sequence[str]) -> None:
    """Fuzz a format with a program name, a corpus and options of libFuzzer, which ends the process."""
    import atheris

    others = [data for _, data in seeds_of(format_name)]

    def load(data: bytes) -> None:
        attempt(SOURCE, data, format_name)

    def mutate(data: bytes, max_size: int, seed: int) -> bytes:
        rng = random.Random(seed)
        if rng.random() < 0.5:
            return atheris.Mutate(data, max_size)
        return mutated(rng, data, rng.choice(others))[:max_size]

    for data in others[:20]:
        load(data)  # imports the modules that are imported when they are needed
    _instrument()
    atheris.Setup([*arguments, *LIMITS], load, custom_mutator=mutate)
    atheris.Fuzz()


def _instrument() -> None:
    """Instrument the functions of the packages; `atheris.instrument_imports` misses an editable install."""
    import atheris

    for function in [thing for thing in gc.get_objects() if isinstance(thing, FunctionType)]:
        if (function.__module__ or "").partition(".")[0] in INSTRUMENTED:
            atheris.instrument_func(function)


def main(program: str, format_name: str = "", corpus: str = "corpus", *options: str) -> None:
    names = [known.name for known in formats()]
    if format_name not in names:
        sys.exit(f"usage: python -m fuzz.guided FORMAT [CORPUS [OPTIONS]]; formats: {', '.join(names)}")
    write_corpus(Path(corpus), format_name)
    fuzz(format_name, [program, corpus, *options])


if __name__ == "__main__":
    main(*sys.argv)
