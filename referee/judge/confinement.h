/* confinement.h - whether the processes of a judge run in a sandbox: what was asked for, and what
 * this machine can do.
 */
#ifndef REFEREE_JUDGE_CONFINEMENT_H
#define REFEREE_JUDGE_CONFINEMENT_H

#include "config/config.h"

struct confinement {
    bool confined;
    char how[200]; /* for people: "confined (bwrap+seccomp)", "not confined: judge_sandbox=off" */
};

/* wanted: CONFIG_SANDBOX_AUTO confines where that works. BG_E_ARGUMENT: CONFIG_SANDBOX_ON where it
 * does not; the story begins with key, which is how the user names the setting. */
enum bg_status confinement_of(struct confinement *out, enum config_sandbox wanted, const char *key,
                              struct bg_error *err);

#endif
