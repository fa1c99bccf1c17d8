/* season_games.c - which legs were allotted, which are played, and what they say of a meeting. Hash
 * tables with open addressing for names and couples, in place of sorted lists: a league adds to
 * them all the time, and every game that ends looks its leg up. Slots have 0 for "empty", hence
 * numbers from 1. They double at half full, so a search is short. The legs of a couple are a list
 * by their pair's number, since pairs are allotted in this order. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "circle.h"
#include "record/round_robin.h"
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

/* ------------------------------------------------------------------ couples and their legs */

static uint32_t *couple_slot(const struct couple_table *table, uint32_t a, uint32_t b)
{
    uint32_t at = (uint32_t)mix_bits((uint64_t)a << 32 | b) & (table->slots - 1);

    for (;; at = (at + 1) & (table->slots - 1)) {
        uint32_t number = table->slot[at];

        if (number == 0 || (table->couple[number - 1].a == a && table->couple[number - 1].b == b)) {
            return &table->slot[at];
        }
    }
}

static struct couple *couple_find(const struct season *season, uint32_t a, uint32_t b)
{
    const struct couple_table *table = &season->couples;
    uint32_t number = table->slots == 0 ? 0 : *couple_slot(table, a, b);

    return number == 0 ? NULL : &table->couple[number - 1];
}

static struct couple *couple_add(struct season *season, uint32_t a, uint32_t b)
{
    struct couple_table *table = &season->couples;
    struct couple *couple = couple_find(season, a, b);

    if (couple != NULL) {
        return couple;
    }
    if (2 * (table->count + 1) > table->slots) {
        free(table->slot);
        table->slots = table->slots == 0 ? 64 : 2 * table->slots;
        table->slot = memory_zeroed(table->slots, sizeof *table->slot);
        for (uint32_t i = 0; i < table->count; i++) {
            *couple_slot(table, table->couple[i].a, table->couple[i].b) = i + 1;
        }
    }
    table->couple =
        memory_list(table->couple, &table->room, table->count + 1, sizeof *table->couple);
    *couple_slot(table, a, b) = table->count + 1;
    table->couple[table->count] = (struct couple){.a = a, .b = b};
    return &table->couple[table->count++];
}

void couples_clear(struct couple_table *table)
{
    for (uint32_t i = 0; i < table->count; i++) {
        free(table->couple[i].legs);
    }
    free(table->couple);
    free(table->slot);
}

void couples_copy(struct couple_table *out, const struct couple_table *table)
{
    *out = *table;
    out->couple = array_copy(table->couple, table->room, table->count, sizeof *table->couple);
    out->slot = array_copy(table->slot, table->slots, table->slots, sizeof *table->slot);
    for (uint32_t i = 0; i < table->count; i++) {
        struct couple *couple = &out->couple[i];

        couple->legs =
            array_copy(couple->legs, couple->leg_room, couple->leg_count, sizeof *couple->legs);
    }
}

/* The names' numbers of two entrants in the order of their names. */
static void names_of(uint32_t *a, uint32_t *b, const struct season *season, int one, int two)
{
    const struct season_entry *first = &season->entry[one], *second = &season->entry[two];
    bool in_order = strcmp(first->seen.name, second->seen.name) < 0;

    *a = (in_order ? first : second)->name;
    *b = (in_order ? second : first)->name;
}

uint64_t couple_next(const struct season *season, int a, int b)
{
    uint32_t first, second;
    const struct couple *couple;

    names_of(&first, &second, season, a, b);
    couple = couple_find(season, first, second);
    return couple == NULL ? 0 : couple->next;
}

/* Numbers that come from foreign results and are none are those of a leg that nobody allots. */
static uint64_t leg_number(uint64_t pair, int leg)
{
    return pair > UNITS_MOST * (uint64_t)UNITS_MOST || leg < 0 || leg > 1
               ? UINT64_MAX
               : 2 * pair + (unsigned)leg;
}

