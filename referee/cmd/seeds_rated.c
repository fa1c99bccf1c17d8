#include "seeds_rated.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sums/results_set.h"
#include "sums/summary.h"

/* Writes the ranked names. */
static enum bg_status join(char **out, const struct summary *summary, struct bg_error *err)
{
    const struct tally *tally = summary->tally;
    int *order = calloc((size_t)tally->bots + 1, sizeof *order);
    char *text = calloc((size_t)tally->bots + 1, NAME_SIZE + 1);
    enum bg_status status = BG_OK;
    size_t used = 0;

    if (order == NULL || text == NULL) {
        status = bg_error_set(err, BG_E_MEMORY, "seeds");
    }
    for (int i = 0, count = status == BG_OK ? summary_order(order, summary) : 0; i < count; i++) {
        used += (size_t)snprintf(text + used, NAME_SIZE + 1, "%s%s", i > 0 ? "," : "",
                                 tally->bot[order[i]].name);
    }
    free(order);
    if (status == BG_OK) {
        *out = text;
        text = NULL;
    }
    free(text);
    return status;
}

enum bg_status seeds_rated(struct config_event *event, struct bg_error *err)
{
    const char *file = config_seeds_are_rated(event);
    struct summary_options options = {.rating = RATING_OPTIONS_INIT};
    struct event_results results = {.name = ""};
    struct summary summary = {.tally = NULL};
    struct bg_error why = {.text = ""};
    enum bg_status status;

    if (!config_event_has_form(event) || file == NULL) {
        return BG_OK;
    }
    status = event_results_open(&results, file, &why);
    if (status == BG_OK) {
        status = summary_of(&summary, &results.tally, &options, &why);
    }
    if (status == BG_OK) {
        status = join(&event->rated, &summary, &why);
    }
    summary_deinit(&summary);
    event_results_close(&results);
    return status == BG_OK ? BG_OK : bg_error_set(err, status, "seeds: %.400s", why.text);
}
