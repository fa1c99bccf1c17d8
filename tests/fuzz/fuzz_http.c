/* Any bytes at a host's pages for monitoring: what is read of a beginning is not contradicted by
 * more bytes, and what is taken is a path and a host of visible characters. */
#include <string.h>

#include <loop/http_request.h>

#include "fuzz.h"

static void check_text(const char *text, size_t room)
{
    size_t length = strnlen(text, room);

    require(length != room);
    for (size_t i = 0; i < length; i++) {
        require(text[i] >= ' ' || text[i] == '\t');
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct http_request request;
    enum http_got whole = http_request_read(&request, (const char *)data, size), part = HTTP_MORE;
    size_t used = 0;

    check_text(request.path, sizeof request.path);
    check_text(request.host, sizeof request.host);
    if (whole == HTTP_GET &&
        (request.path[0] != '/' || size < sizeof "GET / HTTP/1.0\r\n\r\n" - 1)) {
        abort();
    }
    while (part == HTTP_MORE && used < size) { /* byte by byte, as from a slow client */
        part = http_request_read(&request, (const char *)data, ++used);
    }
    require(part != HTTP_GET || whole == HTTP_GET);
    require(whole != HTTP_MORE || part == HTTP_MORE);
    return 0;
}
