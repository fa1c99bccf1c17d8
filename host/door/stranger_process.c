/* The order is the point: descriptors are closed before anything is opened, the secret is read
 * before the process is confined (then no file opens any more), and the listening socket is made
 * before as well. What fails is told in words by the control socket; who starts the program by
 * hand has none, and reads a line. */
#define _GNU_SOURCE
#include "stranger_process.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include <sodium.h>

#include "confine.h"
#include "base/exit_status.h"
#include "handover.h"
#include "inside.h"
#include "process/portable.h"

/* A connection needs two descriptors here; the doorman admits no more than these suffice for. */
static void raise_descriptors(void)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max;
        (void)setrlimit(RLIMIT_NOFILE, &limit);
    }
}

int stranger_process_begin(struct stranger_process *process, int argc, char **argv)
{
    struct bg_error err = {.text = ""};
    int type = 0;
    socklen_t size = sizeof type;

    if (argc != 3 || getsockopt(INSIDE_FD, SOL_SOCKET, SO_TYPE, &type, &size) != 0 ||
        type != SOCK_SEQPACKET) {
        fprintf(stderr, "%s: a part of 'bgref tournament' and 'bgref host', which start it\n",
                argv[0]);
        return EXIT_MISUSE;
    }
    close_descriptors_from(INSIDE_FD + 1);
    /* A stranger who closes must not end the process. */
    signal(SIGPIPE, SIG_IGN);
    raise_descriptors();
    if (sodium_init() < 0) {
        inside_send(inside_own(), INSIDE__KIND__FAILED, NULL, 0, "no random numbers");
        return EXIT_SURROUNDINGS;
    }
    /* Before the secret is there, so that no page with it can be swapped out. It fails under a
     * small RLIMIT_MEMLOCK, and the host works all the same. */
    (void)sodium_mlock(&process->host, sizeof process->host);
    if (join_secret_read(&process->host, argv[2], &err) != BG_OK) {
        inside_send(inside_own(), INSIDE__KIND__FAILED, NULL, 0, err.text);
        return EXIT_MISUSE;
    }
    process->listener = handover_listen(argv[1]);
    if (process->listener < 0) {
        bg_error_set(&err, BG_E_SYSTEM, "%s: %s", argv[1], strerror(errno));
        inside_send(inside_own(), INSIDE__KIND__FAILED, NULL, 0, err.text);
        return EXIT_SURROUNDINGS;
    }
    /* The last step of the beginning, before the first stranger. */
    confine_child(argv[0]);
    return EXIT_DONE;
}

bool stranger_process_bound(const struct stranger_process *process)
{
    char hex[KEY_FILE_DIGITS];

    sodium_bin2hex(hex, sizeof hex, process->host.public.key, sizeof process->host.public.key);
    return inside_send(inside_own(), INSIDE__KIND__BOUND, NULL, 0, hex);
}

void stranger_process_end(struct stranger_process *process)
{
    (void)sodium_munlock(&process->host, sizeof process->host); /* which wipes it */
}
