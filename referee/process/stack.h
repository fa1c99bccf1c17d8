/* stack.h - the stack that the program may have.
 *
 * The rules of some games look through the tree of all plays on the stack, which takes 250 KB with
 * what calls them; so do bots, which inherit the limit.
 */
#ifndef REFEREE_PROCESS_STACK_H
#define REFEREE_PROCESS_STACK_H

#include <bgref/error.h>

enum { STACK_NEEDED = 512 << 10 }; /* bytes: twice what was measured */

/* Raises a limit that is too small to what is needed. Call it first of all. BG_E_ARGUMENT, with the
 * remedy: it may not be raised. */
enum bg_status stack_suffice(struct bg_error *err);

#endif
