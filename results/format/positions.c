/* One reader for every notation, so that each command takes whatever a user has at hand. Which
 * one it is follows from its form; where two forms could be meant, the message says what was
 * expected. */
#define _GNU_SOURCE
#include "positions.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/exit_status.h"
#include "format/pasted.h"

enum { COLUMNS_MAX = 4, POSITION_WORD = 256 };

/* Nine fields follow an XGID's board; a pair of IDs has one ':'. */
bool position_is_xgid(const char *text)
{
    const char *colon = strchr(text, ':');

    return strncmp(text, "XGID=", 5) == 0 || (colon != NULL && strchr(colon + 1, ':') != NULL);
}

/* The largest cube of an XGID that has been read: its last field. */
static int limit_of(const char *xgid)
{
    return (int)strtol(strrchr(xgid, ':') + 1, NULL, 10);
}

/* Reads one notation without anything around it. */
static enum bg_status read_notation(struct position *out, const char *text, struct bg_error *err)
{
    struct position read = {
        .id = {.cube_owner = BG_CENTRED, .move = 1, .turn = 1, .jacoby = 1, .state = 1}};
    const char *colon = strchr(text, ':');
    enum bg_status status = BG_OK;
    char id[BG_POSITION_ID + 1];
    struct bg_match_id only;

    if (position_is_xgid(text)) {
        read.has_match = true;
        status = bg_xgid_read(&read.board, &read.id, text, err);
        read.cube_limit = status == BG_OK ? limit_of(text) : 0;
    } else if (colon == NULL && bg_match_id_read(&only, text, NULL) == BG_OK) {
        status = bg_error_set(err, BG_E_FORMAT,
                              "'%.20s' is a Match ID, which holds no board: write "
                              "PositionID:MatchID",
                              text);
    } else if (colon == NULL) {
        status = bg_position_id_read(&read.board, text, read.id.move, err);
    } else {
        /* Keeps one character more than fits, so that the reader finds the text too long. */
        snprintf(id, sizeof id, "%.*s",
                 (int)(colon - text < BG_POSITION_ID ? colon - text : BG_POSITION_ID), text);
        read.has_match = true;
        status = bg_match_id_read(&read.id, colon + 1, err);
        if (status == BG_OK) {
            status = bg_position_id_read(&read.board, id, read.id.move, err);
        }
    }
    if (status == BG_OK) {
        *out = read;
    }
    return status;
}

/* Returns what follows a label like "Position ID:" or "XGID=" in the text, behind blanks; NULL: the
 * label is not there. */
static const char *labelled(const char *text, const char *label)
{
    const char *at = strcasestr(text, label);

    if (at == NULL) {
        return NULL;
    }
    at += strlen(label);
    at += strspn(at, " \t");
    at += *at == ':' || *at == '=';
    return at + strspn(at, " \t");
}

/* Copies the word at `at` behind what out already has. Returns false if it does not fit. */
static bool add_word(char out[POSITION_WORD], const char *at)
{
    size_t used = strlen(out), length = strcspn(at, " \t\r\n\f\v");

    if (used + length >= POSITION_WORD) {
        return false;
    }
    memcpy(out + used, at, length);
    out[used + length] = '\0';
    return true;
}

enum bg_status position_read(struct position *out, const char *text, struct bg_error *err)
{
    const char *xgid = strstr(text, "XGID="), *ogid = labelled(text, "OGID=");
    const char *position = labelled(text, "Position ID"), *match = labelled(text, "Match ID");
    const char *both = labelled(text, "GNUBGID");
    char word[POSITION_WORD] = "";
    bool fits;

