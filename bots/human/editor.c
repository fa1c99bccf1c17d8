/* libedit reads characters by a function of ours, so that a message of the referee can interrupt
 * a line: the reading ends, the message is shown, and the half line is put back. To libedit its
 * input is at an end then. */
#include "editor.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <histedit.h>

enum { HISTORY = 200, PROMPT = 256 };

struct editor {
    EditLine *lines;
    History *history;
    FILE *in, *out;
    editor_complete_fn complete;
    void *user;
    char prompt[PROMPT];
    char typed[EDITOR_LINE]; /* of the line that was interrupted */
    int other;
    bool was_interrupted;
};

static struct editor *editor_of(EditLine *lines)
{
    void *editor = NULL;

    el_get(lines, EL_CLIENTDATA, &editor);
    return editor;
}

static char *prompt_of(EditLine *lines)
{
    return editor_of(lines)->prompt;
}

/* libedit asks for one character. -1 ends its reading. */
static int next_character(EditLine *lines, wchar_t *out)
{
    struct editor *editor = editor_of(lines);
    const int terminal = fileno(editor->in);

    for (;;) {
        struct pollfd ready[2] = {{.fd = terminal, .events = POLLIN},
                                  {.fd = editor->other, .events = POLLIN}};
        unsigned char byte;
        ssize_t size;

        if (poll(ready, 2, -1) < 0) {
            if (errno != EINTR) {
                return 0;
            }
            el_resize(lines); /* most likely */
            continue;
        }
        if (ready[1].revents != 0) {
            editor->was_interrupted = true;
            return -1;
        }
        size = read(terminal, &byte, 1);
        if (size == 1) {
            /* libedit wants a wide character. All words of the protocol are ASCII; a byte of
             * another character becomes a "?", which nothing accepts. */
            *out = byte < 0x80 ? (wchar_t)byte : L'?';
            return 1;
        }
        if (size == 0 || (errno != EINTR && errno != EAGAIN)) {
            return 0;
        }
    }
}

static unsigned char on_complete(EditLine *lines, int key)
{
    static struct completion found;
    struct editor *editor = editor_of(lines);
    const LineInfo *info = el_line(lines);
    char line[EDITOR_LINE];

    (void)key;
    snprintf(line, sizeof line, "%.*s", (int)(info->cursor - info->buffer), info->buffer);
    editor->complete(editor->user, &found, line);
    if (found.add[0] != '\0') {
        el_insertstr(lines, found.add);
    }
    if (found.count == 1) {
        return el_insertstr(lines, " ") == 0 ? CC_REFRESH : CC_REFRESH_BEEP;
    }
    if (found.count > 1 && found.add[0] == '\0') {
        fprintf(editor->out, "\n%s\n", found.list);
        fflush(editor->out);
        return CC_REDISPLAY;
    }
    return found.count == 0 ? CC_REFRESH_BEEP : CC_REFRESH;
}

static bool set_up(struct editor *editor)
{
    HistEvent event;

    if (editor->lines == NULL || editor->history == NULL) {
        return false;
    }
    history(editor->history, &event, H_SETSIZE, HISTORY);
    history(editor->history, &event, H_SETUNIQUE, 1);
    return el_set(editor->lines, EL_CLIENTDATA, editor) == 0 &&
           el_set(editor->lines, EL_PROMPT, prompt_of) == 0 &&
           el_set(editor->lines, EL_EDITOR, "emacs") == 0 &&
           el_set(editor->lines, EL_HIST, history, editor->history) == 0 &&
           el_set(editor->lines, EL_GETCFN, next_character) == 0 &&
           el_set(editor->lines, EL_ADDFN, "complete", "complete the word", on_complete) == 0 &&
           el_set(editor->lines, EL_BIND, "^I", "complete", NULL) == 0;
}

/* Streams over descriptors of their own: fclose() closes what is below it, and the terminal
 * belongs to the console. */
static FILE *stream_of(int terminal, const char *mode)
{
    const int fd = dup(terminal);
    FILE *stream = fd < 0 ? NULL : fdopen(fd, mode);

    if (stream == NULL && fd >= 0) {
        close(fd);
    }
    return stream;
}

struct editor *editor_open(int terminal, editor_complete_fn complete, void *user)
{
    struct editor *editor = calloc(1, sizeof *editor);

    if (editor == NULL) {
        return NULL;
    }
    editor->complete = complete;
    editor->user = user;
    editor->in = stream_of(terminal, "r");
    editor->out = stream_of(terminal, "w");
    if (editor->in != NULL && editor->out != NULL) {
        editor->history = history_init();
        editor->lines = el_init("bgref", editor->in, editor->out, editor->out);
    }
    if (!set_up(editor)) {
        editor_close(editor);
        editor = NULL;
    }
    return editor;
}

void editor_close(struct editor *editor)
{
    if (editor == NULL) {
        return;
    }
    if (editor->lines != NULL) {
        el_end(editor->lines);
    }
    if (editor->history != NULL) {
        history_end(editor->history);
    }
    if (editor->in != NULL) {
        fclose(editor->in);
    }
    if (editor->out != NULL) {
        fclose(editor->out);
    }
    free(editor);
}

bool editor_has_text(const struct editor *editor)
{
    return editor->typed[0] != '\0';
}

void editor_forget(struct editor *editor)
{
    editor->typed[0] = '\0';
}

static void keep_interrupted(struct editor *editor)
{
    const LineInfo *info = el_line(editor->lines);

    snprintf(editor->typed, sizeof editor->typed, "%.*s", (int)(info->lastchar - info->buffer),
             info->buffer);
}

enum editor_news editor_read(struct editor *editor, char line[EDITOR_LINE], const char *prompt,
                             int other)
{
    const char *text;
    HistEvent event;
    int size = 0;

    snprintf(editor->prompt, sizeof editor->prompt, "%s", prompt);
    editor->other = other;
    editor->was_interrupted = false;
    if (editor->typed[0] != '\0') {
        /* As if it were typed: el_gets() begins with an empty line, and a text that was put into
         * it before would be lost. */
        el_push(editor->lines, editor->typed);
        editor->typed[0] = '\0';
    }
    text = el_gets(editor->lines, &size);
    if (editor->was_interrupted) {
        keep_interrupted(editor);
        return EDITOR_OTHER;
    }
    if (text == NULL || size <= 0) {
        return EDITOR_END;
    }
    snprintf(line, EDITOR_LINE, "%.*s", (int)strcspn(text, "\r\n"), text);
    if (line[strspn(line, " ")] != '\0') {
        history(editor->history, &event, H_ENTER, line);
    }
    return EDITOR_LINE_READ;
}
