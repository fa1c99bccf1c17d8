/* Compared and written here, beside the entry, so that a host that reads its list again and an
 * event that has read it long ago agree about what has changed. */
#include "entry_limits.h"

#include <string.h>

int entry_limits_starts(const struct entry_limits *limits)
{
    return limits->starts_an_hour > 0 ? limits->starts_an_hour : ENTRY_STARTS;
}

bool entry_limits_have_event(const struct entry_limits *limits, const char *event)
{
    size_t length = strcspn(event, "@");

    for (int i = 0; i < limits->event_count; i++) {
        /* An entry for `cup` also holds for each day of a series, cup@2026-05-01. */
        if (strcmp(limits->events[i], event) == 0 ||
            (strlen(limits->events[i]) == length &&
             strncmp(limits->events[i], event, length) == 0)) {
            return true;
        }
    }
    return limits->event_count == 0;
}

static void append_word(char out[ENTRY_TEXT], const char *separator, const char *word)
{
    size_t used = strlen(out);

    snprintf(out + used, ENTRY_TEXT - used, "%s%s", used == 0 ? "" : separator, word);
}

void entry_limits_write_events(char out[ENTRY_TEXT], const struct entry_limits *limits,
                               const char *separator)
{
    out[0] = '\0';
    for (int i = 0; i < limits->event_count; i++) {
        append_word(out, separator, limits->events[i]);
    }
}

void entry_limits_write_from(char out[ENTRY_TEXT], const struct entry_limits *limits,
                             const char *separator)
{
    out[0] = '\0';
    for (int i = 0; i < limits->from_count; i++) {
        char network[CIDR_TEXT];

        cidr_write(network, &limits->from[i]);
        append_word(out, separator, network);
    }
}

bool entry_limits_are_same(const struct entry_limits *one, const struct entry_limits *other)
{
    char from[2][ENTRY_TEXT];

    entry_limits_write_from(from[0], one, " ");
    entry_limits_write_from(from[1], other, " ");
    return strcmp(from[0], from[1]) == 0 && one->starts_an_hour == other->starts_an_hour;
}
