/* game.h - the page of one game: who played, its turns, each with its position. */
#ifndef RESULTS_REPORT_GAME_H
#define RESULTS_REPORT_GAME_H

#include "document/document.h"
#include "record/record.h"

/* Builds the document of a recorded game; the caller destroys it. Errors as replay_write
 * (tables/replay.h). */
enum bg_status game_document(struct doc **out, const struct record_view *view,
                             struct bg_error *err);

#endif
