/* season_games.c - which legs were allotted, which are played, and what they say of a meeting. Hash
 * tables with open addressing for names, legs and couples, in place of sorted lists: a league adds
 * to them all the time, and every game that ends looks its leg up. Slots have 0 for "empty", hence
 * numbers from 1. They double at half full, so a search is short. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "season_state.h"

/* ------------------------------------------------------------------ names */

/* The tables mask low bits, and numbers of bots and pairs differ in few of them: without mixing
 * they would fall into neighbouring slots. */
static uint64_t mix_bits(uint64_t value)
{
    value ^= value >> 32;
    value *= UINT64_C(0x9e3779b97f4a7c15);
    value ^= value >> 29;
    value *= UINT64_C(0xbf58476d1ce4e5b9);
    return value ^ value >> 32;
}

/* FNV-1a; its low bits alone are weak, so it is mixed. */
static uint64_t hash_text(const char *text)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);

    for (; *text != '\0'; text++) {
        hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    }
    return mix_bits(hash);
}

/* Returns the slot that has the name, or where it belongs. */
static uint32_t *name_slot(const struct name_table *names, const char *name)
{
    uint32_t at = (uint32_t)hash_text(name) & (names->slots - 1);

    while (names->slot[at] != 0 && strcmp(names->name[names->slot[at] - 1], name) != 0) {
        at = (at + 1) & (names->slots - 1);
    }
    return &names->slot[at];
}

static void names_grow(struct name_table *names)
{
    uint32_t slots = names->slots == 0 ? 64 : 2 * names->slots;
    uint32_t *slot;

    if (2 * (names->count + 1) <= names->slots) {
        return;
    }
    slot = memory_zeroed(slots, sizeof *slot);
    free(names->slot);
    names->slot = slot;
    names->slots = slots;
    for (uint32_t i = 0; i < names->count; i++) {
        *name_slot(names, names->name[i]) = i + 1;
    }
}

int64_t name_find(const struct season *season, const char *name)
{
    return season->names.slots == 0 ? -1 : (int64_t)*name_slot(&season->names, name) - 1;
}

uint32_t name_add(struct season *season, const char *name)
{
    struct name_table *names = &season->names;
    int64_t found = name_find(season, name);

    if (found >= 0) {
        return (uint32_t)found;
    }
    names_grow(names);
    names->name = memory_list(names->name, &names->room, names->count + 1, sizeof *names->name);
    season->entrant_of = memory_list(season->entrant_of, &season->entrant_of_room, names->count + 1,
                                     sizeof *season->entrant_of);
    *name_slot(names, name) = names->count + 1;
    season->entrant_of[names->count] = -1;
    names->name[names->count] = memory_text(name);
    return names->count++;
}

/* ------------------------------------------------------------------ legs and couples */

static struct leg_slot *leg_place(const struct leg_table *table, const struct leg_slot *key)
{
    uint64_t hash =
        mix_bits(((uint64_t)key->a << 32 | key->b) ^ mix_bits(2 * key->pair + (unsigned)key->leg));
    size_t at = (size_t)hash & (table->room - 1);

    for (;; at = (at + 1) & (table->room - 1)) {
        struct leg_slot *slot = &table->slot[at];

        if (slot->a == 0 || (slot->a == key->a && slot->b == key->b && slot->pair == key->pair &&
                             slot->leg == key->leg)) {
            return slot;
        }
    }
}

struct leg_slot *leg_find(const struct season *season, const struct leg_slot *key)
{
    struct leg_slot *slot = season->table.room == 0 ? NULL : leg_place(&season->table, key);

    return slot == NULL || slot->a == 0 ? NULL : slot;
}

const struct leg_slot *leg_of_names(const struct season *season, const char *a, const char *b,
                                    uint64_t pair, int leg)
{
    int64_t one = name_find(season, a), two = name_find(season, b);
    const struct leg_slot key = {
        .a = (uint32_t)(one + 1), .b = (uint32_t)(two + 1), .pair = pair, .leg = leg};

    return one < 0 || two < 0 ? NULL : leg_find(season, &key);
}

