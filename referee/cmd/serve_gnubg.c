/* serve_gnubg.c - bgref serve --port: serves a bot of bgref as gnubg's external player.
 * One client and one bot that is waited for: poll() on two descriptors is enough, and the loop
 * runs only inside the examiner while the bot decides. */
#define _GNU_SOURCE
#include "serve_gnubg.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include "loop/signals.h"
#include "check/fibs.h"
#include "check/player.h"
#include "cmd/command.h"

#define CEILING_NS INT64_C(600000000000) /* gnubg waits for ever; ten minutes count as a hang */

/* ---- a connection ---- */

struct server {
    const struct serve_place *place;
    struct player *player;
    struct signals *signals;
    int listen_fd, client_fd; /* -1 none */
    size_t used;
    char bytes[FIBS_LINE];
    char asked[FIBS_LINE]; /* the last question ... */
    int refused;           /* ... and the highest resignation offered in answer to it */
};

static void tell_person(const struct server *server, const char *text)
{
    if (!server->place->quiet) {
        fprintf(stderr, "%s: %s\n", program_invocation_name, text);
    }
}

static void hang_up(struct server *server)
{
    close(server->client_fd);
    server->client_fd = -1;
    tell_person(server, "gnubg has left");
}

static void reply(struct server *server, const char *text)
{
    if (send(server->client_fd, text, strlen(text), MSG_NOSIGNAL) < 0) {
        hang_up(server);
    }
}

/* After it has declined a resignation, gnubg asks again in the same words. */
static void put_refusal(struct fibs *fibs, const struct server *server)
{
    struct bg_step offer = {.kind = BG_STEP_RESIGN, .level = (uint8_t)server->refused};
    struct bg_step refusal = {.kind = BG_STEP_REFUSE, .seat = 1};

    if (server->refused > 0 && bg_match_step(&fibs->match, &offer) == BG_RULE_NONE) {
        (void)bg_match_step(&fibs->match, &refusal);
    }
}

static void note_question(struct server *server, const struct fibs *fibs, const char *line)
{
    struct bg_board setup;

    if (strcmp(server->asked, line) != 0) {
        server->refused = 0;
        snprintf(server->asked, sizeof server->asked, "%s", line);
    }
    bg_variant_setup(&setup, fibs->match.rules.variant);
    if (bg_board_equal(&setup, &fibs->match.board)) {
        player_new_game(server->player);
    }
}

/* Answers a line. For an unknown line or a bot's fault the answer begins with "Error:"; gnubg then
 * shows it and stops the play. */
static enum bg_status answer_line(struct server *server, const char *line, struct bg_error *err)
{
    char text[FIBS_ANSWER] = "\n";
    char failure[sizeof err->text + 16];
    struct fibs fibs;
    struct bg_step step = {.kind = BG_STEP_PLAY};
    bool rolls = false;
    enum bg_status status = fibs_read(&fibs, line, err);

    if (status == BG_OK && fibs.rolls_only) {
        fibs_answer(text, &step, true);
    } else if (status == BG_OK && !fibs.must_pass) {
        note_question(server, &fibs, line);
        put_refusal(&fibs, server);
        status = player_decide(&step, &rolls, server->player, &fibs.match, err);
        fibs_answer(text, &step, rolls);
        server->refused = step.kind == BG_STEP_RESIGN ? step.level : server->refused;
    }
    if (status == BG_E_FORMAT || status == BG_E_MISMATCH) {
        snprintf(failure, sizeof failure, "Error: %s\n", err->text);
        command_say(err->text);
        reply(server, failure);
        return BG_OK;
    }
    if (status == BG_OK) {
        reply(server, text);
    }
    return status;
}

/* A line ends in LF. gnubg also sends a NUL after it, which is skipped. */
static enum bg_status on_bytes(struct server *server, struct bg_error *err)
{
    ssize_t count = recv(server->client_fd, server->bytes + server->used,
                         sizeof server->bytes - 1 - server->used, 0);
    enum bg_status status = BG_OK;
    char *end;

