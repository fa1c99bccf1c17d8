#include "witness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record/game_id.h"

enum { PROCESSES = 4096, LEGS = 256, GAMES = 64 /* in a leg: more than any match here has */ };

struct name {
    char alias[BG_ALIAS];
    int leg; /* counted over the event; the other leg of its pair is leg ^ 1 */
};

static struct {
    struct name *name; /* owned; sorted by alias */
    size_t names;
    bool seen[PROCESSES][LEGS];
    int first; /* no process below this number lives */
    int last;  /* the highest process number that was asked */
    uint64_t betrayals, unknown_games, generations;
} witness;

static int by_alias(const void *a, const void *b)
{
    return strcmp(((const struct name *)a)->alias, ((const struct name *)b)->alias);
}

static void add_leg(struct game_id *id, int leg, const struct bg_dice_key *id_key)
{
    for (id->game = 0; id->game < GAMES; id->game++) {
        struct name *name = &witness.name[witness.names++];

        name->leg = leg;
        game_id_alias(name->alias, id, 0, id_key);
    }
}

/* Adds both legs of every pair of two bots; returns the next leg's number. */
static int add_pairing(const char *a, const char *b, uint64_t pairs, int leg,
                       const struct bg_dice_key *id_key)
{
    bool ordered = strcmp(a, b) < 0;
    struct game_id id = game_id_of(ordered ? a : b, ordered ? b : a);

    for (id.pair = 0; id.pair < pairs; id.pair++) {
        for (id.leg = 0; id.leg < 2; id.leg++) {
            if (leg >= LEGS) {
                abort();
            }
            add_leg(&id, leg++, id_key);
        }
    }
    return leg;
}

void witness_begin(const struct config_event *event, const struct bg_dice_key *key)
{
    size_t pairings = (size_t)event->bot_count * (size_t)(event->bot_count - 1) / 2;
    struct bg_dice_key id_key;
    int leg = 0;

    bg_dice_id_key(&id_key, key);
    witness.names = 0;
    witness.betrayals = witness.unknown_games = witness.generations = 0;
    witness.name = calloc(pairings * event->pairs * 2 * GAMES, sizeof *witness.name);
    for (int i = 0; i < event->bot_count; i++) {
        for (int k = i + 1; k < event->bot_count; k++) {
            leg = add_pairing(event->bots[i].name, event->bots[k].name, event->pairs, leg, &id_key);
        }
    }
    qsort(witness.name, witness.names, sizeof *witness.name, by_alias);
    witness_new_run();
}

void witness_end(void)
{
    free(witness.name);
    witness.name = NULL;
    witness.names = 0;
}

void witness_new_run(void)
{
    memset(witness.seen, 0, sizeof witness.seen);
    witness.first = 0;
    witness.last = -1;
}

void witness_ask(int process, const char *game, int processes, bool (*is_alive)(int process))
{
    const struct name *name;
    struct name wanted = {.leg = 0};

    if (witness.name == NULL || process >= PROCESSES) {
        return;
    }
    strncpy(wanted.alias, game, sizeof wanted.alias - 1);
    name = bsearch(&wanted, witness.name, witness.names, sizeof wanted, by_alias);
    if (name == NULL) {
        witness.unknown_games++;
        return;
    }
    witness.seen[process][name->leg] = true;
    while (witness.first < processes && !is_alive(witness.first)) {
        witness.first++;
    }
    witness.generations += witness.first > witness.last;
    witness.last = process > witness.last ? process : witness.last;
    for (int i = witness.first; i < processes; i++) {
        if (witness.seen[i][name->leg ^ 1] && is_alive(i)) {
            witness.betrayals++;
            return;
        }
    }
}

uint64_t witness_betrayals(void)
{
    return witness.betrayals;
}

uint64_t witness_generations(void)
{
    return witness.generations;
}

uint64_t witness_unknown_games(void)
{
    return witness.unknown_games;
}
