#!/usr/bin/env bash
# Run the tests with the lowest versions of the dependencies that pyproject.toml allows.
# Usage: packaging/test_lowest.sh PYTHON [PYTEST_ARGUMENT...]
set -euo pipefail
python=$(realpath --no-symlinks "${1:?usage: packaging/test_lowest.sh PYTHON}")
shift
cd "$(dirname "$0")/.."
work=build/lowest
mkdir -p "$work"
"$python" -m pip install --quiet uv
"$python" -m uv pip compile --quiet --resolution lowest-direct --extra all --output-file "$work/requirements.txt" pyproject.toml
test -x "$work/venv/bin/python" || "$python" -m venv "$work/venv"
lowest="$work/venv/bin/python"
"$lowest" -m pip install --quiet --editable .
"$lowest" -m pip install --quiet --requirement "$work/requirements.txt"
# The tools of the tests are new; what pagemeter itself uses stays at the lowest version.
"$lowest" -m pip install --quiet --constraint "$work/requirements.txt" pytest pytest-xdist hypothesis rapidfuzz polars duckdb selenium httpx
# The test client of the lowest starlette uses an alias that new versions of anyio deprecate.
"$lowest" -m pytest --numprocesses auto --dist worksteal -W "ignore:The anyio:DeprecationWarning" "$@"
