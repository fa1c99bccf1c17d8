/* Any bytes as what somebody sends to our pages: a query or a form (web_value), a registration as a
 * whole, as form and as JSON (join/join_site.h), an answer of a person's seat (play/person.h). The
 * bot below the seat is a double: nothing that is illegal may come to it. */
#define _GNU_SOURCE /* mkdtemp */
#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "config/allow.h"
#include "join/join_site.h"
#include "loop/web.h"
#include "play/person.h"

#include "fuzz.h"

#define KEY "0a1ea2ccf4b0d2a0d5e5e5e5e5f4b1c2d3e4f5a6b7c8d9e0f1a2b3c4d5e6f700"

enum { MOST = 64 };

/* Whatever is written with an escape for each byte comes back, between other values too. */
static void try_round_trip(const char *text)
{
    char pairs[16 + 3 * MOST] = "a=1&name=", value[MOST];
    size_t at = strlen(pairs), size = strlen(text);

    for (size_t i = 0; i < size && i < MOST; i++, at += 3) {
        snprintf(pairs + at, 4, "%%%02X", (unsigned char)text[i]);
    }
    memcpy(pairs + at, "&b=2", 5);
    require(web_value(value, sizeof value, pairs, "name") == (size < MOST));
    require(strcmp(value, size < MOST ? text : "") == 0);
}

/* ------------------------------------------------------------------ a registration */

static struct join_site *site;
static char folder[] = "/dev/shm/fuzz-pairs-XXXXXX", waiting[64], host[64];

static void leave_folder(void)
{
    join_close(site);
    unlink(waiting);
    unlink(host);
    rmdir(folder);
}

static void open_site(void)
{
    const struct join_settings settings = {.host = host, .registrations = waiting};
    FILE *out;

    require(mkdtemp(folder) != NULL);
    snprintf(waiting, sizeof waiting, "%s/waiting", folder);
    snprintf(host, sizeof host, "%s/host", folder);
    out = fopen(host, "w");
    require(out != NULL);
    fprintf(out, "host: spring\nendpoint: tcp://127.0.0.1:5555\nkey: '%s'\n", KEY);
    fclose(out);
    require(join_open(&site, &settings, NULL) == BG_OK);
    atexit(leave_folder);
}

/* What is taken is one entry that a host can read; everything else is one line of why not. */
static void register_it(const char *body, bool is_json)
{
    static int64_t now_ns;
    const struct web_request request = {.method = "POST",
                                        .path = "/join/register",
                                        .query = "",
                                        .host = "",
                                        .origin = "",
                                        .from = "127.0.0.1",
                                        .body = body,
                                        .body_size = strlen(body),
                                        .body_is_json = is_json};
    struct web_answer answer = {.type = ""};
    struct allow_list list;
    char *text;
    size_t size;
    FILE *out = memory_stream(&text, &size);
    int status;

    now_ns += INT64_C(61000000000); /* one a minute */
    status = join_answer(site, now_ns, &request, out, &answer);
    memory_stream_close(out);
    require(size > 0 && strchr(text, '\n') == text + size - 1);
    free(text);
    require(status == 200 || status == 400);
    require((access(waiting, F_OK) == 0) == (status == 200));
    if (status == 200) {
        require(allow_load(&list, waiting, NULL) == BG_OK && list.count == 1);
        allow_deinit(&list);
        unlink(waiting);
    }
}

/* ------------------------------------------------------------------ a seat */

const char *bg_bot_name(const struct bg_bot *bot)
{
    (void)bot;
    return "fuzz";
}

enum bg_status bg_bot_answer_result(struct bg_bot *bot, const struct bg_ask *ask,
                                    const struct bg_board *board, struct bg_error *err)
{
    struct bg_play play;

    (void)bot, (void)err;
    require(ask->kind == BG_DECIDE_PLAY &&
            bg_play_check_result(&play, ask->rules.variant, &ask->board, 0, &ask->stage, board) ==
                BG_RULE_NONE);
    return BG_OK;
}

enum bg_status bg_bot_answer(struct bg_bot *bot, const struct bg_ask *ask, enum bg_answer_kind kind,
                             struct bg_error *err)
{
    (void)bot, (void)err;
    require(bg_answer_fits(ask->kind, kind));
    return BG_OK;
}

enum bg_status bg_bot_answer_name(struct bg_bot *bot, const struct bg_ask *ask, int number,
                                  struct bg_error *err)
{
    (void)bot, (void)err;
    require(ask->kind == BG_DECIDE_NAME && number >= 1 && number <= 6);
    return BG_OK;
}

enum bg_status bg_bot_resign(struct bg_bot *bot, const struct bg_ask *ask, int level,
                             struct bg_error *err)
{
    (void)bot, (void)ask, (void)err;
    require(level >= 1 && level <= 3);
    return BG_OK;
}

enum bg_status bg_bot_flush(struct bg_bot *bot, struct bg_error *err)
{
    (void)bot, (void)err;
    return BG_OK;
}

static void answer_seat(struct person *person, json_t *answer)
{
    struct person_reply reply = {.status = 0};

    person_answer(&reply, person, answer);
    require(reply.status == 200 || (reply.status >= 400 && reply.why[0] != '\0'));
    require(person->is_open == (reply.status != 200));
    json_decref(answer);
}

/* The text as an answer, as its word, and as its moves. */
static void answer_it(const char *text)
{
    static const char *const games[] = {"backgammon", "plakoto", "xii-scripta"};
    json_t *whole = json_loads(text, JSON_REJECT_DUPLICATES, NULL);

    for (int kind = BG_DECIDE_PLAY; kind < BG_DECIDE_COUNT; kind++) {
        const struct bg_variant *variant = bg_variant_find(games[kind % 3]);
        struct bg_ask ask = {
            .kind = (enum bg_decision)kind, .decision = 7, .rules = bg_rules_default(variant, 0)};
        struct person person = {.last_seat = -1};
        struct person_reply reply = {.status = 0};

        bg_variant_setup(&ask.board, variant);
        ask.stage = bg_stage_of_roll(variant, (struct bg_roll){{3, 1, kind % 3 == 2 ? 2 : 0}});
        person_ask(&person, &ask, 0);
        json_decref(person_path(&reply, &person, "7", text));
        require(reply.status == 200 || reply.why[0] != '\0');
        answer_seat(&person, json_pack("{s:s, s:s*}", "decision", "7", "answer", text));
        person_ask(&person, &ask, 0);
        answer_seat(&person, json_pack("{s:s, s:s, s:s*}", "decision", "7", "answer", "moves",
                                       "moves", text));
        person_ask(&person, &ask, 0);
        answer_seat(&person, json_incref(whole));
        json_decref(person_state(&person, 0));
        person_deinit(&person);
    }
    json_decref(whole);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1), value[8]; /* exactly as long, so that overruns are detected */

    if (text == NULL) {
        return 0;
    }
    if (site == NULL) {
        open_site();
    }
    memcpy(text, data, size);
    text[size] = '\0';
    if (!web_value(value, sizeof value, text, "name")) {
        require(value[0] == '\0');
    }
    require(strlen(value) < sizeof value);
    try_round_trip(text);
    register_it(text, text[0] == '{');
    answer_it(text);
    free(text);
    return 0;
}
