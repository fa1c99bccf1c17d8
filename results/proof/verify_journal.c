/* The chain is checked from the rows alone, without a season: whoever has only the text can
 * check it too. Whether each row was allowed is another question (season_load_checked). */
#define _GNU_SOURCE
#include "verify_journal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/utc.h"
#include "season/act_words.h"

struct chain {
    struct verify_sum *sum;
    enum bg_status status;
    struct bg_error *err;
};

static void begin_sum(struct verify_sum *sum)
{
    sum->acts = 0;
    sum->held = "";
    snprintf(sum->journal, sizeof sum->journal, "%s", ACT_ORIGIN);
}

/* Adds a row to the chain. */
static bool take_row(void *user, const struct act *act)
{
    struct chain *chain = user;
    struct verify_sum *sum = chain->sum;
    uint64_t expected = sum->acts + 1;

    if (act->number != expected) {
        chain->status =
            bg_error_set(chain->err, BG_E_MISMATCH,
                         "journal: row %" PRIu64 " is missing; row %" PRIu64 " is in its place",
                         expected, act->number);
    } else if (!act_is_sealed(act, sum->journal)) {
        chain->status = bg_error_set(
            chain->err, BG_E_MISMATCH,
            "journal: row %" PRIu64 " (%.15s %.100s) does not follow: its hash is not the one over "
            "the row before and its contents",
            act->number, act->kind, act->subject);
    } else if (!utc_is_valid(act->at)) {
        chain->status = bg_error_set(chain->err, BG_E_MISMATCH,
                                     "journal: row %" PRIu64 " (%.15s): '%s' is not a time",
                                     act->number, act->kind, act->at);
    } else {
        const char *held = act_held(act);

        sum->acts = act->number;
        sum->held = held == NULL ? sum->held : held;
        memcpy(sum->journal, act->hash, sizeof sum->journal);
    }
    return chain->status == BG_OK;
}

enum bg_status verify_journal_of_store(struct verify_sum *sum, struct store *store,
                                       struct bg_error *err)
{
    struct chain chain = {sum, BG_OK, err};
    enum bg_status status;

    begin_sum(sum);
    status = store_all_acts(store, take_row, &chain, err);
    return status == BG_OK ? chain.status : status;
}

/* ------------------------------------------------------------------------- from a text */

static bool take_column(char *out, size_t room, char **rest)
{
    const char *text = strsep(rest, "\t");

    return text != NULL && snprintf(out, room, "%s", text) < (int)room;
}

/* "act NUMBER TAB AT TAB WHO TAB KIND TAB SUBJECT TAB REASON TAB HASH"; the line is cut. */
static bool read_act(struct act *out, char *line)
{
    char number[24], *rest = line + strlen("act ");

    *out = (struct act){.number = 0};
    if (!take_column(number, sizeof number, &rest) ||
        !take_column(out->at, sizeof out->at, &rest) ||
        !take_column(out->who, sizeof out->who, &rest) ||
        !take_column(out->kind, sizeof out->kind, &rest) ||
        !take_column(out->subject, sizeof out->subject, &rest) ||
        !take_column(out->reason, sizeof out->reason, &rest) ||
        !take_column(out->hash, sizeof out->hash, &rest)) {
        return false;
    }
    out->number = strtoull(number, NULL, 10);
    return rest == NULL;
}

/* "acts N HASH": the journal ends here. */
static bool is_end(const struct verify_sum *sum, const char *line)
{
    char expected[128];

    snprintf(expected, sizeof expected, "acts %" PRIu64 " %s", sum->acts, sum->journal);
    return strcmp(line, expected) == 0;
}

static void take_act_line(struct chain *chain, char *line, bool *has_end)
{
    struct act act;

    if (strncmp(line, "acts ", strlen("acts ")) == 0) {
        *has_end = true;
        if (!is_end(chain->sum, line)) {
            chain->status = bg_error_set(chain->err, BG_E_MISMATCH,
                                         "journal: its %" PRIu64 " rows do not end with '%.90s'",
                                         chain->sum->acts, line);
        }
    } else if (strncmp(line, "act ", strlen("act ")) == 0) {
        if (!read_act(&act, line)) {
            chain->status =
                bg_error_set(chain->err, BG_E_MISMATCH,
                             "journal: row %" PRIu64 " is not a row of a journal: '%.80s'",
                             chain->sum->acts + 1, line);
        } else {
            take_row(chain, &act);
        }
    }
}

enum bg_status verify_journal_of_head(struct verify_sum *sum, const char *head,
                                      struct bg_error *err)
{
    struct chain chain = {sum, BG_OK, err};
    char *text = memory_text(head == NULL ? "" : head), *rest = text;
    bool has_end = false;

    begin_sum(sum);
    for (char *line; chain.status == BG_OK && (line = strsep(&rest, "\n")) != NULL;) {
        take_act_line(&chain, line, &has_end);
    }
    /* A text that is cut after a row would otherwise be a shorter journal, and whole. */
    if (chain.status == BG_OK && sum->acts > 0 && !has_end) {
        chain.status =
            bg_error_set(err, BG_E_MISMATCH,
                         "journal: the line 'acts' after row %" PRIu64 " is missing", sum->acts);
    }
    free(text);
    return chain.status;
}
