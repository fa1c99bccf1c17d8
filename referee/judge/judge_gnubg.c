#include "judge_kinds.h"

enum bg_status judge_gnubg_open(struct judge **out, const char *words,
                                const struct judge_setup *setup, struct bg_error *err)
{
    (void)out;
    (void)words;
    (void)setup;
    return bg_error_set(err, BG_E_ARGUMENT, "the gnubg judge is not there yet");
}
