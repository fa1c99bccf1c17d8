/* The games by chance use a generator of their own (xorshift64*), not rand(): the corpus has to
 * be the same with every C library, as certificates of two machines are compared. Cases are kept
 * by quota for each rule and roll; a plain sample would hardly ever have the rare ones. */
#include "corpus.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <base/memory.h>
#include <bgref/cube.h>
#include <bgref/notation.h>

#include "chosen_text.h"
#include "position_class.h"
#include "rule_coverage.h"

enum {
    GAMES = 90,     /* random games for one variant's corpus */
    OF_A_RULE = 12, /* plays kept per rule */
    OF_A_ROLL = 8,
    OF_A_KIND = 30, /* decisions kept per other kind */
    OF_A_CLASS = 3, /* usual ones of each class of position_class.h at least */
    DICE_CODES = 6 * 6 * 6,
    COST_MAX =
        1000000 /* limit of the search for covered rules, in units of rule_coverage_find's result */
};

/* State while a corpus is built: the number of cases per category. */
struct growth {
    struct corpus *corpus;
    int rules[BG_RULE_COUNT], rolls[DICE_CODES], kinds[BG_NEED_COUNT][2];
    int classes[POSITION_CLASSES];
    uint64_t chance, cost;
};

static uint64_t drawn(struct growth *growth, uint64_t limit)
{
    growth->chance ^= growth->chance << 13;
    growth->chance ^= growth->chance >> 7;
    growth->chance ^= growth->chance << 17;
    return (growth->chance * UINT64_C(2685821657736338717) >> 16) % limit;
}

/* --------------------------------------------------------------------- growing */

static void add(struct corpus *corpus, const struct bg_match *match, const char *category)
{
    corpus->cases =
        memory_list(corpus->cases, &corpus->room, corpus->count + 1, sizeof *corpus->cases);
    corpus->cases[corpus->count].match = *match;
    snprintf(corpus->cases[corpus->count].category, CORPUS_CATEGORY, "%s", category);
    corpus->count++;
}

static int *roll_count(struct growth *growth, const struct bg_roll *roll)
{
    int code = 0;

    for (int i = 0; i < 3; i++) {
        code = code * 6 + (roll->die[i] > 0 ? roll->die[i] - 1 : 0);
    }
    return &growth->rolls[code];
}

/* Chooses the category of a play. Returns false if there are already enough plays like it. */
static bool wants_play(char category[CORPUS_CATEGORY], struct growth *growth,
                       const struct bg_match *match)
{
    bool broken[BG_RULE_COUNT];
    int *rolls = roll_count(growth, &match->roll);
    bool wanted = *rolls < OF_A_ROLL;

    memset(broken, 0, sizeof broken);
    if (growth->cost < COST_MAX) { /* games with many plays per roll are expensive to search */
        growth->cost += rule_coverage_find(broken, match);
    }
    snprintf(category, CORPUS_CATEGORY, "roll");
    for (int rule = 1; rule < BG_RULE_COUNT; rule++) {
        if (broken[rule] && growth->rules[rule] < OF_A_RULE) {
            wanted = true;
            snprintf(category, CORPUS_CATEGORY, "rule %s", bg_rule_number((enum bg_rule)rule));
        }
    }
    for (int rule = 1; rule < BG_RULE_COUNT && wanted; rule++) {
        growth->rules[rule] += broken[rule];
    }
    *rolls += wanted;
    return wanted;
}

static bool wants_other(char category[CORPUS_CATEGORY], struct growth *growth,
                        const struct bg_match *match)
{
    bool refused = match->resign_level > 0 && match->need.kind != BG_NEED_RESIGNATION;
    int *count = &growth->kinds[match->need.kind][refused];

    snprintf(category, CORPUS_CATEGORY, "%s%s", bg_need_name(match->need.kind),
             refused ? " after a refused offer" : "");
    return (*count)++ < OF_A_KIND;
}

bool corpus_is_usual(const struct bg_match *match)
{
    return match->rules.length_points == 0 && !match->rules.beavers;
}

static void look(struct growth *growth, const struct bg_match *match)
{
    char category[CORPUS_CATEGORY];
    bool wanted = match->need.kind == BG_NEED_PLAY ? wants_play(category, growth, match)
                                                   : wants_other(category, growth, match);

    wanted |= corpus_is_usual(match) && growth->classes[position_class(match)] < OF_A_CLASS;
    growth->classes[position_class(match)] += wanted && corpus_is_usual(match);
    if (wanted) {
        add(growth->corpus, match, category);
    }
}

/* ------------------------------------------------------------- games by chance */

static void chance_dice(struct bg_step *step, const struct bg_match *match, struct growth *growth)
{
    int count = bg_match_dice(match);

    for (int i = 0; i < count; i++) {
        step->die[i] = (uint8_t)(1 + drawn(growth, 6));
    }
}

/* Makes a random legal step for the current decision, sometimes a cube action or a resignation. */
static struct bg_step chance_step(const struct bg_match *match, struct growth *growth)
{
    static struct bg_play_list list; /* static because it is large; used by one thread only */
    struct bg_step step = {.seat = match->need.seat};

