/* The lock is on the file itself, which every store replaces: who gets the lock of a file that has
 * no name any more has read an old list. A lock file of its own would lie in the folder of an
 * operator who did not ask for it. */
#define _GNU_SOURCE /* flock */
#include "allow_text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/durable.h"
#include "base/memory.h"
#include "base/plain_file.h"
#include "base/yaml.h"

/* Whether it has more than comments, which are no list for YAML. */
static bool has_lines(const char *text)
{
    while (*text != '\0') {
        text += strspn(text, " \t\r\n");
        if (*text != '#') {
            return *text != '\0';
        }
        text += strcspn(text, "\n");
    }
    return false;
}

static enum bg_status parse(struct allow_list *out, const struct allow_text *list, const char *text,
                            struct bg_error *err)
{
    *out = (struct allow_list){.count = 0};
    return has_lines(text) ? allow_parse(out, list->name, text, strlen(text), err) : BG_OK;
}

/* Whether the open file still has its name. */
static bool is_in_place(FILE *file, const char *path)
{
    struct stat own, there;

    return fstat(fileno(file), &own) == 0 && stat(path, &there) == 0 &&
           own.st_dev == there.st_dev && own.st_ino == there.st_ino;
}

static char *read_all(FILE *in)
{
    char *text = memory_zeroed(YAML_BYTES + 2, 1);
    size_t size = fread(text, 1, YAML_BYTES, in);

    /* An editor may leave the last line open. */
    if (size > 0 && text[size - 1] != '\n') {
        text[size] = '\n';
    }
    return text;
}

enum bg_status allow_text_open(struct allow_text *out, const char *path, struct bg_error *err)
{
    const char *why;

    *out = (struct allow_text){.path = path, .name = path};
    why = plain_file_open(&out->file, path, YAML_BYTES);
    if (why != NULL && errno != ENOENT) {
        return bg_error_set(err, BG_E_CONFIG, "%s: %s", path, why);
    }
    if (why == NULL &&
        (flock(fileno(out->file), LOCK_EX | LOCK_NB) != 0 || !is_in_place(out->file, path))) {
        return bg_error_set(err, BG_E_BUSY,
                            "%s: another process changes it at this moment; try again", path);
    }
    out->text = why == NULL ? read_all(out->file) : memory_text("");
    return parse(&out->known, out, out->text, err);
}

void allow_text_close(struct allow_text *list)
{
    allow_deinit(&list->known);
    free(list->text);
    if (list->file != NULL) {
        fclose(list->file);
    }
    *list = (struct allow_text){.path = NULL};
}

/* Takes the text, and what it says. */
static enum bg_status take_text(struct allow_text *list, char *text, struct bg_error *err)
{
    free(list->text);
    list->text = text;
    allow_deinit(&list->known);
    return parse(&list->known, list, text, err);
}

enum bg_status allow_text_add(struct allow_text *list, const char *entry, struct bg_error *err)
{
    /* "[]", an empty list, is what doctor and docs advise where there is no key yet. */
    char *empty = strncmp(list->text, "[]", 2) == 0 ? list->text : strstr(list->text, "\n[]");

    if (list->known.count == 0 && empty != NULL) {
        memset(strchr(empty, '['), ' ', 2);
    }
    return take_text(list, memory_print("%s- %s\n", list->text, entry), err);
}

/* Returns where an entry ends that begins here with its dash: its other lines are indented. */
static const char *end_of_entry(const char *at)
{
    do {
        at += strcspn(at, "\n") + 1;
    } while (*at == ' ' || *at == '\t');
    return at;
}

/* Finds an entry by reading each alone. Not by its line in the whole file: YAML counts characters
 * as line ends that a stranger may have in his contact. */
static const char *find_entry(const char **behind, const struct allow_text *list, const char *name)
{
    bool is_found = false;
    const char *from = list->text;

    for (const char *at = from; *at != '\0' && !is_found; at = *behind) {
        struct allow_list alone = {.count = 0};

        from = at;
        *behind = end_of_entry(at);
        is_found = strncmp(at, "- ", 2) == 0 &&
                   allow_parse(&alone, list->name, at, (size_t)(*behind - at), NULL) == BG_OK &&
                   allow_find(&alone, name) != NULL;
        allow_deinit(&alone);
    }
    return is_found ? from : NULL;
}

enum bg_status allow_text_take(char **entry, struct allow_text *list, const char *name,
                               struct bg_error *err)
{
    const int count = list->known.count;
    const char *behind, *from = find_entry(&behind, list, name);
    enum bg_status status;

    if (allow_find(&list->known, name) == NULL) {
        return bg_error_set(err, BG_E_ARGUMENT, "%s: there is no '%.64s'", list->path, name);
    }
    if (from == NULL) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "%s: the entry of %s does not begin its line with '- '; move it by "
                            "hand",
                            list->path, name);
    }
    *entry = memory_text_of(from + 2, (size_t)(behind - from - 3)); /* without dash and line end */
    status =
        take_text(list, memory_print("%.*s%s", (int)(from - list->text), list->text, behind), err);
    if (status == BG_OK && list->known.count == count - 1) {
        return BG_OK;
    }
    free(*entry);
    *entry = NULL;
    return bg_error_set(err, BG_E_ARGUMENT,
                        "%s: the entry of %s cannot be taken out of the list; move it by hand",
                        list->path, name);
}

/* Who may read the list may still read it: a host that becomes another user writes the operator's
 * file. What the system refuses (another's file or group) is left as it is. */
static void put_text(FILE *out, const void *user)
{
    const struct allow_text *list = user;
    struct stat own;

    if (list->file != NULL && fstat(fileno(list->file), &own) == 0 &&
        (fchown(fileno(out), own.st_uid, own.st_gid) == 0 ||
         fchown(fileno(out), (uid_t)-1, own.st_gid) == 0)) {
        (void)fchmod(fileno(out), own.st_mode & 0777);
    }
    fputs(list->text, out);
}

enum bg_status allow_text_store(const struct allow_text *list, struct bg_error *err)
{
    char *file = realpath(list->path, NULL); /* a link stays one */
    enum bg_status status = durable_write(file == NULL ? list->path : file, put_text, list, err);

    free(file);
    return status;
}
