/* A game is a row of properties; movers, turns and scoring ask the row and never the game's
 * name. So the wire, records and bots need nothing for a new game, and the rule book
 * (docs/rules.md, V1 to V26) has the same order as the rows, which are numbered by their place. */
#include <bgref/variant.h>

#include <assert.h>
#include <string.h>

#include <bgref/board.h>

#include "games.h"

#define AT(field) offsetof(struct bg_variant, field)

/* In the rule book's order; ids never change. An option's first choice is its default. */
static const struct bg_variant variants[] = {
    {
        .id = "backgammon",
        .checkers = 15,
        .points = 24,
        .way = WAY_CONTRARY,
        .contact = CONTACT_HIT,
        .dice = 2,
        .double_times = 4,
        .opening = BG_OPENING_PLAY,
        .cube = true,
        .level_max = 3,
        .position_id = true,
        .setup = {{24, 2}, {13, 5}, {8, 3}, {6, 5}},
        .mover = &mover_hit,
    },
    {
        .id = "nackgammon",
        .checkers = 15,
        .points = 24,
        .way = WAY_CONTRARY,
        .contact = CONTACT_HIT,
        .dice = 2,
        .double_times = 4,
        .opening = BG_OPENING_PLAY,
        .cube = true,
        .level_max = 3,
        .setup = {{24, 2}, {23, 2}, {13, 4}, {8, 3}, {6, 4}},
        .mover = &mover_hit,
    },
    {
        .id = "hypergammon",
        .checkers = 3,
        .points = 24,
        .way = WAY_CONTRARY,
        .contact = CONTACT_HIT,
        .dice = 2,
        .double_times = 4,
        .opening = BG_OPENING_PLAY,
        .cube = true,
        .level_max = 3,
        .setup = {{24, 1}, {23, 1}, {22, 1}},
        .mover = &mover_hit,
    },
    {
        .id = "long-nardi",
        .checkers = 15,
        .points = 24,
        .way = WAY_PARALLEL,
        .contact = CONTACT_BLOCK,
        .dice = 2,
        .double_times = 4,
        .opening = BG_OPENING_REROLL,
        .next = BG_NEXT_WINNER,
        .level_max = 2,
        .setup = {{24, 15}},
        .mover = &mover_steps,
        /* V4.1: with 33, 44 and 66 the opponent's head stops a single checker that leaves. */
        .head = HEAD_DOUBLES,
        .block = BLOCK_MOVE,
        .option = {{"head",
                    AT(head),
                    {{"doubles", HEAD_DOUBLES}, {"any", HEAD_ANY}, {"need", HEAD_NEED}}},
                   {"block",
                    AT(block),
                    {{"ahead", BLOCK_MOVE}, {"end", BLOCK_END}, {"all", BLOCK_ALL}}},
                   {"koks", AT(koks), {{"off", 0}, {"on", 1}}},
                   {"equal-turns", AT(equal_turns), {{"off", 0}, {"on", 1}}}},
    },
    {
        .id = "short-nardi",
        .checkers = 15,
        .points = 24,
        .way = WAY_CONTRARY,
        .contact = CONTACT_HIT,
        .dice = 2,
        .double_times = 4,
        .opening = BG_OPENING_PLAY,
        .cube = true,
        .level_max = 3,
        .setup = {{24, 2}, {13, 5}, {8, 3}, {6, 5}},
        .mover = &mover_hit,
    },
    {
        .id = "portes",
        .checkers = 15,
        .points = 24,
        .way = WAY_CONTRARY,
        .contact = CONTACT_HIT,
        .dice = 2,
        .double_times = 4,
        .opening = BG_OPENING_REROLL,
        .next = BG_NEXT_WINNER,
        .level_max = 2,
        .setup = {{24, 2}, {13, 5}, {8, 3}, {6, 5}},
        .mover = &mover_hit,
        .option = {{"hit-run", AT(stay), {{"on", 0}, {"off", 1}}}},
    },
    {
        .id = "plakoto",
        .checkers = 15,
        .points = 24,
        .way = WAY_CONTRARY,
        .contact = CONTACT_PIN,
        .dice = 2,
        .double_times = 4,
        .opening = BG_OPENING_REROLL,
        .next = BG_NEXT_WINNER,
        .level_max = 2,
        .setup = {{24, 15}},
        .mover = &mover_steps,
        /* V7.1: the pinned mother is worth 2 points, as a win with none off. */
        .mother = 2,
        .option = {{"bear-pinned", AT(bear_pinned), {{"off", 0}, {"on", 1}}},
                   {"mother", AT(mother), {{"2", 2}, {"1", 1}, {"3", 3}}}},
    },
    {
        .id = "fevga",
        .checkers = 15,
        .points = 24,
        .way = WAY_PARALLEL,
        .contact = CONTACT_BLOCK,
        .dice = 2,
        .double_times = 4,
        .opening = BG_OPENING_REROLL,
        .next = BG_NEXT_WINNER,
        .level_max = 2,
        .setup = {{24, 15}},
        .mover = &mover_steps,
        /* V8.1 to V8.3: nothing can be hit here, so these three bound how long a prime may
         * stand. */
        .first = FIRST_PASSED,
        .quarter = QUARTER_OWN,
        .prime = 1,
        .option = {{"quarter", AT(quarter), {{"own", QUARTER_OWN}, {"both", QUARTER_BOTH}}}},
    },
    {
        .id = "moultezim",
        .checkers = 15,
        .points = 24,
        .way = WAY_PARALLEL,
        .contact = CONTACT_BLOCK,
        .dice = 2,
        .double_times = 4,
        .opening = BG_OPENING_REROLL,
        .next = BG_NEXT_WINNER,
        .level_max = 2,
        .setup = {{24, 15}},
        .mover = &mover_steps,
        .first = FIRST_PASSED,
        /* V9.2: the opponent's start table, not the own one as in fevga; other primes are
         * allowed. */
        .quarter = QUARTER_START,
        .option = {{"first", AT(first), {{"passed", FIRST_PASSED}, {"outer", FIRST_OUTER}}},
                   {"quarter", AT(quarter), {{"start", QUARTER_START}, {"home", QUARTER_HOME}}}},
    },
    {
        .id = "gul",
        .checkers = 15,
        .points = 24,
        .way = WAY_PARALLEL,
        .contact = CONTACT_BLOCK,
        .dice = 2,
        .double_times = 4,
        .opening = BG_OPENING_REROLL,
        .next = BG_NEXT_WINNER,
        .level_max = 2,
        .setup = {{24, 15}},
        .mover = &mover_steps,
        /* V10: fevga's restrictions hold in each stage of a double, and the rest goes to the
         * opponent. */
        .turns = TURNS_ESCALATE,
        .carry = 1,
        .first = FIRST_PASSED,
        .quarter = QUARTER_OWN,
        .prime = 1,
        .option = {{"handover", AT(carry), {{"on", 1}, {"off", 0}}},
                   {"quarter", AT(quarter), {{"own", QUARTER_OWN}, {"both", QUARTER_BOTH}}}},
    },
    {
        .id = "gulbara",
        .checkers = 15,
        .points = 24,
        .way = WAY_PARALLEL,
        .contact = CONTACT_BLOCK,
        .dice = 2,
        .double_times = 4,
        .opening = BG_OPENING_REROLL,
        .next = BG_NEXT_WINNER,
        .level_max = 2,
        .flags = FLAGS_TURNS,
        .setup = {{24, 15}},
        .mover = &mover_steps,
        .turns = TURNS_ESCALATE,
        /* V11.1: the grace counts turns, so the board has to remember them (FLAGS_TURNS). */
        .grace = GRACE_OWN,
        .carry = 1,
        .option = {{"grace",
                    AT(grace),
                    {{"own", GRACE_OWN}, {"global", GRACE_GLOBAL}, {"none", GRACE_NONE}}},
                   {"handover", AT(carry), {{"on", 1}, {"off", 0}}},
                   {"head", AT(head), {{"free", HEAD_FREE}, {"1", HEAD_DOUBLES}}},
                   {"block", AT(block), {{"free", BLOCK_FREE}, {"nardi", BLOCK_MOVE}}},
                   {"bear", AT(exact), {{"free", 0}, {"exact", 1}}}},
    },
    {
        .id = "tapa",
        .checkers = 15,
        .points = 24,
        .way = WAY_CONTRARY,
        .contact = CONTACT_PIN,
        .dice = 2,
        .double_times = 4,
        .opening = BG_OPENING_REROLL,
        .next = BG_NEXT_WINNER,
        .level_max = 2,
        .setup = {{24, 15}},
        .mover = &mover_steps,
        /* V12: plakoto without its mother rule; with the option it is the same but for its name. */
        .option = {{"mother", AT(mother), {{"off", 0}, {"2", 2}}}},
    },
    {
        .id = "tavla",
        .checkers = 15,
        .points = 24,
        .way = WAY_CONTRARY,
        .contact = CONTACT_HIT,
        .dice = 2,
        .double_times = 4,
        .opening = BG_OPENING_REROLL,
        .next = BG_NEXT_WINNER,
        .level_max = 2,
        .setup = {{24, 2}, {13, 5}, {8, 3}, {6, 5}},
        .mover = &mover_steps,
        /* V13.1: the mover of steps, since who has hit in its home must stay there until the
         * turn ends. */
        .stay = 1,
        .option = {{"hit-run", AT(stay), {{"off", 1}, {"on", 0}}}},
    },
    {
        .id = "acey-deucey",
        .checkers = 15,
        .points = 24,
        .way = WAY_CONTRARY,
        .contact = CONTACT_HIT,
        .dice = 2,
        .double_times = 4,
        .opening = BG_OPENING_REROLL,
        .next = BG_NEXT_WINNER,
        /* V14.2: one point for each checker that is not off. */
        .level_max = 15,
        .setup = {{BG_HAND, 15}},
        .mover = &mover_steps,
        .turns = TURNS_ACEY,
        .doubles_again = 1,
        .score = SCORE_CHECKERS,
        .option = {{"doubles-again", AT(doubles_again), {{"on", 1}, {"off", 0}}},
                   {"score", AT(score), {{"checkers", SCORE_CHECKERS}, {"single", SCORE_LEVELS}}}},
    },
    {
        .id = "asodio",
        .checkers = 15,
        .points = 24,
        .way = WAY_CONTRARY,
        .contact = CONTACT_HIT,
        .dice = 2,
        .double_times = 4,
        .opening = BG_OPENING_REROLL,
        .next = BG_NEXT_WINNER,
        .level_max = 2,
        .setup = {{BG_HAND, 15}},
        .mover = &mover_steps,
        .turns = TURNS_ASODIO,
        .exact = 1,
        /* V15.1: the gate is shut only while all fifteen are in hand. */
        .gate = GATE_ONCE,
        .option = {{"gate", AT(gate), {{"first", GATE_ONCE}, {"always", GATE_ALWAYS}}}},
    },
    {
        .id = "russian",
        .checkers = 15,
        .points = 24,
        .way = WAY_COMMON,
        .contact = CONTACT_HIT,
        .dice = 2,
        .double_times = 4,
        .opening = BG_OPENING_CHOICE,
        .next = BG_NEXT_SAME,
        .level_max = 3,
        /* V16.1: on one track a slot is the same point for both sides. */
        .setup = {{BG_HAND, 15}},
        .mover = &mover_steps,
        .turns = TURNS_RUSSIAN,
        .option = {{"enter-all", AT(enter), {{"off", ENTER_FREE}, {"on", ENTER_FIRST}}},
                   {"first-double", AT(plain_first), {{"full", 0}, {"plain", 1}}},
                   {"21", AT(wild_21), {{"plain", 0}, {"wild", 1}}},
                   {"next", AT(next), {{"same", BG_NEXT_SAME}, {"winner", BG_NEXT_WINNER}}}},
    },
    {
        .id = "old-english",
        .checkers = 15,
        .points = 24,
        .way = WAY_CONTRARY,
        .contact = CONTACT_HIT,
        .dice = 2,
        .double_times = 4,
        .opening = BG_OPENING_CHOICE,
        .level_max = 3,
        .setup = {{24, 2}, {13, 5}, {8, 3}, {6, 5}},
        .mover = &mover_steps,
        /* V17.2: in the place of G6, which makes a side play as many numbers as it can. */
        .duty = DUTY_ANY_END,
        .point_max = 5,
        .option = {{"free", AT(duty), {{"order", DUTY_ANY_END}, {"stop", DUTY_NONE}}}},
    },
    {
        .id = "misere",
        .checkers = 15,
        .points = 24,
        .way = WAY_CONTRARY,
        .contact = CONTACT_HIT,
        .dice = 2,
        .double_times = 4,
        .opening = BG_OPENING_PLAY,
        .cube = true,
        .level_max = 1,
        .setup = {{24, 2}, {13, 5}, {8, 3}, {6, 5}},
        .mover = &mover_hit,
        .goal = GOAL_LAST_OFF,
        /* V18.1: two sides that avoid bearing off may play for ever, so turns can be limited. */
        .option = {{"turns", AT(turns_cap), {{"none", 0}, {"500", 500}}}},
    },
    {
        .id = "tabula",
        .checkers = 15,
        .points = 24,
        .way = WAY_CONTRARY,
        .contact = CONTACT_HIT,
        .dice = 3,
        .double_times = 1,
        .opening = BG_OPENING_REROLL,
        .next = BG_NEXT_WINNER,
        .level_max = 1,
        .setup = {{BG_HAND, 15}},
        .mover = &mover_steps,
        /* V19: what the one source does not say is an option. */
        .option = {{"way", AT(way), {{"contrary", WAY_CONTRARY}, {"common", WAY_COMMON}}},
                   {"enter-all", AT(enter), {{"off", ENTER_FREE}, {"half", ENTER_HALF}}},
                   {"score", AT(level_max), {{"single", 1}, {"gammon", 2}, {"backgammon", 3}}}},
    },
    {
        .id = "irish",
        .checkers = 15,
        .points = 24,
        .way = WAY_CONTRARY,
        .contact = CONTACT_HIT,
        .dice = 2,
        .double_times = 2,
        .opening = BG_OPENING_PLAY,
        .level_max = 1,
        .setup = {{24, 2}, {13, 5}, {8, 3}, {6, 5}},
        .mover = &mover_hit,
        .option = {{"score", AT(level_max), {{"single", 1}, {"gammon", 2}}}},
    },
    {
        .id = "dutch",
        .checkers = 15,
        .points = 24,
        .way = WAY_CONTRARY,
        .contact = CONTACT_HIT,
        .dice = 2,
        .double_times = 4,
        .opening = BG_OPENING_REROLL,
        .next = BG_NEXT_WINNER,
        .level_max = 3,
        /* V21.1: a right that stays with a side is not seen on the points, so the board keeps
         * it. */
        .flags = FLAGS_RIGHT,
        .setup = {{BG_HAND, 15}},
        .mover = &mover_steps,
        .hit_right = HIT_EARNED,
        .option = {{"hit-right", AT(hit_right), {{"kept", HIT_EARNED}, {"present", HIT_PRESENT}}}},
    },
    {
        .id = "shuanglu",
        .checkers = 15,
        .points = 24,
        .way = WAY_CONTRARY,
        .contact = CONTACT_HIT,
        .dice = 2,
        .double_times = 2,
        .opening = BG_OPENING_PLAY,
        .level_max = 1,
        .setup = {{24, 2}, {13, 5}, {8, 3}, {6, 5}},
        .mover = &mover_hit,
    },
    {
        .id = "kiz-tavlasi",
        .checkers = 15,
        .points = 24,
        .way = WAY_CONTRARY,
        .contact = CONTACT_NONE,
        .dice = 2,
        .double_times = 4,
        .opening = BG_OPENING_REROLL,
        .next = BG_NEXT_WINNER,
        .level_max = 1,
        .flags = FLAGS_STACKS,
        .setup = {{6, 3}, {5, 3}, {4, 3}, {3, 2}, {2, 2}, {1, 2}},
        .mover = &mover_piles,
        .option = {{"score", AT(level_max), {{"single", 1}, {"gammon", 2}}}},
    },
    {
        .id = "hoyle-1870",
        .checkers = 15,
        .points = 24,
        .way = WAY_CONTRARY,
        .contact = CONTACT_HIT,
        .dice = 2,
        .double_times = 4,
        .opening = BG_OPENING_CHOICE,
        .next = BG_NEXT_HOYLE,
        .level_max = 3,
        .setup = {{24, 2}, {13, 5}, {8, 3}, {6, 5}},
        .mover = &mover_steps,
        /* V24.1: as many numbers as possible, but not the larger of two. */
        .duty = DUTY_MOST,
    },
    {
        .id = "xii-scripta",
        .checkers = 15,
        /* V25.1: the one long board; its slots above the bar's begin at BG_FAR. */
        .points = 36,
        .way = WAY_SCRIPTA,
        .contact = CONTACT_HIT,
        .dice = 3,
        .double_times = 1,
        .opening = BG_OPENING_REROLL,
        .next = BG_NEXT_WINNER,
        .level_max = 1,
        .setup = {{BG_HAND, 15}},
        .mover = &mover_steps,
    },
    {
        .id = "nard",
        .checkers = 15,
        .points = 24,
        .way = WAY_CONTRARY,
        .contact = CONTACT_BLOCK,
        .dice = 2,
        .double_times = 4,
        .opening = BG_OPENING_REROLL,
        .next = BG_NEXT_WINNER,
        .level_max = 2,
        .setup = {{24, 15}},
        .mover = &mover_steps,
        .option = {{"way", AT(way), {{"contrary", WAY_CONTRARY}, {"parallel", WAY_PARALLEL}}}},
    },
};

