/* Positions to value come in lists and are answered as one list, but a bot may answer them in
 * any order, and lists may overlap. So each position has a number of the client's: which list,
 * and which place in it. */
#include "requests.h"

#include <assert.h>
#include <stdlib.h>

enum { ITEM_BITS = 8 };

static_assert(WIRE_EVALUATE_MAX <= 1 << ITEM_BITS, "");

static void request_free(struct request *request)
{
    if (request != NULL) {
        free(request->values);
        free(request->has);
        free(request);
    }
}

void requests_deinit(struct requests *requests)
{
    while (requests->first != NULL) {
        requests_remove(requests, requests->first);
    }
}

enum bg_status requests_add(struct requests *requests, const struct wire_message *message,
                            struct bg_error *err)
{
    struct request *request = calloc(1, sizeof *request);

    if (request == NULL ||
        (request->values = calloc(message->count, sizeof *request->values)) == NULL ||
        (request->has = calloc(message->count, sizeof *request->has)) == NULL) {
        request_free(request);
        return bg_error_set(err, BG_E_MEMORY, "%zu positions to be valued", message->count);
    }
    request->number = message->number;
    /* Not the referee's number: that may come twice, a serial never does. */
    request->serial = ++requests->serials;
    request->count = message->count;
    request->next = requests->first;
    requests->first = request;
    return BG_OK;
}

/* The newest list is the first: its positions are lent next. */
uint64_t requests_token(const struct requests *requests, size_t i)
{
    return requests->first->serial << ITEM_BITS | i;
}

static struct request *find_request(const struct requests *requests, uint64_t serial)
{
    struct request *request = requests->first;

    while (request != NULL && request->serial != serial) {
        request = request->next;
    }
    return request;
}

enum bg_status requests_answer(struct request **done, struct requests *requests, uint64_t token,
                               const struct bg_value *value, struct bg_error *err)
{
    struct request *request = find_request(requests, token >> ITEM_BITS);
    size_t i = token & ((1 << ITEM_BITS) - 1);

    if (request == NULL || i >= request->count || request->has[i]) {
        return bg_error_set(err, BG_E_ARGUMENT, "position to be valued: answered before");
    }
    request->values[i] = *value;
    request->has[i] = true;
    request->answered++;
    *done = request->answered == request->count ? request : NULL;
    return BG_OK;
}

void requests_remove(struct requests *requests, struct request *request)
{
    struct request **place = &requests->first;

    while (*place != request) {
        place = &(*place)->next;
    }
    *place = request->next;
    request_free(request);
}
