/* gnubg_game.h - makes a judgement of a game that gnubg has analysed.
 *
 * gnubg's answer is compared with the record action by action: dice, roller, cube. A difference is
 * an error, because another game would have been judged.
 */
#ifndef REFEREE_JUDGE_GNUBG_GAME_H
#define REFEREE_JUDGE_GNUBG_GAME_H

#include "gnubg_sgf.h"
#include "format/actions.h"
#include "gnubg_met.h"
#include "store/judgement.h"

/* Fills the lists and sums of *out (zeroed; judgement_destroy frees them): White is seat 0; the
 * bots' seats are leg's. BG_E_MISMATCH: it is another game, or luck or its sums are missing or do
 * not agree. */
enum bg_status gnubg_game_judge(struct judgement *out, const struct analysed *analysed,
                                const struct actions *actions, int leg, bool errors,
                                const struct gnubg_met *met, struct bg_error *err);

#endif
