/* portable.h - replacements for functions that C libraries before glibc 2.34 lack. */
#ifndef REFEREE_PROCESS_PORTABLE_H
#define REFEREE_PROCESS_PORTABLE_H

/* Returns "SEGV" for 11; "?" for a number without a name. Static. */
const char *signal_name(int number);

/* Closes every descriptor from first on. Allocates and locks nothing: it may be called between
 * vfork and exec. */
void close_descriptors_from(int first);

#endif
