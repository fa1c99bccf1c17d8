/* cmd_watch.c - bgref watch: the pages of results for a browser. A process of its own, so that who
 * looks costs no bot of a running event its time; it opens the database for reading only. It
 * listens on this machine unless it is told otherwise: pages for everybody belong behind a web
 * server. */
#define _GNU_SOURCE /* environ */
#include "gallery_commands.h"

#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/exit_status.h"
#include "cmd/command.h"
#include "door/tcp_listen.h"
#include "loop/loop.h"
#include "loop/signals.h"
#include "loop/web.h"
#include "site/site.h"

enum { WAITING = 128 /* connections that the kernel keeps until the loop turns */ };

struct arguments {
    const char *listen;
    struct command_words results;
    bool browser;
};

static const struct command_row options[] = {
    {"listen", 'l', .value = "ADDRESS",
     .help = "Listen on this address, tcp://HOST:PORT (default: tcp://127.0.0.1:0, a free port of "
             "this machine)",
     COMMAND_TEXT(listen)},
    {"browser", 'b', .help = "Open the page in this desktop's browser (xdg-open)",
     COMMAND_FLAG(browser)},
    {0}};

static const struct command_row words[] = {
    {"results database", COMMAND_LIST(results), .is_needed = true}, {0}};

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
    .missing = "needs a results database",
};

struct watching {
    struct site *site;
    struct signals *signals;
    struct loop *loop;
};

static int on_page(void *user, const struct web_request *request, FILE *out, const char **type)
{
    const struct watching *watch = user;
    const struct site_request asked = {request->path, ""};
    struct site_answer answer;

    site_write(watch->site, &asked, out, &answer);
    *type = answer.type;
    return answer.status;
}

static void on_signal(void *user)
{
    const struct watching *watch = user;

    if (signals_take(watch->signals) != 0) {
        loop_stop(watch->loop);
    }
}

static void open_browser(const char *address)
{
    char program[] = "xdg-open", url[TCP_LISTEN_TEXT];
    char *argv[] = {program, url, NULL};
    pid_t pid;

    snprintf(url, sizeof url, "%s", address);
    if (posix_spawnp(&pid, program, NULL, NULL, argv, environ) != 0) {
        fputs("bgref watch: xdg-open cannot be started; open the address yourself\n", stderr);
    }
}

static enum bg_status serve(struct watching *watch, const struct arguments *arguments,
                            struct bg_error *err)
{
    char bound[TCP_LISTEN_TEXT], address[TCP_LISTEN_TEXT + 8];
    struct web *web = NULL;
    int fd = -1;
    enum bg_status status = tcp_listen(&fd, bound, arguments->listen, WAITING, err);

    if (status == BG_OK) {
        status = web_start(&web, watch->loop, fd, on_page, watch, err);
    }
    if (status == BG_OK) {
        status = loop_watch(watch->loop, signals_fd(watch->signals), on_signal, watch, err);
    }
    if (status == BG_OK) {
        snprintf(address, sizeof address, "http%s/", strstr(bound, "://"));
        printf("%s\n", address);
        fflush(stdout);
        if (arguments->browser) {
            open_browser(address);
        }
        status = loop_run(watch->loop, err);
    }
    web_stop(web);
    return status;
}

int cmd_watch(int argc, char **argv)
{
    struct arguments arguments = {.listen = "tcp://127.0.0.1:0"};
    struct watching watch = {.site = NULL};
    struct bg_error err = {.text = ""};
    enum bg_status status;

    command_read(&command, argc, argv, &arguments);
    status = signals_open(&watch.signals, &err);
    if (status == BG_OK) {
        status = site_open(&watch.site, arguments.results.word, arguments.results.count, &err);
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
    loop_destroy(watch.loop);
    signals_close(watch.signals);
    return exit_status_of(status);
}
