/* allow.h - the public keys of remote bots: a YAML list, "- {name: anna, key: 64 digits}".
 *
 * An entry may have limits (bot/entry_limits.h): "tables: 4", "events: [cup]", "from:
 * [192.0.2.0/24]". `note` may say anything. Names that are not in the event are passed over, so
 * that one file can serve several events.
 */
#ifndef REFEREE_CONFIG_ALLOW_H
#define REFEREE_CONFIG_ALLOW_H

#include "config.h"

struct allow_entry {
    char name[NAME_SIZE];
    char look[NAME_SIZE]; /* the same for names that are easily taken for each other */
    char key[65];         /* 64 hexadecimal digits, small letters */
    struct entry_limits limits;
};

struct allow_list {
    struct allow_entry *entries; /* owned */
    int count;
    const struct allow_entry **by_look; /* owned; the entries in the order of their looks */
};

/* Reads the file. BG_E_CONFIG: file:line and the mistake: a name twice, a name that looks like
 * another, a key that two names have; *out is then empty. */
enum bg_status allow_load(struct allow_list *out, const char *path, struct bg_error *err);
/* The same from memory; name: of the file, in messages. */
enum bg_status allow_parse(struct allow_list *out, const char *name, const void *bytes, size_t size,
                           struct bg_error *err);
void allow_deinit(struct allow_list *list);
/* Returns the entry of a name, or NULL. Lent. */
const struct allow_entry *allow_find(const struct allow_list *list, const char *name);

/* Gives each remote bot of the event its key and its limits. BG_E_CONFIG: file:line and the
 * mistake: a bot without a key, a name twice, a key that two names have, a bot whose entry is not
 * for this event (unless a host lends its door: then the host keeps the bot from the event). */
enum bg_status allow_read(struct config_event *event, const char *path, struct bg_error *err);

#endif