static void legs_grow(struct leg_table *table)
{
    struct leg_table grown = {NULL, table->used, table->room == 0 ? 256 : 2 * table->room};

    if (2 * (table->used + 1) <= table->room) {
        return;
    }
    grown.slot = memory_zeroed(grown.room, sizeof *grown.slot);
    for (size_t i = 0; i < table->room; i++) {
        if (table->slot[i].a != 0) {
            *leg_place(&grown, &table->slot[i]) = table->slot[i];
        }
    }
    free(table->slot);
    *table = grown;
}

/* Finds or adds. */
static struct leg_slot *leg_add(struct season *season, const struct leg_slot *key)
{
    struct leg_slot *slot;

    legs_grow(&season->table);
    slot = leg_place(&season->table, key);
    if (slot->a == 0) {
        *slot = *key;
        season->table.used++;
    }
    return slot;
}

static struct couple *couple_place(const struct couple_table *table, uint32_t a, uint32_t b)
{
    size_t at = (size_t)mix_bits((uint64_t)a << 32 | b) & (table->room - 1);

    while (table->slot[at].a != 0 && (table->slot[at].a != a || table->slot[at].b != b)) {
        at = (at + 1) & (table->room - 1);
    }
    return &table->slot[at];
}

static void couples_grow(struct couple_table *table)
{
    struct couple_table grown = {NULL, table->used, table->room == 0 ? 64 : 2 * table->room};

    if (2 * (table->used + 1) <= table->room) {
        return;
    }
    grown.slot = memory_zeroed(grown.room, sizeof *grown.slot);
    for (size_t i = 0; i < table->room; i++) {
        const struct couple *couple = &table->slot[i];

        if (couple->a != 0) {
            *couple_place(&grown, couple->a, couple->b) = *couple;
        }
    }
    free(table->slot);
    *table = grown;
}

/* The names' numbers of two entrants in the order of their names. */
static struct leg_slot key_of(const struct season *season, int a, int b)
{
    const struct season_entry *one = &season->entry[a], *two = &season->entry[b];
    bool in_order = strcmp(one->seen.name, two->seen.name) < 0;

    return (struct leg_slot){.a = (in_order ? one : two)->name + 1,
                             .b = (in_order ? two : one)->name + 1};
}

uint64_t couple_next(const struct season *season, int a, int b)
{
    struct leg_slot key = key_of(season, a, b);
    const struct couple *couple =
        season->couples.room == 0 ? NULL : couple_place(&season->couples, key.a, key.b);

    return couple == NULL || couple->a == 0 ? 0 : couple->next;
}

/* ------------------------------------------------------------------ counting */

/* Adds (sign 1) or takes back (-1) a leg in its meeting's sums. */
static void count_leg(struct season *season, const struct leg_slot *leg, int sign)
{
    const struct leg_fixture *fixture = &season->fixture[leg->fixture - 1];
    struct match_up *match_up;
    bool a_is_first;

    match_up = &season->match_up[fixture->seen.meeting - 1];
    a_is_first = fixture->seen.a == match_up->seen.meeting.a;
    match_up->legs_open -= sign;
    if (leg->winner < 0) {
        return;
    }
    if ((leg->winner == 0) == a_is_first) {
        match_up->seen.points_a += sign * leg->points;
        match_up->wins_a += sign;
    } else {
        match_up->seen.points_b += sign * leg->points;
        match_up->wins_b += sign;
    }
}

/* A leg that ended while its meeting was decided by an act: its game is stored as those that ended
 * before the act are. Who reads the journal later cannot tell them apart, so both count. */
static void played_after_all(struct season *season, struct leg_fixture *fixture)
{
    if (fixture->is_dropped) {
        fixture->is_dropped = fixture->is_void = false;
        season->match_up[fixture->seen.meeting - 1].legs_open++;
    }
}

void season_leg(struct season *season, const struct season_leg *leg)
{
    struct leg_slot key = {.pair = leg->pair, .leg = leg->leg}, *slot;

    if (season->plan.stages == 0) {
        return; /* a plain round robin is counted elsewhere */
    }
    key.a = name_add(season, leg->a) + 1;
    key.b = name_add(season, leg->b) + 1;
    slot = leg_add(season, &key);
    /* A leg may be heard of more than once: among the games, and among those that were set
     * aside (season_store.c). The first counts. */
    if (slot->is_played) {
        return;
    }
    slot->is_played = true;
    slot->winner = leg->winner;
    slot->points = leg->points;
    if (slot->fixture != 0) {
        played_after_all(season, &season->fixture[slot->fixture - 1]);
    }
    if (slot->fixture != 0 && !season->fixture[slot->fixture - 1].is_void) {
        count_leg(season, slot, 1);
    }
}

