/* day_book.h - a file with the games that bots have begun today (day_games.h), which all events of
 * a host write: "NAME DAY GAMES", a line for each game; the last of a bot counts.
 *
 * A fixture takes a place of each of its bots before it begins, so events that begin games at the
 * same moment stay below the limit together: "NAME DAY PLACES OWNER" is how many places of the bot
 * an event (the owner) has taken for fixtures that have not begun. A place becomes a game, or is
 * given back; those of an event that was killed are given back by its host, or when either opens
 * the book again. A place counts whenever it was taken, a game on the day on which it begins.
 *
 * Who writes has locked the file, and has read what the others have written. Nobody keeps the lock
 * longer than a few lines take. Lines are added without waiting for the disk: they outlive the
 * process, but not a power cut.
 */
#ifndef REFEREE_BOT_DAY_BOOK_H
#define REFEREE_BOT_DAY_BOOK_H

#include <bgref/error.h>

#include "day_games.h"
#include "text/units.h"

/* The file's name in the host's folder. */
#define DAY_BOOK_OF_HOST "host.games"

enum { DAY_BOOK_PATH = 1200, DAY_BOOK_OWNER = 128, DAY_BOOK_DAMAGE = DAY_BOOK_PATH + 400 };

struct day_book_entry;

struct day_book {
    int fd; /* -1: closed */
    char path[DAY_BOOK_PATH], owner[DAY_BOOK_OWNER];
    int64_t read;                   /* so many bytes of the file are in the entries */
    bool is_torn;                   /* its last line has no end */
    int lines, bad_lines;           /* read; those that nobody of us has written */
    int first_bad;                  /* the first of these, from 1 */
    struct day_book_entry *entries; /* owned; of a bot and an owner, "" for its games */
    int count;
};

/* Opens a host's book, or that of an event with a door of its own: drops what is not of today, and
 * all places. BG_E_SYSTEM, BG_E_MEMORY, BG_E_ARGUMENT (a name is too long). A line that a power cut
 * has torn is passed over. So are other lines that are not ours, but then damage (of
 * DAY_BOOK_DAMAGE bytes, else "") has a text for the operator, and the file is kept beside the new
 * one. */
enum bg_status day_book_open(struct day_book *book, const char *path, int64_t now_s, char *damage,
                             struct bg_error *err);
/* Opens the book of the host for one of its events, and gives the owner's places back. The same
 * errors. */
enum bg_status day_book_join(struct day_book *book, const char *path, const char *owner,
                             struct bg_error *err);
/* Gives the book's own places back. A closed book is fine. */
void day_book_close(struct day_book *book);
/* The owner's process has ended: gives its places back. BG_E_SYSTEM, BG_E_MEMORY: it has them
 * still, and may be released again. */
enum bg_status day_book_release(struct day_book *book, const char *owner, struct bg_error *err);
/* Returns an owner that has places, from *at on (0 at first), and moves *at behind it; NULL: no
 * more. An owner comes once for each bot. Lent until the book is used. */
const char *day_book_holder(const struct day_book *book, int *at);

/* Reads what others have written. *has_news: they have. BG_E_SYSTEM, BG_E_MEMORY. */
enum bg_status day_book_read(bool *has_news, struct day_book *book, struct bg_error *err);

/* Returns the day of the bot's latest game, and how many it had begun on that day. */
struct day_games day_book_begun(const struct day_book *book, const char *name);
/* Returns how many places of the bot are taken, by all owners. */
int day_book_places(const struct day_book *book, const char *name);

/* A bot that wants a place. */
struct day_book_wish {
    const char *name;
    int most; /* games on a day */
};

/* Takes a place of each bot if each of them has one left. *has_taken: else none is taken.
 * BG_E_SYSTEM, BG_E_MEMORY. */
enum bg_status day_book_take(bool *has_taken, struct day_book *book,
                             const struct day_book_wish *wishes, int count, int64_t now_s,
                             struct bg_error *err);
/* A place is not needed. The same errors. */
enum bg_status day_book_give_back(struct day_book *book, const char *name, int64_t now_s,
                                  struct bg_error *err);
/* A game of the bot begins; has_place: for which a place was taken. The same errors. */
enum bg_status day_book_begin(struct day_book *book, const char *name, bool has_place,
                              int64_t now_s, struct bg_error *err);

#endif
