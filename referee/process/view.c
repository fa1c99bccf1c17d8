/* What a bot sees is listed, not what it must not see; only inside of a listed folder the
 * secrets are covered. A cover is an empty tmpfs or /dev/null over the path, and every path by
 * which the secret can be reached gets one (mounts.c). Where covering is not enough (a hard
 * link, a program inside the results' folder) the start is refused. */
#define _GNU_SOURCE /* realpath */
#include "view.h"

#include <glob.h>
#include <limits.h>
#include <pwd.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "environment.h"
#include "mounts.h"
#include "base/plain_file.h"

enum { SECRETS = 4, COVERS_MAX = 64 };

/* The file that is hidden from every bot of this process: view_hide. */
static char hidden_file[PATH_MAX];

/* ------------------------------------------------------------------ words */

/* The block never grows, so a pointer to a word stays good while others are added, and the list can
 * be handed to exec as it is. Sticking out of it is noted (full) and asked for once at the end, not
 * after each word. */
void words_init(struct words *words)
{
    char **block = memory_zeroed(1, (WORDS_MAX + 1) * sizeof *block + WORDS_BYTES);

    *words = (struct words){.list = block, .text = (char *)(block + WORDS_MAX + 1)};
}

void words_add(struct words *words, const char *word)
{
    size_t size = strlen(word) + 1;
    char *copy = words->text + words->used;

    if (words->count == WORDS_MAX || words->used + size > WORDS_BYTES) {
        words->full = true;
        return;
    }
    memcpy(copy, word, size);
    words->used += size;
    words->list[words->count++] = copy;
    words->list[words->count] = NULL;
}

void words_add_pair(struct words *words, const char *flag, const char *value)
{
    words_add(words, flag);
    words_add(words, value);
}

void words_add_three(struct words *words, const char *flag, const char *from, const char *to)
{
    words_add(words, flag);
    words_add(words, from);
    words_add(words, to);
}

/* ------------------------------------------------------------------ the system */

/* Folders that every bot sees. Debian's gnubg computes its two-sided bear-off table at installation
 * into /var/lib: without it gnubg plays and judges the ends of races slightly differently. */
static const char *const system_folders[] = {"/usr", "/var/lib/gnubg"};
static const char *const system_links[] = {"/bin", "/sbin", "/lib", "/lib32", "/lib64"};

/* The parts of /etc that runtimes need. Not all of it: a referee started by root could show bots
 * the host's passwords. */
static const char *const system_settings[] = {
    "/etc/ld.so.*",
    "/etc/alternatives",
    "/etc/passwd",
    "/etc/group",
    "/etc/nsswitch.conf",
    "/etc/host.conf",
    "/etc/hosts",
    "/etc/hostname",
    "/etc/gai.conf",
    "/etc/networks",
    "/etc/protocols",
    "/etc/services",
    "/etc/localtime",
    "/etc/timezone",
    "/etc/locale.*",
    "/etc/os-release",
    "/etc/*-release",
    "/etc/debian_version",
    "/etc/profile",
    "/etc/profile.d",
    "/etc/bash*",
    "/etc/inputrc",
    "/etc/shells",
    "/etc/terminfo",
    "/etc/magic*",
    "/etc/mime.types",
    "/etc/fonts",
    "/etc/glvnd",
    "/etc/vulkan",
    "/etc/OpenCL",
    "/etc/python*",
    "/etc/perl",
    "/etc/java*",
    "/etc/mono",
    "/etc/R",
    "/etc/ruby*",
    "/etc/php*",
    "/etc/lua*",
    "/etc/ghc*",
    "/etc/sbclrc",
    "/etc/common-lisp",
    "/etc/ssl/certs",
    "/etc/ssl/openssl.cnf",
};

struct builder {
    struct words *out;
    const struct view *view;
    struct mounts *mounts;
    char secrets[SECRETS][PATH_MAX]; /* real paths of folders, and of one file; "" none */
    struct bg_error *err;
    enum bg_status status;
    /* for the folder that is being added */
    char covers[COVERS_MAX][PATH_MAX];
    size_t cover_count;
};

static void refuse(struct builder *builder, const char *format, ...) BG_PRINTF(2, 3);

static void refuse(struct builder *builder, const char *format, ...)
{
    char text[sizeof builder->err->text];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (builder->status == BG_OK) {
        builder->status = bg_error_set(builder->err, BG_E_START, "sandbox: %s", text);
    }
}

/* ---- hidden files ---- */

static void add_secret(struct builder *builder, int i, const char *path)
{
    char folder[PATH_MAX];

    plain_folder_of(folder, path);
    if (realpath(folder, builder->secrets[i]) == NULL) {
        builder->secrets[i][0] = '\0';
    }
}

/* Refuses hard links: a hard link shows the file in another folder, which cannot be found from this
 * one. */
