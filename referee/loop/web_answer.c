/* Requests as they are told to page functions, and their answers as libmicrohttpd sends them. */
#include "web_inside.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/memory.h"

#define ANSWER_NS (60 * WEB_S_NS)

#define JSON "application/json"
#define FORM "application/x-www-form-urlencoded"

enum {
    BLANKS = 64 /* before a value */,
    RETRY_S = 15,
    SLOW_BYTES = 65536, /* of a file, in a second */
    SHORT_BYTES = 1024  /* of a text that is sent as it is */
};

/* ------------------------------------------------------------------ the head */

/* What the fields of a head are, seen together. */
struct head_fields {
    size_t size;      /* of lines "Name:", blanks, "value" CR LF */
    int lengths;      /* Content-Length and Transfer-Encoding */
    bool is_odd;      /* a blank before the colon */
    const char *last; /* the last X-Forwarded-For, which is the nearest proxy's; NULL none */
};

/* Returns how many bytes stand between a name and its value: a colon, and any number of blanks.
 * libmicrohttpd cuts lines where they are, so that the value stands behind its name in one buffer;
 * of a folded line it makes another one, and then this is the usual 2. */
static size_t gap_of(const char *name, const char *value)
{
    const uintptr_t end = (uintptr_t)name + strlen(name);
    const size_t gap = (uintptr_t)value > end ? (uintptr_t)value - end : 0;

    return gap > 0 && gap <= BLANKS && strspn(name + strlen(name) + 1, " \t") >= gap - 1 ? gap : 2;
}

static enum MHD_Result add_field(void *user, enum MHD_ValueKind kind, const char *name,
                                 const char *value)
{
    struct head_fields *head = user;

    (void)kind;
    value = value == NULL ? "" : value;
    head->is_odd = head->is_odd || strpbrk(name, " \t") != NULL;
    head->size += strlen(name) + gap_of(name, value) + strlen(value) + 2;
    head->lengths += strcasecmp(name, MHD_HTTP_HEADER_CONTENT_LENGTH) == 0;
    head->lengths += strcasecmp(name, MHD_HTTP_HEADER_TRANSFER_ENCODING) == 0;
    if (strcasecmp(name, "X-Forwarded-For") == 0) {
        head->last = value;
    }
    return MHD_YES;
}

static const char *field(struct web_peer *peer, const char *name)
{
    const char *value = mhd.lookup_connection_value(peer->connection, MHD_HEADER_KIND, name);

    return value == NULL ? "" : value;
}

/* "..", a backslash, a control character. */
static bool is_odd_path(const char *path)
{
    size_t size = strlen(path);
    bool is_odd = size > WEB_PATH || path[0] != '/' || strstr(path, "..") != NULL;

    for (size_t i = 0; i < size; i++) {
        is_odd = is_odd || path[i] == '\\' || (unsigned char)path[i] < ' ' || path[i] == 0x7f;
    }
    return is_odd;
}

/* libmicrohttpd calls it with the target as it came, which is the only look at a zero byte (%00
 * ends the path that it passes on), and at the query as a whole. Keeps the size of the line. */
void *web_on_line(void *user, const char *uri, struct MHD_Connection *connection)
{
    struct web_peer *peer =
        mhd.get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT)->socket_context;
    const char *query = strchr(uri, '?');
    size_t size = query == NULL ? strlen(uri) : (size_t)(query - uri);

    (void)user;
    for (size_t i = 0; i + 2 < size; i++) {
        peer->is_odd = peer->is_odd || memcmp(uri + i, "%00", 3) == 0;
    }
    peer->line_size = strlen(uri);
    free(peer->query);
    peer->query = memory_text(query == NULL ? "" : query + 1);
    return NULL;
}

/* libmicrohttpd joins folded lines, takes lines without CR, and ends a value at a zero byte, and a
 * proxy may see another request in them than we do. Afterwards only the size of the head tells. */
static bool is_plain_head(struct web_peer *peer, const struct head_fields *head, const char *method,
                          const char *version)
{
    const size_t size = strlen(method) + peer->line_size + strlen(version) + 6 + head->size;

    return mhd.get_connection_info(peer->connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE)
                   ->header_size == size &&
           !head->is_odd;
}

/* From the right: what the trusted proxies have seen; what stands left of the first other address
 * may have been written by anybody. */