    /* A buffer that is full is no question of gnubg's, whose lines are shorter. */
    if (count <= 0 || server->used + (size_t)count == sizeof server->bytes - 1) {
        hang_up(server);
        return BG_OK;
    }
    server->used += (size_t)count;
    while (status == BG_OK && server->client_fd >= 0 &&
           (end = memchr(server->bytes, '\n', server->used)) != NULL) {
        size_t taken = (size_t)(end + 1 - server->bytes);
        char *line = server->bytes;

        *end = '\0';
        while (line < end && *line == '\0') {
            line++;
        }
        line[strcspn(line, "\r")] = '\0';
        status = answer_line(server, line, err);
        server->used -= taken;
        memmove(server->bytes, server->bytes + taken, server->used);
    }
    return status;
}

static void on_connection(struct server *server)
{
    int on = 1;

    server->client_fd = accept4(server->listen_fd, NULL, NULL, SOCK_CLOEXEC);
    if (server->client_fd >= 0) {
        /* Answers are small and gnubg waits for each: Nagle's algorithm would hold them back. */
        setsockopt(server->client_fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        server->used = 0;
        server->asked[0] = '\0';
        server->refused = 0;
        player_new_game(server->player);
        tell_person(server, "gnubg is connected");
    }
}

/* Serves one client at a time; others wait in the socket's queue. */
static enum bg_status serve_clients(struct server *server, struct bg_error *err)
{
    enum bg_status status = BG_OK;

    while (status == BG_OK) {
        struct pollfd wait[2] = {
            {signals_fd(server->signals), POLLIN, 0},
            {server->client_fd >= 0 ? server->client_fd : server->listen_fd, POLLIN, 0}};

        if (poll(wait, 2, -1) < 0 && errno != EINTR) {
            return bg_error_set(err, BG_E_SYSTEM, "poll: %s", strerror(errno));
        }
        if (wait[0].revents != 0) {
            return BG_OK;
        }
        if (wait[1].revents != 0 && server->client_fd < 0) {
            on_connection(server);
        } else if (wait[1].revents != 0) {
            status = on_bytes(server, err);
        }
    }
    return status;
}

/* ---- beginning ---- */

/* Prints the port on standard output for programs that wait for it. */
static enum bg_status listen_on(struct server *server, struct bg_error *err)
{
    const struct serve_place *place = server->place;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)place->port)};
    socklen_t size = sizeof address;
    int on = 1;

    if (inet_pton(AF_INET, place->bind, &address.sin_addr) != 1) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "--bind %s: not an IPv4 address (127.0.0.1: this machine, 0.0.0.0: "
                            "every network)",
                            place->bind);
    }
    server->listen_fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    /* Else the port of a server that has just ended cannot be had for a minute (TIME_WAIT). */
    setsockopt(server->listen_fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (server->listen_fd < 0 ||
        bind(server->listen_fd, (struct sockaddr *)&address, sizeof address) != 0 ||
        listen(server->listen_fd, 8) != 0 ||
        getsockname(server->listen_fd, (struct sockaddr *)&address, &size) != 0) {
        return bg_error_set(err, BG_E_LINK, "listen on %s port %d: %s%s", place->bind,
                            (int)place->port, strerror(errno),
                            errno == EADDRINUSE ? "; choose another, or 0 for a free one" : "");
    }
    printf("listening on %s:%d\n", place->bind, ntohs(address.sin_port));
    fflush(stdout);
    return BG_OK;
}

static void close_if_open(int fd)
{
    if (fd >= 0) {
        close(fd);
    }
}

enum bg_status serve_gnubg(const struct competitor *bot, const struct serve_place *place,
                           struct bg_error *err)
{
    static struct server server;
    enum bg_status status;

    server = (struct server){.place = place, .listen_fd = -1, .client_fd = -1};
    status = signals_open(&server.signals, err);
    if (status == BG_OK) {
        status = player_open(&server.player, bot, "external", CEILING_NS, err);
    }
    if (status == BG_OK) {
        status = listen_on(&server, err);
    }
    if (status == BG_OK) {
        status = serve_clients(&server, err);
    }
    close_if_open(server.client_fd);
    close_if_open(server.listen_fd);
    player_close(server.player);
    signals_close(server.signals);
    return status;
}
