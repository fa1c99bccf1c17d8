/* The checks go from the record alone over the game before it to its steps, its end and its row:
 * each may rely on what the ones before it have shown, and the message names the first thing
 * that is wrong and not what follows from it. */
#define _GNU_SOURCE /* memmem */
#include "verify.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record/record_date.h"
#include "record/record_text.h"
#include "verify_claims.h"
#include "verify_journal.h"
#include "verify_steps.h"
#include "base/plain.h"
#include "base/plural.h"

/* One game being checked. */
struct verify_looked {
    struct verify *verify;
    struct record_view *view;
    struct game_id id;
    const struct bg_dice_key *key; /* the key of its dice; NULL: unknown. Lent */
    const char *name;              /* its id as text, from the row or the record */
    bool first;                    /* first game of its leg */
    struct bg_match match;
    int64_t begin_ns[2]; /* clocks by seat before the game */
};

static enum bg_status mismatch(const struct verify_looked *looked, const char *what,
                               const char *found, const char *expected, struct bg_error *err)
{
    return bg_error_set(err, BG_E_MISMATCH, "game %s: %s is '%.120s', expected '%.120s'",
                        looked->name, what, found, expected);
}

/* ------------------------------------------------------------ the record alone */

/* Finds the id in a damaged record, for the message. */
static void guess_name(char *out, size_t room, const char *text, size_t size)
{
    static const char id[] = "\nid ";
    const char *at = memmem(text, size, id, sizeof id - 1);
    size_t length = 0;

    /* The record may be damaged anywhere: it is searched as bytes, and what is not found leaves
     * the name from the row. */
    if (at == NULL) {
        return;
    }
    at += sizeof id - 1;
    while (at + length < text + size && at[length] > ' ' && (unsigned char)at[length] < 127) {
        length++;
    }
    if (length > 0 && length < room) {
        memcpy(out, at, length);
        out[length] = '\0';
    }
}

/* A record's dice must have the same source as the event's dice. */
static enum bg_status check_source(const struct verify_looked *looked, struct bg_error *err)
{
    const char *expected = looked->verify->options.dice;
    const char *found = record_view_value(looked->view, "dice");
    size_t word = strcspn(found, " ");

    if (expected == NULL || (strlen(expected) == word && memcmp(expected, found, word) == 0)) {
        return BG_OK;
    }
    return mismatch(looked, "dice", found, expected, err);
}

static enum bg_status check_event_name(const struct verify_looked *looked, struct bg_error *err)
{
    const char *expected = looked->verify->options.event;
    const char *found = record_view_value(looked->view, "event");

    return expected == NULL || found == NULL || strcmp(expected, found) == 0
               ? BG_OK
               : mismatch(looked, "event", found, expected, err);
}

/* Finds the key of this record's dice; NULL: unknown. Refuses a record with a key that was never
 * published, because its dice could not be checked. */
static enum bg_status find_key(const struct bg_dice_key **out, const struct verify_looked *looked,
                               struct bg_error *err)
{
    const struct verify_options *options = &looked->verify->options;
    const char *digest = record_view_value(looked->view, "key");

    *out = NULL;
    for (int i = 0; i < options->key_count; i++) {
        if (digest == NULL || strcmp(options->keys[i].digest, digest) == 0) {
            *out = options->keys[i].is_known ? &options->keys[i].key : NULL;
            return BG_OK;
        }
    }
    return digest == NULL || options->key_count == 0
               ? BG_OK
               : mismatch(looked, "the digest of its key", digest, options->keys[0].digest, err);
}

/* Checks the record's alias (the game id that the bots saw), if the key is known. */
static enum bg_status check_alias(const struct verify_looked *looked, struct bg_error *err)
{
    const char *found = record_view_value(looked->view, "alias");
    struct bg_dice_key id_key;
    char expected[BG_ALIAS];

    if (found == NULL || looked->key == NULL) {
        return BG_OK;
    }
    bg_dice_id_key(&id_key, looked->key);
    game_id_alias(expected, &looked->id, record_view_attempt(looked->view), &id_key);
    return strcmp(found, expected) == 0 ? BG_OK : mismatch(looked, "alias", found, expected, err);
}

