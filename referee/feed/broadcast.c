/* A game keeps its lines until all of them are told, each with the time from which it may be. So a
 * gallery that was started anew, or that had a gap, hears everything again from each game's first
 * line on, by the same code that tells a new line. Of a finished game nothing is kept that was
 * told: the gallery reads it from the results.
 *
 * Of games that last milliseconds nobody could follow every one, and telling them would cost the
 * referee more than playing them. So there is a measure of games that begin (RATE). */
#define _GNU_SOURCE /* environ */
#include "broadcast.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <bgref/ask.h>

#include "base/line_ask.h"
#include "base/memory.h"
#include "door/inside.h"
#include "door/stranger_process.h"
#include "door/tcp_listen.h"
#include "log.h"

#define MS_NS    INT64_C(1000000)
#define FIRST_NS (100 * MS_NS)   /* before a process that has ended is started again */
#define LAST_NS  (10000 * MS_NS) /* the most of it, as it doubles */
#define AGAIN_NS (1000 * MS_NS)  /* after a gap */
#define RATE_NS  (50 * MS_NS)    /* for each game that begins, beyond the first BURST */
/* The gallery lets its streams be read first; on a machine that is busy it comes late to that. */
#define END_MS 3000

enum { WAITING = 128, QUEUE_BYTES = 8 << 20, KEPT_BYTES = 32 << 20, BURST = 256, PAGE_WORDS = 3 };

struct shown_line {
    Inside__Kind kind;
    int64_t due_ns;
    char *text; /* owned */
};

struct shown_game {
    struct shown_game *next;
    const void *table; /* the broadcast itself: a pair, or not stored yet; NULL: all is added */
    char id[BG_GAME_ID];
    struct public_game game;
    bool is_away[2];
    struct shown_line *lines; /* owned */
    size_t count, room, told;
};

struct broadcast {
    const struct config_event *event; /* lent, like loop */
    struct loop *loop;
    int listener, fd; /* fd: to the process; -1: none */
    pid_t pid;
    struct inside_queue out;
    int64_t wait_ns, began_ns;    /* before the next start; when it was started, 0 not yet */
    int64_t gap_ns;               /* what waited was dropped then; 0: no gap */
    int64_t ready_ns;             /* the measure: the time up to which games have begun */
    struct shown_game *games;     /* owned */
    size_t kept;                  /* bytes of their lines */
    struct broadcast_date *dates; /* owned */
    int date_count;
};

enum bg_status broadcast_open(struct broadcast **out, const struct config_event *event,
                              struct bg_error *err)
{
    struct broadcast *broadcast;
    char bound[TCP_LISTEN_TEXT];
    int listener = -1;
    struct bg_error why;

    if (event->page[0] == '\0' && event->gallery[0] == '\0') {
        return BG_OK;
    }
    /* Listened to here, so that the address stays the same when the process is started anew. */
    if (event->page[0] != '\0') {
        enum bg_status status = tcp_listen(&listener, bound, event->page, WAITING, &why);

        if (status != BG_OK) {
            return bg_error_set(err, status, "page: %s", why.text);
        }
        fprintf(stderr, "pages      http%s/\n", strstr(bound, "://"));
    }
    broadcast = memory_zeroed(1, sizeof *broadcast);
    broadcast->event = event;
    broadcast->listener = listener;
    broadcast->fd = -1;
    broadcast->wait_ns = FIRST_NS;
    *out = broadcast;
    return BG_OK;
}

/* ------------------------------------------------------------------ telling */

static bool shows_moves(const struct broadcast *broadcast)
{
    return broadcast->event->broadcast == CONFIG_BROADCAST_MOVES;
}

static void shown_forget(struct broadcast *broadcast, struct shown_game **place)
{
    struct shown_game *game = *place;

    *place = game->next;
    for (size_t i = 0; i < game->count; i++) {
        broadcast->kept -= strlen(game->lines[i].text);
        free(game->lines[i].text);
    }
    free(game->lines);
    free(game);
}

