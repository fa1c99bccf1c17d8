#define _GNU_SOURCE /* open file description locks */
#include "day_book.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "durable.h"
#include "words/utc.h"

enum { LINE = 320, CHUNK = 8192, LINES_MOST = 2, DAY_S = 86400 };

/* The last line of a bot and an owner. */
struct day_book_entry {
    char name[NAME_SIZE], owner[DAY_BOOK_OWNER];
    struct day_games games; /* begun: also places */
};

static enum bg_status failed(const struct day_book *book, struct bg_error *err)
{
    return bg_error_set(err, BG_E_SYSTEM, "%s: %s", book->path, strerror(errno));
}

/* ------------------------------------------------------------------------ entries */

static struct day_book_entry *find(const struct day_book *book, const char *name, const char *owner)
{
    for (int i = 0; i < book->count; i++) {
        if (strcmp(book->entries[i].name, name) == 0 &&
            strcmp(book->entries[i].owner, owner) == 0) {
            return &book->entries[i];
        }
    }
    return NULL;
}

static bool note(struct day_book *book, const struct day_book_entry *entry)
{
    struct day_book_entry *known = find(book, entry->name, entry->owner), *grown;

    if (known != NULL) {
        *known = *entry;
        return true;
    }
    grown = realloc(book->entries, ((size_t)book->count + 1) * sizeof *grown);
    if (grown == NULL) {
        return false;
    }
    book->entries = grown;
    book->entries[book->count++] = *entry;
    return true;
}

/* Returns whether the line, without its end, is one of ours. */
static bool read_line(struct day_book_entry *out, const char *line, size_t size)
{
    int names, used = 0;

    *out = (struct day_book_entry){.games = {.most = 0}};
    names = sscanf(line, "%64s %" SCNd64 " %d%n %127[^ ]%n", out->name, &out->games.day,
                   &out->games.begun, &used, out->owner, &used);
    return names >= 3 && (size_t)used == size && name_is_valid(out->name) && out->games.begun >= 0;
}

/* Whether end_write has ended it: a torn line, which is part of one of ours. */
static bool was_torn(const char *line, size_t size)
{
    return size > 0 && line[size - 1] == ' ' && strlen(line) == size;
}

static void note_bad(struct day_book *book, int line)
{
    book->bad_lines++;
    book->first_bad = book->first_bad == 0 ? line : book->first_bad;
}

/* Takes a line, without its end. False: out of memory. */
static bool take_line(struct day_book *book, const char *line, size_t size)
{
    struct day_book_entry entry;

    book->lines++;
    if (read_line(&entry, line, size)) {
        return note(book, &entry);
    }
    if (!was_torn(line, size)) {
        note_bad(book, book->lines);
    }
    return true;
}

static int write_line(char out[LINE], const struct day_book_entry *entry)
{
    return snprintf(out, LINE, "%s %" PRId64 " %d%s%s\n", entry->name, entry->games.day,
                    entry->games.begun, entry->owner[0] == '\0' ? "" : " ", entry->owner);
}

static int count_of(const struct day_book_entry *entry, int64_t now_s)
{
    return entry == NULL ? 0 : day_games_begun(&entry->games, now_s);
}

struct day_games day_book_begun(const struct day_book *book, const char *name)
{
    const struct day_games none = {.most = 0};
    const struct day_book_entry *entry = find(book, name, "");

    return entry == NULL ? none : entry->games;
}

int day_book_places(const struct day_book *book, const char *name)
{
    int places = 0;

    for (int i = 0; i < book->count; i++) {
        const struct day_book_entry *entry = &book->entries[i];

        if (entry->owner[0] != '\0' && strcmp(entry->name, name) == 0) {
            places += entry->games.begun;
        }
    }
    return places;
}

/* ------------------------------------------------------------------------ the file */

static enum bg_status read_rest(bool *has_news, struct day_book *book, struct bg_error *err)
{
    char text[CHUNK + 1];
    ssize_t size;

