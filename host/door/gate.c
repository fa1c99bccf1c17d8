/* A file and not messages, since a ban has to hold also for events that are started later, and
 * for a host that is started again. Reading is strict: a line that is not understood fails the
 * file, because a ban that was passed over would let somebody in. The order of lines is that of
 * adding; the search is linear over at most GATE_BANS. */
#define _GNU_SOURCE /* strsep */
#include "gate.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/durable.h"
#include "base/memory.h"
#include "base/units.h"

static const char magic[] = "bgref-gate 1";
static const char *const words[GATE_KINDS + 1] = {"name", "key", "from", NULL};

enum { FIELDS = 5 };

void gate_deinit(struct gate *gate)
{
    free(gate->bans);
    *gate = (struct gate){.bans = NULL};
}

const char *gate_word(enum gate_kind kind)
{
    return words[kind];
}

/* ------------------------------------------------------------------ bans */

static void copy_lower(char *out, size_t size, const char *text)
{
    size_t i = 0;

    for (; text[i] != '\0' && i + 1 < size; i++) {
        out[i] = (char)tolower((unsigned char)text[i]);
    }
    out[i] = '\0';
}

enum bg_status gate_read_what(struct gate_ban *out, const char *text, struct bg_error *err)
{
    unsigned char key[KEY_FILE_BYTES];
    struct cidr network;

    /* The kind follows from the form, so no operator has to say it. A name can have neither '/'
     * nor ':'; digits and dots alone are an address, never a name. */
    if (strpbrk(text, "/:") != NULL || text[strspn(text, "0123456789.")] == '\0') {
        if (cidr_read(&network, text, err) != BG_OK) {
            return BG_E_ARGUMENT;
        }
        out->kind = GATE_FROM;
        cidr_write(out->what, &network);
    } else if (key_read_hex(key, text)) {
        out->kind = GATE_KEY;
        /* Keys are compared as text; hexadecimal digits may be written in both ways. */
        copy_lower(out->what, sizeof out->what, text);
    } else if (name_is_valid(text)) {
        out->kind = GATE_NAME;
        snprintf(out->what, sizeof out->what, "%s", text);
    } else {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "'%.80s' is not a bot's name, a key of 64 hexadecimal digits, or a "
                            "network like 192.0.2.0/24",
                            text);
    }
    return BG_OK;
}

static struct gate_ban *find_ban(const struct gate *gate, enum gate_kind kind, const char *what)
{
    for (int i = 0; i < gate->ban_count; i++) {
        if (gate->bans[i].kind == kind && strcmp(gate->bans[i].what, what) == 0) {
            return &gate->bans[i];
        }
    }
    return NULL;
}

enum bg_status gate_add(struct gate *gate, const struct gate_ban *ban, struct bg_error *err)
{
    struct gate_ban *place = find_ban(gate, ban->kind, ban->what);

    /* Again for the same: the new end and reason replace the old ones. */
    if (place == NULL) {
        if (gate->ban_count == GATE_BANS) {
            return bg_error_set(err, BG_E_ARGUMENT, "there are %d bans already; ban networks",
                                GATE_BANS);
        }
        gate->bans =
            memory_list(gate->bans, &gate->room, (size_t)gate->ban_count + 1, sizeof *gate->bans);
        place = &gate->bans[gate->ban_count++];
    }
    *place = *ban;
    return BG_OK;
}

static void take_out(struct gate *gate, struct gate_ban *ban)
{
    struct gate_ban *end = gate->bans + gate->ban_count;

    memmove(ban, ban + 1, (size_t)(end - ban - 1) * sizeof *ban);
    gate->ban_count--;
}

bool gate_remove(struct gate *gate, enum gate_kind kind, const char *what)
{
    struct gate_ban *ban = find_ban(gate, kind, what);

    if (ban != NULL) {
        take_out(gate, ban);
    }
    return ban != NULL;
}

