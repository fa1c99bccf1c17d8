#include "live_desk.h"

#include "../log.h"

static enum bg_status on_wish(void *user, const struct desk_wish *wish, char **answer,
                              struct bg_error *err)
{
    const struct live_desk *desk = user;
    enum bg_status status;

    if (!director_has_begun(desk->director)) {
        return bg_error_set(err, BG_E_BUSY, "the event is just beginning; try again");
    }
    status = director_act(desk->director, desk->entrants, wish, answer, err);
    *desk->has_changed = *desk->has_changed || (status == BG_OK && !wish->dry_run);
    return status;
}

void live_desk_open(struct live_desk *desk, struct loop *loop, const char *results)
{
    struct bg_error err;

    if (desk->director != NULL &&
        desk_socket_open(&desk->socket, loop, results, on_wish, desk, &err) != BG_OK) {
        log_warn("event", "bgref desk cannot act while the event runs: %s", err.text);
    }
}

void live_desk_close(struct live_desk *desk)
{
    desk_socket_close(desk->socket);
    desk->socket = NULL;
}
