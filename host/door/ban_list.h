/* ban_list.h - who is kept out: a file that a host writes and the doors of its events read.
 *
 * The host owns the file and takes out what is over, so a reader needs no clock. It holds no
 * secret. One line each, words after TABs:
 *     bgref-gate 1
 *     ban  KIND  WHAT  UNTIL  REASON     KIND: name, key, from; UNTIL: seconds since 1970, 0 none
 *     kick NUMBER NAME                   the connection of this bot ends once; numbers grow
 */
#ifndef HOST_DOOR_BAN_LIST_H
#define HOST_DOOR_BAN_LIST_H

#include <bgref/error.h>

#include <stdint.h>
#include <stdio.h>

#include "bot/competitor.h"
#include "inside.h"
#include "loop/loop.h"
#include "proof/key_pair.h"
#include "base/cidr.h"

/* The file's name in the host's folder. */
#define BAN_LIST_OF_HOST "host.gate"

enum {
    BAN_LIST_MOST = 1000,
    BAN_WHAT = KEY_FILE_DIGITS, /* the longest: a key */
    BAN_REASON = 200
};

enum ban_kind { BAN_NAME, BAN_KEY, BAN_FROM, BAN_KINDS };

struct ban {
    enum ban_kind kind;
    char what[BAN_WHAT];     /* a name, a key's digits (small letters), a network as cidr_write */
    int64_t until_s;         /* seconds since 1970; 0: without end */
    char reason[BAN_REASON]; /* one clean line */
};

struct ban_list {
    struct ban *list; /* owned; in the order in which they were made */
    size_t room;
    int count;
    uint64_t kick_number; /* of the last kick; 0: there was none */
    char kicked[KEY_FILE_NAME];
};

void ban_list_deinit(struct ban_list *bans);

/* Reads what a ban is about: a network has '/', ':' or only digits and dots; 64 hexadecimal digits
 * are a key; the rest is a bot's name. Sets kind and what. BG_E_ARGUMENT. */
enum bg_status ban_read_what(struct ban *out, const char *text, struct bg_error *err);
/* The word of a kind: "name", "key", "from". */
const char *ban_word(enum ban_kind kind);

/* Adds a ban; one of the same kind and what is replaced. BG_E_ARGUMENT: there are too many. */
enum bg_status ban_list_add(struct ban_list *bans, const struct ban *ban, struct bg_error *err);
/* Takes a ban out. Returns false if there is none. */
bool ban_list_remove(struct ban_list *bans, enum ban_kind kind, const char *what);
/* Takes out one ban whose end has come by now_s, and returns it in *out. False: there is none. */
bool ban_list_expire(struct ban *out, struct ban_list *bans, int64_t now_s);
/* Returns the next end of a ban, 0: none has one. */
int64_t ban_list_due(const struct ban_list *bans);

/* Returns the ban of a bot by its name or its key (digits in small letters), or NULL. Lent. */
const struct ban *ban_list_find(const struct ban_list *bans, const char *name, const char *hex);

/* Reads the file; one that is not there is an empty bans. BG_E_FORMAT, BG_E_SYSTEM: *out is empty.
 */
enum bg_status ban_list_load(struct ban_list *out, const char *path, struct bg_error *err);
/* The same from a stream; where: for messages. */
enum bg_status ban_list_read(struct ban_list *out, FILE *in, const char *where,
                             struct bg_error *err);
/* Writes the file; it is replaced as a whole, durably. BG_E_SYSTEM. */
enum bg_status ban_list_save(const struct ban_list *bans, const char *path, struct bg_error *err);

/* Keeps the processes of a door informed: when the host replaces the file, this notices it at once,
 * and the messages of inside.h follow. */
struct ban_watch {
    const char *path;  /* lent; "" nobody is kept out */
    struct loop *loop; /* lent, as are these */
    const struct competitor *bots;
    int bot_count;
    loop_fn changed; /* the file has been read again: both processes are to be told */
    void *user;
    struct ban_list bans; /* owned */
    uint64_t kick_known;  /* the last kick that was sent */
    int fd;               /* of inotify; -1 none */
};

/* Reads the file and begins to watch it. The fields before `bans` are set. On failure nothing is
 * left to close. BG_E_FORMAT, BG_E_SYSTEM. */
enum bg_status ban_watch_open(struct ban_watch *watch, struct bg_error *err);
/* Reads the file now, when the caller knows that it was replaced. */
void ban_watch_refresh(struct ban_watch *watch);
/* A zeroed one with fd -1 is fine. */
void ban_watch_close(struct ban_watch *watch);

/* Send all that holds now. */
void ban_watch_tell_gateway(struct ban_watch *watch, struct inside_queue *out);
void ban_watch_tell_doorman(const struct ban_watch *watch, struct inside_queue *out);

#endif
