/* human - a seat for a person: shows each decision in a terminal and reads the answer there.
 *
 * A play may be typed in several lines; `undo` takes the last line back. A complete play and a
 * resignation are sent with an empty line (option Confirm). What is typed is judged as the referee
 * would judge it, so a slip of the fingers is no fault. The referee starts bots without a terminal,
 * so this one opens it by its path: option Terminal, or BGREF_TERMINAL.
 */
#include <bgref/bot.h>
#include <bgref/notation.h>

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "console.h"
#include "show.h"

static const struct bg_option options[] = {
    {"Terminal", BG_OPTION_STRING, "", NULL, NULL, NULL,
     "path of the terminal, as `tty` prints it; empty: that of the referee's standard input"},
    {"Board", BG_OPTION_CHOICE, "drawn", NULL, NULL, "drawn|plain",
     "plain: sentences, for screen readers"},
    {"Confirm", BG_OPTION_FLAG, "true", NULL, NULL, NULL,
     "a complete play or a resignation is sent with an empty line, and can be undone until then"},
};

struct seat {
    struct bg_bot *bot;
    struct console console;
    bool plain, confirm;
    struct bg_ask ask; /* the open decision */
    bool is_open;
    struct bg_play play;         /* typed so far */
    uint8_t lines[BG_MOVES_MAX]; /* moves in each typed line */
    int line_count;
    bool is_complete;       /* play is legal and waits to be sent */
    int resign_level;       /* typed and not yet sent; 0 none */
    struct bg_board after;  /* by play */
    struct bg_board before; /* when the opponent's next play begins */
    char game[BG_GAME_ID];  /* to which before belongs */
};

static void forget_typed(struct seat *seat)
{
    seat->play.moves = 0;
    seat->line_count = 0;
    seat->is_complete = false;
    seat->resign_level = 0;
}

/* ---- answers ---- */

static enum bg_status answered(struct seat *seat, enum bg_status status, struct bg_error *err)
{
    seat->is_open = false;
    return status == BG_OK ? bg_bot_flush(seat->bot, err) : status;
}

static enum bg_status send_typed(struct seat *seat, struct bg_error *err)
{
    enum bg_status status;

    if (seat->resign_level > 0) {
        status = bg_bot_resign(seat->bot, &seat->ask, seat->resign_level, err);
    } else {
        status = bg_bot_answer_play(seat->bot, &seat->ask, &seat->play, err);
        seat->before = seat->after;
    }
    return answered(seat, status, err);
}

/* Sends now, or says how to send. */
static enum bg_status finish(struct seat *seat, const char *what, struct bg_error *err)
{
    if (!seat->confirm) {
        return send_typed(seat, err);
    }
    console_say(&seat->console, "%s: Enter sends it, undo takes it back: ", what);
    return BG_OK;
}

static void say_again(struct seat *seat, const char *why)
{
    console_say(&seat->console, "%s\n", why);
    show_question(&seat->console, &seat->ask);
}

/* ---- plays ---- */

static void undo(struct seat *seat)
{
    bool had_nothing = seat->line_count == 0 && seat->resign_level == 0;
    char text[BG_PLAY_TEXT];

    if (seat->resign_level == 0 && seat->line_count > 0) {
        seat->play.moves = (uint8_t)(seat->play.moves - seat->lines[--seat->line_count]);
    }
    seat->resign_level = 0;
    seat->is_complete = false;
    bg_play_write(text, seat->ask.rules.variant, NULL, 0, &seat->play);
    if (seat->play.moves > 0) {
        console_say(&seat->console, "So far %s.\n", text);
    }
    say_again(seat, had_nothing ? "Nothing to take back." : "Taken back.");
}

static void append(struct bg_play *play, const struct bg_play *more)
{
    for (int i = 0; i < more->moves; i++) {
        play->move[play->moves++] = more->move[i];
    }
}

/* A play that only lacks moves is kept, any other illegal line is refused with the rule. */
static enum bg_status type_play(struct seat *seat, const char *line, struct bg_error *err)
{
    const struct bg_variant *variant = seat->ask.rules.variant;
    struct bg_error story = {.text = ""};
    struct bg_play more, whole = seat->play;
    char text[BG_PLAY_TEXT];
    enum bg_rule broken;

    if (bg_play_read_in(&more, variant, line, &story) != BG_OK) {
        say_again(seat, story.text);
        return BG_OK;
    }
    if (more.moves == 0 || whole.moves + more.moves > BG_MOVES_MAX) {
        say_again(seat, "Not a play, or more moves than a play can have; undo takes some back.");
        return BG_OK;
    }
    append(&whole, &more);
    broken = bg_play_check(&seat->after, variant, &seat->ask.board, 0, &seat->ask.stage, &whole);
    if (broken != BG_RULE_NONE && broken != BG_RULE_MOST) {
        console_say(&seat->console, "Not legal (%s): ", bg_rule_number(broken));
        say_again(seat, bg_rule_text(broken));
        return BG_OK;
    }
    seat->play = whole;
    seat->lines[seat->line_count++] = more.moves;
    bg_play_write(text, variant, NULL, 0, &whole);
    if (broken == BG_RULE_MOST) {
        console_say(&seat->console, "So far %s.\n", text);
        say_again(seat, "More numbers can be played; undo takes the last line back.");
        return BG_OK;
    }
    seat->is_complete = true;
    return finish(seat, text, err);
}

