/* certificate.h - what an examination found: a list of findings, the level reached, and a digest by
 * which a host can ask for it.
 *
 * Level 0: it starts, greets and plays a legal game. Level 1: it knows the rules. Level 2: it
 * keeps the protocol. A level is reached when nothing of it and of those below has failed.
 */
#ifndef REFEREE_CHECK_CERTIFICATE_H
#define REFEREE_CHECK_CERTIFICATE_H

#include <bgref/error.h>

#include "base/again.h"
#include "base/said.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { CERTIFICATE_LEVELS = 3, CERTIFICATE_HASH = 65 };

enum { FAILURES_KEPT = 200, FAILURES_SHOWN = 3 };

/* One failure of a check. Texts are for people, one line each, and owned; never NULL. */
struct failure {
    char rule[8];     /* number of the rule that was broken, "" none */
    const char *kind; /* the fault in a word ("crash"), static; "" for neither rule nor fault */
    char *message;
    char *rules_say; /* a command that prints the verdict of the rules, "" none */
    char *again;     /* a command that repeats the question to the bot, "" none */
};

/* The result of one check. */
struct finding {
    int level;
    char name[96];
    uint64_t tried, failed;
    char note[400];          /* what there is to say of a check that passed, "" nothing */
    struct failure *failure; /* owned: the failures in their order, each question once; the first
                              * FAILURES_KEPT */
    size_t failures, failure_room;
    struct said said; /* the last output of the process if it failed; several lines */
};

struct certificate {
    char bot[65], version[160];
    char options[1024];   /* its options, as they were sent to it */
    char program[65];     /* digest of the program, "-" if unknown */
    int asked;            /* highest level of the examination */
    double seconds;       /* duration; not part of the digest */
    struct finding *list; /* owned */
    size_t count, room;
};

void certificate_deinit(struct certificate *certificate); /* also valid for a zeroed one */

/* Adds an empty finding, lent until the next one is added. */
struct finding *certificate_add(struct certificate *certificate, int level, const char *name);

/* Each counts one trial. again may be NULL, and so may its two commands. */
void finding_pass(struct finding *finding);
void finding_fail(struct finding *finding, const char *rule, const char *kind, const char *message,
                  const struct again *again);
/* Keeps the output of the process, for the first failure only. */
void finding_said(struct finding *finding, const struct said *said);

void finding_deinit(struct finding *finding); /* for one that is in no certificate */

/* Returns the level reached; -1 if level 0 failed. */
int certificate_level(const struct certificate *certificate);

/* Writes the BLAKE2b-256 digest of the program and its findings, without times: the same program
 * examined in the same way has the same digest. */
void certificate_hash(char out[CERTIFICATE_HASH], const struct certificate *certificate);

/* Shows FAILURES_SHOWN failures of each rule, and says how many more there are; all: every one. */
void certificate_write_text(FILE *out, const struct certificate *certificate, bool all);
enum bg_status certificate_write_json(FILE *out, const struct certificate *certificate,
                                      struct bg_error *err);
void certificate_write_junit(FILE *out, const struct certificate *certificate);

#endif