static int legs_of_meeting(const struct season *season, uint64_t meeting)
{
    int count;

    return meeting_terms(&count, season, &season->match_up[meeting - 1]) == PLAN_PAIRS
               ? season->legs
               : 1;
}

static void fixture_add(struct season *season, const struct season_fixture *fixture,
                        const struct leg_slot *key)
{
    struct leg_slot *slot = leg_add(season, key);

    season->fixture = memory_list(season->fixture, &season->fixture_room,
                                  (size_t)season->fixtures + 1, sizeof *season->fixture);
    season->fixture[season->fixtures++] = (struct leg_fixture){.seen = *fixture};
    /* As number plus 1, because 0 is a leg that was never allotted. */
    slot->fixture = season->fixtures;
    season->match_up[fixture->meeting - 1].legs_open++;
    if (slot->is_played) {
        count_leg(season, slot, 1);
    }
}

static bool units_note(struct season_meeting *meeting, struct season_units units)
{
    struct season_units *last =
        meeting->unit_rows == 0 ? NULL : &meeting->units[meeting->unit_rows - 1];

    if (last != NULL && last->from + last->count == units.from) {
        last->count += units.count;
        return true;
    }
    if (meeting->unit_rows == SEASON_UNITS) {
        return false;
    }
    meeting->units[meeting->unit_rows++] = units;
    return true;
}

void units_allot(struct season *season, uint64_t meeting, int a, int b, struct season_units units)
{
    struct leg_slot key = key_of(season, a, b);
    int legs = legs_of_meeting(season, meeting);
    bool in_order = season->entry[a].name + 1 == key.a;
    struct season_fixture fixture = {.a = in_order ? a : b, .b = in_order ? b : a};
    struct match_up *match_up = &season->match_up[meeting - 1];
    struct couple *couple;

    fixture.meeting = meeting;
    couples_grow(&season->couples);
    couple = couple_place(&season->couples, key.a, key.b);
    season->couples.used += couple->a == 0;
    *couple = (struct couple){key.a, key.b, units.from + units.count};
    match_up->units += units.count;
    units_note(&match_up->seen, units);
    for (uint64_t i = 0; i < units.count; i++) {
        for (int leg = 0; leg < legs; leg++) {
            fixture.pair = key.pair = units.from + i;
            fixture.leg = key.leg = leg;
            fixture_add(season, &fixture, &key);
        }
    }
}

/* Marks the legs of a pair void. Returns whether one of them was not void before. */
static bool void_legs(struct season *season, struct leg_slot key, bool only_open)
{
    bool changed = false;

    for (key.leg = 0; key.leg < 2; key.leg++) {
        const struct leg_slot *slot = leg_find(season, &key);
        struct leg_fixture *fixture =
            slot == NULL || slot->fixture == 0 ? NULL : &season->fixture[slot->fixture - 1];

        if (fixture == NULL || (only_open && slot->is_played)) {
            continue;
        }
        if (fixture->is_dropped && !only_open) {
            fixture->is_dropped = false; /* now by decision, whether or not it ended */
            changed = true;
        }
        if (fixture->is_void) {
            continue;
        }
        fixture->is_void = changed = true;
        fixture->is_dropped = only_open;
        if (slot->is_played) {
            count_leg(season, slot, -1);
        }
        season->match_up[fixture->seen.meeting - 1].legs_open--;
    }
    return changed;
}

void meeting_void_legs(struct season *season, struct match_up *match_up, bool only_open)
{
    struct leg_slot key;

    if (match_up->seen.meeting.b == FORMS_NOBODY) {
        return;
    }
    key = key_of(season, match_up->seen.meeting.a, match_up->seen.meeting.b);
    for (int row = 0; row < match_up->seen.unit_rows; row++) {
        const struct season_units *units = &match_up->seen.units[row];

        for (uint64_t i = 0; i < units->count; i++) {
            key.pair = units->from + i;
            void_legs(season, key, only_open);
        }
    }
    if (!only_open) {
        match_up->units = 0;
    }
}

