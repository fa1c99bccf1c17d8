/* cmd_ask.c - bgref ask: poses one position to one bot and prints its answer. The examiner of
 * `bgref check` starts and asks the bot, and answer_take() reads the answer as at a table: what
 * is called legal here is legal in play. */
#include "referee_commands.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <bgref/dice.h>
#include <bgref/notation.h>
#include <rules/clean.h>

#include <base/docs.h>
#include <base/exit_status.h>
#include <format/positions.h>
#include <base/said.h>
#include <record/thought_words.h>

#include "base/memory.h"
#include "check/examiner.h"
#include "check/player.h"
#include "check/posed.h"
#include "table/ask_answer.h"
#include "table/evidence.h"
#include "cmd/command.h"

#define START_NS   INT64_C(30000000000)
#define CEILING_NS INT64_C(60000000000)

struct arguments {
    struct command_words words; /* the bot's words */
    const char *game;           /* game id that is sent to the bot */
    struct posed posed;
    int64_t ceiling_ns;
};

/* An XGID has the form of a pair, and so may what has '|': the notation of every game (N3), whose
 * flags hold '='. */
static bool is_pair(const char *word)
{
    return strchr(word, '=') != NULL && strncmp(word, "XGID=", 5) != 0 && strchr(word, '|') == NULL;
}

static const struct command_row options[] = {
    {"dice", .value = "DICE",
     .help = "The roll to play, like 31 (default: that of the XGID or Match ID; without one the "
             "question "
             "is the cube)",
     COMMAND_TEXT(posed.dice)},
    {"rules", .value = "WORDS",
     .help =
         "Rules that are not the default, as in records: 'cube=off', 'beavers=on cube-limit=64'",
     COMMAND_TEXT(posed.rules)},
    {"state", .value = "WORDS",
     .help = "Score and cube of a position that cannot hold them, seen from the side to move: "
             "'length=5 "
             "score=2-1 cube=2 owner=other' (one point away: the game after Crawford's, or "
             "'crawford=now')",
     COMMAND_TEXT(posed.state)},
    {"then", .value = "STEPS",
     .help = "Steps since the position: 'double, raise' (the answer to a beaver), 'resign 2' (to a "
             "gammon), 'open "
             "31' (opening numbers to be kept), 'name' (a double)",
     COMMAND_TEXT(posed.then)},
    {"variant", .value = "GAME",
     .help = "The game, such as plakoto; POSITION is then in the notation of every game "
             "(docs/rules.md N3)",
     COMMAND_TEXT(posed.variant)},
    {"game", .value = "ID",
     .help =
         "The game's id that the bot gets, from which its seed follows: the same id, the same seed",
     COMMAND_TEXT(game)},
    {"limit", .value = "TIME", .help = "Most time for the answer (default 60s)",
     COMMAND_TIME(ceiling_ns)},
    {0}};

static const struct command_row line[] = {{"bot", COMMAND_LIST(words)}, {0}};

/* The last word that is not key=value is the position; the others belong to the bot. */
static void check(void *all)
{
    struct arguments *arguments = all;
    struct command_words *words = &arguments->words;
    int at = words->count - 1;

    while (at > 0 && is_pair(words->word[at])) {
        at--;
    }
    if (at < 1) {
        command_misuse("a bot and a position are needed: 'bgref ask ./mybot 4HPwATDgc/ABMA --dice "
                       "31'");
    }
    arguments->posed.position = words->word[at];
    words->count--;
    memmove(&words->word[at], &words->word[at + 1],
            (size_t)(words->count - at) * sizeof words->word[0]);
}

static const struct command command = {
    .usage = "BOT [option.NAME=VALUE...] POSITION",
    .help = "Asks a bot about one position and prints its answer and whether it is legal.\v"
            "BOT is a name of 'bgref bots', a path like ./mybot, or cmd=\"./mybot --fast\". "
            "POSITION is a "
            "Position ID, PositionID:MatchID, or an XGID. A bare Position ID is money play, cube "
            "centred. "
            "'bgref faults' prints such a command for every fault in play. 'bgref rollout' tells "
            "what each "
            "play is worth, 'bgref plays' lists them all. Exit status: 0 a legal answer, "
            "1 an illegal one or a fault, 2 misuse, 3 the bot does not start.",
    .options = options,
    .words = line,
    .check = check,
};

