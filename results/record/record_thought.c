/* What a bot thought, as the line after its step. It has no seat in front, so that no reader of
 * single lines takes it for a step (record_lookup.c): its text is foreign. Numbers have four
 * decimals; more are no news of a game, and would only have one spelling each on one machine. */
#include <math.h>
#include <string.h>

#include <rules/clean.h>

#include "record_text.h"

enum { SCALE = 10000, DECIMALS = 4, EQUITY_MOST = 1000 };

/* --- writing ----------------------------------------------------------------------------- */

static char *put_decimal(char *at, double value)
{
    int64_t parts = llround(value * SCALE);

    if (parts < 0) {
        *at++ = '-';
        parts = -parts;
    }
    at = line_put_int(at, parts / SCALE);
    *at++ = '.';
    for (int64_t place = SCALE / 10; place > 0; place /= 10) {
        *at++ = (char)('0' + parts / place % 10);
    }
    return at;
}

static char *put_decimals(char *at, const char *key, const double *values, int count)
{
    at = line_put(at, key);
    for (int i = 0; i < count; i++) {
        if (i > 0) {
            *at++ = ',';
        }
        at = put_decimal(at, values[i]);
    }
    return at;
}

static char *put_candidates(char *at, const struct bg_thought *thought)
{
    for (uint32_t i = 0; i < thought->candidate_count; i++) {
        const struct bg_candidate *candidate = &thought->candidate[i];

        at = line_put(at, i == 0 ? " best=" : ";");
        if (candidate->kind == BG_ANSWER_MOVES) {
            char moves[RECORD_STEP];

            *record_put_moves(moves, &candidate->play, ',') = '\0';
            at = line_put(at, moves + 1);
        } else {
            at = line_put(at, bg_answer_name(candidate->kind));
        }
        at = put_decimals(at, ":", &candidate->equity, 1);
    }
    return at;
}

void record_thought_write(char out[RECORD_THOUGHT], const struct bg_thought *thought)
{
    const struct bg_chances *chances = &thought->chances;
    const double win[] = {chances->win, chances->win_gammon, chances->win_backgammon};
    const double lose[] = {chances->lose_gammon, chances->lose_backgammon};
    char *at = line_put(out, RECORD_THINKS);

    if (thought->has_chances) {
        at = put_decimals(at, " win=", win, 3);
        at = put_decimals(at, " lose=", lose, 2);
    }
    if (thought->has_equity) {
        at = put_decimals(at, " equity=", &chances->equity, 1);
    }
    if (thought->unit == BG_EQUITY_MATCH && (thought->has_equity || thought->candidate_count > 0)) {
        at = line_put(at, " unit=match");
    }
    if (thought->plies > 0) {
        at = line_put_int(line_put(at, " plies="), thought->plies);
    }
    at = put_candidates(at, thought);
    if (thought->text[0] != '\0') {
        at = line_put(line_put(at, " text="), thought->text);
    }
    *at = '\0';
}

/* --- reading ----------------------------------------------------------------------------- */

static bool scan_decimal(struct scan *scan, double *out)
{
    struct scan there = *scan;
    bool negative = scan_text(&there, "-");
    int64_t whole, parts = 0;

    if (!scan_int(&there, 0, EQUITY_MOST, &whole) || !scan_text(&there, ".")) {
        return false;
    }
    for (int i = 0; i < DECIMALS; i++) {
        if (there.at == there.end || *there.at < '0' || *there.at > '9') {
            return false;
        }
        parts = 10 * parts + (*there.at++ - '0');
    }
    *out = (double)(negative ? -(whole * SCALE + parts) : whole * SCALE + parts) / SCALE;
    *scan = there;
    return true;
}

static bool scan_decimals(struct scan *scan, const char *key, double *const *out, int count,
                          double most)
{
    if (!scan_text(scan, key)) {
        return false;
    }
    for (int i = 0; i < count; i++) {
        if ((i > 0 && !scan_text(scan, ",")) || !scan_decimal(scan, out[i]) ||
            !(fabs(*out[i]) <= most)) {
            return false;
        }
    }
    return true;
}

/* Cuts off scan what stands before the byte; all of it if there is none. */
static struct scan scan_until(struct scan *scan, char byte)
{
    const char *stop = memchr(scan->at, byte, (size_t)(scan->end - scan->at));
    struct scan part = {scan->at, stop == NULL ? scan->end : stop};

    scan->at = part.end;
    return part;
}

static bool scan_candidate(struct scan part, struct bg_candidate *out)
{
    double *const equity[] = {&out->equity};
    struct scan answer = scan_until(&part, ':');
    struct scan moves = answer;

    out->kind = record_read_moves(&out->play, &moves, ",") ? BG_ANSWER_MOVES : BG_ANSWER_NONE;
    for (int kind = BG_ANSWER_ROLL; kind <= BG_ANSWER_REFUSE && out->kind == BG_ANSWER_NONE;
         kind++) {
        struct scan word = answer;

        if (scan_text(&word, bg_answer_name((enum bg_answer_kind)kind)) && scan_is_done(&word)) {
            out->kind = (enum bg_answer_kind)kind;
        }
    }
    return out->kind != BG_ANSWER_NONE && scan_decimals(&part, ":", equity, 1, EQUITY_MOST) &&
           scan_is_done(&part);
}

static bool scan_candidates(struct scan *scan, struct bg_thought *out)
{
    struct scan list;

    if (!scan_text(scan, " best=")) {
        return true;
    }
    list = scan_until(scan, ' ');
    do {
        if (out->candidate_count == BG_CANDIDATES_MAX ||
            !scan_candidate(scan_until(&list, ';'), &out->candidate[out->candidate_count++])) {
            return false;
        }
    } while (scan_text(&list, ";"));
    return true;
}

static void scan_chances(struct scan *scan, struct bg_thought *out)
{
    struct bg_chances *chances = &out->chances;
    double *const win[] = {&chances->win, &chances->win_gammon, &chances->win_backgammon};
    double *const lose[] = {&chances->lose_gammon, &chances->lose_backgammon};
    double *const equity[] = {&chances->equity};
    int64_t plies = 0;

    out->has_chances =
        scan_decimals(scan, " win=", win, 3, 1.0) && scan_decimals(scan, " lose=", lose, 2, 1.0);
    out->has_equity = scan_decimals(scan, " equity=", equity, 1, EQUITY_MOST);
    out->unit = scan_text(scan, " unit=match") ? BG_EQUITY_MATCH : BG_EQUITY_POINTS;
    if (scan_text(scan, " plies=") && scan_int(scan, 1, BG_THOUGHT_PLIES_MAX, &plies)) {
        out->plies = (uint32_t)plies;
    }
}

bool record_thought_read(struct bg_thought *out, const char *line, size_t size)
{
    char again[RECORD_THOUGHT];
    struct scan scan = {line, line + size};

    if (size >= sizeof again || !scan_text(&scan, RECORD_THINKS)) {
        return false;
    }
    *out = (struct bg_thought){.size = sizeof *out};
    scan_chances(&scan, out);
    if (!scan_candidates(&scan, out)) {
        return false;
    }
    if (scan_text(&scan, " text=")) {
        size_t text = (size_t)(scan.end - scan.at);

        if (text == 0 || text >= sizeof out->text ||
            clean_find(scan.at, text, CLEAN_LINE) != text) {
            return false;
        }
        memcpy(out->text, scan.at, text);
        scan.at = scan.end;
    }
    /* One spelling: what is read is written again in the same bytes. */
    record_thought_write(again, out);
    return strlen(again) == size && memcmp(again, line, size) == 0 && size > strlen(RECORD_THINKS);
}