    while ((size = pread(book->fd, text, CHUNK, book->read)) > 0) {
        char *line = text, *end;

        text[size] = '\0';
        while ((end = memchr(line, '\n', (size_t)(text + size - line))) != NULL) {
            *end = '\0';
            if (!take_line(book, line, (size_t)(end - line))) {
                return bg_error_set(err, BG_E_MEMORY, "%s", book->path);
            }
            line = end + 1;
            *has_news = true;
        }
        if (line == text && size < CHUNK) {
            break; /* no whole line more */
        }
        if (line == text) { /* longer than any of ours */
            note_bad(book, book->lines + 1);
        }
        book->read += line == text ? size : line - text;
    }
    book->is_torn = size > 0;
    return size < 0 ? failed(book, err) : BG_OK;
}

static enum bg_status open_file(struct day_book *book, struct bg_error *err)
{
    book->fd = open(book->path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    book->read = 0;
    book->count = 0;
    book->lines = book->bad_lines = book->first_bad = 0;
    return book->fd >= 0 ? BG_OK : failed(book, err);
}

static enum bg_status lock(const struct day_book *book, short type, struct bg_error *err)
{
    struct flock all = {.l_type = type, .l_whence = SEEK_SET};
    int result;

    do {
        result = fcntl(book->fd, F_OFD_SETLKW, &all);
    } while (result != 0 && errno == EINTR);
    return result == 0 ? BG_OK : failed(book, err);
}

static void unlock(const struct day_book *book)
{
    (void)lock(book, F_UNLCK, NULL);
}

/* A host that opens the book writes a new file in its place: then this one has no name any more. */
static bool is_replaced(const struct day_book *book)
{
    struct stat about;

    return fstat(book->fd, &about) == 0 && about.st_nlink == 0;
}

/* Locks the file, and reads what the others have written. */
static enum bg_status begin_write(struct day_book *book, struct bg_error *err)
{
    bool has_news = false;
    enum bg_status status = book->fd < 0 ? open_file(book, err) : BG_OK; /* it failed before */

    status = status == BG_OK ? lock(book, F_WRLCK, err) : status;
    while (status == BG_OK && is_replaced(book)) {
        close(book->fd);
        status = open_file(book, err);
        status = status == BG_OK ? lock(book, F_WRLCK, err) : status;
    }
    return status == BG_OK ? read_rest(&has_news, book, err) : status;
}

/* Writes the lines of these entries, at once, and unlocks. */
static enum bg_status end_write(struct day_book *book, const struct day_book_entry *entries,
                                int count, struct bg_error *err)
{
    char text[3 + LINES_MOST * LINE] = "";
    /* The space makes a torn line invalid, also where it looks like a whole one. */
    int size = book->is_torn ? snprintf(text, sizeof text, " \n") : 0;
    bool has_news = false;
    enum bg_status status = BG_OK;

    for (int i = 0; i < count; i++) {
        size += write_line(text + size, &entries[i]);
        if (!note(book, &entries[i])) {
            status = bg_error_set(err, BG_E_MEMORY, "%s", book->path);
        }
    }
    if (count > 0 && write(book->fd, text, (size_t)size) != size) {
        status = failed(book, err);
    } else if (status == BG_OK) {
        status = read_rest(&has_news, book, err);
    }
    unlock(book);
    return status;
}

enum bg_status day_book_read(bool *has_news, struct day_book *book, struct bg_error *err)
{
    struct stat about;
    enum bg_status status = BG_OK;