    text += strspn(text, " \t\r\n");
    if (pasted_is_fibs(text)) {
        return pasted_fibs_read(out, text, err);
    }
    if (ogid != NULL || pasted_is_ogid(text)) {
        return pasted_ogid_read(out, ogid != NULL ? ogid : text, err);
    }
    if (xgid != NULL) {
        fits = add_word(word, xgid);
    } else if (position != NULL) {
        fits = add_word(word, position) &&
               (match == NULL || (add_word(word, ":") && add_word(word, match)));
    } else {
        fits = add_word(word, both != NULL ? both : text);
    }
    if (!fits || word[0] == '\0' ||
        (xgid == NULL && position == NULL && both == NULL && text[strlen(word)] != '\0' &&
         text[strlen(word) + strspn(text + strlen(word), " \t\r\n")] != '\0')) {
        return bg_error_set(err, BG_E_FORMAT,
                            "'%.40s' is not a position: expected a Position ID, "
                            "PositionID:MatchID, XGID, OGID or a board of FIBS",
                            text);
    }
    return read_notation(out, word, err);
}

enum bg_status position_xgid_write(char out[BG_XGID], const struct position *position,
                                   struct bg_error *err)
{
    enum bg_status status = bg_xgid_write(out, &position->board, &position->id, err);
    char *limit = status == BG_OK ? strrchr(out, ':') : NULL;

    if (limit != NULL && position->cube_limit > 0) {
        snprintf(limit, (size_t)(out + BG_XGID - limit), ":%d", position->cube_limit);
    }
    return status;
}

/* A notation may begin with '-', which the parser of options would take for one; so it gets
 * something in front before argp sees it. */
void position_arguments(int argc, char **argv, char space[POSITION_SPACE])
{
    char *end = space;

    for (int i = 1; i < argc; i++) {
        /* "XGID=" may come before an XGID, and a blank before the notation of all variants. */
        const char *before = position_is_xgid(argv[i]) ? "XGID=" : strchr(argv[i], '|') ? " " : "";
        const size_t size = strlen(before) + strlen(argv[i]) + 1;

        if (argv[i][0] == '-' && before[0] != '\0' &&
            size <= (size_t)(space + POSITION_SPACE - end)) {
            strcpy(stpcpy(end, before), argv[i]);
            argv[i] = end;
            end += size;
        }
    }
}

const char *position_word(const char *argument)
{
    return argument + (argument[0] == ' ');
}

/* Cuts line at its tabs and ignores what follows the last column. Returns the number of columns. */
static int split_row(char *column[COLUMNS_MAX], int most, char *line)
{
    int count = 0;

    while (count < most) {
        column[count++] = line;
        line += strcspn(line, "\t");
        if (*line == '\0') {
            break;
        }
        *line++ = '\0';
    }
    return count;
}

static enum bg_status read_position_row(char *line, size_t length, int needed, FILE *out,
                                        position_row *row, struct bg_error *err)
{
    char *column[COLUMNS_MAX];
    int columns;

    if (strlen(line) != length) {
        return bg_error_set(err, BG_E_FORMAT, "the line has a zero byte; expected text");
    }
    if (length > 0 && line[length - 1] == '\n') {
        line[length - 1] = '\0';
    }
    columns = split_row(column, needed, line);
    if (columns < needed) {
        return bg_error_set(err, BG_E_FORMAT, "needs %d columns separated by tabs, has %d", needed,
                            columns);
    }
    return row(column, columns, out, err);
}

/* Ends at the first bad row: a program that reads the output counts on one line for each of its
 * own. */
int position_rows(FILE *in, FILE *out, const char *command, int needed, position_row *row)
{
    char *line = NULL;
    size_t size = 0;
    int status = EXIT_DONE;
    unsigned long number = 0;
    struct bg_error err;

    for (ssize_t length; (length = getline(&line, &size, in)) >= 0;) {
        number++;
        if (line[0] == '#') {
            continue;
        }
        if (read_position_row(line, (size_t)length, needed, out, row, &err) != BG_OK) {
            fflush(out);
            fprintf(stderr, "%s: line %lu: %s\n", command, number, err.text);
            status = EXIT_MISUSE;
            goto done;
        }
    }
    if (ferror(in)) {
        fprintf(stderr, "%s: read line %lu: %s\n", command, number + 1, strerror(errno));
        status = EXIT_SURROUNDINGS;
    }
done:
    if (fflush(out) != 0 || ferror(out)) {
        fprintf(stderr, "%s: write standard output: %s\n", command, strerror(errno));
        status = EXIT_SURROUNDINGS;
    }
    free(line);
    return status;
}
