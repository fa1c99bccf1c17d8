/* host_log.h - what a host writes down: standard output and error, in a file that can be rotated,
 * and its journal.
 *
 * Programs that rotate logs rename the file and send SIGHUP: the file is opened anew then.
 *
 * FOLDER/host.journal: what was asked of a host and what it did, one line each.
 *
 *     2027-01-16T12:00:00Z TAB uid=1000 TAB pause cup TAB asked
 *     2027-01-16T12:00:00Z TAB uid=1000 TAB pause cup TAB done
 *     2027-01-16T12:00:00Z TAB host TAB cup@2027-01-16 running TAB
 *
 * Lines are only ever added. What is asked has a line before it is done, and another behind it with
 * the outcome; one without is an act in whose middle the host was killed.
 */
#ifndef HOST_HOST_HOST_LOG_H
#define HOST_HOST_HOST_LOG_H

#include <bgref/error.h>

#include <stdint.h>

struct host_log {
    int out, error; /* what standard output and error were before; 0: they still are */
};

/* Writes to this file from now on, which is made if it is not there; path "": to where it was
 * before. BG_E_SYSTEM: nothing has changed. */
enum bg_status host_log_open(struct host_log *log, const char *path, struct bg_error *err);
/* To where it was before. */
void host_log_close(struct host_log *log);

/* Whose act it is: a uid, or the host's own. */
#define HOST_ITSELF (-1)

struct host_journal {
    int fd; /* -1: closed */
};

/* BG_E_SYSTEM. */
enum bg_status host_journal_open(struct host_journal *out, const char *path, struct bg_error *err);
void host_journal_close(struct host_journal *journal);

/* Adds a line, durably. Control characters in the texts become spaces. BG_E_SYSTEM. */
enum bg_status host_journal_add(const struct host_journal *journal, int64_t now_s, int64_t uid,
                                const char *what, const char *how, struct bg_error *err);

#endif
