/* Texts are checked by the descriptors, so no field of a later build is forgotten; numbers by name,
 * because only their meaning bounds them. */
#include "work_check.h"

#include <string.h>

#include <bgref/dice.h>
#include <bgref/match.h>
#include <rules/clean.h>

#include "base/units.h"
#include "terms_digest.h"

enum { DEPTH = 4, GAMES_MOST = 100000, LEGS = 2 };

static enum bg_status wrong(struct bg_error *err, const char *message, const char *field)
{
    return bg_error_set(err, BG_E_FORMAT, "%s: field %s has a wrong value", message, field);
}

/* ------------------------------------------------------------------ texts */

/* The place of a field in an unpacked message, as protobuf-c lays it out. */
static const void *member(const ProtobufCMessage *message, unsigned offset)
{
    return (const char *)message + offset;
}

static enum bg_status check_message(const ProtobufCMessage *message, int depth,
                                    struct bg_error *err);

static enum bg_status check_field(const ProtobufCMessage *message,
                                  const ProtobufCFieldDescriptor *field, int depth,
                                  struct bg_error *err)
{
    const bool is_list = field->label == PROTOBUF_C_LABEL_REPEATED;
    const void *first = member(message, field->offset);
    const size_t count =
        is_list ? *(const size_t *)member(message, field->quantifier_offset) : (size_t)1;
    void *const *list = is_list ? *(void *const *const *)first : (void *const *)first;
    enum bg_status status = BG_OK;

    for (size_t i = 0; i < count && status == BG_OK; i++) {
        if (list[i] == NULL) {
            continue; /* a message that is not there */
        }
        if (field->type == PROTOBUF_C_TYPE_MESSAGE) {
            status = check_message(list[i], depth + 1, err);
        } else {
            const char *text = list[i];
            const size_t size = strlen(text);

            status = clean_find(text, size, CLEAN_TEXT) == size
                         ? BG_OK
                         : wrong(err, message->descriptor->short_name, field->name);
        }
    }
    return status;
}

static enum bg_status check_message(const ProtobufCMessage *message, int depth,
                                    struct bg_error *err)
{
    const ProtobufCMessageDescriptor *kind = message->descriptor;
    enum bg_status status = depth < DEPTH ? BG_OK : wrong(err, kind->short_name, "depth");

    for (unsigned i = 0; i < kind->n_fields && status == BG_OK; i++) {
        const ProtobufCFieldDescriptor *field = &kind->fields[i];

        if (field->type == PROTOBUF_C_TYPE_STRING || field->type == PROTOBUF_C_TYPE_MESSAGE) {
            status = check_field(message, field, depth, err);
        }
    }
    return status;
}

enum bg_status work_check_texts(const ProtobufCMessage *message, struct bg_error *err)
{
    return check_message(message, 0, err);
}

/* ------------------------------------------------------------------ parts */

static bool is_digits(const char *text, size_t length)
{
    return strlen(text) == length && strspn(text, "0123456789abcdef") == length;
}

static bool is_event(uint32_t format, const char *event)
{
    return format == WORK_FORMAT && is_digits(event, WORK_EVENT - 1);
}

static bool are_bots(const char *a, const char *b)
{
    return name_is_valid(a) && name_is_valid(b) && strcmp(a, b) < 0;
}

static bool are_offered(Bgref__Work__V1__Bot *const *bots, size_t count)
{
    bool is_right = true;

    for (size_t i = 0; i < count && is_right; i++) {
        is_right = name_is_valid(bots[i]->name);
    }
    return is_right;
}

static bool is_unit(const Bgref__Work__V1__Unit *unit, bool has_key)
{
    return unit->n_legs >= 1 && unit->n_legs <= LEGS && unit->legs[0] < LEGS &&
           (unit->n_legs == 1 || (unit->legs[0] == 0 && unit->legs[1] == 1)) &&
           unit->key.len == (has_key ? (size_t)BG_KEY_BYTES : (size_t)0);
}

/* has_keys: it comes from the coordinator; a question about an item names its units only. */
static enum bg_status check_item(const Bgref__Work__V1__Item *item, bool has_keys,
                                 struct bg_error *err)
{
    bool are_units = item->n_units >= 1 && item->n_units <= WORK_UNITS;

    if (!is_event(item->format, item->event)) {
        return wrong(err, "Item", "format or event");
    }
    if (item->terms.len != TERMS_DIGEST || !are_bots(item->a, item->b)) {
        return wrong(err, "Item", "terms, a or b");
    }
    for (size_t i = 0; i < item->n_units && are_units; i++) {
        are_units = is_unit(item->units[i], has_keys);
    }
    return are_units ? BG_OK : wrong(err, "Item", "units");
}

static bool is_result(const Bgref__Work__V1__Game *game)
{
    return game->winner >= -1 && game->winner <= 1 && game->match_winner >= -1 &&
           game->match_winner <= 1 && game->points >= 0 && game->level >= 0 &&
           game->end > BG_END_NONE && game->end < BG_END_COUNT && game->fault >= 0 &&
           game->fault < BG_FAULT_COUNT && game->turns >= 0 && game->length_points >= 0;
}

