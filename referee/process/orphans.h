/* orphans.h - processes of bots without a living keeper.
 *
 * Usually there are none: a keeper (keeper.h) ends all that its bot started. An unconfined bot can
 * kill its keeper; its processes then become our children, because launcher_begin makes us a
 * subreaper. If keepers and referee were killed together, the next referee recognises the processes
 * by their environment.
 */
#ifndef REFEREE_PROCESS_ORPHANS_H
#define REFEREE_PROCESS_ORPHANS_H

#include <stdbool.h>
#include <sys/types.h>

/* Notes this process's present children: its caller started them, and they are left alone. */
void orphans_begin(void);

/* Notes a child that we have started ourselves and wait for: not an orphan. */
void orphans_except(pid_t pid);
void orphans_forget(pid_t pid);
bool orphans_is_own(pid_t pid);

/* Kills and reaps children that we have not started; returns their number, 0 only if there was
 * none. If there were children at orphans_begin, whose own children may have become ours, ends only
 * processes that are known to be a bot's: by its session, or by the variables that bots get. */
int orphans_end(pid_t session);

/* Kills processes whose BGREF_ENDPOINT belongs to a dead referee; returns their number. */
int orphans_sweep(void);

#endif
