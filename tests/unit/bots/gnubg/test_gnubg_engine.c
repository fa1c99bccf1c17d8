/* gnubg's process behind the bridge, and how long the bridge sleeps beside it.
 *
 * Oracles: documented answers of gnubg's external protocol, and its answers to single questions. */
#define _GNU_SOURCE /* prctl */

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "engine.h"
#include "pace.h"

#include "support/suite.h"

/* 0-ply, with a cube. */
static const struct engine_settings plain = {.program = "gnubg", .cubeful = true};

/* A play, a double, a pass and an accepted resignation. */
static const char *const lines[] = {
    "board:me:you:5:0:0:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:1:3:1:3:1:1:1:1:0:"
    "1:-1:0:25:0:0:0:0:0:0:0:1",
    "board:me:you:0:0:0:0:2:1:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:-2:0:0:0:0:-2:0:1:0:0:0:0:1:1:1:0:1:"
    "-1:0:25:12:11:0:0:0:0:0:1",
    "board:me:you:0:0:0:0:2:1:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:-2:-2:0:0:0:0:0:1:0:0:0:0:1:1:1:1:1:"
    "-1:0:25:12:11:0:0:0:0:0:1",
    "board:me:you:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:15:0:0:0:0:0:0:0:0:0:0:-2:0:1:0:0:0:0:1:1:1:0:1:"
    "-1:0:25:0:13:0:0:0:0:0:1 resignation 2",
};

enum { LINES = sizeof lines / sizeof *lines, REPLY = 128 };

static struct engine *start(const struct engine_settings *settings)
{
    struct engine *engine = NULL;

    assert_ok(engine_start(&engine, settings, &error));
    return engine;
}

/* ---- pace ---- */

TEST(sleeps_until_half_is_answered)
{
    struct pace pace = {0};

    ck_assert_int_eq(pace_hold_ns(&pace, 64), 0); /* nothing is known yet */
    pace_note(&pace, 4, 400000, 28);
    ck_assert_int_eq(pace_hold_ns(&pace, 28), 1400000);
    ck_assert_int_eq(pace_hold_ns(&pace, 3), 0);
    ck_assert_int_eq(pace_hold_ns(&pace, 64), 3200000);
    for (int i = 0; i < 100; i++) {
        pace_note(&pace, 10, 10 * 1000000, 5);
    }
    ck_assert_int_eq(pace_hold_ns(&pace, 64), 10000000); /* never longer */
}

/* If gnubg runs out of questions, the sleeps become shorter, whatever they seem to show. */
TEST(sleeps_less_when_gnubg_waits)
{
    struct pace pace = {0};

    pace_note(&pace, 4, 400000, 28);
    for (int i = 0; i < 10; i++) {
        pace_note(&pace, 20, 40000000, 0);
    }
    ck_assert_int_lt(pace_hold_ns(&pace, 20), 100000);
    for (int i = 0; i < 50; i++) {
        pace_note(&pace, 10, 1000000, 10);
    }
    ck_assert_int_gt(pace_hold_ns(&pace, 20), 900000);
    pace_note(&pace, 0, 1000000, 10); /* nothing taken says nothing */
    ck_assert_int_gt(pace_hold_ns(&pace, 20), 900000);
}

/* ---- the process ---- */

/* A folder of the test as TMPDIR, with a program that writes down its process number before it
 * becomes gnubg. */
struct fake {
    char folder[256], program[300], pid_file[300];
};

static void fake_begin(struct fake *fake, const char *name)
{
    FILE *file;

    snprintf(fake->folder, sizeof fake->folder, "/tmp/bgref-test-%s-XXXXXX", name);
    ck_assert_ptr_nonnull(mkdtemp(fake->folder));
    snprintf(fake->program, sizeof fake->program, "%s/gnubg", fake->folder);
    snprintf(fake->pid_file, sizeof fake->pid_file, "%s/pid", fake->folder);
    file = fopen(fake->program, "w");
    ck_assert_ptr_nonnull(file);
    fprintf(file, "#!/bin/sh\necho $$ > %s\nPATH=$PATH:/usr/games exec gnubg \"$@\"\n",
            fake->pid_file);
    ck_assert_int_eq(fchmod(fileno(file), 0700), 0);
    fclose(file);
    setenv("TMPDIR", fake->folder, 1);
}

