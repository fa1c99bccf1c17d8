/* act_words.h - the kinds of acts, and the words of their subjects.
 *
 * kind         subject                                             who      reason
 * enter        bot=NAME                                            desk
 * late-enter   bot=NAME                                            desk
 * withdraw     bot=NAME                                            desk     asked for
 * reinstate    bot=NAME                                            both     asked for
 * accept       bot=NAME [key=KEY]                                  desk     asked for
 * absent       bot=NAME                                            both
 * walkover     meeting=N bot=WINNER (bot=- : nobody)               both     asked for
 * void         meeting=N | pair=A|B|PAIR | game=A|B|PAIR|LEG|GAME  desk     asked for
 * adjudicate   meeting=N score=1|0.5|0 (of a)                      desk     asked for
 * replay       meeting=N | pair=A|B|PAIR  pairs=FROM+COUNT         desk     asked for
 * round        stage=S round=R                                     bgref
 * fixture      meeting=N stage=S group=G part=P round=R line=L a=NAME b=NAME pairs=FROM+COUNT
 *              meeting=N pairs=FROM+COUNT      (further units)      bgref
 * bye          meeting=N stage=S group=G part=P round=R line=L bot=NAME     bgref
 * result       meeting=N score=X points=A:B                        bgref
 * condition    between=A,B cube=off length=7 ...                   desk     asked for
 * note         -                                                   desk     asked for (the note)
 * close        -                                                   desk
 * sign         signer=FINGERPRINT                                  desk
 *
 * Stages, groups, rounds and lines are counted from 1 here. Values have no spaces.
 */
#ifndef RESULTS_SEASON_ACT_WORDS_H
#define RESULTS_SEASON_ACT_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#include "store/act.h"

enum act_kind {
    ACT_ENTER,
    ACT_LATE_ENTER,
    ACT_WITHDRAW,
    ACT_REINSTATE,
    ACT_ACCEPT,
    ACT_ABSENT,
    ACT_WALKOVER,
    ACT_VOID,
    ACT_ADJUDICATE,
    ACT_REPLAY,
    ACT_ROUND,
    ACT_FIXTURE,
    ACT_BYE,
    ACT_RESULT,
    ACT_CONDITION,
    ACT_NOTE,
    ACT_CLOSE,
    ACT_SIGN,
    ACT_KINDS
};

/* A row of the table above. */
struct act_rule {
    const char *name; /* "late-enter" */
    bool by_desk;     /* a director may ask for it */
    bool by_form;     /* it follows from the form (who "bgref") */
    bool needs_reason;
    const char *subject; /* "bot=NAME", for help and messages */
    const char *help;    /* one sentence */
};

extern const struct act_rule act_rules[ACT_KINDS];

/* Returns the kind with this name, or ACT_KINDS. */
enum act_kind act_kind_read(const char *name);

/* Copies the value of a word in a subject ("bot" of "bot=random meeting=7") into out. Returns false
 * if the word is missing or its value is longer than room - 1. */
bool act_word(char *out, size_t room, const char *subject, const char *word);

/* What a host's director made of the event: "paused", "cancelled", or "" when it goes on; NULL: the
 * act says nothing of that. Notes say it, with the subject state=STATE. */
const char *act_held(const struct act *act);

/* Returns false if a word of a subject is none of this kind's, or is one too many; `word` is then a
 * copy of it. */
bool act_subject_fits(char *word, size_t room, enum act_kind kind, const char *subject);

#endif
