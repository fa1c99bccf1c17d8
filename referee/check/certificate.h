/* certificate.h - what an examination found: a list of findings, the level reached, and a digest by
 * which a host can ask for it.
 *
 * Level 0: it starts, greets and plays a legal game. Level 1: it knows the rules. Level 2: it has
 * manners. A level is reached when nothing of it and of those below has failed.
 */
#ifndef REFEREE_CHECK_CERTIFICATE_H
#define REFEREE_CHECK_CERTIFICATE_H

#include <bgref/error.h>

#include "words/again.h"
#include "words/said.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { CERTIFICATE_LEVELS = 3, CERTIFICATE_HASH = 65 };

/* One thing that was tried. Texts are for people, of one line each. */
struct finding {
    int level;
    char name[96];
    uint64_t tried, failed;
    char rule[8];         /* number of the rule broken first, "" none */
    char message[400];    /* the first failure, or a remark */
    char rules_say[1200]; /* a command with the verdict of the rules, "" none */
    char again[2600];     /* a command that puts the bot there again, "" none */
    struct said said;     /* what the process wrote last, when it failed; several lines */
};

struct certificate {
    char bot[65], version[160];
    char options[1024];   /* its options, as it was told them */
    char program[65];     /* digest of the program, "-" unknown */
    int asked;            /* highest level that was examined */
    double seconds;       /* how long it took; not in the digest */
    struct finding *list; /* owned */
    size_t count, room;
};

void certificate_deinit(struct certificate *certificate); /* also of a zeroed one */

/* Adds an empty finding, lent until the next is added; NULL: no memory. */
struct finding *certificate_add(struct certificate *certificate, int level, const char *name);

/* Notes one trial. message and the others are kept for the first failure; NULL: nothing to tell. */
void finding_pass(struct finding *finding);
void finding_fail(struct finding *finding, const char *rule, const char *message,
                  const struct again *again);
/* Keeps what the process wrote, beside the first failure only. */
void finding_said(struct finding *finding, const struct said *said);

/* -1: not even level 0. */
int certificate_level(const struct certificate *certificate);

/* BLAKE2b-256 over what was found of which program, without times: the same program examined the
 * same way has the same digest. */
void certificate_hash(char out[CERTIFICATE_HASH], const struct certificate *certificate);

void certificate_write_text(FILE *out, const struct certificate *certificate);
enum bg_status certificate_write_json(FILE *out, const struct certificate *certificate,
                                      struct bg_error *err);
void certificate_write_junit(FILE *out, const struct certificate *certificate);

#endif
