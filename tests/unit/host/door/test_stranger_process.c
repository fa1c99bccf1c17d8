/* What a process of the door cannot do any more once it is confined. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/keyctl.h>
#include <linux/landlock.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "door/stranger_process.h"
#include "support/suite.h"

#ifdef __SANITIZE_ADDRESS__
enum { IS_TRACED = 1 }; /* the sanitizer traces the process, so it stays open */
#else
enum { IS_TRACED = 0 };
#endif

static int opens_a_file(void)
{
    return open("/etc/passwd", O_RDONLY | O_CLOEXEC) >= 0;
}

static int makes_a_file(void)
{
    return open("/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600) >= 0;
}

static int starts_a_program(void)
{
    execl("/bin/true", "true", (char *)NULL);
    return errno != EACCES;
}

static int dumps_its_memory(void)
{
    struct rlimit core;

    return prctl(PR_GET_DUMPABLE, 0, 0, 0, 0) != 0 || getrlimit(RLIMIT_CORE, &core) != 0 ||
           core.rlim_max != 0;
}

static int outlives_its_parent(void)
{
    int signal_number = 0;

    return prctl(PR_GET_PDEATHSIG, &signal_number, 0, 0, 0) != 0 || signal_number != SIGKILL;
}

static int gets_new_rights(void)
{
    return prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1;
}

/* One of the calls that the filter refuses (process/filter.h). */
static int reaches_keyrings(void)
{
    return syscall(SYS_keyctl, KEYCTL_GET_KEYRING_ID, KEY_SPEC_USER_KEYRING, 1) >= 0;
}

static const struct {
    const char *what;
    int (*can)(void);
    int needs_landlock;
} deeds[] = {
    {"opens a file", opens_a_file, 1},
    {"makes a file", makes_a_file, 1},
    {"starts a program", starts_a_program, 1},
    {"dumps its memory", dumps_its_memory, 0},
    {"outlives its parent", outlives_its_parent, 0},
    {"gets new rights", gets_new_rights, 0},
    {"reaches its user's keyring", reaches_keyrings, 0},
};

static int has_landlock(void)
{
    return syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION) > 0;
}

/* Returns what a child answers. */
static int in_a_child(int (*can)(void))
{
    int status = -1;
    pid_t child = fork();

    ck_assert_int_ge(child, 0);
    if (child == 0) {
        stranger_process_confine("bgref-test");
        _exit(can() ? 1 : 0);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFEXITED(status));
    return WEXITSTATUS(status);
}

TEST_ROWS(a_confined_process_cannot, deeds)
{
    if (!IS_TRACED && (!deeds[_i].needs_landlock || has_landlock())) {
        ck_assert_msg(!in_a_child(deeds[_i].can), "it %s", deeds[_i].what);
    }
}
