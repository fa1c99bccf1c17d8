#define _DEFAULT_SOURCE /* mkdtemp */
#include "scratch_store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[40];
static pid_t owner;

static void remove_folder(void)
{
    char command[64];

    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    if (getpid() == owner && system(command) != 0) {
        fprintf(stderr, "%s is left\n", folder);
    }
}

/* libcheck forks for each test: a child makes a folder of its own. In memory, if possible, because
 * every commit is synced. */
static void make_folder(void)
{
    owner = getpid();
    strcpy(folder, "/dev/shm/bgref-test-XXXXXX");
    if (mkdtemp(folder) == NULL) {
        strcpy(folder, "/tmp/bgref-test-XXXXXX");
        if (mkdtemp(folder) == NULL) {
            abort();
        }
    }
    atexit(remove_folder);
}

void scratch_path(char out[SCRATCH_PATH])
{
    static unsigned count;

    if (owner != getpid()) {
        make_folder();
    }
    snprintf(out, SCRATCH_PATH, "%s/%u.db", folder, count++);
}

struct store *scratch_store_create(void)
{
    struct store *store = NULL;
    struct bg_error err = {0};
    char path[SCRATCH_PATH];

    scratch_path(path);
    if (store_sqlite_open(&store, path, &err) != BG_OK) {
        fprintf(stderr, "%s\n", err.text);
        abort();
    }
    return store;
}
