/* sigabbrev_np() and closefrom() would do, but came with glibc 2.32 and 2.34, and other C
 * libraries lack them. The names are those of signals that end processes. */
#define _GNU_SOURCE /* syscall */
#include "portable.h"

#include <signal.h>
#include <stddef.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MOST_DESCRIPTORS = 65536 }; /* closed one by one */

const char *signal_name(int number)
{
    static const char *const names[] = {
        [SIGHUP] = "HUP",       [SIGINT] = "INT",   [SIGQUIT] = "QUIT",   [SIGILL] = "ILL",
        [SIGTRAP] = "TRAP",     [SIGABRT] = "ABRT", [SIGBUS] = "BUS",     [SIGFPE] = "FPE",
        [SIGKILL] = "KILL",     [SIGUSR1] = "USR1", [SIGSEGV] = "SEGV",   [SIGUSR2] = "USR2",
        [SIGPIPE] = "PIPE",     [SIGALRM] = "ALRM", [SIGTERM] = "TERM",   [SIGCHLD] = "CHLD",
        [SIGCONT] = "CONT",     [SIGSTOP] = "STOP", [SIGTSTP] = "TSTP",   [SIGTTIN] = "TTIN",
        [SIGTTOU] = "TTOU",     [SIGURG] = "URG",   [SIGXCPU] = "XCPU",   [SIGXFSZ] = "XFSZ",
        [SIGVTALRM] = "VTALRM", [SIGPROF] = "PROF", [SIGWINCH] = "WINCH", [SIGPOLL] = "POLL",
        [SIGPWR] = "PWR",       [SIGSYS] = "SYS",
#ifdef SIGSTKFLT
        [SIGSTKFLT] = "STKFLT",
#endif
    };
    size_t count = sizeof names / sizeof names[0];

    return number > 0 && (size_t)number < count && names[number] != NULL ? names[number] : "?";
}

/* Linux 5.9 knows the call; a filter may refuse it. */
void close_descriptors_from(int first)
{
    struct rlimit limit;

#ifdef SYS_close_range
    if (syscall(SYS_close_range, (unsigned)first, ~0U, 0U) == 0) {
        return;
    }
#endif
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur > MOST_DESCRIPTORS) {
        limit.rlim_cur = MOST_DESCRIPTORS;
    }
    for (int fd = first; fd < (int)limit.rlim_cur; fd++) {
        close(fd);
    }
}
