#!/bin/bash -eu
# Build the fuzz targets as OSS-Fuzz expects it: $OUT gets one program per target and its seeds as NAME_seed_corpus.zip.
# Its builder sets SRC, OUT, CXX, CXXFLAGS and LIB_FUZZING_ENGINE, and has compile_python_fuzzer.
root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$root"
$CXX $CXXFLAGS -std=c++20 -Ikernel packaging/oss-fuzz/kernel_fuzzer.cpp $LIB_FUZZING_ENGINE -o "$OUT/kernel_fuzzer"

if command -v compile_python_fuzzer > /dev/null; then
  python3 -m pip install .
  export PYTHONPATH="$root/tests"
  work=$(mktemp -d)
  for format in $(python3 -c "from pagemeter.formats import formats; print(*(each.name for each in formats()))"); do
    target="$work/fuzz_${format//-/_}.py"
    printf 'import sys\n\nfrom fuzz.guided import fuzz\n\nfuzz("%s", sys.argv)\n' "$format" > "$target"
    compile_python_fuzzer "$target"
    python3 -c "import sys; from pathlib import Path; from fuzz.guided import write_corpus; write_corpus(Path(sys.argv[1]), sys.argv[2])" \
      "$work/$format" "$format"
    (cd "$work/$format" && zip -q -r "$OUT/fuzz_${format//-/_}_seed_corpus.zip" .)
  done
fi
