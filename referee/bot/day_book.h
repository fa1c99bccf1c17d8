/* day_book.h - a file with the games that bots have begun today (day_games.h): "NAME DAY GAMES", a
 * line for each game; the last of a bot counts.
 *
 * Lines are added without waiting for the disk: they outlive the process, but not a power cut.
 */
#ifndef REFEREE_BOT_DAY_BOOK_H
#define REFEREE_BOT_DAY_BOOK_H

#include <bgref/error.h>

#include "day_games.h"

struct day_book {
    int fd; /* -1: closed */
};

/* What the file says of a bot; later lines replace earlier ones. begun: without `most`. */
typedef void (*day_book_fn)(void *user, const char *name, const struct day_games *begun);

/* Reads what is of today, drops the rest, and opens the file for more. BG_E_SYSTEM, BG_E_MEMORY;
 * a line that a power cut has torn is passed over. */
enum bg_status day_book_open(struct day_book *book, const char *path, int64_t now_s, day_book_fn fn,
                             void *user, struct bg_error *err);
void day_book_close(struct day_book *book);

/* BG_E_SYSTEM. */
enum bg_status day_book_add(const struct day_book *book, const char *name,
                            const struct day_games *games, struct bg_error *err);

#endif