static pid_t fake_pid(const struct fake *fake)
{
    FILE *file = fopen(fake->pid_file, "r");
    int pid = 0;

    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(fscanf(file, "%d", &pid), 1);
    fclose(file);
    return pid;
}

/* Fails if a folder of a gnubg is left. */
static void fake_end(struct fake *fake)
{
    struct dirent *entry;
    DIR *folder;

    unlink(fake->program);
    unlink(fake->pid_file);
    folder = opendir(fake->folder);
    ck_assert_ptr_nonnull(folder);
    while ((entry = readdir(folder)) != NULL) {
        ck_assert_msg(entry->d_name[0] == '.', "left behind: %s", entry->d_name);
    }
    closedir(folder);
    ck_assert_int_eq(rmdir(fake->folder), 0);
}

TEST(engine_death_is_reported)
{
    struct fake fake;
    struct engine_settings settings = plain;
    struct engine *engine;
    char reply[REPLY];

    fake_begin(&fake, "death");
    settings.program = fake.program;
    engine = start(&settings);
    assert_ok(engine_ask(reply, sizeof reply, engine, lines[0], &error));
    ck_assert_int_eq(kill(fake_pid(&fake), SIGKILL), 0);
    ck_assert_int_eq(engine_ask(reply, sizeof reply, engine, lines[0], &error), BG_E_CLOSED);
    engine_stop(engine);
    fake_end(&fake);
}

/* When the process that started gnubg dies, gnubg ends too and leaves no files. */
TEST(engine_dies_with_its_bot)
{
    struct fake fake;
    struct engine_settings settings = plain;
    pid_t pid, gnubg;
    int status;

    fake_begin(&fake, "orphan");
    settings.program = fake.program;
    ck_assert_int_eq(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
    pid = fork();
    if (pid == 0) {
        struct engine *engine = NULL;

        _exit(engine_start(&engine, &settings, NULL) == BG_OK ? 0 : 1);
    }
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0, "gnubg did not start");
    gnubg = fake_pid(&fake);
    ck_assert_int_eq(waitpid(gnubg, &status, 0), gnubg);
    /* Killed when its parent died, unless it noticed the closed connection first and ended
     * itself. */
    ck_assert_msg((WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) ||
                      (WIFEXITED(status) && WEXITSTATUS(status) == 0),
                  "status %x", status);
    fake_end(&fake);
}

/* The next bridge removes folders that a killed bridge left behind; young folders may have an
 * owner. */
TEST(abandoned_folders_are_removed)
{
    struct fake fake;
    struct engine_settings settings = plain;
    char old[400], inside[420], young[400];
    struct timespec past[2] = {{.tv_sec = 1000000000}, {.tv_sec = 1000000000}};

    fake_begin(&fake, "sweep");
    snprintf(old, sizeof old, "%s/bgref-gnubg-oldold", fake.folder);
    snprintf(inside, sizeof inside, "%s/.gnubg", old);
    snprintf(young, sizeof young, "%s/bgref-gnubg-young1", fake.folder);
    ck_assert(mkdir(old, 0700) == 0 && mkdir(inside, 0700) == 0 && mkdir(young, 0700) == 0);
    ck_assert_int_eq(utimensat(AT_FDCWD, old, past, 0), 0);
    engine_stop(start(&settings));
    ck_assert_int_eq(access(old, F_OK), -1);
    ck_assert_int_eq(rmdir(young), 0);
    fake_end(&fake);
}

/* Sends all lines at once, several times over, and compares with the replies to one at a time. */
static void check_waiting(struct engine *engine)
{
    char alone[LINES][REPLY], reply[REPLY];

    for (int i = 0; i < LINES; i++) {
        assert_ok(engine_ask(alone[i], REPLY, engine, lines[i], &error));
    }
    ck_assert_str_eq(alone[0], "8/5 6/5 ");
    for (int i = 0; i < ENGINE_DEPTH; i++) {
        assert_ok(engine_add(engine, lines[i % LINES], &error));
        if (i % 5 == 0) { /* also several writes before the first answer is taken */
            assert_ok(engine_send(engine, &error));
        }
    }
    assert_ok(engine_send(engine, &error));
    for (int i = 0; i < ENGINE_DEPTH; i++) {
        ck_assert_msg(engine_take(reply, sizeof reply, engine, true, &error) == BG_OK, "%d: %s", i,
                      error.text);
        ck_assert_str_eq(reply, alone[i % LINES]);
    }
    ck_assert_int_eq(engine_take(reply, sizeof reply, engine, false, &error), BG_E_TIMEOUT);
}

