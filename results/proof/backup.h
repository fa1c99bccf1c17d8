/* backup.h - a proved copy of an event's results, made while the event runs.
 *
 *     backup_name(name, sizeof name, "/var/backups/bgref", "results/spring.db", now_s);
 *     backup_make(&backup, "results/spring.db", name, now_s, &err);
 *     backup_prune(&removed, name, "results/spring.db", 8, &err);
 *
 * The copy is written to NAME.partial, checked, brought to the disk, and then renamed, so a file
 * called NAME is always whole. Beside it is NAME.root:
 *
 *     bgref-backup 1
 *     event NAME
 *     taken 2026-11-23T09:30:00Z
 *     games N              and games that were set aside are not counted
 *     acts N               rows of the journal
 *     root HEX             root.h, of the results at that time
 *     BLAKE2b-256 (NAME) = HEX       of the file; b2sum -c reads this line
 *
 * Secret keys are not in a backup. Restore it by copying NAME to the place of the results, after
 * the old results and their log (-wal, -shm) were moved away; the key stays there.
 */
#ifndef RESULTS_PROOF_BACKUP_H
#define RESULTS_PROOF_BACKUP_H

#include <stddef.h>

#include "record/record.h"
#include "base/utc.h"

#include <bgref/error.h>

enum { BACKUP_EVENT = 128, BACKUP_PATH = 4096 };

/* What NAME.root says. */
struct backup {
    char event[BACKUP_EVENT]; /* "" before the first run has begun */
    char taken[UTC_TEXT];
    uint64_t games, acts;
    char root[RECORD_HASH], file[RECORD_HASH];
};

/* Copies results to the path `to`. A file at `to` is replaced only if it is an earlier backup of
 * the same event. Waits in between, so call it in a process of its own. BG_E_ARGUMENT: the results
 * do not exist, or `to` is something else; BG_E_BUSY: another backup writes to `to`;
 * BG_E_MISMATCH: the results are damaged; BG_E_STORE, BG_E_SYSTEM. On failure nothing at `to`
 * has changed. */
enum bg_status backup_make(struct backup *out, const char *results, const char *to, int64_t now_s,
                           struct bg_error *err);

/* Writes "FOLDER/spring-20261123T093000Z.db" for results "results/spring.db". BG_E_ARGUMENT: too
 * long. */
enum bg_status backup_name(char *out, size_t room, const char *folder, const char *results,
                           int64_t now_s, struct bg_error *err);

/* Removes all but the newest `keep` (at least 1) backups that backup_name gave names for these
 * results, and what killed backups have left of them. newest: the one that was just made; those
 * with a later name are older all the same, since the clock was wrong then. Nothing else in its
 * folder is touched: a file without NAME.root is not a backup. BG_E_SYSTEM: *removed were removed
 * before. */
enum bg_status backup_prune(int *removed, const char *newest, const char *results, int keep,
                            struct bg_error *err);

#endif
