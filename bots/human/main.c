/* human - a seat for a person: shows each decision in a terminal and reads the answer there.
 *
 * What is typed is judged as the referee would judge it (entry.h), so a slip of the fingers is no
 * fault. All answers but a roll are sent with an empty line (option Confirm), and can be corrected
 * until then. Where the dice are rolled by people it asks for them. The referee starts bots without
 * a terminal, so this one opens it by its path: option Terminal, or BGREF_TERMINAL. `bgref join
 * --seat` starts it with words that set options: --plain,
 * --at-once.
 */
#include <bgref/bot.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../common/notice.h"
#include "../common/story.h"
#include "../common/variants.h"
#include "console.h"
#include "entry.h"
#include "show.h"
#include "typed.h"

static const struct bg_option options[] = {
    {"Terminal", BG_OPTION_STRING, "", NULL, NULL, NULL,
     "path of the terminal, as `tty` prints it; empty: that of the referee's standard input"},
    {"Board", BG_OPTION_CHOICE, "drawn", NULL, NULL, "drawn|plain",
     "plain: sentences and plain lines, for screen readers"},
    {"Confirm", BG_OPTION_FLAG, "true", NULL, NULL, NULL,
     "an answer other than a roll is sent with an empty line, and can be corrected until then"},
};

struct seat {
    struct bg_bot *bot;
    struct console console;
    struct story story;
    bool plain, confirm;
    struct entry entry; /* the answer to the open decision */
    bool is_open;
    bool is_leaving;          /* it was asked whether to leave */
    bool has_left;            /* and the person said yes */
    char waiting[ENTRY_TEXT]; /* the answer that waits to be sent, as it was understood */
    struct timespec asked;    /* when the decision came */
};

/* ---- answers ---- */

/* Asks what is open: to send what was understood, or the decision. */
static void ask_again(struct seat *seat)
{
    if (!seat->is_open && !seat->is_leaving) {
        console_ask(&seat->console, "%s", "");
    } else if (seat->is_leaving) {
        console_ask(&seat->console,
                    "Leave now? Clocks run on, and an open game may be lost. yes or no? ");
    } else if (seat->entry.answer != BG_ANSWER_NONE) {
        console_ask(&seat->console, "%s: Enter sends it, undo takes it back: ", seat->waiting);
    } else {
        show_question(&seat->console, &seat->entry.ask);
    }
}

static enum bg_status send_answer(struct seat *seat, struct bg_error *err)
{
    const struct entry *entry = &seat->entry;
    enum bg_status status;

    switch (entry->answer) {
    case BG_ANSWER_MOVES:
        status = bg_bot_answer_result(seat->bot, &entry->ask, &entry->after, err);
        break;
    case BG_ANSWER_RESIGN:
        status = bg_bot_resign(seat->bot, &entry->ask, entry->value, err);
        break;
    case BG_ANSWER_DICE:
        status = bg_bot_answer_dice(seat->bot, &entry->ask, entry->die, err);
        break;
    case BG_ANSWER_NAME:
        status = bg_bot_answer_name(seat->bot, &entry->ask, entry->value, err);
        break;
    default:
        status = bg_bot_answer(seat->bot, &entry->ask, entry->answer, err);
        break;
    }
    seat->is_open = false;
    ask_again(seat);
    return status == BG_OK ? bg_bot_flush(seat->bot, err) : status;
}

static enum bg_status type_answer(struct seat *seat, const struct typed *typed,
                                  struct bg_error *err)
{
    char text[ENTRY_TEXT];
    enum entry_news news = entry_type(&seat->entry, typed, text);

    if (news != ENTRY_WHOLE) {
        if (typed->kind != TYPED_EMPTY) {
            console_say(&seat->console, "%s\n", text);
        }
        ask_again(seat);
        return BG_OK;
    }
    if (!seat->confirm || seat->entry.answer == BG_ANSWER_ROLL || typed->kind == TYPED_YES) {
        return send_answer(seat, err);
    }
    snprintf(seat->waiting, sizeof seat->waiting, "%s", text);
    ask_again(seat);
    return BG_OK;
}

/* ---- commands ---- */

static void undo(struct seat *seat)
{
    char moves[ENTRY_TEXT];
    const bool had_something = entry_undo(&seat->entry, moves);
    const struct bg_ask *ask = &seat->entry.ask;
    const bool is_no = !had_something && ask->kind == BG_DECIDE_DICE && ask->entered[0] != 0;

    console_say(&seat->console, "%s\n",
                had_something ? "Taken back."
                : is_no       ? "Type the numbers that you see."
                              : "Nothing to take back.");
    if (moves[0] != '\0') {
        console_say(&seat->console, "So far %s.\n", moves);
    }
}

