/* All sentences for authors in one place, apart from when they are said: they name the cause
 * that is most likely, then what to do. A key that is banned and one that is unknown have one
 * sentence, as the host does not tell them apart either. */
#include "join_words.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/plural.h"

void join_words_game(char out[JOIN_WORDS], uint64_t number, const struct bg_ask *ask)
{
    int size = snprintf(out, JOIN_WORDS, "game %" PRIu64 " against %.200s", number, ask->opponent);

    if (ask->rules.length_points > 0) {
        snprintf(out + size, JOIN_WORDS - (size_t)size, ", %" PRId64 "-%" PRId64 " to %d",
                 ask->score[0], ask->score[1], ask->rules.length_points);
    }
}

void join_words_welcome(char out[JOIN_WORDS], const struct wire_welcome *welcome)
{
    snprintf(out, JOIN_WORDS, "welcome: %s plays %sin %.200s (%s)", welcome->bot,
             welcome->resuming ? "on " : "", welcome->event, welcome->referee);
}

void join_words_goodbye(char out[JOIN_WORDS], const char *why, uint64_t games, uint64_t decisions)
{
    snprintf(out, JOIN_WORDS, "goodbye: %.300s; %" PRIu64 " game%s, %" PRIu64 " decision%s", why,
             games, plural_s(games), decisions, plural_s(decisions));
}

void join_words_turned(char out[JOIN_WORDS], const struct host_file *host, const char *why)
{
    snprintf(out, JOIN_WORDS, "%s does not let the bot in now: %.250s", host->name, why);
}

void join_words_absent(char out[JOIN_WORDS], const struct host_file *host, const char *why)
{
    snprintf(out, JOIN_WORDS, "nobody listens at %.200s yet (%.200s)", host->endpoint, why);
}

void join_words_unproven(char out[JOIN_WORDS], const struct host_file *host)
{
    snprintf(out, JOIN_WORDS,
             "%.200s does not prove that it is %s: the key in the host file is not its key, or "
             "another program listens there; ask the host for its present host file",
             host->endpoint, host->name);
}

void join_words_silent(char out[JOIN_WORDS], const struct host_file *host)
{
    snprintf(out, JOIN_WORDS,
             "%.200s takes connections and closes them without a word, so nothing proves that it "
             "is %s: the host is just starting or ending, a firewall or proxy stands between, or "
             "another program listens there; try again in a minute, then ask its operator",
             host->endpoint, host->name);
}

void join_words_option(char out[JOIN_WORDS], const struct host_file *host, const char *option)
{
    snprintf(out, JOIN_WORDS,
             "%s sets option %s of the bot to a text of its own, or the bot does not offer it: a "
             "text may name a "
             "program or a file of this machine, so no host may set one; ask its operator to leave "
             "it out of the event",
             host->name, option);
}

void join_words_forbidden(char out[JOIN_WORDS], const struct host_file *host, const char *name)
{
    snprintf(out, JOIN_WORDS,
             "%s does not know this key: send %s.pub to its operator, or give the key that is "
             "known there; a key that is banned there is refused in the same way",
             host->name, name);
}

static void add_unit(char out[JOIN_WORDS], uint32_t number, const char *unit)
{
    size_t used = strlen(out);

    if (number > 0) {
        snprintf(out + used, JOIN_WORDS - used, "%s%" PRIu32 " %s", used == 0 ? "limits: " : ", ",
                 number, unit);
    }
}

void join_words_limits(char out[JOIN_WORDS], const struct wire_limits *limits)
{
    out[0] = '\0';
    add_unit(out, limits->tables, "tables at once");
    add_unit(out, limits->starts_an_hour, "starts an hour");
    add_unit(out, limits->messages_per_second, "messages");
    add_unit(out, limits->bytes_per_second, "bytes a second that answer nothing");
    add_unit(out, limits->message_bytes, "bytes a message");
    add_unit(out, limits->hello_bytes, "bytes of a Hello");
}