static void take_forwarded(struct web_peer *peer, const char *list)
{
    size_t end = strlen(list);
    char from[WEB_FROM];

    while (end > 0) {
        size_t begin = end, size;

        while (begin > 0 && list[begin - 1] != ',') {
            begin--;
        }
        size = strspn(list + begin, " \t");
        size = begin + size < end ? end - begin - size : 0;
        snprintf(from, sizeof from, "%.*s", (int)size, list + end - size);
        from[strcspn(from, " \t")] = '\0';
        end = begin == 0 ? 0 : begin - 1;
        if (!cidr_has_text(&peer->web->proxy, from)) {
            break;
        }
    }
    if (list[0] != '\0') {
        snprintf(peer->from, sizeof peer->from, "%s", from);
    }
}

static bool is_type(const char *value, const char *type)
{
    size_t size = strlen(type);

    return strncasecmp(value, type, size) == 0 && (value[size] == '\0' || value[size] == ';');
}

/* Returns 200 if the request may be passed on, otherwise its status. */
static int check_head(struct web_peer *peer, struct head_fields *head, const char *path,
                      const char *method, const char *version)
{
    const bool is_post = strcmp(method, "POST") == 0 && peer->web->settings.takes_posts;
    const char *length = field(peer, MHD_HTTP_HEADER_CONTENT_LENGTH);
    const char *type = field(peer, MHD_HTTP_HEADER_CONTENT_TYPE);

    (void)mhd.get_connection_values(peer->connection, MHD_HEADER_KIND, add_field, head);
    if (peer->is_odd || is_odd_path(path) || head->lengths > 1 ||
        !is_plain_head(peer, head, method, version)) {
        return MHD_HTTP_BAD_REQUEST;
    }
    if (!is_post && strcmp(method, "GET") != 0 && strcmp(method, "HEAD") != 0) {
        return MHD_HTTP_METHOD_NOT_ALLOWED;
    }
    if (head->last != NULL && peer->web->settings.proxy != NULL && peer->address == 0 &&
        cidr_has_text(&peer->web->proxy, peer->from)) {
        take_forwarded(peer, head->last);
        if (!web_admit(peer, peer->from)) {
            return MHD_HTTP_TOO_MANY_REQUESTS;
        }
    }
    if (is_post && length[0] == '\0') {
        return MHD_HTTP_LENGTH_REQUIRED;
    }
    if (is_post && strtoul(length, NULL, 10) > WEB_BODY) {
        return MHD_HTTP_CONTENT_TOO_LARGE;
    }
    return is_post && !is_type(type, JSON) && !is_type(type, FORM) ? MHD_HTTP_UNSUPPORTED_MEDIA_TYPE
                                                                   : MHD_HTTP_OK;
}

/* ------------------------------------------------------------------ the answer */

/* A page may load what this server has and nothing else, runs no script that stands in it, and is
 * shown in no other page unless it is made for that. */
static const char *const headers[][2] = {
    {"X-Content-Type-Options", "nosniff"},
    {"Referrer-Policy", "no-referrer"},
    {"Cross-Origin-Opener-Policy", "same-origin"},
    {"Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()"},
};

static void add_header(struct MHD_Response *out, const char *name, const char *value)
{
    (void)mhd.add_response_header(out, name, value); /* refuses a value with a line break */
}

static void add_caching(struct MHD_Response *out, const struct web_answer *answer)
{
    char text[100];

    if (answer->is_immutable) {
        add_header(out, "Cache-Control", "public, max-age=31536000, immutable");
    } else if (answer->max_age_s > 0) {
        snprintf(text, sizeof text, "public, max-age=%d", answer->max_age_s);
        add_header(out, "Cache-Control", text);
    } else {
        add_header(out, "Cache-Control", answer->etag[0] == '\0' ? "no-store" : "no-cache");
    }
    if (answer->etag[0] != '\0') {
        snprintf(text, sizeof text, "W/\"%s\"", answer->etag);
        add_header(out, "ETag", text);
    }
}

/* Text that anybody may keep, so that no secret stands in it beside what a request has said. */
static bool may_shrink(const struct web_answer *answer)
{
    const bool is_kept = answer->is_immutable || answer->max_age_s > 0;

    return is_kept && answer->file_bytes == 0 &&
           (strncmp(answer->type, "text/", 5) == 0 || strcmp(answer->type, JSON) == 0);
}

/* Whether Accept-Encoding has gzip, and not with q=0. */
static bool takes_gzip(const char *list)
{
    const char *at = strstr(list, "gzip");
    double share = 1;

    if (at != NULL) {
        (void)sscanf(at + strlen("gzip"), " ; %*1[qQ]=%lf", &share);
    }
    return at != NULL && share > 0;
}

