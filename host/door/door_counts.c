/* Counts travel as absolute numbers, not as steps: a message that waits may be overtaken by
 * none, but a reader that has missed one is right again with the next. The words of both tables
 * are labels in the metrics, which operators have in their queries: a new one goes to the end,
 * and none is renamed. */
#include "door_counts.h"

static const char *const whys[DOOR_WHYS] = {
    "address_connections", "address_rate", "connections", "rate", "banned", "gateway"};
static const char *const results[DOOR_RESULTS] = {"came",       "unknown_key", "banned",
                                                  "key_rate",   "key_twice",   "network",
                                                  "start_rate", "large_hello", "ended"};

const char *door_why_word(enum door_why why)
{
    return whys[why];
}

const char *door_result_word(enum door_result result)
{
    return results[result];
}
