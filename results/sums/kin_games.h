/* kin_games.h - the decisions of stored games, as kin.h compares them. */
#ifndef RESULTS_SUMS_KIN_GAMES_H
#define RESULTS_SUMS_KIN_GAMES_H

#include <numbers/kin.h>
#include <sums/decision_key.h>

#include "circuit.h"

/* Where a choice was made. */
struct kin_site {
    int game; /* index into kin_games.game */
    int step; /* of the record */
};

struct kin_game {
    char *id; /* owned */
    int event;
};

struct kin_games {
    struct kin_choice *choice; /* owned; bots are competitors of the circuit */
    struct kin_site *site;     /* owned; by choice */
    size_t count, room;
    struct kin_game *game; /* owned; also the clusters */
    size_t games, game_room;
    char *judge; /* owned; whose errors are used; NULL none */
};

/* Reads every game of the circuit. judge: as in judged_sums_read; NULL: the one with most games of
 * the first event that has one. BG_E_ARGUMENT: no such judge; BG_E_STORE. */
enum bg_status kin_games_read(struct kin_games *out, const struct circuit *circuit,
                              const char *judge, struct bg_error *err);
void kin_games_deinit(struct kin_games *games); /* accepts a zeroed struct */

/* Writes the decision (decision_key) and the choice in words of one of the choices. Both are "-" if
 * the game is no longer there. BG_E_STORE. */
enum bg_status kin_games_words(char key[DECISION_KEY], char words[DECISION_WORDS],
                               const struct kin_games *games, const struct circuit *circuit,
                               size_t choice, struct bg_error *err);

/* Numbers of equal texts, for choices that come one by one: positions, and choices by position.
 * Digests of 16 bytes stand for the texts. */
struct kin_raw {
    unsigned char key[16], choice[16];
};
void kin_raw_of(struct kin_raw *out, const char *key, const char *choice);
/* Sets position, choice and cluster (the least of its position's) of every choice. */
void kin_number(struct kin_choice *choices, const struct kin_raw *raw, size_t count);

#endif