/* Returns the place of a leg in the couple's list. Most often the leg is a new last one. */
static size_t leg_place(const struct couple *couple, uint64_t at)
{
    size_t low = 0, high = couple->leg_count;

    if (high > 0 && couple->legs[high - 1].at < at) {
        return high;
    }
    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (couple->legs[middle].at < at) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* Finds or adds. */
static struct leg_known *leg_add(struct couple *couple, uint64_t at)
{
    size_t place = leg_place(couple, at);

    if (place == couple->leg_count || couple->legs[place].at != at) {
        couple->legs = memory_list(couple->legs, &couple->leg_room, couple->leg_count + 1,
                                   sizeof *couple->legs);
        memmove(&couple->legs[place + 1], &couple->legs[place],
                (couple->leg_count++ - place) * sizeof *couple->legs);
        couple->legs[place] = (struct leg_known){.at = at};
    }
    return &couple->legs[place];
}

static const struct leg_known *leg_state(const struct couple *couple, uint64_t at)
{
    static const struct leg_known none = {.at = 0};
    size_t place = leg_place(couple, at);

    return place < couple->leg_count && couple->legs[place].at == at ? &couple->legs[place] : &none;
}

static struct allotment *allotted(const struct season *season, const struct couple *couple,
                                  uint64_t at)
{
    for (size_t i = couple == NULL ? 0 : couple->allotted; i > 0;
         i = season->allotment[i - 1].before) {
        struct allotment *of = &season->allotment[i - 1];

        if (at / 2 >= of->units.from && at / 2 - of->units.from < of->units.count) {
            return (int)(at % 2) < of->legs ? of : NULL;
        }
    }
    return NULL;
}

bool leg_find(struct leg_at *out, const struct season *season, uint32_t a, uint32_t b,
              uint64_t pair, int leg)
{
    const struct couple *couple = couple_find(season, a, b);
    uint64_t at = leg_number(pair, leg);

    out->of = allotted(season, couple, at);
    if (out->of != NULL) {
        out->leg = leg_state(couple, at);
        out->fixture =
            out->of->first + (pair - out->of->units.from) * (uint64_t)out->of->legs + (unsigned)leg;
    }
    return out->of != NULL;
}

bool leg_of_names(struct leg_at *out, const struct season *season, const struct season_leg *leg)
{
    int64_t a = name_find(season, leg->a), b = name_find(season, leg->b);

    return a >= 0 && b >= 0 && leg_find(out, season, (uint32_t)a, (uint32_t)b, leg->pair, leg->leg);
}

/* ------------------------------------------------------------------ fixtures */

static uint64_t pairings(const struct season *season)
{
    return round_robin_pairings((uint64_t)season->entrants);
}

static struct allotment *allotment_of(const struct season *season, uint64_t fixture)
{
    size_t low = 0, high = season->allotments;

    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;

        if (season->allotment[middle].first <= fixture) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return &season->allotment[low];
}

struct leg_at leg_of_fixture(const struct season *season, uint64_t i)
{
    const struct allotment *of = allotment_of(season, i);
    uint64_t n = i - of->first, legs = (uint64_t)of->legs;
    uint64_t at = 2 * (of->units.from + n / legs) + n % legs;

    return (struct leg_at){of, i, leg_state(&season->couples.couple[of->couple], at)};
}

/* A plain round robin has no rows of the form: pair 0 of every pairing first, so that early results
 * are spread, then pair 1, and so on. */
static void open_fixture(struct season_fixture *out, const struct season *season, uint64_t i)
{
    uint64_t legs = (uint64_t)season->legs, a_pair = pairings(season) * legs, of_pair = i % a_pair;
    int a, b;

    circle_pairing(&a, &b, season->entrants, of_pair / legs);
    if (strcmp(season->entry[a].seen.name, season->entry[b].seen.name) > 0) {
        int swap = a;

        a = b;
        b = swap;
    }
    *out =
        (struct season_fixture){.a = a, .b = b, .pair = i / a_pair, .leg = (int)(of_pair % legs)};
}

uint64_t season_fixtures(const struct season *season)
{
    return season->plan.stages > 0 ? season->fixtures
                                   : pairings(season) * (uint64_t)season->legs * season->pairs;
}

bool season_find_fixture(uint64_t *i, const struct season *season, const struct season_leg *leg)
{
    struct leg_at at = {.fixture = 0};
    int a = season_find(season, leg->a), b = season_find(season, leg->b);
    bool found = season->plan.stages > 0
                     ? leg_of_names(&at, season, leg)
                     : a >= 0 && b >= 0 && leg->pair < season->pairs && leg->leg < season->legs;

    *i = found && season->plan.stages == 0
             ? (leg->pair * pairings(season) + circle_number(season->entrants, a, b)) *
                       (uint64_t)season->legs +
                   (unsigned)leg->leg
             : at.fixture;
    return found;
}

void season_fixture(struct season_fixture *out, const struct season *season, uint64_t i)
{
    if (season->plan.stages == 0) {
        open_fixture(out, season, i);
        return;
    }

    const struct allotment *of = allotment_of(season, i);
    const struct couple *couple = &season->couples.couple[of->couple];
    uint64_t n = i - of->first, legs = (uint64_t)of->legs;

    *out = (struct season_fixture){.a = season->entrant_of[couple->a],
                                   .b = season->entrant_of[couple->b],
                                   .pair = of->units.from + n / legs,
                                   .leg = (int)(n % legs),
                                   .meeting = of->meeting};
}

uint64_t season_next_void(const struct season *season, uint64_t i)
{
    while (i < season->fixtures) {
        const struct leg_at at = leg_of_fixture(season, i);

        if (at.leg->is_void) {
            return i;
        }
        i = at.of->voids > 0 ? i + 1 : at.of->first + at.of->units.count * (uint64_t)at.of->legs;
    }
    return season_fixtures(season);
}

/* ------------------------------------------------------------------ counting */

/* Adds (sign 1) or takes back (-1) a leg in its meeting's sums. */
static void count_leg(struct season *season, const struct allotment *of,
                      const struct leg_known *leg, int sign)
{
    struct match_up *match_up = &season->match_up[of->meeting - 1];
    const struct season_entry *a = &season->entry[match_up->seen.meeting.a];
    bool a_is_first = a->name == season->couples.couple[of->couple].a;

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

void season_leg(struct season *season, const struct season_leg *result)
{
    struct couple *couple;
    struct allotment *of;
    struct leg_known *leg;

    if (season->plan.stages == 0) {
        return; /* a plain round robin is counted elsewhere */
    }
    couple = couple_add(season, name_add(season, result->a), name_add(season, result->b));
    leg = leg_add(couple, leg_number(result->pair, result->leg));
    of = allotted(season, couple, leg->at);
    /* A leg may be heard of more than once: among the games, and among those that were set
     * aside (season_store.c). The first counts. */
    if (leg->is_played) {
        return;
    }
    leg->is_played = true;
    leg->winner = (int8_t)result->winner;
    leg->points = result->points;
    if (leg->is_dropped) {
        /* It ended while its meeting was decided by an act: its game is stored as those that
         * ended before the act are. Who reads the journal later cannot tell them apart, so both
         * count. */
        leg->is_dropped = leg->is_void = false;
        season->match_up[of->meeting - 1].legs_open++;
        of->voids--;
    }
    if (of != NULL && !leg->is_void) {
        count_leg(season, of, leg, 1);
    }
}

static int legs_of_meeting(const struct season *season, uint64_t meeting)
{
    int count;

    return meeting_terms(&count, season, &season->match_up[meeting - 1]) == PLAN_PAIRS
               ? season->legs
               : 1;
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

void units_allot(struct season *season, uint64_t meeting, uint64_t count)
{
    struct match_up *match_up = &season->match_up[meeting - 1];
    uint32_t a, b;
    struct couple *couple;
    struct allotment *of;

    if (count == 0) {
        return;
    }
    names_of(&a, &b, season, match_up->seen.meeting.a, match_up->seen.meeting.b);
    couple = couple_add(season, a, b);
    season->allotment = memory_list(season->allotment, &season->allotment_room,
                                    season->allotments + 1, sizeof *season->allotment);
    of = &season->allotment[season->allotments++];
    *of = (struct allotment){.first = season->fixtures,
                             .meeting = meeting,
                             .units = {couple->next, count},
                             .legs = legs_of_meeting(season, meeting),
                             .couple = (uint32_t)(couple - season->couples.couple),
                             .before = couple->allotted};
    couple->allotted = season->allotments;
    couple->next += count;
    season->fixtures += count * (uint64_t)of->legs;
    match_up->units += count;
    match_up->legs_open += (int)count * of->legs;
    units_note(&match_up->seen, of->units);
    for (size_t i = leg_place(couple, 2 * of->units.from);
         i < couple->leg_count && couple->legs[i].at < 2 * couple->next; i++) {
        if (allotted(season, couple, couple->legs[i].at) != NULL) {
            count_leg(season, of, &couple->legs[i], 1); /* it was heard of before */
        }
    }
}

/* Marks the legs of a pair void. Returns whether one of them was not void before. */
static bool void_legs(struct season *season, struct couple *couple, uint64_t pair, bool only_open)
{
    bool changed = false;

    for (uint64_t at = 2 * pair; at < 2 * pair + 2; at++) {
        struct allotment *of = allotted(season, couple, at);
        struct leg_known *leg;

        if (of == NULL || (only_open && leg_state(couple, at)->is_played)) {
            continue;
        }
        leg = leg_add(couple, at);
        if (leg->is_dropped && !only_open) {
            leg->is_dropped = false; /* now by decision, whether or not it ended */
            changed = true;
        }
        if (leg->is_void) {
            continue;
        }
        leg->is_void = changed = true;
        leg->is_dropped = only_open;
        of->voids++;
        if (leg->is_played) {
            count_leg(season, of, leg, -1);
        }
        season->match_up[of->meeting - 1].legs_open--;
    }
    return changed;
}

void meeting_void_legs(struct season *season, struct match_up *match_up, bool only_open)
{
    uint32_t a, b;

    if (match_up->seen.meeting.b == FORMS_NOBODY) {
        return;
    }
    names_of(&a, &b, season, match_up->seen.meeting.a, match_up->seen.meeting.b);
    for (int row = 0; row < match_up->seen.unit_rows; row++) {
        const struct season_units *units = &match_up->seen.units[row];

        for (uint64_t i = 0; i < units->count; i++) {
            void_legs(season, couple_find(season, a, b), units->from + i, only_open);
        }
    }
    if (!only_open) {
        match_up->units = 0;
    }
}

void pair_void(struct season *season, uint32_t a, uint32_t b, uint64_t pair)
{
    struct leg_at at;

    if (void_legs(season, couple_find(season, a, b), pair, false) &&
        leg_find(&at, season, a, b, pair, 0)) { /* one of them is a fixture, and leg 0 always is */
        season->match_up[at.of->meeting - 1].units--;
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
