/* Reads .sgf as saved by GNU Backgammon (FF[4] GM[6]): a tree for each game, whose first line of
 * play is read. White is seat 0.
 */
#define _GNU_SOURCE
#include "foreign_parse.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "foreign_names.h"

enum { VALUE_ROOM = 512, LENGTH_MAX = 10000, CUBE_LOG2_MAX = 30 };

/* The properties in a game's root. */
struct sgf_read_root {
    int64_t length, number, score[2];
    bool has_length, crawford, crawford_game, jacoby, no_cube;
    char display[2][FOREIGN_NAME];
    const char *variant; /* id */
    char strange[64];    /* an unknown variant; "": known */
    int winner;          /* -1: no result */
    int64_t points;
    int auto_doubles;
};

/* The position that nodes before the first roll set up. */
struct setup {
    bool any, board;
    struct bg_start start;
};

struct sgf {
    struct foreign_reader *reader;
    const char *at, *end;
    struct sgf_read_root root;
    struct setup setup;
    bool in_root, latin1;
    int dice[2];         /* from DI in this node; 0: none */
    int player;          /* from PL in this node; -1: none */
    int64_t last_number; /* number of the game before */
    bool goes_on;        /* continue after a bad game */
    bool begun;          /* this tree's players are known */
};

/* ---- text ---- */

static void skip_blanks(struct sgf *sgf)
{
    for (; sgf->at < sgf->end && isspace((unsigned char)*sgf->at); sgf->at++) {
        sgf->reader->line += *sgf->at == '\n';
    }
}

/* Reads a value in brackets; leaves out what does not fit. */
static enum bg_status read_value(char out[VALUE_ROOM], struct sgf *sgf)
{
    size_t used = 0;

    /* A backslash takes its character along, also a bracket. */
    for (sgf->at++; sgf->at < sgf->end && *sgf->at != ']'; sgf->at++) {
        if (*sgf->at == '\\' && sgf->at + 1 < sgf->end) {
            sgf->at++;
        }
        sgf->reader->line += *sgf->at == '\n';
        /* A zero byte would end the text for everything behind, so it is left out. */
        if (used + 1 < VALUE_ROOM && *sgf->at != '\0') {
            out[used++] = *sgf->at;
        }
    }
    out[used] = '\0';
    if (sgf->at == sgf->end) {
        return foreign_fail(sgf->reader, BG_E_FORMAT, "'[' without its ']'");
    }
    sgf->at++;
    return BG_OK;
}

/* ---- the root ---- */

static bool is_key(const char *key, const char *name)
{
    return strcmp(key, name) == 0;
}

static int64_t value_behind(const char *value, const char *word)
{
    size_t length = strlen(word);

    return strncmp(value, word, length) == 0 ? strtoll(value + length, NULL, 10) : -1;
}

static void read_match_info(struct sgf_read_root *root, const char *value)
{
    static const char *const words[] = {"length:", "game:", "ws:", "bs:"};
    int64_t *const fields[] = {&root->length, &root->number, &root->score[0], &root->score[1]};

    for (size_t i = 0; i < 4; i++) {
        if (strncmp(value, words[i], strlen(words[i])) == 0) {
            *fields[i] = value_behind(value, words[i]);
            root->has_length = root->has_length || i == 0;
        }
    }
}

static void read_rule(struct sgf_read_root *root, const char *word)
{
    if (strcmp(word, "Crawford") == 0) {
        root->crawford = true;
    } else if (strcmp(word, "CrawfordGame") == 0) {
        root->crawford_game = true;
    } else if (strcmp(word, "Jacoby") == 0) {
        root->jacoby = true;
    } else if (strcmp(word, "NoCube") == 0) {
        root->no_cube = true;
    } else if (strcmp(word, "Nackgammon") == 0) {
        root->variant = "nackgammon";
    } else if (strcmp(word, "Hypergammon3") == 0) {
        root->variant = "hypergammon";
    } else if (strncmp(word, "Hypergammon", 11) == 0) {
        snprintf(root->strange, sizeof root->strange, "%.60s", word);
    }
}

