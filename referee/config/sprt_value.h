/* sprt_value.h - the sequential test of a duel as words: "ppg0=0 ppg1=0.05 alpha=0.05". */
#ifndef REFEREE_CONFIG_SPRT_VALUE_H
#define REFEREE_CONFIG_SPRT_VALUE_H

#include "config.h"

/* Reads words key=value, separated by blanks: ppg0 and ppg1, or elo0 and elo1, are required; alpha,
 * beta, model, statistic, min_clusters. "off": no test. BG_E_ARGUMENT: the message names the
 * mistake; *out is then unchanged. */
enum bg_status sprt_value_read(struct config_sprt *out, const char *text, struct bg_error *err);

/* Writes every word, in one order, as sprt_value_read reads it. */
void sprt_value_write(char *out, size_t size, const struct config_sprt *sprt);

#endif
