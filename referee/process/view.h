/* view.h - the files that a confined bot sees, as words for bwrap.
 *
 * Everything is read-only. From the system: /usr, the libraries, named parts of /etc; and the
 * cache folder (environment.h). From the bot:
 * the folder of its program and of each file that its command names; but if that is a home folder,
 * a folder above one, or a shared folder (/tmp, /opt, ...), only the file itself. Never visible,
 * whatever the path: the results' folder (the key of the dice is there, too) by its given and its
 * real name, the folder of the referee's sockets, and the file of view_hide.
 */
#ifndef REFEREE_PROCESS_VIEW_H
#define REFEREE_PROCESS_VIEW_H

#include <bgref/error.h>

#include <stdbool.h>
#include <stddef.h>

/* A command's words, collected in one block of fixed size. */
enum { WORDS_MAX = 1024, WORDS_BYTES = 128 * 1024 };

struct words {
    char **list; /* WORDS_MAX + 1 of them, ended by NULL; then WORDS_BYTES bytes. One block, for
                    free() */
    char *text;
    size_t count, used;
    bool full; /* something did not fit */
};

void words_init(struct words *words);
void words_add(struct words *words, const char *word);
void words_add_pair(struct words *words, const char *flag, const char *value);
void words_add_three(struct words *words, const char *flag, const char *from, const char *to);

struct view {
    char *const *words;   /* the bot's command, split */
    const char *dir;      /* where it runs; a real path */
    const char *endpoint; /* ipc://FOLDER/SOCKET */
    const char *hidden;   /* the file of the results; "" none */
};

/* Hides this file from every later sandbox of this process: the key given to an event (key_file).
 * Does nothing if the path does not exist. */
void view_hide(const char *path);

/* Adds the words. BG_E_START: a file that the bot needs is beside the results, or every bot sees
 * the results' folder, or a file beside them has a second name; BG_E_SYSTEM. */
enum bg_status view_add(struct words *out, const struct view *view, struct bg_error *err);

#endif
