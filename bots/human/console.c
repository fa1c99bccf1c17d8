/* The terminal is opened by its path, since a bot's standard input and output are not a
 * person's. Two readers wait for the person and the referee at once: the line editor where the
 * terminal can do it, and plain lines for all others (dumb terminals, screen readers). */
#include "console.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

/* A seat that was killed while it read a line has left its modes behind. */
static void restore_modes(int fd)
{
    struct termios modes;

    if (tcgetattr(fd, &modes) == 0 && (modes.c_lflag & ICANON) == 0) {
        modes.c_lflag |= ICANON | ECHO | ECHOE | ECHOK | ISIG | IEXTEN;
        modes.c_iflag |= ICRNL;
        modes.c_oflag |= OPOST | ONLCR;
        (void)tcsetattr(fd, TCSANOW, &modes);
    }
}

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
    restore_modes(console->fd);
    return BG_OK;
}

void console_edit(struct console *console, editor_complete_fn complete, void *user)
{
    const char *term = getenv("TERM");

    if (term != NULL && term[0] != '\0' && strcmp(term, "dumb") != 0) {
        console->editor = editor_open(console->fd, complete, user);
    }
}

void console_close(struct console *console)
{
    editor_close(console->editor);
    console->editor = NULL;
    if (console->fd >= 0) {
        close(console->fd);
    }
    console->fd = -1;
}

void console_forget(struct console *console)
{
    /* What was typed before a question is not an answer to it. */
    tcflush(console->fd, TCIFLUSH);
    console->size = 0;
    console->is_too_long = false;
    if (console->editor != NULL) {
        editor_forget(console->editor);
    }
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

static bool is_gone(const struct console *console)
{
    struct pollfd state = {.fd = console->fd};

    return poll(&state, 1, 0) > 0 && (state.revents & (POLLHUP | POLLERR | POLLNVAL)) != 0;
}

static enum console_news wait_plain(char line[CONSOLE_LINE], struct console *console, int other)
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

static enum console_news wait_edited(char line[CONSOLE_LINE], struct console *console, int other)
{
    switch (editor_read(console->editor, line, console->prompt, other)) {
    case EDITOR_LINE_READ:
        return CONSOLE_LINE_READ;
    case EDITOR_OTHER:
        return CONSOLE_OTHER;
    default:
        return CONSOLE_END;
    }
}

/* Something of this line stands on the terminal. */
static bool has_text(const struct console *console)
{
    return console->prompt[0] != '\0' || console->size > 0 ||
           (console->editor != NULL && editor_has_text(console->editor));
}

enum console_news console_wait(char line[CONSOLE_LINE], struct console *console, int other)
{
    enum console_news news;

    if (console->editor != NULL) {
        if (console->is_shown) {
            (void)!write(console->fd, "\r", 1); /* it is shown again, at the same place */
        }
        news = wait_edited(line, console, other);
    } else {
        if (!console->is_shown) {
            dprintf(console->fd, "%s", console->prompt);
        }
        news = wait_plain(line, console, other);
    }
    console->is_shown = news == CONSOLE_OTHER && has_text(console);
    return news == CONSOLE_END && is_gone(console) ? CONSOLE_GONE : news;
}

size_t console_columns(const struct console *console)
{
    struct winsize size = {0};

    return ioctl(console->fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

void console_ask(struct console *console, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(console->prompt, sizeof console->prompt, format, arguments);
    va_end(arguments);
}

void console_say(struct console *console, const char *format, ...)
{
    va_list arguments;

    if (console->is_shown) {
        dprintf(console->fd, "\n");
        console->is_shown = false;
    }
    va_start(arguments, format);
    vdprintf(console->fd, format, arguments);
    va_end(arguments);
}