static void help(struct seat *seat)
{
    console_say(
        &seat->console,
        "A play: 13/7 8/7, bar/22*, 6/off, 13/7(2), 13-7 8-7 or 31: 8/5 6/5, in one line\n"
        "or several, in any order\n"
        "roll (or Enter), double, take, drop, beaver, keep, reroll, accept, refuse\n"
        "resign, resign gammon, resign backgammon\n"
        "at a real board: 63 or 6-3, the dice that you rolled; yes, the other operator\n"
        "has them right\n"
        "plays or ?  every legal play       ? 13/  those with 13/\n"
        "undo  take back what is not sent   board  show it again\n"
        "last  the opponent's last play     time   the clocks now\n"
        "id    the position for other programs (XGID)\n"
        "quit  leave%s\n",
        seat->console.editor != NULL ? "       arrow keys and Tab: earlier lines, completion" : "");
}

static void say_time(struct seat *seat)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    show_time(&seat->console, &seat->entry.ask,
              (now.tv_sec - seat->asked.tv_sec) * INT64_C(1000000000) + now.tv_nsec -
                  seat->asked.tv_nsec + 1);
}

/* Returns false if it is no command, but an answer. */
static bool type_command(struct seat *seat, const struct typed *typed)
{
    switch (typed->kind) {
    case TYPED_UNDO:
        undo(seat);
        return true;
    case TYPED_HELP:
        help(seat);
        return true;
    case TYPED_BOARD:
        show_ask(&seat->console, &seat->entry.ask, seat->plain);
        return true;
    case TYPED_TIME:
        say_time(seat);
        return true;
    case TYPED_LAST:
        console_say(&seat->console, "%s",
                    seat->story.last[0] != '\0' ? seat->story.last
                                                : "The opponent has not played yet.\n");
        return true;
    case TYPED_ID:
        show_id(&seat->console, &seat->entry.ask);
        return true;
    case TYPED_PLAYS:
        if (seat->entry.ask.kind == BG_DECIDE_PLAY) {
            show_plays(&seat->console, &seat->entry.ask, typed->part);
        } else {
            console_say(&seat->console, "No play is asked now.\n");
        }
        return true;
    case TYPED_YES:
        if (seat->entry.ask.kind == BG_DECIDE_DICE) {
            return false;
        }
        console_say(&seat->console, "Nothing waits to be sent.\n");
        return true;
    case TYPED_QUIT:
        seat->is_leaving = true;
        return true;
    default:
        return false;
    }
}

/* ---- lines ---- */

static void answer_leaving(struct seat *seat, const char *line)
{
    seat->is_leaving = false;
    seat->has_left = line[0] == 'y' || line[0] == 'Y';
    if (!seat->has_left) {
        console_say(&seat->console, "You stay.\n");
        ask_again(seat);
    }
}

/* While the opponent thinks. */
static void type_early(struct seat *seat, const char *line)
{
    struct typed typed;
    char why[TYPED_WHY];

    if (!typed_read(&typed, why, bg_variant_at(0), line)) { /* any game: words are the same */
        typed = (struct typed){.kind = TYPED_NUMBER};
    }
    if (typed.kind == TYPED_HELP) {
        help(seat);
    } else if (typed.kind == TYPED_LAST || typed.kind == TYPED_QUIT) {
        (void)type_command(seat, &typed);
    } else if (typed.kind != TYPED_EMPTY) {
        console_say(&seat->console, "It is not your turn; nothing was sent.\n");
    }
    ask_again(seat);
}

static enum bg_status type_line(struct seat *seat, const char *line, struct bg_error *err)
{
    struct typed typed;
    char why[TYPED_WHY];

    if (seat->is_leaving) {
        answer_leaving(seat, line);
        return BG_OK;
    }
    if (!seat->is_open) {
        type_early(seat, line);
        return BG_OK;
    }
    if (!entry_read(&typed, why, &seat->entry, line)) {
        console_say(&seat->console, "%s\n", why);
        if (seat->entry.answer != BG_ANSWER_NONE) {
            entry_forget(&seat->entry);
        }
        ask_again(seat);
        return BG_OK;
    }
    if ((typed.kind == TYPED_EMPTY || typed.kind == TYPED_YES) &&
        seat->entry.answer != BG_ANSWER_NONE) {
        return send_answer(seat, err);
    }
    if (type_command(seat, &typed)) {
        ask_again(seat);
        return BG_OK;
    }
    return type_answer(seat, &typed, err);
}

