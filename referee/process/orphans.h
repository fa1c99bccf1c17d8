/* orphans.h - processes of bots whose keeper is gone.
 *
 * Usually there are none: a keeper (keeper.h) ends all that its bot started. A bot without
 * confinement can kill its keeper; what is left then becomes our child, since launcher_begin has
 * made us a subreaper. When keepers and referee were killed together, the next referee finds what
 * is left by its environment.
 */
#ifndef REFEREE_PROCESS_ORPHANS_H
#define REFEREE_PROCESS_ORPHANS_H

#include <stdbool.h>
#include <sys/types.h>

/* Notes the children that this process has now: whoever called us started them, and they are left
 * alone. */
void orphans_begin(void);

/* A child that we have started ourselves, and wait for: no orphan. */
void orphans_except(pid_t pid);
void orphans_forget(pid_t pid);
bool orphans_is_own(pid_t pid);

/* Kills and reaps children that we have not started; their number, 0 only when there was none. When
 * there were children at orphans_begin, whose own children may have become ours, only those that
 * are known to be a bot's: by its session, or by the variables that bots get. */
int orphans_end(pid_t session);

/* Kills processes whose BGREF_ENDPOINT is that of a referee that lives no more; their number. */
int orphans_sweep(void);

#endif
