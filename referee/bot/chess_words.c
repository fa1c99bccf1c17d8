/* People bring their commands from chess harnesses. A word that means the same here is
 * translated; one without a counterpart is refused with the word that does it here. None is
 * passed over: a time limit or a number of nodes that was silently left out would be noticed
 * only in the results, if at all. */
#define _GNU_SOURCE /* program_invocation_name */
#include "chess_words.h"

#include <errno.h>
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SECONDS_MAX 1e6

/* Reads "90", "1.5" or "1:30"; *end is the rest. A negative result means that it is not a time. */
static double seconds_read(const char *text, const char **end)
{
    char *behind;
    double value;

    *end = text;
    /* strtod() alone also takes a sign, blanks before the number, "inf" and "nan" */
    if (!isdigit((unsigned char)text[0]) && text[0] != '.') {
        return -1;
    }
    value = strtod(text, &behind);
    if (behind[0] == ':' && isdigit((unsigned char)behind[1])) {
        value = 60 * value + strtod(behind + 1, &behind);
    }
    *end = behind;
    return value <= SECONDS_MAX ? value : -1;
}

static long long milliseconds(double seconds)
{
    return llround(seconds * 1000);
}

/* Returns true for digits, dots, colons, a plus sign and a slash only: a chess time control. */
static bool is_chess_clock(const char *text)
{
    return text[0] != '\0' && strspn(text, "0123456789.:+/") == strlen(text);
}

enum bg_status chess_words_tc(char out[CHESS_WORDS_CLOCK], const char *text, struct bg_error *err)
{
    const char *slash = strchr(text, '/');
    double bank, increment = 0;
    const char *end;

    if (!is_chess_clock(text)) {
        if (strlen(text) >= CHESS_WORDS_CLOCK) {
            return bg_error_set(err, BG_E_ARGUMENT, "'%.40s...': not a clock", text);
        }
        memcpy(out, text, strlen(text) + 1);
        return BG_OK;
    }
    bank = seconds_read(slash == NULL ? text : slash + 1, &end);
    if (bank > 0 && *end == '+') {
        increment = seconds_read(end + 1, &end);
    }
    if (bank <= 0 || increment < 0 || *end != '\0') {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "'%.40s': not a time control; use time+increment in seconds, like "
                            "60+0.6, or bank=60s,inc=600ms",
                            text);
    }
    /* The part before the slash is a number of moves in chess. It was read above all the same,
     * so that a text that is no clock at all gets that message and not this one. */
    if (slash != NULL) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "'%.40s': a clock of backgammon counts a whole match, not %.*s moves; "
                            "use tc=%.40s",
                            text, (int)(slash - text), text, slash + 1);
    }
    snprintf(out, CHESS_WORDS_CLOCK, "bank=%lldms%s", milliseconds(bank),
             milliseconds(increment) > 0 ? ",inc=" : "");
    if (milliseconds(increment) > 0) {
        size_t used = strlen(out);

        snprintf(out + used, CHESS_WORDS_CLOCK - used, "%lldms", milliseconds(increment));
    }
    return BG_OK;
}

enum bg_status chess_words_st(char out[CHESS_WORDS_CLOCK], const char *text, struct bg_error *err)
{
    const char *end;
    double seconds = seconds_read(text, &end);

    if (seconds <= 0 || *end != '\0' || milliseconds(seconds) == 0) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "'%.40s': not the seconds of a move, like 0.5; or use clock=move=500ms",
                            text);
    }
    snprintf(out, CHESS_WORDS_CLOCK, "move=%lldms", milliseconds(seconds));
    return BG_OK;
}

static enum bg_status restart(const char *value, struct bg_error *err)
{
    if (strcmp(value, "on") == 0 || strcmp(value, "auto") == 0) {
        fprintf(stderr, "%s: restart=%s is not needed: a bot that fails is started again\n",
                program_invocation_name, value);
        return BG_OK;
    }
    return bg_error_set(err, BG_E_ARGUMENT,
                        "'%.40s': a bot that fails is always started again; --quarantine 1 takes "
                        "it out after its first fault, --strict stops the run",
                        value);
}

bool chess_words_other(enum bg_status *status, const char *key, const char *value,
                       struct bg_error *err)
{
    static const char *const own[] = {"nodes", "depth", "ponder", "hash"};

    *status = BG_OK;
    if (strcmp(key, "restart") == 0) {
        *status = restart(value, err);
        return true;
    }
    if (strcmp(key, "proto") == 0) {
        *status = bg_error_set(err, BG_E_ARGUMENT,
                               "a bot speaks bgref's protocol; for an engine that speaks UBGI use "
                               "bot=ubgi option.Engine=\"./engine\"");
        return true;
    }
    if (strcmp(key, "timemargin") == 0) {
        *status =
            bg_error_set(err, BG_E_ARGUMENT, "the margin is the event's: --margin %.20sms", value);
        return true;
    }
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++) {
        if (strcmp(key, own[i]) == 0) {
            *status = bg_error_set(err, BG_E_ARGUMENT,
                                   "search limits are options of the bot: option.NAME=%.40s; "
                                   "'bgref bots BOT' lists its options",
                                   value);
            return true;
        }
    }
    return false;
}
