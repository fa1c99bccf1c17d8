#include "turnover.h"

#include <stdlib.h>

void turnover_begin(struct turnover *turnover, int64_t now_ns)
{
    generation_begin(&turnover->generation, now_ns);
}

bool turnover_is_done(const struct turnover *turnover)
{
    return fixture_queue_is_done(turnover->queue) && !absences_returning(turnover->absences) &&
           !absences_recalling(turnover->absences) && !forfeits_are_open(turnover->forfeits);
}

static enum bg_status begin_next(struct turnover *turnover, int64_t now_ns, struct bg_error *err)
{
    bool *needed = calloc((size_t)turnover->entrants->event->bot_count, sizeof *needed);
    enum bg_status status;

    if (needed == NULL) {
        return bg_error_set(err, BG_E_MEMORY, "bots");
    }
    absences_return(turnover->absences);
    generation_next(&turnover->generation, now_ns);
    fixture_queue_begin(turnover->queue);
    fixture_queue_needed(needed, turnover->queue);
    status = entrants_restart(turnover->entrants, needed, err);
    free(needed);
    return status;
}

/* A new fixture can need a bot whose processes were not started. */
static enum bg_status fill(struct turnover *turnover, int64_t now_ns, struct bg_error *err)
{
    enum bg_status status = fixture_queue_has_news(turnover->queue)
                                ? absences_recall_needed(turnover->absences, err)
                                : BG_OK;

    if (status == BG_OK) {
        places_fill(turnover->places, now_ns);
    }
    return status;
}

/* Closes the generation to new pairs when its time is over, or when a test waits for judgements
 * that only completed pairs get. */
static void close_to_pairs(struct turnover *turnover, int64_t now_ns)
{
    struct fixture_queue *queue = turnover->queue;
    bool waits = places_are_ahead(turnover->places) && fixture_queue_has_completed(queue) &&
                 queue->next[0] > queue->bound;

    if (queue->begun > 0 && (waits || generation_is_long_enough(&turnover->generation, now_ns))) {
        fixture_queue_close(queue);
    }
    if (fixture_queue_is_exhausted(queue) &&
        places_taken(turnover->places) < turnover->places->event->concurrency) {
        generation_idle(&turnover->generation, now_ns);
    }
}

enum bg_status turnover_settle(struct turnover *turnover, int64_t now_ns, struct bg_error *err)
{
    struct generation *generation = &turnover->generation;
    enum bg_status status = BG_OK;

    if (!turnover->queue->generations) {
        return fill(turnover, now_ns, err);
    }
    if (generation->state == GENERATION_STARTING && !entrants_are_starting(turnover->entrants)) {
        generation_ready(generation, now_ns);
    }
    if (generation->state == GENERATION_PLAYING) {
        close_to_pairs(turnover, now_ns);
        status = fill(turnover, now_ns, err);
        if (status == BG_OK && places_taken(turnover->places) == 0 &&
            fixture_queue_is_exhausted(turnover->queue) && !turnover_is_done(turnover) &&
            !absences_recalling(turnover->absences)) {
            generation_end(generation, now_ns);
            roster_close(turnover->roster, "the next generation of processes plays on");
        }
    }
    if (status == BG_OK && generation->state == GENERATION_ENDING &&
        roster_is_down(turnover->roster)) {
        status = begin_next(turnover, now_ns, err);
    }
    return status;
}