static void read_rules(struct sgf_read_root *root, char *value)
{
    char *rest = NULL;

    for (char *word = strtok_r(value, ":", &rest); word != NULL;
         word = strtok_r(NULL, ":", &rest)) {
        read_rule(root, word);
    }
}

/* Returns the exponent of a cube value; -1: not a cube value. */
static int log2_of(const char *value)
{
    int64_t number = strtoll(value, NULL, 10);

    for (int i = 0; i <= CUBE_LOG2_MAX; i++) {
        if (number == INT64_C(1) << i) {
            return i;
        }
    }
    return -1;
}

static enum bg_status read_root_value(struct sgf *sgf, const char *key, char *value)
{
    struct sgf_read_root *root = &sgf->root;
    bool latin1 = false;

    if (is_key(key, "GM") && strtoll(value, NULL, 10) != 6) {
        return foreign_fail(sgf->reader, BG_E_FORMAT, "an .sgf of another game, GM[%.20s]", value);
    }
    if (is_key(key, "MI")) {
        read_match_info(root, value);
    } else if (is_key(key, "PW") || is_key(key, "PB")) {
        foreign_display_name(root->display[key[1] == 'B'], &latin1, value, strlen(value));
    } else if (is_key(key, "RU")) {
        read_rules(root, value);
    } else if (is_key(key, "EV")) {
        char event[FOREIGN_NAME];

        foreign_display_name(event, &latin1, value, strlen(value));
        snprintf(sgf->reader->event, sizeof sgf->reader->event, "%s", event);
    } else if (is_key(key, "RE") && (value[0] == 'W' || value[0] == 'B') && value[1] == '+') {
        root->winner = value[0] == 'B';
        root->points = strtoll(value + 2, NULL, 10);
        /* In a root it is the cube that automatic doubles have made before the first roll. */
    } else if (is_key(key, "CV")) {
        root->auto_doubles = log2_of(value);
    }
    sgf->latin1 = sgf->latin1 || latin1;
    return BG_OK;
}

/* ---- the beginning of a game ---- */

static enum bg_status check_root(struct sgf *sgf)
{
    const struct sgf_read_root *root = &sgf->root;

    if (root->length < 0 || root->length > LENGTH_MAX) {
        return foreign_fail(sgf->reader, BG_E_FORMAT, "a match to %lld points",
                            (long long)root->length);
    }
    if (root->strange[0] != '\0') {
        return foreign_fail(sgf->reader, BG_E_FORMAT,
                            "the game '%s' is not backgammon, nackgammon or Hypergammon3",
                            root->strange);
    }
    if (root->auto_doubles < 0) {
        return foreign_fail(sgf->reader, BG_E_FORMAT, "the cube in CV is not a power of two");
    }
    return BG_OK;
}

/* A file does not say which of its games belong to one match. Taken for the next game is one to
 * the same length, between the same two names, with a higher number. */
static bool is_next_game(const struct sgf *sgf)
{
    const struct foreign_reader *reader = sgf->reader;
    const struct foreign_match *match = reader->match_out;
    const struct sgf_read_root *root = &sgf->root;

    return match != NULL && root->length == match->length_points &&
           root->number > sgf->last_number && strcmp(match->display[0], root->display[0]) == 0 &&
           strcmp(match->display[1], root->display[1]) == 0;
}

/* In a money session each game can set its own rules; a match keeps them. */
static void set_rules(struct foreign_reader *reader, const struct sgf_read_root *root)
{
    struct bg_rules *rules = &reader->rules;

    *rules = bg_rules_default(bg_variant_find(root->variant), (int)root->length);
    if (root->no_cube) {
        rules->cube = false;
    }
    if (root->length > 0) {
        rules->crawford = root->crawford || root->crawford_game;
    } else {
        rules->jacoby = root->jacoby;
        /* The file does not say whether beavers are allowed: with a cube, all that was played is
         * accepted. */
        rules->beavers = rules->cube;
        rules->raises = rules->cube ? -1 : 0;
    }
}

