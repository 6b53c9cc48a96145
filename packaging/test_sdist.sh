#!/usr/bin/env bash
# Unpack the sdist, build it in an environment of its own, and run its tests.
# Usage: packaging/test_sdist.sh PYTHON [PYTEST_ARGUMENT...]
set -euo pipefail
python=$(realpath --no-symlinks "${1:?usage: packaging/test_sdist.sh PYTHON}")
shift
cd "$(dirname "$0")/.."
work=build/sdist
rm -rf "$work"
mkdir -p "$work"
"$python" -m pip install --quiet build
"$python" -m build --sdist --outdir "$work" .
tar --extract --file "$work"/*.tar.gz --directory "$work"
cd "$work"/pagemeter-*/
make test PYTEST_ARGS="$*"
