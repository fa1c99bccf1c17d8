/* Only root needs this, since another user may not change these files. The mounts are made
 * slaves first: what is mounted here would else appear in the namespace of the whole system. */
#define _GNU_SOURCE /* unshare */
#include "devices.h"

#include <sched.h>
#include <stddef.h>
#include <sys/mount.h>
#include <unistd.h>

/* The devices that bwrap shows. It keeps the mount flags of its source; its own read-only option
 * would also forbid the use of devices. */
static const char *const nodes[] = {"/dev/null",   "/dev/zero",    "/dev/full",
                                    "/dev/random", "/dev/urandom", "/dev/tty"};

void devices_hold(void)
{
    if (geteuid() != 0 || unshare(CLONE_NEWNS) != 0 ||
        mount(NULL, "/", NULL, MS_REC | MS_SLAVE, NULL) != 0) {
        return;
    }
    for (size_t i = 0; i < sizeof nodes / sizeof nodes[0]; i++) {
        if (mount(nodes[i], nodes[i], NULL, MS_BIND, NULL) == 0) {
            mount(NULL, nodes[i], NULL, MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID, NULL);
        }
    }
}
