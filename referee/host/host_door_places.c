/* The places that ended events leave in the host's book of games (day_book.h). */
#include "host_door_state.h"

#include <stdio.h>
#include <string.h>

#include "log.h"

/* A book that could not be written is tried again so much later. */
static const int64_t RETRY_NS = INT64_C(10000000000);

static bool is_on(const struct host_door *door, const char *event)
{
    for (const struct borrower *at = door->borrowers; at != NULL; at = at->next) {
        if (strcmp(at->event, event) == 0) {
            return true;
        }
    }
    return false;
}

static void on_retry(void *user, int64_t now_ns)
{
    (void)now_ns;
    host_door_release_places(user);
}

void host_door_release_places(struct host_door *door)
{
    struct bg_error err;
    bool has_news;
    enum bg_status status = day_book_read(&has_news, &door->book, &err);
    const char *holder;
    int at = 0;

    while (status == BG_OK && (holder = day_book_holder(&door->book, &at)) != NULL) {
        char owner[DAY_BOOK_OWNER];

        snprintf(owner, sizeof owner, "%s", holder);
        status = is_on(door, owner) ? BG_OK : day_book_release(&door->book, owner, &err);
    }
    if (status != BG_OK) {
        log_error("door", "%s; places of ended events are freed later", err.text);
        (void)loop_after(door->loop, RETRY_NS, on_retry, door, NULL);
    }
}
