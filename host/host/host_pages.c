/* The host's side of its pages: the process that shows them, and its calendar there. */
#include "host_inside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "feed/broadcast.h"
#include "host_check.h"

/* What was called off stays in the calendar, so that who has taken it over hears of it. */
#define SHOWN_S INT64_C(2592000)

/* A host with a door tells on its pages how to join it. */
static void add_join_words(struct host *host)
{
    const struct host_config *config = &host->config;
    char **end = host->page_words;

    if (config->door.listen[0] == '\0') {
        return;
    }
    *end++ = memory_print("--join=%s", config->door.file);
    if (config->registrations[0] != '\0') {
        *end++ = memory_print("--registrations=%s", config->registrations);
    }
    if (config->invitations[0] != '\0') {
        *end++ = memory_print("--invitations=%s", config->invitations);
    }
    host->page->page_words = host->page_words;
}

/* Its process starts events' pages before the events, which connect to it. */
enum bg_status host_pages_open(struct host *host, bool browser, struct bg_error *err)
{
    enum bg_status status = host_check_page(&host->config, err);

    if (status != BG_OK || (host->config.page[0] == '\0' && !browser)) {
        return status;
    }
    host->page = memory_zeroed(1, sizeof *host->page);
    config_event_init(host->page);
    snprintf(host->page->page, sizeof host->page->page, "%s",
             host->config.page[0] == '\0' ? "tcp://127.0.0.1:0" : host->config.page);
    snprintf(host->page->gallery, sizeof host->page->gallery, "%s/gallery.sock",
             host->config.folder);
    host->page->results[0] = '\0';
    host->page->browser = browser;
    add_join_words(host);
    status = broadcast_open(&host->broadcast, host->page, err);
    if (status == BG_OK) {
        broadcast_start(host->broadcast, host->loop);
        host->runs.gallery = host->page->gallery;
    }
    return status;
}

void host_pages_settle(struct host *host)
{
    struct agenda_date *dates;
    struct broadcast_date *told;
    int count;

    if (host->broadcast == NULL) {
        return;
    }
    dates = memory_zeroed(AGENDA_DATES, sizeof *dates);
    told = memory_zeroed(AGENDA_DATES, sizeof *told);
    count = agenda_dates(dates, &host->agenda, host_now() - SHOWN_S);
    for (int i = 0; i < count; i++) {
        snprintf(told[i].name, sizeof told[i].name, "%s", dates[i].name);
        told[i].state = life_words[dates[i].life];
        told[i].start_s = dates[i].start_s;
    }
    broadcast_dates(host->broadcast, told, count);
    free(told);
    free(dates);
}

void host_pages_close(struct host *host)
{
    broadcast_close(host->broadcast);
    free(host->page);
    for (int i = 0; i < 4; i++) {
        free(host->page_words[i]);
    }
}