static enum bg_status look_at(struct verify_looked *looked, const char *text, size_t size,
                              struct bg_error *err)
{
    struct bg_error why = {0};

    if (record_read(&looked->view, text, size, &why) != BG_OK ||
        record_check_hash(looked->view, &why) != BG_OK) {
        return bg_error_set(err, BG_E_MISMATCH, "game %s: %s", looked->name, why.text);
    }
    looked->name = record_view_value(looked->view, "id");
    if (!game_id_read(&looked->id, looked->name)) {
        return bg_error_set(err, BG_E_MISMATCH, "game %.120s: not a game id (A|B|pair|leg|game)",
                            looked->name);
    }
    for (int i = 0; i < 2; i++) {
        const char *found = record_view_value(looked->view, i == 0 ? "seat0" : "seat1");

        if (strcmp(found, game_id_bot(&looked->id, i)) != 0) {
            return mismatch(looked, i == 0 ? "seat0" : "seat1", found, game_id_bot(&looked->id, i),
                            err);
        }
    }
    if (find_key(&looked->key, looked, err) != BG_OK || check_alias(looked, err) != BG_OK) {
        return BG_E_MISMATCH;
    }
    if (check_source(looked, err) != BG_OK || check_event_name(looked, err) != BG_OK) {
        return BG_E_MISMATCH;
    }
    return claims_check(looked->verify->options.claims, looked->view, err);
}

/* ------------------------------------------------------- the game before this */

/* Whether there was a game before. */
static bool has_before(const struct verify *verify)
{
    return verify->id.a[0] != '\0';
}

/* Compares the previous game's leg with this game's leg: < 0, 0, > 0. Among games set aside, the
 * legs of a pair that were played anew follow each other. A later game of a leg may be of a later
 * attempt: it was cut off before. */
static int compare_before(const struct verify *verify, const struct verify_looked *looked)
{
    struct game_id before = verify->id, now = looked->id;

    if (!verify->is_aside || now.game > 0 || verify->attempt == record_view_attempt(looked->view)) {
        return game_id_compare_leg(&before, &now);
    }
    before.leg = now.leg;
    if (game_id_compare_leg(&before, &now) != 0) {
        return game_id_compare_leg(&before, &now);
    }
    return verify->attempt < record_view_attempt(looked->view) ? -1 : 1;
}

/* Every attempt has its line before the records, so nobody can draw dice until they please without
 * a trace. */
static enum bg_status check_listed(const struct verify_looked *looked, struct bg_error *err)
{
    const char *head = looked->verify->options.head;
    uint64_t attempt = record_view_attempt(looked->view);
    char pair[BG_GAME_ID], line[BG_GAME_ID + 40];

    if (attempt == 0 || head == NULL) {
        return BG_OK;
    }
    game_id_write_pair(pair, &looked->id);
    snprintf(line, sizeof line, "attempt %s|%" PRIu64 " ", pair, attempt);
    for (const char *at = head; at != NULL; at = strchr(at, '\n')) {
        at += at > head;
        if (strncmp(at, line, strlen(line)) == 0) {
            return BG_OK;
        }
    }
    return bg_error_set(err, BG_E_MISMATCH,
                        "game %s: it is of attempt %" PRIu64 " of its pair, which is not listed",
                        looked->name, attempt);
}

static enum bg_status check_order(struct verify_looked *looked, struct bg_error *err)
{
    const struct verify *verify = looked->verify;
    const struct game_id *before = &verify->id;
    const char *prev = record_view_value(looked->view, "prev");

