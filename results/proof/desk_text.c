/* desk_text.c - what an act does, for people and as JSON. What an act will have done is shown by
 * doing it to a copy, with all rows that follow without a game: a walkover may end a round, and
 * that is what the director wants to know before. */
#define _GNU_SOURCE
#include "base/memory.h"
#include "desk_deed.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/plural.h"

/* A place that is another one after the act. */
struct moved {
    int stage, group; /* from 0 */
    const char *bot;
    int place, was; /* was: 0, not in this stage before */
    double score, old_score;
};

struct moves {
    struct moved *moved; /* owned */
    size_t count, room;
};

/* ------------------------------------------------------------------ the standing after it */

/* The season after the act and all that follows from it without a game. An error ends the
 * preview and is not reported: the act itself was checked, and is what counts. */
static struct season *settled_season(const struct season *after, const char *at)
{
    struct season *season = season_clone(after);
    struct season_acts acts = {.count = 0};

    if (season_plan(season)->stages > 0) {
        (void)season_follow(&acts, season, at, NULL);
    }
    free(acts.acts);
    return season;
}

/* Two standings of one group. */
struct pair_of_standings {
    struct season_place *now, *was; /* owned */
    int now_count, was_count;
};

static void find_moves(struct moves *out, const struct pair_of_standings *both,
                       const struct season *season, int stage, int group)
{
    for (int i = 0; i < both->now_count; i++) {
        const struct season_place *now = &both->now[i];
        struct moved moved = {.stage = stage,
                              .group = group,
                              .bot = season_entrant(season, now->entrant)->name,
                              .place = now->place,
                              .score = now->score};

        for (int k = 0; k < both->was_count; k++) {
            if (both->was[k].entrant == now->entrant) {
                moved.was = both->was[k].place;
                moved.old_score = both->was[k].score;
            }
        }
        if (moved.was != moved.place || moved.old_score != moved.score) {
            out->moved = memory_list(out->moved, &out->room, out->count + 1, sizeof moved);
            out->moved[out->count++] = moved;
        }
    }
}

static enum bg_status compare_group(struct moves *out, const struct season *before,
                                    const struct season *after, int stage, int group,
                                    struct bg_error *err)
{
    size_t room = (size_t)season_entrants(after);
    struct pair_of_standings both = {.now = memory_zeroed(room, sizeof *both.now),
                                     .was = memory_zeroed(room, sizeof *both.was)};
    enum bg_status status = season_standing(both.now, &both.now_count, after, stage, group, err);

    if (status == BG_OK && stage <= season_stage(before) && group < season_groups(before, stage)) {
        status = season_standing(both.was, &both.was_count, before, stage, group, err);
    }
    if (status == BG_OK) {
        find_moves(out, &both, after, stage, group);
    }
    free(both.now);
    free(both.was);
    return status;
}

static enum bg_status compare_seasons(struct moves *out, const struct season *before,
                                      const struct season *after, struct bg_error *err)
{
    enum bg_status status = BG_OK;

    for (int stage = 0; stage <= season_stage(after) && status == BG_OK; stage++) {
        for (int group = 0; group < season_groups(after, stage) && status == BG_OK; group++) {
            status = compare_group(out, before, after, stage, group, err);
        }
    }
    return status;
}

/* *settled lives as long as the names in *out; the caller destroys both. */
static enum bg_status find_all_moves(struct moves *out, struct season **settled,
                                     const struct desk_deed *deed, const struct desk *desk,
                                     struct bg_error *err)
{
    struct season *was;
    enum bg_status status;

    if (deed->is_plain) {
        return BG_OK;
    }
    *settled = settled_season(deed->after, deed->act[0].at);
    /* The season before is settled too, so that rows that were due anyway are not shown as the
     * act's effect. */
    was = settled_season(desk->season, deed->act[0].at);
    status = compare_seasons(out, was, *settled, err);
    season_destroy(was);
    return status;
}

/* ------------------------------------------------------------------ text */

