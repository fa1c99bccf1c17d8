/* Checks the slow enumeration against vectors: rows of variants.tsv on standard input, which
 * another program made from the same rules. The oracle itself has to be checked first. */
#include <bgref/notation.h>
#include <bgref/variant.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/plays_plain.h"

enum { COLUMNS = 5, LINE = 1 << 20 };

static struct plain_list plain;
static char text[PLAIN_MAX][BG_POSITION_TEXT];

static int compare(const void *a, const void *b)
{
    return strcmp(a, b);
}

static struct plain_stage stage_read(const struct plain_game *game, const char *digits)
{
    struct plain_stage stage = {0};

    if (digits[1] != 'x') {
        return plain_stage_roll(game, digits[0] - '0', digits[1] - '0',
                                digits[2] == '\0' ? 0 : digits[2] - '0');
    }
    stage.count = digits[2] - '0';
    for (int i = 0; i < stage.count && i < PLAIN_NUMBERS; i++) {
        stage.number[i] = digits[0] - '0';
    }
    return stage;
}

static bool is_right(char *column[COLUMNS])
{
    struct plain_game game;
    struct plain_stage stage;
    struct bg_board board;
    const struct bg_variant *variant = bg_variant_find(column[0]);
    char *result = column[4];
    int seat;

    if (variant == NULL || !plain_game_read(&game, column[0]) ||
        bg_position_text_read(&board, &seat, variant, column[1], NULL) != BG_OK) {
        return false;
    }
    stage = stage_read(&game, column[2]);
    plays_plain(&plain, &game, &board, seat, &stage);
    for (int i = 0; i < plain.count; i++) {
        bg_position_text_write(text[i], variant, &plain.result[i], seat);
    }
    qsort(text, (size_t)plain.count, sizeof text[0], compare);
    for (int i = 0; i < plain.count; i++) {
        const size_t length = strcspn(result, ";");

        if (strlen(text[i]) != length || memcmp(text[i], result, length) != 0) {
            return false;
        }
        result += length + (result[length] == ';');
    }
    return plain.count == atoi(column[3]) && (plain.count > 0 || strcmp(result, "-") == 0);
}

int main(void)
{
    static char line[LINE];
    int rows = 0, wrong = 0;

    while (fgets(line, sizeof line, stdin) != NULL) {
        char *column[COLUMNS], *at = line;
        int columns = 0;

        line[strcspn(line, "\n")] = '\0';
        for (; columns < COLUMNS && at != NULL && line[0] != '#'; columns++) {
            column[columns] = at;
            at = strchr(at, '\t');
            if (at != NULL) {
                *at++ = '\0';
            }
        }
        if (columns == COLUMNS) {
            rows++;
            if (!is_right(column)) {
                wrong++;
                printf("%s '%s' %s: not %s results\n", column[0], column[1], column[2], column[3]);
            }
        }
    }
    printf("%d rows, %d wrong\n", rows, wrong);
    return rows >= 7500 && wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
