/* game.h - the page of one game: the last position, its turns with the judge's verdicts, luck and
 * equity, every step with its position, the games of its match. docs/page.md describes it.
 */
#ifndef RESULTS_REPORT_GAME_H
#define RESULTS_REPORT_GAME_H

#include "document/document.h"
#include "record/game_id.h"
#include "record/record.h"
#include "store/store.h"

/* What the page is made of; all is lent. */
struct game_source {
    const struct record_view *view;
    const struct judgement *judgement; /* NULL: none */
    const struct store_game *leg;      /* [games] of the game's match, in order; may be NULL */
    int games;
};

/* Builds the document of a recorded game; the caller destroys it. Errors as replay_write
 * (tables/replay.h). */
enum bg_status game_document(struct doc **out, const struct game_source *source,
                             struct bg_error *err);

/* The same without verdicts and games of the match. Its steps become texts of a JSON array, of
 * which a script makes the rows and the positions (docs/report.md, "Long events"); steps has what
 * was written, also after an error. */
enum bg_status game_brief(struct doc **out, FILE *steps, const struct game_source *source,
                          struct bg_error *err);

/* Finds the judge that has judged most games; "": there is none. The caller frees *out. */
enum bg_status game_judge(char **out, struct store *store, struct bg_error *err);

/* The page of a stored game, with this judge's verdicts. *out is NULL after BG_OK: there is no such
 * game. tag: another one when the page has changed. */
enum { GAME_TAG = 72 };
enum bg_status game_open(struct doc **out, char tag[GAME_TAG], struct store *store,
                         const char *judge, const struct game_id *id, struct bg_error *err);

#endif
