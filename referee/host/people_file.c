#define _GNU_SOURCE /* strsep */
#include "people.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include "durable.h"
#include "text/units.h"

static const char magic[] = "bgref-people 1";

enum { FIELDS = 5 };

static void write_people(FILE *out, const void *user)
{
    const struct people *people = user;
    char hex[2 * PEOPLE_HASH + 1];

    fprintf(out, "%s\n", magic);
    for (int i = 0; i < people->known_count; i++) {
        const struct person *one = &people->known[i];

        fprintf(out, "known\t%s\t%s\t%" PRId64 "\t%s\n", one->name, one->key, one->at_s,
                one->contact);
        if (one->handed > 0) {
            fprintf(out, "handed\t%s\t%s\t%" PRId64 "\t%d\n", one->name, one->key, one->handed_day,
                    one->handed);
        }
    }
    for (int i = 0; i < people->waiting_count; i++) {
        const struct person *one = &people->waiting[i];

        fprintf(out, "waits\t%s\t%s\t%" PRId64 "\t%s\n", one->name, one->key, one->at_s,
                one->contact);
    }
    for (int i = 0; i < people->invited_count; i++) {
        const struct invitation *one = &people->invited[i];

        sodium_bin2hex(hex, sizeof hex, one->hash, sizeof one->hash);
        fprintf(out, "invited\t%s\t%s\t%" PRId64 "\t\n", one->name, hex, one->until_s);
    }
}

enum bg_status people_save(const struct people *people, const char *path, struct bg_error *err)
{
    return durable_write(path, write_people, people, err);
}

/* ------------------------------------------------------------------ reading */

/* Keys and hashes are both 32 bytes. */
static bool read_fields(struct person *out, unsigned char bytes[PEOPLE_HASH], char *const *field)
{
    uint64_t at_s;

    *out = (struct person){.name = ""};
    if (!key_name_is_valid(field[1]) || !key_read_hex(bytes, field[2]) ||
        count_read(&at_s, field[3], 0, INT64_MAX, NULL) != BG_OK ||
        snprintf(out->contact, sizeof out->contact, "%s", field[4]) >= (int)sizeof out->contact) {
        return false;
    }
    snprintf(out->name, sizeof out->name, "%s", field[1]);
    sodium_bin2hex(out->key, sizeof out->key, bytes, PEOPLE_HASH);
    out->at_s = (int64_t)at_s;
    return true;
}

/* How often the name of the line before was handed on. */
static bool take_handed(const struct people *people, const struct person *said)
{
    struct person *last = people->known_count == 0 ? NULL : &people->known[people->known_count - 1];

    if (last == NULL || strcmp(last->name, said->name) != 0) {
        return false;
    }
    last->handed_day = said->at_s;
    return int_read(&last->handed, said->contact, 1, PEOPLE_HANDED, NULL) == BG_OK;
}

static enum bg_status read_line(void *user, char *line, bool *known, struct bg_error *err)
{
    struct people *people = user;
    char *field[FIELDS] = {NULL}, *rest = line;
    unsigned char bytes[PEOPLE_HASH];
    struct person person;
    int fields = 0;

    while (rest != NULL && fields < FIELDS) {
        field[fields++] = strsep(&rest, "\t");
    }
    *known = fields == FIELDS && rest == NULL && read_fields(&person, bytes, field);
    if (*known && strcmp(field[0], "known") == 0) {
        *known =
            people_find(people, person.name) == NULL && people_by_key(people, person.key) == NULL;
        return *known ? people_add(people, &person, err) : BG_OK;
    }
    if (*known && strcmp(field[0], "handed") == 0) {
        *known = take_handed(people, &person);
        return BG_OK;
    }
    if (*known && strcmp(field[0], "waits") == 0 && people->waiting_count < PEOPLE_WAITING) {
        people->waiting[people->waiting_count++] = person;
        return BG_OK;
    }
    if (*known && strcmp(field[0], "invited") == 0) {
        struct invitation invitation = {.until_s = person.at_s};

        memcpy(invitation.name, person.name, sizeof invitation.name);
        memcpy(invitation.hash, bytes, sizeof invitation.hash);
        return people_invite(people, &invitation, err) == BG_E_MEMORY ? BG_E_MEMORY : BG_OK;
    }
    *known = false;
    return BG_OK;
}

static struct durable_reader reader_of(struct people *out)
{
    *out = (struct people){.known = NULL};
    return (struct durable_reader){magic, "a host's registrations", read_line, out};
}

enum bg_status people_read(struct people *out, FILE *in, const char *where, struct bg_error *err)
{
    const struct durable_reader reader = reader_of(out);
    enum bg_status status = durable_read(&reader, in, where, err);

    if (status != BG_OK) {
        people_deinit(out);
    }
    return status;
}

enum bg_status people_load(struct people *out, const char *path, struct bg_error *err)
{
    const struct durable_reader reader = reader_of(out);
    enum bg_status status = durable_load(&reader, path, err);

    if (status != BG_OK) {
        people_deinit(out);
    }
    return status;
}
