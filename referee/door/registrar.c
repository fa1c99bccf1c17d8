#include "registrar.h"

#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <time.h>

#include <sodium.h>

#include "remote_line.h"

#define PATIENCE_NS (REGISTRAR_PATIENCE_S * INT64_C(1000000000))

static int64_t now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static enum bg_status lost(struct bg_error *err, const struct host_file *host, bool was_proven)
{
    return was_proven
               ? bg_error_set(err, BG_E_LINK,
                              "%s has ended the connection without an answer: the message is not "
                              "one that it takes",
                              host->name)
               : bg_error_set(err, BG_E_LINK,
                              "%s does not prove that it is %s: the key in the host file is not "
                              "its key, or it refuses connections from this address",
                              host->porch, host->name);
}

/* Waits for the answer; false: it may still come. */
static bool take_news(struct register_answer *out, struct remote_line *line,
                      const struct host_file *host, bool *was_proven, enum bg_status *status,
                      struct bg_error *err)
{
    const void *data;
    size_t size;

    for (;;) {
        if (remote_line_take(&data, &size, line)) {
            *status = register_answer_read(out, data, size, err);
            return true;
        }
        switch (remote_line_news(line)) {
        case REMOTE_NOTHING:
            return false;
        case REMOTE_PROVEN:
            *was_proven = true;
            break;
        case REMOTE_ABSENT: /* it is tried again */
        case REMOTE_TURNED:
            break;
        case REMOTE_LOST:
        case REMOTE_UNPROVEN:
        case REMOTE_SILENT:
        case REMOTE_FORBIDDEN:
            *status = lost(err, host, *was_proven);
            return true;
        }
    }
}

static enum bg_status wait_answer(struct register_answer *out, struct remote_line *line,
                                  const struct host_file *host, struct bg_error *err)
{
    const int64_t until_ns = now_ns() + PATIENCE_NS;
    enum bg_status status = BG_OK;
    bool was_proven = false;

    while (!take_news(out, line, host, &was_proven, &status, err)) {
        struct pollfd fd = {remote_line_fd(line), POLLIN, 0};
        int64_t left_ns = until_ns - now_ns();

        if (left_ns <= 0) {
            const char *why = was_proven ? "" : remote_line_why(line);

            return bg_error_set(err, BG_E_LINK, "%s at %s %s within %d s%s%s%s", host->name,
                                host->porch, was_proven ? "gives no answer" : "cannot be reached",
                                REGISTRAR_PATIENCE_S, why[0] == '\0' ? "" : " (", why,
                                why[0] == '\0' ? "" : ")");
        }
        (void)poll(&fd, 1, (int)(left_ns / 1000000) + 1);
    }
    return status;
}

enum bg_status registrar_ask(struct register_answer *out, const struct host_file *host,
                             const struct join_secret *own, const struct register_ask *ask,
                             struct bg_error *err)
{
    struct host_file porch = *host;
    struct remote_line *line = NULL;
    char message[REGISTER_MOST];
    enum bg_status status;

    snprintf(porch.endpoint, sizeof porch.endpoint, "%s", host->porch);
    status = remote_line_open(&line, &porch, own, 0, err);
    if (status == BG_OK) {
        size_t size = register_write(message, ask);

        status = remote_line_send(line, message, size)
                     ? wait_answer(out, line, host, err)
                     : bg_error_set(err, BG_E_LINK, "the request cannot be sent");
        sodium_memzero(message, sizeof message);
    }
    remote_line_close(line);
    return status;
}
