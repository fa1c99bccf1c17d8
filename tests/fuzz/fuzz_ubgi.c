/* fuzz_ubgi - foreign bytes as a line of a UBGI engine: it is a valid word of the protocol with
 * consistent parts, or invalid. */
#include <string.h>

#include "words.h"

#include "fuzz.h"

static void check_result(const struct word *word)
{
    struct bg_ask ask = {.kind = BG_DECIDE_PLAY};
    struct bg_board result;
    struct bg_play play;

    ask.rules = bg_rules_default(bg_variant_find("backgammon"), 0);
    bg_variant_setup(&ask.board, ask.rules.variant);
    ask.stage = bg_stage_of_roll(ask.rules.variant, (struct bg_roll){{3, 1, 0}});
    if (words_result(&result, &ask, word->position, NULL) == BG_OK) {
        require(bg_play_check_result(&play, ask.rules.variant, &ask.board, 0, &ask.stage,
                                     &result) == BG_RULE_NONE);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char line[WORDS_LINE + 64], setting[WORDS_SETTING];
    struct word word;

    if (size >= sizeof line) {
        return 0;
    }
    memcpy(line, data, size);
    line[size] = '\0';
    words_read(&word, line);
    require(word.kind >= WORD_TALK && word.kind <= WORD_NONSENSE);
    require(word.kind != WORD_PLAY || word.play.moves <= BG_MOVES_MAX);
    require((word.kind == WORD_RESULT) == (strlen(word.position) == BG_POSITION_ID - 1));
    if (word.kind == WORD_RESULT) {
        check_result(&word);
    }
    if (words_setting(setting, line, strlen(line), size % 2 == 0, NULL) == BG_OK) {
        require(setting[strlen(setting) - 1] == '\n');
    }
    return 0;
}