/* ------------------------------------------------------------------------ the question */

static void print_question(const struct bg_match *match)
{
    static const char *const asked[] = {
        [BG_NEED_DOUBLE] = "double or roll",
        [BG_NEED_TAKE] = "take or pass",
        [BG_NEED_RAISE] = "answer a raise",
        [BG_NEED_KEEP] = "keep the opening numbers or roll again",
        [BG_NEED_NAME] = "name a double",
        [BG_NEED_RESIGNATION] = "answer an offer to resign",
    };
    const struct bg_variant *variant = match->rules.variant;
    char drawing[4096], stage[BG_STAGE_TEXT], position[BG_POSITION_TEXT];
    struct bg_match_id id;
    bool has_id = bg_match_id_of(&id, match, NULL) == BG_OK;

    bg_board_draw(drawing, sizeof drawing, variant, &match->board, has_id ? &id : NULL,
                  match->need.seat);
    fputs(drawing, stdout);
    bg_position_order_text(position, variant, &match->board, match->need.seat);
    printf("position  %s\n", position);
    if (match->need.kind == BG_NEED_PLAY) {
        bg_stage_write(stage, &match->stage);
        printf("asked     play %s\n", stage);
    } else {
        printf("asked     %s\n", asked[match->need.kind]);
    }
}

/* -------------------------------------------------------------------------- the answer */

static void print_said(const struct said *said)
{
    const char *remedy = said_remedy(said);

    said_print(stdout, "said      ", said);
    if (remedy != NULL) {
        printf("to do     %s\n", remedy);
    }
}

/* Prints its play in single moves, even if it came as an index or a position. */
static void print_legal(const struct bg_match *match, const struct bg_match *after,
                        struct bg_step *step)
{
    const struct bg_variant *variant = match->rules.variant;
    char text[BG_PLAY_TEXT], result[BG_POSITION_TEXT];
    int seat = match->need.seat;

    printf("legal     yes\n");
    if (step->kind == BG_STEP_PLAY) {
        (void)bg_play_check_result(&step->play, variant, &match->board, seat, &match->stage,
                                   &after->board);
        bg_play_write(text, variant, &match->board, seat, &step->play);
        bg_position_order_text(result, variant, &after->board, seat);
        printf("play      %s\nresult    %s\n", text, result);
    }
}

static bool print_answer(const struct bg_match *match, const struct examiner_question *question)
{
    struct bg_match after = *match;
    struct bg_step step = {.kind = BG_STEP_ROLL};
    char answer[EVIDENCE_ANSWER], misfit[ANSWER_MISFIT], thinks[THOUGHT_WORDS];
    enum bg_rule rule = BG_RULE_NONE;

    evidence_answer_write(answer, match->rules.variant, &question->answer);
    printf("answered  %s, after %.1f ms\n", answer, (double)question->spent_ns / 1e6);
    if (question->thought->size > 0) {
        thought_words_write(thinks, question->thought);
        printf("thinks    %s\n", thinks);
    }
    if (!bg_answer_fits(question->slot.ask.kind, question->answer.kind)) {
        answer_misfit(misfit, question->slot.ask.kind, answer);
        printf("legal     no: %s\n", misfit);
        return false;
    }
    if (question->answer.kind != BG_ANSWER_ROLL) {
        rule = answer_take(&step, &after, &question->slot.ask, match->need.seat, &question->answer);
    }
    if (rule != BG_RULE_NONE) {
        printf("legal     no: %s %s\n", bg_rule_number(rule), bg_rule_text(rule));
        return false;
    }
    print_legal(match, &after, &step);
    return true;
}

