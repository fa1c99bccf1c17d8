/* devices.h - the device files that a sandbox shares with the host. */
#ifndef REFEREE_PROCESS_DEVICES_H
#define REFEREE_PROCESS_DEVICES_H

/* For a root process that is about to run a sandbox: makes read-only mounts of /dev/null and
 * similar devices. They work as before, but a bot, which is root there, too, cannot change their
 * mode or times, which are the host's. For other users, who own no device, and where root may not
 * mount, it does nothing. Safe between vfork and exec. */
void devices_hold(void);

#endif
