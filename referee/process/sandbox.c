/* bwrap carries out its words in their order, and a later mount covers an earlier one: first the
 * system's own /proc, /dev and empty /tmp, then what the bot may see (view.c), which may lie
 * below /tmp, and last the remount of the whole as read-only. Whether all this works is tried
 * with a real start (sandbox_works), because what forbids namespaces differs from system to
 * system. */
#define _GNU_SOURCE /* realpath, pipe2 */
#include "sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "filter.h"
#include "view.h"

#define PRLIMIT "/usr/bin/prlimit" /* util-linux */

/* In a user namespace root has all capabilities and could remove the mounts that hide files; and in
 * /proc/sys root would write to the host's values. */
static const char *const first_words[] = {
    "bwrap",        "--unshare-all", "--new-session", "--die-with-parent",
    "--cap-drop",   "ALL",           "--proc",        "/proc",
    "--remount-ro", "/proc",         "--dev",         "/dev",
};

/* The keys of all processes of the user, and what only root may read of the kernel: a bot of root's
 * referee is that root. */
static const char *const kernel_files[] = {
    "/proc/keys", "/proc/key-users", "/proc/timer_list", "/proc/vmallocinfo", "/proc/slabinfo",
};

static const char *const last_words[] = {
    "--remount-ro", "/dev", "--setenv", "HOME", "/tmp", "--setenv", "TMPDIR", "/tmp",
};

static void add_all(struct words *words, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        words_add(words, list[i]);
    }
}

/* Covers each with a device that cannot be opened, so that reading fails. */
static void hide_kernel(struct words *words)
{
    for (size_t i = 0; i < sizeof kernel_files / sizeof kernel_files[0]; i++) {
        if (access(kernel_files[i], F_OK) == 0) {
            words_add(words, "--ro-bind");
            words_add_pair(words, "/dev/null", kernel_files[i]);
        }
    }
}

static void add_writable(struct words *words, const char *path, const char *size)
{
    words_add_pair(words, "--size", size);
    words_add_pair(words, "--tmpfs", path);
}

static void add_system(struct words *words, const struct sandbox *sandbox)
{
    char size[32];

    snprintf(size, sizeof size, "%" PRIu64,
             sandbox->memory_bytes > 0 ? sandbox->memory_bytes : (uint64_t)SANDBOX_FILES_MB << 20);
    add_all(words, first_words, sizeof first_words / sizeof first_words[0]);
    hide_kernel(words);
    add_writable(words, "/dev/shm", size);
    add_writable(words, "/tmp", size);
    add_writable(words, "/var/tmp", size);
    add_all(words, last_words, sizeof last_words / sizeof last_words[0]);
}

/* Limits a bot that forks without end. Set inside the sandbox, where only the bot's own processes
 * and threads are counted; the kernel does not count root's. */
static void add_limit(struct words *words)
{
    char flag[32];

    if (access(PRLIMIT, X_OK) == 0) {
        snprintf(flag, sizeof flag, "--nproc=%d", SANDBOX_PROCESSES_MAX);
        words_add_pair(words, PRLIMIT, flag);
    }
}

const char *sandbox_name(void)
{
    return filter_is_known() ? "bwrap+seccomp" : "bwrap";
}

/* Call after the hidden paths were added: none of them is below these. */
static void add_own(struct words *words, const struct sandbox *sandbox)
{
    for (size_t i = 0; i < sizeof sandbox->also / sizeof sandbox->also[0]; i++) {
        if (sandbox->also[i] != NULL) {
            words_add_three(words, "--ro-bind-try", sandbox->also[i], sandbox->also[i]);
        }
    }
    if (sandbox->folder != NULL) {
        words_add_three(words, "--bind", sandbox->folder, sandbox->folder);
    }
}

enum bg_status sandbox_wrap(struct sandbox_command *out, const struct sandbox *sandbox,
                            struct bg_error *err)
{
    struct words words;
    char dir[PATH_MAX], number[16];
    struct view view = {sandbox->words, dir, sandbox->endpoint, sandbox->hidden};
    enum bg_status status = BG_OK;
    int filter = -1;