/* The end of input asks first; a second one leaves. */
static void end_input(struct seat *seat, bool is_gone)
{
    if (is_gone || seat->is_leaving) {
        seat->has_left = true;
        return;
    }
    console_say(&seat->console, "\n");
    seat->is_leaving = true;
    ask_again(seat);
}

static void complete(void *user, struct completion *out, const char *line)
{
    const struct seat *seat = user;

    complete_line(out, &seat->entry, line);
}

/* ---- the loop ---- */

static void told(void *user, const struct bg_tell *tell)
{
    struct seat *seat = user;
    char text[STORY_TEXT];

    story_tell(text, &seat->story, tell);
    if (text[0] != '\0') {
        console_say(&seat->console, "%s", text);
    }
    if (tell->kind == BG_TELL_BEGIN) {
        console_say(&seat->console,
                    "You are O. Points are in your numbers, the opponent's plays in "
                    "its own.\n");
    }
}

static void begin_ask(struct seat *seat, const struct bg_ask *ask)
{
    if (seat->is_open) {
        console_say(&seat->console, "\nThe time for this decision is over.\n");
    }
    clock_gettime(CLOCK_MONOTONIC, &seat->asked);
    entry_begin(&seat->entry, ask);
    seat->is_open = true;
    seat->is_leaving = false;
    console_forget(&seat->console);
    if (ask->kind != BG_DECIDE_DICE) { /* the dice lie on the board that the person sits at */
        show_ask(&seat->console, ask, seat->plain);
    }
    show_question(&seat->console, ask);
}

static enum bg_status take_tells(struct seat *seat, struct bg_error *err)
{
    char line[CONSOLE_LINE];

    switch (console_wait(line, &seat->console, bg_bot_fd(seat->bot))) {
    case CONSOLE_LINE_READ:
        return type_line(seat, line, err);
    case CONSOLE_END:
        end_input(seat, false);
        return BG_OK;
    case CONSOLE_GONE:
        end_input(seat, true);
        return BG_OK;
    default:
        return BG_OK;
    }
}

static enum bg_status serve_person(struct seat *seat, struct bg_error *err)
{
    enum bg_status status = BG_OK;

    while (status == BG_OK && !seat->has_left) {
        const struct bg_ask *ask;

        status = bg_bot_next(&ask, seat->bot, 0, err);
        if (status == BG_OK) {
            begin_ask(seat, ask);
        } else if (status == BG_E_TIMEOUT) {
            status = take_tells(seat, err);
        }
    }
    return status;
}

static enum bg_status prepare_seat(void *user, const struct bg_bot *bot, struct bg_error *err)
{
    struct seat *seat = user;
    const char *path = bg_bot_option(bot, "Terminal");

    enum bg_status status;

    seat->plain = seat->plain || strcmp(bg_bot_option(bot, "Board"), "plain") == 0;
    seat->confirm = seat->confirm && strcmp(bg_bot_option(bot, "Confirm"), "true") == 0;
    status = console_open(&seat->console, path[0] != '\0' ? path : getenv("BGREF_TERMINAL"), err);
    if (status == BG_OK && !seat->plain) {
        console_edit(&seat->console, complete, seat);
    }
    return status;
}

int main(int argc, char **argv)
{
    static struct seat seat = {.console.fd = -1, .confirm = true};
    struct bg_bot_info info = BG_BOT_INFO_INIT;
    struct bg_error err = {.text = ""};
    enum bg_status status;

    for (int i = 1; i < argc; i++) {
        seat.plain = seat.plain || strcmp(argv[i], "--plain") == 0;
        seat.confirm = seat.confirm && strcmp(argv[i], "--at-once") != 0;
    }
    info.name = "human";
    info.version = BG_VERSION;
    info.variants = variants_all();
    info.options = options;
    info.option_count = sizeof options / sizeof options[0];
    info.stateful = true;
    info.enters_dice = true;
    info.prepare = prepare_seat;
    info.told = told;
    info.user = &seat;
    info.notice = notice_print;
    status = bg_bot_open(&seat.bot, &info, &err);
    if (status == BG_OK) {
        status = serve_person(&seat, &err);
        console_say(&seat.console, "\nClosed: %s.\n", seat.has_left ? "you have left" : err.text);
        bg_bot_close(seat.bot);
    }
    console_close(&seat.console);
    if (status != BG_OK && status != BG_E_CLOSED) {
        fprintf(stderr, "bgref-human: %s\n", err.text);
    }
    return status == BG_OK || status == BG_E_CLOSED ? 0 : 1;
}