/* Other names of games with equal rules, by game: what is stored and printed is the id. */
static const struct {
    const char *name, *id;
} aliases[] = {
    {"gamao", "backgammon"},
    {"trio-trac", "backgammon"},
    {"hyper-backgammon", "hypergammon"},
    {"nardi", "long-nardi"},
    {"narde", "long-nardi"},
    {"nardy", "long-nardi"},
    {"long-narde", "long-nardi"},
    {"long-nardy", "long-nardi"},
    {"short-narde", "short-nardi"},
    {"short-nardy", "short-nardi"},
    {"mahbusa", "plakoto"},
    {"mahbouseh", "plakoto"},
    {"pin-game", "plakoto"},
    {"multezim", "moultezim"},
    {"gul-bara", "gulbara"},
    {"rosespring", "gulbara"},
    {"crazy-narde", "gulbara"},
    {"shesh-besh", "tavla"},
    {"sheshbesh", "tavla"},
    {"takhte", "tavla"},
    {"takhte-nard", "tavla"},
    {"takhteh", "tavla"},
    {"takhteh-nard", "tavla"},
    {"tawla", "tavla"},
    {"tawle", "tavla"},
    {"american-acey-deucey", "acey-deucey"},
    {"european-acey-deucey", "asodio"},
    {"russian-backgammon", "russian"},
    {"old-english-backgammon", "old-english"},
    {"anti-backgammon", "misere"},
    {"dutch-backgammon", "dutch"},
    {"ban-sugoroku", "shuanglu"},
    {"ssang-ryouk", "shuanglu"},
    {"double-sixes", "shuanglu"},
    {"ludus-duodecim-scriptorum", "xii-scripta"},
};

