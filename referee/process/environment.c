/* Made before the fork, because the child may not allocate (launcher.c). A list of what passes,
 * not of what is held back: nobody knows the names of all secrets. LD_ and the runtimes'
 * prefixes pass, since a bot that finds another library than its author tested is another bot. Of
 * the cache folder the first variable that is set decides, also if its path is too long: to fall
 * back to the next one would split what a bot has computed over two folders. */
#define _GNU_SOURCE /* environ */
#include "environment.h"

#include <assert.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"

static const char *const env_names[] = {
    "PATH",         "HOME",          "USER",         "LOGNAME",
    "SHELL",        "LANG",          "LANGUAGE",     "TZ",
    "TMPDIR",       "TERM",          "VIRTUAL_ENV",  "JAVA_HOME",
    "ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS", "LLVM_PROFILE_FILE",
    "BGREF_CLIENT",
};
/* Where the desktop is, for a bot that is not confined: a seat opens a browser. */
static const char *const env_desktop[] = {"DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY",
                                          "XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS"};
static const char *const env_prefixes[] = {
    "LC_", "LD_", "PYTHON", "OMP_", "OPENBLAS_", "MKL_", "CUDA_", "HIP_", "ROCR_", "XDG_DATA_",
};

static bool is_among(const char *const *names, size_t count, const char *entry)
{
    for (size_t i = 0; i < count; i++) {
        size_t length = strcspn(entry, "=");

        if (strlen(names[i]) == length && strncmp(entry, names[i], length) == 0) {
            return true;
        }
    }
    return false;
}

static bool env_passes(const char *entry, bool confined)
{
    for (size_t i = 0; i < sizeof env_prefixes / sizeof env_prefixes[0]; i++) {
        if (strncmp(entry, env_prefixes[i], strlen(env_prefixes[i])) == 0) {
            return true;
        }
    }
    return is_among(env_names, sizeof env_names / sizeof env_names[0], entry) ||
           (!confined && is_among(env_desktop, sizeof env_desktop / sizeof env_desktop[0], entry));
}

void cache_find_folder(char *out, size_t size)
{
    static const struct {
        const char *variable, *below;
    } places[] = {{"BGREF_CACHE", ""}, {"XDG_CACHE_HOME", "/bgref"}, {"HOME", "/.cache/bgref"}};

    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        const char *folder = getenv(places[i].variable);

        if (folder != NULL && folder[0] == '/') { /* XDG: relative paths are ignored */
            if ((size_t)snprintf(out, size, "%s%s", folder, places[i].below) >= size) {
                out[0] = '\0';
            }
            return;
        }
    }
    out[0] = '\0';
}

void environment_init(struct environment *env, const struct launch *launch)
{
    size_t count = 0;
    size_t kept = 0;
    int own = 0;
    char terminal[256], cache[560];

    while (environ != NULL && environ[count] != NULL) {
        count++;
    }
    env->vector = memory_zeroed(count + ENVIRONMENT_OWN + 1, sizeof *env->vector);
    for (size_t i = 0; i < count; i++) {
        if (env_passes(environ[i], launch->confined)) {
            env->vector[kept++] = environ[i];
        }
    }
    snprintf(env->own[own++], sizeof env->own[0], "BGREF_ENDPOINT=%s", launch->endpoint);
    snprintf(env->own[own++], sizeof env->own[0], "BGREF_TOKEN=%s", launch->token);
    snprintf(env->own[own++], sizeof env->own[0], "BGREF_BOT=%s", launch->bot);
    snprintf(env->own[own++], sizeof env->own[0], "BGREF_SLOT=%d", launch->slot);
    snprintf(env->own[own++], sizeof env->own[0], "ARENA_SLOT=%d", launch->slot);
    cache_find_folder(cache, sizeof cache);
    if (cache[0] != '\0') {
        snprintf(env->own[own++], sizeof env->own[0], "BGREF_CACHE=%s", cache);
    }
    if (!launch->confined && ttyname_r(STDIN_FILENO, terminal, sizeof terminal) == 0) {
        snprintf(env->own[own++], sizeof env->own[0], "BGREF_TERMINAL=%s", terminal);
    }
    assert(own <= ENVIRONMENT_OWN);
    for (int i = 0; i < own; i++) {
        env->vector[kept++] = env->own[i];
    }
}

void environment_deinit(struct environment *env)
{
    free(env->vector);
    env->vector = NULL;
}
