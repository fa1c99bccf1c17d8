/* The room holds the largest thought: eight candidates of at most 30 bytes and a text of 200. */
#include "thought_words.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "record_text.h"

static void words_add(char out[THOUGHT_WORDS], const char *format, ...) BG_PRINTF(2, 3);

static void words_add(char out[THOUGHT_WORDS], const char *format, ...)
{
    size_t used = strlen(out);
    va_list args;

    va_start(args, format);
    vsnprintf(out + used, THOUGHT_WORDS - used, format, args);
    va_end(args);
}

static void add_equity(char out[THOUGHT_WORDS], enum bg_equity_unit unit, double equity)
{
    if (unit == BG_EQUITY_MATCH) {
        words_add(out, "%.1f %%", 100.0 * equity);
    } else {
        words_add(out, "%+.3f", equity);
    }
}

static void add_candidates(char out[THOUGHT_WORDS], const struct bg_thought *thought)
{
    for (uint32_t i = 0; i < thought->candidate_count; i++) {
        const struct bg_candidate *candidate = &thought->candidate[i];
        char moves[RECORD_STEP] = " ";

        if (candidate->kind == BG_ANSWER_MOVES) {
            *record_put_moves(moves, &candidate->play, ' ') = '\0';
        }
        words_add(out, "%s%s ", i == 0 ? "" : ", ",
                  candidate->kind == BG_ANSWER_MOVES ? moves + 1 : bg_answer_name(candidate->kind));
        add_equity(out, thought->unit, candidate->equity);
    }
}

void thought_candidates_write(char out[THOUGHT_WORDS], const struct bg_thought *thought)
{
    out[0] = '\0';
    add_candidates(out, thought);
}

void thought_words_write(char out[THOUGHT_WORDS], const struct bg_thought *thought)
{
    const struct bg_chances *chances = &thought->chances;
    const char *next = "";

    out[0] = '\0';
    if (thought->has_chances) {
        words_add(out, "wins %.1f %% (gammon %.1f %%, backgammon %.1f %%), ", 100.0 * chances->win,
                  100.0 * chances->win_gammon, 100.0 * chances->win_backgammon);
        words_add(out, "loses a gammon %.1f %%, a backgammon %.1f %%", 100.0 * chances->lose_gammon,
                  100.0 * chances->lose_backgammon);
        next = "; ";
    }
    if (thought->has_equity) {
        words_add(out, "%s%s ", next,
                  thought->unit == BG_EQUITY_MATCH ? "wins the match" : "equity");
        add_equity(out, thought->unit, chances->equity);
        next = "; ";
    }
    if (thought->plies > 0) {
        words_add(out, "%s%" PRIu32 " %s", next, thought->plies,
                  thought->plies == 1 ? "ply" : "plies");
        next = "; ";
    }
    if (thought->candidate_count > 0) {
        words_add(out, "%sbest ", next);
        add_candidates(out, thought);
        next = "; ";
    }
    if (thought->text[0] != '\0') {
        words_add(out, "%s\"%s\"", next, thought->text);
    }
}
