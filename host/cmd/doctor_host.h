/* doctor_host.h - bgref doctor HOST.yaml: what a host will need. */
#ifndef HOST_CMD_DOCTOR_HOST_H
#define HOST_CMD_DOCTOR_HOST_H

#include <stddef.h>

#include <bgref/api.h>

enum verdict { GOOD, WARN, BAD };

typedef void (*doctor_say_fn)(enum verdict verdict, const char *what, const char *format, ...)
    BG_PRINTF(3, 4);

/* Reads the file and says what it finds, a line each. folder: of the host; "" if the file cannot
 * be read. */
void doctor_host(doctor_say_fn say, const char *path, char *folder, size_t size);

#endif
