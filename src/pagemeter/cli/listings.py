"""`pagemeter formats` and `pagemeter presets`: list what can be read, and whose numbers can be given."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from pagemeter.cli.parser import EXIT_DONE
from pagemeter.cli.setting_options import as_option
from pagemeter.formats import formats
from pagemeter.presets import TOOL_PRESETS

if TYPE_CHECKING:
    import argparse


def run_formats(parsed: argparse.Namespace) -> int:  # noqa: ARG001
    """Print one line per format: its name and its description."""
    known = formats()
    width = max(len(one.name) for one in known)
    sys.stdout.writelines(f"{one.name:{width}}  {one.description}\n" for one in known)
    return EXIT_DONE


def run_presets(parsed: argparse.Namespace) -> int:  # noqa: ARG001
    """Print for each preset its name and tool, its measures, and the options that it stands for."""
    for preset in TOOL_PRESETS.values():
        options = " ".join(as_option(name, str(value)) for name, value in preset.settings.items())
        sys.stdout.write(f"{preset.label}: {preset.tool}\n")
        sys.stdout.write(f"    -m {','.join(preset.measures)} {options}\n")
    return EXIT_DONE
