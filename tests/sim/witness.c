#include "witness.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <bgref/dice.h>

enum { GAMES = 1 << 14 /* of an event, more than any has */ };

struct seen {
    char game[BG_ALIAS]; /* "": free */
    int run;             /* in which it was last asked about */
};

static struct {
    struct seen *seen; /* owned; by a hash of the alias */
    int run;
    uint64_t betrayals;
} witness;

void witness_begin(void)
{
    witness.seen = calloc(GAMES, sizeof *witness.seen);
    witness.run = 0;
    witness.betrayals = 0;
}

void witness_end(void)
{
    free(witness.seen);
    witness.seen = NULL;
}

void witness_new_run(void)
{
    witness.run++;
}

void witness_ask(const char *game)
{
    char digits[5] = "";
    size_t at;

    if (witness.seen == NULL) {
        return;
    }
    memcpy(digits, game, sizeof digits - 1); /* an alias is a digest */
    at = strtoul(digits, NULL, 16) % GAMES;
    while (witness.seen[at].game[0] != '\0' && strcmp(witness.seen[at].game, game) != 0) {
        at = (at + 1) % GAMES;
    }
    witness.betrayals += witness.seen[at].game[0] != '\0' && witness.seen[at].run != witness.run;
    snprintf(witness.seen[at].game, BG_ALIAS, "%s", game);
    witness.seen[at].run = witness.run;
}

uint64_t witness_betrayals(void)
{
    return witness.betrayals;
}
