/* refuse_calls ERRNO CALL,CALL,... PROGRAM ARGUMENT...: runs the program and its children with
 * those system calls refused, as by an old kernel or a container's filter.
 *
 * ERRNO is EPERM or ENOSYS. A CALL is a name, `newuser` (unshare and clone of a user namespace, and
 * clone3 as unknown, as containers do) or `since:N` (every call from number N on; 424: all calls
 * that Linux 5.1 and later added). */
#define _GNU_SOURCE /* CLONE_NEWUSER */
#include <errno.h>
#include <sched.h>
#include <seccomp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LAST_CALL = 600 };

static void fail(const char *what, const char *about)
{
    fprintf(stderr, "refuse_calls: %s: %s\n", what, about);
    exit(125);
}

static void refuse_newuser(scmp_filter_ctx filter)
{
    struct scmp_arg_cmp asks = SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_NEWUSER, CLONE_NEWUSER);

    if (seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(unshare), 1, asks) != 0 ||
        seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(clone), 1, asks) != 0 ||
        seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0) != 0) {
        fail("newuser", "no such filter");
    }
}

static void refuse(scmp_filter_ctx filter, int with, const char *name)
{
    int first = 0, last = 0;

    if (strcmp(name, "newuser") == 0) {
        refuse_newuser(filter);
        return;
    }
    if (sscanf(name, "since:%d", &first) == 1) {
        last = LAST_CALL;
    } else {
        first = last = seccomp_syscall_resolve_name(name);
    }
    if (first == __NR_SCMP_ERROR || first <= 0) {
        fail(name, "no such call");
    }
    for (int call = first; call <= last; call++) {
        if (seccomp_rule_add(filter, SCMP_ACT_ERRNO((unsigned)with), call, 0) != 0) {
            fail(name, "no such filter");
        }
    }
}

int main(int argc, char **argv)
{
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    int with = 0;

    if (argc < 4 || filter == NULL) {
        fail("usage", "refuse_calls EPERM|ENOSYS CALL,CALL,... PROGRAM ARGUMENT...");
    }
    with = strcmp(argv[1], "EPERM") == 0 ? EPERM : strcmp(argv[1], "ENOSYS") == 0 ? ENOSYS : 0;
    if (with == 0) {
        fail(argv[1], "neither EPERM nor ENOSYS");
    }
    for (char *name = strtok(argv[2], ","); name != NULL; name = strtok(NULL, ",")) {
        refuse(filter, with, name);
    }
    /* The way to root stays open if it is permitted, so that sudo works in the started programs. */
    seccomp_attr_set(filter, SCMP_FLTATR_CTL_NNP, 0);
    if (seccomp_load(filter) != 0) {
        seccomp_attr_set(filter, SCMP_FLTATR_CTL_NNP, 1);
        if (seccomp_load(filter) != 0) {
            fail("seccomp", strerror(errno));
        }
    }
    seccomp_release(filter);
    execvp(argv[3], argv + 3);
    fail(argv[3], strerror(errno));
}
