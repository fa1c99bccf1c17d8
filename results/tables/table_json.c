#include "table_json.h"

#include <errno.h>
#include <string.h>

#include <sums/summary.h>

#include "adjusted_text.h"
#include "document/json_value.h"
#include "pairing.h"
#include "standing.h"

static json_t *faults_of(const struct tally_bot *bot)
{
    json_t *out = json_object();

    for (int fault = 1; fault < BG_FAULT_COUNT; fault++) {
        if (bot->faults[fault] > 0) {
            json_object_set_new(out, bg_fault_name((enum bg_fault)fault),
                                json_integer((json_int_t)bot->faults[fault]));
        }
    }
    return out;
}

static json_t *lost_by_faults(const struct tally *tally)
{
    json_t *out = json_object();

    for (int i = 0; i < tally->bots; i++) {
        json_object_set_new(out, tally->bot[i].name, faults_of(&tally->bot[i]));
    }
    return out;
}

/* What is done with an encounter's row; takes it over. NULL: no memory. */
struct taker {
    enum bg_status (*take)(struct taker *taker, json_t *row, struct bg_error *err);
    json_t *rows; /* of a tree */
    FILE *out;    /* of a stream */
    size_t count;
};

static enum bg_status append_row(struct taker *taker, json_t *row, struct bg_error *err)
{
    return json_array_append_new(taker->rows, row) == 0
               ? BG_OK
               : bg_error_set(err, BG_E_MEMORY, "the table as JSON");
}

static enum bg_status write_row(struct taker *taker, json_t *row, struct bg_error *err)
{
    if (taker->count++ > 0) {
        fputc(',', taker->out);
    }
    return json_put(taker->out, row, JSON_WHOLE, err);
}

/* Takes each encounter once; the other bot's row is its mirror. */
static enum bg_status each_encounter(struct taker *taker, const struct summary *summary,
                                     struct bg_error *err)
{
    enum bg_status status = BG_OK;
    struct pairing pairing;

    for (int a = 0; status == BG_OK && a < summary->tally->bots; a++) {
        for (int b = a + 1; status == BG_OK && b < summary->tally->bots; b++) {
            bool flip = false;

            if (tally_encounter(summary->tally, a, b, &flip) != NULL) {
                pairing_of(&pairing, summary, a, b);
                status = taker->take(taker, pairing_json(&pairing), err);
            }
        }
    }
    return status;
}

/* The members before the encounters. NULL: no memory. */
static json_t *head_of(const struct summary *summary, const struct report_options *options)
{
    const struct tally *tally = summary->tally;

    return json_pack("{s:s?, s:i, s:I, s:o, s:o, s:o}", "event", options->title, "length",
                     tally->length_points, "games", (json_int_t)tally->games, "standings",
                     standing_json_rows(summary), "model", standing_json_model(summary),
                     "lost_by_faults", lost_by_faults(tally));
}

/* Adds the members after the encounters; most tables have none. */
static void add_tail(json_t *out, const struct tally *tally, const struct report_options *options)
{
    if (tally->length_most > tally->length_points) {
        json_object_set_new(out, "length_most", json_integer(tally->length_most));
    }
    if (tally->conditions != NULL) {
        json_object_set_new(out, "conditions", json_string(tally->conditions));
    }
    if (options->trust != NULL) {
        json_object_set_new(out, "trust", json_string(options->trust));
    }
    if (options->adjusted != NULL) {
        json_object_set_new(out, "adjusted", adjusted_json(options->adjusted));
    }
}

enum bg_status table_json_of(json_t **out, const struct tally *tally,
                             const struct report_options *options, struct bg_error *err)
{
    struct summary_options settings = report_summary_options(options);
    struct summary summary;
    struct taker tree = {.take = append_row, .rows = json_array()};
    enum bg_status status = summary_of(&summary, tally, &settings, err);

    if (status != BG_OK) {
        json_decref(tree.rows);
        return status;
    }
    *out = head_of(&summary, options);
    status = *out == NULL ? bg_error_set(err, BG_E_MEMORY, "the table as JSON")
                          : each_encounter(&tree, &summary, err);
    if (status == BG_OK) {
        json_object_set(*out, "encounters", tree.rows);
        add_tail(*out, tally, options);
    } else {
        json_decref(*out);
        *out = NULL;
    }
    json_decref(tree.rows);
    summary_deinit(&summary);
    return status;
}

/* The same text as of the tree, which would take a kilobyte for each of half a million encounters
 * of 1,000 bots. */
static enum bg_status write_table(FILE *out, const struct summary *summary,
                                  const struct report_options *options, struct bg_error *err)
{
    struct taker stream = {.take = write_row, .out = out};
    json_t *tail = json_object();
    enum bg_status status;

    add_tail(tail, summary->tally, options);
    fputc('{', out);
    status = json_put(out, head_of(summary, options), JSON_INSIDE, err);
    if (status == BG_OK) {
        fputs(",\"encounters\":[", out);
        status = each_encounter(&stream, summary, err);
    }
    if (status == BG_OK) {
        fputs(json_object_size(tail) > 0 ? "]," : "]", out);
        status = json_put(out, json_incref(tail), JSON_INSIDE, err);
    }
    if (status == BG_OK && (fputs("}\n", out) == EOF || ferror(out))) {
        status = bg_error_set(err, BG_E_SYSTEM, "write json: %s", strerror(errno));
    }
    json_decref(tail);
    return status;
}

enum bg_status report_json_table(FILE *out, const struct tally *tally,
                                 const struct report_options *options, struct bg_error *err)
{
    struct summary_options settings = report_summary_options(options);
    struct summary summary;
    enum bg_status status = summary_of(&summary, tally, &settings, err);

    if (status == BG_OK) {
        status = write_table(out, &summary, options, err);
        summary_deinit(&summary);
    }
    return status;
}
