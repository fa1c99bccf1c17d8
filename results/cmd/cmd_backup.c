/* cmd_backup.c - bgref backup: a proved copy of results, also of a running event. A folder is
 * recognised by what is there and not by a slash at the end: "backups" that is a folder must not
 * become a file beside it. Old backups are removed last, when the new one is whole, so a full
 * disk costs no backup. */
#include "results_commands.h"
#include "command.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/plain_file.h"
#include "proof/backup.h"
#include "base/plural.h"

enum { KEEP_MOST = 100000 };

struct arguments {
    const char *results, *to;
    int keep; /* 0: all */
};

static const struct command_row options[] = {
    {"keep", 'k', .value = "N",
     .help = "Afterwards remove all but the newest N backups of these results in the folder",
     COMMAND_INT(keep), .least = 1, .most = KEEP_MOST},
    {0}};

static const struct command_row words[] = {
    {"results database", COMMAND_TEXT(results), .is_needed = true},
    {"place for the backup", COMMAND_TEXT(to), .is_needed = true},
    {0}};

/* Asked before anything is copied: a wrong place would otherwise be noticed only after minutes
 * of copying. */
static void check_backup(void *all)
{
    const struct arguments *arguments = all;

    if (arguments->keep > 0 && !plain_is_folder(arguments->to)) {
        command_misuse("--keep is for backups in a folder, and '%s' is not one", arguments->to);
    }
}

static const struct command command = {
    .usage = "RESULTS.db COPY.db|FOLDER",
    .help =
        "Copies the results of an event, also while it is played: the copy is one moment of them, "
        "whole and checked, and COPY.db.root beside it has its root and its digest. In a folder "
        "the "
        "copy gets the name of the results and the time.\v"
        "A copy of the file made otherwise during a run is not a backup: the last games are in its "
        "log. COPY.db is replaced only if it is an earlier backup of the same event. The key of "
        "the "
        "dice, RESULTS.db.key, is secret and is not in the copy: keep it apart. To restore a "
        "backup, "
        "move RESULTS.db, RESULTS.db-wal and RESULTS.db-shm away, copy COPY.db to RESULTS.db, and "
        "repeat the command that ran the event. Exit status: 0 done, 2 refused (nothing was "
        "changed), "
        "5 the copy could not be written, 6 the results are damaged.",
    .options = options,
    .words = words,
    .missing = "needs results and a place, like 'bgref backup RESULTS.db COPY.db' or 'bgref backup "
               "RESULTS.db FOLDER --keep 8'",
    .check = check_backup,
};

static enum bg_status make_backup(const struct arguments *arguments, struct bg_error *err)
{
    char name[BACKUP_PATH];
    const char *to = arguments->to;
    struct backup backup;
    time_t now = time(NULL);
    enum bg_status status = BG_OK;
    int removed = 0;

    if (plain_is_folder(to)) {
        status = backup_name(name, sizeof name, to, arguments->results, now, err);
        to = name;
    }
    if (status == BG_OK) {
        status = backup_make(&backup, arguments->results, to, now, err);
    }
    if (status == BG_OK) {
        printf("%s: %" PRIu64 " game%s of %s at %s\nroot: %s\n", to, backup.games,
               plural_s(backup.games), backup.event[0] == '\0' ? "no event" : backup.event,
               backup.taken, backup.root);
    }
    if (status == BG_OK && arguments->keep > 0) {
        status = backup_prune(&removed, to, arguments->results, arguments->keep, err);
    }
    if (removed > 0) {
        printf("removed: %d earlier backup%s\n", removed, plural_s((uint64_t)removed));
    }
    return status;
}

int cmd_backup(int argc, char **argv)
{
    struct arguments arguments = {0};
    struct bg_error err = {0};
    enum bg_status status;

    command_read(&command, argc, argv, &arguments);
    status = make_backup(&arguments, &err);
    if (status != BG_OK) {
        command_say(err.text);
    }
    return status == BG_OK ? EXIT_DONE : exit_status_of_results(status);
}
