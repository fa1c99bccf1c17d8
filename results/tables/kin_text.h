/* kin_text.h - who plays like whom, as text and as JSON (docs/fields.md). */
#ifndef RESULTS_TABLES_KIN_TEXT_H
#define RESULTS_TABLES_KIN_TEXT_H

#include <stdio.h>

#include <sums/kin_games.h>

/* What is printed; all lent. */
struct kin_page {
    const struct kin *kin;
    const struct kin_choice *choices;
    size_t count;
    const char *const *names; /* of the bots */
    const char *judge;        /* whose errors are used; NULL none */
    /* Writes the decision, the choice in words, and where it was made, of one of the choices. */
    enum bg_status (*words)(void *user, char key[DECISION_KEY], char words[DECISION_WORDS],
                            const char **where, size_t choice, struct bg_error *err);
    void *user;
};

/* BG_E_STORE, BG_E_SYSTEM. */
enum bg_status kin_text(FILE *out, const struct kin_page *page, struct bg_error *err);
enum bg_status kin_json(FILE *out, const struct kin_page *page, struct bg_error *err);

#endif
