/* corpus.h - the decisions that a bot is examined with, for one game; every rule matters in some of
 * them.
 *
 * For backgammon a list of chosen positions; for every game, states of games played by chance from
 * a fixed seed, kept so that every rule that a wrong play could break there, every roll and every
 * kind of decision comes several times. The same build gives the same corpus. Pure.
 */
#ifndef REFEREE_CHECK_CORPUS_H
#define REFEREE_CHECK_CORPUS_H

#include <bgref/match.h>

enum { CORPUS_CATEGORY = 40 };

struct corpus_case {
    struct bg_match match; /* match.need.seat must decide */
    char category[CORPUS_CATEGORY];
};

struct corpus {
    struct corpus_case *cases; /* owned */
    size_t count, room;
};

void corpus_create(struct corpus *out, const struct bg_variant *variant);
/* Returns whether the match is a money game without beavers. */
bool corpus_is_usual(const struct bg_match *match);
void corpus_deinit(struct corpus *corpus); /* also valid for a zeroed one */

#endif
