/* requests.h - requests of the referee to value positions, and the values so far.
 *
 * A request is a list of positions that is answered as a whole. The bot gets its positions one by
 * one and answers them in any order; each ask has a token as its decision number.
 */
#ifndef SDK_CLIENT_REQUESTS_H
#define SDK_CLIENT_REQUESTS_H

#include "wire/wire.h"

struct request {
    uint64_t number; /* the referee's number */
    uint64_t serial; /* the client's number, from 1 */
    size_t count, answered;
    struct bg_value *values; /* count of them; owned */
    bool *has;               /* count of them; owned */
    struct request *next;
};

/* Starts as {0}. */
struct requests {
    struct request *first; /* owned; newest first */
    uint64_t serials;
};

void requests_deinit(struct requests *requests);

/* Opens the request in message. BG_E_MEMORY. */
enum bg_status requests_add(struct requests *requests, const struct wire_message *message,
                            struct bg_error *err);

/* Returns the value of ask.decision for position i of the latest request. */
uint64_t requests_token(const struct requests *requests, size_t i);

/* Stores one value. Sets *done to the request if this was its last missing value, else to NULL.
 * BG_E_ARGUMENT: unknown token, or its position was answered before. */
enum bg_status requests_answer(struct request **done, struct requests *requests, uint64_t token,
                               const struct bg_value *value, struct bg_error *err);

/* Closes and frees request. */
void requests_remove(struct requests *requests, struct request *request);

#endif