bool gate_expire(struct gate_ban *out, struct gate *gate, int64_t now_s)
{
    for (int i = 0; i < gate->ban_count; i++) {
        /* One at a time: the host tells each in its journal. */
        if (gate->bans[i].until_s != 0 && gate->bans[i].until_s <= now_s) {
            *out = gate->bans[i];
            take_out(gate, &gate->bans[i]);
            return true;
        }
    }
    return false;
}

int64_t gate_due(const struct gate *gate)
{
    int64_t due_s = 0;

    for (int i = 0; i < gate->ban_count; i++) {
        int64_t until_s = gate->bans[i].until_s;

        due_s = until_s != 0 && (due_s == 0 || until_s < due_s) ? until_s : due_s;
    }
    return due_s;
}

const struct gate_ban *gate_find(const struct gate *gate, const char *name, const char *hex)
{
    const struct gate_ban *ban = find_ban(gate, GATE_NAME, name);

    return ban == NULL ? find_ban(gate, GATE_KEY, hex) : ban;
}

/* ------------------------------------------------------------------ reading */

static bool read_ban(struct gate_ban *out, char *const *field)
{
    int kind;
    uint64_t until_s;

    *out = (struct gate_ban){.what = ""};
    if (gate_read_what(out, field[2], NULL) != BG_OK || word_read(&kind, field[1], words, NULL) ||
        /* The kind that is written must be the one that the text has: a key cannot be banned as
         * a name. */
        count_read(&until_s, field[3], 0, INT64_MAX, NULL) != BG_OK || (int)out->kind != kind) {
        return false;
    }
    out->until_s = (int64_t)until_s;
    return snprintf(out->reason, sizeof out->reason, "%s", field[4]) < (int)sizeof out->reason;
}

static enum bg_status read_gate(void *user, char *line, bool *known, struct bg_error *err)
{
    struct gate *gate = user;
    char *field[FIELDS] = {NULL}, *rest = line;
    struct gate_ban ban;
    int fields = 0;

    while (rest != NULL && fields < FIELDS) {
        field[fields++] = strsep(&rest, "\t");
    }
    *known = false;
    if (strcmp(field[0], "ban") == 0 && fields == FIELDS && rest == NULL) {
        *known = read_ban(&ban, field);
        return *known ? gate_add(gate, &ban, err) : BG_OK;
    }
    if (strcmp(field[0], "kick") == 0 && fields == 3) {
        *known = name_is_valid(field[2]) &&
                 count_read(&gate->kick_number, field[1], 1, UINT64_MAX, NULL) == BG_OK;
        snprintf(gate->kicked, sizeof gate->kicked, "%s", *known ? field[2] : "");
    }
    return BG_OK;
}

static struct durable_reader reader_of(struct gate *out)
{
    *out = (struct gate){.bans = NULL};
    return (struct durable_reader){magic, "a host's gate", read_gate, out};
}

enum bg_status gate_read(struct gate *out, FILE *in, const char *where, struct bg_error *err)
{
    const struct durable_reader reader = reader_of(out);
    enum bg_status status = durable_read(&reader, in, where, err);

    if (status != BG_OK) {
        gate_deinit(out);
    }
    return status;
}

/* ------------------------------------------------------------------ the file */

enum bg_status gate_load(struct gate *out, const char *path, struct bg_error *err)
{
    const struct durable_reader reader = reader_of(out);
    enum bg_status status = durable_load(&reader, path, err);

    if (status != BG_OK) {
        gate_deinit(out);
    }
    return status;
}

static void write_gate(FILE *out, const void *user)
{
    const struct gate *gate = user;

    fprintf(out, "%s\n", magic);
    for (int i = 0; i < gate->ban_count; i++) {
        const struct gate_ban *ban = &gate->bans[i];

        fprintf(out, "ban\t%s\t%s\t%" PRId64 "\t%s\n", words[ban->kind], ban->what, ban->until_s,
                ban->reason);
    }
    if (gate->kick_number != 0) {
        fprintf(out, "kick\t%" PRIu64 "\t%s\n", gate->kick_number, gate->kicked);
    }
}

enum bg_status gate_save(const struct gate *gate, const char *path, struct bg_error *err)
{
    return durable_write(path, write_gate, gate, err);
}
