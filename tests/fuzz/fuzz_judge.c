/* fuzz_judge - foreign bytes as gnubg's analysis and as stored judgements: they are read or refused
 * with a message. Values that are read are in range, and survive being written again. */
#include <string.h>

#include "judge/gnubg_sgf.h"
#include "judge/gnubg_met.h"
#include "store/judgement.h"

#include "fuzz.h"

static void check_analysed(const char *text)
{
    struct analysed game;
    struct bg_error err = {.text = ""};

    if (analysed_read(&game, text, &err) != BG_OK) {
        require(err.text[0] != '\0' && game.node == NULL);
        return;
    }
    for (size_t i = 0; i < game.nodes; i++) {
        const struct analysed_node *node = &game.node[i];

        require(node->player == 0 || node->player == 1);
        require(node->kind != ANALYSED_ROLL || (node->die[0] >= 1 && node->die[0] <= 6));
        require(!node->has_play || node->plays > 0);
        for (int k = 0; k < node->best.moves; k++) {
            require(node->best.from[k] >= 0 && node->best.from[k] <= BG_BAR);
            require(node->best.to[k] >= 0 && node->best.to[k] <= BG_BAR);
        }
    }
    analysed_deinit(&game);
}

static void check_judgement(const char *text)
{
    struct judgement *judgement = calloc(1, sizeof *judgement);
    struct bg_error err = {.text = ""};
    char *again;

    require(judgement != NULL);
    if (judgement_read_rolls(judgement, text, &err) == BG_OK) {
        again = judgement_rolls_text(judgement);
        require(judgement_read_rolls(judgement, again, &err) == BG_OK);
        free(again);
    }
    if (judgement_read_choices(judgement, text, &err) == BG_OK) {
        again = judgement_choices_text(judgement);
        require(judgement_read_choices(judgement, again, &err) == BG_OK);
        free(again);
    }
    judgement_destroy(judgement);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct gnubg_met met;
    struct bg_error err = {.text = ""};
    char *text = malloc(size + 1);

    require(text != NULL);
    memcpy(text, data, size);
    text[size] = '\0';
    check_analysed(text);
    check_judgement(text);
    require(gnubg_met_read(&met, text, &err) == BG_OK || err.text[0] != '\0');
    free(text);
    return 0;
}
