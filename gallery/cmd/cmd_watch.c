/* cmd_watch.c - bgref watch: the pages of results for a browser. A process of its own, so that who
 * looks costs no bot of a running event its time; it opens the database for reading only. It
 * listens on this machine unless it is told otherwise: pages for everybody belong behind a web
 * server. */
#include "gallery_commands.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/cidr.h"
#include "base/exit_status.h"
#include "cmd/command.h"
#include "door/stranger_process.h"
#include "door/tcp_listen.h"
#include "gallery_metrics.h"
#include "live/live.h"
#include "live/referees.h"
#include "join/join_site.h"
#include "loop/loop.h"
#include "loop/signals.h"
#include "loop/web.h"
#include "process/descriptors.h"
#include "site/browser.h"
#include "site/site.h"

enum {
    WAITING = 128, /* connections that the kernel keeps until the loop turns */
    PAGES = 256,   /* connections that are no streams */
    PER_ADDRESS = 20,
};

struct arguments {
    const char *listen, *proxy, *gallery;
    struct join_settings join; /* host NULL: nobody is told how to join */
    struct command_words results;
    int spectators, budget;
    bool browser, databases, is_fed;
};

static const struct command_row options[] = {
    {"listen", 'l', .value = "ADDRESS",
     .help = "Listen on this address, tcp://HOST:PORT (default: tcp://127.0.0.1:0, a free port of "
             "this machine)",
     COMMAND_TEXT(listen)},
    {"trusted-proxy", .value = "CIDR",
     .help = "Limit connections by the address that this web server writes last in "
             "X-Forwarded-For (as 127.0.0.1)",
     COMMAND_TEXT(proxy)},
    {"spectators", .value = "N",
     .help = "Let at most N follow live boards at once (default: 2000); others see pages",
     COMMAND_INT(spectators), .most = 100000},
    {"budget", .value = "PERCENT",
     .help =
         "Refuse lists for a while when pages have used more of a core than this (default: 30); "
         "boards and streams go on",
     COMMAND_INT(budget), .least = 1, .most = 100},
    {"join", .value = "HOST.bgref",
     .help = "Also /join: how authors join this host from other machines (docs/hosting.md)",
     COMMAND_TEXT(join.host)},
    {"registrations", .value = "FILE",
     .help = "With --join: let authors register there; a line of FILE moved to the host's list of "
             "keys lets its bot in",
     COMMAND_TEXT(join.registrations), .needs = "join"},
    {"invitations", .value = "FILE",
     .help = "Only with an invitation of this list (bgref keygen --invite NAME)",
     COMMAND_TEXT(join.invitations), .needs = "registrations"},
    {"databases", 'd',
     .help = "Let others download the databases of events that are over, which also have what bots "
             "wrote before a fault",
     COMMAND_FLAG(databases)},
    {"browser", 'b', .help = "Open the page in this desktop's browser (xdg-open)",
     COMMAND_FLAG(browser)},
    {"fed", .help = "A referee has started it, and tells it of its games", .is_hidden = true,
     COMMAND_FLAG(is_fed)},
    {"gallery", .value = "PATH", .help = "So have events that connect to this socket",
     .is_hidden = true, COMMAND_TEXT(gallery)},
    {0}};

static const struct command_row words[] = {{"results database", COMMAND_LIST(results)}, {0}};

static const struct command command = {
    .usage = "RESULTS.db...",
    .help =
        "Shows results as pages, each database as an event: where it stands, all games, each game "
        "with its board, step by step. Safe while the event is played: each page has what is "
        "stored when it is opened.\v"
        "Prints the address of the pages; Ctrl-C ends it. Keys on a game's page: arrows, Home, "
        "End, space, f (docs/report.md).",
    .options = options,
    .words = words,
};

struct watching {
    struct site *site;
    struct join_site *join; /* NULL: see arguments */
    struct live *live;      /* NULL: no referee tells it anything */
    struct referees *referees;
    struct web *web;
    struct cidr proxy;
    struct signals *signals;
    struct loop *loop;
};

