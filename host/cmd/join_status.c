/* The question goes the way of a bot's messages, on a connection of the same key, so whoever
 * asks has proved to be the author. The answer is a line about the host and one for each event;
 * how many there will be stands in the first, so the end is known without a time limit in the
 * usual case. */
#include "join_status.h"

#include <poll.h>
#include <string.h>

#include <jansson.h>

#include "base/exit_status.h"
#include "door/gateway.h"
#include "join_standing.h"
#include "join_words.h"
#include "remote_line.h"
#include "base/utc.h"

enum {
    PATIENCE_MS = 10000,
    ABSENT_MS = 2000 /* nobody listens */,
    AGAIN_MS = 1200,
    LATE_MS = 2000,
    UNPROVEN_TRIES = 3,
    ANSWER_BYTES = 1 << 20, /* of a whole answer; a line has at most 1 KB */
    MESSAGE_COST = 64       /* what an empty message counts */
};

struct inquiry {
    const struct host_file *host; /* lent, like these */
    const struct join_secret *own;
    struct remote_line *line;
    struct join_standing standing;
    json_t *about, *events; /* owned: the lines as they came */
    int unproven;
    size_t bytes; /* of all that the host has sent */
    bool is_told, is_proven, is_absent, is_over;
    int exit_status;
    struct bg_error *err;
};

static void fail(struct inquiry *inquiry, const char *why)
{
    inquiry->is_over = true;
    inquiry->exit_status = EXIT_SURROUNDINGS;
    bg_error_set(inquiry->err, BG_E_LINK, "%s", why);
}

static void take_status(struct inquiry *inquiry, const char *line, size_t size)
{
    enum status_kind kind = join_standing_take(&inquiry->standing, line, size);
    json_t *object = kind == STATUS_NONE ? NULL : json_loadb(line, size, 0, NULL);

    if (kind == STATUS_HOST) {
        json_decref(inquiry->about);
        inquiry->about = object;
        /* A line about the host begins an answer anew: another connection of this bot may have
         * asked, too. */
        (void)json_array_clear(inquiry->events);
        inquiry->is_told = true;
    } else if (kind == STATUS_EVENT) {
        (void)json_array_append_new(inquiry->events, object);
    }
}

/* A host that never stops to send gets no more than its share of memory and time: as long as
 * messages wait, nobody looks at the clock. */
static void take_message(struct inquiry *inquiry, const char *data, size_t size)
{
    static const char STATUS[] = GATEWAY_STATUS " ";
    const size_t head = sizeof STATUS; /* with the first byte of a note */

    inquiry->bytes += size + MESSAGE_COST;
    if (inquiry->bytes > ANSWER_BYTES) {
        fail(inquiry, "the host sends more than 1 MiB in answer; it is not a host of bgref, or it "
                      "is damaged");
    } else if (size > head && data[0] == GATEWAY_NOTE &&
               memcmp(data + 1, STATUS, sizeof STATUS - 1) == 0) {
        take_status(inquiry, data + head, size - head);
        /* Other notes are for joiners that play. */
    } else if (size == 0 || data[0] != GATEWAY_NOTE) { /* a Goodbye */
        fail(inquiry, "the host has ended the connection: the key is kept out, or the host ends");
    }
}

static void take_remote_news(struct inquiry *inquiry, enum remote_news news)
{
    char text[JOIN_WORDS];

    if (news == REMOTE_PROVEN) {
        inquiry->is_proven = true;
    } else if (news == REMOTE_FORBIDDEN) {
        join_words_forbidden(text, inquiry->host, inquiry->own->public.name);
        fail(inquiry, text);
    } else if (news == REMOTE_TURNED) {
        join_words_turned(text, inquiry->host, remote_line_why(inquiry->line));
        fail(inquiry, text);
    } else if (news == REMOTE_LOST) {
        fail(inquiry, "the host has ended the connection: its event is over, or the host ends");
    } else if ((news == REMOTE_UNPROVEN || news == REMOTE_SILENT) &&
               ++inquiry->unproven >= UNPROVEN_TRIES) {
        (news == REMOTE_SILENT ? join_words_silent : join_words_unproven)(text, inquiry->host);
        fail(inquiry, text);
    }
    inquiry->is_absent = news == REMOTE_ABSENT || (inquiry->is_absent && news == REMOTE_NOTHING);
}

