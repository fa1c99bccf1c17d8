#define _GNU_SOURCE /* strsep */
#include "control.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

bool control_send(int fd, const char *format, ...)
{
    char text[CONTROL_TEXT];
    va_list values;
    int size;

    va_start(values, format);
    size = vsnprintf(text, sizeof text, format, values);
    va_end(values);
    size = size < CONTROL_TEXT ? size : CONTROL_TEXT - 1;
    return send(fd, text, (size_t)size, MSG_NOSIGNAL | MSG_DONTWAIT) == size;
}

enum control_got control_take(char out[CONTROL_TEXT], int fd)
{
    ssize_t size;

    do { /* an end that left messages unread is reported before the messages that it has sent */
        size = recv(fd, out, CONTROL_TEXT - 1, MSG_DONTWAIT);
    } while (size < 0 && (errno == EINTR || errno == ECONNRESET));
    if (size < 0 && errno == EAGAIN) {
        return CONTROL_NOTHING;
    }
    if (size <= 0) {
        return CONTROL_ENDED;
    }
    out[size] = '\0';
    return CONTROL_LINE;
}

bool control_has_ended(int fd)
{
    char byte;

    return recv(fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
}

char *control_word(char **rest)
{
    static char none[] = "";
    char *word = strsep(rest, " ");

    return word == NULL ? none : word;
}
