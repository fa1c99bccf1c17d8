/* The head of a request, read strictly; and texts of metrics as one. */
#include "support/suite.h"

#include <loop/http_request.h>
#include <loop/metrics_merge.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HOST "Host: localhost\r\n"

static const struct {
    const char *name, *text;
    enum http_got got;
    const char *path, *host; /* of HTTP_GET */
} rows[] = {
    {"a scrape", "GET /metrics HTTP/1.1\r\n" HOST "\r\n", HTTP_GET, "/metrics", "localhost"},
    {"bytes behind it", "GET /healthz HTTP/1.1\r\n" HOST "\r\n\0\xff", HTTP_GET, "/healthz",
     "localhost"},
    {"1.0 needs no host", "GET / HTTP/1.0\r\n\r\n", HTTP_GET, "/", ""},
    {"fields in any case", "GET / HTTP/1.1\r\nhOsT:\t[::1]:9 \r\nAccept:\r\n\r\n", HTTP_GET, "/",
     "[::1]:9"},
    {"what no path of ours has", "GET /metrics?a=%00../ HTTP/1.0\r\n\r\n", HTTP_GET,
     "/metrics?a??00../", ""},
    {"begun", "GET /metrics HTTP/1.1\r\nHost: local", HTTP_MORE, NULL, NULL},
    {"half an end of line", "GET / HTTP/1.1\r", HTTP_MORE, NULL, NULL},
    {"no end of the head", "GET / HTTP/1.1\r\n" HOST, HTTP_MORE, NULL, NULL},
    {"1.1 without a host", "GET / HTTP/1.1\r\n\r\n", HTTP_BAD, NULL, NULL},
    {"two hosts", "GET / HTTP/1.1\r\n" HOST HOST "\r\n", HTTP_BAD, NULL, NULL},
    {"an empty host", "GET / HTTP/1.1\r\nHost: \r\n\r\n", HTTP_BAD, NULL, NULL},
    {"a body", "GET / HTTP/1.1\r\n" HOST "Content-Length: 0\r\n\r\n", HTTP_BAD, NULL, NULL},
    {"chunks", "GET / HTTP/1.1\r\n" HOST "transfer-encoding: chunked\r\n\r\n", HTTP_BAD, NULL,
     NULL},
    {"a field that goes on", "GET / HTTP/1.1\r\n" HOST " more\r\n\r\n", HTTP_BAD, NULL, NULL},
    {"a blank before the colon", "GET / HTTP/1.1\r\nHost : x\r\n\r\n", HTTP_BAD, NULL, NULL},
    {"a field without a name", "GET / HTTP/1.1\r\n: x\r\n\r\n", HTTP_BAD, NULL, NULL},
    {"LF alone", "GET / HTTP/1.1\n" HOST "\r\n", HTTP_BAD, NULL, NULL},
    {"CR alone", "GET /\r HTTP/1.1\r\n" HOST "\r\n", HTTP_BAD, NULL, NULL},
    {"no HTTP", "hello\r\n\r\n", HTTP_BAD, NULL, NULL},
    {"HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", HTTP_BAD, NULL, NULL},
    {"TLS", "\x16\x03\x01", HTTP_BAD, NULL, NULL},
    {"a proxy's request", "GET http://x/metrics HTTP/1.1\r\n" HOST "\r\n", HTTP_BAD, NULL, NULL},
    {"two blanks", "GET  / HTTP/1.1\r\n" HOST "\r\n", HTTP_BAD, NULL, NULL},
    {"no target", "GET HTTP/1.1\r\n" HOST "\r\n", HTTP_BAD, NULL, NULL},
    {"POST", "POST /metrics HTTP/1.1\r\n" HOST "Content-Length: 9\r\n\r\n", HTTP_METHOD, NULL,
     NULL},
    {"HEAD", "HEAD /metrics HTTP/1.1\r\n" HOST "\r\n", HTTP_METHOD, NULL, NULL},
    {"small letters", "get /metrics HTTP/1.1\r\n" HOST "\r\n", HTTP_METHOD, NULL, NULL},
};

