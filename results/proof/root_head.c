/* Rows are hashed and not printed: a head of every setting and fault would be longer than the
 * records, while a digest and a number still show that one is missing or changed. Attempts and
 * the journal are printed, because verify reads them from the text. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "root.h"

enum { DIGEST = 32 };

/* Settings that belong to the event and do not change after its end. Dice have their own proof;
 * statistics about runs are not results. */
static const char *const SETTINGS[] = {
    "dice.digest",     "dice.kind",       "event.",        "program.", "reinstated.",
    "results.counted", "results.decided", "results.order", "season.",  "sprt.",
};

/* Rows being summed up. */
struct root_head_rows {
    crypto_generichash_state state;
    uint64_t count;
};

static void begin_rows(struct root_head_rows *rows)
{
    rows->count = 0;
    crypto_generichash_init(&rows->state, NULL, 0, DIGEST);
}

/* With its final zero, so that fields cannot run into each other; NULL and an empty text count
 * as the same. */
static void add_field(struct root_head_rows *rows, const char *field)
{
    const char *text = field == NULL ? "" : field;

    crypto_generichash_update(&rows->state, (const unsigned char *)text, strlen(text) + 1);
}

static void end_rows(FILE *out, struct root_head_rows *rows, const char *word)
{
    unsigned char digest[DIGEST];
    char hex[2 * DIGEST + 1];

    crypto_generichash_final(&rows->state, digest, sizeof digest);
    sodium_bin2hex(hex, sizeof hex, digest, sizeof digest);
    fprintf(out, "%s %" PRIu64 " %s\n", word, rows->count, hex);
}

static void add_setting_row(void *user, const char *key, const char *value)
{
    struct root_head_rows *rows = user;

    rows->count++;
    add_field(rows, key);
    add_field(rows, value);
}

static void add_unplayed(void *user, const char *fixture, const char *bot, const char *why)
{
    struct root_head_rows *rows = user;

    rows->count++;
    add_field(rows, fixture);
    add_field(rows, bot);
    add_field(rows, why);
}

static void add_fault(void *user, const struct store_fault *fault)
{
    struct root_head_rows *rows = user;
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
    struct root_head_rows rows;

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
