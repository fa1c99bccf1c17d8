/* Whether a referee has the results is found out by trying to open them for writing, and only if
 * that fails is it asked: a lock is freed by the kernel when its process ends, while a socket's
 * file stays after a crash. */
#include "desk_request.h"

#include <stdio.h>
#include <stdlib.h>

#include "proof/desk_line.h"
#include "base/line_ask.h"
#include "proof/desk_status.h"
#include "season/season_store.h"
#include <sums/results_set.h>

static enum bg_status act(const struct desk_request *request, const struct desk *desk,
                          struct bg_error *err)
{
    struct act wish = request->wish;
    struct desk_deed *deed = NULL;
    enum bg_status status;

    desk_sign_act(&wish);
    status = desk_prepare(&deed, desk, &wish, err);
    if (status == BG_OK && !request->dry_run) {
        status = desk_store(deed, desk, err);
    }
    if (status == BG_OK) {
        status = request->json ? desk_write_json(stdout, deed, desk, request->dry_run, err)
                               : desk_write(stdout, deed, desk, request->dry_run, err);
    }
    desk_deed_destroy(deed);
    return status;
}

/* Asks the referee that plays these results, and prints its answer. BG_E_BUSY: nobody listens. */
static enum bg_status ask_running(const struct desk_request *request, struct bg_error *err)
{
    const struct desk_wish wish = {
        .act = request->wish, .dry_run = request->dry_run, .json = request->json};
    char *answer = NULL;
    enum bg_status status;
    int times = 0;

    do {
        status = desk_ask(&answer, request->results, &wish, LINE_ASK_PATIENCE_S, err);
    } while (line_ask_again(status, &times));
    if (status == BG_OK) {
        fputs(answer, stdout);
    }
    free(answer);
    return status;
}

/* The results are in use: a referee that plays them takes the act. */
static enum bg_status ask_referee(const struct desk_request *request, struct bg_error *err)
{
    struct bg_error why = {.text = ""};
    enum bg_status status = ask_running(request, &why);

    if (status == BG_E_BUSY) { /* the first message names the program */
        why = *err;
        return bg_error_set(err, BG_E_BUSY,
                            "%.300s; it takes no acts now: wait for its end, or end it (Ctrl-C); "
                            "if it was another desk, try again",
                            why.text);
    }
    return status == BG_OK ? BG_OK : bg_error_set(err, status, "%s", why.text);
}

enum bg_status desk_request_run(const struct desk_request *request, struct bg_error *err)
{
    bool is_act = request->wish.kind[0] != '\0', reads = !is_act || request->dry_run;
    struct season *season = NULL;
    struct store *store = NULL;
    enum bg_status status = event_store_open(&store, request->results, err);

    if (status == BG_OK && is_act && request->dry_run) { /* a run knows what it cannot follow */
        struct bg_error why = {.text = ""};
        enum bg_status asked = ask_running(request, &why);

        if (asked != BG_E_BUSY) {
            store_destroy(store);
            return asked == BG_OK ? BG_OK : bg_error_set(err, asked, "%s", why.text);
        }
    }
    if (status == BG_OK && !reads) {
        store_destroy(store); /* opened only to check that it exists, so that no file is made */
        store = NULL;
        status = store_sqlite_open(&store, request->results, err);
        if (status == BG_E_BUSY) {
            return ask_referee(request, err);
        }
        if (status == BG_OK) {
            /* We have the lock, so a socket that is still there belongs to a referee that was
             * killed. */
            desk_clear(request->results);
        }
    } else if (status == BG_OK) {
        status = store->ops->snapshot(store, true, err);
    }
    if (status == BG_OK) {
        status = season_load(&season, store, err);
    }
    if (status == BG_OK) {
        const struct desk desk = {.store = store, .season = season};

        status = !is_act ? desk_status_write(stdout, &desk, request->results, request->json, err)
                         : act(request, &desk, err);
    }
    season_destroy(season);
    store_destroy(store);
    return status;
}
