// Compiler features for speed, with fall-backs for compilers that lack them and for PAGEMETER_GENERIC.
#pragma once

// Compiles a function twice: for any machine, and for machines with AVX2 and popcount. The choice is made at run time.
// Functions with wide registers are also compiled for machines with AVX-512.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(PAGEMETER_COVERAGE) && !defined(PAGEMETER_GENERIC)
#define PAGEMETER_CLONES __attribute__((target_clones("arch=x86-64-v3", "default")))
#define PAGEMETER_WIDE_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define PAGEMETER_CLONES
#define PAGEMETER_WIDE_CLONES
#endif

// Inlines a lambda, so that it is compiled for the same machine as the function around it.
#if defined(__GNUC__)
#define PAGEMETER_INLINED __attribute__((always_inline))
#else
#define PAGEMETER_INLINED
#endif

// The number of 64-bit values in a vector type, if the compiler has shuffles for them (GCC 12 or later, clang).
#if defined(__has_builtin) && !defined(PAGEMETER_GENERIC)
#if __has_builtin(__builtin_shufflevector)
#define PAGEMETER_LANES 4
#endif
#endif
