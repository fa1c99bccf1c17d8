/* http_request.h - the head of an HTTP request, read strictly. Pure.
 *
 * For a server that answers one GET a connection, with no body and no state: what is not needed for
 * that is refused, so that no two readers can differ about what a request means.
 */
#ifndef REFEREE_LOOP_HTTP_REQUEST_H
#define REFEREE_LOOP_HTTP_REQUEST_H

#include <stddef.h>

enum { HTTP_REQUEST_MOST = 4096, HTTP_REQUEST_PATH = 64, HTTP_REQUEST_HOST = 128 };

enum http_got {
    HTTP_MORE,   /* it is not complete, and may become a request */
    HTTP_GET,    /* path and host are set */
    HTTP_BAD,    /* 400 */
    HTTP_METHOD, /* 405: a request of another method */
    HTTP_LONG    /* 431: more than HTTP_REQUEST_MOST bytes, or a target that is no path of ours */
};

struct http_request {
    char path[HTTP_REQUEST_PATH]; /* of letters, digits and "/._-"; "?" stands for any other byte */
    char host[HTTP_REQUEST_HOST]; /* the field Host; "" none (HTTP/1.0) */
};

/* Reads the first size bytes of a connection. Bytes after the head are not looked at. */
enum http_got http_request_read(struct http_request *out, const char *data, size_t size);

#endif
