/* doctor_sandbox.h - bgref doctor on confinement: what is in force on this machine, and the remedy
 * for each gap. */
#ifndef HOST_CMD_DOCTOR_SANDBOX_H
#define HOST_CMD_DOCTOR_SANDBOX_H

#include <bgref/error.h>

#include <stdbool.h>

/* Prints a finding; good: nothing is missing. */
typedef void doctor_say(bool good, const char *what, const char *format, ...) BG_PRINTF(3, 4);

/* version: the output of `bwrap --version`, "" if none. */
void doctor_sandbox(doctor_say *say, const char *version);

#endif