static void take_all(struct inquiry *inquiry)
{
    enum remote_news news;
    const void *data;
    size_t size;

    while (!inquiry->is_over && remote_line_take(&data, &size, inquiry->line)) {
        take_message(inquiry, data, size);
    }
    while (!inquiry->is_over && (news = remote_line_news(inquiry->line)) != REMOTE_NOTHING) {
        take_remote_news(inquiry, news);
    }
}

static bool is_whole(const struct inquiry *inquiry)
{
    return inquiry->is_told &&
           (int)json_array_size(inquiry->events) >= inquiry->standing.host.events;
}

static bool send_question(const struct inquiry *inquiry)
{
    static const char question[] = "\0" GATEWAY_ASK;

    return remote_line_send(inquiry->line, question, sizeof question - 1);
}

/* The referee is asked once a second at most for all connections of a bot: so asks again. An event
 * that is just ending may not answer. */
static void wait_for_answer(struct inquiry *inquiry)
{
    int64_t begun = utc_steady_ns() / 1000000, asked = begun, told = 0;
    struct pollfd place = {remote_line_fd(inquiry->line), POLLIN, 0};
    char text[JOIN_WORDS];

    (void)send_question(inquiry);
    take_all(inquiry);
    while (!inquiry->is_over && !is_whole(inquiry)) {
        int64_t now = utc_steady_ns() / 1000000;

        /* What has come by then is printed: an event that does not answer must not hide the
         * others. */
        if ((told > 0 && now - told >= LATE_MS) ||
            now - begun >= (inquiry->is_absent ? ABSENT_MS : PATIENCE_MS)) {
            break;
        }
        /* The question before the line stood may have been answered to others only. */
        if (told == 0 && inquiry->is_proven && now - asked >= AGAIN_MS) {
            asked = now;
            (void)send_question(inquiry);
        }
        (void)poll(&place, 1, 100);
        take_all(inquiry);
        told = told == 0 && inquiry->is_told ? utc_steady_ns() / 1000000 : told;
    }
    if (!inquiry->is_over && inquiry->is_absent) {
        join_words_absent(text, inquiry->host, remote_line_why(inquiry->line));
        fail(inquiry, text);
    } else if (!inquiry->is_over && !inquiry->is_told) {
        fail(inquiry, "the host does not answer; its bgref may be too old for this question");
    }
}

/* The host's text is not ours: everything but ASCII is escaped. */
static void print_json(FILE *out, const struct inquiry *inquiry, const char *bot)
{
    json_t *all = json_pack("{s:i, s:s, s:O, s:O}", "schema", 1, "bot", bot, "host", inquiry->about,
                            "events", inquiry->events);

    if (all != NULL) {
        (void)json_dumpf(all, out, JSON_INDENT(2) | JSON_ENSURE_ASCII);
        fputc('\n', out);
    }
    json_decref(all);
}

int join_status_print(FILE *out, const struct host_file *host, const struct join_secret *own,
                      bool as_json, struct bg_error *err)
{
    static struct inquiry inquiry; /* large */

    inquiry = (struct inquiry){
        .host = host, .own = own, .events = json_array(), .exit_status = EXIT_DONE, .err = err};
    if (remote_line_open(&inquiry.line, host, own, 0, err) != BG_OK) {
        inquiry.exit_status = EXIT_SURROUNDINGS;
    } else {
        wait_for_answer(&inquiry);
    }
    if (inquiry.exit_status == EXIT_DONE && as_json) {
        print_json(out, &inquiry, own->public.name);
    } else if (inquiry.exit_status == EXIT_DONE) {
        join_standing_print(out, &inquiry.standing, own->public.name);
    }
    remote_line_close(inquiry.line);
    json_decref(inquiry.about);
    json_decref(inquiry.events);
    return inquiry.exit_status;
}
