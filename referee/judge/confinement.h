/* confinement.h - whether a judge's processes run in a sandbox: what the user set, and what this
 * machine can do.
 */
#ifndef REFEREE_JUDGE_CONFINEMENT_H
#define REFEREE_JUDGE_CONFINEMENT_H

#include "config/config.h"

struct confinement {
    bool confined;
    char how[200]; /* for display: "confined (bwrap+seccomp)", "not confined: judge_sandbox=off" */
};

/* wanted: CONFIG_SANDBOX_AUTO confines if that works. BG_E_ARGUMENT: CONFIG_SANDBOX_ON, and it does
 * not work; the message begins with key, the setting's name as the user knows it. */
enum bg_status confinement_of(struct confinement *out, enum config_sandbox wanted, const char *key,
                              struct bg_error *err);

#endif