static void check_names(struct builder *builder, const char *results)
{
    static const char *const endings[] = {"", ".key", "-wal", "-shm", "-journal"};

    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        char path[PATH_MAX];
        struct stat about;

        snprintf(path, sizeof path, "%s%s", results, endings[i]);
        if (stat(path, &about) == 0 && S_ISREG(about.st_mode) && about.st_nlink > 1) {
            refuse(builder,
                   "%.300s has a second name (a hard link), by which a bot could read "
                   "it; remove the second name",
                   path);
        }
    }
}

static bool is_referees(const char *folder)
{
    const char *slash = strrchr(folder, '/');

    return slash != NULL && strncmp(slash, "/bgref-", strlen("/bgref-")) == 0;
}

/* Finds the folder of the referee's sockets (bgref-XXXXXX), where each socket may have its own
 * folder. */
static void add_sockets(struct builder *builder, int i)
{
    const char *socket = builder->view->endpoint + strlen("ipc://");
    char folder[PATH_MAX], above[PATH_MAX];

    plain_folder_of(folder, socket);
    plain_folder_of(above, folder);
    add_secret(builder, i, !is_referees(folder) && is_referees(above) ? folder : socket);
}

static void find_secrets(struct builder *builder)
{
    const char *results = builder->view->hidden;
    char real[PATH_MAX];

    if (results[0] != '\0') {
        add_secret(builder, 0, results);
        if (realpath(results, real) != NULL) {
            add_secret(builder, 1, real);
            check_names(builder, real);
        }
        check_names(builder, results);
        if (hidden_file[0] != '\0') {
            check_names(builder, hidden_file);
        }
    }
    add_sockets(builder, 2);
    memcpy(builder->secrets[3], hidden_file, sizeof hidden_file);
}

static void on_seen(void *user, const char *path)
{
    struct builder *builder = user;

    for (size_t i = 0; i < builder->cover_count; i++) {
        if (is_below(path, builder->covers[i])) {
            return;
        }
    }
    if (builder->cover_count == COVERS_MAX) {
        refuse(builder,
               "the results are visible under too many paths, also %.300s; put them elsewhere "
               "(--results)",
               path);
        return;
    }
    snprintf(builder->covers[builder->cover_count++], PATH_MAX, "%s", path);
}

/* Shows the files at `real` as `target`, with every secret in them covered. why: the purpose, for
 * messages. */
static void show_path(struct builder *builder, const char *real, const char *target,
                      const char *why)
{
    builder->cover_count = 0;
    for (int i = 0; i < SECRETS; i++) {
        if (builder->secrets[i][0] != '\0') {
            mounts_find(builder->mounts, builder->secrets[i], real, on_seen, builder);
        }
    }
    words_add_three(builder->out, "--ro-bind", real, target);
    for (size_t i = 0; i < builder->cover_count; i++) {
        const char *cover = builder->covers[i];
        char path[2 * PATH_MAX];
        struct stat about;

        if (strcmp(cover, real) == 0) {
            refuse(builder,
                   "%.200s is inside the folder of the results or of the referee's sockets, "
                   "%.200s; put the results elsewhere (--results)",
                   why, cover);
            return;
        }
        snprintf(path, sizeof path, "%s%s", target, cover + strlen(real));
        if (stat(cover, &about) == 0 && !S_ISDIR(about.st_mode)) {
            words_add_three(builder->out, "--ro-bind", "/dev/null", path);
        } else {
            words_add_pair(builder->out, "--size", "4096");
            words_add_pair(builder->out, "--tmpfs", path);
        }
    }
}

/* ---- the system ---- */

static void show_system(struct builder *builder)
{
    for (size_t i = 0; i < sizeof system_folders / sizeof system_folders[0]; i++) {
        if (access(system_folders[i], X_OK) == 0) {
            show_path(builder, system_folders[i], system_folders[i], system_folders[i]);
        }
    }
    for (size_t i = 0; i < sizeof system_links / sizeof system_links[0]; i++) {
        char target[PATH_MAX];
        ssize_t size = readlink(system_links[i], target, sizeof target - 1);

        if (size > 0) {
            target[size] = '\0';
            words_add_three(builder->out, "--symlink", target, system_links[i]);
        } else if (access(system_links[i], X_OK) == 0) {
            show_path(builder, system_links[i], system_links[i], system_links[i]);
        }
    }
    for (size_t i = 0; i < sizeof system_settings / sizeof system_settings[0]; i++) {
        glob_t found;

        if (glob(system_settings[i], 0, NULL, &found) == 0) {
            for (size_t k = 0; k < found.gl_pathc; k++) {
                const char *path = found.gl_pathv[k];
                char real[PATH_MAX];

                if (realpath(path, real) != NULL) {
                    show_path(builder, real, path, path);
                }
            }
        }
        globfree(&found);
    }
}

static bool is_system(const char *path)
{
    static const char *const folders[] = {"/usr",   "/etc",   "/bin",  "/sbin", "/lib",
                                          "/lib32", "/lib64", "/proc", "/dev",  "/sys"};

    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        if (is_below(path, folders[i])) {
            return true;
        }
    }
    return strcmp(path, "/") == 0;
}