    looked->first = !has_before(verify) || compare_before(verify, looked) != 0;
    if (has_before(verify) && compare_before(verify, looked) > 0) {
        char name[BG_GAME_ID];

        game_id_write(name, before);
        return bg_error_set(err, BG_E_MISMATCH,
                            "game %s: follows %s; games must be sorted, without repeats",
                            looked->name, name);
    }
    if (looked->id.game != (looked->first ? 0 : before->game + 1)) {
        return bg_error_set(err, BG_E_MISMATCH, "game %s: game %d of its leg is missing before it",
                            looked->name, looked->first ? 0 : before->game + 1);
    }
    if (!looked->first && verify->match.need.kind == BG_NEED_NOTHING) {
        return bg_error_set(err, BG_E_MISMATCH, "game %s: its match had ended before",
                            looked->name);
    }
    if (!looked->first && record_view_attempt(looked->view) < verify->attempt) {
        return bg_error_set(err, BG_E_MISMATCH,
                            "game %s: it is of attempt %" PRIu64 ", the game before it is of "
                            "attempt %" PRIu64,
                            looked->name, record_view_attempt(looked->view), verify->attempt);
    }
    /* The hash of the game before: a leg is a chain, so that no game of it can be exchanged
     * alone. */
    if (strcmp(prev, looked->first ? "" : verify->prev) != 0) {
        return mismatch(looked, "prev", prev, looked->first ? "" : verify->prev, err);
    }
    return BG_OK;
}

/* Whether its dice are of another program's file. Such a match may begin at a score: the file
 * begins there, or a game before it could not be read. */
static bool is_imported(const struct verify_looked *looked)
{
    return strcmp(record_view_value(looked->view, "dice"), "file") == 0;
}

/* Computes the expected match state before this game. */
static void expected_start(struct bg_match *out, const struct verify_looked *looked)
{
    const struct bg_step next = {.kind = BG_STEP_NEXT, .seat = -1};
    enum bg_rule rule;

    if (looked->first) {
        bg_match_begin(out, &looked->match.rules);
        if (is_imported(looked)) {
            out->score[0] = looked->match.score[0];
            out->score[1] = looked->match.score[1];
            out->crawford_game = looked->match.crawford_game;
            out->crawford_done = looked->match.crawford_done;
        }
        return;
    }
    *out = looked->verify->match;
    rule = bg_match_step(out, &next);
    assert(rule == BG_RULE_NONE); /* an unfinished match has a next game */
    (void)rule;
}

static enum bg_status check_first_board(struct verify_looked *looked, struct bg_error *err)
{
    struct bg_match expected;
    struct bg_error why = {0};
    char text[2][RECORD_RULES];

    if (record_view_start(&looked->match, looked->view, &why) != BG_OK) {
        return bg_error_set(err, BG_E_MISMATCH, "game %s: %s", looked->name, why.text);
    }
    if (looked->first && looked->match.set_position) {
        return BG_OK; /* from a file of positions: there is no game before it */
    }
    expected_start(&expected, looked);
    record_rules_write(text[0], &looked->match.rules);
    record_rules_write(text[1], &expected.rules);
    if (strcmp(text[0], text[1]) != 0) {
        return mismatch(looked, "rules", text[0], text[1], err);
    }
    *record_put_start(text[0], &looked->match) = '\0';
    *record_put_start(text[1], &expected) = '\0';
    if (strcmp(text[0], text[1]) != 0) {
        return mismatch(looked, "start", text[0], text[1], err);
    }
    if (!bg_board_equal(&looked->match.board, &expected.board)) {
        return bg_error_set(err, BG_E_MISMATCH,
                            "game %s: its starting position is not the set-up "
                            "of its game",
                            looked->name);
    }
    return BG_OK;
}

static enum bg_status check_begin_clocks(struct verify_looked *looked, struct bg_error *err)
{
    const char *left = record_view_value(looked->view, "left");
    struct clock_control controls[2];
    enum bg_status status = verify_controls(controls, looked->view, err);
    char expected[64];

    for (int seat = 0; seat < 2 && status == BG_OK; seat++) {
        struct clock clock;

        clock_begin(&clock, &controls[seat], looked->match.rules.length_points);
        looked->begin_ns[seat] = looked->first ? clock.left_ns : looked->verify->left_ns[seat];
    }
    if (status != BG_OK || left == NULL) {
        return status;
    }
    snprintf(expected, sizeof expected, "%" PRId64 " %" PRId64, looked->begin_ns[0],
             looked->begin_ns[1]);
    return strcmp(left, expected) == 0 ? BG_OK : mismatch(looked, "left", left, expected, err);
}

/* ------------------------------------------------------------ what came of it */

