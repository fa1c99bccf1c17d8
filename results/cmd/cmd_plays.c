/* cmd_plays.c - bgref plays: the legal plays of a position and roll, or the position itself. One
 * play list is static: with room for the most plays of any roll it is too large for a stack, and
 * the rows of --tsv shall not allocate one each. */
#define _GNU_SOURCE
#include "results_commands.h"
#include "command.h"

#include <stdlib.h>
#include <string.h>

#include "base/docs.h"
#include "base/exit_status.h"
#include "format/positions.h"
#include "format/stage_plays.h"

enum { WORDS = 3, ROW_MAX = 64 + BG_PLAYS_MAX * BG_POSITION_ID };
struct arguments {
    bool tsv, stages, board;
    const char *variant;
    struct check_play check;
    struct command_words words;
};

static bool is_check(const struct arguments *arguments)
{
    const struct check_play *check = &arguments->check;

    return check->moves != NULL || check->result != NULL || check->index != NULL;
}

static void check_words(const struct arguments *arguments)
{
    const struct command_words *words = &arguments->words;

    if (words->count > (arguments->board ? 1 : WORDS)) {
        command_misuse("'%s': one position %s enough", words->word[words->count - 1],
                       arguments->board ? "is" : "and two dice are");
    }
    if (arguments->board && words->count == 0) {
        command_misuse("a position is needed, like 'bgref plays --board 4HPwATDgc/ABMA'");
    } else if (arguments->variant != NULL && !arguments->board && words->count != 2) {
        command_misuse("--variant needs a position and a stage");
    } else if (arguments->variant == NULL && (words->count == 0 || words->count == 2)) {
        command_misuse("a position and two dice are needed, like 'bgref plays 4HPwATDgc/ABMA 3 1'");
    }
}

static void check_plays(void *all)
{
    const struct arguments *arguments = all;

    if (!arguments->tsv && !arguments->stages) {
        check_words(arguments);
    } else if (is_check(arguments)) {
        command_misuse("--check, --result and --index need one position, not rows");
    } else if (arguments->words.count != 0) {
        command_misuse("--%s reads standard input: give no position",
                       arguments->tsv ? "tsv" : "stages");
    } else if (arguments->board && arguments->stages) {
        command_misuse("--board takes rows of backgammon: --tsv");
    }
}

static const struct command_row options[] = {
    {"tsv",
     .help = "Read rows 'POSITION<TAB>D1<TAB>D2[<TAB>anything]' from standard input (comments "
             "begin with "
             "#), print the first three columns, COUNT and RESULTS for each. With --board, rows "
             "'POSITION_ID<TAB>MATCH_ID[<TAB>anything]': print for each the IDs, the boards of the "
             "side not on roll and of the side on roll (25 counts each), cube, owner, move, turn, "
             "crawford, jacoby, length, scores of seat 0 and 1, dice, doubled, resigned and game "
             "state",
     COMMAND_FLAG(tsv), .group = "rows"},
    {"stages",
     .help = "Read rows 'VARIANT<TAB>POSITION<TAB>STAGE[<TAB>anything]' of any game from standard "
             "input, "
             "print the first three columns, COUNT and RESULTS for each",
     COMMAND_FLAG(stages), .group = "rows"},
    {"variant", .value = "GAME",
     .help = "The game, such as plakoto or long-nardi:head=any; POSITION is then in the notation "
             "of every "
             "game (docs/rules.md N3) and STAGE a roll like 63 or a number played several times "
             "like 4x3",
     COMMAND_TEXT(variant), .group = "rows"},
    {"board",
     .help = "Draw the position and print it in every notation; list no play. Of another game than "
             "backgammon it is drawn, with White below",
     COMMAND_FLAG(board), .group = "check"},
    {"check", .value = "MOVES",
     .help =
         "Check one play, like '8/5 6/5' (25 or bar, 0 or off): legal, or the broken rule and exit "
         "status 1",
     COMMAND_TEXT(check.moves), .group = "check"},
    {"result", .value = "POSITION", .help = "The same for the position after a play",
     COMMAND_TEXT(check.result), .group = "check"},
    {"index", .value = "N", .help = "The same for an index into the sorted plays, from 0",
     COMMAND_TEXT(check.index), .group = "check"},
    {0}};

static const struct command_row words[] = {{"position", COMMAND_LIST(words)}, {0}};

static const struct command command = {
    .usage = "POSITION [D1 D2]\n--variant GAME POSITION STAGE\n--board [--variant GAME] POSITION\n"
             "[--board] --tsv < ROWS\n--stages < ROWS",
    .help =
        "List the legal plays of a position and roll, of backgammon or of any game by "
        "--variant; or draw the position.\vPOSITION is a Position ID, PositionID:MatchID, XGID, "
        "OGID or a board line of FIBS, also within the text that gnubg or eXtreme Gammon prints "
        "around it; a bare Position ID is shown as money play with Jacoby, centred cube and seat "
        "1 on roll. D1 and D2 can be left out if POSITION has dice. Plays are listed with the "
        "Position ID of the result, from the view of the side that played. A notation that "
        "cannot express the position is shown as '-'.",
    .options = options,
    .words = words,
    .check = check_plays,
};

