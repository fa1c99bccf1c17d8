/* The tells of each seat wait in a buffer of their own. Numbers are counted also for one that
 * had to be left out, so that a bot sees the gap. */
#include "telling.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <base/memory.h>

#include "../seat/announcement.h"

struct telling {
    struct wire_tells waiting[2];
    uint64_t number[2]; /* of the next tell */
    bool paired[2];     /* it was told its pairing, or does not want to be */
    int known[2];       /* session_starts() of the process that knows the game's begin; -1 none */
};

struct telling *telling_create(void)
{
    return memory_zeroed(1, sizeof(struct telling));
}

void telling_destroy(struct telling *telling)
{
    if (telling == NULL) {
        return;
    }
    wire_tells_deinit(&telling->waiting[0]);
    wire_tells_deinit(&telling->waiting[1]);
    free(telling);
}

void telling_game(struct telling *telling, int steps)
{
    for (int seat = 0; seat < 2; seat++) {
        telling->waiting[seat].size = 0;
        telling->number[seat] = steps == 0 ? 0 : 1 + (uint64_t)steps;
        telling->known[seat] = -1;
    }
}

bool telling_knows(const struct telling *telling, int seat, const struct session *session)
{
    return telling->known[seat] == session_starts(session);
}

static void add_pairing(struct telling *telling, int seat, const struct session *session,
                        const struct bg_ask *view)
{
    struct bg_tell tell = {.kind = BG_TELL_PAIRED,
                           .paired = {.length = (int)view->rules.length_points}};

    snprintf(tell.paired.opponent, sizeof tell.paired.opponent, "%s", view->opponent);
    snprintf(tell.paired.event, sizeof tell.paired.event, "%s", session_event(session));
    telling->paired[seat] = true;
    if (session_wants_pairings(session)) {
        (void)wire_tells_add(&telling->waiting[seat], &tell, NULL); /* else it is not told */
    }
}

void telling_pair(struct telling *telling, int seat, struct session *session,
                  const struct bg_ask *view)
{
    if (session_state(session) == SESSION_READY) {
        add_pairing(telling, seat, session, view);
        session_tell(session, &telling->waiting[seat]);
    }
}

/* Without memory the tell is left out; its number then shows the gap. */
static void add(struct telling *telling, int seat, const struct bg_ask *view, struct bg_tell *tell)
{
    memcpy(tell->game, view->game, sizeof tell->game);
    tell->number = telling->number[seat]++;
    (void)wire_tells_add(&telling->waiting[seat], tell, NULL);
}

void telling_begin(struct telling *telling, int seat, const struct session *session,
                   const struct bg_ask *view, int game_number)
{
    struct bg_tell tell = {.kind = BG_TELL_BEGIN, .begin = announcement_of(view, game_number)};

    telling->waiting[seat].size = 0;
    telling->known[seat] = session_starts(session);
    if (!telling->paired[seat]) {
        add_pairing(telling, seat, session, view);
    }
    add(telling, seat, view, &tell);
}

/* The dice of a step as seat sees them: those of an opening own first. Returns how many there
 * are. */
static int dice_of(uint8_t out[4], const struct bg_step *step, int seat)
{
    int count = 0;

    while (count < 4 && step->die[count] != 0) {
        count++;
    }
    for (int i = 0; i < count; i++) {
        bool turned = step->kind == BG_STEP_OPEN && seat == 1;

        out[i] = step->die[turned ? (i + count / 2) % count : i];
    }
    return count;
}

void telling_step(struct telling *telling, int seat, const struct bg_ask *view,
                  const struct bg_step *step)
{
    struct bg_tell tell = {.kind = BG_TELL_STEP,
                           .step = {.kind = step->kind,
                                    .own = step->seat == seat,
                                    .level = step->level,
                                    .fault = step->fault}};

    if (step->kind == BG_STEP_OPEN || step->kind == BG_STEP_ROLL) {
        tell.step.dice = dice_of(tell.step.die, step, seat);
    }
    if (step->kind == BG_STEP_PLAY) {
        tell.step.play = step->play;
        tell.step.board = view->board;
    }
    add(telling, seat, view, &tell);
}

void telling_end(struct telling *telling, int seat, const struct bg_ask *view,
                 const struct bg_match *match)
{
    const struct bg_result *result = &match->result;
    struct bg_tell end = {
        .kind = BG_TELL_END,
        .end = {.end = result->end,
                .level = result->level,
                .own_points = result->winner == seat ? result->points : -result->points,
                .score = {match->score[seat], match->score[1 - seat]}}};
    struct bg_tell over = {.kind = BG_TELL_MATCH_END,
                           .own_won = match->match_winner < 0 ? -1 : match->match_winner == seat};

    add(telling, seat, view, &end);
    if (match->need.kind == BG_NEED_NOTHING) {
        add(telling, seat, view, &over);
    }
}

void telling_release(struct telling *telling, struct session *const sessions[2])
{
    for (int seat = 0; seat < 2; seat++) {
        session_tell(sessions[seat], &telling->waiting[seat]);
    }
}