/* To a process that does not read nothing is told until it is told all anew. */
static bool tell_line(struct broadcast *broadcast, const struct shown_game *game,
                      const struct shown_line *line)
{
    if (broadcast->gap_ns == 0 && broadcast->out.bytes >= QUEUE_BYTES) {
        inside_close(&broadcast->out);
        inside_open(&broadcast->out, broadcast->fd, broadcast->loop);
        broadcast->gap_ns = loop_now(broadcast->loop);
        log_warn("page", "the pages do not keep up: what waited for them is dropped");
    }
    return broadcast->fd >= 0 && broadcast->gap_ns == 0 &&
           inside_send_place(&broadcast->out, line->kind, NULL, 0, line->text, game->id);
}

/* Returns whether the game has ended and nothing of it is left to tell. */
static bool tell_game(struct broadcast *broadcast, struct shown_game *game, int64_t now_ns)
{
    bool is_told = true;

    while (is_told && game->told < game->count && game->lines[game->told].due_ns <= now_ns) {
        /* What has ended is not kept for a process that does not read: it is in the results. */
        is_told = tell_line(broadcast, game, &game->lines[game->told]) || game->table == NULL;
        game->told += is_told;
    }
    return game->table == NULL && game->told == game->count;
}

static void tell_games(struct broadcast *broadcast, int64_t now_ns)
{
    struct shown_game **place = &broadcast->games;

    while (*place != NULL) {
        if (tell_game(broadcast, *place, now_ns)) {
            shown_forget(broadcast, place);
        } else {
            place = &(*place)->next;
        }
    }
}

static void tell_dates(struct broadcast *broadcast)
{
    if (broadcast->fd < 0 || broadcast->dates == NULL) {
        return;
    }
    inside_send(&broadcast->out, INSIDE__KIND__DATE, NULL, 0, NULL);
    for (int i = 0; i < broadcast->date_count; i++) {
        const struct broadcast_date *date = &broadcast->dates[i];

        inside_send_place(&broadcast->out, INSIDE__KIND__DATE, NULL, date->start_s, date->state,
                          date->name);
    }
}

/* From the beginning, to a process that knows nothing. */
static void tell_anew(struct broadcast *broadcast)
{
    char results[PATH_MAX];

    broadcast->gap_ns = 0;
    /* The gallery of a host may have another current folder; a host itself has no results. */
    if (realpath(broadcast->event->results, results) != NULL) {
        inside_send(&broadcast->out, INSIDE__KIND__EVENT, broadcast->event->name,
                    broadcast->event->broadcast == CONFIG_BROADCAST_RESULTS
                        ? INT64_MAX / 2 /* no game is ever so old */
                        : broadcast->event->broadcast_delay_ns,
                    results);
    }
    tell_dates(broadcast);
    for (struct shown_game *game = broadcast->games; game != NULL; game = game->next) {
        game->told = 0;
    }
    tell_games(broadcast, loop_now(broadcast->loop));
}

void broadcast_pump(struct broadcast *broadcast, int64_t now_ns)
{
    if (broadcast == NULL) {
        return;
    }
    if (broadcast->gap_ns != 0 && broadcast->fd >= 0 && now_ns - broadcast->gap_ns >= AGAIN_NS) {
        tell_anew(broadcast);
    }
    tell_games(broadcast, now_ns);
}

/* ------------------------------------------------------------------ the process */

static void start_pages(void *user, int64_t now_ns);

/* Ends it, and starts it again later. */
static void end_pages(struct broadcast *broadcast, int patience_ms)
{
    if (broadcast->fd >= 0) {
        loop_unwatch(broadcast->loop, broadcast->fd);
        inside_close(&broadcast->out);
        close(broadcast->fd);
        broadcast->fd = -1;
        if (broadcast->pid > 0) {
            stranger_process_end(broadcast->pid, patience_ms);
        }
    }
    /* One that has lived for a while has not failed because of how it begins. */
    if (loop_now(broadcast->loop) - broadcast->began_ns > LAST_NS) {
        broadcast->wait_ns = FIRST_NS;
    }
    loop_after(broadcast->loop, broadcast->wait_ns, start_pages, broadcast);
    broadcast->wait_ns = broadcast->wait_ns * 2 < LAST_NS ? broadcast->wait_ns * 2 : LAST_NS;
}

/* It tells nothing: this is its end. */
static void on_readable(void *user)
{
    log_warn("page", "the process of the pages has ended; the next one begins soon");
    end_pages(user, 0);
}

