// Marks a function to be compiled twice where the compiler can: for any machine, and for those with AVX2 and
// popcount, chosen at run time.
#pragma once

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)
#define PAGEMETER_CLONES __attribute__((target_clones("arch=x86-64-v3", "default")))
#else
#define PAGEMETER_CLONES
#endif
