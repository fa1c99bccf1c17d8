/* person.h - a seat of a person, as a bot of the SDK: what is asked, what was told, and answers
 * that cannot be illegal. No pages: play_site.h has those.
 *
 * A decision is answered once. An answer names its decision, so that a second click, or a page
 * that has not seen the last state, answers nothing.
 */
#ifndef GALLERY_PLAY_PERSON_H
#define GALLERY_PLAY_PERSON_H

#include <bgref/bot.h>

#include <jansson.h>
#include <stdint.h>

#include "../../bots/common/story.h"
#include "play_path.h"

enum { PERSON_LINES = 60, PERSON_WHY = 200 };

struct person {
    struct bg_bot *bot; /* NULL: not open yet */
    uint64_t number;    /* of the state: grows with each change */
    bool is_open;       /* ask is to be answered */
    struct bg_ask ask;  /* its results and played are not kept */
    int64_t asked_ns;
    int64_t score[2];
    struct story story;
    int last_seat; /* who made the play that was told last; -1 none */
    struct bg_play last;
    char *lines[PERSON_LINES]; /* what was told last, a ring; owned */
    uint64_t line_count;       /* ever */
    char over[PERSON_WHY];     /* why nothing more is asked; "" the seat is in play */
};

/* Both take the time now, in nanoseconds of one clock. */
void person_ask(struct person *person, const struct bg_ask *ask, int64_t now_ns);
void person_tell(struct person *person, const struct bg_tell *tell);
void person_end(struct person *person, const char *why);
void person_deinit(struct person *person);

/* The whole state, for the page; docs/play.md lists its fields. The caller's. */
json_t *person_state(const struct person *person, int64_t now_ns);

/* What a page was told about its request: the status of HTTP, with a sentence if it is not 200. */
struct person_reply {
    int status;
    char why[PERSON_WHY];
};

/* Where single moves of the open play lead: the board, and the next ones. moves: "24.6-18.3", a
 * slot and a number each; "" none. NULL: see reply. The caller's. */
json_t *person_path(struct person_reply *reply, const struct person *person, const char *decision,
                    const char *moves);

/* Takes an answer, {"decision": "12", "answer": "moves", "moves": "24.6-18.3"}; answer: a word of
 * bg_answer_name; "number" for resign and name. */
void person_answer(struct person_reply *reply, struct person *person, json_t *answer);

#endif