static enum bg_status begin_tree(struct sgf *sgf)
{
    struct foreign_reader *reader = sgf->reader;
    const struct sgf_read_root *root = &sgf->root;
    bool last = root->score[0] == root->length - 1 || root->score[1] == root->length - 1;
    enum bg_status status = check_root(sgf);
    bool follows = status == BG_OK && is_next_game(sgf);

    sgf->in_root = false;
    if (status != BG_OK) {
        return status;
    }
    sgf->begun = true;
    reader->number = (int)root->number + 1;
    memcpy(reader->score, root->score, sizeof reader->score);
    if (!follows || root->length == 0) {
        set_rules(reader, root);
    }
    if (!follows) {
        status = foreign_match_begin(reader, (const char(*)[FOREIGN_NAME])root->display);
    }
    sgf->last_number = root->number;
    if (status == BG_OK && root->length > 0 && reader->match_out->games > 0) {
        status = foreign_game_begin(reader);
        sgf->setup.start = (struct bg_start){.board = reader->start.board,
                                             .on_roll = reader->start.on_roll,
                                             .cube_owner = BG_CENTRED,
                                             .crawford_game = reader->start.crawford_game,
                                             .crawford_done = reader->start.crawford_done};
        return status;
    }
    sgf->setup.start = (struct bg_start){.on_roll = -1,
                                         .cube_log2 = root->auto_doubles,
                                         .cube_owner = BG_CENTRED,
                                         .crawford_game = root->crawford_game,
                                         .crawford_done = root->length > 0 && last &&
                                                          root->crawford && !root->crawford_game};
    bg_variant_setup(&sgf->setup.start.board, reader->rules.variant);
    return status == BG_OK ? foreign_game_begin_at(reader, &sgf->setup.start) : status;
}

/* ---- positions that are set up ---- */

/* Returns the slot of a point's letter in a seat's numbering; -1: none. */
static int slot_of(char letter, int seat)
{
    if (letter == 'y' || letter == 'z') {
        return letter == 'y' ? BG_BAR : BG_OFF;
    }
    if (letter < 'a' || letter > 'x') {
        return -1;
    }
    return seat == 0 ? letter - 'a' + 1 : 'x' - letter + 1;
}

static enum bg_status set_checkers(struct sgf *sgf, const char *key, const char *value)
{
    struct bg_board *board = &sgf->setup.start.board;
    int seat = key[1] == 'B', slot = slot_of(value[0], seat);

    /* The first checker clears the board: positions are whole, not changes of the set-up. */
    if (!sgf->setup.board) {
        memset(board, 0, sizeof *board);
        sgf->setup.board = true;
    }
    if (key[1] == 'E') {
        return BG_OK; /* AE[a:y] clears points: the board starts empty anyway */
    }
    if (slot < 0 || value[1] != '\0' || board->at[seat][slot] >= BG_CHECKERS) {
        return foreign_fail(sgf->reader, BG_E_FORMAT, "a checker at '%.20s'", value);
    }
    board->at[seat][slot]++;
    return BG_OK;
}

static enum bg_status set_up(struct sgf *sgf, const char *key, const char *value)
{
    struct bg_start *start = &sgf->setup.start;