static const char *verb(uint64_t count, bool is_dry)
{
    return is_dry ? "would be" : plural(count, "is", "are");
}

static void write_effects(FILE *out, const struct desk_deed *deed, bool is_dry)
{
    if (deed->pairs > 0) {
        fprintf(out, "%" PRIu64 " game%s of %zu pair%s %s set aside and %s no longer\n",
                deed->games, plural_s(deed->games), deed->pairs, plural_s(deed->pairs),
                verb(deed->games, is_dry),
                is_dry ? "count" : plural(deed->games, "counts", "count"));
    }
    if (deed->fixtures > 0) {
        fprintf(out, "%zu fixture%s %s marked unplayed\n", deed->fixtures, plural_s(deed->fixtures),
                verb(deed->fixtures, is_dry));
    }
    if (deed->given_up > 0) {
        fprintf(out, "%" PRIu64 " fixture%s %s open again\n", deed->given_up,
                plural_s(deed->given_up), verb(deed->given_up, is_dry));
    }
    if (deed->accepted_key[0] != '\0') {
        fputs("the bot goes on as what it is at the event's next start, and tables mark it\n", out);
    }
    if (deed->had_root) {
        fprintf(out, "the published root %s %s; %s\n", deed->root,
                is_dry ? "would no longer hold" : "is withdrawn",
                deed->republishes ? "a new one is published; sign it again"
                                  : "the next run publishes a new one");
    }
}

/* Whether the act gave a meeting that was paired before it another end. */
static bool has_other_end(const struct desk *desk, const struct season *settled, size_t i)
{
    const struct season_meeting *was = season_meeting(desk->season, i);
    const struct season_meeting *now = season_meeting(settled, i);

    return was->end != now->end || was->winner != now->winner;
}

static const char *end_word(const struct season_meeting *seen)
{
    static const char *const words[] = {
        [SEASON_OPEN] = "open",         [SEASON_PLAYED] = "played",       [SEASON_BYE] = "bye",
        [SEASON_WALKOVER] = "walkover", [SEASON_ADJUDICATED] = "decided", [SEASON_VOID] = "void"};

    return words[seen->end];
}

static void write_ends(FILE *out, const struct season *settled, const struct desk_deed *deed,
                       const struct desk *desk)
{
    bool is_first = true;

    for (size_t i = 0; !deed->is_plain && i < season_meetings(desk->season); i++) {
        const struct season_meeting *seen = season_meeting(settled, i);

        if (!has_other_end(desk, settled, i)) {
            continue;
        }
        fprintf(out, "%smeeting %" PRIu64 ", %s against %s: %s", is_first ? "meetings:\n  " : "  ",
                seen->number, season_entrant(settled, seen->meeting.a)->name,
                season_entrant(settled, seen->meeting.b)->name, end_word(seen));
        if (seen->winner != FORMS_NOBODY) {
            fprintf(out, ", won by %s", season_entrant(settled, seen->winner)->name);
        } else if (seen->end == SEASON_WALKOVER) {
            fputs(", won by nobody", out);
        }
        fputc('\n', out);
        is_first = false;
    }
}

static void write_moves(FILE *out, const struct moves *moves, const struct desk_deed *deed)
{
    for (size_t i = 0; i < moves->count; i++) {
        const struct moved *moved = &moves->moved[i];

        fprintf(out, "%s%s: place %d with %g in stage %d", i == 0 ? "standing:\n  " : "  ",
                moved->bot, moved->place, moved->score, moved->stage + 1);
        if (moved->was > 0) {
            fprintf(out, ", before place %d with %g", moved->was, moved->old_score);
        }
        fputc('\n', out);
    }
    if (moves->count == 0 && !deed->is_plain) {
        fputs("standing: unchanged\n", out);
    }
}