/* ---- --board ---- */

enum { DRAWING = 4096, WHITE = 0 };

static void print_board(FILE *out, const uint8_t at[BG_SLOTS])
{
    for (int slot = 1; slot <= BG_BAR; slot++) {
        fprintf(out, "%c%d", slot == 1 ? '\t' : ',', at[slot]);
    }
}

/* Prints what a Position ID and a Match ID say. */
static enum bg_status board_row(char **column, int columns, FILE *out, struct bg_error *err)
{
    struct bg_match_id id;
    struct bg_board board;
    enum bg_status status = bg_match_id_read(&id, column[1], err);

    (void)columns;
    if (status == BG_OK) {
        status = bg_position_id_read(&board, column[0], id.move, err);
    }
    if (status != BG_OK) {
        return status;
    }
    fprintf(out, "%s\t%s", column[0], column[1]);
    print_board(out, board.at[1 - id.move]);
    print_board(out, board.at[id.move]);
    fprintf(out, "\t%ld\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\n", 1L << id.cube_log2,
            id.cube_owner, id.move, id.turn, id.crawford, id.jacoby, id.length, id.score[0],
            id.score[1], id.dice[0], id.dice[1], id.doubled, id.resigned, id.state);
    return BG_OK;
}

/* Prints a position of backgammon: the drawing, then each notation. A bare Position ID says neither
 * who is on roll nor the cube; the values that are shown for it are named in the help, and every
 * other notation is derived from one struct position, so that two notations of one line cannot
 * disagree. */
static int board_show(const char *text)
{
    char drawing[DRAWING], position_id[BG_POSITION_ID], match_id[BG_MATCH_ID], xgid[BG_XGID];
    char every[BG_POSITION_TEXT];
    struct position position;
    struct bg_error err;

    if (position_read(&position, text, &err) != BG_OK) {
        command_say(err.text);
        return EXIT_MISUSE;
    }
    bg_board_draw(drawing, sizeof drawing, bg_variant_find("backgammon"), &position.board,
                  &position.id, 1);
    bg_position_id_write(position_id, &position.board, position.id.move);
    bg_position_text_write(every, bg_variant_find("backgammon"), &position.board, position.id.move);
    /* Each notation has limits of its own (scores, cubes); the others are still worth printing. */
    if (bg_match_id_write(match_id, &position.id, NULL) != BG_OK) {
        strcpy(match_id, "-");
    }
    if (position_xgid_write(xgid, &position, NULL) != BG_OK) {
        strcpy(xgid, "-");
    }
    printf("%s\n", drawing);
    printf("Position ID  %s\nMatch ID     %s\nXGID         %s\nNotation     %s\n", position_id,
           match_id, xgid, every);
    return EXIT_DONE;
}

/* Prints the drawing of a position of another game. */
static int board_show_of(const char *game, const char *text)
{
    const struct bg_variant *variant = NULL;
    char drawing[DRAWING];
    struct bg_board board;
    struct bg_error err;
    int mover = WHITE;

    if (bg_variant_read(&variant, game, &err) != BG_OK ||
        bg_position_text_read(&board, &mover, variant, text, &err) != BG_OK) {
        command_say(err.text);
        return EXIT_MISUSE;
    }
    bg_board_draw(drawing, sizeof drawing, variant, &board, NULL, WHITE);
    printf("%s\n%s (%s) plays next\n", drawing, mover == WHITE ? "White" : "Black",
           mover == WHITE ? "O" : "X");
    return EXIT_DONE;
}

/* ---- plays ---- */

static bool read_die(uint8_t *die, const char *text)
{
    *die = (uint8_t)(text[0] - '0');
    return text[0] >= '1' && text[0] <= '6' && text[1] == '\0';
}

static enum bg_status read_two_dice(struct bg_roll *roll, const char *d1, const char *d2,
                                    struct bg_error *err)
{
    *roll = (struct bg_roll){{0}};
    for (int i = 0; i < 2; i++) {
        const char *text = i == 0 ? d1 : d2;

        if (!read_die(&roll->die[i], text)) {
            return bg_error_set(err, BG_E_FORMAT, "die %d \"%.20s\" is not 1 to 6", i + 1, text);
        }
    }
    return BG_OK;
}

/* The sorted legal plays of backgammon. */
static void list_plays(struct bg_play_list *list, const struct bg_board *board, int seat,
                       struct bg_roll roll)
{
    const struct bg_variant *variant = bg_variant_find("backgammon");
    const struct bg_stage stage = bg_stage_of_roll(variant, roll);

    bg_play_list(list, variant, board, seat, &stage);
    bg_play_list_sort(list, variant, board, seat);
}

