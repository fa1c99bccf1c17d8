/* Hello and Welcome come once, so they are read from the generated structs into one place in the
 * reader (reader->greeting), where lists and texts have fixed room. Everything that a Hello says
 * is foreign: who sent it has proved nothing at this point but a token or a key. */
#include "unpack.h"

#include <inttypes.h>
#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------- greeting */

static enum bg_status option_read(struct wire_option *out, const Bgref__V1__Option *in,
                                  struct bg_error *err)
{
    enum bg_status status;

    if (in->type < BGREF__V1__OPTION_TYPE__OPTION_STRING ||
        in->type > BGREF__V1__OPTION_TYPE__OPTION_CHOICE) {
        return bg_error_set(err, BG_E_FORMAT, "option: type %d is not known here", (int)in->type);
    }
    out->type = (enum wire_option_type)in->type;
    if ((status = unpack_text(out->name, sizeof out->name, in->name, "option name", err)) !=
            BG_OK ||
        (status = unpack_text(out->value, sizeof out->value, in->value, "option value", err)) !=
            BG_OK ||
        (status = unpack_text(out->min, sizeof out->min, in->min, "option min", err)) != BG_OK ||
        (status = unpack_text(out->max, sizeof out->max, in->max, "option max", err)) != BG_OK ||
        (status = unpack_text(out->help, sizeof out->help, in->help, "option help", err)) !=
            BG_OK) {
        return status;
    }
    return unpack_list(out->choices, sizeof out->choices, in->choices, in->n_choices, '|',
                       "option choices", err);
}

static enum bg_status options_read(struct wire_option *out, size_t *count,
                                   Bgref__V1__Option *const *in, size_t in_count,
                                   struct bg_error *err)
{
    if (in_count > WIRE_OPTIONS_MAX) {
        return bg_error_set(err, BG_E_FORMAT, "options: %zu, at most %d", in_count,
                            WIRE_OPTIONS_MAX);
    }
    for (size_t i = 0; i < in_count; i++) {
        enum bg_status status = option_read(&out[i], in[i], err);

        if (status != BG_OK) {
            return status;
        }
    }
    *count = in_count;
    return BG_OK;
}

enum bg_status unpack_hello(struct wire_message *out, struct wire_reader *reader,
                            const Bgref__V1__Hello *in, struct bg_error *err)
{
    struct wire_hello *hello = &reader->greeting.hello;
    size_t room = sizeof hello->protocols / sizeof hello->protocols[0];
    enum bg_status status;

    memset(hello, 0, sizeof *hello);
    if (in->n_protocols > room) {
        return bg_error_set(err, BG_E_FORMAT, "protocols: %zu, at most %zu", in->n_protocols, room);
    }
    for (size_t i = 0; i < in->n_protocols; i++) {
        hello->protocols[i] = in->protocols[i];
    }
    hello->protocol_count = in->n_protocols;
    hello->pid = in->pid;
    /* 0 is what a bot sends that does not know the field. */
    hello->max_in_flight = in->max_in_flight == 0 ? 1 : in->max_in_flight;
    hello->stateful = in->stateful;
    hello->want_plays = in->want_plays;
    hello->want_tells = in->want_tells;
    hello->evaluates = in->evaluates;
    hello->enters_dice = in->enters_dice;
    hello->want_pairings = in->want_pairings;
    if ((status = unpack_text(hello->token, sizeof hello->token, in->token, "token", err)) !=
            BG_OK ||
        (status = unpack_text(hello->name, sizeof hello->name, in->name, "name", err)) != BG_OK ||
        (status = unpack_text(hello->version, sizeof hello->version, in->version, "version",
                              err)) != BG_OK ||
        (status = unpack_text(hello->author, sizeof hello->author, in->author, "author", err)) !=
            BG_OK ||
        (status = unpack_list(hello->variants, sizeof hello->variants, in->variants, in->n_variants,
                              ' ', "variants", err)) != BG_OK) {
        return status;
    }
    out->hello = hello;
    return options_read(hello->options, &hello->option_count, in->options, in->n_options, err);
}

/* The texts are the message's, which the reader holds. */
static enum bg_status open_games_read(struct wire_welcome *out, const Bgref__V1__Welcome *in,
                                      struct bg_error *err)
{
    const struct unpack_range range = {"open_games", in->n_open_games, WIRE_BATCH_MAX};
    char game[BG_GAME_ID];
    enum bg_status status = unpack_ranges(&range, 1, err);

    for (size_t i = 0; i < in->n_open_games && status == BG_OK; i++) {
        status = unpack_text(game, sizeof game, in->open_games[i], "open_games", err);
    }
    out->resuming = in->resuming;
    out->want_thoughts = in->want_thoughts;
    out->open_games = (const char *const *)in->open_games;
    out->open_game_count = in->n_open_games;
    return status;
}

enum bg_status unpack_welcome(struct wire_message *out, struct wire_reader *reader,
                              const Bgref__V1__Welcome *in, struct bg_error *err)
{
    struct wire_welcome *welcome = &reader->greeting.welcome;
    enum bg_status status;

    memset(welcome, 0, sizeof *welcome);
    welcome->protocol = in->protocol;
    if (in->limits != NULL) {
        welcome->limits = (struct wire_limits){
            .message_bytes = in->limits->message_bytes,
            .messages_per_second = in->limits->messages_per_second,
            .bytes_per_second = in->limits->bytes_per_second,
            .in_flight = in->limits->in_flight,
            .tables = in->limits->tables,
            .games_a_day = in->limits->games_a_day,
            .hello_bytes = in->limits->hello_bytes,
            .starts_an_hour = in->limits->starts_an_hour,
            .start_ns = in->limits->start_ns,
            .new_game_ns = in->limits->new_game_ns,
            .decision_ns = in->limits->decision_ns,
        };
    }
    if ((status = unpack_text(welcome->bot, sizeof welcome->bot, in->bot, "bot", err)) != BG_OK ||
        (status = unpack_text(welcome->event, sizeof welcome->event, in->event, "event", err)) !=
            BG_OK ||
        (status = unpack_text(welcome->referee, sizeof welcome->referee, in->referee, "referee",
                              err)) != BG_OK ||
        (status = open_games_read(welcome, in, err)) != BG_OK) {
        return status;
    }
    out->welcome = welcome;
    return options_read(welcome->options, &welcome->option_count, in->options, in->n_options, err);
}