/* ---- words ---- */

static int level_of(const char *text)
{
    static const char *const names[] = {"single", "gammon", "backgammon"};

    for (int i = 0; i < 3; i++) {
        if (strcmp(text, names[i]) == 0) {
            return i + 1;
        }
    }
    return text[0] == '\0' ? 1 : (int)strtol(text, NULL, 10);
}

static enum bg_status type_resignation(struct seat *seat, const char *text, struct bg_error *err)
{
    int level = level_of(text), most = bg_variant_level_max(seat->ask.rules.variant);
    char what[48];

    if (!bg_answer_fits(seat->ask.kind, BG_ANSWER_RESIGN)) {
        say_again(seat, "You can resign before your roll and instead of a play.");
        return BG_OK;
    }
    if (level < 1 || level > most || level <= seat->ask.refused_level) {
        say_again(seat, "resign, resign gammon or resign backgammon; more than was refused.");
        return BG_OK;
    }
    seat->resign_level = level;
    snprintf(what, sizeof what, "Resign at level %d", level);
    return finish(seat, what, err);
}

static const struct {
    const char *word;
    enum bg_answer_kind answer;
} words[] = {
    {"roll", BG_ANSWER_ROLL},       {"r", BG_ANSWER_ROLL},        {"double", BG_ANSWER_DOUBLE},
    {"redouble", BG_ANSWER_DOUBLE}, {"d", BG_ANSWER_DOUBLE},      {"take", BG_ANSWER_TAKE},
    {"t", BG_ANSWER_TAKE},          {"drop", BG_ANSWER_PASS},     {"pass", BG_ANSWER_PASS},
    {"beaver", BG_ANSWER_RAISE},    {"raise", BG_ANSWER_RAISE},   {"raccoon", BG_ANSWER_RAISE},
    {"keep", BG_ANSWER_KEEP},       {"reroll", BG_ANSWER_REROLL}, {"accept", BG_ANSWER_ACCEPT},
    {"refuse", BG_ANSWER_REFUSE},   {"reject", BG_ANSWER_REFUSE},
};

static enum bg_status type_word(struct seat *seat, const char *line, struct bg_error *err)
{
    enum bg_answer_kind answer = BG_ANSWER_NONE;

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        answer = strcmp(line, words[i].word) == 0 ? words[i].answer : answer;
    }
    if (answer == BG_ANSWER_NONE) {
        say_again(seat, "Not understood; help says what can be typed.");
    } else if (!bg_answer_fits(seat->ask.kind, answer) ||
               (answer == BG_ANSWER_RAISE && !seat->ask.may_raise)) {
        say_again(seat, "That does not answer this question.");
    } else {
        return answered(seat, bg_bot_answer(seat->bot, &seat->ask, answer, err), err);
    }
    return BG_OK;
}

static void help(struct seat *seat)
{
    say_again(seat, "A play: 13/7 8/7, bar/22*, 6/off, 13/7(2), in one line or several\n"
                    "roll (or Enter), double, take, drop, beaver, keep, reroll, accept, refuse\n"
                    "resign, resign gammon, resign backgammon\n"
                    "?  every legal play       ? 13/  those with 13/\n"
                    "undo  take back what is not sent       board  show it again");
}

/* Lower case, without blanks at both ends. */
static void tidy(char *line)
{
    size_t skipped = strspn(line, " \t\r"), length = strlen(line);

    memmove(line, line + skipped, length - skipped + 1);
    length -= skipped;
    while (length > 0 && isspace((unsigned char)line[length - 1])) {
        line[--length] = '\0';
    }
    for (size_t i = 0; i < length; i++) {
        line[i] = (char)tolower((unsigned char)line[i]);
    }
}

static enum bg_status type_empty(struct seat *seat, struct bg_error *err)
{
    if (seat->is_complete || seat->resign_level > 0) {
        return send_typed(seat, err);
    }
    if (seat->ask.kind == BG_DECIDE_DOUBLE) {
        return type_word(seat, "roll", err);
    }
    show_question(&seat->console, &seat->ask);
    return BG_OK;
}

