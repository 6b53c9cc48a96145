// What compilers can do for speed, and do without where they cannot.
#pragma once

// Marks a function to be compiled twice where the compiler can: for any machine, and for those with AVX2 and
// popcount, chosen at run time.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)
#define PAGEMETER_CLONES __attribute__((target_clones("arch=x86-64-v3", "default")))
#else
#define PAGEMETER_CLONES
#endif

// Whether four numbers can be one value: GCC 12 or later, clang.
#if defined(__has_builtin)
#if __has_builtin(__builtin_shufflevector)
#define PAGEMETER_LANES 4
#endif
#endif
