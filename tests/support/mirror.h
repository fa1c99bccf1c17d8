/* mirror.h - a game kept in memory from nothing but what a bot is told (bgref/tell.h), to be
 * compared with its Asks. Public headers only. */
#ifndef TESTS_SUPPORT_MIRROR_H
#define TESTS_SUPPORT_MIRROR_H

#include <bgref/tell.h>

/* Starts as {0}. */
struct mirror {
    bool is_begun;
    bool is_late; /* begun in the middle of the game: only boards are followed */
    struct bg_game_begin begin;
    struct bg_match match; /* own is seat 0 */
    uint64_t next;         /* number of the next tell */
    int begins, steps, ends, match_ends;
};

/* Both return NULL, or what is wrong; static. */
const char *mirror_hear(struct mirror *mirror, const struct bg_tell *tell);
const char *mirror_compare(const struct mirror *mirror, const struct bg_ask *ask);

#endif
