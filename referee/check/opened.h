/* opened.h - which files a bot opens while it is examined.
 *
 *     opened = opened_begin(&bot);
 *     opened_look(opened);          when its process is ready, and before it ends
 *     opened_files(opened, &count);
 *     opened_destroy(opened);
 *
 * Found are: the files that its processes have mapped or hold open for reading at a look, wherever
 * they are, and every file of the bot's own folders that anybody opens in between: the folders of
 * the files that its command and options name, and the folders below these. Not found is a file
 * elsewhere that is opened and closed between two looks. Files that were written are left out.
 */
#ifndef REFEREE_CHECK_OPENED_H
#define REFEREE_CHECK_OPENED_H

#include <stdbool.h>
#include <stddef.h>

#include "bot/competitor.h"

struct opened;

struct opened *opened_begin(const struct competitor *bot);
/* Looks at all processes below this one except its own children, which are keepers. */
void opened_look(struct opened *opened);
/* The paths, sorted, each once; lent until the next call. */
const char *const *opened_files(struct opened *opened, size_t *count);
void opened_destroy(struct opened *opened); /* NULL is fine */

/* Writes the path with its folder as the system resolves it. The last part may be a link, which is
 * kept. False: there is no such folder. */
bool opened_path(char *out, size_t size, const char *path);

#endif
