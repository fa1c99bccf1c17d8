/* gate.h - who is kept out: a file that a host writes and the doors of its events read.
 *
 * The host owns the file and takes out what is over, so a reader needs no clock. It holds no
 * secret. One line each, words after TABs:
 *     bgref-gate 1
 *     ban  KIND  WHAT  UNTIL  REASON     KIND: name, key, from; UNTIL: seconds since 1970, 0 none
 *     kick NUMBER NAME                   the connection of this bot ends once; numbers grow
 */
#ifndef HOST_DOOR_GATE_H
#define HOST_DOOR_GATE_H

#include <bgref/error.h>

#include <stdint.h>
#include <stdio.h>

#include "proof/key_pair.h"
#include "base/cidr.h"

/* The file's name in the host's folder. */
#define HOST_GATE "host.gate"

enum {
    GATE_BANS = 1000,
    GATE_WHAT = KEY_FILE_DIGITS, /* the longest: a key */
    GATE_REASON = 200
};

enum gate_kind { GATE_NAME, GATE_KEY, GATE_FROM, GATE_KINDS };

struct gate_ban {
    enum gate_kind kind;
    char what[GATE_WHAT];     /* a name, a key's digits (small letters), a network as cidr_write */
    int64_t until_s;          /* seconds since 1970; 0: without end */
    char reason[GATE_REASON]; /* one clean line */
};

struct gate {
    struct gate_ban *bans; /* owned; in the order in which they were made */
    size_t room;
    int ban_count;
    uint64_t kick_number; /* of the last kick; 0: there was none */
    char kicked[KEY_FILE_NAME];
};

void gate_deinit(struct gate *gate);

/* Reads what a ban is about: a network has '/', ':' or only digits and dots; 64 hexadecimal digits
 * are a key; the rest is a bot's name. Sets kind and what. BG_E_ARGUMENT. */
enum bg_status gate_read_what(struct gate_ban *out, const char *text, struct bg_error *err);
/* The word of a kind: "name", "key", "from". */
const char *gate_word(enum gate_kind kind);

/* Adds a ban; one of the same kind and what is replaced. BG_E_ARGUMENT: there are too many. */
enum bg_status gate_add(struct gate *gate, const struct gate_ban *ban, struct bg_error *err);
/* Takes a ban out. Returns false if there is none. */
bool gate_remove(struct gate *gate, enum gate_kind kind, const char *what);
/* Takes out one ban whose end has come by now_s, and returns it in *out. False: there is none. */
bool gate_expire(struct gate_ban *out, struct gate *gate, int64_t now_s);
/* Returns the next end of a ban, 0: none has one. */
int64_t gate_due(const struct gate *gate);

/* Returns the ban of a bot by its name or its key (digits in small letters), or NULL. Lent. */
const struct gate_ban *gate_find(const struct gate *gate, const char *name, const char *hex);

/* Reads the file; one that is not there is an empty gate. BG_E_FORMAT, BG_E_SYSTEM: *out is empty.
 */
enum bg_status gate_load(struct gate *out, const char *path, struct bg_error *err);
/* The same from a stream; where: for messages. */
enum bg_status gate_read(struct gate *out, FILE *in, const char *where, struct bg_error *err);
/* Writes the file; it is replaced as a whole, durably. BG_E_SYSTEM. */
enum bg_status gate_save(const struct gate *gate, const char *path, struct bg_error *err);

#endif
