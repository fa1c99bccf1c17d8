#include "door_counts.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "text/units.h"

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

enum door_result door_result_find(const char *word)
{
    int result = 0;

    while (result < DOOR_RESULTS && strcmp(results[result], word) != 0) {
        result++;
    }
    return (enum door_result)result;
}

void door_counts_write(char out[CONTROL_TEXT], int connections, const uint64_t refused[DOOR_WHYS])
{
    int size = snprintf(out, CONTROL_TEXT, "%d", connections);

    for (int i = 0; i < DOOR_WHYS; i++) {
        size += snprintf(out + size, CONTROL_TEXT - (size_t)size, " %" PRIu64, refused[i]);
    }
}

bool door_counts_read(int *connections, uint64_t refused[DOOR_WHYS], char *rest)
{
    uint64_t values[DOOR_WHYS];
    int held;
    bool is_fine = int_read(&held, control_word(&rest), 0, INT_MAX, NULL) == BG_OK;

    for (int i = 0; i < DOOR_WHYS && is_fine; i++) {
        is_fine = count_read(&values[i], control_word(&rest), 0, UINT64_MAX, NULL) == BG_OK;
    }
    if (is_fine && rest == NULL) {
        *connections = held;
        memcpy(refused, values, sizeof values);
    }
    return is_fine && rest == NULL;
}