/* The tags of pages are weak: they stay the same. */
static struct MHD_Response *make_text(struct web_peer *peer, const struct web_answer *answer,
                                      char *text, size_t size)
{
    const bool is_small = may_shrink(answer) && size >= SHORT_BYTES &&
                          takes_gzip(field(peer, MHD_HTTP_HEADER_ACCEPT_ENCODING));
    char *small = is_small ? web_gzip(&size, text) : NULL;
    struct MHD_Response *out =
        mhd.create_response_from_buffer(size, small == NULL ? text : small, MHD_RESPMEM_MUST_FREE);

    if (small != NULL) {
        free(text);
        (void)(out != NULL && mhd.add_response_header(out, "Content-Encoding", "gzip"));
    }
    return out;
}

static void add_headers(struct MHD_Response *out, const struct web_answer *answer, int status)
{
    char text[400];

    add_header(out, "Content-Type", answer->type);
    add_caching(out, answer);
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) {
        add_header(out, headers[i][0], headers[i][1]);
    }
    snprintf(text, sizeof text,
             "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
             "connect-src 'self'; base-uri 'none'; form-action '%s'; frame-ancestors %s",
             answer->takes_forms ? "self" : "none", answer->may_frame ? "*" : "'none'");
    add_header(out, "Content-Security-Policy", text);
    if (answer->is_open) {
        add_header(out, "Access-Control-Allow-Origin", "*");
    }
    if (answer->location[0] != '\0') {
        add_header(out, "Location", answer->location);
    }
    if (answer->file_name[0] != '\0') {
        snprintf(text, sizeof text, "attachment; filename=\"%s\"", answer->file_name);
        add_header(out, "Content-Disposition", text);
    }
    if (status == MHD_HTTP_SERVICE_UNAVAILABLE || status == MHD_HTTP_TOO_MANY_REQUESTS) {
        snprintf(text, sizeof text, "%d", RETRY_S);
        add_header(out, "Retry-After", text);
    }
    if (answer->channel != NULL) {
        add_header(out, "X-Accel-Buffering", "no");
    }
    if (may_shrink(answer)) {
        add_header(out, "Vary", "Accept-Encoding");
    }
    add_header(out, "Connection", "close");
}

/* If-None-Match is a list of tags, or "*". */
static bool is_known(const struct web_request *request, const struct web_answer *answer)
{
    char tag[sizeof answer->etag + 2];

    snprintf(tag, sizeof tag, "\"%s\"", answer->etag);
    return answer->etag[0] != '\0' && (strcmp(request->if_none_match, "*") == 0 ||
                                       strstr(request->if_none_match, tag) != NULL);
}

/* Calls the page function. Returns what it has written, which is the caller's. */
static char *ask_page(int *status, size_t *size, struct web_answer *answer,
                      const struct web_peer *peer, const struct web_request *request)
{
    const struct web *web = peer->web;
    char *text = NULL;
    FILE *out = memory_stream(&text, size);
    int answered = *status;
    bool is_full = false;

    if (answered == MHD_HTTP_OK) {
        answered = web->settings.fn(web->settings.user, request, out, answer);
    }
    if (answered == MHD_HTTP_OK && answer->channel != NULL &&
        web->counts.streams >= web->settings.spectators) {
        answered = MHD_HTTP_SERVICE_UNAVAILABLE;
        is_full = true;
        peer->web->counts.refused_full++;
    }
    if (answered == MHD_HTTP_OK && is_known(request, answer)) {
        answered = MHD_HTTP_NOT_MODIFIED;
    }
    if (answered != MHD_HTTP_OK) {
        answer->channel = NULL;
    }
    if (answered >= MHD_HTTP_BAD_REQUEST && (is_full || ftell(out) == 0)) {
        rewind(out); /* over the snapshot */
        fprintf(out, "%s\n", mhd.get_reason_phrase_for((unsigned)answered));
    }
    memory_stream_close(out);
    *size = answered == MHD_HTTP_NOT_MODIFIED ? 0 : *size;
    *status = answered;
    return text;
}

static struct MHD_Response *make_answer(struct web_peer *peer, const struct web_request *request,
                                        bool is_head, int *status)
{
    struct web_answer answer = {.type = "text/plain; charset=utf-8"};
    size_t size = 0;
    char *text = ask_page(status, &size, &answer, peer, request);
    struct MHD_Response *out;

    if (answer.channel != NULL) {
        answer.type = "text/event-stream";
    }
    peer->due_ns = loop_now(peer->web->loop) + ANSWER_NS +
                   (int64_t)(answer.file_bytes / SLOW_BYTES) * WEB_S_NS;
    if (answer.file_bytes > 0 && *status != MHD_HTTP_OK) {
        close(answer.file);
    }
    if (answer.file_bytes > 0 && *status == MHD_HTTP_OK) {
        out = mhd.create_response_from_fd(answer.file_bytes, answer.file);
        free(text);
    } else if (answer.channel != NULL && !is_head) {
        out = web_stream_open(peer, answer.channel, request->last_event_id, text);
        free(text);
    } else {
        out = make_text(peer, &answer, text, size);
    }
    if (out == NULL) {
        memory_none(size);
    }
    add_headers(out, &answer, *status);
    return out;
}

