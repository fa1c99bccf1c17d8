/* plays_plain.h - legal plays of backgammon the slow way, written from the rules and nothing else:
 * all sequences of single moves, then the compulsory rule. The oracle of property tests. */
#ifndef SUPPORT_PLAYS_PLAIN_H
#define SUPPORT_PLAYS_PLAIN_H

#include <bgref/board.h>

enum { PLAIN_MAX = 4096 };

struct plain_list {
    int count;
    struct bg_board result[PLAIN_MAX]; /* all different */
};

/* The results that seat can legally reach with dice a and b; none when nothing can be played. */
void plays_plain(struct plain_list *out, const struct bg_board *board, int seat, int a, int b);

bool plain_has(const struct plain_list *list, const struct bg_board *board);

#endif
