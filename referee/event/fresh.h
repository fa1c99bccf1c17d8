/* fresh.h - --fresh: old results are kept beside, under a dated name, and the event begins again.
 *
 * They move before the results are opened, and back when the event does not come to its first game:
 * a start that fails changes nothing. A kill in between leaves them under the dated name.
 */
#ifndef EVENT_FRESH_H
#define EVENT_FRESH_H

#include <bgref/error.h>

#include <stdint.h>

enum { FRESH_PATH = 1100 };

struct fresh {
    char path[FRESH_PATH]; /* of the results */
    char kept[FRESH_PATH]; /* where the old ones are; "" there are none */
};

/* Moves results with something played in them, and their key. now_s: since 1970. BG_E_BUSY: a
 * referee uses them; BG_E_STORE, BG_E_SYSTEM. */
enum bg_status fresh_begin(struct fresh *fresh, const char *path, int64_t now_s,
                           struct bg_error *err);

/* Moves them back, over what stands there. The results have to be closed. */
enum bg_status fresh_undo(struct fresh *fresh, struct bg_error *err);

#endif
