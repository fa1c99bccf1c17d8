/* Any bytes from a host in answer to `bgref join --status`: refused, or values whose texts are
 * clean. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <lease/status_line.h>
#include <rules/clean.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const char *text)
{
    if (clean_find(text, strlen(text), CLEAN_LINE) != strlen(text)) {
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct status status;
    char line[STATUS_LINE];

    switch (status_read(&status, (const char *)data, size)) {
    case STATUS_HOST:
        check(status.host.name);
        check(status.host.limit);
        check(status.host.next);
        if (!status_write_host(line, &status.host)) {
            abort();
        }
        break;
    case STATUS_EVENT:
        check(status.event.event);
        check(status.event.state);
        check(status.event.last_fault);
        if (!status_write_event(line, &status.event) || status.event.rank < 0) {
            abort();
        }
        break;
    case STATUS_NONE:
        break;
    }
    return 0;
}
