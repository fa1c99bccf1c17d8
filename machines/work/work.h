/* work.h - the messages between the coordinator of an event and its workers, as bytes.
 *
 * Reads and writes what proto/bgref_work.proto describes, whose structs (bgref_work.pb-c.h) are
 * used as they are. Everything read comes from another machine: what passes has known numbers,
 * names in their alphabets, keys and hashes of their sizes, and texts without surprises, so callers
 * check only what it means.
 */
#ifndef MACHINES_WORK_WORK_H
#define MACHINES_WORK_WORK_H

#include <bgref/error.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bgref_work.pb-c.h"
#include "store/store.h"

enum {
    WORK_FORMAT = 1,
    WORK_EVENT = 13, /* an event's id, with the terminator */
    WORK_NAME = 33,  /* of a worker or a class: [A-Za-z0-9_-] */
    WORK_SUBJECT = 160,
    WORK_ITEM_BYTES = 64 * 1024, /* of an item, most */
    WORK_BYTES = 900 * 1024,     /* of any message, most */
    WORK_INFLATED = 8 << 20,     /* of a message that was deflated, most */
    WORK_EVIDENCE = 128 * 1024,  /* of one game's evidence, most */
    WORK_UNITS = 500             /* of one item, most */
};

/* ------------------------------------------------------------------ names */

bool work_name_is(const char *text); /* of a worker or a class */

/* What follows the first token or tokens of a subject: "bgref.w.E.C.P.FIRST.COUNT" of an item,
 * "bgref.r.E.W.P.FIRST.COUNT" of its results. P: 16 hex digits of BLAKE2b-256 of "A|B". */
struct work_place {
    char event[WORK_EVENT], token[WORK_NAME]; /* the class, or the worker */
    char pairing[17];
    uint64_t first, count; /* pairs */
};

void work_pairing(char out[17], const char *a, const char *b);
/* kind: 'w' or 'r'. */
void work_subject(char out[WORK_SUBJECT], char kind, const struct work_place *place);
bool work_place_read(struct work_place *out, char kind, const char *subject);
/* The worker of "bgref.beat.E.W" or "bgref.have.E.W" (kind: "beat", "have"); false: another
 * subject. */
bool work_sender(char out[WORK_NAME], const char *kind, const char *subject);

/* ------------------------------------------------------------------ bytes */

/* Pack a message; the caller frees the result. Over 1 KiB it is deflated. */
uint8_t *work_pack(size_t *size, const ProtobufCMessage *message);

/* Read one and check it: free it by work_free. BG_E_FORMAT: the message has the field that is
 * wrong. */
enum bg_status work_read_event(Bgref__Work__V1__Event **out, const void *bytes, size_t size,
                               struct bg_error *err);
enum bg_status work_read_item(Bgref__Work__V1__Item **out, const void *bytes, size_t size,
                              struct bg_error *err);
enum bg_status work_read_results(Bgref__Work__V1__Results **out, const void *bytes, size_t size,
                                 struct bg_error *err);
enum bg_status work_read_request(Bgref__Work__V1__HaveRequest **out, const void *bytes, size_t size,
                                 struct bg_error *err);
enum bg_status work_read_answer(Bgref__Work__V1__HaveAnswer **out, const void *bytes, size_t size,
                                struct bg_error *err);
enum bg_status work_read_beat(Bgref__Work__V1__Beat **out, const void *bytes, size_t size,
                              struct bg_error *err);
/* Frees a message that was read. NULL is fine. */
void work_free(ProtobufCMessage *message);
#define WORK_FREE(message) work_free((message) == NULL ? NULL : &(message)->base)

/* ------------------------------------------------------------------ games */

/* Makes a message of a finished game; everything is lent from game and from prev (RECORD_HASH,
 * "" none), except what work_game_deinit frees. message: of its fault; "" none. */
void work_game_of(Bgref__Work__V1__Game *out, const struct store_game *game, const char *prev,
                  const char *message);
void work_game_deinit(Bgref__Work__V1__Game *message);
/* The other way: a and b are the pairing's names; the caller owns the game. */
struct store_game *work_game_read(const Bgref__Work__V1__Game *message, const char *a,
                                  const char *b);

#endif
