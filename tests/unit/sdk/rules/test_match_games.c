/* The differences of the match machine between games, written as scripts (support/match_script.h).
 * Expected values are from docs/rules.md section 7. */
#include <bgref/match.h>

#include <string.h>

#include "support/match_script.h"
#include "support/suite.h"

/* Gulbara: White moves freely from 12, Black stands on its own 1; t as given. */
#define OPEN_WAY(t) "at=------/-----b15/w15-----/------|0,0|0,0|0,0|w|t=" t
/* Two checkers can play one 4 each and no more; Black bears off. */
#define TWO_FOURS "on=0 x=24:2,1:13 y=4:15 counted=3"
/* Neither White's 65 nor Black's can be played. */
#define BOTH_STUCK "on=0 x=24:9,14:1,13:1,4:1,3:1,2:1,1:1 y=6:6,7:6,19:1,20:1,21:1"
/* Plakoto: White's mother is pinned, and one Black checker is left at its own start. */
#define MOTHER(side) "at=b1+w1-----/------/b13-----/w14----b1|0,0|0,0|0,0|" side "|-"
/* Each last start checker is pinned by checkers that could only leave by bearing off. */
#define DEAD(side) "at=b14+w1-----/------/------/-----w14+b1|0,0|0,0|0,0|" side "|-"

