/* notify.h - tells the service manager how the program is: the protocol of sd_notify(3), a datagram
 * of lines to the socket named by NOTIFY_SOCKET.
 *
 *     notify_open(&notify);                     all calls do nothing without a service manager
 *     notify_ready(&notify, "2 events");
 *     notify_watchdog(&notify, now_ns);         in each round of the loop
 *     notify_stopping(&notify, "draining");
 *     notify_close(&notify);
 *
 * A manager that does not listen is no error, and nothing waits for it.
 */
#ifndef REFEREE_LOOP_NOTIFY_H
#define REFEREE_LOOP_NOTIFY_H

#include <stdint.h>
#include <sys/socket.h>
#include <sys/un.h>

struct notify {
    int fd; /* -1: nobody listens */
    struct sockaddr_un address;
    socklen_t size;
    int64_t interval_ns; /* the manager expects a sign of life at least this often; 0: none */
    int64_t sent_ns;     /* the last one */
};

/* Takes NOTIFY_SOCKET (a path, or @NAME: abstract), WATCHDOG_USEC and WATCHDOG_PID out of the
 * environment, so that no child speaks for us. Call before any thread is made. */
void notify_open(struct notify *out);
void notify_close(struct notify *notify); /* accepts a closed one */

/* status: one line for people; control characters are left out. */
void notify_ready(const struct notify *notify, const char *status);
void notify_status(const struct notify *notify, const char *status);
void notify_stopping(const struct notify *notify, const char *status);
/* The settings are being read again; notify_ready says that it is done. now_ns: of the monotonic
 * clock. */
void notify_reloading(const struct notify *notify, int64_t now_ns);

/* A sign of life, when a third of the interval has passed since the last one. NULL is fine. */
void notify_watchdog(struct notify *notify, int64_t now_ns);

/* The end takes longer than the manager may allow: it waits this long for the next such call. */
void notify_extend(const struct notify *notify, int64_t ns);

#endif
