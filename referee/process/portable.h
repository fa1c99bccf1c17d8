/* portable.h - what C libraries older than glibc 2.34 lack, by other means. */
#ifndef REFEREE_PROCESS_PORTABLE_H
#define REFEREE_PROCESS_PORTABLE_H

/* "SEGV" of 11; "?" of a number without a name. Static. */
const char *signal_name(int number);

/* Closes every descriptor from first on. Allocates and locks nothing: it may be called between
 * vfork and exec. */
void close_descriptors_from(int first);

#endif