    *has_news = false;
    if (book->path[0] != '\0' &&
        (fstat(book->fd, &about) != 0 || about.st_nlink == 0 || about.st_size != book->read)) {
        *has_news = true;
        status = begin_write(book, err);
        unlock(book);
    }
    return status;
}

/* ------------------------------------------------------------------------ opening */

static enum bg_status set_names(struct day_book *book, const char *path, const char *owner,
                                struct bg_error *err)
{
    *book = (struct day_book){.fd = -1};
    if (snprintf(book->path, sizeof book->path, "%s", path) >= DAY_BOOK_PATH ||
        snprintf(book->owner, sizeof book->owner, "%s", owner) >= DAY_BOOK_OWNER) {
        return bg_error_set(err, BG_E_ARGUMENT, "%.100s: too long a name", path);
    }
    return open_file(book, err);
}

/* What stays of a book on a new day of a host. */
struct today {
    const struct day_book *book;
    int64_t now_s;
};

static void write_today(FILE *out, const void *user)
{
    const struct today *today = user;
    char line[LINE];

    for (int i = 0; i < today->book->count; i++) {
        const struct day_book_entry *entry = &today->book->entries[i];

        if (entry->owner[0] == '\0' && count_of(entry, today->now_s) > 0) {
            write_line(line, entry);
            fputs(line, out);
        }
    }
}

/* A torn line is the beginning of one of ours. */
static void look_at_end(struct day_book *book)
{
    char text[LINE + 1];
    ssize_t size = book->is_torn ? pread(book->fd, text, sizeof text, book->read) : 0;
    bool is_ours = size <= LINE;

    for (ssize_t i = 0; i < size && is_ours; i++) {
        is_ours = text[i] >= ' ' && text[i] <= '~';
    }
    if (!is_ours) {
        note_bad(book, book->lines + 1);
    }
}

static void write_copy(FILE *out, const void *user)
{
    const struct day_book *book = user;
    char text[CHUNK];
    off_t at = 0;
    ssize_t size;

    while ((size = pread(book->fd, text, sizeof text, at)) > 0) {
        fwrite(text, 1, (size_t)size, out);
        at += size;
    }
}

/* The operator may count again what was in the lines that we cannot read. */
static enum bg_status keep_damaged(const struct day_book *book, int64_t now_s, char *damage,
                                   struct bg_error *err)
{
    char path[DAY_BOOK_PATH + 64], at[UTC_TEXT];
    enum bg_status status;

    utc_write(at, now_s);
    snprintf(path, sizeof path, "%s.damaged-%s", book->path, at);
    status = durable_write(path, write_copy, book, err);
    if (status == BG_OK) {
        snprintf(damage, DAY_BOOK_DAMAGE,
                 "%s:%d: not a line of the book of games: it is damaged (lines like this: %d); "
                 "what they said is not counted, so bots with games_a_day may play more today; "
                 "the damaged file is kept as %s",
                 book->path, book->first_bad, book->bad_lines,
                 strrchr(path, '/') == NULL ? path : strrchr(path, '/') + 1);
    }
    return status;
}

enum bg_status day_book_open(struct day_book *book, const char *path, int64_t now_s, char *damage,
                             struct bg_error *err)
{
    const struct today today = {book, now_s};
    enum bg_status status = set_names(book, path, "-", err);

    damage[0] = '\0';
    if (status == BG_OK) {
        status = begin_write(book, err);
        look_at_end(book);
    }
    if (status == BG_OK && book->bad_lines > 0) {
        status = keep_damaged(book, now_s, damage, err);
    }
    if (status == BG_OK) {
        status = durable_write(path, write_today, &today, err);
    }
    if (status == BG_OK) { /* the new file */
        status = begin_write(book, err);
        unlock(book);
    }
    if (status != BG_OK) {
        day_book_close(book);
    }
    return status;
}

enum bg_status day_book_release(struct day_book *book, const char *owner, struct bg_error *err)
{
    enum bg_status status = begin_write(book, err);