enum { VARIANTS = sizeof variants / sizeof variants[0] };

const struct bg_variant *bg_variant_at(int i)
{
    return i >= 0 && i < VARIANTS ? &variants[i] : NULL;
}

const char *bg_variant_alias(const char **id, int i)
{
    if (i < 0 || i >= (int)(sizeof aliases / sizeof aliases[0])) {
        return NULL;
    }
    *id = aliases[i].id;
    return aliases[i].name;
}

const char *bg_variant_id(const struct bg_variant *variant)
{
    return variant->name[0] != '\0' ? variant->name : variant->id;
}

void bg_variant_setup(struct bg_board *out, const struct bg_variant *variant)
{
    memset(out, 0, sizeof *out);
    for (int seat = 0; seat < 2; seat++) {
        for (int i = 0; i < GAME_PILES && variant->setup[i].checkers > 0; i++) {
            out->at[seat][variant->setup[i].slot] = variant->setup[i].checkers;
            if (variant->flags == FLAGS_STACKS) { /* V23: all but one of a pile are stacked */
                out->stacked[seat][variant->setup[i].slot] =
                    (uint8_t)(variant->setup[i].checkers - 1);
            }
        }
    }
}

int bg_variant_opponent_slot(const struct bg_variant *variant, int slot)
{
    assert(slot >= 1 && slot < BG_SLOTS && slot != BG_BAR && slot != BG_HAND);
    switch (variant->way) {
    case WAY_CONTRARY:
        return 25 - slot;
    case WAY_PARALLEL:
        return slot <= 12 ? slot + 12 : slot - 12;
    case WAY_COMMON:
        return slot;
    case WAY_SCRIPTA:
        return slot >= BG_FAR ? slot : 25 - slot;
    }
    assert(false);
    return slot;
}

