/* register_next.h - an author hands a name on to another key, at a host's porch. */
#ifndef REFEREE_CMD_REGISTER_NEXT_H
#define REFEREE_CMD_REGISTER_NEXT_H

/* Asks the host (HOST.bgref) on the word of the key in the file `key`, whose name it is, to know
 * the key of the file `next` in its place. Prints the answer or why there is none; returns the exit
 * status, as 'bgref register'. */
int register_next(const char *host, const char *key, const char *next);

#endif