    /* A game is a list of steps, and no step puts checkers elsewhere. */
    if (sgf->reader->steps > 0) {
        return foreign_fail(sgf->reader, BG_E_FORMAT,
                            "the position was edited during play (%s[%.20s])", key, value);
    }
    sgf->setup.any = true;
    if (key[0] == 'A') {
        return set_checkers(sgf, key, value);
    }
    if (is_key(key, "CV")) {
        start->cube_log2 = log2_of(value);
    } else {
        start->cube_owner = value[0] == 'w' ? 0 : value[0] == 'b' ? 1 : BG_CENTRED;
    }
    return start->cube_log2 < 0 ? foreign_fail(sgf->reader, BG_E_FORMAT, "a cube of '%.20s'", value)
                                : BG_OK;
}

/* Bears off the checkers that are not on the board. */
static void complete_board(struct bg_board *board, const struct bg_variant *variant)
{
    struct bg_board full;

    bg_variant_setup(&full, variant);
    for (int seat = 0; seat < 2; seat++) {
        int all = 0, there = 0;

        for (int slot = 0; slot < BG_SLOTS; slot++) {
            all += full.at[seat][slot];
            there += slot == BG_OFF ? 0 : board->at[seat][slot];
        }
        board->at[seat][BG_OFF] = (uint8_t)(there < all ? all - there : 0);
    }
}

/* At the end of a node: begins the game at the position that was set up, and rolls its dice. */
static enum bg_status end_node(struct sgf *sgf)
{
    struct foreign_reader *reader = sgf->reader;
    enum bg_status status = sgf->in_root ? begin_tree(sgf) : BG_OK;
    int player = sgf->player;

    sgf->player = -1;
    if (status == BG_OK && sgf->setup.any) {
        sgf->setup.any = false;
        if (player >= 0) {
            sgf->setup.start.on_roll = player;
        }
        if (sgf->setup.board) {
            complete_board(&sgf->setup.start.board, reader->rules.variant);
        }
        status = foreign_game_begin_at(reader, &sgf->setup.start);
    }
    /* Not when DI is read: the properties of a node have no order, and PL may follow. */
    if (status == BG_OK && sgf->dice[0] > 0) {
        int seat = player >= 0 ? player : reader->match.need.seat;

        status = foreign_roll(reader, seat < 0 ? 0 : seat, sgf->dice, "DI");
        if (status == BG_OK) {
            status = foreign_moves(reader, seat, "DI", "");
        }
    }
    sgf->dice[0] = 0;
    return status;
}

/* ---- what happens ---- */

static enum bg_status play_value(struct sgf *sgf, int seat, const char *value)
{
    const int dice[2] = {value[0] - '0', value[1] - '0'};
    struct foreign_reader *reader = sgf->reader;
    char moves[64] = "";
    int used = 0;
    bool rolled = reader->unplayed && reader->match.need.seat == seat;
    enum bg_status status = BG_OK;

    for (const char *at = value + 2; *at != '\0'; at += 2) {
        int from = slot_of(at[0], seat), to = at[1] == '\0' ? -1 : slot_of(at[1], seat);

        /* Four moves are shorter; the bound is for the buffer, and the rules judge what fits
         * into it. */
        if (from < 1 || to < 0 || to == BG_BAR || used > 40) {
            return foreign_fail(reader, BG_E_FORMAT,
                                "'%.40s': expected points like 'hefe' behind "
                                "the dice",
                                value);
        }
        used += snprintf(moves + used, sizeof moves - (size_t)used, "%s%d/%d", used == 0 ? "" : " ",
                         from, to);
    }
    if (rolled) {
        reader->unplayed = false; /* the dice had their own node */
    } else {
        status = foreign_roll(reader, seat, dice, value);
    }
    return status == BG_OK ? foreign_moves(reader, seat, value, moves) : status;
}

static enum bg_status act(struct sgf *sgf, int seat, const char *value)
{
    struct foreign_reader *reader = sgf->reader;

