/* stack.h - the program's stack limit.
 *
 * The rules of some games search the tree of all plays on the stack, which takes 250 KB with its
 * callers; bots do the same and inherit the limit.
 */
#ifndef REFEREE_PROCESS_STACK_H
#define REFEREE_PROCESS_STACK_H

#include <bgref/error.h>

enum { STACK_NEEDED = 512 << 10 }; /* bytes: twice what was measured */

/* Raises a limit that is too small. Call it first of all. BG_E_ARGUMENT, with the remedy: the limit
 * may not be raised. */
enum bg_status stack_suffice(struct bg_error *err);

#endif