/* Says which command compares the choices, with this position: a rollout by the bot itself if it is
 * one that values positions, else by td. */
static void print_more(const struct bg_match *match, const struct arguments *arguments)
{
    static const char *const evaluators[] = {"td", "gnubg", "bkg"};
    const struct posed *posed = &arguments->posed;
    const char *bot = evaluators[0];

    if (match->rules.variant != bg_variant_find("backgammon") || posed->then != NULL ||
        (match->need.kind != BG_NEED_PLAY && match->need.kind != BG_NEED_DOUBLE)) {
        return;
    }
    for (size_t i = 0; i < sizeof evaluators / sizeof evaluators[0]; i++) {
        bot = strcmp(arguments->words.word[0], evaluators[i]) == 0 ? evaluators[i] : bot;
    }
    printf("compare   bgref rollout --bot %s '%s'", bot, posed->position);
    if (posed->dice != NULL) {
        printf(" --dice %s", posed->dice);
    }
    if (posed->state != NULL) {
        printf(" --state '%s'", posed->state);
    }
    if (posed->rules != NULL) {
        printf(" --rules '%s'", posed->rules);
    }
    puts(match->need.kind == BG_NEED_PLAY ? "   (what each play is worth)"
                                          : " --cube on   (what each action is worth)");
}

static enum bg_status ask_bot(bool *is_legal, const struct bg_match *match,
                              const struct arguments *arguments, const struct competitor *bot,
                              struct said *said, struct bg_error *err)
{
    struct examiner *examiner = NULL;
    struct examiner_question *question = memory_zeroed(1, sizeof *question);
    struct bg_thought thought = {.size = 0};
    struct examiner_setup setup = {.bot = bot,
                                   .reads_thoughts = true,
                                   .rules = &match->rules,
                                   .start_ns = START_NS,
                                   .ceiling_ns = arguments->ceiling_ns,
                                   .said = said};
    enum bg_status status = examiner_open(&examiner, &setup, err);
    struct bg_ask *asked = &question->slot.ask;

    if (status != BG_OK) {
        goto done;
    }
    question->thought = &thought;
    ask_from_match(asked, match, match->need.seat);
    snprintf(asked->game, sizeof asked->game, "%s", arguments->game);
    asked->bot_seed = bg_dice_bot_seed(asked->game);
    status = examiner_ask(examiner, question, 1, err);
    if (status != BG_OK) {
        goto done;
    }
    if (question->answered) {
        *is_legal = print_answer(match, question);
        if (*is_legal) {
            print_more(match, arguments);
        }
    } else {
        char message[sizeof question->message * CLEAN_GROWTH];

        clean_write(message, sizeof message, question->message, strlen(question->message),
                    CLEAN_LINE);
        printf("fault     %s: %s\n", bg_fault_name(question->fault), message);
        print_said(said);
    }
done:
    examiner_close(examiner);
    free(question);
    return status;
}

int cmd_ask(int argc, char **argv)
{
    static struct competitor bot; /* large */
    char space[POSITION_SPACE];
    struct arguments arguments = {.game = "ask|1", .ceiling_ns = CEILING_NS};
    struct said said = {.text = ""};
    struct bg_error err = {.text = ""};
    struct bg_match match;
    enum bg_status status;
    bool is_legal = false;

    position_arguments(argc, argv, space);
    command_read(&command, argc, argv, &arguments);
    arguments.posed.position = position_word(arguments.posed.position);
    status = player_find(&bot, arguments.words.word, arguments.words.count, false, &err);
    if (status == BG_OK) {
        status = posed_match(&match, &arguments.posed, &err);
    }
    if (status == BG_OK) {
        print_question(&match);
        status = ask_bot(&is_legal, &match, &arguments, &bot, &said, &err);
    }
    if (status != BG_OK) {
        fflush(stdout);
        print_said(&said);
        command_say(err.text);
        return exit_status_of(status);
    }
    return is_legal ? EXIT_DONE : EXIT_CHECK;
}