    if (value[0] >= '1' && value[0] <= '6' && value[1] >= '1' && value[1] <= '6') {
        return play_value(sgf, seat, value);
    }
    if (strcmp(value, "double") == 0 || strcmp(value, "redouble") == 0 ||
        strcmp(value, "beaver") == 0) {
        return foreign_double(reader, seat, 0, value);
    }
    if (strcmp(value, "take") == 0) {
        return foreign_simple(reader, BG_STEP_TAKE, seat, value);
    }
    if (strcmp(value, "drop") == 0 || strcmp(value, "pass") == 0) {
        return foreign_simple(reader, BG_STEP_PASS, seat, value);
    }
    return foreign_fail(reader, BG_E_FORMAT,
                        "'%.40s': expected dice and points, double, take or drop", value);
}

static enum bg_status read_game_value(struct sgf *sgf, const char *key, const char *value)
{
    if (is_key(key, "W") || is_key(key, "B")) {
        return act(sgf, key[0] == 'B', value);
    }
    if (is_key(key, "AE") || is_key(key, "AW") || is_key(key, "AB") || is_key(key, "CV") ||
        is_key(key, "CP")) {
        return set_up(sgf, key, value);
    }
    if (is_key(key, "PL")) {
        sgf->player = value[0] == 'B' || value[0] == 'b';
    } else if (is_key(key, "DI")) {
        if (value[0] < '1' || value[0] > '6' || value[1] < '1' || value[1] > '6') {
            return foreign_fail(sgf->reader, BG_E_FORMAT, "dice '%.20s'", value);
        }
        sgf->dice[0] = value[0] - '0';
        sgf->dice[1] = value[1] - '0';
    }
    return BG_OK;
}

/* ---- trees ---- */

/* Reads a property with its values, "AW[m][m]". */
static enum bg_status read_property(struct sgf *sgf)
{
    char key[16] = "", value[VALUE_ROOM];
    size_t used = 0;
    enum bg_status status = BG_OK;

    for (; sgf->at < sgf->end && isalpha((unsigned char)*sgf->at); sgf->at++) {
        /* Before FF[4] names had small letters too, for people: "White" is W. */
        if (isupper((unsigned char)*sgf->at) && used + 1 < sizeof key) {
            key[used++] = *sgf->at;
        }
    }
    key[used] = '\0';
    skip_blanks(sgf);
    if (used == 0 || sgf->at == sgf->end || *sgf->at != '[') {
        return foreign_fail(sgf->reader, BG_E_FORMAT,
                            "not an .sgf file: expected a property like B[31] here");
    }
    while (status == BG_OK && sgf->at < sgf->end && *sgf->at == '[') {
        status = read_value(value, sgf);
        if (status == BG_OK) {
            status =
                sgf->in_root ? read_root_value(sgf, key, value) : read_game_value(sgf, key, value);
        }
        skip_blanks(sgf);
    }
    return status;
}

/* Skips the rest of a tree with this many open brackets. */
static enum bg_status skip_tree(struct sgf *sgf, int deep)
{
    char value[VALUE_ROOM];

    while (deep > 0 && sgf->at < sgf->end) {
        /* Read like others, since a remark may have brackets and parentheses in it. */
        if (*sgf->at == '[') {
            enum bg_status status = read_value(value, sgf);

            if (status != BG_OK) {
                return status;
            }
            continue;
        }
        deep += *sgf->at == '(' ? 1 : *sgf->at == ')' ? -1 : 0;
        sgf->reader->line += *sgf->at == '\n';
        sgf->at++;
    }
    return deep > 0 ? foreign_fail(sgf->reader, BG_E_FORMAT, "the file ends within a game") : BG_OK;
}

/* Skips the tree after its first line of play. */
static enum bg_status skip_variations(struct sgf *sgf, int deep)
{
    const char *from = sgf->at;
    enum bg_status status = skip_tree(sgf, deep);

    if (status == BG_OK && memchr(from, ';', (size_t)(sgf->at - from)) != NULL) {
        foreign_note(sgf->reader, FOREIGN_SECOND_LINE, -1);
    }
    return status;
}