static enum MHD_Result answer_request(struct web_peer *peer, const char *path, const char *method,
                                      int status)
{
    const char *type = field(peer, MHD_HTTP_HEADER_CONTENT_TYPE);
    const struct web_request request = {
        .method = strcmp(method, "POST") == 0 ? "POST" : "GET",
        .path = path,
        .query = peer->query,
        .host = field(peer, "Host"),
        .if_none_match = field(peer, "If-None-Match"),
        .last_event_id = field(peer, "Last-Event-ID"),
        .origin = field(peer, "Origin"),
        .from = peer->from,
        .is_forwarded = field(peer, "X-Forwarded-For")[0] != '\0',
        .body = peer->body == NULL ? "" : peer->body,
        .body_size = peer->body_size,
        .body_is_json = is_type(type, JSON),
    };
    struct MHD_Response *answer = make_answer(peer, &request, strcmp(method, "HEAD") == 0, &status);
    enum MHD_Result result;

    if (status == MHD_HTTP_METHOD_NOT_ALLOWED) {
        add_header(answer, "Allow",
                   peer->web->settings.takes_posts ? "GET, HEAD, POST" : "GET, HEAD");
    }
    peer->web->counts.answers[status]++;
    result = mhd.queue_response(peer->connection, (unsigned)status, answer);
    mhd.destroy_response(answer);
    return result;
}

/* Adds a part of a POST. What goes beyond its length libmicrohttpd takes for the next request. */
static void add_body(struct web_peer *peer, const char *part, size_t size)
{
    peer->body = peer->body == NULL ? memory_zeroed(1, WEB_BODY + 1) : peer->body;
    size = size > WEB_BODY - peer->body_size ? WEB_BODY - peer->body_size : size;
    memcpy(peer->body + peer->body_size, part, size);
    peer->body_size += size;
}

/* Called with the head, then for a POST with each part of its body and once behind it. Of the body
 * of another request nothing is read: the connection is closed. libmicrohttpd sets the
 * parameters. */
enum MHD_Result web_on_request(void *user, struct MHD_Connection *connection, const char *path,
                               const char *method, const char *version, const char *body,
                               size_t *body_size, void **context)
{
    struct web_peer *peer =
        mhd.get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT)->socket_context;
    struct head_fields head = {0};
    int status = MHD_HTTP_OK;

    (void)user, (void)context;
    if (!peer->was_asked) {
        peer->was_asked = true;
        status = check_head(peer, &head, path, method, version);
        if (status == MHD_HTTP_OK && strcmp(method, "POST") == 0) {
            return MHD_YES;
        }
    } else if (*body_size > 0) {
        add_body(peer, body, *body_size);
        *body_size = 0;
        return MHD_YES;
    }
    return answer_request(peer, path, method, status);
}

/* ------------------------------------------------------------------ values */

static int hex_digit(char c)
{
    const char *digits = "0123456789abcdef";
    const char *at = c == '\0' ? NULL : strchr(digits, c | 0x20);

    return at == NULL ? -1 : (int)(at - digits);
}

/* Cuts the escapes of a value off. Returns false if it is too long or has a zero byte. */
static bool read_value(char *out, size_t size, const char *text, size_t length)
{
    size_t used = 0;

    for (size_t i = 0; i < length; i++) {
        char c = text[i] == '+' ? ' ' : text[i];

        if (c == '%' && i + 2 < length && hex_digit(text[i + 1]) >= 0 &&
            hex_digit(text[i + 2]) >= 0) {
            c = (char)(hex_digit(text[i + 1]) * 16 + hex_digit(text[i + 2]));
            i += 2;
        }
        if (c == '\0' || used + 1 >= size) {
            return false;
        }
        out[used++] = c;
    }
    out[used] = '\0';
    return true;
}

bool web_value(char *out, size_t size, const char *pairs, const char *name)
{
    size_t name_size = strlen(name);

    while (*pairs != '\0') {
        size_t length = strcspn(pairs, "&");

        if (length > name_size && strncmp(pairs, name, name_size) == 0 && pairs[name_size] == '=') {
            if (read_value(out, size, pairs + name_size + 1, length - name_size - 1)) {
                return true;
            }
            break;
        }
        pairs += length + (pairs[length] == '&');
    }
    out[0] = '\0';
    return false;
}