enum bg_opening bg_variant_opening(const struct bg_variant *variant)
{
    return variant->opening;
}

enum bg_next bg_variant_next(const struct bg_variant *variant)
{
    return variant->next;
}

bool bg_variant_has_cube(const struct bg_variant *variant)
{
    return variant->cube;
}

/* True if the loser has a checker on the points first..last, which are that side's own entry table
 * or the winner's home table. */
static bool stands_between(const uint8_t *at, int first, int last)
{
    for (int slot = first; slot <= last; slot++) {
        if (at[slot] > 0) {
            return true;
        }
    }
    return false;
}

/* G9: no checker off, and at least one not in play or in an area where a backgammon is lost. */
static bool is_backgammon(const struct bg_variant *variant, const uint8_t *loser)
{
    if (variant->koks) { /* V4: only the entry table counts */
        return stands_between(loser, 19, 24);
    }
    if (loser[BG_BAR] + loser[BG_HAND] > 0) {
        return true;
    }
    if (variant->way == WAY_PARALLEL) { /* the winner's home table is the loser's own 13 to 18 */
        return stands_between(loser, 13, 18);
    }
    /* The winner's home table; where both sides move in the same direction, the common entry table
     * (V16). */
    return stands_between(loser, 19, 24);
}

int bg_variant_level(const struct bg_variant *variant, const struct bg_board *board, int winner)
{
    const uint8_t *loser = board->at[1 - winner];
    int level = 2;

    if (variant->score == SCORE_CHECKERS) { /* V14 */
        return variant->checkers - loser[BG_OFF];
    }
    if (loser[BG_OFF] > 0) {
        return 1;
    }
    if (is_backgammon(variant, loser)) {
        level = 3;
    }
    return level < variant->level_max ? level : variant->level_max;
}

