/* All bytes are looked at first (is_clean): after that every CR has its LF, and lines and fields
 * can be cut by searching for them. Nothing is mended: a request that two readers could read
 * differently is refused. */
#define _GNU_SOURCE /* memmem */
#include "http_request.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* A line of the head, without its CR LF. */
struct http_request_line {
    const char *text;
    size_t size;
};

static const char end_of_head[] = "\r\n\r\n", end_of_line[] = "\r\n";

/* Cuts the next line off. The head ends with an end of line. */
static struct http_request_line next_line(struct http_request_line *rest)
{
    const char *end = memmem(rest->text, rest->size, end_of_line, 2);
    struct http_request_line line = {rest->text,
                                     end == NULL ? rest->size : (size_t)(end - rest->text)};
    size_t used = end == NULL ? rest->size : line.size + 2;

    rest->text += used;
    rest->size -= used;
    return line;
}

/* Only visible characters, blanks and whole ends of lines. */
static bool is_clean(const char *data, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        unsigned char byte = (unsigned char)data[i];

        if (byte == '\r'   ? i + 1 < size && data[i + 1] != '\n'
            : byte == '\n' ? i == 0 || data[i - 1] != '\r'
                           : byte != '\t' && (byte < ' ' || byte > '~')) {
            return false;
        }
    }
    return true;
}

static bool is_token(const char *text, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if (!isalnum((unsigned char)text[i]) && strchr("!#$%&'*+-.^_`|~", text[i]) == NULL) {
            return false;
        }
    }
    return size > 0;
}

/* ------------------------------------------------------------------ the first line */

static void take_path(struct http_request *out, const char *target, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        bool is_ours = isalnum((unsigned char)target[i]) || strchr("/._-", target[i]) != NULL;

        out->path[i] = is_ours ? target[i] : '?';
    }
    out->path[size] = '\0';
}

/* "GET /metrics HTTP/1.1" */
static enum http_got take_first(struct http_request *out, const struct http_request_line *line,
                                bool *needs_host)
{
    const char *target = memchr(line->text, ' ', line->size), *version = NULL;
    size_t size = 0;

    if (target != NULL) {
        target++;
        version = memchr(target, ' ', line->size - (size_t)(target - line->text));
    }
    if (version == NULL || !is_token(line->text, (size_t)(target - 1 - line->text))) {
        return HTTP_BAD;
    }
    size = (size_t)(version - target);
    version++;
    if (line->text + line->size - version != 8 || memcmp(version, "HTTP/1.", 7) != 0 ||
        (version[7] != '0' && version[7] != '1') || size == 0) {
        return HTTP_BAD;
    }
    *needs_host = version[7] == '1';
    if ((size_t)(target - 1 - line->text) != 3 || memcmp(line->text, "GET", 3) != 0) {
        return HTTP_METHOD;
    }
    if (target[0] != '/') {
        return HTTP_BAD;
    }
    if (size >= HTTP_REQUEST_PATH) {
        return HTTP_LONG;
    }
    take_path(out, target, size);
    return HTTP_GET;
}

/* ------------------------------------------------------------------ fields */

static bool is_field(const struct http_request_line *line, size_t colon, const char *name)
{
    return colon == strlen(name) && strncasecmp(line->text, name, colon) == 0;
}

/* Returns false if the request cannot be answered: a body, or two hosts. */
static bool take_field(struct http_request *out, const struct http_request_line *line)
{
    const char *end = memchr(line->text, ':', line->size);
    size_t colon = end == NULL ? 0 : (size_t)(end - line->text), from = colon + 1, to = line->size;

    if (end == NULL || !is_token(line->text, colon) || is_field(line, colon, "Content-Length") ||
        is_field(line, colon, "Transfer-Encoding")) {
        return false;
    }
    if (is_field(line, colon, "Host")) {
        while (from < to && (line->text[from] == ' ' || line->text[from] == '\t')) {
            from++;
        }
        while (to > from && (line->text[to - 1] == ' ' || line->text[to - 1] == '\t')) {
            to--;
        }
        if (out->host[0] != '\0' || from == to || to - from >= HTTP_REQUEST_HOST) {
            return false;
        }
        snprintf(out->host, HTTP_REQUEST_HOST, "%.*s", (int)(to - from), line->text + from);
    }
    return true;
}

static enum http_got read_head(struct http_request *out, struct http_request_line rest)
{
    struct http_request_line line = next_line(&rest);
    bool needs_host = true;
    enum http_got got = take_first(out, &line, &needs_host);

    while (rest.size > 0 && got == HTTP_GET) {
        line = next_line(&rest);
        got = take_field(out, &line) ? got : HTTP_BAD;
    }
    return got == HTTP_GET && needs_host && out->host[0] == '\0' ? HTTP_BAD : got;
}

enum http_got http_request_read(struct http_request *out, const char *data, size_t size)
{
    size_t looked = size < HTTP_REQUEST_MOST ? size : HTTP_REQUEST_MOST;
    const char *end = memmem(data, looked, end_of_head, 4);
    size_t head = end == NULL ? looked : (size_t)(end - data) + 2;

    *out = (struct http_request){.path = ""};
    if (!is_clean(data, head)) {
        return HTTP_BAD;
    }
    if (end == NULL) {
        return size >= HTTP_REQUEST_MOST ? HTTP_LONG : HTTP_MORE;
    }
    return read_head(out, (struct http_request_line){data, head});
}