START_TEST(requests_are_read_strictly)
{
    struct http_request request;
    enum http_got got = http_request_read(&request, rows[_i].text, strlen(rows[_i].text));

    ck_assert_msg(got == rows[_i].got, "%s: %d", rows[_i].name, (int)got);
    if (got == HTTP_GET) {
        ck_assert_str_eq(request.path, rows[_i].path);
        ck_assert_str_eq(request.host, rows[_i].host);
    }
}
END_TEST

START_TEST(a_head_has_an_end)
{
    static char text[HTTP_REQUEST_MOST + 10];
    struct http_request request;
    char path[2 * HTTP_REQUEST_PATH];
    int size = snprintf(text, sizeof text, "GET / HTTP/1.0\r\nA: ");

    memset(text + size, 'a', sizeof text - (size_t)size);
    ck_assert_int_eq(http_request_read(&request, text, HTTP_REQUEST_MOST - 1), HTTP_MORE);
    ck_assert_int_eq(http_request_read(&request, text, HTTP_REQUEST_MOST), HTTP_LONG);
    memcpy(text + HTTP_REQUEST_MOST, "\r\n\r\n", 4); /* behind the end */
    ck_assert_int_eq(http_request_read(&request, text, HTTP_REQUEST_MOST + 4), HTTP_LONG);
    memcpy(text + HTTP_REQUEST_MOST - 4, "\r\n\r\n", 4);
    ck_assert_int_eq(http_request_read(&request, text, HTTP_REQUEST_MOST), HTTP_GET);
    snprintf(path, sizeof path, "GET /%0*d HTTP/1.0\r\n\r\n", HTTP_REQUEST_PATH - 2, 0);
    ck_assert_int_eq(http_request_read(&request, path, strlen(path)), HTTP_GET);
    ck_assert_uint_eq(strlen(request.path), HTTP_REQUEST_PATH - 1);
    snprintf(path, sizeof path, "GET /%0*d HTTP/1.0\r\n\r\n", HTTP_REQUEST_PATH - 1, 0);
    ck_assert_int_eq(http_request_read(&request, path, strlen(path)), HTTP_LONG);
}
END_TEST

/* ------------------------------------------------------------------ merging */

START_TEST(each_family_is_there_once_with_all_samples)
{
    static const char cup[] =
        "# HELP a_total Games.\n# TYPE a_total counter\na_total{event=\"cup\"} 3\n"
        "# HELP w Waits.\n# TYPE w gauge\nw{event=\"cup\"} 1\n";
    static const char league[] = "# HELP w Waits.\n# TYPE w gauge\nw{event=\"x y\"} 2.5\n"
                                 "# HELP b New.\n# TYPE b gauge\nb{event=\"league\"} 7\n"
                                 "# HELP a_total Games.\n# TYPE a_total counter\n"
                                 "a_total{event=\"league\"} 4\n";
    struct metrics_merge *merge = metrics_merge_create();
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    metrics_merge_add(merge, cup);
    metrics_merge_add(merge, league);
    metrics_merge_write(out, merge);
    fclose(out);
    ck_assert_str_eq(text, "# HELP a_total Games.\n# TYPE a_total counter\n"
                           "a_total{event=\"cup\"} 3\na_total{event=\"league\"} 4\n"
                           "# HELP w Waits.\n# TYPE w gauge\n"
                           "w{event=\"cup\"} 1\nw{event=\"x y\"} 2.5\n"
                           "# HELP b New.\n# TYPE b gauge\nb{event=\"league\"} 7\n");
    ck_assert_double_eq(metrics_merge_sum(merge, "w"), 3.5);
    ck_assert_double_eq(metrics_merge_sum(merge, "none"), 0);
    metrics_merge_destroy(merge);
    free(text);
}
END_TEST

void suite_tests(TCase *tests)
{
    suite_add_rows(tests, requests_are_read_strictly, rows);
    tcase_add_test(tests, a_head_has_an_end);
    tcase_add_test(tests, each_family_is_there_once_with_all_samples);
}
