/* bwrap is tried, not judged by its version: whether namespaces work depends on kernel, AppArmor
 * and a container together. Only when it fails are causes looked for, those first that can be
 * proven; a chroot or a container is what is left. */
#define _GNU_SOURCE /* syscall */
#include "doctor_sandbox.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "process/filter.h"
#include "process/sandbox.h"
#include "process/tree.h"

enum { UNKNOWN = -1 };

/* Returns the number in a file of /proc/sys; UNKNOWN: the file does not exist. */
static long kernel_value(const char *path)
{
    FILE *file = fopen(path, "re");
    char text[32] = "";
    long value = UNKNOWN;

    if (file == NULL) {
        return UNKNOWN;
    }
    if (fgets(text, sizeof text, file) != NULL) {
        value = strtol(text, NULL, 10);
    }
    fclose(file);
    return value;
}

/* Returns what a user can do if bwrap does not work. */
static const char *remedy(const char *version)
{
    if (version[0] == '\0') {
        return "apt install bubblewrap";
    }
    if (!tree_is_visible()) {
        return "mount /proc";
    }
    if (access("/proc/self/ns/user", F_OK) != 0) {
        return "this kernel has no user namespaces: take one with CONFIG_USER_NS";
    }
    if (kernel_value("/proc/sys/user/max_user_namespaces") == 0) {
        return "user namespaces are forbidden: sysctl user.max_user_namespaces=10000";
    }
    if (kernel_value("/proc/sys/kernel/unprivileged_userns_clone") == 0) {
        return "user namespaces are root's: sysctl kernel.unprivileged_userns_clone=1";
    }
    if (kernel_value("/proc/sys/kernel/apparmor_restrict_unprivileged_userns") == 1) {
        return "AppArmor forbids user namespaces: give bwrap a profile, or sysctl "
               "kernel.apparmor_restrict_unprivileged_userns=0";
    }
    return "a chroot has no user namespaces: enter it with 'systemd-nspawn -D FOLDER'; a container "
           "has to permit them and mounts: 'docker run --security-opt seccomp=unconfined "
           "--security-opt apparmor=unconfined --security-opt systempaths=unconfined ...'";
}

static void say_bwrap(doctor_say_fn say, const char *version)
{
    char why[200];

    if (!sandbox_works(why, sizeof why)) {
        say(WARN, "sandbox",
            "bots cannot be confined: %s; %s. Until then let only bots play that you trust", why,
            remedy(version));
    } else if (geteuid() == 0) {
        say(GOOD, "sandbox",
            "%s works: 'sandbox: auto' or 'on' confines bots; root starts the referee, so no limit "
            "of processes holds for them: better a user of its own",
            version);
    } else {
        say(GOOD, "sandbox", "%s works for this user: 'sandbox: auto' or 'on' confines bots",
            version);
    }
}

/* Prints the kernel's features. Landlock would add nothing: it could only forbid what a confined
 * bot does not see, or sees read-only. */
static void say_kernel(doctor_say_fn say)
{
    /* 1 is LANDLOCK_CREATE_RULESET_VERSION: no ruleset is made, the version is returned. */
    long landlock = syscall(SYS_landlock_create_ruleset, NULL, 0, 1);

    say(filter_is_known() ? GOOD : WARN, "seccomp", "%s",
        filter_is_known()
            ? "confined bots cannot make namespaces, trace, lock, watch files or type "
              "into terminals"
            : "not in this kernel: confined bots keep all system calls; locks and "
              "keyrings are common to them. Use a kernel with CONFIG_SECCOMP_FILTER");
    if (landlock > 0) {
        say(GOOD, "landlock", "version %ld, not needed: mounts hide and protect files", landlock);
    } else {
        say(GOOD, "landlock", "not there, not needed: mounts hide and protect files");
    }
}

static void say_unconfined(doctor_say_fn say)
{
    long scope = kernel_value("/proc/sys/kernel/yama/ptrace_scope");
    long typing = kernel_value("/proc/sys/dev/tty/legacy_tiocsti");

    if (scope > 0) {
        say(GOOD, "ptrace", "kernel.yama.ptrace_scope=%ld: unconfined bots cannot trace each other",
            scope);
    } else {
        say(WARN, "ptrace",
            "unconfined bots can read the memory of each other and of the referee: %s, or confine "
            "them",
            scope == 0 ? "sysctl kernel.yama.ptrace_scope=1" : "a kernel with Yama");
    }
    if (typing == 0) {
        say(GOOD, "terminal", "dev.tty.legacy_tiocsti=0: no program types into another's terminal");
    } else {
        say(GOOD, "terminal", "programs may type into their terminal%s; confined bots have none",
            typing == UNKNOWN ? "" : " (sysctl dev.tty.legacy_tiocsti=0 forbids it)");
    }
}

void doctor_sandbox(doctor_say_fn say, const char *version)
{
    say_bwrap(say, version);
    say_kernel(say);
    say(GOOD, "tmpfs",
        "a confined bot may fill /tmp, /var/tmp and /dev/shm of its own: each %d MiB, "
        "or the limit 'memory'",
        (int)SANDBOX_FILES_MB);
    say_unconfined(say);
}
