/* evidence.h - the stored data of a bot's fault, so that its author can reproduce it. */
#ifndef REFEREE_TABLE_EVIDENCE_H
#define REFEREE_TABLE_EVIDENCE_H

#include <bgref/ask.h>
#include <bgref/notation.h>

#include "store/store.h"

struct evidence {
    const char *game_id, *bot; /* lent */
    const char *words;         /* the bot as words of bgref ask; NULL: no command is made */
    const char *alias;         /* the game's id as the bot sees it; lent, may be NULL */
    enum bg_fault fault;
    enum bg_rule rule;            /* BG_RULE_NONE when no rule of play was broken */
    const struct bg_match *match; /* at the decision */
    int seat;                     /* whose decision; -1 none was open */
    uint64_t decision;
    const struct bg_answer *answer; /* NULL: none that could be read */
    const void *bytes;              /* the message as it came; NULL: none came */
    size_t bytes_size;
    const char *message, *stderr_tail; /* may be NULL */
};

/* Makes a store_fault with every member set: a decoded answer by its fields, an unreadable
 * message by its bytes. The store takes it. */
struct store_fault *evidence_make(const struct evidence *evidence);

/* The answer as one line ("moves 8/5 6/5", "double"), in the game's notation. */
enum { EVIDENCE_ANSWER = BG_POSITION_TEXT + 16 };
void evidence_answer_write(char out[EVIDENCE_ANSWER], const struct bg_variant *variant,
                           const struct bg_answer *answer);

#endif