/* ---- the bot's own ---- */

static bool is_parent(const char *folder, const char *of)
{
    char real[PATH_MAX];

    return of != NULL && of[0] == '/' && realpath(of, real) != NULL && is_below(real, folder);
}

/* Returns true for a folder with other files than the bot's: a home folder, one above it, or a
 * shared one. */
static bool is_common(const char *folder)
{
    static const char *const shared[] = {"/tmp", "/var/tmp", "/dev/shm", "/home", "/root",
                                         "/run", "/opt",     "/srv",     "/mnt",  "/media"};
    const struct passwd *user = getpwuid(getuid());
    char above[PATH_MAX];

    for (size_t i = 0; i < sizeof shared / sizeof shared[0]; i++) {
        if (is_below(shared[i], folder)) {
            return true;
        }
    }
    plain_folder_of(above, folder);
    return strcmp(above, "/home") == 0 || strcmp(above, "/run/user") == 0 ||
           is_parent(folder, getenv("HOME")) || (user != NULL && is_parent(folder, user->pw_dir));
}

/* Shows what bots have computed once (environment.h). Not if it is inside a folder that must not be
 * seen: a bot that needs it says so then. */
static void show_cache(struct builder *builder)
{
    char folder[PATH_MAX], real[PATH_MAX];

    cache_find_folder(folder, sizeof folder);
    if (folder[0] == '\0' || realpath(folder, real) == NULL || is_common(real)) {
        return;
    }
    for (int i = 0; i < SECRETS; i++) {
        if (builder->secrets[i][0] != '\0' && is_below(real, builder->secrets[i])) {
            return;
        }
    }
    show_path(builder, real, folder, folder);
}

/* Finds the path by which the command names the file or folder, if a link leads there; "" if it is
 * the real path, or if the bot sees it anyway. */
static void find_alias(char out[PATH_MAX], const char *path, const char *real, bool whole_folder)
{
    char given[PATH_MAX], check[PATH_MAX];

    out[0] = '\0';
    if (whole_folder) {
        plain_folder_of(given, path);
    } else {
        snprintf(given, sizeof given, "%s", path);
    }
    if (strstr(path, "/../") == NULL && strcmp(given, real) != 0 && !is_system(given) &&
        realpath(given, check) != NULL && strcmp(check, real) == 0) {
        memcpy(out, given, strlen(given) + 1);
    }
}

/* Shows the folder that a word of the command names, or the file with its folder. */
static void show_word(struct builder *builder, const char *word)
{
    char path[2 * PATH_MAX], real[PATH_MAX], folder[PATH_MAX], alias[PATH_MAX];
    struct stat about;
    bool whole;

    if ((size_t)snprintf(path, sizeof path, "%s%s%s", word[0] == '/' ? "" : builder->view->dir,
                         word[0] == '/' ? "" : "/", word) >= PATH_MAX ||
        realpath(path, real) == NULL || stat(real, &about) != 0) {
        return;
    }
    if (S_ISDIR(about.st_mode)) {
        memcpy(folder, real, strlen(real) + 1);
    } else {
        plain_folder_of(folder, real);
    }
    whole = !is_common(folder);
    if (is_system(folder) || (!whole && S_ISDIR(about.st_mode))) {
        return; /* /usr is visible anyway, and other such files must not be shown */
    }
    show_path(builder, whole ? folder : real, whole ? folder : real, word);
    find_alias(alias, path, whole ? folder : real, whole && !S_ISDIR(about.st_mode));
    if (alias[0] != '\0' && word[0] == '/') {
        show_path(builder, whole ? folder : real, alias, word);
    }
}

void view_hide(const char *path)
{
    if (realpath(path, hidden_file) == NULL) {
        hidden_file[0] = '\0';
    }
}

enum bg_status view_add(struct words *out, const struct view *view, struct bg_error *err)
{
    struct builder *builder = memory_zeroed(1, sizeof *builder);
    const char *socket = view->endpoint + strlen("ipc://");
    enum bg_status status;

    builder->out = out;
    builder->view = view;
    builder->err = err;
    builder->status = mounts_read(&builder->mounts, err);
    if (builder->status == BG_OK) {
        find_secrets(builder);
        show_system(builder);
        show_cache(builder);
        words_add_pair(out, "--dir", view->dir);
        for (int i = 0; view->words[i] != NULL; i++) {
            /* A program without a slash in its name is found by PATH. */
            if (i > 0 || strchr(view->words[i], '/') != NULL) {
                show_word(builder, view->words[i]);
            }
        }
        /* Shows its own socket, not the folder with other bots' sockets. */
        words_add_three(out, "--ro-bind-try", socket, socket);
    }
    status = builder->status;
    mounts_free(builder->mounts);
    free(builder);
    return status;
}
