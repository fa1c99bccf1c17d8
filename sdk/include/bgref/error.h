/* error.h - kinds of failures and how they are reported.
 *
 * There are three separate kinds. A caller's bug is an assert. A failure of the system (memory,
 * files, sockets, invalid text) is an enum bg_status and a sentence in struct bg_error. A bot's
 * mistake is an enum bg_fault: it is data, recorded and scored like any other step.
 */
#ifndef BGREF_ERROR_H
#define BGREF_ERROR_H

#include <bgref/api.h>

#ifdef __cplusplus
extern "C" {
#endif

enum bg_status {
    BG_OK = 0,
    BG_E_ARGUMENT, /* invalid value from the user (option, name, range) */
    BG_E_FORMAT,   /* bytes or text in a wrong format */
    BG_E_CONFIG,   /* an event or bots file is wrong; the text has file:line:key */
    BG_E_MEMORY,   /* no memory */
    BG_E_SYSTEM,   /* a call to the operating system failed */
    BG_E_LINK,     /* a socket or the message library failed */
    BG_E_STORE,    /* the results database failed */
    BG_E_BUSY,     /* the results database belongs to another running referee */
    BG_E_START,    /* a bot does not start */
    BG_E_REFUSED,  /* the other side refused; the text has its reason */
    BG_E_CLOSED,   /* the other side is gone or sent Goodbye */
    BG_E_TIMEOUT,  /* nothing arrived within the given time */
    BG_E_MISMATCH, /* a check or a verification failed */
    BG_STATUS_COUNT
};

/* The text of a failure: one line, lower case, no full stop, names the thing and its value
 * (`bind tcp://127.0.0.1:5555: address in use`). Always terminated; a longer text is cut. Always
 * UTF-8 without control and hidden characters: quoted ones are escaped (`\x1b`, `<U+202E>`), so
 * the text is safe to print. */
struct bg_error {
    enum bg_status status;
    char text[512];
};

/* Sets *err (which may be NULL) and returns status, so that a caller writes
 * `status = bg_error_set(err, BG_E_SYSTEM, "open %s: %s", path, strerror(errno));`. */
BG_API enum bg_status bg_error_set(struct bg_error *err, enum bg_status status, const char *format,
                                   ...) BG_PRINTF(3, 4);

/* Short fixed name of a status ("ok", "argument", ...). Static; never NULL. */
BG_API const char *bg_status_name(enum bg_status status);

/* Faults of bots. BG_FAULT_HOST is the referee's own failure and is charged to no bot. */
enum bg_fault {
    BG_FAULT_NONE = 0,
    BG_FAULT_ILLEGAL,   /* the answer breaks a rule */
    BG_FAULT_AMBIGUOUS, /* a merged move with several legal results */
    BG_FAULT_LATE,      /* the answer came after the time limit of the clock or the ceiling */
    BG_FAULT_GARBLED,   /* bytes that are not a message, or an answer that does not fit its decision
                         */
    BG_FAULT_OVERSIZED, /* a message above the limit given in Welcome */
    BG_FAULT_FLOOD,     /* more counted messages or bytes in a second than allowed */
    BG_FAULT_UNREAD,    /* the bot does not read its messages */
    BG_FAULT_ORDER,     /* an answer to a decision number that was never asked */
    BG_FAULT_CRASH,     /* the process ended */
    BG_FAULT_SILENT,    /* no answer, and the hard ceiling has passed */
    BG_FAULT_START,     /* refused start, or not ready in time */
    BG_FAULT_HOST,      /* the referee's own failure: the game is void and played again */
    BG_FAULT_MEMORY,    /* its processes hold more memory than allowed */
    BG_FAULT_GONE,      /* it left a match that had begun, and stayed away: the match is lost */
    BG_FAULT_COUNT
};

/* Short fixed name of a fault ("illegal", "late", ...). Static; never NULL. */
BG_API const char *bg_fault_name(enum bg_fault fault);

/* Returns the fault with this name, or BG_FAULT_NONE. */
BG_API enum bg_fault bg_fault_from_name(const char *name);

#ifdef __cplusplus
}
#endif
#endif
