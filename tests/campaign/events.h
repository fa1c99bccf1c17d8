/* events.h - simulated events of every form, as sums for the code that prints. */
#ifndef TESTS_CAMPAIGN_EVENTS_H
#define TESTS_CAMPAIGN_EVENTS_H

#include <jansson.h>

#include <numbers/draw.h>
#include <sums/legs.h>
#include <sums/tally.h>

enum { BOTS = 20, NAME = 16 };

/* How strong the bots are. In logits of a match, or 0.6 points a game: SPREAD even by chance
 * between -0.5 and 0.5, WIDE between -2 and 2, NORMAL with deviation 1, TWO half at 1 and half at
 * -1, FAR deviation 0.5 and two bots at 4 and -4 (money: 2). HOPELESS: the last one at -6 (money:
 * -3); LUCKY: it wins one match all the same. UNBEATEN: the first two at 6. SPLIT: as SPREAD, two
 * halves that never meet. */
enum strengths { EQUAL, SPREAD, WIDE, NORMAL, TWO, FAR, HOPELESS, LUCKY, UNBEATEN, SPLIT };

/* Who meets whom. CUP: two groups, their best two in a knockout. STOPPED: two bots until a
 * sequential test stops. LENGTHS: matches to 1, 3 and 7 in one event. VOIDED: a tenth of the pairs
 * has lost a leg, a twentieth both. */
enum form { CIRCLE, SWISS, LADDER, LEAGUE, KNOCKOUT, CUP, STOPPED, LENGTHS, VOIDED };

/* Correlation of a pair's legs: both -0.15 and -0.7 in one event. */
#define MIXED (-2.0)

#define MONEY_MEAN (1.295 * 2.02) /* of the points that a simulated game is about */

struct scenario {
    int length;      /* 0 money */
    int bots, pairs; /* pairs: in each meeting */
    double correlation;
    enum strengths strengths;
    int events;
    double starter; /* a lost game becomes a won one with this chance, by the side that began it */
    int draws;      /* of the bootstrap; 0: none */
    enum form form;
};

struct world {
    const struct scenario *scenario;
    double strength[BOTS]; /* rating points; money: points a game */
    char name[BOTS][NAME];
    bool met[BOTS][BOTS];
    struct draw draw;
    bool stopped;     /* a sequential test ended this event */
    struct legs legs; /* of this event, when its legs are examined */
};

void must(bool good, const char *what); /* ends the program */

/* A bot's chance to win a match of this scenario. */
double chance(const struct world *world, int a, int b);

/* Chooses the strengths for the next event, and plays it into an empty tally. */
void play(struct tally *tally, struct world *world);

#endif
