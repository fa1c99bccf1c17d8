/* Both hypotheses have to be given: a default for one of them would decide the test, and people
 * would read it as ours. The numbers have a reader of their own, because strtod() also takes
 * "nan", "inf" and hexadecimal digits, and a writer that finds the shortest text: settings are
 * compared as texts. */
#include "sprt_value.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/closest.h"
#include "base/units.h"

static const char *const model_words[] = {"auto", "normal", "binomial", "multinomial", NULL};
static const char *const statistic_words[] = {"plain", "luck", NULL};
static const char *const unit_words[] = {"ppg", "fibs", "chess", "normalised", NULL};
/* The units of Elo; chess harnesses call them models. */
static const struct {
    const char *word;
    enum config_sprt_unit unit;
} chess_models[] = {{"logistic", CONFIG_SPRT_CHESS},
                    {"normalized", CONFIG_SPRT_NORMALISED},
                    {"normalised", CONFIG_SPRT_NORMALISED}};

/* The words read so far. Both hypotheses must be given, in one unit. */
struct sprt_value_reading {
    struct config_sprt sprt;
    bool has[2][2]; /* [points a game, Elo][hypothesis] */
    bool has_unit;
};

static enum bg_status number_read(double *out, const char *text, struct bg_error *err)
{
    char *end = NULL;
    double value = strtod(text, &end);

    if (text[0] == '\0' || *end != '\0' || strspn(text, "0123456789.+-eE") != strlen(text) ||
        !isfinite(value)) {
        return bg_error_set(err, BG_E_ARGUMENT, "'%.40s' is not a number", text);
    }
    *out = value == 0 ? 0 : value; /* avoids minus zero */
    return BG_OK;
}

static enum bg_status unit_take(struct sprt_value_reading *reading, enum config_sprt_unit unit)
{
    reading->sprt.unit = unit;
    reading->has_unit = true;
    return BG_OK;
}

static enum bg_status unit_read(struct sprt_value_reading *reading, const char *value,
                                struct bg_error *err)
{
    int word = 0;
    enum bg_status status =
        word_read(&word, strcmp(value, "normalized") == 0 ? "normalised" : value, unit_words, err);

    return status == BG_OK ? unit_take(reading, (enum config_sprt_unit)word) : status;
}

static enum bg_status model_read(struct sprt_value_reading *reading, const char *value,
                                 struct bg_error *err)
{
    int word = 0;
    enum bg_status status;

    for (size_t i = 0; i < sizeof chess_models / sizeof chess_models[0]; i++) {
        if (strcmp(value, chess_models[i].word) == 0) {
            return unit_take(reading, chess_models[i].unit);
        }
    }
    status = word_read(&word, value, model_words, err);
    reading->sprt.model = (enum config_sprt_model)word;
    return status;
}

static enum bg_status word_take(struct sprt_value_reading *reading, const char *key,
                                const char *value, struct bg_error *err)
{
    static const char *const hypotheses[2][2] = {{"ppg0", "ppg1"}, {"elo0", "elo1"}};
    static const char *const keys[] = {"ppg0", "ppg1",  "elo0",      "elo1",         "alpha",
                                       "beta", "model", "statistic", "min_clusters", "unit"};
    struct config_sprt *sprt = &reading->sprt;
    int word = 0;

    for (int unit = 0; unit < 2; unit++) {
        for (int h = 0; h < 2; h++) {
            if (strcmp(key, hypotheses[unit][h]) == 0) {
                reading->has[unit][h] = true;
                return number_read(h == 0 ? &sprt->h0 : &sprt->h1, value, err);
            }
        }
    }
    if (strcmp(key, "alpha") == 0 || strcmp(key, "beta") == 0) {
        return number_read(key[0] == 'a' ? &sprt->alpha : &sprt->beta, value, err);
    }
    if (strcmp(key, "model") == 0) {
        return model_read(reading, value, err);
    }
    if (strcmp(key, "unit") == 0) {
        return unit_read(reading, value, err);
    }
    if (strcmp(key, "statistic") == 0) {
        enum bg_status status = word_read(&word, value, statistic_words, err);

        sprt->luck = word == 1;
        return status;
    }
    if (strcmp(key, "min_clusters") == 0) {
        return count_read(&sprt->min_clusters, value, 2, 1000000000, err);
    }
    return bg_error_set(err, BG_E_ARGUMENT, "unknown word %.40s%s", key,
                        closest_perhaps(key, keys, sizeof keys / sizeof keys[0]).text);
}

