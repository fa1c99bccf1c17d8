#define _GNU_SOURCE /* open_memstream */
#include "day_book.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "text/durable.h"
#include "text/units.h"

enum { LINE = 256 };

/* Returns whether the line is whole. */
static bool read_line(char name[NAME_SIZE], struct day_games *games, const char *line)
{
    char end = '\0';

    *games = (struct day_games){.most = 0};
    return sscanf(line, "%64s %" SCNd64 " %d%c", name, &games->day, &games->begun, &end) == 4 &&
           end == '\n' && name_is_valid(name) && games->begun >= 0;
}

static void write_text(FILE *out, const void *user)
{
    fputs(user, out);
}

/* Reads the lines of today, and copies them to today. */
static void read_all(FILE *in, FILE *today, int64_t now_s, day_book_fn fn, void *user)
{
    struct day_games games;
    char line[LINE], name[NAME_SIZE];

    while (fgets(line, sizeof line, in) != NULL) {
        if (read_line(name, &games, line) && day_games_begun(&games, now_s) > 0) {
            fputs(line, today);
            fn(user, name, &games);
        }
    }
}

enum bg_status day_book_open(struct day_book *book, const char *path, int64_t now_s, day_book_fn fn,
                             void *user, struct bg_error *err)
{
    FILE *in = fopen(path, "re"), *out;
    char *today = NULL;
    size_t size = 0;
    enum bg_status status = BG_OK;

    book->fd = -1;
    if (in != NULL) {
        out = open_memstream(&today, &size);
        if (out != NULL) {
            read_all(in, out, now_s, fn, user);
        }
        status = out == NULL || fclose(out) != 0 ? bg_error_set(err, BG_E_MEMORY, "%s", path)
                                                 : durable_write(path, write_text, today, err);
        fclose(in);
        free(today);
    }
    if (status == BG_OK) {
        book->fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
        status =
            book->fd >= 0 ? BG_OK : bg_error_set(err, BG_E_SYSTEM, "%s: %s", path, strerror(errno));
    }
    return status;
}

void day_book_close(struct day_book *book)
{
    if (book->fd >= 0) {
        close(book->fd);
    }
    book->fd = -1;
}

enum bg_status day_book_add(const struct day_book *book, const char *name,
                            const struct day_games *games, struct bg_error *err)
{
    char line[LINE];
    int size = snprintf(line, sizeof line, "%s %" PRId64 " %d\n", name, games->day, games->begun);

    return book->fd < 0 || write(book->fd, line, (size_t)size) == size
               ? BG_OK
               : bg_error_set(err, BG_E_SYSTEM, "the games of today: %s", strerror(errno));
}
