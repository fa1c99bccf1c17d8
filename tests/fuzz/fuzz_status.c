/* Any bytes from a host in answer to `bgref join --status`: refused, or values whose texts are
 * clean. */
#include <string.h>

#include "door/status_line.h"
#include <rules/clean.h>

#include "fuzz.h"

static void check(const char *text)
{
    require(clean_find(text, strlen(text), CLEAN_LINE) == strlen(text));
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
        require(status_write_host(line, &status.host));
        break;
    case STATUS_EVENT:
        check(status.event.event);
        check(status.event.state);
        check(status.event.last_fault);
        require(status_write_event(line, &status.event) && status.event.rank >= 0);
        break;
    case STATUS_NONE:
        break;
    }
    return 0;
}
