#include "table_json.h"

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

/* Writes each encounter once; the other bot's row is its mirror. */
static enum bg_status encounters_of(json_t **out, const struct summary *summary,
                                    struct bg_error *err)
{
    enum bg_status status = BG_OK;
    struct pairing pairing;

    *out = json_array();
    for (int a = 0; a < summary->tally->bots; a++) {
        for (int b = a + 1; status == BG_OK && b < summary->tally->bots; b++) {
            bool flip = false;

            if (tally_encounter(summary->tally, a, b, &flip) != NULL) {
                status = pairing_of(&pairing, summary, a, b, err);
                if (status == BG_OK) {
                    json_array_append_new(*out, pairing_json(&pairing));
                }
            }
        }
    }
    return status;
}

enum bg_status table_json_of(json_t **out, const struct tally *tally,
                             const struct report_options *options, struct bg_error *err)
{
    struct summary_options settings = report_summary_options(options);
    struct summary summary;
    json_t *encounters = NULL;
    enum bg_status status = summary_of(&summary, tally, &settings, err);

    if (status != BG_OK) {
        return status;
    }
    status = encounters_of(&encounters, &summary, err);
    if (status == BG_OK) {
        *out = json_pack("{s:s?, s:i, s:I, s:o, s:o, s:o, s:o}", "event", options->title, "length",
                         tally->length_points, "games", (json_int_t)tally->games, "standings",
                         standing_json_rows(&summary), "model", standing_json_model(&summary),
                         "lost_by_faults", lost_by_faults(tally), "encounters", encounters);

        if (options->trust != NULL && *out != NULL) {
            json_object_set_new(*out, "trust", json_string(options->trust));
        }
        if (options->adjusted != NULL && *out != NULL) {
            json_object_set_new(*out, "adjusted", adjusted_json(options->adjusted));
        }
        status = *out == NULL ? bg_error_set(err, BG_E_MEMORY, "the table as JSON") : BG_OK;
    } else {
        json_decref(encounters);
    }
    summary_deinit(&summary);
    return status;
}

enum bg_status report_json_table(FILE *out, const struct tally *tally,
                                 const struct report_options *options, struct bg_error *err)
{
    json_t *json = NULL;
    enum bg_status status = table_json_of(&json, tally, options, err);

    return status == BG_OK ? json_line(out, json, err) : status;
}
