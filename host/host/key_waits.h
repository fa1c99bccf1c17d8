/* key_waits.h - keys that were in use twice and have to wait (door/remote_bots.h), in a file of
 * the host: a new start of the host does not shorten the wait.
 *
 * The file has the host's clock: "NAME UNTIL", seconds since 1970. A clock that was set back does
 * not make a wait longer than a whole one.
 */
#ifndef HOST_HOST_KEY_WAITS_H
#define HOST_HOST_KEY_WAITS_H

#include <bgref/error.h>

#include <stdint.h>

#include "base/units.h"

/* The file's name in the host's folder. */
#define KEY_WAITS_OF_HOST "host.waits"

struct key_wait {
    char name[NAME_SIZE];
    int64_t until_s; /* since 1970 */
};

struct key_waits {
    struct key_wait *list; /* owned */
    size_t room;
    int count;
};

void key_waits_deinit(struct key_waits *waits);

/* The key of this bot waits until then; also one that waits already. */
void key_waits_set(struct key_waits *waits, const char *name, int64_t until_s);
/* Returns how many seconds it still has to wait, at most a whole wait; 0: it may come. */
int key_waits_left_s(const struct key_waits *waits, const char *name, int64_t now_s);

/* The file; one that is not there is empty. BG_E_FORMAT, BG_E_SYSTEM: *out is empty. */
enum bg_status key_waits_load(struct key_waits *out, const char *path, struct bg_error *err);
/* Forgets what is over, and writes the rest, durably. BG_E_SYSTEM. */
enum bg_status key_waits_save(struct key_waits *waits, const char *path, int64_t now_s,
                              struct bg_error *err);

#endif