/* Connects to the gallery of a host. */
static enum bg_status connect_pages(struct broadcast *broadcast, struct bg_error *err)
{
    struct sockaddr_un address;
    int folder;
    enum bg_status status = line_socket_make(&broadcast->fd, &folder, &address, SOCK_SEQPACKET,
                                             broadcast->event->gallery, err);

    if (status == BG_OK &&
        connect(broadcast->fd, (const struct sockaddr *)&address, sizeof address) != 0) {
        status = bg_error_set(err, BG_E_SYSTEM, "the host's pages: %s", strerror(errno));
    }
    if (folder >= 0) {
        close(folder);
    }
    return status;
}

/* Starts a gallery of our own. */
static enum bg_status spawn_pages(struct broadcast *broadcast, struct bg_error *err)
{
    static char *const nothing[] = {NULL};
    const bool opens = broadcast->event->browser && broadcast->began_ns == 0;
    char *const *more = broadcast->event->page_words;
    char program[] = "bgref", command[] = "watch", listen[] = "--listen=" TCP_LISTEN_GIVEN,
         fed[] = "--fed", browser[] = "--browser", spectators[40],
         proxy[sizeof broadcast->event->broadcast_proxy + 20],
         gallery[sizeof broadcast->event->gallery + 20];
    char *words[5 + 3 + PAGE_WORDS + 1] = {program, command, listen, fed, spectators};
    char **end = words + 5;
    /* A browser is started with what the desktop has set; pages for others need nothing of it. */
    const struct stranger_start how = {words, opens ? environ : nothing, broadcast->listener};

    snprintf(spectators, sizeof spectators, "--spectators=%d",
             broadcast->event->broadcast_spectators);
    snprintf(proxy, sizeof proxy, "--trusted-proxy=%s", broadcast->event->broadcast_proxy);
    if (broadcast->event->broadcast_proxy[0] != '\0') {
        *end++ = proxy;
    }
    snprintf(gallery, sizeof gallery, "--gallery=%s", broadcast->event->gallery);
    if (broadcast->event->gallery[0] != '\0') {
        *end++ = gallery;
    }
    if (opens) {
        *end++ = browser;
    }
    for (int i = 0; more != NULL && i < PAGE_WORDS && more[i] != NULL; i++) {
        *end++ = more[i];
    }
    return stranger_process_start(&broadcast->pid, &broadcast->fd, &how, err);
}

static void start_pages(void *user, int64_t now_ns)
{
    struct broadcast *broadcast = user;
    struct bg_error err;
    enum bg_status status =
        broadcast->listener < 0 ? connect_pages(broadcast, &err) : spawn_pages(broadcast, &err);

    broadcast->began_ns = now_ns;
    if (status == BG_OK) {
        inside_open(&broadcast->out, broadcast->fd, broadcast->loop);
        status = loop_watch(broadcast->loop, broadcast->fd, on_readable, broadcast, &err);
    }
    if (status == BG_OK) {
        tell_anew(broadcast);
    } else {
        log_warn("page", "%s", err.text);
        end_pages(broadcast, 0);
    }
}

void broadcast_start(struct broadcast *broadcast, struct loop *loop)
{
    if (broadcast != NULL) {
        broadcast->loop = loop;
        start_pages(broadcast, loop_now(loop));
    }
}

void broadcast_close(struct broadcast *broadcast)
{
    if (broadcast == NULL) {
        return;
    }
    if (broadcast->loop != NULL) {
        end_pages(broadcast, END_MS);
        loop_forget(broadcast->loop, broadcast);
    }
    while (broadcast->games != NULL) {
        shown_forget(broadcast, &broadcast->games);
    }
    if (broadcast->listener >= 0) {
        close(broadcast->listener);
    }
    free(broadcast->dates);
    free(broadcast);
}

/* ------------------------------------------------------------------ games */

/* By its id if it has one, otherwise by its table. */
static struct shown_game *shown_find(const struct broadcast *broadcast, const void *table,
                                     const char *id)
{
    struct shown_game *game = broadcast == NULL ? NULL : broadcast->games;

    while (game != NULL &&
           (id != NULL ? game->table == NULL || strcmp(game->id, id) != 0 : game->table != table)) {
        game = game->next;
    }
    return game;
}