static int on_page(void *user, const struct web_request *request, FILE *out,
                   struct web_answer *answer)
{
    const struct watching *watch = user;
    int status;

    if (gallery_metrics_page(&status, out, answer, watch->web, request)) {
        return status;
    }
    status = watch->live == NULL ? 0 : live_answer(watch->live, request, out, answer);
    if (status == 0 && watch->join != NULL) {
        status = join_answer(watch->join, loop_now(watch->loop), request, out, answer);
    }
    return status != 0 ? status : site_write(watch->site, request, out, answer);
}

static void on_signal(void *user)
{
    const struct watching *watch = user;

    if (signals_take(watch->signals) != 0) {
        loop_stop(watch->loop);
    }
}

static enum bg_status serve(struct watching *watch, const struct arguments *arguments,
                            struct bg_error *err)
{
    const struct web_settings settings = {
        .fn = on_page,
        .user = watch,
        .pages = PAGES,
        .spectators = arguments->spectators,
        .per_address = PER_ADDRESS,
        .takes_posts = arguments->join.registrations != NULL,
        .proxy = arguments->proxy == NULL ? NULL : &watch->proxy,
    };
    char bound[TCP_LISTEN_TEXT], address[TCP_LISTEN_TEXT + 8];
    int fd = -1;
    enum bg_status status = tcp_listen(&fd, bound, arguments->listen, WAITING, err);

    if (status == BG_OK) {
        status = web_start(&watch->web, watch->loop, fd, &settings, err);
    }
    if (status == BG_OK) {
        status = loop_watch(watch->loop, signals_fd(watch->signals), on_signal, watch, err);
    }
    if (status == BG_OK && arguments->is_fed) {
        watch->live = live_create(watch->loop, watch->site, watch->web);
        status = referees_open(&watch->referees, watch->loop, watch->live, arguments->gallery, err);
    }
    if (status == BG_OK) {
        snprintf(address, sizeof address, "http%s/", strstr(bound, "://"));
        printf("%s\n", address);
        fflush(stdout);
        if (arguments->browser && !browser_open(address)) {
            fputs("bgref watch: xdg-open cannot be started; open the address yourself\n", stderr);
        }
        status = loop_run(watch->loop, err);
    }
    referees_close(watch->referees);
    live_destroy(watch->live);
    web_stop(watch->web);
    return status;
}

int cmd_watch(int argc, char **argv)
{
    struct arguments arguments = {.listen = "tcp://127.0.0.1:0", .spectators = 2000, .budget = 30};
    struct watching watch = {.site = NULL};
    struct bg_error err = {.text = ""};
    enum bg_status status;

    command_read(&command, argc, argv, &arguments);
    if (arguments.proxy != NULL && cidr_read(&watch.proxy, arguments.proxy, &err) != BG_OK) {
        command_misuse("--trusted-proxy: %s", err.text);
    }
    if (arguments.results.count == 0 && !arguments.is_fed) {
        command_misuse("needs a results database");
    }
    if (arguments.is_fed) {
        int refused = stranger_process_begin(argv[0], true, TCP_LISTEN_FD + 1);

        if (refused != EXIT_DONE) {
            return refused;
        }
        stranger_process_bind("bgref-gallery");
    }
    descriptors_raise();
    status = signals_open(&watch.signals, &err);
    if (status == BG_OK) {
        status = site_open(&watch.site, arguments.results.word, arguments.results.count, &err);
    }
    if (status == BG_OK) {
        site_set(watch.site, &(struct site_settings){arguments.budget, arguments.join.host != NULL,
                                                     arguments.databases});
    }
    if (status == BG_OK && arguments.join.host != NULL) {
        status = join_open(&watch.join, &arguments.join, &err);
    }
    if (status == BG_OK) {
        status = loop_create(&watch.loop, &err);
    }
    if (status == BG_OK) {
        status = serve(&watch, &arguments, &err);
    }
    if (status != BG_OK) {
        command_say(err.text);
    }
    site_close(watch.site);
    join_close(watch.join);
    loop_destroy(watch.loop);
    signals_close(watch.signals);
    return exit_status_of(status);
}
