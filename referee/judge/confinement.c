/* The test starts a process in a sandbox, so it is made once for all processes of a judge, and
 * its result is kept with the words that a person reads. */
#include "confinement.h"

#include <stdio.h>

#include "../process/sandbox.h"

enum bg_status confinement_of(struct confinement *out, enum config_sandbox wanted, const char *key,
                              struct bg_error *err)
{
    char why[160] = "";

    *out = (struct confinement){.confined =
                                    wanted != CONFIG_SANDBOX_OFF && sandbox_works(why, sizeof why)};
    if (wanted == CONFIG_SANDBOX_ON && !out->confined) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "%s: on, but a judge cannot be confined here: %s; 'bgref doctor' says "
                            "more",
                            key, why);
    }
    if (out->confined) {
        snprintf(out->how, sizeof out->how, "confined (%s)", sandbox_name());
    } else if (wanted == CONFIG_SANDBOX_OFF) {
        snprintf(out->how, sizeof out->how, "not confined: %s=off", key);
    } else {
        snprintf(out->how, sizeof out->how, "not confined: %s", why);
    }
    return BG_OK;
}
