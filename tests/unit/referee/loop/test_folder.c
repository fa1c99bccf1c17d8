/* The folder of the sockets: unpredictable names, nothing left behind even if bots put files there,
 * and no foreign files removed. */
#define _GNU_SOURCE
#include "loop/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "loop/removal.h"
#include "support/suite.h"

enum { DEEP = 100, PATH = 256 };

static char base[64];
static struct folder folder;

static void set_up(void)
{
    strcpy(base, "/tmp/bgref-folder-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(base));
    setenv("TMPDIR", base, 1);
    unsetenv("XDG_RUNTIME_DIR");
}

static void tear_down(void)
{
    ck_assert(removal_folder(base));
}

/* A hundred of these are longer than a path may be. */
static const char deep[] = "a-folder-whose-name-is-long-enough-that-a-hundred-make-no-path";

static const char *in(const char *where, const char *name)
{
    static char paths[2][2 * PATH]; /* the last two are alive */
    static int turn;
    char *path = paths[turn++ % 2];

    snprintf(path, sizeof paths[0], "%s/%s", where, name);
    return path;
}

static void make_file(const char *path)
{
    int fd = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);

    ck_assert_int_ge(fd, 0);
    close(fd);
}

static bool is_there(const char *path)
{
    struct stat about;

    return lstat(path, &about) == 0;
}

/* Files, a pipe, links to a file and a folder outside, a folder without access rights, and nested
 * folders deeper than a path can name. */