static enum bg_status type_line(struct seat *seat, char *line, struct bg_error *err)
{
    tidy(line);
    if (line[0] == '\0') {
        return type_empty(seat, err);
    }
    if (strcmp(line, "undo") == 0) {
        undo(seat);
    } else if (strcmp(line, "help") == 0) {
        help(seat);
    } else if (strcmp(line, "board") == 0) {
        show_ask(&seat->console, &seat->ask, seat->plain);
        show_question(&seat->console, &seat->ask);
    } else if (seat->is_complete || seat->resign_level > 0) {
        console_say(&seat->console, "Enter sends it, undo takes it back: ");
    } else if (strncmp(line, "resign", 6) == 0) {
        return type_resignation(seat, line + 6 + strspn(line + 6, " "), err);
    } else if (line[0] == '?' && seat->ask.kind == BG_DECIDE_PLAY) {
        show_plays(&seat->console, &seat->ask, line + 1 + strspn(line + 1, " "));
        show_question(&seat->console, &seat->ask);
    } else if (seat->ask.kind == BG_DECIDE_PLAY && strchr(line, '/') != NULL) {
        return type_play(seat, line, err);
    } else if (seat->ask.kind == BG_DECIDE_NAME && line[0] >= '1' && line[0] <= '6' &&
               line[1] == '\0') {
        return answered(seat, bg_bot_answer_name(seat->bot, &seat->ask, line[0] - '0', err), err);
    } else {
        return type_word(seat, line, err);
    }
    return BG_OK;
}

/* ---- the loop ---- */

static void begin(struct seat *seat, const struct bg_ask *ask)
{
    if (seat->is_open) {
        console_say(&seat->console, "\nThe time for this decision is over.\n");
    }
    seat->ask = *ask;
    seat->is_open = true;
    forget_typed(seat);
    console_forget(&seat->console);
    if (strcmp(seat->game, ask->game) != 0) {
        snprintf(seat->game, sizeof seat->game, "%s", ask->game);
        bg_variant_setup(&seat->before, ask->rules.variant);
        console_say(&seat->console, "\nA new game%s%s: %s. You play O, from 24 to 1.\n",
                    ask->opponent[0] == '\0' ? "" : " against ", ask->opponent,
                    bg_variant_id(ask->rules.variant));
    }
    show_ask(&seat->console, ask, seat->plain);
    show_last_play(&seat->console, ask, &seat->before);
    seat->before = ask->board;
    if (ask->refused_level > 0) {
        console_say(&seat->console, "The opponent refused your resignation.\n");
    }
    show_question(&seat->console, ask);
}

static enum bg_status serve(struct seat *seat, struct bg_error *err)
{
    enum bg_status status = BG_OK;

    while (status == BG_OK) {
        char line[CONSOLE_LINE];
        const struct bg_ask *ask;
        enum console_news news = CONSOLE_OTHER;

        status = bg_bot_next(&ask, seat->bot, seat->is_open ? 0 : -1, err);
        if (status == BG_OK) {
            begin(seat, ask);
        } else if (status == BG_E_TIMEOUT) {
            status = BG_OK;
            news = console_wait(line, &seat->console, bg_bot_fd(seat->bot));
        }
        if (news == CONSOLE_LINE_READ) {
            status = type_line(seat, line, err);
        } else if (news == CONSOLE_END) {
            status = bg_error_set(err, BG_E_CLOSED, "the terminal's input has ended");
        }
    }
    return status;
}

/* Every game with all its options, separated by blanks. */
static const char *every_variant(void)
{
    static char ids[1024];
    const struct bg_variant *variant;

    for (int i = 0; (variant = bg_variant_at(i)) != NULL; i++) {
        const size_t used = strlen(ids);

        snprintf(ids + used, sizeof ids - used, "%s%s:*", i > 0 ? " " : "", bg_variant_id(variant));
    }
    return ids;
}

static enum bg_status prepare(void *user, const struct bg_bot *bot, struct bg_error *err)
{
    struct seat *seat = user;
    const char *path = bg_bot_option(bot, "Terminal");

    seat->plain = strcmp(bg_bot_option(bot, "Board"), "plain") == 0;
    seat->confirm = strcmp(bg_bot_option(bot, "Confirm"), "true") == 0;
    return console_open(&seat->console, path[0] != '\0' ? path : getenv("BGREF_TERMINAL"), err);
}

int main(void)
{
    static struct seat seat = {.console.fd = -1};
    struct bg_bot_info info = BG_BOT_INFO_INIT;
    struct bg_error err = {.text = ""};
    enum bg_status status;

    info.name = "human";
    info.version = BG_VERSION;
    info.variants = every_variant();
    info.options = options;
    info.option_count = sizeof options / sizeof options[0];
    info.stateful = true;
    info.prepare = prepare;
    info.user = &seat;
    status = bg_bot_open(&seat.bot, &info, &err);
    if (status == BG_OK) {
        status = serve(&seat, &err);
        console_say(&seat.console, "\nThe referee has no more games for you.\n");
        bg_bot_close(seat.bot);
    }
    console_close(&seat.console);
    if (status != BG_OK && status != BG_E_CLOSED) {
        fprintf(stderr, "bgref-human: %s\n", err.text);
    }
    return status == BG_OK || status == BG_E_CLOSED ? 0 : 1;
}
