/* The summary is the one that tables and pages are made of, so the seeds are in the order that
 * everybody has seen. It is read once, when the event begins or goes on. */
#include "seeds_rated.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "sums/results_set.h"
#include "sums/summary.h"

/* Writes the ranked names. */
static char *join(const struct summary *summary)
{
    const struct tally *tally = summary->tally;
    int *order = memory_zeroed((size_t)tally->bots, sizeof *order);
    char *text = memory_zeroed((size_t)tally->bots, NAME_SIZE + 1);
    size_t used = 0;

    for (int i = 0, count = summary_order(order, summary); i < count; i++) {
        used += (size_t)snprintf(text + used, NAME_SIZE + 1, "%s%s", i > 0 ? "," : "",
                                 tally->bot[order[i]].name);
    }
    free(order);
    return text;
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
        event->rated = join(&summary);
    }
    summary_deinit(&summary);
    event_results_close(&results);
    return status == BG_OK ? BG_OK : bg_error_set(err, status, "seeds: %.400s", why.text);
}
