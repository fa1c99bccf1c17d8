#include "game_id.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "record_line.h"

struct game_id game_id_of(const char *a, const char *b)
{
    struct game_id id = {.pair = 0};

    assert(a[0] != '\0' && strlen(a) < sizeof id.a && b[0] != '\0' && strlen(b) < sizeof id.b);
    strncpy(id.a, a, sizeof id.a - 1);
    strncpy(id.b, b, sizeof id.b - 1);
    return id;
}

struct game_id game_id_of_leg(const char *a, const char *b, uint64_t pair, int leg)
{
    struct game_id id = game_id_of(a, b);

    id.pair = pair;
    id.leg = leg;
    return id;
}

/* ----------------------------------------------------------------------- writing */

/* Returns the end of the written text. */
static char *put_pair(char *at, const struct game_id *id)
{
    at = line_put(line_put(at, id->a), "|");
    at = line_put(line_put(at, id->b), "|");
    return line_put_int(at, (int64_t)id->pair);
}

static char *put_leg(char *at, const struct game_id *id)
{
    return line_put_int(line_put(put_pair(at, id), "|"), id->leg);
}

void game_id_write(char *out, const struct game_id *id)
{
    *line_put_int(line_put(put_leg(out, id), "|"), id->game) = '\0';
}

void game_id_write_leg(char *out, const struct game_id *id)
{
    *put_leg(out, id) = '\0';
}

void game_id_write_pair(char *out, const struct game_id *id)
{
    *put_pair(out, id) = '\0';
}

/* ----------------------------------------------------------------------- reading */

static bool scan_name(struct scan *scan, char out[GAME_ID_NAME])
{
    size_t size = 0;

    while (scan->at + size < scan->end && scan->at[size] != '|') {
        unsigned char byte = (unsigned char)scan->at[size];

        if (size == GAME_ID_NAME - 1 || byte < ' ' || byte == 0x7f) {
            return false;
        }
        out[size] = scan->at[size];
        size++;
    }
    out[size] = '\0';
    scan->at += size;
    return size > 0 && scan_text(scan, "|");
}

static bool scan_pair(struct scan *scan, struct game_id *out)
{
    int64_t pair;

    /* One order only, or a pair of bots would have two ids. */
    if (!scan_name(scan, out->a) || !scan_name(scan, out->b) || strcmp(out->a, out->b) >= 0 ||
        !scan_int(scan, 0, INT64_MAX, &pair)) {
        return false;
    }
    out->pair = (uint64_t)pair;
    out->leg = out->game = 0;
    return true;
}

static bool scan_leg(struct scan *scan, struct game_id *out)
{
    int64_t leg;

    if (!scan_pair(scan, out) || !scan_text(scan, "|") || !scan_int(scan, 0, 1, &leg)) {
        return false;
    }
    out->leg = (int)leg;
    return true;
}

bool game_id_read(struct game_id *out, const char *text)
{
    struct scan scan = {text, text + strlen(text)};
    int64_t game;

    if (!scan_leg(&scan, out) || !scan_text(&scan, "|") || !scan_int(&scan, 0, INT32_MAX, &game)) {
        return false;
    }
    out->game = (int)game;
    return scan_is_done(&scan);
}

bool game_id_read_leg(struct game_id *out, const char *text)
{
    struct scan scan = {text, text + strlen(text)};

    return scan_leg(&scan, out) && scan_is_done(&scan);
}

bool game_id_read_pair(struct game_id *out, const char *text)
{
    struct scan scan = {text, text + strlen(text)};

    return scan_pair(&scan, out) && scan_is_done(&scan);
}

/* ------------------------------------------------------------------ what bots see */

enum { ALIAS_NAME = BG_GAME_ID + 24 };

void game_id_alias(char out[BG_ALIAS], const struct game_id *id, uint64_t attempt,
                   const struct bg_dice_key *id_key)
{
    char name[ALIAS_NAME];

    game_id_write(name, id);
    if (attempt > 0) {
        snprintf(name + strlen(name), 24, "|%" PRIu64, attempt);
    }
    bg_dice_alias(out, id_key, name);
}

/* --------------------------------------------------------------------- comparing */

int game_id_compare_leg(const struct game_id *x, const struct game_id *y)
{
    int order = strcmp(x->a, y->a);

    order = order != 0 ? order : strcmp(x->b, y->b);
    if (order != 0) {
        return order;
    }
    return x->pair != y->pair ? (x->pair < y->pair ? -1 : 1) : x->leg - y->leg;
}

const char *game_id_bot(const struct game_id *id, int seat)
{
    return game_id_bot_at(id->leg, seat) == 0 ? id->a : id->b;
}

bool game_id_is_part(const char *id, const char *part)
{
    size_t length = strlen(part);

    return strncmp(id, part, length) == 0 && (id[length] == '|' || id[length] == '\0');
}
