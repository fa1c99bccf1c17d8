/* Nothing is allocated for a bot that never tells a thought. */
#include "thoughts.h"

#include <stdlib.h>
#include <string.h>

enum { HEAD = 4 /* of a thought in its answer */ };

void thoughts_deinit(struct thoughts *thoughts)
{
    free(thoughts->kept);
    free(thoughts->answer);
    *thoughts = (struct thoughts){.next_size = 0};
}

enum bg_status thoughts_add(struct thoughts *thoughts, uint64_t decision,
                            const struct bg_thought *thought, struct bg_error *err)
{
    if (thoughts->answer == NULL) {
        thoughts->answer = calloc(WIRE_BATCH_MAX, sizeof *thoughts->answer);
    }
    if (thoughts->room - thoughts->size < WIRE_THOUGHT) {
        size_t room = 2 * (thoughts->size + WIRE_THOUGHT);
        uint8_t *kept = realloc(thoughts->kept, room);

        if (kept != NULL) {
            thoughts->kept = kept;
            thoughts->room = room;
        }
    }
    thoughts->next_size = 0;
    if (thoughts->answer == NULL || thoughts->room - thoughts->size < WIRE_THOUGHT) {
        return bg_error_set(err, BG_E_MEMORY, "queue of thoughts");
    }
    thoughts->next_size =
        wire_thought_is_empty(thought) ? 0 : wire_thought_write(thoughts->next, thought);
    thoughts->decision = decision;
    return BG_OK;
}

size_t thoughts_next_size(const struct thoughts *thoughts, uint64_t decision)
{
    const bool fits = thoughts->next_size > 0 && thoughts->decision == decision;

    return fits ? thoughts->next_size + HEAD : 0;
}

void thoughts_take(struct thoughts *thoughts, size_t i, uint64_t decision)
{
    if (thoughts->answer == NULL) {
        return;
    }
    thoughts->answer[i].size = 0;
    if (thoughts_next_size(thoughts, decision) > 0) {
        memcpy(thoughts->kept + thoughts->size, thoughts->next, thoughts->next_size);
        thoughts->answer[i].size = thoughts->next_size;
        thoughts->size += thoughts->next_size;
        thoughts->next_size = 0;
    }
}

const struct wire_bytes *thoughts_of_answers(struct thoughts *thoughts, size_t count)
{
    const uint8_t *at = thoughts->kept;

    if (thoughts->size == 0) {
        return NULL;
    }
    /* Only now, because the bytes move when their room grows. */
    for (size_t i = 0; i < count; i++) {
        thoughts->answer[i].data = at;
        at += thoughts->answer[i].size;
    }
    thoughts->size = 0;
    return thoughts->answer;
}