    switch (match->need.kind) {
    case BG_NEED_OPENING:
        step.kind = BG_STEP_OPEN;
        chance_dice(&step, match, growth);
        break;
    case BG_NEED_DOUBLE:
    case BG_NEED_ROLL:
        step.kind = match->need.kind == BG_NEED_DOUBLE && drawn(growth, 8) == 0 ? BG_STEP_DOUBLE
                                                                                : BG_STEP_ROLL;
        if (step.kind == BG_STEP_ROLL) {
            chance_dice(&step, match, growth);
        }
        break;
    case BG_NEED_TAKE:
    case BG_NEED_RAISE:
        step.kind = bg_cube_may_raise(match) == BG_RULE_NONE && drawn(growth, 2) == 0
                        ? BG_STEP_RAISE
                    : drawn(growth, 8) == 0 ? BG_STEP_PASS
                                            : BG_STEP_TAKE;
        break;
    case BG_NEED_PLAY:
        bg_play_list(&list, match->rules.variant, &match->board, step.seat, &match->stage);
        step.kind = BG_STEP_PLAY;
        step.play = list.play[drawn(growth, list.count)];
        break;
    case BG_NEED_KEEP:
        step.kind = drawn(growth, 2) == 0 ? BG_STEP_KEEP : BG_STEP_REROLL;
        break;
    case BG_NEED_NAME:
        step.kind = BG_STEP_NAME;
        step.level = (uint8_t)(1 + drawn(growth, 6));
        break;
    case BG_NEED_RESIGNATION:
        step.kind = drawn(growth, 20) == 0 ? BG_STEP_ACCEPT : BG_STEP_REFUSE;
        break;
    default:
        step.kind = BG_STEP_NEXT;
        step.seat = -1;
    }
    return step;
}

/* Sometimes adds an offer to resign before the decision. */
static void maybe_offer(struct bg_match *match, struct growth *growth)
{
    struct bg_step step = {
        .kind = BG_STEP_RESIGN, .seat = match->need.seat, .level = (uint8_t)(1 + drawn(growth, 3))};

    if ((match->need.kind == BG_NEED_PLAY || match->need.kind == BG_NEED_DOUBLE) &&
        drawn(growth, 25) == 0) {
        (void)bg_match_step(match, &step); /* some games do not have every level of resignation */
    }
}

static bool is_decision(enum bg_need_kind need)
{
    return need == BG_NEED_DOUBLE || need == BG_NEED_TAKE || need == BG_NEED_RAISE ||
           need == BG_NEED_PLAY || need == BG_NEED_KEEP || need == BG_NEED_NAME ||
           need == BG_NEED_RESIGNATION;
}

static void play(struct growth *growth, const struct bg_rules *rules)
{
    struct bg_match match;

    bg_match_begin(&match, rules);
    while (match.need.kind != BG_NEED_NOTHING) {
        struct bg_step step;

        maybe_offer(&match, growth);
        if (is_decision(match.need.kind)) {
            look(growth, &match);
        }
        step = chance_step(&match, growth);
        (void)bg_match_step(&match,
                            &step); /* a tie is rolled again if it is not allowed to stand */
    }
}

/* Plays money games and matches of several lengths, to reach many kinds of score and cube. */
static void play_games(struct growth *growth, const struct bg_variant *variant)
{
    static const int lengths[] = {0, 1, 0, 3, 0, 5};

    for (int i = 0; i < GAMES; i++) {
        struct bg_rules rules = bg_rules_default(variant, lengths[i % 6]);

        rules.turn_cap = 150;
        if (rules.length_points == 0 && rules.cube) {
            rules.beavers = i % 4 == 0;
            rules.raises = i % 8 == 0 ? 1 : 0;
            rules.jacoby = i % 3 != 0;
        }
        play(growth, &rules);
    }
}

/* ---------------------------------------------------------- chosen positions */

/* Sets up a match in which seat must play this roll from this position. */
static bool set_up(struct bg_match *out, const char *position, const char *dice, int seat,
                   const struct bg_variant *variant)
{
    struct bg_rules rules = bg_rules_default(variant, 0);
    struct bg_step roll = {.kind = BG_STEP_ROLL, .seat = seat};
    struct bg_start start = {.on_roll = seat, .cube_owner = BG_CENTRED};

    roll.die[0] = (uint8_t)(dice[0] - '0');
    roll.die[1] = (uint8_t)(dice[1] - '0');
    return bg_position_id_read(&start.board, position, seat, NULL) == BG_OK &&
           bg_match_begin_at(out, &rules, &start, NULL) == BG_OK &&
           bg_match_step(out, &roll) == BG_RULE_NONE && out->need.kind == BG_NEED_PLAY;
}

static void add_chosen(struct corpus *corpus, const struct bg_variant *variant)
{
    const char *line = (const char *)chosen_text;

    for (int number = 0; *line != '\0'; number++) {
        char position[32], dice[4], category[CORPUS_CATEGORY];
        struct bg_match match;

        if (line[0] != '#' && sscanf(line, "%31s %3s %39s", position, dice, category) == 3 &&
            set_up(&match, position, dice, number % 2, variant)) {
            add(corpus, &match, category);
        }
        line += strcspn(line, "\n");
        line += *line == '\n';
    }
}

void corpus_create(struct corpus *out, const struct bg_variant *variant)
{
    struct growth growth = {.corpus = out, .chance = UINT64_C(0x9e3779b97f4a7c15)};

    *out = (struct corpus){.cases = NULL};
    if (variant == bg_variant_find("backgammon")) {
        add_chosen(out, variant);
    }
    play_games(&growth, variant);
}

void corpus_deinit(struct corpus *corpus)
{
    free(corpus->cases);
    *corpus = (struct corpus){.cases = NULL};
}
