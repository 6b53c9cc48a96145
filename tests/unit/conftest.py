"""What tests of the command share."""

from __future__ import annotations

import pytest

from pagemeter.cli import main


@pytest.fixture
def run(capsys):
    """Calls the command: what it returns, and what it prints on both streams."""

    def call(*arguments):
        try:
            code = main([str(argument) for argument in arguments])
        except SystemExit as error:
            code = error.code
        out, err = capsys.readouterr()
        return code, out, err

    return call
