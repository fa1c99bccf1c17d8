/* The match machine, written as scripts (support/match_script.h). Expected values are from
 * docs/rules.md sections 4 and 5. */
#include <bgref/match.h>

#include <string.h>

#include "support/match_script.h"
#include "support/suite.h"

/* One checker to bear off for seat 0; seat 1 has lost single, gammon or backgammon. */
#define LAST_SINGLE     "x=1:1,0:14 y=13:14,0:1"
#define LAST_GAMMON     "x=1:1,0:14 y=13:15"
#define LAST_BACKGAMMON "x=1:1,0:14 y=20:1,13:14"
/* Seat 0 on the bar against six closed points. */
#define CLOSED_OUT "x=25:1,10:14 y=6:2,5:2,4:2,3:2,2:2,1:2,13:3"

/* A game of one turn per side with turn_cap 1, and ten of them. */
#define DRAWN     "o31 0* 1r21 1* "
#define DRAWN_3   DRAWN "N " DRAWN "N " DRAWN
#define TEN_DRAWN DRAWN_3 "N " DRAWN_3 "N " DRAWN_3 "N " DRAWN

static const struct script {
    const char *name, *rules, *start, *script;
} scripts[] = {
    /* G8: the opening roll */
    {"the match begins with an opening roll of the host", "money", NULL, "?opening =openings:0"},
    {"equal opening dice are rolled again", "money", NULL,
     "o33 ?opening =openings:1 o55 o21 =openings:3 ?play0"},
    {"the higher die begins with both numbers", "money", NULL, "o13 ?play1 =roll:31"},
    {"opening dice are not rolls of a seat", "money", NULL,
     "o31 0* =rolls:0-0 =turns:1-0 1r11 =rolls:0-1"},
    {"mode reroll: the higher die rolls both dice, a double too", "money opening=reroll", NULL,
     "o31 ?roll0 =roll:0 0r66 ?play0 =rolls:1-0"},
    {"mode choice: the numbers are kept", "money opening=choice", NULL,
     "o14 ?keep1 =roll:41 0k!G7 1r31!G7 1k ?play1 =roll:41 =rolls:0-0"},
    {"mode choice: both dice are rolled anew", "money opening=choice", NULL,
     "o41 0K ?roll0 =roll:0 0d!C3 0r22 ?play0 =rolls:1-0"},
    {"mode sum-reroll: the larger total rolls anew", "money opening=sumreroll", NULL,
     "o1265 ?roll1 1r33 ?play1"},
    {"mode sum-reroll: equal totals are rolled again", "money opening=sumreroll", NULL,
     "o1423 ?opening o6642 ?roll0"},
    {"mode sum-play: the larger total plays its own dice, a double as a double",
     "money opening=sumplay", NULL, "o6621 ?play0 =roll:66"},
    {"mode sum-play: seat 1 plays its own dice", "money opening=sumplay", NULL,
     "o2136 ?play1 =roll:63 =rolls:0-0"},
    {"mode winner: the first game has an opening roll", "match=7 opening=winner", NULL,
     "?opening o13 ?roll1"},
    {"mode winner: the winner of the last game begins without opening roll",
     "match=7 opening=winner", NULL, "o31 0Flate N ?double1 =openings:0 1r55 ?play1 =rolls:0-1"},
    {"mode winner: a drawn game is followed by an opening roll", "match=7 opening=winner cap=1",
     NULL, "o31 0r31 0* 1r31 1* =end:cap N ?opening"},
    {"opening dice must be 1 to 6", "money", NULL, "o71!G8 o10!G8 o1!G8 ?opening =openings:0"},
    {"two dice open where one each is asked", "money", NULL, "o3121!G8"},
    {"four dice open where totals are asked", "money opening=sumplay", NULL, "o31!G8"},
    {"a second opening is out of place", "money", NULL, "o31 o31!G7"},
    {"keeping is not a choice of the mode play", "money", NULL, "0k!G7 o31 0k!G7 0K!G7"},

    /* G7: turns */
    {"turns alternate", "money cube=0", NULL,
     "o31 0* ?roll1 =turn:1 1r21 1* ?roll0 =turn:2 =turns:1-1 =rolls:0-1"},
    {"dice come in any order", "money", "on=0", "0r36 =roll:63"},
    {"dice must be 1 to 6", "money", "on=0", "0r07!G8 0r61 =rolls:1-0"},
    {"two dice are two", "money", "on=0", "0r6!G8 0r611!G8"},
    {"nobody rolls for the opponent", "money", "on=0", "1r61!G7"},
    {"nobody rolls twice", "money", "on=0", "0r61 0r61!G7"},
    {"nobody plays before rolling", "money", "on=0", "0m24/18!G7"},
    {"the opponent cannot play", "money", "on=0", "0r61 1m13/7,8/7!G7"},
    {"a dance passes the turn inside the step and uses a roll", "money", "on=0 " CLOSED_OUT,
     "0r63 ?double1 =turn:1 =turns:1-0 =rolls:1-0 =roll:0"},
    {"a forced play is asked", "money", "on=0 x=25:1,13:14 y=6:2,5:2,4:2,3:2,2:2,13:5",
     "0r61 ?play0 0m25/24,13/7"},
    {"a merged move stands", "money", NULL, "o31 0m24/20 ?double1"},
    {"moves come in any order", "money", NULL, "o31 0m6/5,8/5 ?double1"},
    {"an illegal play changes nothing", "money", NULL,
     "o31 0m8/5!G6.1 0m13/7!G1 0m!G6.1 0m12/9,6/5!G1 ?play0 0m8/5,6/5"},
    {"a seat that does not exist", "money", NULL, "2Flate!N1 o31 2m8/5,6/5!N1 5r31!N1"},
    {"no game here has named doubles", "money", "on=0", "0n3!G7 0r21 0n3!G7"},

    /* G9: the end */
    {"the last checker off wins a single game", "match=9", "on=0 " LAST_SINGLE,
     "0r21 0m1/0 ?game =end:off =winner:0 =level:1 =points:1 =score:1-0"},
    {"the loser with none off is gammoned", "match=9", "on=0 " LAST_GAMMON,
     "0r21 0m1/0 =level:2 =points:2 =score:2-0"},
    {"a checker in the winner's home makes it a backgammon", "match=9", "on=0 " LAST_BACKGAMMON,
     "0r21 0m1/0 =level:3 =points:3"},
    {"a checker on the bar makes it a backgammon", "match=9", "on=0 x=1:1,0:14 y=25:1,13:14",
     "0r21 0m1/0 =level:3"},
    {"the level is multiplied with the cube", "match=99", "on=0 cube=4@1 " LAST_BACKGAMMON,
     "0r21 0m1/0 =points:12 =score:12-0"},
    {"seat 1 wins alike", "match=9", "on=1 x=13:15 y=1:1,0:14",
     "1r21 1m1/0 =winner:1 =level:2 =score:0-2"},
    {"the rest of the roll is void", "match=9", "on=0 " LAST_SINGLE, "0r66 0m1/0 =end:off"},
    {"hypergammon ends with three checkers off", "match=9 game=hypergammon",
     "on=0 x=1:1,0:2 y=13:3", "0r21 0m1/0 =end:off =level:2"},

    /* 5.3: money */
    {"a money game stands alone", "money", "on=0 " LAST_SINGLE,
     "0r21 0m1/0 ?nothing =match:0 =score:1-0 N!M1 o31!M1 0Flate!M1"},
    {"jacoby: a gammon counts as single while the cube is unturned", "money", "on=0 " LAST_GAMMON,
     "0r21 0m1/0 =level:1 =points:1"},
    {"jacoby: a turned cube lets gammons count", "money", "on=0 cube=2@0 " LAST_GAMMON,
     "0r21 0m1/0 =level:2 =points:4"},
    {"jacoby: a double taken in this game lets gammons count", "money", "on=0 " LAST_BACKGAMMON,
     "0d 1t 0r21 0m1/0 =level:3 =points:6 =score:6-0"},
    {"jacoby off: gammons always count", "money jacoby=0", "on=0 " LAST_GAMMON,
     "0r21 0m1/0 =level:2"},
    {"cubeless: gammons count", "money cube=0", "on=0 " LAST_GAMMON, "0r21 0m1/0 =level:2"},
    {"automatic doubles: ties turn the centred cube", "money auto=2", NULL,
     "o11 =cube:2@-1 =auto:1 o22 =cube:4@-1 o31 =openings:3"},
    {"automatic doubles have a maximum", "money auto=2", NULL,
     "o11 o22 o33 =cube:4@-1 =auto:2 o44 =cube:4@-1 =openings:4"},
    {"automatic doubles in the mode reroll", "money auto=1 opening=reroll", NULL, "o11 =cube:2@-1"},
    {"automatic doubles need ties of single dice", "money auto=3 opening=sumreroll", NULL,
     "o1423 =cube:1@-1 =openings:1"},
    {"automatic doubles are off by default", "money", NULL, "o11 =cube:1@-1"},
    {"automatic doubles do not count for jacoby", "money auto=3", LAST_GAMMON,
     "o11 o31 0m1/0 =level:1 =points:2"},
    {"after automatic doubles both sides may double", "money auto=1", NULL,
     "o11 o31 0* ?double1 1d 0t =cube:4@0"},

    /* 5.2: matches */
    {"the match ends when the length is reached, and surplus points stay", "match=5", NULL,
     "1Fcrash ?game =score:3-0 =match:-1 N ?opening =game:1 1Fcrash ?nothing =match:0 =score:6-0"},
    {"a new game begins afresh", "match=9", "on=0",
     "0d 1t 0r31 0Flate N =game:1 =cube:1@-1 =turns:0-0 =rolls:0-0 =end:none ?opening"},
    {"nothing but the next game follows a game", "match=9", "on=0 " LAST_SINGLE,
     "0r21 0m1/0 o31!G7 0r31!G7 0Flate!G7 0R1!G7 N"},
    {"the next game waits for the end of this one", "match=9", NULL, "N!G7 o31 N!G7"},
    {"the crawford game is the first at length - 1, and it has no cube", "match=4", NULL,
     "1Fcrash =score:3-0 N =crawford:1/0 o31 0* ?roll1 1d!C1 1r21 1* ?roll0 0d!C1"},
    {"after the crawford game the cube is back for the seat behind", "match=4 single",
     "score=3-0 crawford",
     "0Flate =score:3-1 N =crawford:0/1 o31 0* ?double1 1r21 1* ?roll0 0d!C4"},
    {"the crawford game happens once", "match=4 single", "score=3-1 post",
     "0Flate =score:3-2 N =crawford:0/1 o31 0* ?double1"},
    {"both at length - 1: no crawford game, and nobody can double", "match=4 single",
     "score=3-2 post", "0Flate =score:3-3 N =crawford:0/1 o31 0* 1d!C4 1r21 1* 0d!C4"},
    {"without crawford the cube stays in use", "match=4 crawford=0", "score=3-0 on=1",
     "?double1 1d 0t =cube:2@0"},
    {"crawford needs exactly length - 1", "match=9 single", "score=7-0",
     "1Flate =score:8-0 N "
     "=crawford:1/0"},
    {"two short of the length is not a crawford game", "match=9 single", "score=6-0",
     "1Flate =score:7-0 N =crawford:0/0"},
    {"a drawn crawford game is played again as such", "match=4 cap=1", "score=3-0 crawford",
     "o31 0* 1r21 1* =end:cap N =crawford:1/0 =score:3-0"},
    {"a match of two points has its crawford game", "match=2 single", NULL,
     "0Flate N =crawford:1/0"},
    {"a match of one point has no cube and no crawford game", "match=1", NULL,
     "=crawford:0/0 o31 0* ?roll1 1d!C1 1Flate ?nothing =match:0"},
    {"dead cube: what the cube adds is not needed", "match=5", "on=0 score=3-0 cube=2@0",
     "?roll0 0d!C4"},
    {"a cube that falls one short is alive", "match=6", "on=0 score=3-0 cube=2@0", "?double0"},
    {"the seat behind may double past the length", "match=5", "on=0 score=3-4 post",
     "?double0 0d 1t =cube:2@1"},
    {"holland: the first to begin may double on its third turn", "match=4 holland",
     "score=1-3 post", "o31 0* ?roll1 1r21 1* ?roll0 0d!C6 0r21 0* 1r21 1* =turns:2-2 ?double0"},
    {"holland: the second to begin may double on its third turn", "match=4 holland",
     "score=1-3 post",
     "o13 1* 0d!C6 0r21 0* 1r21 1* =turns:1-2 0d!C6 0r21 0* 1r21 1* =turns:2-3 ?double0"},
    {"holland: a dance is a turn", "match=4 holland", "on=0 score=1-3 post " CLOSED_OUT,
     "0d!C6 0r63 1r21 1m13/11,13/12 0d!C6 0r63 1r21 1m13/11,12/11 =turns:2-2 ?double0"},
    {"holland waits for the crawford game to be past", "match=4 holland", "on=0 score=1-1",
     "?double0"},

    /* The turn cap */
    {"money: the turn cap draws the game", "money cap=1", NULL,
     "o31 0* ?double1 1r21 1* ?nothing =end:cap =winner:-1 =match:-1 =points:0 =level:0 "
     "=score:0-0"},
    {"match: a capped game is followed by another", "match=3 cap=2", NULL,
     "o31 0* 1r21 1* ?double0 0r21 0* 1r21 1* ?game =end:cap =turns:2-2 N ?opening =game:1"},
    {"ten drawn games one after the other end a match, drawn", "match=3 cap=1", NULL,
     TEN_DRAWN "?nothing =end:cap =match:-1 =score:0-0 =game:9"},
    {"a game that is won begins the count anew", "match=7 single cap=1", NULL,
     DRAWN "N " DRAWN "N 0Flate N " TEN_DRAWN "?nothing =score:0-1 =match:-1 =game:12"},
    {"money: a drawn game stands alone", "money cap=1", NULL, DRAWN "?nothing"},
    {"both seats must have reached the cap", "money cap=1", "on=1",
     "1r21 1* ?double0 0r21 0* "
     "=end:cap"},
    {"a dance reaches the cap too", "money cap=1", "on=1 " CLOSED_OUT,
     "1r21 1m13/11,13/12 0r66 =end:cap ?nothing"},

    /* G10 */
    {"a dead position is drawn before the roll", "money",
     "on=0 "
     "x=25:3,6:2,5:2,4:2,3:2,2:2,1:2 y=25:3,6:2,5:2,4:2,3:2,2:2,1:2",
     "?nothing =end:dead =winner:-1 =points:0"},
    {"a dead position in a match is followed by another game", "match=5",
     "on=0 "
     "x=25:3,6:2,5:2,4:2,3:2,2:2,1:2 y=25:3,6:2,5:2,4:2,3:2,2:2,1:2",
     "?game =end:dead =score:0-0 N ?opening"},
    {"one open point keeps the game alive", "money",
     "on=0 "
     "x=25:3,6:2,5:2,4:2,3:2,2:2,1:2 y=25:3,6:2,5:2,4:2,3:2,2:2,7:2",
     "?double0"},

    /* 5.4: resigning */
    {"a resignation is accepted", "match=9", "on=0",
     "0R2 ?resignation1 1a ?game =end:resign =winner:1 =level:2 =points:2 =score:0-2"},
    {"a resignation is worth level times cube", "match=99", "on=1 cube=4@0",
     "1R3 0a =winner:0 =points:12"},
    {"after a refusal the same decision is owed", "match=9", "on=0", "0R1 1x ?double0 =resign:1/1"},
    {"a seat may resign instead of playing", "match=9", "on=0",
     "0r31 0R1 1x ?play0 0R2 1a =level:2"},
    {"a seat may resign where it may not double", "match=9", "on=0 cube=2@1",
     "?roll0 0R1 1x ?roll0"},
    {"a seat may resign instead of keeping its dice", "money opening=choice", NULL,
     "o31 0R1 1x ?keep0 0k ?play0"},
    {"a seat may resign after its double was taken", "match=9", "on=0", "0d 1t 0R1 1a =points:2"},
    {"offers rise within a turn", "match=9", "on=0", "0R1 1x 0R1!R2 0R3 1x 0R2!R2 0R3!R2 ?double0"},
    {"three offers are the most", "match=9", "on=0", "0R1 1x 0R2 1x 0R3 1x =resign:3/3 0R3!R2"},
    {"the roll does not begin offers anew", "match=9", "on=0", "0R2 1x 0r31 0R2!R2 0R1!R2 0R3 1x"},
    {"the next turn begins offers anew", "match=9", "on=0",
     "0R3 1x 0r31 0* =resign:0/0 1R1 0x 1r31 1* 0R1 1a"},
    {"levels are 1 to 3", "match=9", "on=0", "0R0!R1 0R4!R1"},
    {"jacoby: all levels are worth 1 while the cube is unturned", "money", "on=0",
     "0R3 1a =level:1 =points:1 =score:0-1"},
    {"jacoby: levels count once the cube is turned", "money", "on=0 cube=2@1",
     "0R3 1a =level:3 =points:6"},
    {"a double is passed, not resigned", "match=9", "on=0", "0d 1R1!R2 ?take1"},
    {"a beaver is passed, not resigned", "money beavers", "on=0", "0d 1b 0R1!R2 ?raise0"},
    {"nobody resigns in the opponent's turn", "match=9", "on=0", "1R1!G7 0r31 1R1!G7"},
    {"nobody resigns before the opening roll", "match=9", NULL, "0R1!G7 1R1!G7"},
    {"an offer is answered by the opponent", "match=9", "on=0",
     "0R1 0a!G7 0x!G7 0r31!G7 0R2!G7 1R1!G7 1d!G7 1a"},
    {"without an offer there is nothing to accept", "match=9", "on=0", "1a!G7 1x!G7"},

    /* 5.4: faults */
    {"a forfeit loses at the highest level the position allows", "match=9", "on=0",
     "0Fillegal ?game =end:fault =fault:illegal =winner:1 =level:3 =points:3 =score:0-3"},
    {"a forfeit of the gammoned", "match=9", "on=1 " LAST_GAMMON, "1Flate =level:2 =winner:0"},
    {"a forfeit after bearing off is single", "match=9", "on=0 " LAST_GAMMON,
     "0Flate =level:1 =winner:1"},
    {"a forfeit under jacoby with the cube unturned is single", "money", "on=0",
     "0Fcrash =level:1 =points:1 ?nothing =match:1"},
    {"a forfeit under jacoby with the cube turned counts the position", "money", "on=0 cube=2@0",
     "0Fcrash =level:3 =points:6"},
    {"forfeit single is the option", "match=9 single", "on=0 cube=2@0",
     "0Flate =level:1 =points:2"},
    {"a forfeit while a double is pending costs what a pass would pay", "match=99", "on=0 cube=4@0",
     "0d 1Flate =winner:0 =level:3 =points:12 =doubler:-1"},
    {"the doubler may be at fault as well", "match=99", "on=0 cube=4@0",
     "0d 0Fcrash =points:12 "
     "=winner:1"},
    {"a forfeit while a beaver is pending costs the value of the take", "money beavers", "on=0",
     "0d 1b 0Flate =level:3 =points:6"},
    {"a forfeit of a pending double under jacoby is single", "money", "on=0",
     "0d 1Flate =level:1 =points:1"},
    {"a seat may be at fault in the opponent's turn", "match=9", "on=0", "0r31 1Fcrash =winner:0"},
    {"a seat may be at fault before the opening roll", "match=9", NULL,
     "1Fstart =winner:0 =level:3"},
    {"a fault while an offer is open", "match=9", "on=0", "0R1 1Fsilent =winner:0 =end:fault"},
    {"fault=match: the match is lost, whatever the score", "match=9 faultmatch single", "on=0",
     "0Flate ?nothing =match:1 =score:0-1 N!M1"},
    {"flag=match: a late answer loses the match", "match=9 flagmatch single", "on=0",
     "0Flate ?nothing =match:1 =score:0-1 N!M1"},
    {"flag=match: another fault loses the game", "match=9 flagmatch single", "on=0",
     "0Fcrash ?game =score:0-1 N"},
    {"gone: the match is lost, whatever the rules say", "match=9 single", "on=0",
     "0Fgone ?nothing =end:fault =fault:gone =match:1 =score:0-1 N!M1 0Fgone!M1"},
    {"gone: also in the opponent's turn", "match=9 single", "on=0",
     "0r31 1Fgone ?nothing =match:0"},
    {"gone: before the first roll of a later game", "match=9 single", "on=0",
     "1Flate ?game 0Fgone!G7 N ?opening 0Fgone ?nothing =match:1 =score:1-1 =game:1"},
    {"gone: while a double is open", "match=9 single", "on=0", "0d 1Fgone ?nothing =match:0"},
    {"gone: while an offer to resign is open", "match=9 single", "on=0",
     "0R1 1Fgone ?nothing =match:0"},
    {"gone: by the leader in the Crawford game", "match=5 single", "on=0 score=4-0 crawford",
     "0Fgone ?nothing =match:1 =score:4-1"},
    {"gone: a single game is lost as by another fault", "money single", "on=0",
     "0Fgone ?nothing =match:1 =score:0-1"},
    {"a fault of the host is not a step", "match=9", "on=0", "0Fhost!N1 0Fnone!N1"},
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
    {"holland without crawford", "match=5 crawford=0 holland", NULL, "holland"},
    {"raises without beavers", "money raises=1", NULL, "raises"},
    {"raises below unlimited", "money beavers raises=-2", NULL, "raises -2"},
    {"beavers in a match", "match=5 beavers", NULL, "beavers"},
    {"beavers without cube", "money cube=0 beavers", NULL, "beavers"},
    {"jacoby in a match", "match=5 jacoby=1", NULL, "jacoby"},
    {"crawford in money play", "money crawford=1", NULL, "crawford"},
    {"automatic doubles in a match", "match=5 auto=1", NULL, "auto_doubles"},
    {"automatic doubles without end", "money auto=41", NULL, "auto_doubles 41"},
    {"a negative turn cap", "money cap=-1", NULL, "turn_cap"},
    {"a negative length", "match=-1", NULL, "length -1"},
    {"a length beyond all lengths", "match=10001", NULL, "length 10001"},
    {"a checker too few", "money", "on=0 x=6:14", "seat 0 has 14 checkers"},
    {"a checker too many", "money", "on=0 y=6:16", "seat 1 has 16 checkers"},
    {"a game that is over", "money", "on=0 y=0:15", "seat 1 has all checkers off"},
    {"a point beyond 24", "money", "on=0 x=30:1,6:14", "slot 30"},
    {"both seats on one point", "money", "on=0 x=6:15 y=19:1,1:14", "point 6"},
    {"a score that ends the match", "match=5", "score=5-0", "score 5"},
    {"a negative score", "money", "score=-1-0", "score -1"},
    {"a cube above the limit", "money", "on=0 cubelog=41@-1", "cube"},
    {"a cube of nobody", "money", "on=0 cubelog=1@2", "cube owner 2"},
    {"a cube in a cubeless game", "money cube=0", "on=0 cube=2@0", "cube"},
    {"a third seat on roll", "money", "on=2", "seat on roll 2"},
    {"a crawford game at another score", "match=5", "score=3-0 crawford", "Crawford"},
    {"a crawford game in money play", "money", "crawford", "Crawford"},
    {"a score that must say whether this is the crawford game", "match=5", "score=4-0", "Crawford"},
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

/* If later headers put something into `reserved`, rules that do not know it refuse to play. */
TEST(options_of_later_headers_are_refused)
{
    struct bg_rules rules = bg_rules_default(bg_variant_find("backgammon"), 0);
    struct bg_start start = {.on_roll = -1, .cube_owner = BG_CENTRED};
    struct bg_match match;
    struct bg_error err = {0};

    bg_variant_setup(&start.board, rules.variant);
    ck_assert_int_eq(bg_match_begin_at(&match, &rules, &start, &err), BG_OK);
    start.reserved[3] = 1;
    ck_assert_int_eq(bg_match_begin_at(&match, &rules, &start, &err), BG_E_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(err.text, "does not know"));
    rules.reserved[7] = 1;
    ck_assert_int_eq(bg_rules_check(&rules, &err), BG_E_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(err.text, "does not know"));
}

TEST(defaults_are_the_rules_in_use)
{
    const struct bg_variant *backgammon = bg_variant_find("backgammon");
    struct bg_rules money = bg_rules_default(backgammon, 0);
    struct bg_rules match = bg_rules_default(backgammon, 7);

    ck_assert(money.cube && money.jacoby && !money.beavers && !money.crawford);
    ck_assert_int_eq(money.auto_doubles, 0);
    ck_assert_int_eq(money.turn_cap, BG_TURN_CAP);
    ck_assert(match.cube && match.crawford && !match.jacoby && !match.holland);
    ck_assert_int_eq(match.length_points, 7);
    ck_assert_int_eq(match.opening, BG_OPENING_PLAY);
    ck_assert_int_eq(bg_rules_check(&money, NULL), BG_OK);
    ck_assert_int_eq(bg_rules_check(&match, NULL), BG_OK);
}

/* Values outside the enumerations; a step may come from anywhere. */
TEST(steps_with_any_values_are_handled)
{
    static const int odd[] = {-2147483647 - 1, -2, -1, 2, 15, 255, 2147483647};
    struct bg_match match, before;
    char message[256];

    ck_assert_msg(script_begin(&match, "money", "on=0", message, sizeof message), "%s", message);
    before = match;
    for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++) {
        struct bg_step step;

        memset(&step, 0xff, sizeof step);
        step.kind = (enum bg_step_kind)odd[i];
        step.seat = 0;
        if ((unsigned)odd[i] >= BG_STEP_COUNT) {
            ck_assert_int_eq(bg_match_step(&match, &step), BG_RULE_TURN);
        }
        for (int kind = 0; kind < BG_STEP_COUNT; kind++) {
            step.kind = (enum bg_step_kind)kind;
            step.seat = odd[i];
            ck_assert_int_ne(bg_match_step(&match, &step), BG_RULE_NONE);
        }
        step.kind = BG_STEP_FAULT;
        step.seat = 0;
        step.fault = (enum bg_fault)odd[i];
        if ((unsigned)odd[i] >= BG_FAULT_COUNT) {
            ck_assert_int_eq(bg_match_step(&match, &step), BG_RULE_SLOT);
        }
    }
    ck_assert_mem_eq(&match, &before, sizeof match);
}

TEST(names_are_unique_and_unknown_values_have_one)
{
    for (int i = 0; i < BG_STEP_COUNT; i++) {
        for (int k = 0; k < i; k++) {
            ck_assert_str_ne(bg_step_name((enum bg_step_kind)i),
                             bg_step_name((enum bg_step_kind)k));
        }
    }
    for (int i = 0; i < BG_NEED_COUNT; i++) {
        for (int k = 0; k < i; k++) {
            ck_assert_str_ne(bg_need_name((enum bg_need_kind)i),
                             bg_need_name((enum bg_need_kind)k));
        }
    }
    for (int i = 0; i < BG_END_COUNT; i++) {
        for (int k = 0; k < i; k++) {
            ck_assert_str_ne(bg_end_name((enum bg_end)i), bg_end_name((enum bg_end)k));
        }
    }
    ck_assert_str_eq(bg_step_name(BG_STEP_COUNT), "unknown");
    ck_assert_str_eq(bg_need_name((enum bg_need_kind) - 1), "unknown");
    ck_assert_str_eq(bg_end_name((enum bg_end)99), "unknown");
}