int bg_variant_pips(const struct bg_variant *variant, const struct bg_board *board, int seat)
{
    int pips = 0;

    for (int slot = 1; slot < BG_SLOTS; slot++) {
        pips += point_of_slot(variant, slot) * board->at[seat][slot];
    }
    return pips;
}

bool bg_variant_turn_is_roll(const struct bg_variant *variant)
{
    return variant->dice == 2 && variant->turns == TURNS_PLAIN && !variant->carry;
}

int bg_variant_dice(const struct bg_variant *variant)
{
    return variant->dice;
}

int bg_variant_level_max(const struct bg_variant *variant)
{
    return variant->level_max;
}

/* Each seat counts from its own side, so exchanging the seats is exchanging halves: no slot
 * changes its number. Pips are a property of slots alone here; in games with other courses
 * bg_variant_pips knows more. */

bool bg_board_equal(const struct bg_board *a, const struct bg_board *b)
{
    /* Compared field by field, because the struct has padding. */
    return memcmp(a->at, b->at, sizeof a->at) == 0 &&
           memcmp(a->pinned, b->pinned, sizeof a->pinned) == 0 &&
           memcmp(a->turns, b->turns, sizeof a->turns) == 0 &&
           memcmp(a->may_hit, b->may_hit, sizeof a->may_hit) == 0 &&
           memcmp(a->stacked, b->stacked, sizeof a->stacked) == 0;
}

