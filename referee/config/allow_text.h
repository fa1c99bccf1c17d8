/* allow_text.h - a list of keys (allow.h) as the text of its file: one entry comes or goes, and
 * everything else stays as the operator's editor left it. Registrations wait in such a file, which
 * the process of the pages and the host both change.
 *
 *     struct allow_text list;
 *     enum bg_status status = allow_text_open(&list, "waiting.yaml", &err);
 *     if (status == BG_OK) {
 *         status = allow_text_add(&list, "{name: anna, key: ...}", &err);
 *     }
 *     if (status == BG_OK) {
 *         status = allow_text_store(&list, &err);
 *     }
 *     allow_text_close(&list);
 */
#ifndef REFEREE_CONFIG_ALLOW_TEXT_H
#define REFEREE_CONFIG_ALLOW_TEXT_H

#include "allow.h"

struct allow_text {
    const char *path;        /* lent */
    const char *name;        /* of the file in what allow_text_add says; lent: the path */
    FILE *file;              /* open and locked; NULL: there is none yet */
    char *text;              /* owned; its last line is whole */
    struct allow_list known; /* what the text says */
};

/* A file that is not there is empty. BG_E_CONFIG: it cannot be read as a host would read it;
 * BG_E_BUSY: another process changes it at this moment. *out needs a close in any case. */
enum bg_status allow_text_open(struct allow_text *out, const char *path, struct bg_error *err);
/* Adds an entry as the last line. BG_E_CONFIG: a host could not read the list with it; the entry
 * has a mistake, or is there already. The text has changed, and must not be stored. */
enum bg_status allow_text_add(struct allow_text *list, const char *entry, struct bg_error *err);
/* Takes the entry of a name out. *entry is the caller's: its lines without "- ", as allow_text_add
 * takes them. BG_E_ARGUMENT: there is none of this name, or its lines are not its own. */
enum bg_status allow_text_take(char **entry, struct allow_text *list, const char *name,
                               struct bg_error *err);
/* Replaces the file, whose owner, group and mode stay if the user may set them. Of a link: the file
 * that it leads to. BG_E_SYSTEM. */
enum bg_status allow_text_store(const struct allow_text *list, struct bg_error *err);
void allow_text_close(struct allow_text *list);

#endif