static const struct script {
    const char *name, *rules, *start, *script;
} scripts[] = {
    /* V10, V11: escalation */
    {"a double escalates to four 6", "money game=gulbara", OPEN_WAY("3,3"),
     "0r11 ?play0 =stage:roll,1x4 0* =stage:next,2x4 0* =stage:next,3x4 0* =stage:next,4x4 0* "
     "=stage:next,5x4 0* =stage:next,6x4 0* ?roll1 =turns:1-0 =rolls:1-0 =stage:roll"},
    {"nothing is higher than 6", "money game=gulbara", OPEN_WAY("3,3"), "0r66 0* ?roll1"},
    {"an ordinary roll does not escalate", "money game=gulbara", OPEN_WAY("3,3"), "0r21 0* ?roll1"},
    {"grace: a double of the third turn is an ordinary one", "money game=gulbara", OPEN_WAY("2,3"),
     "0r11 0* ?roll1 =counted:3-3"},
    {"grace counts each side's own turns", "money game=gulbara", OPEN_WAY("3,2"),
     "0r11 0* =stage:next,2x4"},
    {"grace=global: the third roll of the game", "money game=gulbara:grace=global", OPEN_WAY("1,1"),
     "0r11 0* ?roll1 =counted:2-1"},
    {"grace=global: the fourth roll of the game", "money game=gulbara:grace=global",
     OPEN_WAY("1,2"), "0r11 0* =stage:next,2x4"},
    {"grace=none: the first double escalates", "money game=gulbara:grace=none", OPEN_WAY("0,0"),
     "0r11 0* =stage:next,2x4"},
    {"turns are counted up to three, with the change of side", "money game=gulbara", NULL,
     "o21 =counted:0-0 0r21 =counted:0-0 0* =counted:1-0 1r21 1* =counted:1-1 0r21 0* 1r21 1* 0r21 "
     "0* 1r21 1* =counted:3-3 0r21 0* =counted:3-3"},

    /* V10.2: hand-over */
    {"both numbers are handed over", "money game=gulbara", "on=0 x=24:15 y=6:7,7:8",
     "0r65 ?play1 =passed:0roll,65 =stage:carry,65 =turns:1-0 =rolls:1-0 =counted:1-0 1* ?roll1 "
     "=turns:1-0 =rolls:1-0 =counted:1-0 =passed: 1r21 1* ?roll0 =turns:1-1 =counted:1-1"},
    {"the higher number is left", "money game=gulbara", "on=0 x=24:15 y=6:10,1:5",
     "0r65 ?play0 0m24/19 ?play1 =stage:carry,6x1 1* =off:0-1 ?roll1"},
    {"the lower number is left", "money game=gulbara", "on=0 x=24:15 y=7:10,1:5",
     "0r65 ?play0 0m24/18 ?play1 =stage:carry,5x1"},
    {"of a double the rest and the higher numbers are handed over", "money game=gulbara", TWO_FOURS,
     "0r44 0* ?play1 =stage:carry,4x2 1* =stage:carry,5x4 1* =stage:carry,6x4 1* ?roll1 =off:0-10 "
     "=turns:1-0"},
    {"what is left of a higher stage is handed over", "money game=gulbara", TWO_FOURS,
     "0r33 ?play0 =stage:roll,3x4 0m24/21,24/21,21/18,21/18 =stage:next,4x4 =passed: ?play0"},
    {"nothing of a stage can be played, and all of it is handed over", "money game=gulbara",
     "on=0 x=24:2,1:13 y=6:15 counted=3",
     "0r66 =passed:0roll,6x4 ?play1 =stage:carry,6x4 1* =off:0-4 ?roll1"},
    {"in the grace only the rest of the double is handed over", "money game=gulbara",
     "on=0 x=24:2,1:13 y=4:15", "0r44 0* =stage:carry,4x2 1* =off:0-2 ?roll1"},
    {"handover=off: what is left is void", "money game=gulbara:handover=off", TWO_FOURS,
     "0r44 0* ?roll1"},
    {"handed-over numbers that cannot be played completely lapse", "money game=gulbara:bear=exact",
     "on=0 x=24:2,1:13 y=4:1,1:14 counted=3", "0r44 0* =stage:carry,4x2 1* ?roll1 =off:0-1"},
    {"nothing is handed back", "money game=gulbara", BOTH_STUCK,
     "0r65 ?roll1 =passed:0roll,65;1carry,65 =turns:1-0 =rolls:1-0 1r65 ?roll0 "
     "=passed:1roll,65;0carry,65 =turns:1-1"},
    {"a game may end while handed-over numbers are played", "match=9 game=gulbara",
     "on=0 x=24:2,1:13 y=4:1,0:14 counted=3",
     "0r44 0* =stage:carry,4x2 1* ?game =end:off =how:gammon =winner:1 =points:2 =rolls:1-0"},
    {"the cube comes after handed-over numbers", "match=9 game=gulbara cube=1", TWO_FOURS,
     "?double0 0r44 0* ?play1 1d!G7 1r21!G7 1* 1* 1d!G7 1* ?double1 1d 0t =cube:2@0"},
    {"a seat may resign instead of playing handed-over numbers", "match=9 game=gulbara", TWO_FOURS,
     "0r44 0* ?play1 1R2 0x ?play1 =stage:carry,4x2 1R2!R2"},
    {"gul hands over as well", "money game=gul", "on=0 x=24:14,17:1 y=6:1,23:1,24:13",
     "0r66 ?play1 =passed:0roll,6x4 =stage:carry,6x4"},

    /* V14 */
    {"21 gives a named double and another roll", "money game=acey-deucey", "on=0",
     "0r21 ?play0 0n3!G7 0* ?name0 =stage:roll 0n0!N1 0n7!N1 1n3!G7 0r31!G7 0m26/24!G7 0n6 ?play0 "
     "=stage:choice,6x4 0* ?roll0 =turns:0-0 =rolls:1-0 0r31 0* ?roll1 =turns:1-0 =rolls:2-0"},
    {"a named double that cannot be played ends the turn", "money game=acey-deucey",
     "on=0 y=6:2,7:2,8:2,26:9", "0r21 0m26/24,26/23 0n6 ?roll1 =passed:0choice,6x4 =turns:1-0"},
    {"21 that cannot be played gives nothing", "money game=acey-deucey", "on=0 y=1:2,2:2,26:11",
     "0r21 ?roll1 =passed:0roll,21"},
    {"half of 21 gives nothing", "money game=acey-deucey", "on=0 x=24:15 y=2:2,3:2,4:2,26:9",
     "0r21 =passed:0roll,21 ?roll1"},
    {"a double that was played gives another roll, again and again", "money game=acey-deucey",
     "on=0", "0r33 0* ?roll0 0r11 0* ?roll0 0r21 0* ?name0 =rolls:3-0 =turns:0-0"},
    {"doubles-again=off", "money game=acey-deucey:doubles-again=off", "on=0",
     "0r33 0* ?roll1 1r21 1* ?name1 1n1 1* ?roll1"},
    {"a further roll is not preceded by the cube", "match=9 game=acey-deucey cube=1", "on=0",
     "?double0 0r33 0* ?roll0 0d!G7 0r31 0* ?double1"},
    {"a point for each checker", "match=99 game=acey-deucey", "on=0 x=1:1,0:14 y=13:10,0:5",
     "0r21 0m1/0 ?game =end:off =how:checkers =level:10 =points:10 =score:10-0"},
    {"a point for each checker, times the cube", "match=99 game=acey-deucey cube=1",
     "on=0 cube=4@0 x=1:1,0:14 y=13:10,0:5", "0r21 0m1/0 =points:40"},
    {"checkers are not gammons: jacoby leaves them alone", "money game=acey-deucey cube=1 jacoby=1",
     "on=0 x=1:1,0:14 y=13:10,0:5", "0r21 0m1/0 =points:10"},
    {"score=single", "match=99 game=acey-deucey:score=single", "on=0 x=1:1,0:14 y=13:15",
     "0r21 0m1/0 =how:single =points:1"},
    {"the only resignation is for all that are left", "match=99 game=acey-deucey",
     "on=1 x=1:1,0:14 y=13:10,0:5", "1R1!R1 1R9!R1 1R11!R1 1R15!R1 1R10 0x 1R10!R2 1r43 1R10!R2"},
    {"a resignation that is accepted", "match=99 game=acey-deucey", "on=1 x=24:15 y=24:10,0:5",
     "1R10 0a =points:10 =how:checkers =end:resign =winner:0"},
    {"a forfeit costs what is left", "match=99 game=acey-deucey", "on=1 x=24:15 y=24:10,0:5",
     "1Flate =points:10 =winner:0 =how:checkers"},
    {"a forfeit of the one who is ahead", "match=99 game=acey-deucey", "on=0 x=1:1,0:14 y=13:15",
     "0Flate =points:1 =winner:1"},

    /* V15 */
    {"the gate is closed to ordinary rolls, and that is not dead", "money game=asodio", NULL,
     "o61 ?roll0 0r31 ?roll1 =passed:0roll,31 1r65 ?roll0"},
    {"a double, its complement, another roll", "money game=asodio", "on=0",
     "0r44 =stage:roll,4x4 0* =stage:complement,3x4 0* ?roll0 =rolls:1-0 0r61 0* ?roll1 "
     "=turns:1-0"},
    {"21, a named double, its complement, another roll", "money game=asodio", "on=0",
     "0r21 0* ?name0 0n5 =stage:choice,5x4 0* =stage:complement,2x4 0* ?roll0 =rolls:1-0"},
    {"a complement that cannot be played ends the turn", "money game=asodio",
     "on=0 y=3:2,7:2,26:11", "0r44 0m26/21,26/21,26/21,26/21 ?roll1 =passed:0complement,3x4"},

    /* V16 */
    {"russian: a double, its complement, another roll", "money game=russian", "on=0",
     "0r44 0* =stage:complement,3x4 0* ?roll0 =rolls:1-0"},
    {"russian: 21 is an ordinary roll", "money game=russian", "on=0", "0r21 0* ?roll1"},
    {"21=wild: a named double, its complement, another roll", "money game=russian:21=wild", "on=0",
     "0r21 0* ?name0 0n6 =stage:choice,6x4 0* =stage:complement,1x4 0* ?roll0"},
    {"first-double=plain: each side's first double", "money game=russian:first-double=plain",
     "on=0",
     "0r44 0* ?roll1 =doubles:1-0 1r55 1* ?roll0 =doubles:1-1 0r44 0* =stage:complement,3x4"},
    {"21=wild is not held back by the first double, nor does it lift it",
     "money game=russian:first-double=plain,21=wild", "on=0",
     "0r21 0* 0n6 0* =stage:complement,1x4 0* ?roll0 =doubles:0-0 0r33 0* ?roll1"},
    {"kept opening numbers are the roll", "money game=russian", NULL,
     "o21 ?keep0 0k =stage:roll,21 0* ?roll1"},
    {"russian: a backgammon in the common entry table", "match=9 game=russian",
     "on=0 x=1:1,0:14 y=20:1,10:14", "0r21 0m1/0 =how:backgammon =points:3"},

    /* V7, V12 */
    {"the mother is won when the last own start checker leaves", "match=9 game=plakoto",
     MOTHER("b"),
     "1r21 1m24/22 ?game =end:special =how:mother =winner:1 =level:2 =points:2 =score:0-2"},
    {"mother=3", "match=9 game=plakoto:mother=3", MOTHER("b"),
     "1R3 0x 1r21 1m24/22 =how:mother =points:3"},
    {"mother=1", "match=9 game=plakoto:mother=1", MOTHER("b"),
     "1r21 1m24/22 =how:mother =points:1"},
    {"plakoto has no third level", "match=9 game=plakoto", MOTHER("b"), "1R3!R1 1R2 0x"},
    {"both mothers are pinned: drawn, and the opening decides again", "match=9 game=plakoto",
     MOTHER("w"),
     "0r51 0m6/1 ?game =end:special =how:draw-mothers =winner:-1 =points:0 =level:0 N ?opening"},
    {"tapa has no mother", "match=9 game=tapa", MOTHER("b"), "1r21 1m24/22,13/12 ?roll0"},
    {"tapa:mother=2", "match=9 game=tapa:mother=2", MOTHER("b"), "1r21 1m24/22 =how:mother"},
    {"a dead position is drawn", "match=9 game=tapa", DEAD("b"),
     "?game =end:dead =how:draw-dead =winner:-1 =points:0 N ?opening"},
    {"jacoby does not touch the mother", "money game=plakoto cube=1 jacoby=1", MOTHER("b"),
     "1r21 1m24/22 =points:2"},

    /* V18 */
    {"the first to finish loses", "match=9 game=misere", "on=0 x=1:1,0:14 y=13:15",
     "0r21 0m1/0 =winner:1 =how:single =points:1"},
    {"misere is worth the cube", "match=9 game=misere", "on=0 cube=4@1 x=1:1,0:14 y=13:15",
     "0r21 0m1/0 =winner:1 =points:4"},
    {"misere has one level", "match=9 game=misere", "on=0", "0R2!R1 0R1 1a =points:1"},
    {"a forfeit in misere", "match=9 game=misere", "on=0", "0Flate =points:1"},

    /* V4: equal turns */
    {"the beginner finishes and the opponent equals", "match=9 game=long-nardi:equal-turns=on",
     "on=0 x=1:1,0:14 y=1:1,0:14",
     "0r21 0m1/0 ?roll1 1r21 1m1/0 ?game =end:special =how:draw-turns =winner:-1 =turns:1-0"},
    {"the beginner finishes and the opponent does not equal",
     "match=9 game=long-nardi:equal-turns=on", "on=0 x=1:1,0:14 y=1:15",
     "0r21 0m1/0 ?roll1 =end:none 1r21 1* ?game =end:off =how:single =winner:0 =turns:1-1"},
    {"the second to begin wins at once", "match=9 game=long-nardi:equal-turns=on",
     "on=0 x=1:3,0:12 y=1:1,0:14", "0r21 0* 1r21 1m1/0 ?game =end:off =winner:1"},
    {"without the option the first to finish wins", "match=9 game=long-nardi",
     "on=0 x=1:1,0:14 y=1:1,0:14", "0r21 0m1/0 ?game =end:off =winner:0 =how:single"},
    {"nobody doubles in the turn that was left", "match=9 game=long-nardi:equal-turns=on cube=1",
     "on=0 x=1:1,0:14 y=1:1,0:14", "0r21 0m1/0 ?roll1 1d!C4 1r21 1* =how:draw-turns"},
    {"koks=on", "match=9 game=long-nardi:koks=on", "on=0 x=1:1,0:14 y=24:1,1:14",
     "0r21 0m1/0 =points:3"},

    /* G5, G8 in other games */
    {"three dice", "money game=tabula", "on=0",
     "=dice:3 0r21!G8 0r123 =stage:roll,321 ?play0 0* ?roll1 1r555 =stage:roll,5x3"},
    {"three dice, an opening by two of them", "money game=tabula opening=play", NULL,
     "=dice:2 o13 ?play1 =stage:roll,31 =dice:0 1* ?roll0 =dice:3"},
    {"three dice, an opening by the double of a sum", "money game=xii-scripta opening=sumplay",
     NULL, "=dice:4 o6621 ?play0 =stage:roll,6x2"},
    {"a double is two moves", "money game=irish", "on=0", "0r33 =stage:roll,3x2"},
    {"who begins rolls both dice", "money game=portes", NULL, "o31 ?roll0 0r44 =stage:roll,4x4"},
    {"the cube is an option", "match=9 game=fevga cube=1", "on=0", "?double0 0d 1t =cube:2@1"},
    {"another game has no triple", "match=9 game=portes", "on=0 x=1:1,0:14 y=20:1,13:14",
     "0R3!R1 0r21 0m1/0 =how:gammon =points:2"},
    {"the cap is told", "match=9 cap=1", NULL, "o31 0* 1r21 1* =how:draw-cap"},

    /* G8: the next game */
    {"next: the winner, where the game says so", "match=9 game=portes", NULL,
     "o31 0r31 0Flate N ?roll1 =began:1 =openings:0 1r33 1Fcrash N ?roll0 =began:0"},
    {"next=same", "match=9 game=portes next=same", NULL, "o31 0Flate N ?opening =began:-1"},
    {"next=alternate: the other side begins", "match=99 next=alternate", NULL,
     "o31 =began:0 0Flate N ?double1 =began:1 1Flate N ?double0 =began:0 0r11"},
    {"next=alternate: drawn, the dice decide", "match=9 next=alternate cap=1", NULL,
     "o31 0* 1r21 1* N ?opening"},
    {"russian: the dice decide again", "match=9 game=russian", NULL,
     "o31 0k 0Flate N ?opening =began:-1"},
    {"russian whose winner begins", "match=9 game=russian:next=winner", NULL,
     "o31 0k 0Flate N ?roll1 =began:1 1r21 1* ?roll0"},
    {"tabula: a gammon is one point", "match=9 game=tabula", "on=0 x=1:1,0:14 y=20:15",
     "0r321 0* ?game =points:1"},
    {"tabula by gammons", "match=9 game=tabula:score=gammon", "on=0 x=1:1,0:14 y=20:15",
     "0r321 0* ?game =points:2"},
    {"tabula by backgammons", "match=9 game=tabula:score=backgammon", "on=0 x=1:1,0:14 y=20:15",
     "0r321 0* ?game =points:3"},
    {"next=winner in backgammon", "match=99 next=winner", NULL, "o31 1Flate N ?double0"},
    {"hoyle: after a hit the winner has the first throw", "match=9 game=hoyle-1870 single", NULL,
     "o31 0K 0r11 0Flate =level:1 N ?roll1 1r66 ?play1"},
    {"hoyle: after more both throw again", "match=9 game=hoyle-1870", NULL,
     "o31 0Flate =level:3 N ?opening"},
    {"hoyle: after a gammon too", "match=9 game=hoyle-1870", NULL,
     "o31 0k 0R2 1a =level:2 N ?opening"},
    {"hoyle: a drawn game", "match=9 game=hoyle-1870 cap=1", NULL,
     "o31 0k 0* 1r21 1* =how:draw-cap N ?opening"},
    {"by next: no opening roll, and no position that was given", "match=9 game=portes",
     "on=1 score=2-1 game=2 bynext", "?roll1 =began:1 =game:2 =openings:0"},

    /* Rotations */
    {"tavli: portes, plakoto, fevga, and again", "match=99 game=tavli single", NULL,
     "=variant:portes ?opening o31 ?roll0 0Flate N =variant:plakoto ?roll1 1Flate N "
     "=variant:fevga ?roll0 0Flate N =variant:portes ?roll1 =game:3"},
    {"tavli=5", "match=99 game=tavli:tavli=5 single", NULL,
     "o31 0Flate N 0Flate N 0Flate N =variant:gul 0Flate N =variant:asodio 0Flate N "
     "=variant:portes"},
    {"turkish", "match=99 game=turkish single", NULL,
     "=variant:portes o31 0Flate N =variant:gulbara 0Flate N =variant:tapa 0Flate N "
     "=variant:portes"},
    {"after a draw the same side begins the next game", "match=9 game=tavli", "game=1 " MOTHER("w"),
     "0r51 0m6/1 =how:draw-mothers N =variant:fevga ?roll0 =began:0 =openings:0"},
    {"a rotation ends in the middle of a round", "match=3 game=tavli", NULL,
     "o31 0Flate =points:2 N =variant:plakoto 0Flate ?nothing =match:1 =score:0-4"},
    {"a rotation has no cube", "match=9 game=tavli", "on=0", "?roll0 0d!C1"},
    {"a later game of a rotation begins by itself", "match=9 game=turkish", "game=1 on=1 bynext",
     "=variant:gulbara ?roll1 1r21"},

    /* Starting from any position */
    {"checkers in hand, on the bar and under pins", "money game=tapa",
     "at=b1+w1w2-b14--/w12-----/------/------|0,0|0,0|0,0|b|-", "?roll1"},
    {"dutch with the right to hit", "money game=dutch",
     "at=------/------/------/b1----w1|1,0|13,14|0,0|w|h=w", "?roll0 =hand:13-14 =bar:1-0"},
    {"kiz-tavlasi half lowered", "money game=kiz-tavlasi",
     "at=b2b2b2b3b3b3/------/------/w3w3w3w2w2w2|0,0|0,0|0,0|w|k=212110/222001", "?roll0 0r61"},
};

