#define _GNU_SOURCE /* realpath, pipe2 */
#include "sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WORDS_MAX = 512, TEXT = 96 * 1024 };

#define PRLIMIT   "/usr/bin/prlimit" /* util-linux */
#define PROCESSES "512"              /* and threads: enough for every engine, and for no bomb */

/* The system as every bot sees it; an own /tmp comes first, so that what is bound below it stays.
 * Debian's gnubg computes its two-sided bear-off table when it is installed, into /var/lib: without
 * it, it plays and judges the ends of races a little differently. */
static const char *const system_words[] = {
    "bwrap",         "--unshare-all",  "--die-with-parent",
    "--ro-bind",     "/usr",           "/usr",
    "--ro-bind",     "/etc",           "/etc",
    "--ro-bind-try", "/var/lib/gnubg", "/var/lib/gnubg",
    "--proc",        "/proc",          "--dev",
    "/dev",          "--tmpfs",        "/tmp",
    "--tmpfs",       "/var/tmp",       "--setenv",
    "HOME",          "/tmp",           "--setenv",
    "TMPDIR",        "/tmp",
};
static const char *const system_folders[] = {"/bin", "/sbin", "/lib", "/lib32", "/lib64"};

/* A list of words in one block that grows up to fixed ends. */
struct list {
    char **words; /* WORDS_MAX + 1 of them, then TEXT bytes */
    char *text;
    size_t count, used;
    bool full;
};

static char *add(struct list *list, const char *word)
{
    size_t size = strlen(word) + 1;
    char *copy = list->text + list->used;

    if (list->count == WORDS_MAX || list->used + size > TEXT) {
        list->full = true;
        return NULL;
    }
    memcpy(copy, word, size);
    list->used += size;
    list->words[list->count++] = copy;
    list->words[list->count] = NULL;
    return copy;
}

static void add_three(struct list *list, const char *flag, const char *from, const char *to)
{
    add(list, flag);
    add(list, from);
    add(list, to);
}

static void add_system(struct list *list)
{
    for (size_t i = 0; i < sizeof system_words / sizeof system_words[0]; i++) {
        add(list, system_words[i]);
    }
    for (size_t i = 0; i < sizeof system_folders / sizeof system_folders[0]; i++) {
        char target[PATH_MAX];
        ssize_t size = readlink(system_folders[i], target, sizeof target - 1);

        if (size > 0) {
            target[size] = '\0';
            add_three(list, "--symlink", target, system_folders[i]);
        } else if (access(system_folders[i], X_OK) == 0) {
            add_three(list, "--ro-bind", system_folders[i], system_folders[i]);
        }
    }
}

/* True when path is folder or lies below it. */
static bool is_in(const char *path, const char *folder)
{
    size_t length = strlen(folder);

    return strncmp(path, folder, length) == 0 && (path[length] == '\0' || path[length] == '/');
}

static bool is_system(const char *path)
{
    static const char *const folders[] = {"/usr",   "/etc",   "/bin",  "/sbin", "/lib",
                                          "/lib32", "/lib64", "/proc", "/dev",  "/sys"};

    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        if (is_in(path, folders[i])) {
            return true;
        }
    }
    return strcmp(path, "/") == 0;
}

/* The real folder of the file that a word of the command names; false: it names none, or one that
 * every bot sees. */
static bool folder_of(char out[PATH_MAX], const char *word, const char *dir)
{
    char path[PATH_MAX];
    struct stat about;
    char *slash;

    if ((size_t)snprintf(path, sizeof path, "%s%s%s", word[0] == '/' ? "" : dir,
                         word[0] == '/' ? "" : "/", word) >= sizeof path ||
        realpath(path, out) == NULL || stat(out, &about) != 0) {
        return false;
    }
    if (!S_ISDIR(about.st_mode)) {
        slash = strrchr(out, '/');
        *(slash == out ? slash + 1 : slash) = '\0';
    }
    return !is_system(out);
}

/* Binds the folders that the bot needs; then hides the results where they lie inside one. */
static enum bg_status add_folders(struct list *list, const struct sandbox *sandbox, const char *dir,
                                  struct bg_error *err)
{
    char hidden[PATH_MAX] = "", folder[PATH_MAX];

