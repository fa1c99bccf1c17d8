/* host.h - runs a host: the events of HOST.yaml, each when its time comes, as processes of their
 * own.
 *
 * In the folder: host.lock, host.state (agenda_file.h), host.gate (door/ban_list.h), host.journal
 * (host_log.h), host.waits (key_waits.h), and for each instance
 * its results INSTANCE.db and what its process prints, INSTANCE.log. SIGHUP: HOST.yaml is read
 * again; a file with a mistake changes nothing. SIGTERM or SIGINT: no new events, running games end
 * (at most `drain`); a second one: at once.
 */
#ifndef HOST_HOST_HOST_H
#define HOST_HOST_HOST_H

#include <bgref/error.h>

#include <stdbool.h>

struct host_setup {
    const char *path; /* HOST.yaml */
    bool quiet;       /* what happens is in the journal only */
    bool may_be_root; /* started as root, and with no user to become */
    bool browser;     /* opens its pages in this desktop's browser */
    bool finishes;    /* a signal lets running matches end, however long they take */
};

/* Runs until a signal or the admin ends it. Returns the program's exit status: EXIT_DONE, or
 * EXIT_TERMINATE if running games were cut off; on failure *err has the message. */
int host_run(const struct host_setup *setup, struct bg_error *err);

/* The first word of an admin's line; then the act, the reason and the act's words, each after a
 * TAB. */
#define HOST_MAGIC "bgref-host-1"

enum { HOST_WORDS = 64 };

/* BG_E_ARGUMENT: there is no such act; names the nearest one, or what to do instead of one that was
 * taken away. */
enum bg_status host_act_check(const char *act, struct bg_error *err);

#endif