static void write_result(char out[BG_POSITION_ID], const struct bg_board *board, int seat,
                         const struct bg_play *play)
{
    struct bg_board after;

    bg_play_make(&after, bg_variant_find("backgammon"), board, seat, play);
    bg_position_id_write(out, &after, seat);
}

/* A row is put together in memory and written at once, instead of with one write for each
 * play. */
static enum bg_status plays_row(char **column, int columns, FILE *out, struct bg_error *err)
{
    static struct bg_play_list list;
    static char text[ROW_MAX];
    struct bg_board board;
    struct bg_roll roll;
    enum bg_status status = bg_position_id_read(&board, column[0], 0, err);
    char *end;

    (void)columns;
    if (status == BG_OK) {
        status = read_two_dice(&roll, column[1], column[2], err);
    }
    if (status != BG_OK) {
        return status;
    }
    list_plays(&list, &board, 0, roll);
    end = text + snprintf(text, sizeof text, "%s\t%s\t%s\t%zu\t", column[0], column[1], column[2],
                          list.count);
    for (size_t i = 0; i < list.count; i++) {
        write_result(end, &board, 0, &list.play[i]);
        end += BG_POSITION_ID - 1;
        *end++ = ',';
    }
    if (list.count == 0) {
        *end++ = '-';
        end++;
    }
    end[-1] = '\n'; /* replaces the last comma */
    fwrite(text, 1, (size_t)(end - text), out);
    return BG_OK;
}

/* The exit status for a checked play. An illegal play is an answer (status 1), not a failure;
 * only words that cannot be read are misuse. */
static int checked(enum bg_status status, bool legal, const struct bg_error *err)
{
    if (status != BG_OK) {
        command_say(err->text);
        return EXIT_MISUSE;
    }
    return legal ? EXIT_DONE : EXIT_CHECK;
}

static int plays_of_position(const struct arguments *arguments)
{
    const struct bg_variant *variant = bg_variant_find("backgammon");
    static struct bg_play_list list;
    struct position position;
    struct bg_roll roll = {{0}};
    struct bg_error err;
    bool legal = false;
    enum bg_status status = position_read(&position, arguments->words.word[0], &err);

    if (status == BG_OK && arguments->words.count == WORDS) {
        status = read_two_dice(&roll, arguments->words.word[1], arguments->words.word[2], &err);
    } else if (status == BG_OK && position.id.dice[0] == 0) {
        status = bg_error_set(&err, BG_E_ARGUMENT, "\"%s\" has no dice: give them as D1 D2",
                              arguments->words.word[0]);
    } else if (status == BG_OK) {
        roll.die[0] = (uint8_t)position.id.dice[0];
        roll.die[1] = (uint8_t)position.id.dice[1];
    }
    if (status != BG_OK) {
        command_say(err.text);
        return EXIT_MISUSE;
    }
    if (is_check(arguments)) {
        const struct check_stage at = {.variant = variant,
                                       .board = position.board,
                                       .stage = bg_stage_of_roll(variant, roll),
                                       .seat = position.id.move};

        return checked(check_play(&legal, &arguments->check, &at, stdout, &err), legal, &err);
    }
    list_plays(&list, &position.board, position.id.move, roll);
    for (size_t i = 0; i < list.count; i++) {
        char result[BG_POSITION_ID], text[BG_PLAY_TEXT];

        write_result(result, &position.board, position.id.move, &list.play[i]);
        bg_play_write(text, variant, &position.board, position.id.move, &list.play[i]);
        printf("%4zu  %s  %s\n", i + 1, result, text);
    }
    if (list.count == 0) {
        puts("no legal play");
    }
    return EXIT_DONE;
}

static int plays_of_stage(const struct arguments *arguments)
{
    struct bg_error err;
    bool legal = false;

    if (is_check(arguments)) {
        return checked(check_play_text(&legal, &arguments->check, arguments->variant,
                                       position_word(arguments->words.word[0]),
                                       arguments->words.word[1], stdout, &err),
                       legal, &err);
    }
    if (stage_plays_show(arguments->variant, position_word(arguments->words.word[0]),
                         arguments->words.word[1], stdout, &err) != BG_OK) {
        command_say(err.text);
        return EXIT_MISUSE;
    }
    return EXIT_DONE;
}

int cmd_plays(int argc, char **argv)
{
    char space[POSITION_SPACE];
    struct arguments arguments = {0};

    position_arguments(argc, argv, space);
    command_read(&command, argc, argv, &arguments);
    if (arguments.tsv) {
        return arguments.board ? position_rows(stdin, stdout, "bgref plays", 2, board_row)
                               : position_rows(stdin, stdout, "bgref plays", 3, plays_row);
    }
    if (arguments.stages) {
        return position_rows(stdin, stdout, "bgref plays", 3, stage_plays_row);
    }
    if (arguments.board) {
        return arguments.variant == NULL
                   ? board_show(arguments.words.word[0])
                   : board_show_of(arguments.variant, position_word(arguments.words.word[0]));
    }
    return arguments.variant != NULL ? plays_of_stage(&arguments) : plays_of_position(&arguments);
}
