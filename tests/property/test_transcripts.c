/* Good games, changed in one place: they are bad at that row, or the change was legal. The play
 * generator, which has vectors of its own, decides about legality. */
#define _GNU_SOURCE
#include "format/transcript.h"

#include <stdlib.h>
#include <string.h>

#include <bgref/notation.h>

#include "support/match_laws.h"
#include "support/suite.h"

enum { ROWS_MAX = 40000, GAMES_MAX = 400, CHANGES = 1400 / TEST_PART, COLUMNS = 7, TEXT = 400 };

static char *rows[ROWS_MAX];
static struct game {
    int first, count;
} games[GAMES_MAX];
static int row_count, game_count;

static void split(char *out[COLUMNS], char copy[TEXT], const char *row)
{
    snprintf(copy, TEXT, "%s", row);
    for (int i = 0; i < COLUMNS; i++) {
        out[i] = copy;
        copy += strcspn(copy, "\t\n");
        *copy++ = '\0';
    }
}

static void read_games(void)
{
    FILE *file = fopen(TEST_UNPACKED "/variants-games.tsv", "r");
    char *line = NULL;
    size_t room = 0;

    ck_assert(file != NULL);
    while (getline(&line, &room, file) >= 0) {
        if (line[0] == '#') {
            continue;
        }
        ck_assert(row_count < ROWS_MAX && game_count < GAMES_MAX);
        rows[row_count] = strdup(line);
        if (strstr(line, "\topen\t") != NULL) {
            games[game_count++].first = row_count;
        }
        games[game_count - 1].count++;
        row_count++;
    }
    free(line);
    fclose(file);
}

enum change { DROP, RENUMBER, SIDE, KIND, DATA, POSITION, SCORE, WINNER, TWICE, CHANGE_COUNT };

/* The rows of the game with row number `at` changed; "" if the change does not apply there. */
struct changed {
    enum change change;
    int at;           /* row of the game, from 0 */
    char row[TEXT];   /* the row's present value */
    bool may_be_good; /* the changed row is legal */
};

static void join(char out[TEXT], char *column[COLUMNS])
{
    snprintf(out, TEXT, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", column[0], column[1], column[2], column[3],
             column[4], column[5], column[6]);
}

/* Whether the position of the changed row is allowed by its data, from the row before. */
static bool is_legal(char *column[COLUMNS], const char *row_before)
{
    const struct bg_variant *variant = bg_variant_find(column[0]);
    char copy[TEXT], *before[COLUMNS];
    struct bg_board from, to;
    struct bg_stage stage;
    int mover;

    split(before, copy, row_before);
    ck_assert_int_eq(bg_position_text_read(&from, &mover, variant, before[6], NULL), BG_OK);
    if (bg_position_text_read(&to, &mover, variant, column[6], NULL) != BG_OK ||
        mover != (column[3][0] == 'b') ||
        bg_stage_read(&stage, variant, column[5], NULL) != BG_OK) {
        return false;
    }
    memcpy(from.turns, to.turns, sizeof from.turns);
    return bg_play_check_result(NULL, variant, &from, mover, &stage, &to) == BG_RULE_NONE;
}

static void change_data(char data[TEXT], const char *kind, uint64_t *random)
{
    if (strcmp(kind, "open") == 0) {
        snprintf(data, TEXT, "w%db%d", laws_below(random, 8), laws_below(random, 8));
    } else if (strcmp(kind, "roll") == 0) {
        int high = 1 + laws_below(random, 6);

        snprintf(data, TEXT, "%d%d", high, 1 + laws_below(random, high));
    } else {
        snprintf(data, TEXT, "%dx%d", 1 + laws_below(random, 6), 1 + laws_below(random, 4));
    }
}

/* Changes the columns; false: this change does not apply to this row. */
static bool make_change(char *column[COLUMNS], char space[TEXT], const struct changed *changed,
                        const struct game *game, uint64_t *random)
{
    static char other[TEXT], kind[TEXT];
    static char *sides[] = {"w", "b", "-"};
    static char *kinds[] = {"roll", "next", "choice", "complement", "carry", "end", "open"};
    char *columns[COLUMNS];
    const bool end = strcmp(column[4], "end") == 0;

    snprintf(kind, sizeof kind, "%s", column[4]);
    switch (changed->change) {
    case SIDE:
    case WINNER:
        if (end != (changed->change == WINNER)) {
            return false;
        }
        column[3] = sides[laws_below(random, 3)];
        return true;
    case KIND:
        column[4] = kinds[laws_below(random, 7)];
        return true;
    case DATA:
        change_data(space, column[4], random);
        column[5] = space;
        return !end;
    case POSITION:
        split(columns, other, rows[game->first + laws_below(random, game->count)]);
        snprintf(space, TEXT, "%s", columns[6]);
        column[6] = space;
        return true;
    case SCORE:
        snprintf(space, TEXT, "%d:%s", laws_below(random, 4),
                 laws_below(random, 2) == 0 ? "single" : "gammon");
        column[5] = space;
        return end;
    default:
        return true;
    }
}