static bool is_game(const Bgref__Work__V1__Game *game, const char *a, const char *b)
{
    const Bgref__Work__V1__Evidence *evidence = game->evidence;

    return game->leg < LEGS && game->game < GAMES_MOST && game->text.len > 0 &&
           is_digits(game->hash, RECORD_HASH - 1) &&
           (game->prev[0] == '\0' || is_digits(game->prev, RECORD_HASH - 1)) && is_result(game) &&
           (evidence == NULL ||
            ((strcmp(evidence->bot, a) == 0 || strcmp(evidence->bot, b) == 0) &&
             evidence->fault > BG_FAULT_NONE && evidence->fault < BG_FAULT_COUNT));
}

/* ------------------------------------------------------------------ messages */

/* Reads a message of this kind into *out, then checks it by `check`. */
#define READ(out, kind, check)                                                                     \
    do {                                                                                           \
        ProtobufCMessage *read = NULL;                                                             \
        enum bg_status status =                                                                    \
            work_read(&read, &bgref__work__v1__##kind##__descriptor, bytes, size, err);            \
                                                                                                   \
        *(out) = (void *)read;                                                                     \
        if (status == BG_OK) {                                                                     \
            status = (check);                                                                      \
        }                                                                                          \
        if (status != BG_OK) {                                                                     \
            work_free(read);                                                                       \
            *(out) = NULL;                                                                         \
        }                                                                                          \
        return status;                                                                             \
    } while (0)

static enum bg_status check_event(const Bgref__Work__V1__Event *event, struct bg_error *err)
{
    return !is_event(event->format, event->event)          ? wrong(err, "Event", "format or event")
           : !name_is_valid(event->name)                   ? wrong(err, "Event", "name")
           : event->id_key.len != BG_KEY_BYTES             ? wrong(err, "Event", "id_key")
           : !is_digits(event->key_digest, BG_KEY_HEX - 1) ? wrong(err, "Event", "key_digest")
           : !are_offered(event->bots, event->n_bots)      ? wrong(err, "Event", "bots")
           : event->limits == NULL                         ? wrong(err, "Event", "limits")
                                                           : BG_OK;
}

static enum bg_status check_results(const Bgref__Work__V1__Results *results, struct bg_error *err)
{
    bool are_games = results->n_games >= 1 && results->busy_ns >= 0;

    if (!is_event(results->format, results->event)) {
        return wrong(err, "Results", "format or event");
    }
    if (results->terms.len != TERMS_DIGEST || !are_bots(results->a, results->b)) {
        return wrong(err, "Results", "terms, a or b");
    }
    for (size_t i = 0; i < results->n_games && are_games; i++) {
        are_games = is_game(results->games[i], results->a, results->b);
    }
    return are_games ? BG_OK : wrong(err, "Results", "games");
}

static enum bg_status check_answer(const Bgref__Work__V1__HaveAnswer *answer, struct bg_error *err)
{
    bool are_legs = answer->terms.len == TERMS_DIGEST;

    for (size_t i = 0; i < answer->n_legs && are_legs; i++) {
        are_legs = answer->legs[i]->leg < LEGS && answer->legs[i]->n_games < GAMES_MOST;
    }
    return are_legs ? BG_OK : wrong(err, "HaveAnswer", "terms or legs");
}

static enum bg_status check_beat(const Bgref__Work__V1__Beat *beat, struct bg_error *err)
{
    return are_offered(beat->bots, beat->n_bots) && work_name_is(beat->host_class) &&
                   beat->speed >= 0 && beat->rate >= 0
               ? BG_OK
               : wrong(err, "Beat", "bots, host_class, speed or rate");
}

enum bg_status work_read_event(Bgref__Work__V1__Event **out, const void *bytes, size_t size,
                               struct bg_error *err)
{
    READ(out, event, check_event(*out, err));
}

enum bg_status work_read_item(Bgref__Work__V1__Item **out, const void *bytes, size_t size,
                              struct bg_error *err)
{
    READ(out, item, check_item(*out, true, err));
}

enum bg_status work_read_results(Bgref__Work__V1__Results **out, const void *bytes, size_t size,
                                 struct bg_error *err)
{
    READ(out, results, check_results(*out, err));
}

enum bg_status work_read_request(Bgref__Work__V1__HaveRequest **out, const void *bytes, size_t size,
                                 struct bg_error *err)
{
    READ(out, have_request, (*out)->item == NULL ? BG_OK : check_item((*out)->item, false, err));
}

enum bg_status work_read_answer(Bgref__Work__V1__HaveAnswer **out, const void *bytes, size_t size,
                                struct bg_error *err)
{
    READ(out, have_answer, check_answer(*out, err));
}

enum bg_status work_read_beat(Bgref__Work__V1__Beat **out, const void *bytes, size_t size,
                              struct bg_error *err)
{
    READ(out, beat, check_beat(*out, err));
}
