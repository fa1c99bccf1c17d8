/* kill_at.c - kills the program that it is loaded into (LD_PRELOAD) with SIGKILL before the step
 * that BGREF_KILL_AT names: "37" is the 37th step, counted from 1, "unlink:2" the second unlink.
 * Steps are the calls that change files: pwrite64 (with which SQLite writes its log), fsync,
 * fdatasync, rename and unlink. Child programs are not killed. "0": nothing is killed, and at the
 * program's end the number of steps is written to the file BGREF_KILL_COUNT. With BGREF_KILL_FULL
 * the step does not kill: from there on every pwrite64 fails as on a full disk.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static pid_t own;
static const char *name = ""; /* of the step; "": any */
static size_t name_size;
static long number;
static atomic_long steps, named;
static const char *count;
static bool fills;
static atomic_bool is_full;

__attribute__((constructor)) static void begin(void)
{
    const char *text = getenv("BGREF_KILL_AT");

    own = getpid();
    if (text != NULL) {
        const char *colon = strchr(text, ':'); /* pwrite64 has a number in its name */

        name = text;
        name_size = colon == NULL ? 0 : (size_t)(colon + 1 - text);
        number = atol(text + name_size);
    }
    count = getenv("BGREF_KILL_COUNT");
    fills = getenv("BGREF_KILL_FULL") != NULL;
    unsetenv("LD_PRELOAD");
}

__attribute__((destructor)) static void end(void)
{
    FILE *file = count == NULL || getpid() != own ? NULL : fopen(count, "w");

    if (file != NULL) {
        fprintf(file, "%ld\n", atomic_load(&steps));
        fclose(file);
    }
}

static void step(const char *of)
{
    long done;

    if (getpid() != own) {
        return;
    }
    done = atomic_fetch_add(&steps, 1);
    if (name_size > 0) {
        if (name_size != strlen(of) + 1 || strncmp(name, of, name_size - 1) != 0) {
            return;
        }
        done = atomic_fetch_add(&named, 1);
    }
    if (done + 1 == number && fills) {
        atomic_store(&is_full, true);
    } else if (done + 1 == number) {
        kill(own, SIGKILL);
    }
}

/* The real function, as a pointer to functions without a type. */
static void (*real(const char *of))(void)
{
    void *symbol = dlsym(RTLD_NEXT, of);
    void (*function)(void);

    memcpy(&function, &symbol, sizeof function);
    return function;
}

int fsync(int fd)
{
    step("fsync");
    return ((int (*)(int))real("fsync"))(fd);
}

int fdatasync(int fd)
{
    step("fdatasync");
    return ((int (*)(int))real("fdatasync"))(fd);
}

ssize_t pwrite64(int fd, const void *bytes, size_t size, off64_t at)
{
    step("pwrite64");
    if (atomic_load(&is_full) && getpid() == own) {
        errno = ENOSPC;
        return -1;
    }
    return ((ssize_t(*)(int, const void *, size_t, off64_t))real("pwrite64"))(fd, bytes, size, at);
}

int rename(const char *from, const char *to)
{
    step("rename");
    return ((int (*)(const char *, const char *))real("rename"))(from, to);
}

int unlink(const char *path)
{
    step("unlink");
    return ((int (*)(const char *))real("unlink"))(path);
}