static void litter(const char *where, const char *outside)
{
    int at;

    make_file(in(where, "file"));
    make_file(in(where, ".hidden"));
    ck_assert_int_eq(mkfifo(in(where, "pipe"), 0600), 0);
    ck_assert_int_eq(symlink(outside, in(where, "folder-link")), 0);
    ck_assert_int_eq(symlink(in(outside, "kept"), in(where, "file-link")), 0);
    ck_assert_int_eq(mkdir(in(where, "shut"), 0700), 0);
    make_file(in(where, "shut/within"));
    ck_assert_int_eq(symlink(outside, in(where, "shut/link")), 0);
    ck_assert_int_eq(chmod(in(where, "shut"), 0), 0);
    at = open(where, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    for (int i = 0; i < DEEP; i++) {
        int next;

        ck_assert_int_eq(mkdirat(at, deep, 0700), 0);
        next = openat(at, deep, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        close(at);
        at = next;
    }
    close(at);
}

TEST(files_left_by_bots_are_removed_with_the_folder)
{
    char outside[PATH], door[PATH], endpoint[LINK_ENDPOINT], second[LINK_ENDPOINT];

    snprintf(outside, sizeof outside, "%s", in(base, "outside"));
    ck_assert_int_eq(mkdir(outside, 0700), 0);
    make_file(in(outside, "kept"));
    assert_ok(folder_open(&folder, &error));
    assert_ok(folder_door(endpoint, &folder, &error));
    assert_ok(folder_door(second, &folder, &error));
    snprintf(door, sizeof door, "%s", folder_path_of(endpoint));
    *strrchr(door, '/') = '\0';
    litter(door, outside);
    litter(folder.path, outside);
    folder_remove_door(second); /* a full one goes with the whole folder */
    *strrchr(second, '/') = '\0';
    ck_assert(!is_there(folder_path_of(second)));
    folder_remove_door(endpoint);
    ck_assert(is_there(door));
    snprintf(door, sizeof door, "%s", folder.path);
    folder_close(&folder);
    ck_assert(!is_there(door));
    ck_assert(is_there(in(outside, "kept")));
}

TEST(door_names_are_not_sequential)
{
    enum { DOORS = 20 };
    char endpoint[DOORS][LINK_ENDPOINT];

    assert_ok(folder_open(&folder, &error));
    for (int i = 0; i < DOORS; i++) {
        const char *name;

        assert_ok(folder_door(endpoint[i], &folder, &error));
        name = folder_path_of(endpoint[i]) + strlen(folder.path);
        ck_assert_uint_eq(strlen(name), strlen("/XXXXXX/bot"));
        for (int k = 0; k < i; k++) { /* 62^6 names: neighbours differ in more than one letter */
            const char *other = folder_path_of(endpoint[k]) + strlen(folder.path);
            int differ = 0;

            for (int c = 1; c <= 6; c++) {
                differ += name[c] != other[c];
            }
            ck_assert_int_gt(differ, 1);
        }
    }
    folder_close(&folder);
}

/* A killed referee: a child process here that left its folder an hour ago. */
static void leave_folder(char path[PATH])
{
    const struct timespec hour_ago[2] = {{.tv_sec = 0, .tv_nsec = UTIME_OMIT},
                                         {.tv_sec = time(NULL) - 3600}};
    char endpoint[LINK_ENDPOINT];
    int pipes[2];
    pid_t pid;

    ck_assert_int_eq(pipe(pipes), 0);
    pid = fork();
    if (pid == 0) {
        if (folder_open(&folder, &error) != BG_OK ||
            folder_door(endpoint, &folder, &error) != BG_OK) {
            _exit(1);
        }
        *strrchr(endpoint, '/') = '\0';
        make_file(in(folder_path_of(endpoint), "of-a-bot"));
        _exit(write(pipes[1], folder.path, strlen(folder.path) + 1) < 0);
    }
    ck_assert_int_gt(read(pipes[0], path, PATH), 0);
    waitpid(pid, NULL, 0);
    close(pipes[0]);
    close(pipes[1]);
    ck_assert_int_eq(utimensat(AT_FDCWD, path, hour_ago, 0), 0);
}

TEST(folders_of_killed_referees_are_swept)
{
    char path[PATH];

    leave_folder(path);
    ck_assert(is_there(path));
    assert_ok(folder_open(&folder, &error));
    ck_assert(!is_there(path));
    folder_close(&folder);
}

static const struct {
    const char *name, *text; /* the lock's owner; NULL: no lock */
} foreign[] = {
    {"bgref-abc123", ""},
    {"bgref-abc123", NULL},
    {"bgref-abc123", "sockets of a bgref that runs while this file is locked, or not\n"},
    {"bgref-results", "sockets of a bgref that runs while this file is locked\n"},
    {"bgref-abc-12", "sockets of a bgref that runs while this file is locked\n"},
};

TEST_ROWS(foreign_folders_are_not_swept, foreign)
{
    const struct timespec old[2] = {{0}, {0}};
    char path[PATH];

    snprintf(path, sizeof path, "%s", in(base, foreign[_i].name));
    ck_assert_int_eq(mkdir(path, 0700), 0);
    make_file(in(path, "thesis"));
    if (foreign[_i].text != NULL) {
        FILE *lock = fopen(in(path, "lock"), "we");

        ck_assert_ptr_nonnull(lock);
        fputs(foreign[_i].text, lock);
        fclose(lock);
    }
    ck_assert_int_eq(utimensat(AT_FDCWD, path, old, 0), 0);
    assert_ok(folder_open(&folder, &error));
    ck_assert(is_there(in(path, "thesis")));
    folder_close(&folder);
}

TEST(failures_name_the_place_and_the_remedy)
{
    setenv("TMPDIR", "/proc", 1);
    ck_assert_int_eq(folder_open(&folder, &error), BG_E_SYSTEM);
    ck_assert_str_eq(error.text, "make a socket for a bot in /proc: No such file or directory; set "
                                 "XDG_RUNTIME_DIR or TMPDIR to another folder");
    folder_close(&folder);
    folder_refuse(&error, "/tmp", ENOSPC);
    ck_assert_str_eq(error.text, "make a socket for a bot in /tmp: No space left on device; make "
                                 "room there, or set XDG_RUNTIME_DIR or TMPDIR to another folder");
}

SUITE_FIXTURE(set_up, tear_down)