    for (int i = 0; i < book->count && status == BG_OK; i++) {
        struct day_book_entry entry = book->entries[i];
        const int places = entry.games.begun;

        if (strcmp(entry.owner, owner) == 0 && places > 0) {
            entry.games.begun = 0;
            status = end_write(book, &entry, 1, err);
            if (status != BG_OK) { /* the file still says so: the next release writes it */
                book->entries[i].games.begun = places;
            }
            status = status == BG_OK ? begin_write(book, err) : status;
        }
    }
    unlock(book);
    return status;
}

enum bg_status day_book_join(struct day_book *book, const char *path, const char *owner,
                             struct bg_error *err)
{
    enum bg_status status = set_names(book, path, owner, err);

    status = status == BG_OK ? day_book_release(book, owner, err) : status;
    if (status != BG_OK) {
        day_book_close(book);
    }
    return status;
}

void day_book_close(struct day_book *book)
{
    if (book->fd >= 0) {
        (void)day_book_release(book, book->owner, NULL);
        close(book->fd);
    }
    free(book->entries);
    *book = (struct day_book){.fd = -1};
}

const char *day_book_holder(const struct day_book *book, int *at)
{
    while (*at < book->count) {
        const struct day_book_entry *entry = &book->entries[(*at)++];

        if (entry->owner[0] != '\0' && entry->games.begun > 0) {
            return entry->owner;
        }
    }
    return NULL;
}

/* ------------------------------------------------------------------------ places and games */

/* What the entry says after a game more, or so many places more. */
static struct day_book_entry changed(const struct day_book *book, const char *name,
                                     const char *owner, int by, int64_t now_s)
{
    const struct day_book_entry *known = find(book, name, owner);
    struct day_book_entry entry = {.games = {.most = 0}};

    if (known != NULL) {
        entry = *known;
    } else {
        snprintf(entry.name, sizeof entry.name, "%s", name);
        snprintf(entry.owner, sizeof entry.owner, "%s", owner);
    }
    if (owner[0] == '\0') {
        day_games_begin(&entry.games, now_s);
    } else {
        entry.games.day = day_games_next(now_s) / DAY_S - 1;
        entry.games.begun += entry.games.begun + by < 0 ? 0 : by;
    }
    return entry;
}

static bool has_place(const struct day_book *book, const struct day_book_wish *wish, int64_t now_s)
{
    return count_of(find(book, wish->name, ""), now_s) + day_book_places(book, wish->name) <
           wish->most;
}

enum bg_status day_book_take(bool *has_taken, struct day_book *book,
                             const struct day_book_wish *wishes, int count, int64_t now_s,
                             struct bg_error *err)
{
    struct day_book_entry entries[LINES_MOST];
    enum bg_status status = begin_write(book, err);

    *has_taken = status == BG_OK && count <= LINES_MOST;
    for (int i = 0; i < count && *has_taken; i++) {
        *has_taken = has_place(book, &wishes[i], now_s);
        entries[i] = changed(book, wishes[i].name, book->owner, 1, now_s);
    }
    if (status == BG_OK && *has_taken) {
        return end_write(book, entries, count, err);
    }
    unlock(book);
    return status;
}

enum bg_status day_book_give_back(struct day_book *book, const char *name, int64_t now_s,
                                  struct bg_error *err)
{
    struct day_book_entry entry;
    enum bg_status status = begin_write(book, err);

    if (status != BG_OK) {
        unlock(book);
        return status;
    }
    entry = changed(book, name, book->owner, -1, now_s);
    return end_write(book, &entry, 1, err);
}

enum bg_status day_book_begin(struct day_book *book, const char *name, bool has_place,
                              int64_t now_s, struct bg_error *err)
{
    struct day_book_entry entries[LINES_MOST];
    enum bg_status status = begin_write(book, err);

    if (status != BG_OK) {
        unlock(book);
        return status;
    }
    entries[0] = changed(book, name, "", 1, now_s);
    entries[1] = changed(book, name, book->owner, -1, now_s);
    return end_write(book, entries, has_place ? 2 : 1, err);
}