void pair_void(struct season *season, uint32_t a, uint32_t b, uint64_t pair)
{
    struct leg_slot key = {.a = a + 1, .b = b + 1, .pair = pair};
    const struct leg_slot *slot = leg_find(season, &key);

    if (void_legs(season, key, false)) { /* so one of them is a fixture, and leg 0 always is */
        season->match_up[season->fixture[slot->fixture - 1].seen.meeting - 1].units--;
    }
}

/* ------------------------------------------------------------------ verdicts
 * A verdict looks only at the sums that are kept above, so it costs the same after every game, and
 * asks for further units instead of remembering that it did. */

static const struct plan_stage *plan_of(const struct season *season,
                                        const struct match_up *match_up)
{
    return &season->plan.stage[match_up->seen.stage];
}

enum plan_terms meeting_terms(int *count, const struct season *season,
                              const struct match_up *match_up)
{
    const struct plan_stage *stage = plan_of(season, match_up);

    *count = match_up->is_playoff ? stage->playoff : stage->count;
    return match_up->is_playoff ? PLAN_BEST_OF : stage->terms;
}

uint64_t first_units(enum plan_terms terms, int count)
{
    return terms == PLAN_MATCH ? 1 : (uint64_t)(terms == PLAN_BEST_OF ? count / 2 + 1 : count);
}

bool is_elimination(const struct season *season, const struct match_up *match_up)
{
    return !match_up->is_playoff && plan_is_elimination(plan_of(season, match_up)->form);
}

struct meeting *meeting_local(const struct season *season, const struct match_up *match_up)
{
    const struct season_meeting *seen = &match_up->seen;
    struct season_group *group = &season->stage[seen->stage].group[seen->group];

    return &(match_up->is_playoff ? &group->playoff : &group->main)->meeting[match_up->at];
}

/* The score is level after all units of the terms: in money play and in an elimination one more
 * unit, at most PLAN_EXTRA. */
static struct season_verdict level(const struct season *season, const struct match_up *match_up,
                                   enum plan_terms terms)
{
    bool is_money = season->length_points == 0 && terms != PLAN_MATCH;
    bool is_needed = is_money || is_elimination(season, match_up) || match_up->is_playoff;
    const struct season_meeting *seen = &match_up->seen;
    const struct season_entry *entry = season->entry;

    if (is_needed && match_up->extra < PLAN_EXTRA && seen->unit_rows < SEASON_UNITS) {
        return (struct season_verdict){.state = VERDICT_MORE, .units = 1};
    }
    /* Somebody has to go on, and more games could go on for ever: after PLAN_EXTRA units the
     * better seed does. */
    if (is_elimination(season, match_up)) {
        bool a_is_first =
            entry[seen->meeting.a].local[seen->stage] < entry[seen->meeting.b].local[seen->stage];

        return (struct season_verdict){
            .state = VERDICT_OVER, .score = a_is_first ? 1 : 0, .by_seed = true};
    }
    return (struct season_verdict){.state = VERDICT_OVER, .score = 0.5};
}

/* Only as many units as could decide: of a best of 9 at 4-2 one more is asked for, not three. */
static struct season_verdict best_of(const struct season *season, const struct match_up *match_up,
                                     int count)
{
    int a = match_up->wins_a, b = match_up->wins_b, most = a > b ? a : b;
    int played = (int)match_up->units, needed = count / 2 + 1 - most;

    if (needed <= 0 || (played >= count && a != b)) {
        return (struct season_verdict){.state = VERDICT_OVER, .score = a > b ? 1 : 0};
    }
    if (played >= count) {
        return level(season, match_up, PLAN_BEST_OF);
    }
    return (struct season_verdict){
        .state = VERDICT_MORE,
        .units = (uint64_t)(needed < count - played ? needed : count - played)};
}

struct season_verdict meeting_verdict(const struct season *season, const struct match_up *match_up)
{
    const struct season_meeting *seen = &match_up->seen;
    int count;
    enum plan_terms terms = meeting_terms(&count, season, match_up);

    if (seen->end != SEASON_OPEN || match_up->legs_open > 0 || match_up->units == 0) {
        return (struct season_verdict){.state = VERDICT_WAIT};
    }
    if (terms == PLAN_BEST_OF) {
        return best_of(season, match_up, count);
    }
    if (seen->points_a == seen->points_b) {
        return level(season, match_up, terms);
    }
    return (struct season_verdict){.state = VERDICT_OVER,
                                   .score = seen->points_a > seen->points_b ? 1 : 0};
}
