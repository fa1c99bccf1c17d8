#include "console.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

enum bg_status console_open(struct console *console, const char *path, struct bg_error *err)
{
    *console = (struct console){.fd = -1};
    if (path == NULL || path[0] == '\0') {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "no terminal: start the referee in one and without a sandbox, or give "
                            "option Terminal (the command `tty` prints a terminal's path)");
    }
    console->fd = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (console->fd < 0) {
        return bg_error_set(err, BG_E_ARGUMENT, "terminal %.200s: %s", path, strerror(errno));
    }
    if (!isatty(console->fd)) {
        console_close(console);
        return bg_error_set(err, BG_E_ARGUMENT, "%.200s is not a terminal", path);
    }
    return BG_OK;
}

void console_close(struct console *console)
{
    if (console->fd >= 0) {
        close(console->fd);
    }
    console->fd = -1;
}

void console_forget(struct console *console)
{
    tcflush(console->fd, TCIFLUSH);
    console->size = 0;
    console->is_too_long = false;
}

/* Returns true if a line is complete. */
static bool take_byte(char line[CONSOLE_LINE], struct console *console, char byte)
{
    if (byte != '\n') {
        if (console->size + 1 < sizeof console->text) {
            console->text[console->size++] = byte;
        } else {
            console->is_too_long = true;
        }
        return false;
    }
    console->text[console->is_too_long ? 0 : console->size] = '\0';
    snprintf(line, CONSOLE_LINE, "%s", console->text);
    console->size = 0;
    console->is_too_long = false;
    return true;
}

enum console_news console_wait(char line[CONSOLE_LINE], struct console *console, int other)
{
    struct pollfd ready[2] = {{.fd = console->fd, .events = POLLIN},
                              {.fd = other, .events = POLLIN}};

    for (;;) {
        if (poll(ready, 2, -1) < 0 && errno != EINTR) {
            return CONSOLE_END;
        }
        if (ready[1].revents != 0) {
            return CONSOLE_OTHER;
        }
        if (ready[0].revents != 0) {
            char byte;
            ssize_t size = read(console->fd, &byte, 1);

            if (size == 0 || (size < 0 && errno != EINTR && errno != EAGAIN)) {
                return CONSOLE_END;
            }
            if (size == 1 && take_byte(line, console, byte)) {
                return CONSOLE_LINE_READ;
            }
        }
    }
}

void console_say(const struct console *console, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vdprintf(console->fd, format, arguments);
    va_end(arguments);
}
