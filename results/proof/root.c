/* Rows beside the games are hashed and not printed: a head of every setting and fault would be
 * longer than the records, while a digest and a number still show that one is missing or changed.
 * Attempts and the journal are printed, because verify reads them from the text. */
#include "root.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "record/record_lookup.h"

enum { ROOT_BYTES = (RECORD_HASH - 1) / 2 };

/* ------------------------------------------------------------------------- the games */

/* Fields are separated by blanks and line feeds, which neither ids nor hashes have. */
static void add_text(struct root *root, const char *text)
{
    crypto_generichash_update(&root->state, (const unsigned char *)text, strlen(text));
}

void root_begin(struct root *root, const char *head)
{
    crypto_generichash_init(&root->state, NULL, 0, ROOT_BYTES);
    add_text(root, "bgref-root 2\n");
    add_text(root, head == NULL ? "" : head);
}

void root_add(struct root *root, const char *game_id, const char *hash)
{
    add_text(root, game_id);
    add_text(root, " ");
    add_text(root, hash);
    add_text(root, "\n");
}

void root_add_aside(struct root *root, const char *game_id, uint64_t attempt, const char *hash)
{
    char number[24];

    snprintf(number, sizeof number, "|%" PRIu64, attempt);
    add_text(root, "set-aside ");
    add_text(root, game_id);
    root_add(root, number, hash);
}

void root_end(char out[RECORD_HASH], struct root *root)
{
    unsigned char digest[ROOT_BYTES];

    crypto_generichash_final(&root->state, digest, sizeof digest);
    sodium_bin2hex(out, RECORD_HASH, digest, sizeof digest);
}

/* ------------------------------------------------------------------------- the head */

/* Settings that belong to the event and do not change after its end. Dice have their own proof;
 * statistics about runs are not results. */
static const char *const SETTINGS[] = {
    "dice.digest",     "dice.kind",       "event.",        "program.", "reinstated.",
    "results.counted", "results.decided", "results.order", "season.",  "sprt.",
};

/* Rows being summed up. */
struct head_rows {
    crypto_generichash_state state;
    uint64_t count;
};

static void begin_rows(struct head_rows *rows)
{
    rows->count = 0;
    crypto_generichash_init(&rows->state, NULL, 0, ROOT_BYTES);
}

/* With its final zero, so that fields cannot run into each other; NULL and an empty text count
 * as the same. */
static void add_field(struct head_rows *rows, const char *field)
{
    const char *text = field == NULL ? "" : field;

    crypto_generichash_update(&rows->state, (const unsigned char *)text, strlen(text) + 1);
}

static void end_rows(FILE *out, struct head_rows *rows, const char *word)
{
    unsigned char digest[ROOT_BYTES];
    char hex[2 * ROOT_BYTES + 1];

    crypto_generichash_final(&rows->state, digest, sizeof digest);
    sodium_bin2hex(hex, sizeof hex, digest, sizeof digest);
    fprintf(out, "%s %" PRIu64 " %s\n", word, rows->count, hex);
}

static void add_setting_row(void *user, const char *key, const char *value)
{
    struct head_rows *rows = user;

    rows->count++;
    add_field(rows, key);
    add_field(rows, value);
}

static void add_unplayed(void *user, const char *fixture, const char *bot, const char *why)
{
    struct head_rows *rows = user;

    rows->count++;
    add_field(rows, fixture);
    add_field(rows, bot);
    add_field(rows, why);
}

static void add_fault(void *user, const struct store_fault *fault)
{
    struct head_rows *rows = user;
    char decision[24];

    snprintf(decision, sizeof decision, "%" PRIu64, fault->decision);

    const char *const fields[] = {
        fault->game_id,     fault->bot,   bg_fault_name(fault->fault),
        decision,           fault->rule,  fault->position_id,
        fault->xgid,        fault->dice,  fault->reply,
        fault->stderr_tail, fault->legal, fault->reproduce,
        fault->story,
    };

    rows->count++;
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        add_field(rows, fields[i]);
    }
}