static enum bg_status check_result(const struct verify_looked *looked, struct bg_error *err)
{
    enum bg_need_kind need = looked->match.need.kind;
    struct bg_result stated;
    char text[2][RECORD_STEP];

    record_view_result(&stated, NULL, looked->view);
    *record_put_end(text[0], &stated) = '\0';
    *record_put_end(text[1], &looked->match.result) = '\0';
    if (strcmp(text[0], text[1]) != 0) {
        return mismatch(looked, "end", text[0], text[1], err);
    }
    if (need != BG_NEED_GAME && need != BG_NEED_NOTHING) {
        return bg_error_set(err, BG_E_MISMATCH, "game %s: its steps do not end it", looked->name);
    }
    return BG_OK;
}

static bool same_row(const struct store_game *x, const struct store_game *y)
{
    return x->pair == y->pair && x->leg == y->leg && x->game == y->game &&
           x->length_points == y->length_points && x->winner == y->winner &&
           x->points == y->points && x->level == y->level && x->end == y->end &&
           x->fault == y->fault && x->turns == y->turns && x->score_a == y->score_a &&
           x->score_b == y->score_b && x->match_over == y->match_over &&
           x->match_winner == y->match_winner && x->left_ns[0] == y->left_ns[0] &&
           x->left_ns[1] == y->left_ns[1];
}

/* The stored columns, which tables use, must match the record. */
static enum bg_status check_row(const struct verify_looked *looked, const struct store_game *row,
                                struct bg_error *err)
{
    struct store_game expected = {
        .pair = looked->id.pair, .leg = looked->id.leg, .game = looked->id.game};
    struct bg_result result;
    int64_t left_ns[2];

    record_view_result(&result, left_ns, looked->view);
    store_game_result(&expected, &looked->match, looked->id.leg);
    for (int bot = 0; bot < 2; bot++) {
        expected.left_ns[bot] = left_ns[game_id_seat_of(looked->id.leg, bot)];
    }
    if (strcmp(row->id, looked->name) != 0) {
        return bg_error_set(err, BG_E_MISMATCH, "game %s: stored with the record of game %.180s",
                            row->id, looked->name);
    }
    if (strcmp(row->hash, record_view_hash(looked->view)) != 0) {
        return mismatch(looked, "the stored hash", row->hash, record_view_hash(looked->view), err);
    }
    if (strcmp(row->a, looked->id.a) != 0 || strcmp(row->b, looked->id.b) != 0 ||
        !same_row(row, &expected)) {
        return bg_error_set(err, BG_E_MISMATCH,
                            "game %s: the columns beside the record (winner %d, %" PRId64
                            " points, score %" PRId64 ":%" PRId64
                            ", ...) are not what it gives (winner %d, %" PRId64
                            " points, score %" PRId64 ":%" PRId64 ", ...)",
                            looked->name, row->winner, row->points, row->score_a, row->score_b,
                            expected.winner, expected.points, expected.score_a, expected.score_b);
    }
    return BG_OK;
}

/* Counts the previous leg as open if it did not end. */
static void count_open(struct verify *verify)
{
    verify->sum.open_legs +=
        !verify->is_aside && has_before(verify) && verify->match.need.kind != BG_NEED_NOTHING;
}

static void count_looked(struct verify_looked *looked)
{
    struct verify *verify = looked->verify;
    struct bg_result result;

    if (looked->first && !verify->is_aside) {
        count_open(verify);
        verify->sum.legs++;
    }
    *(verify->is_aside ? &verify->sum.set_aside : &verify->sum.games) += 1;
    verify->id = looked->id;
    verify->attempt = record_view_attempt(looked->view);
    verify->match = looked->match;
    memcpy(verify->prev, record_view_hash(looked->view), sizeof verify->prev);
    record_view_result(&result, verify->left_ns, looked->view);
    if (verify->is_aside) {
        root_add_aside(&verify->hash, looked->name, verify->attempt, verify->prev);
    } else {
        root_add(&verify->hash, looked->name, verify->prev);
    }
}

/* --------------------------------------------------------------------- public */

