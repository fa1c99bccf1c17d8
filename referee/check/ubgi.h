/* ubgi.h - the engine's side of UBGI, as text: lines in, answers and decisions to be asked out.
 *
 *     ubgi_init(&ubgi, "greedy");
 *     switch (ubgi_obey(&ubgi, line)) {
 *     case UBGI_SAY:  ...print ubgi.text...
 *     case UBGI_ASK:  ...ask the bot about ubgi.match; ubgi_answer(&ubgi, &step, rolls) says
 *                     whether to ask again; print...
 *     case UBGI_QUIT: ...
 *
 * Both families of UBGI are understood: the newer one (`go chequer`, `set`) and the older one (`go
 * role chequer`, `setoption`); errors are told in the words of the family that the program has used
 * last. p0 is the side that decides, the second half of the Position ID. One word more than the
 * drafts have: `go take`, `go role take`, where p1 has doubled and the cube is as before, answered
 * by `bestcube take` or `bestcube pass`.
 */
#ifndef REFEREE_CHECK_UBGI_H
#define REFEREE_CHECK_UBGI_H

#include "ask_position.h"

enum { UBGI_TEXT = 1024, UBGI_LINE = 2048 };

enum ubgi_action { UBGI_SAY, UBGI_ASK, UBGI_NEW_GAME, UBGI_QUIT };

enum { UBGI_GAMES = 3 }; /* backgammon, nackgammon, hypergammon */

struct ubgi {
    const char *name;       /* of the bot, lent */
    bool plays[UBGI_GAMES]; /* games of the bot: backgammon unless the caller sets more */
    bool is_newer;          /* family of the program */
    struct ask_position position;
    bool has_position, has_dice, whole_turn;
    int dice[2];
    struct bg_match match; /* UBGI_ASK: seat 0 owes a decision */
    char text[UBGI_TEXT];  /* what to print, whole lines, may be "" */
};

void ubgi_init(struct ubgi *ubgi, const char *name);

/* Handles one line, without its end. UBGI_NEW_GAME: as UBGI_SAY, and a new game begins. */
enum ubgi_action ubgi_obey(struct ubgi *ubgi, const char *line);

/* Returns the id of the game of plays[i]. */
const char *ubgi_game(int i);

/* What was asked is decided; *step is legal in ubgi->match. UBGI_ASK: of a whole turn the play is
 * to be asked now. */
enum ubgi_action ubgi_answer(struct ubgi *ubgi, const struct bg_step *step, bool rolls);

/* Reports that there is no decision. code: one word. */
void ubgi_fail(struct ubgi *ubgi, const char *code);

#endif
