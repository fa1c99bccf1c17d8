#include "play_site.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "play_files.h"
#include "site/site_files.h"

enum {
    OK = 200,
    BAD = 400,
    FORBIDDEN = 403,
    NOT_FOUND = 404,
    METHOD = 405,
    TAKEN = 409,
    TYPE = 415
};

/* Those of a page that is loaded again may not have ended yet. */
enum { STREAMS = 8 };

#define HTML   "text/html; charset=utf-8"
#define JSON   "application/json"
#define PREFIX "/play/"

static int say(FILE *out, int status, const char *why)
{
    fprintf(out, "%s\n", why);
    return status;
}

static void put_json(FILE *out, json_t *json)
{
    (void)json_dumpf(json, out, JSON_COMPACT);
    json_decref(json);
}

static char *state_text(const struct play_site *site)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = memory_stream(&text, &size);

    put_json(out, person_state(site->person, loop_now(site->loop)));
    memory_stream_close(out);
    return text;
}

bool play_site_is_read(const struct play_site *site)
{
    return web_channel_streams(site->channel) > 0;
}

/* Gives the seat to the page that asks, unless another one is open. */
static bool takes_seat(struct play_site *site, const struct web_request *request)
{
    char holder[PLAY_HOLDER];

    if (!web_value(holder, sizeof holder, request->query, "holder") || holder[0] == '\0') {
        return false;
    }
    if (strcmp(holder, site->holder) != 0 && play_site_is_read(site)) {
        return false;
    }
    memcpy(site->holder, holder, sizeof holder);
    return true;
}

static int say_taken(FILE *out)
{
    return say(out, TAKEN,
               "another page plays this seat; close it, then reload this one (half a minute later "
               "if the other has lost its network)");
}

static int write_events(struct play_site *site, const struct web_request *request, FILE *out,
                        struct web_answer *answer)
{
    char *text;

    if (!takes_seat(site, request)) {
        return say_taken(out);
    }
    text = state_text(site);
    fputs(text, out);
    free(text);
    answer->channel = site->channel;
    return OK;
}

static int write_path(struct play_site *site, const struct web_request *request, FILE *out,
                      struct web_answer *answer)
{
    struct person_reply reply = {.why = ""};
    char decision[32], moves[64];
    json_t *json;

    (void)web_value(decision, sizeof decision, request->query, "decision");
    (void)web_value(moves, sizeof moves, request->query, "moves");
    json = person_path(&reply, site->person, decision, moves);
    if (json == NULL) {
        return say(out, reply.status, reply.why);
    }
    answer->type = JSON;
    put_json(out, json);
    return OK;
}

static int receive_answer(struct play_site *site, const struct web_request *request, FILE *out)
{
    struct person_reply reply = {.why = ""};
    json_error_t why;
    json_t *json;

    if (strcmp(request->method, "POST") != 0) {
        return say(out, METHOD, "answers come by POST");
    }
    if (!request->body_is_json) {
        return say(out, TYPE, "expected Content-Type: application/json");
    }
    if (strcmp(request->origin, site->origin) != 0) {
        return say(out, FORBIDDEN, "an answer comes from the page of the seat only (Origin)");
    }
    if (!takes_seat(site, request)) {
        return say_taken(out);
    }
    json = json_loadb(request->body, request->body_size, JSON_REJECT_DUPLICATES, &why);
    if (json == NULL) {
        fprintf(out, "not JSON: %s, byte %d\n", why.text, why.position);
        return BAD;
    }
    person_answer(&reply, site->person, json);
    json_decref(json);
    return say(out, reply.status, reply.status == OK ? "taken" : reply.why);
}

/* rest: of the path, behind the token. */
static int write_seat(struct play_site *site, const char *rest, const struct web_request *request,
                      FILE *out, struct web_answer *answer)
{
    if (strcmp(rest, "") == 0) {
        answer->type = HTML;
        fputs((const char *)play_html, out);
        return OK;
    }
    if (strcmp(rest, "/events") == 0) {
        return write_events(site, request, out, answer);
    }
    if (strcmp(rest, "/path") == 0) {
        return write_path(site, request, out, answer);
    }
    if (strcmp(rest, "/answer") == 0) {
        return receive_answer(site, request, out);
    }
    return say(out, NOT_FOUND, "no such page");
}

/* Those of all pages, and its own. */
static bool write_file(const char *name, FILE *out, struct web_answer *answer)
{
    static const struct site_asset own[] = {
        {"play.css", play_css, "text/css; charset=utf-8"},
        {"play.js", play_js, "text/javascript; charset=utf-8"},
    };
    const size_t own_count = sizeof own / sizeof *own;

    for (size_t i = 0; i < own_count + SITE_ASSETS; i++) {
        const struct site_asset *asset = i < own_count ? &own[i] : &site_asset[i - own_count];

        if (strcmp(name, asset->name) == 0) {
            answer->type = asset->type;
            fputs((const char *)asset->bytes, out);
            return true;
        }
    }
    return false;
}

static int on_page(void *user, const struct web_request *request, FILE *out,
                   struct web_answer *answer)
{
    struct play_site *site = user;
    const char *path = request->path;
    const size_t prefix = strlen(PREFIX), token = PLAY_TOKEN - 1;

    if (write_file(path + (path[0] == '/'), out, answer)) {
        return OK;
    }
    if (strncmp(path, PREFIX, prefix) != 0 || strlen(path) < prefix + token ||
        sodium_memcmp(path + prefix, site->token, token) != 0) {
        return say(out, NOT_FOUND,
                   "no such seat; open the invitation link as it was printed, to its last letter");
    }
    return write_seat(site, path + prefix + token, request, out, answer);
}

enum bg_status play_site_start(struct play_site *site, int fd, struct bg_error *err)
{
    const struct web_settings settings = {
        .fn = on_page, .user = site, .takes_posts = true, .spectators = STREAMS};
    unsigned char bits[PLAY_TOKEN / 2];
    enum bg_status status = web_start(&site->web, site->loop, fd, &settings, err);

    if (status == BG_OK) {
        randombytes_buf(bits, sizeof bits);
        sodium_bin2hex(site->token, sizeof site->token, bits, sizeof bits);
        site->channel = web_channel_create(site->web, "play");
    }
    return status;
}

void play_site_settle(struct play_site *site)
{
    if (site->channel != NULL && site->sent != site->person->number) {
        char *text = state_text(site);

        site->sent = site->person->number;
        web_channel_send(site->channel, "state", text);
        free(text);
    }
}
