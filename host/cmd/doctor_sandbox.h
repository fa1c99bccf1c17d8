/* doctor_sandbox.h - bgref doctor on confinement: what is in force on this machine, and the remedy
 * for each gap. */
#ifndef HOST_CMD_DOCTOR_SANDBOX_H
#define HOST_CMD_DOCTOR_SANDBOX_H

#include "doctor_host.h"

/* version: the output of `bwrap --version`, "" if none. */
void doctor_sandbox(doctor_say_fn say, const char *version);

#endif
