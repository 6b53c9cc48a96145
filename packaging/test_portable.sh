#!/usr/bin/env bash
# Compare the numbers of packaging/kernel_numbers.cpp between builds: as released, without wide registers, with clang,
# and for aarch64 under qemu. The last two are left out if the compiler or qemu is not installed.
# On Debian: apt-get install clang g++-aarch64-linux-gnu qemu-user
set -euo pipefail
cd "$(dirname "$0")/.."
work=build/portable
mkdir -p "$work"
flags=(-std=c++20 -Ikernel -ffp-contract=off -Wall -Wextra -Wconversion -Wshadow -Wpedantic -Wno-psabi -Werror)
source=packaging/kernel_numbers.cpp
generic=(-DPAGEMETER_GENERIC)
if [ "$(uname -m)" = x86_64 ]; then generic+=(-mno-avx2); fi

# Usage: compare NAME IGNORED COMMAND... (lines that begin with IGNORED may differ)
compare() {
  "${@:3}" > "$work/$1.txt"
  diff <(grep -v "^$2" "$work/released.txt") <(grep -v "^$2" "$work/$1.txt") > "$work/$1.diff" ||
    { head --lines 5 "$work/$1.diff"; echo "$1 gives other numbers than the released build"; exit 1; }
  echo "$1: the same numbers as the released build"
}

g++ "${flags[@]}" -O2 "$source" -o "$work/released"
"$work/released" > "$work/released.txt"
test "$(wc -l < "$work/released.txt")" -gt 100
g++ "${flags[@]}" -O2 "${generic[@]}" "$source" -o "$work/generic"
# Lines are processed one by one instead of in bundles, which is counted as more steps.
compare generic steps "$work/generic"
if command -v clang++ > /dev/null; then
  clang++ "${flags[@]}" -O2 "$source" -o "$work/clang"
  compare clang nothing "$work/clang"
else
  echo "no clang++, so the kernel is not compiled with it"
fi
if command -v aarch64-linux-gnu-g++ > /dev/null && command -v qemu-aarch64 > /dev/null; then
  aarch64-linux-gnu-g++ "${flags[@]}" -O2 -static "$source" -o "$work/aarch64"
  compare aarch64 nothing qemu-aarch64 "$work/aarch64"
else
  echo "no compiler for aarch64 or no qemu-aarch64, so the kernel is not run for it"
fi