TEST(questions_may_wait)
{
    struct engine_settings settings = plain;
    struct engine *engine = start(&settings);

    ck_assert_int_eq(engine_depth(engine), ENGINE_DEPTH);
    check_waiting(engine);
    engine_stop(engine);
}

/* A program that serves as gnubg does, but reads more at once, so that it drops what waits. */
static const char greedy_reader[] =
    "#!/usr/bin/python3\n"
    "import socket, sys\n"
    "path = next(line.split()[1] for line in sys.stdin if line.startswith('external '))\n"
    "server = socket.socket(socket.AF_UNIX)\n"
    "server.bind(path)\n"
    "server.listen(1)\n"
    "print('Waiting for a connection from', path, flush=True)\n"
    "peer = server.accept()[0]\n"
    "replies = {'version': 'Software: 9', 'help': 'No help', 'set debug off': 'Debug output OFF'}\n"
    "while line := peer.recv(65536).decode().split('\\n')[0]:\n"
    "    peer.sendall((replies.get(line, 'roll') + '\\n').encode())\n";

TEST(questions_that_would_be_dropped_do_not_wait)
{
    struct fake fake;
    struct engine_settings settings = plain;
    struct engine *engine;
    char reply[REPLY];
    FILE *file;

    fake_begin(&fake, "reader");
    file = fopen(fake.program, "w");
    ck_assert_ptr_nonnull(file);
    fputs(greedy_reader, file);
    fclose(file);
    settings.program = fake.program;
    engine = start(&settings);
    ck_assert_int_eq(engine_depth(engine), 1);
    for (int i = 0; i < 3; i++) {
        ck_assert_int_eq(engine_ask(reply, sizeof reply, engine, lines[0], NULL), BG_OK);
        ck_assert_str_eq(reply, "roll");
    }
    engine_stop(engine);
    fake_end(&fake);
}

TEST(long_questions_are_refused)
{
    struct engine_settings settings = plain;
    struct engine *engine = start(&settings);
    char line[ENGINE_QUESTION + 2], reply[REPLY];

    memset(line, 'x', sizeof line - 1);
    line[sizeof line - 1] = '\0';
    ck_assert_int_eq(engine_add(engine, line, &error), BG_E_ARGUMENT);
    line[ENGINE_QUESTION] = '\0';
    assert_ok(engine_ask(reply, sizeof reply, engine, line, &error));
    ck_assert_ptr_nonnull(strstr(reply, "Error"));
    assert_ok(engine_ask(reply, sizeof reply, engine, lines[0], &error));
    ck_assert_str_eq(reply, "8/5 6/5 ");
    engine_stop(engine);
}

/* If the folder's name is too long for a socket, TCP is used, which is all that gnubg 1.08 has. */
TEST(serves_on_tcp)
{
    struct engine_settings settings = plain;
    char folder[200] = "/tmp/bgref-test-tcp-XXXXXX";
    struct engine *engine;
    size_t length;

    ck_assert_ptr_nonnull(mkdtemp(folder));
    length = strlen(folder);
    snprintf(folder + length, sizeof folder - length, "/%0*d", 100, 0);
    ck_assert_int_eq(mkdir(folder, 0700), 0);
    setenv("TMPDIR", folder, 1);
    engine = start(&settings);
    check_waiting(engine);
    engine_stop(engine);
    ck_assert_int_eq(rmdir(folder), 0);
    folder[length] = '\0';
    ck_assert_int_eq(rmdir(folder), 0);
}

TEST(start_failures)
{
    static const struct {
        const char *program, *says;
    } wrong[] = {{"/nonexistent/gnubg", "/nonexistent/gnubg"},
                 {"no-such-gnubg", "install the package gnubg"},
                 {"/bin/false", "does not serve"},
                 {"/bin/cat", "does not serve"}};

    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct engine_settings settings = plain;
        struct engine *engine = NULL;

        settings.program = wrong[i].program;
        ck_assert_int_eq(engine_start(&engine, &settings, &error), BG_E_START);
        ck_assert_msg(strstr(error.text, wrong[i].says) != NULL, "%s: %s", wrong[i].program,
                      error.text);
    }
}