static void write_attempt(void *user, const struct store_attempt *attempt)
{
    fprintf(user, "attempt %s|%s|%" PRIu64 "|%" PRIu64 " %s %" PRIu64 " %s\n", attempt->a,
            attempt->b, attempt->pair, attempt->attempt, attempt->at, attempt->games,
            attempt->reason);
}

/* The rows of the journal, and the number of the last one with its hash. */
struct journal {
    FILE *out;
    struct act last;
};

static bool write_act(void *user, const struct act *act)
{
    struct journal *journal = user;

    fprintf(journal->out, "act %" PRIu64 "\t%s\t%s\t%s\t%s\t%s\t%s\n", act->number, act->at,
            act->who, act->kind, act->subject, act->reason, act->hash);
    journal->last = *act;
    return true;
}

static enum bg_status write_journal(FILE *out, struct store *store, struct bg_error *err)
{
    struct journal journal = {.out = out};
    enum bg_status status = store_all_acts(store, write_act, &journal, err);

    if (status == BG_OK && journal.last.number > 0) {
        fprintf(out, "acts %" PRIu64 " %s\n", journal.last.number, journal.last.hash);
    }
    return status;
}

static enum bg_status write_rows(FILE *out, struct store *store, struct bg_error *err)
{
    enum bg_status status = store_all_attempts(store, write_attempt, out, err);
    struct head_rows rows;

    begin_rows(&rows);
    for (size_t i = 0; i < sizeof SETTINGS / sizeof SETTINGS[0] && status == BG_OK; i++) {
        status = store_meta_each(store, SETTINGS[i], add_setting_row, &rows, err);
    }
    end_rows(out, &rows, "settings");
    begin_rows(&rows);
    if (status == BG_OK) {
        status = store_all_unplayed(store, add_unplayed, &rows, err);
    }
    end_rows(out, &rows, "unplayed");
    begin_rows(&rows);
    if (status == BG_OK) {
        status = store_all_faults(store, add_fault, &rows, err);
    }
    end_rows(out, &rows, "faults");
    return status == BG_OK ? write_journal(out, store, err) : status;
}

enum bg_status root_head_read(struct root_head *head, struct store *store, struct bg_error *err)
{
    enum bg_status status;
    FILE *out;

    *head = (struct root_head){0};
    out = memory_stream(&head->text, &head->size);
    status = write_rows(out, store, err);
    memory_stream_close(out);
    if (status != BG_OK) {
        root_head_free(head);
    }
    return status;
}

void root_head_free(struct root_head *head)
{
    free(head->text);
    *head = (struct root_head){0};
}

/* ------------------------------------------------------------------------- a store */

static bool add_game(void *user, const struct store_game *game)
{
    root_add(user, game->id, game->hash);
    return true;
}

/* By the attempt in its record: earlier games of a match may be of earlier attempts than the one
 * that was set aside. */
static bool add_aside(void *user, const struct store_game *game, uint64_t attempt)
{
    size_t size = 0;
    const char *text = header_lookup(&size, game->text, game->text_size, "attempt");

    (void)attempt;
    root_add_aside(user, game->id, text == NULL ? 0 : strtoull(text, NULL, 10), game->hash);
    return true;
}

enum bg_status root_of_store(char out[RECORD_HASH], struct store *store, struct bg_error *err)
{
    struct root root;
    struct root_head head = {0};
    enum bg_status status = root_head_read(&head, store, err);

    root_begin(&root, head.text);
    root_head_free(&head);
    if (status == BG_OK) {
        status = store_all_games(store, false, add_game, &root, err);
    }
    if (status == BG_OK) {
        status = store_all_set_aside(store, add_aside, &root, err);
    }
    root_end(out, &root);
    return status;
}
