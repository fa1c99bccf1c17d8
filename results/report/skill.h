/* skill.h - luck and skill of every bot of an event: results without luck, errors by kind, the
 * worst choices.
 *
 * From the judgements in the store (record/judgement.h) of one judge. Viewpoint: each bot's own.
 */
#ifndef REPORT_SKILL_H
#define REPORT_SKILL_H

#include <numbers/errors.h>
#include <numbers/luck.h>
#include <numbers/tally.h>

enum { SKILL_KINDS = 3, SKILL_WORST = 3 /* choices kept of each bot */ };

struct skill_worst {
    char *game_id; /* owned */
    int step;      /* of the record */
    enum judged_kind kind;
    double error, loss;
    char best[JUDGED_BEST];
};

struct skill_bot {
    struct errors_sum sum[SKILL_KINDS];    /* by enum judged_kind */
    double foe_moves;                      /* checker plays of the other side in its games */
    struct luck_summary luck;              /* over all its judged games or matches */
    struct skill_worst worst[SKILL_WORST]; /* largest error first */
    int worst_count;
};

struct skill_encounter {
    int a, b;                 /* bots of the tally */
    struct luck_summary luck; /* of a */
};

struct skill {
    char *judge;    /* owned; NULL: nobody has judged */
    uint64_t games; /* judged */
    bool choices;   /* some of them with their choices */
    double cpu_s;   /* processor time of the judge, where it is known */
    uint64_t cpu_games;
    enum luck_unit unit;
    struct skill_bot *bot; /* owned; as in the tally */
    int bots;
    struct skill_encounter *encounter; /* owned */
    int encounters, room;
};

/* judge NULL: the one with the most games, then the first by name. BG_E_ARGUMENT: no such judge;
 * BG_E_STORE; BG_E_MEMORY. */
enum bg_status skill_read(struct skill *out, struct store *store, const struct tally *tally,
                          const char *judge, struct bg_error *err);
void skill_deinit(struct skill *skill); /* also a zeroed one */

/* Luck of x against y; NULL: nothing judged. *flip: x is the encounter's b. */
const struct skill_encounter *skill_encounter(const struct skill *skill, int x, int y, bool *flip);

#endif