void verify_begin(struct verify *verify, const struct verify_options *options)
{
    *verify = (struct verify){.options = *options};
    root_begin(&verify->hash, options->head);
}

enum bg_status verify_game(struct verify *verify, const char *text, size_t size,
                           const struct store_game *row, struct bg_error *err)
{
    struct verify_looked looked = {.verify = verify, .name = "?"};
    char guess[BG_GAME_ID];
    enum bg_status status;

    snprintf(guess, sizeof guess, "number %" PRIu64, verify->sum.games + 1);
    guess_name(guess, sizeof guess, text, size);
    looked.name = row == NULL ? guess : row->id;
    status = look_at(&looked, text, size, err);
    if (status == BG_OK) {
        status = check_listed(&looked, err);
    }
    if (status == BG_OK) {
        status = check_order(&looked, err);
    }
    if (status == BG_OK) {
        status = check_first_board(&looked, err);
    }
    if (status == BG_OK) {
        status = check_begin_clocks(&looked, err);
    }
    if (status == BG_OK) {
        status = verify_steps(&looked.match, &verify->sum, looked.view, &looked.id, looked.key,
                              looked.begin_ns, err);
    }
    if (status == BG_OK) {
        status = check_result(&looked, err);
    }
    if (status == BG_OK && row != NULL) {
        status = check_row(&looked, row, err);
    }
    if (status == BG_OK) {
        count_looked(&looked);
    }
    record_view_destroy(looked.view);
    return status;
}

void verify_set_aside(struct verify *verify)
{
    count_open(verify);
    verify->is_aside = true;
    verify->id = (struct game_id){.pair = 0};
}

enum bg_status verify_end(struct verify_sum *out, struct verify *verify, struct bg_error *err)
{
    const char *published = verify->options.root;

    count_open(verify);
    root_end(verify->sum.root, &verify->hash);
    *out = verify->sum;
    if (published != NULL && strcmp(published, out->root) != 0) {
        return bg_error_set(err, BG_E_MISMATCH,
                            "the root of %s %" PRIu64 " %s is %s, the published one is %s: "
                            "games, settings, faults or fixtures that were not played were "
                            "changed, added or left out",
                            plural(out->games, "this", "these"), out->games,
                            plural(out->games, "game", "games"), out->root, published);
    }
    return BG_OK;
}

/* Returns where the next record begins, or the games set aside begin. */
static const char *next_record(const char *at, const char *end)
{

    while (at < end) {
        const char *line = memchr(at, '\n', (size_t)(end - at));

        if (line == NULL) {
            return end;
        }
        at = line + 1;
        if (text_begins(at, end, RECORD_MAGIC) || text_begins(at, end, VERIFY_ASIDE)) {
            return at;
        }
    }
    return end;
}

/* A line with the date may follow the record. */
static enum bg_status verify_dated(struct verify *verify, const char *text, size_t size,
                                   struct bg_error *err)
{
    bool is_sound;
    char id[BG_GAME_ID];
    size_t record = record_date_cut(text, size, &is_sound);
    enum bg_status status = verify_game(verify, text, record, NULL, err);
    int line = 1;

    if (status == BG_OK && !is_sound) {
        for (size_t i = 0; i < record; i++) {
            line += text[i] == '\n';
        }
        game_id_write(id, &verify->id);
        status = bg_error_set(err, BG_E_MISMATCH,
                              "game %s: line %d: the date does not fit its check", id, line);
    }
    return status;
}

enum bg_status verify_text(struct verify_sum *out, const char *text, size_t size,
                           const struct verify_options *options, struct bg_error *err)
{
    const char *end = text + size;
    struct verify verify;
    enum bg_status status = BG_OK;

    verify_begin(&verify, options);
    status = verify_journal_of_head(&verify.sum, options->head, err);
    for (const char *at = text; at < end && status == BG_OK;) {
        const char *next = next_record(at, end);

        if (!verify.is_aside && text_begins(at, end, VERIFY_ASIDE)) {
            verify_set_aside(&verify);
        } else {
            status = verify_dated(&verify, at, (size_t)(next - at), err);
        }
        at = next;
    }
    return status == BG_OK ? verify_end(out, &verify, err) : status;
}
