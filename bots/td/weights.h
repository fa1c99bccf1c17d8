/* weights.h - a net in a file.
 *
 * Lines of text, then the weights:
 *     bgref-td-1
 *     game backgammon
 *     size INPUTS HIDDEN    and then `sigmoid` where the hidden units are of that kind
 *     recipe WORDS          how it was made; `bgref-td-train` with these words makes it again
 *     digest 16 HEX DIGITS  of the bytes after the empty line (FNV-1a)
 *     (an empty line)
 * Each weight is two bytes, low first: a signed share of 1/32767 of the largest weight, which comes
 * first as a single float in four bytes, low first.
 */
#ifndef BOTS_TD_WEIGHTS_H
#define BOTS_TD_WEIGHTS_H

#include "net.h"

enum { WEIGHTS_RECIPE = 400 };

/* Kinds of nets in files beside that of a game; there the game's name is "GAME KIND". */
#define WEIGHTS_RACE  "race"
#define WEIGHTS_SIEVE "sieve"

/* Rounds the weights as a file would. */
void weights_round(struct net *net);

/* BG_E_SYSTEM: the file cannot be written. */
enum bg_status weights_write(const struct net *net, const char *game, const char *recipe,
                             const char *path, struct bg_error *err);

/* Writes the path of the file of a kind, such as race, that belongs to this one: x.td has
 * x.race.td. size: of out. */
void weights_path(char *out, size_t size, const char *path, const char *kind);

/* BG_E_CONFIG: the file is missing, damaged, or for another game; the text has the path and the
 * remedy. The caller destroys the net. */
enum bg_status weights_read(struct net *net, const char *game, int inputs, const char *path,
                            struct bg_error *err);

#endif
