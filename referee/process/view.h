/* view.h - the files that a confined bot sees, as words for bwrap.
 *
 * Everything is read-only. Of the system: /usr, the libraries, named parts of /etc. Of the bot: the
 * folder of its program and of each file that its command names; but where that is a home folder, a
 * folder above one, or one that many share (/tmp, /opt, ...), the file alone.
 * Never seen: the folder of the results (the key of the dice lies there, too), as it was named and
 * where it truly is, the folder of the referee's sockets, and the file of view_hide; whatever path
 * leads there.
 */
#ifndef REFEREE_PROCESS_VIEW_H
#define REFEREE_PROCESS_VIEW_H

#include "words.h"

#include <bgref/error.h>

struct view {
    char *const *words;   /* the bot's command, split */
    const char *dir;      /* where it runs; a real path */
    const char *endpoint; /* ipc://FOLDER/SOCKET */
    const char *hidden;   /* the file of the results; "" none */
};

/* From now on no sandbox of this process shows this file: the key that an event was given
 * (key_file). A path that leads nowhere hides nothing. */
void view_hide(const char *path);

/* Adds the words. BG_E_START: what the bot needs lies with the results, or the results where every
 * bot sees them, or a file beside them has a second name; BG_E_SYSTEM, BG_E_MEMORY. */
enum bg_status view_add(struct words *out, const struct view *view, struct bg_error *err);

#endif
