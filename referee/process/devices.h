/* devices.h - the device files that a sandbox shares with the machine. */
#ifndef REFEREE_PROCESS_DEVICES_H
#define REFEREE_PROCESS_DEVICES_H

/* For a process of root's that is about to run a sandbox: from now on it sees /dev/null and its
 * like through mounts that are read-only. They work as before, but a bot, which is root there, too,
 * cannot change their mode or their times, which would be those of the whole machine. For other
 * users, who own no device, and where root may not mount, it does nothing. Safe between vfork and
 * exec. */
void devices_hold(void);

#endif