TEST_ROWS(a_script_has_the_expected_outcome, scripts)
{
    const struct script *row = &scripts[_i];
    struct bg_match match;
    char message[512];

    ck_assert_msg(script_begin(&match, row->rules, row->start, message, sizeof message), "%s: %s",
                  row->name, message);
    ck_assert_msg(script_run(&match, row->script, message, sizeof message), "%s: %s", row->name,
                  message);
}

static const struct refusal {
    const char *name, *rules, *start, *message;
} refusals[] = {
    {"a rotation in money play", "money game=tavli", NULL, "tavli is a rotation"},
    {"a rotation with the cube", "match=5 game=turkish cube=1", NULL, "turkish is a rotation"},
    {"a hand where all begin on the board", "money", "on=0 x=26:1,6:14", "in hand"},
    {"a bar where nothing is hit", "money game=fevga", "on=0 x=25:1,24:14", "on the bar"},
    {"a pin where checkers are hit", "money", "on=0 x=24:1,6:14 y=1:1,24:14 pin=24", "pinned"},
    {"a pin under nobody", "money game=tapa", "on=0 x=24:1,23:14 pin=24", "pinned"},
    {"a pin of two", "money game=tapa", "on=0 x=24:2,23:13 y=1:1,24:14 pin=24", "pinned"},
    {"a pin on the bar", "money game=tapa", "on=0 pin=25", "off the points"},
    {"both seats on a point without pin", "money game=tapa", "on=0 x=24:1,23:14 y=1:1,24:14",
     "both seats"},
    {"both seats on the middle row", "money game=xii-scripta", "on=0 x=30:15 y=30:15",
     "both seats"},
    {"mothers that have decided", "money game=plakoto",
     "at=b1+w1-----/------/b14-----/w14-----|0,0|0,0|0,0|w|-", "over"},
    {"turns that nobody counts", "money game=gul", "on=0 counted=1", "turns"},
    {"turns beyond three", "money game=gulbara", "on=0 counted=4", "turns"},
    {"a right to hit that all have", "money", "on=0 right=1", "right to hit"},
    {"a double right", "money game=dutch", "on=0 right=2", "right to hit"},
    {"stacks that no pile has", "money", "on=0 stacked=1", "stacked"},
    {"more stacked than there are", "money game=kiz-tavlasi", "on=0 stacked=3", "stacked"},
    {"checkers of three walkers", "money game=hypergammon", "on=0 x=6:4", "not 3"},
    {"begun by the last game, but by nobody", "match=5 game=portes", "bynext", "by which seat"},
};