    if (sandbox->hidden[0] != '\0' && realpath(sandbox->hidden, hidden) == NULL) {
        hidden[0] = '\0';
    }
    add(list, "--dir");
    add(list, dir);
    for (int i = 0; sandbox->words[i] != NULL; i++) {
        /* The program is looked for in PATH when its name has no slash. */
        if ((i == 0 && strchr(sandbox->words[i], '/') == NULL) ||
            !folder_of(folder, sandbox->words[i], dir)) {
            continue;
        }
        if (hidden[0] != '\0' && is_in(folder, hidden)) {
            return bg_error_set(err, BG_E_START,
                                "sandbox: %.150s lies in the folder of the results, %.150s; put "
                                "the results elsewhere (--results)",
                                sandbox->words[i], hidden);
        }
        add_three(list, "--ro-bind", folder, folder);
        if (sandbox->words[i][0] == '/' && strstr(sandbox->words[i], "/../") == NULL) {
            char given[PATH_MAX]; /* which may lead there by a link */

            snprintf(given, sizeof given, "%.*s",
                     (int)(strrchr(sandbox->words[i], '/') - sandbox->words[i]), sandbox->words[i]);
            if (given[0] != '\0' && !is_system(given) && strcmp(given, folder) != 0) {
                add_three(list, "--ro-bind", folder, given);
            }
        }
        if (hidden[0] != '\0' && is_in(hidden, folder)) {
            add(list, "--tmpfs");
            add(list, hidden);
        }
    }
    return BG_OK;
}

/* Holds a bot that forks without end. Set inside, where only the bot's own processes and threads
 * are counted; the kernel counts none of root's. */
static void add_limit(struct list *list)
{
    if (access(PRLIMIT, X_OK) == 0) {
        add(list, PRLIMIT);
        add(list, "--nproc=" PROCESSES);
    }
}

enum bg_status sandbox_wrap(char ***out, const struct sandbox *sandbox, struct bg_error *err)
{
    char **block = calloc(1, (WORDS_MAX + 1) * sizeof *block + TEXT);
    struct list list = {.words = block};
    char dir[PATH_MAX], folder[PATH_MAX];
    const char *path = sandbox->endpoint + strlen("ipc://");
    enum bg_status status;

    if (block == NULL) {
        return bg_error_set(err, BG_E_MEMORY, "sandbox");
    }
    list.text = (char *)(block + WORDS_MAX + 1);
    if (realpath(sandbox->dir[0] == '\0' ? "." : sandbox->dir, dir) == NULL) {
        status = bg_error_set(err, BG_E_START, "folder %.200s: %s", sandbox->dir, strerror(errno));
        goto done;
    }
    add_system(&list);
    status = add_folders(&list, sandbox, dir, err);
    snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(path, '/') - path), path);
    add_three(&list, "--ro-bind", folder, folder);
    add(&list, "--chdir");
    add(&list, dir);
    add(&list, "--");
    add_limit(&list);
    for (int i = 0; sandbox->words[i] != NULL; i++) {
        add(&list, sandbox->words[i]);
    }
    if (status == BG_OK && list.full) {
        status = bg_error_set(err, BG_E_START, "sandbox: the command is too long");
    }
done:
    if (status == BG_OK) {
        *out = block;
        block = NULL;
    }
    free(block);
    return status;
}

bool sandbox_works(char *why, size_t size)
{
    char program[] = "true";
    char *const test[] = {program, NULL};
    char **words = NULL;
    char text[200] = "";
    struct sandbox sandbox = {.words = test, .dir = "/", .endpoint = "ipc:///tmp/x", .hidden = ""};
    int ends[2], state = -1;
    ssize_t got;
    pid_t pid;

    if (sandbox_wrap(&words, &sandbox, NULL) != BG_OK || pipe2(ends, O_CLOEXEC) != 0) {
        free(words);
        snprintf(why, size, "no memory or no pipe");
        return false;
    }
    pid = fork();
    if (pid == 0) {
        dup2(ends[1], 2);
        execvp(words[0], words);
        dprintf(2, "no bwrap (apt install bubblewrap)\n");
        _exit(127);
    }
    close(ends[1]);
    got = read(ends[0], text, sizeof text - 1);
    close(ends[0]);
    free(words);
    if (pid < 0 || waitpid(pid, &state, 0) != pid) {
        state = -1;
    }
    text[got > 0 ? strcspn(text, "\n") : 0] = '\0';
    snprintf(why, size, "%s", text);
    return state == 0;
}
