/* One datagram a call, without a connection: a manager that is gone or does not read costs
 * nothing, and nothing is left to be sent later. The watchdog's sign comes from the loop, not from
 * a thread of its own: a loop that hangs must not seem alive. */
#define _GNU_SOURCE
#include "notify.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TEXT = 512, SIGNS = 3 /* in an interval, so that one may be late */ };

/* Returns 0 if the variable is missing or not a number that fits. */
static int64_t number_of(const char *variable)
{
    const char *text = getenv(variable);
    char *end;
    int64_t number = text == NULL ? 0 : strtoll(text, &end, 10);

    return text != NULL && *text != '\0' && *end == '\0' && number > 0 && number < INT64_MAX / 1000
               ? number
               : 0;
}

static bool name_socket(struct notify *out, const char *name)
{
    size_t length = name == NULL ? 0 : strlen(name);

    if (length < 2 || length >= sizeof out->address.sun_path ||
        (name[0] != '/' && name[0] != '@')) {
        return false;
    }
    out->address.sun_family = AF_UNIX;
    memcpy(out->address.sun_path, name, length);
    out->size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length);
    if (name[0] == '@') {
        out->address.sun_path[0] = '\0'; /* abstract: the length ends the name */
    }
    return true;
}

void notify_open(struct notify *out)
{
    int64_t pid = number_of("WATCHDOG_PID");

    *out = (struct notify){.fd = -1};
    if (name_socket(out, getenv("NOTIFY_SOCKET"))) {
        out->fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    }
    if (pid == 0 || pid == getpid()) {
        out->interval_ns = 1000 * number_of("WATCHDOG_USEC");
    }
    unsetenv("NOTIFY_SOCKET");
    unsetenv("WATCHDOG_USEC");
    unsetenv("WATCHDOG_PID");
}

void notify_close(struct notify *notify)
{
    if (notify->fd >= 0) {
        close(notify->fd);
    }
    notify->fd = -1;
}

static void send_text(const struct notify *notify, const char *text)
{
    if (notify->fd >= 0) {
        (void)sendto(notify->fd, text, strlen(text), MSG_NOSIGNAL | MSG_DONTWAIT,
                     (const struct sockaddr *)&notify->address, notify->size);
    }
}

static void send_status(const struct notify *notify, const char *state, const char *status)
{
    char text[TEXT];
    size_t size = (size_t)snprintf(text, sizeof text, "%sSTATUS=", state);

    for (; *status != '\0' && size + 1 < sizeof text; status++) {
        if ((unsigned char)*status >= ' ' && *status != 0x7f) {
            text[size++] = *status;
        }
    }
    text[size] = '\0';
    send_text(notify, text);
}

void notify_ready(const struct notify *notify, const char *status)
{
    send_status(notify, "READY=1\n", status);
}

void notify_status(const struct notify *notify, const char *status)
{
    send_status(notify, "", status);
}

void notify_stopping(const struct notify *notify, const char *status)
{
    send_status(notify, "STOPPING=1\n", status);
}

void notify_extend(const struct notify *notify, int64_t ns)
{
    char text[TEXT];

    snprintf(text, sizeof text, "EXTEND_TIMEOUT_USEC=%" PRId64, ns / 1000);
    send_text(notify, text);
}

void notify_reloading(const struct notify *notify, int64_t now_ns)
{
    char text[TEXT];

    snprintf(text, sizeof text, "RELOADING=1\nMONOTONIC_USEC=%" PRId64, now_ns / 1000);
    send_text(notify, text);
}

void notify_watchdog(struct notify *notify, int64_t now_ns)
{
    if (notify != NULL && notify->interval_ns > 0 && notify->fd >= 0 &&
        (notify->sent_ns == 0 || now_ns - notify->sent_ns >= notify->interval_ns / SIGNS)) {
        notify->sent_ns = now_ns;
        send_text(notify, "WATCHDOG=1");
    }
}