TEST_ROWS(invalid_rules_and_starts_are_refused_by_name, refusals)
{
    const struct refusal *row = &refusals[_i];
    struct bg_match match;
    char message[512] = "";

    ck_assert_msg(!script_begin(&match, row->rules, row->start, message, sizeof message),
                  "%s: accepted", row->name);
    ck_assert_msg(strstr(message, row->message) != NULL, "%s: message '%s' does not name %s",
                  row->name, message, row->message);
}

/* V18, option turns: 499 turns of each side have been played. */
TEST(misere_is_drawn_after_500_turns)
{
    struct bg_match match;
    char message[512];

    ck_assert_msg(
        script_begin(&match, "money cap=0 game=misere:turns=500", "on=0", message, sizeof message),
        "%s", message);
    match.turn = 998;
    match.turns[0] = match.turns[1] = 499;
    ck_assert_msg(script_run(&match, "0r21 0* ?double1 =end:none 1r21 1* =how:draw-cap =winner:-1",
                             message, sizeof message),
                  "%s", message);
}

TEST(parts_have_names)
{
    ck_assert_str_eq(bg_part_name(BG_PART_ROLL), "roll");
    ck_assert_str_eq(bg_part_name(BG_PART_CARRY), "carry");
    ck_assert_str_eq(bg_part_name(BG_PART_COUNT), "unknown");
}