    words_init(&words);
    if (realpath(sandbox->dir[0] == '\0' ? "." : sandbox->dir, dir) == NULL) {
        status = bg_error_set(err, BG_E_START, "folder %.200s: %s", sandbox->dir, strerror(errno));
        goto done;
    }
    if (filter_is_known()) {
        status = filter_open(&filter, err);
    }
    if (status != BG_OK) {
        goto done;
    }
    /* The bot's own /tmp comes first, so that paths bound below it stay visible. */
    add_system(&words, sandbox);
    status = view_add(&words, &view, err);
    add_own(&words, sandbox);
    if (filter >= 0) {
        snprintf(number, sizeof number, "%d", SANDBOX_FILTER_FD);
        words_add_pair(&words, "--seccomp", number);
    }
    words_add_pair(&words, "--remount-ro", "/");
    words_add_pair(&words, "--chdir", dir);
    words_add(&words, "--");
    add_limit(&words);
    for (int i = 0; sandbox->words[i] != NULL; i++) {
        words_add(&words, sandbox->words[i]);
    }
    if (status == BG_OK && words.full) {
        status = bg_error_set(err, BG_E_START, "sandbox: the command is too long");
    }
done:
    if (status == BG_OK) {
        *out = (struct sandbox_command){words.list, filter};
        words.list = NULL; /* now the caller's */
        filter = -1;
    }
    if (filter >= 0) {
        close(filter);
    }
    free(words.list);
    return status;
}

/* Runs in the child: its output goes to the pipe. */
static void run_test(const struct sandbox_command *command, int output)
{
    /* above the two descriptors that are set below */
    int filter = command->filter_fd < 0 ? -1 : fcntl(command->filter_fd, F_DUPFD, 10);

    dup2(output, 2);
    if (filter >= 0) {
        dup2(filter, SANDBOX_FILTER_FD);
    }
    execvp(command->words[0], command->words);
    dprintf(2, "no bwrap (apt install bubblewrap)\n");
    _exit(127);
}

/* Reads the first line: bwrap writes it piece by piece. */
static void read_line(char *line, size_t size, int fd)
{
    size_t used = 0;
    char *pages;
    ssize_t got;

    while (used < size - 1 && memchr(line, '\n', used) == NULL &&
           (got = read(fd, line + used, size - 1 - used)) > 0) {
        used += (size_t)got;
    }
    line[used] = '\0';
    line[strcspn(line, "\n")] = '\0';
    pages = strstr(line, ". See <"); /* Debian's bwrap names pages about it */
    if (pages != NULL) {
        *pages = '\0';
    }
}

bool sandbox_works(char *why, size_t size)
{
    char program[] = "true";
    char *const test[] = {program, NULL};
    struct sandbox_command command = {.words = NULL, .filter_fd = -1};
    struct bg_error err = {.text = ""};
    char text[200] = "";
    /* No such folder exists, so that nothing is covered: a file of /etc may be mounted from /tmp.
     */
    struct sandbox sandbox = {
        .words = test, .dir = "/", .endpoint = "ipc:///tmp/bgref-/bots", .hidden = ""};
    int ends[2], state = -1;
    pid_t pid;

    if (sandbox_wrap(&command, &sandbox, &err) != BG_OK || pipe2(ends, O_CLOEXEC) != 0) {
        snprintf(why, size, "%s", err.text[0] != '\0' ? err.text : "no pipe");
        goto done;
    }
    pid = fork();
    if (pid == 0) {
        run_test(&command, ends[1]);
    }
    close(ends[1]);
    read_line(text, sizeof text, ends[0]);
    close(ends[0]);
    if (pid < 0 || waitpid(pid, &state, 0) != pid) {
        state = -1;
    }
    snprintf(why, size, "%s", text);
done:
    if (command.filter_fd >= 0) {
        close(command.filter_fd);
    }
    free(command.words);
    return state == 0;
}
