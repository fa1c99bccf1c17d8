/* schema.h - field numbers of proto/bgref.proto for messages that are read and written by hand:
 * decisions. Private to sdk/wire; unit_wire compares every one with the generated code.
 */
#ifndef SDK_WIRE_SCHEMA_H
#define SDK_WIRE_SCHEMA_H

enum { TO_BOT_ASKS = 3, TO_BOT_TELLS = 4, TO_REFEREE_ANSWERS = 3 };

enum { TELLS_TELLS = 1 };

enum { ASKS_SETTINGS = 1, ASKS_ASKS };

enum ask_field {
    ASK_DECISION = 1,
    ASK_GAME,
    ASK_KIND,
    ASK_SETTINGS,
    ASK_POSITION,
    ASK_NUMBERS,
    ASK_BOT_SEED,
    ASK_TURN,
    ASK_OWN_SCORE,
    ASK_OPPONENT_SCORE,
    ASK_CUBE_LOG2,
    ASK_CUBE_OWNER,
    ASK_CLOCK,
    ASK_RESULT_COUNT,
    ASK_RESULTS,
    ASK_CRAWFORD_GAME,
    ASK_POST_CRAWFORD,
    ASK_MAY_RAISE,
    ASK_RAISE,
    ASK_RESIGN_LEVEL,
    ASK_REFUSED_LEVEL,
    ASK_ENTER,
    ASK_FIELDS
};

enum { NUMBERS_NUMBER = 1, NUMBERS_TIMES };

enum {
    ENTER_COUNT = 1,
    ENTER_OWN,
    ENTER_OPENING,
    ENTER_ENTERED,
    ENTER_DISAGREEMENTS,
    ENTER_FIELDS
};

enum { CLOCK_OWN_LEFT_NS = 1, CLOCK_OPPONENT_LEFT_NS };

enum {
    POSITION_OWN = 1,
    POSITION_OPPONENT,
    POSITION_OWN_PINNED,
    POSITION_OPPONENT_PINNED,
    POSITION_OWN_HISTORY,
    POSITION_OPPONENT_HISTORY
};

enum { RESULT_POSITION = 1, RESULT_MOVES };

enum { ANSWERS_ANSWERS = 1 };

enum {
    ANSWER_DECISION = 1,
    ANSWER_ACTION,
    ANSWER_INDEX,
    ANSWER_MOVES,
    ANSWER_RESULT,
    ANSWER_NAME,
    ANSWER_RESIGN,
    ANSWER_DICE
};

#endif
