/* cache.h - the folder for what bots compute once and keep: exact tables, for example.
 *
 * Every bot is told its path (BGREF_CACHE), and confined bots see it read-only.
 */
#ifndef REFEREE_PROCESS_CACHE_H
#define REFEREE_PROCESS_CACHE_H

#include <stddef.h>

/* Writes $BGREF_CACHE, else $XDG_CACHE_HOME/bgref, else $HOME/.cache/bgref; "" if none is an
 * absolute path that fits. It need not exist. */
void cache_find_folder(char *out, size_t size);

#endif