/* Takes the text. */
static void shown_add(struct broadcast *broadcast, struct shown_game *game, Inside__Kind kind,
                      char *text)
{
    const int64_t now_ns = loop_now(broadcast->loop);

    game->lines = memory_list(game->lines, &game->room, game->count + 1, sizeof *game->lines);
    game->lines[game->count++] =
        (struct shown_line){kind, now_ns + broadcast->event->broadcast_delay_ns, text};
    broadcast->kept += strlen(text);
    (void)tell_game(broadcast, game, now_ns);
}

/* Returns whether one more game may be told; so many at once, and then so many in a time. */
static bool has_room(struct broadcast *broadcast)
{
    const int64_t now_ns = loop_now(broadcast->loop), first_ns = now_ns - BURST * RATE_NS;

    if (broadcast->ready_ns < first_ns) {
        broadcast->ready_ns = first_ns;
    }
    if (broadcast->ready_ns + RATE_NS > now_ns || broadcast->kept >= KEPT_BYTES) {
        return false;
    }
    broadcast->ready_ns += RATE_NS;
    return true;
}

void broadcast_begin(struct broadcast *broadcast, const void *table, const struct public_game *game,
                     const char *pair)
{
    struct shown_game *shown;

    if (broadcast == NULL || (pair != NULL && shown_find(broadcast, NULL, pair) != NULL) ||
        !has_room(broadcast)) {
        return;
    }
    shown = memory_zeroed(1, sizeof *shown);
    snprintf(shown->id, sizeof shown->id, "%s", pair != NULL ? pair : game->id);
    shown->table = pair != NULL ? broadcast : table;
    shown->game = *game;
    shown->game.id = shown->id;
    shown->next = broadcast->games;
    broadcast->games = shown;
    shown_add(broadcast, shown, INSIDE__KIND__GAME,
              public_begin(&shown->game, pair != NULL              ? "the pair is in play"
                                         : !shows_moves(broadcast) ? "the game is in play"
                                                                   : NULL));
}

void broadcast_step(struct broadcast *broadcast, const void *table, const struct record_made *made)
{
    const enum bg_need_kind need = made->after->need.kind;
    struct shown_game *game = shown_find(broadcast, table, NULL);

    if (game != NULL && shows_moves(broadcast)) {
        shown_add(broadcast, game, INSIDE__KIND__STEP, public_step(&game->game, made));
    }
    if (game != NULL && (need == BG_NEED_GAME || need == BG_NEED_NOTHING)) {
        game->table = broadcast; /* the table may have its next game before this one is stored */
    }
}

void broadcast_away(struct broadcast *broadcast, const void *table, const bool is_away[2])
{
    struct shown_game *game = shown_find(broadcast, table, NULL);

    for (int seat = 0; game != NULL && shows_moves(broadcast) && seat < 2; seat++) {
        if (game->is_away[seat] != is_away[seat]) {
            game->is_away[seat] = is_away[seat];
            shown_add(broadcast, game, INSIDE__KIND__AWAY,
                      public_away(&game->game, seat, is_away[seat]));
        }
    }
}

static void end_shown(struct broadcast *broadcast, struct shown_game *game, Inside__Kind kind)
{
    if (game != NULL) {
        game->table = NULL; /* it may be another one's address soon */
        shown_add(broadcast, game, kind, memory_text(""));
    }
}

void broadcast_void(struct broadcast *broadcast, const void *table)
{
    end_shown(broadcast, shown_find(broadcast, table, NULL), INSIDE__KIND__VOIDED);
}

void broadcast_stored(struct broadcast *broadcast, const char *id)
{
    end_shown(broadcast, shown_find(broadcast, NULL, id), INSIDE__KIND__ENDED);
}

void broadcast_dates(struct broadcast *broadcast, const struct broadcast_date *dates, int count)
{
    const size_t size = (size_t)count * sizeof *dates;

    if (broadcast == NULL || (count == broadcast->date_count &&
                              (count == 0 || memcmp(dates, broadcast->dates, size) == 0))) {
        return;
    }
    free(broadcast->dates);
    broadcast->dates = memory_zeroed((size_t)count, sizeof *dates);
    memcpy(broadcast->dates, dates, size);
    broadcast->date_count = count;
    tell_dates(broadcast);
}
