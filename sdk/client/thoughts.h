/* thoughts.h - what the bot thought, packed, until the answers that it belongs to are sent. */
#ifndef SDK_CLIENT_THOUGHTS_H
#define SDK_CLIENT_THOUGHTS_H

#include "wire/wire.h"

/* Starts as {0}. */
struct thoughts {
    uint8_t next[WIRE_THOUGHT]; /* for the next answer to this decision */
    size_t next_size;           /* 0: none */
    uint64_t decision;
    uint8_t *kept; /* owned; those of the answers that wait, one behind the other */
    size_t size, room;
    struct wire_bytes *answer; /* owned; WIRE_BATCH_MAX of them, by answer; NULL: no thought yet */
};

void thoughts_deinit(struct thoughts *thoughts);

/* Packs a thought for the next answer to decision. BG_E_MEMORY. */
enum bg_status thoughts_add(struct thoughts *thoughts, uint64_t decision,
                            const struct bg_thought *thought, struct bg_error *err);

/* Returns how many bytes an answer to decision has besides its own. */
size_t thoughts_next_size(const struct thoughts *thoughts, uint64_t decision);

/* Answer number i, of those that wait, is one to decision, and takes the thought for it. */
void thoughts_take(struct thoughts *thoughts, size_t i, uint64_t decision);

/* Lends the thoughts of the first count answers, until the next thoughts_take; NULL: there are
 * none. They are sent now: nothing waits any more. */
const struct wire_bytes *thoughts_of_answers(struct thoughts *thoughts, size_t count);

#endif