enum bg_status desk_write(FILE *out, const struct desk_deed *deed, const struct desk *desk,
                          bool is_dry, struct bg_error *err)
{
    struct moves moves = {.count = 0};
    struct season *settled = NULL;
    enum bg_status status = find_all_moves(&moves, &settled, deed, desk, err);

    for (size_t i = 0; i < deed->acts && status == BG_OK; i++) {
        const struct act *act = &deed->act[i];

        fprintf(out, "%s %" PRIu64 ": %s %s, by %s%s%s\n", is_dry ? "would be act" : "act",
                act->number, act->kind, act->subject, act->who, act->reason[0] == '\0' ? "" : ": ",
                act->reason);
    }
    if (status == BG_OK) {
        write_effects(out, deed, is_dry);
        write_ends(out, settled, deed, desk);
        write_moves(out, &moves, deed);
    }
    season_destroy(settled);
    free(moves.moved);
    return status;
}

/* ------------------------------------------------------------------ JSON */

static json_t *json_of_acts(const struct desk_deed *deed)
{
    json_t *list = json_array();

    for (size_t i = 0; i < deed->acts; i++) {
        const struct act *act = &deed->act[i];

        json_array_append_new(list, json_pack("{s:I, s:s, s:s, s:s, s:s, s:s, s:s}", "number",
                                              (json_int_t)act->number, "at", act->at, "who",
                                              act->who, "kind", act->kind, "subject", act->subject,
                                              "reason", act->reason, "hash", act->hash));
    }
    return list;
}

static json_t *json_of_ends(const struct season *settled, const struct desk_deed *deed,
                            const struct desk *desk)
{
    json_t *list = json_array();

    for (size_t i = 0; !deed->is_plain && i < season_meetings(desk->season); i++) {
        const struct season_meeting *seen = season_meeting(settled, i);

        if (has_other_end(desk, settled, i)) {
            json_array_append_new(
                list, json_pack("{s:I, s:s, s:s, s:s, s:s}", "meeting", (json_int_t)seen->number,
                                "a", season_entrant(settled, seen->meeting.a)->name, "b",
                                season_entrant(settled, seen->meeting.b)->name, "how",
                                end_word(seen), "winner",
                                seen->winner == FORMS_NOBODY
                                    ? ""
                                    : season_entrant(settled, seen->winner)->name));
        }
    }
    return list;
}

static json_t *json_of_moves(const struct moves *moves)
{
    json_t *list = json_array();

    for (size_t i = 0; i < moves->count; i++) {
        const struct moved *moved = &moves->moved[i];

        json_array_append_new(list, json_pack("{s:i, s:i, s:s, s:i, s:f, s:i, s:f}", "stage",
                                              moved->stage + 1, "group", moved->group + 1, "bot",
                                              moved->bot, "place", moved->place, "score",
                                              moved->score, "place_before", moved->was,
                                              "score_before", moved->old_score));
    }
    return list;
}

enum bg_status desk_write_json(FILE *out, const struct desk_deed *deed, const struct desk *desk,
                               bool is_dry, struct bg_error *err)
{
    struct moves moves = {.count = 0};
    struct season *settled = NULL;
    json_t *json = NULL;
    enum bg_status status = find_all_moves(&moves, &settled, deed, desk, err);

    if (status == BG_OK) {
        json = json_pack(
            "{s:s, s:i, s:b, s:o, s:I, s:I, s:I, s:I, s:b, s:b, s:o, s:o}", "schema",
            "bgref-desk-act", "version", 1, "dry_run", (int)is_dry, "acts", json_of_acts(deed),
            "pairs_set_aside", (json_int_t)deed->pairs, "games_set_aside", (json_int_t)deed->games,
            "unplayed", (json_int_t)deed->fixtures, "reopened", (json_int_t)deed->given_up,
            "root_withdrawn", (int)deed->had_root, "root_published", (int)deed->republishes, "ends",
            json_of_ends(settled, deed, desk), "standing", json_of_moves(&moves));
        if (json == NULL || json_dumpf(json, out, JSON_COMPACT) != 0 || fputc('\n', out) == EOF) {
            status = bg_error_set(err, BG_E_SYSTEM, "JSON");
        }
    }
    json_decref(json);
    season_destroy(settled);
    free(moves.moved);
    return status;
}