static enum bg_status end_game(struct sgf *sgf)
{
    enum bg_status status = end_node(sgf);

    if (status != BG_OK) {
        return status;
    }
    if (sgf->latin1) {
        sgf->latin1 = false;
        foreign_note(sgf->reader, FOREIGN_LATIN1, -1);
    }
    /* A resignation stands in RE only, so the result may end a game that has no last move. */
    return sgf->root.winner >= 0 && sgf->root.points > 0
               ? foreign_wins(sgf->reader, sgf->root.winner, sgf->root.points, false)
               : foreign_game_end(sgf->reader);
}

/* Reads a game, from after its '('. */
static enum bg_status read_tree(struct sgf *sgf)
{
    int deep = 1;
    bool first = true;
    enum bg_status status = BG_OK;

    sgf->root = (struct sgf_read_root){.variant = "backgammon", .winner = -1};
    sgf->setup = (struct setup){0};
    sgf->in_root = true;
    sgf->begun = false;
    sgf->dice[0] = 0;
    sgf->player = -1;
    for (skip_blanks(sgf); status == BG_OK; skip_blanks(sgf)) {
        if (sgf->at == sgf->end) {
            return foreign_fail(sgf->reader, BG_E_FORMAT, "the file ends within a game");
        }
        if (*sgf->at == ')') {
            status = end_game(sgf);
            return status == BG_OK ? skip_variations(sgf, deep) : status;
        }
        if (*sgf->at == ';') {
            status = first ? BG_OK : end_node(sgf);
            first = false;
            sgf->at++;
        } else if (*sgf->at == '(') {
            deep++;
            sgf->at++;
        } else {
            status = read_property(sgf);
        }
    }
    return status;
}

/* Whether the part of the tree read so far is a game of the open match. */
static bool is_of_open_match(const struct sgf *sgf)
{
    const struct foreign_match *match = sgf->reader->match_out;
    const char(*display)[FOREIGN_NAME] = sgf->root.display;

    return match != NULL && (sgf->begun || (display[0][0] == '\0' && display[1][0] == '\0') ||
                             (strcmp(match->display[0], display[0]) == 0 &&
                              strcmp(match->display[1], display[1]) == 0));
}

/* Leaves out the bad game whose tree begins at `from` in this line. Returns an error status if the
 * tree has no end. */
static enum bg_status leave_tree(struct sgf *sgf, const char *from, int line, enum bg_status status)
{
    struct foreign_reader *reader = sgf->reader;
    struct bg_error *err = reader->err;

    if (!is_of_open_match(sgf)) {
        foreign_match_end(reader); /* the open match may be good */
    }
    foreign_leave_out(reader, status);
    sgf->at = from + 1;
    reader->line = line;
    /* The reason of the first trouble is told; trouble at finding the end of this tree is its
     * consequence. */
    reader->err = NULL;
    if (skip_tree(sgf, 1) == BG_OK) {
        status = BG_OK;
    }
    reader->err = err;
    return status;
}

enum bg_status sgf_parse(struct foreign_reader *reader, const struct foreign_try *try_,
                         const char *text, size_t size)
{
    struct sgf sgf = {.reader = reader,
                      .at = text,
                      .end = text + size,
                      .last_number = -1,
                      .goes_on = try_->goes_on};
    enum bg_status status = BG_OK;

    reader->line = 1;
    for (skip_blanks(&sgf); status == BG_OK && sgf.at < sgf.end; skip_blanks(&sgf)) {
        if (*sgf.at++ != '(') {
            return foreign_fail(reader, BG_E_FORMAT,
                                "not an .sgf file: expected a game to begin here");
        }
        const char *from = sgf.at - 1;
        int line = reader->line;

        reader->number = 0;
        status = read_tree(&sgf);
        if (sgf.goes_on && foreign_is_bad(status)) {
            status = leave_tree(&sgf, from, line, status);
        }
    }
    return status;
}
