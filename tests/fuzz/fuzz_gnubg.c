/* fuzz_gnubg - foreign bytes as gnubg's reply to each kind of question: it becomes an answer that
 * fits the question, or is refused. The first byte picks the question. */
#include <string.h>

#include "query.h"

#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const enum bg_decision kinds[] = {BG_DECIDE_PLAY, BG_DECIDE_DOUBLE, BG_DECIDE_TAKE,
                                             BG_DECIDE_RAISE, BG_DECIDE_RESIGNATION};
    struct bg_ask ask = {.decision = 7, .cube_owner = BG_CENTRED};
    struct bg_answer answer;
    struct bg_error err = {.text = ""};
    char reply[512];

    if (size == 0 || size > sizeof reply) {
        return 0;
    }
    ask.kind = kinds[data[0] % 5];
    ask.may_raise = data[0] & 64;
    ask.rules = bg_rules_default(bg_variant_find("backgammon"), data[0] & 128 ? 5 : 0);
    bg_variant_setup(&ask.board, ask.rules.variant);
    ask.stage = bg_stage_of_roll(ask.rules.variant, (struct bg_roll){{3, 1, 0}});
    memcpy(reply, data + 1, size - 1);
    reply[size - 1] = '\0';
    if (query_read(&answer, &ask, reply, &err) != BG_OK) {
        require(err.text[0] != '\0');
        return 0;
    }
    require(answer.decision == 7);
    require(answer.kind > BG_ANSWER_NONE && answer.kind < BG_ANSWER_COUNT);
    require(answer.kind != BG_ANSWER_MOVES || answer.play.moves <= BG_MOVES_MAX);
    require((answer.kind == BG_ANSWER_MOVES) == (ask.kind == BG_DECIDE_PLAY));
    return 0;
}