void bg_board_swap(struct bg_board *out, const struct bg_board *board)
{
    const struct bg_board was = *board;

    for (int seat = 0; seat < 2; seat++) {
        memcpy(out->at[seat], was.at[1 - seat], sizeof was.at[0]);
        memcpy(out->stacked[seat], was.stacked[1 - seat], sizeof was.stacked[0]);
        out->pinned[seat] = was.pinned[1 - seat];
        out->turns[seat] = was.turns[1 - seat];
        out->may_hit[seat] = was.may_hit[1 - seat];
    }
}

int bg_board_pips(const struct bg_board *board, int seat)
{
    const uint8_t *at = board->at[seat];
    int pips = 0;

    for (int slot = 1; slot <= BG_BAR; slot++) {
        pips += slot * at[slot];
    }
    /* From the hand a checker enters like from the bar: 25 pips away. */
    pips += BG_BAR * at[BG_HAND];
    for (int slot = BG_FAR; slot < BG_SLOTS; slot++) {
        pips += (slot - BG_FAR + BG_POINTS + 1) * at[slot];
    }
    return pips;
}

int bg_board_count(const struct bg_board *board, int seat)
{
    int count = 0;

    for (int slot = 0; slot < BG_SLOTS; slot++) {
        count += board->at[seat][slot];
    }
    return count;
}