/* Returns false if nothing was changed. */
static bool change_row(struct changed *changed, const struct game *game, uint64_t *random)
{
    const char *row = rows[game->first + changed->at];
    char copy[TEXT], space[TEXT], *column[COLUMNS];

    split(column, copy, row);
    if (!make_change(column, space, changed, game, random)) {
        return false;
    }
    join(changed->row, column);
    if (strcmp(changed->row, row) == 0 && changed->change >= SIDE && changed->change < TWICE) {
        return false;
    }
    if (changed->change == DATA && changed->at == 0) {
        changed->may_be_good = true; /* other dice may give the same starter */
    } else if (changed->change == DATA || changed->change == POSITION) {
        changed->may_be_good = changed->at > 0 && strcmp(column[4], "end") != 0 &&
                               is_legal(column, rows[game->first + changed->at - 1]);
    }
    return true;
}

/* The number in front of a row that follows a dropped one. */
static void renumber(char out[TEXT], const char *row, int number)
{
    char copy[TEXT], text[16], *column[COLUMNS];

    split(column, copy, row);
    snprintf(text, sizeof text, "%d", number);
    column[2] = text;
    join(out, column);
}

static char *changed_game(const struct game *game, const struct changed *changed)
{
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    int number = 0;

    ck_assert(out != NULL);
    for (int i = 0; i < game->count; i++) {
        char row[TEXT];

        snprintf(row, sizeof row, "%s", rows[game->first + i]);
        if (i == changed->at) {
            if (changed->change == DROP || changed->change == RENUMBER) {
                continue;
            }
            snprintf(row, sizeof row, "%s", changed->row);
        }
        number++;
        if (changed->change == RENUMBER) {
            char moved[TEXT];

            renumber(moved, row, number);
            fputs(moved, out);
        } else {
            fputs(row, out);
        }
        if (i == changed->at && changed->change == TWICE) {
            fputs(row, out);
        }
    }
    fclose(out);
    return text;
}

/* The row at which the judge finds the game bad, 0: it is good. */
static int judged_row(const char *text)
{
    char *out, *talk;
    size_t out_size, talk_size;
    FILE *in = fmemopen((void *)(uintptr_t)text, strlen(text), "r");
    FILE *verdicts = open_memstream(&out, &out_size), *messages = open_memstream(&talk, &talk_size);
    const char *bad;
    int status, row = 0;

    ck_assert(in != NULL && verdicts != NULL && messages != NULL);
    status = transcript_judge(in, "changed", verdicts, messages);
    fclose(in);
    fclose(verdicts);
    fclose(messages);
    bad = strstr(out, "\tbad\t");
    ck_assert_msg(status == (bad == NULL ? EXIT_DONE : EXIT_CHECK), "status %d: %s", status, talk);
    if (bad != NULL) {
        row = atoi(bad + strlen("\tbad\t"));
    }
    free(out);
    free(talk);
    return row;
}

static int expected_row(const struct game *game, const struct changed *changed)
{
    int number = changed->at + 1;

    switch (changed->change) {
    case DROP: /* found at the next row; a missing last row only at the end */
        return number == game->count ? number : number + 1;
    default:
        return number;
    }
}

TEST(a_changed_row_is_found)
{
    static int found[CHANGE_COUNT];
    uint64_t random = 20260101;
    int spared = 0;

    read_games();
    for (int i = 0; i < CHANGES * suite_factor(); i++) {
        const struct game *game = &games[laws_below(&random, game_count)];
        struct changed changed = {.change = (enum change)(i % CHANGE_COUNT)};
        char *text;
        int row, expected;

        changed.at =
            laws_below(&random, 3) == 0 || changed.change == SCORE || changed.change == WINNER
                ? game->count - 1
                : laws_below(&random, game->count);
        if (!change_row(&changed, game, &random)) {
            continue;
        }
        text = changed_game(game, &changed);
        row = judged_row(text);
        expected = expected_row(game, &changed);
        if (changed.may_be_good) {
            ck_assert_msg(row == 0 || row >= expected, "change %d: row %d is bad before %d\n%s%s",
                          changed.change, row, expected, rows[game->first + changed.at],
                          changed.row);
            spared++;
        } else {
            ck_assert_msg(row == expected, "change %d: row %d is bad, expected %d\n%s%s",
                          changed.change, row, expected, rows[game->first + changed.at],
                          changed.row);
            found[changed.change]++;
        }
        free(text);
    }
    for (int change = 0; change < CHANGE_COUNT; change++) {
        ck_assert_msg(found[change] > CHANGES * suite_factor() / CHANGE_COUNT / 4,
                      "change %d: only %d", change, found[change]);
    }
    ck_assert_int_lt(spared, CHANGES * suite_factor() / 5);
}

void suite_begin(TCase *tests)
{
    tcase_set_timeout(tests, 0);
}
