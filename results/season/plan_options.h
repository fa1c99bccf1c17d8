/* plan_options.h - the options of a stage: names, forms, ranges. Used to read and to write a plan.
 */
#ifndef RESULTS_SEASON_PLAN_OPTIONS_H
#define RESULTS_SEASON_PLAN_OPTIONS_H

#include "plan.h"

/* One form's bit in a set of forms. */
#define PLAN_BIT(form) (1U << (form))
#define PLAN_ALL       (PLAN_BIT(PLAN_FORMS) - 1)

enum plan_kind {
    PLAN_COUNT, /* an int */
    PLAN_ODD,   /* an odd int */
    PLAN_WORD,  /* an enum, one of two words: 0 the first */
    PLAN_FLAG,  /* a bool, one of two words */
    PLAN_NAMES  /* a list of names and their number */
};

struct plan_option {
    const char *name;
    unsigned forms;      /* the forms that have it */
    enum plan_kind kind; /* of the value */
    int least, most;     /* counts */
    const char *words[2];
    size_t at;     /* of the value in struct plan_stage */
    size_t length; /* PLAN_NAMES: of the number of names */
    int terms;     /* an enum plan_terms that this option chooses; -1: none */
};

enum { PLAN_OPTIONS = 22 };

extern const struct plan_option plan_options[PLAN_OPTIONS]; /* in the order of plan_write */

/* Fills out with the defaults of a form. */
void plan_stage_default(struct plan_stage *out, enum plan_form form);

/* Sets an option of a stage. BG_E_ARGUMENT: the value is wrong; the message has name and value. */
enum bg_status plan_option_read(struct plan_stage *stage, const struct plan_option *option,
                                const char *value, struct bg_error *err);

/* Writes the value; returns its length as snprintf does. */
int plan_option_write(char *out, size_t room, const struct plan_stage *stage,
                      const struct plan_option *option);

/* Whether plan_write names the option: it belongs to the form and is not the default. */
bool plan_option_is_set(const struct plan_stage *stage, const struct plan_option *option);

#endif