static enum bg_status check(struct sprt_value_reading *reading, struct bg_error *err)
{
    struct config_sprt *sprt = &reading->sprt;
    bool ppg = reading->has[0][0] || reading->has[0][1];
    bool elo = reading->has[1][0] || reading->has[1][1];

    if (ppg == elo || !reading->has[elo][0] || !reading->has[elo][1]) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "both hypotheses are needed, in one unit: ppg0=0 ppg1=0.05 (points per "
                            "game) for money, elo0=0 elo1=50 (FIBS points) for matches");
    }
    if (sprt->h0 >= sprt->h1) {
        return bg_error_set(err, BG_E_ARGUMENT, "%s0 must be smaller than %s1", elo ? "elo" : "ppg",
                            elo ? "elo" : "ppg");
    }
    if (!(sprt->alpha > 0) || !(sprt->beta > 0) || !(sprt->alpha + sprt->beta < 1)) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "alpha and beta must be above 0, and their sum below 1");
    }
    if (reading->has_unit && (sprt->unit == CONFIG_SPRT_PPG) != ppg) {
        return bg_error_set(err, BG_E_ARGUMENT, "unit=%s goes with %s", unit_words[sprt->unit],
                            ppg ? "elo0 and elo1" : "ppg0 and ppg1");
    }
    sprt->on = true;
    if (!reading->has_unit) {
        sprt->unit = elo ? CONFIG_SPRT_FIBS : CONFIG_SPRT_PPG;
    }
    return BG_OK;
}

enum bg_status sprt_value_read(struct config_sprt *out, const char *text, struct bg_error *err)
{
    struct sprt_value_reading reading = {
        .sprt = {.alpha = 0.05, .beta = 0.05, .min_clusters = 100}};
    const char *at = text + strspn(text, " ");
    enum bg_status status = BG_OK;

    if (strcmp(text, "off") == 0) {
        *out = reading.sprt;
        return BG_OK;
    }
    while (status == BG_OK && *at != '\0') {
        size_t length = strcspn(at, " ");
        char word[64];
        char *equal;
        struct bg_error why = {.text = ""};

        if (length >= sizeof word) {
            return bg_error_set(err, BG_E_ARGUMENT, "'%.40s' is too long for a word", at);
        }
        memcpy(word, at, length);
        word[length] = '\0';
        equal = strchr(word, '=');
        if (equal == NULL) {
            return bg_error_set(err, BG_E_ARGUMENT,
                                "'%.40s' is not key=value; words like ppg0=0 ppg1=0.05 are needed",
                                word);
        }
        *equal = '\0';
        status = word_take(&reading, word, equal + 1, &why);
        if (status != BG_OK) {
            return bg_error_set(err, status, "%.40s: %.300s", word, why.text);
        }
        at += length;
        at += strspn(at, " ");
    }
    status = check(&reading, err);
    if (status == BG_OK) {
        *out = reading.sprt;
    }
    return status;
}

/* Writes the shortest text that reads back as the same number. */
static void number_write(char out[32], double value)
{
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(out, 32, "%.*g", digits, value);
        if (strtod(out, NULL) == value) {
            return;
        }
    }
}

void sprt_value_write(char *out, size_t size, const struct config_sprt *sprt)
{
    const char *unit = sprt->unit == CONFIG_SPRT_PPG ? "ppg" : "elo";
    bool usual = sprt->unit == CONFIG_SPRT_PPG || sprt->unit == CONFIG_SPRT_FIBS;
    char h0[32], h1[32], alpha[32], beta[32];

    if (!sprt->on) {
        snprintf(out, size, "off");
        return;
    }
    number_write(h0, sprt->h0);
    number_write(h1, sprt->h1);
    number_write(alpha, sprt->alpha);
    number_write(beta, sprt->beta);
    snprintf(out, size,
             "%s0=%s %s1=%s alpha=%s beta=%s model=%s statistic=%s min_clusters=%" PRIu64 "%s%s",
             unit, h0, unit, h1, alpha, beta, model_words[sprt->model], statistic_words[sprt->luck],
             sprt->min_clusters, usual ? "" : " unit=", usual ? "" : unit_words[sprt->unit]);
}
