/* processor.h - functions that are made for several kinds of processor; the best one is taken when
 * the program starts. A benchmark asks for one kind: TD_PROCESSOR. */
#ifndef BOTS_TD_PROCESSOR_H
#define BOTS_TD_PROCESSOR_H

#if defined(TD_PROCESSOR)
#define FOR_EVERY_PROCESSOR __attribute__((target(TD_PROCESSOR)))
#define FOR_NARROW_LANES    FOR_EVERY_PROCESSOR
#elif defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__) &&     \
    !defined(__SANITIZE_ADDRESS__)
#define FOR_EVERY_PROCESSOR __attribute__((target_clones("avx512f", "avx2", "default")))
#define FOR_NARROW_LANES    __attribute__((target_clones("avx2", "default")))
#define HAS_WIDE_LANES
#else
#define FOR_EVERY_PROCESSOR
#define FOR_NARROW_LANES
#endif

#endif
