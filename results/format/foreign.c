/* Files of other programs do not say by which rules they were played, so they are read by trial:
 * with each rule that is not given, until most of the file fits. The trials are silent; only the
 * last reading, in the way that was found best, tells its notes. */
#include "foreign.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <base/memory.h>

#include "base/plain_file.h"
#include "foreign_parse.h"

enum { FILE_MAX_BYTES = 256000000 };

const char *foreign_note_text(enum foreign_note note)
{
    static const char *const texts[FOREIGN_NOTES] = {
        [FOREIGN_OUT_OF_TURN] = "resigns out of turn: moved back before the player's last own play",
        [FOREIGN_FORCED] = "has a roll without moves, read as its only legal play",
        [FOREIGN_LOSES] = "the loser's column has a result too",
        [FOREIGN_CAPPED] = "points capped at what the match needed",
        [FOREIGN_CAPITALS] = "bar or off in capital letters",
        [FOREIGN_CONCEDES] = "concedes: resigns",
        [FOREIGN_NO_HIT] = "moves with several readings: took the one with the marked hits",
        [FOREIGN_STEPS] =
            "a bear-off in steps that are impossible one by one: read by its final position",
        [FOREIGN_LATIN1] = "not UTF-8: read as Windows-1252 (Latin-1) or UTF-16",
        [FOREIGN_NAMELESS] = "a player without a name",
        [FOREIGN_NO_JACOBY] = "money: the points fit only without Jacoby's rule",
        [FOREIGN_BY_SCORE] = "no winner is given: taken from the score of the next game",
        [FOREIGN_UNFINISHED] = "a game without an end is left out",
        [FOREIGN_SKIPPED] = "a line without meaning is skipped",
        [FOREIGN_SECOND_LINE] = "variations beside the game are left out",
        [FOREIGN_POINTS] = "the file's points are not those of the rules: counted by the rules",
        [FOREIGN_WINNER] =
            "the file's winner of a game is the player who lost it: read by the rules",
        [FOREIGN_MATCH_GIVEN] = "the loser gives up the match, not only this game",
        [FOREIGN_BEFORE_ROLL] = "a result before the first roll: the loser resigns on roll",
        [FOREIGN_LEFT_TURN] = "a turn without dice ('00:') is left out",
        [FOREIGN_MID_MATCH] = "begins in mid-match: the cube is taken as centred at 1",
        [FOREIGN_CRAWFORD] =
            "begins in mid-match, with one player a point away: taken as the Crawford game",
        [FOREIGN_AFTER_CRAWFORD] =
            "a double in what was taken as the Crawford game: taken as a game after it",
        [FOREIGN_NEW_PART] =
            "the score does not follow from the games before: a new part begins at this score",
    };

    return texts[note];
}

/* ---- text ---- */

/* Converts UTF-16 with a byte order mark to UTF-8; *out is owned. Lone surrogates become '?'. */
static char *from_utf16(size_t *size, const unsigned char *text, size_t length)
{
    bool big = text[0] == 0xfe;
    char *made = memory_zeroed(length * 2, 1);
    size_t used = 0;

    for (size_t at = 2; at + 1 < length; at += 2) {
        unsigned code = (unsigned)text[at + !big] << 8 | text[at + big];

        if (code < 0x80) {
            made[used++] = (char)code;
        } else if (code < 0x800) {
            made[used++] = (char)(0xc0 | code >> 6);
            made[used++] = (char)(0x80 | (code & 0x3f));
        } else if (code >= 0xd800 && code < 0xe000) {
            made[used++] = '?';
        } else {
            made[used++] = (char)(0xe0 | code >> 12);
            made[used++] = (char)(0x80 | (code >> 6 & 0x3f));
            made[used++] = (char)(0x80 | (code & 0x3f));
        }
    }
    *size = used;
    return made;
}

/* By its first characters and not by its name: people save both kinds under any ending. */
static bool is_sgf(const char *text, size_t size)
{
    size_t at = 0;

    while (at < size && strchr(" \t\r\n", text[at]) != NULL && text[at] != '\0') {
        at++;
    }
    if (at == size || text[at] != '(') {
        return false;
    }
    for (at++; at < size && strchr(" \t\r\n", text[at]) != NULL && text[at] != '\0'; at++) {
    }
    return at < size && text[at] == ';';
}

/* Returns what a file is that people take for a match, and what to do with it; NULL: none of them.
 */
static const char *other_kind(const char *text, size_t size)
{
    static const struct {
        const char *begin, *what;
    } kinds[] = {
        {"RGMH",
         "a file of eXtreme Gammon (.xg, .xgp), which bgref does not read; export the match "
         "there as text (.mat or .txt)"},
        {"SQLite format 3", "a database; 'bgref show FILE' shows results"},
        {"bgref-record ", "records of bgref, which 'bgref verify FILE' reads"},
        {"PK\x03\x04", "a .zip archive; unpack it"},
        {"\x1f\x8b", "a compressed file (gzip); unpack it"},
        {"%PDF", "a .pdf document"},
        {"<!DOCTYPE", "a web page; save the match itself, as text"},
        {"<html", "a web page; save the match itself, as text"},
    };

    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        size_t length = strlen(kinds[i].begin);

        if (size >= length && strncasecmp(text, kinds[i].begin, length) == 0) {
            return kinds[i].what;
        }
    }
    return NULL;
}

/* ---- tries ---- */

static enum bg_status parse_file(struct foreign_file *out, struct foreign_try *try_,
                                 struct foreign_reader reader, const char *text, size_t size)
{
    enum bg_status status;

    reader.out = out;
    status = is_sgf(text, size) ? sgf_parse(&reader, try_, text, size)
                                : mat_parse(&reader, try_, text, size);
    if (status == BG_OK) {
        foreign_match_end(&reader);
    }
    foreign_reader_deinit(&reader);
    if (status != BG_OK) {
        foreign_file_deinit(out);
    }
    return status;
}

/* How much of a file does not fit: games left out, and points that the rules count otherwise. */
static int misfits(const struct foreign_file *file)
{
    return file->left_out + file->notes[FOREIGN_POINTS];
}

/* Most files do not state whether Jacoby's rule was used. Reads with it, then without it if more
 * fits then. try_: how to read the file; on return, how it was read. */
static enum bg_status parse_both(struct foreign_file *out, struct foreign_try *try_,
                                 struct foreign_reader reader, const char *text, size_t size)
{
    enum bg_status status, other;
    struct foreign_file without;

    try_->jacoby = true;
    status = parse_file(out, try_, reader, text, size);
    if (!try_->has_assumed || (status == BG_OK ? misfits(out) == 0 : status != BG_E_MISMATCH)) {
        return status;
    }
    try_->jacoby = false;
    without = (struct foreign_file){0};
    other = parse_file(&without, try_, reader, text, size);
    if (other == BG_OK && (status != BG_OK || misfits(&without) < misfits(out))) {
        foreign_file_deinit(out);
        *out = without;
        return BG_OK;
    }
    foreign_file_deinit(&without);
    try_->jacoby = true;
    return status;
}

/* Tries without callbacks until the best way to read the file is known. Then reads once more with
 * callbacks for notes, games left out and errors. */
static enum bg_status parse_best(struct foreign_file *out, struct foreign_reader reader,
                                 const char *text, size_t size)
{
    struct foreign_user quiet = {0};
    struct foreign_reader silent = reader;
    struct foreign_try try_ = {0};
    bool hears = reader.user != NULL && reader.user->noted != NULL;
    enum bg_status status;

    if (reader.user != NULL) {
        quiet = *reader.user;
        quiet.noted = NULL;
        quiet.left_out = NULL;
    }
    silent.user = &quiet;
    silent.err = NULL;
    status = parse_both(out, &try_, silent, text, size);
    if (foreign_is_bad(status) && reader.user != NULL && reader.user->left_out != NULL) {
        struct foreign_try on = {.goes_on = true};

        if (parse_both(out, &on, silent, text, size) == BG_OK) {
            if (out->matches > 0) {
                status = BG_OK;
                try_ = on;
            } else {
                foreign_file_deinit(out);
            }
        }
    }
    if (status != BG_OK || try_.goes_on || hears) {
        foreign_file_deinit(out);
        status = parse_file(out, &try_, reader, text, size);
    }
    if (status == BG_OK && try_.has_assumed && !try_.jacoby) {
        reader.out = out;
        foreign_note(&reader, FOREIGN_NO_JACOBY, -1);
    }
    return status;
}

enum bg_status foreign_read(struct foreign_file *out, const char *text, size_t size,
                            const char *name, const struct foreign_user *user, struct bg_error *err)
{
    struct foreign_reader reader = {.name = name, .user = user, .err = err};
    const unsigned char *bytes = (const unsigned char *)text;
    char *made = NULL;
    const char *other;
    enum bg_status status;

    *out = (struct foreign_file){0};
    if (size >= 2 && (memcmp(bytes, "\xff\xfe", 2) == 0 || memcmp(bytes, "\xfe\xff", 2) == 0)) {
        text = made = from_utf16(&size, bytes, size);
    } else if (size >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0) {
        text += 3;
        size -= 3;
    }
    other = other_kind(text, size);
    status = other != NULL ? bg_error_set(err, BG_E_FORMAT, "%.120s: %s", name, other)
                           : parse_best(out, reader, text, size);
    if (status == BG_OK && made != NULL) {
        reader.out = out;
        foreign_note(&reader, FOREIGN_LATIN1, -1);
    }
    free(made);
    return status;
}

void foreign_file_deinit(struct foreign_file *file)
{
    for (int i = 0; i < file->matches; i++) {
        for (int j = 0; j < file->match[i].games; j++) {
            record_deinit(&file->match[i].game[j].record);
        }
        free(file->match[i].game);
    }
    free(file->match);
    *file = (struct foreign_file){0};
}

/* ---- files ---- */

static enum bg_status read_bytes(char **text, size_t *size, FILE *file, const char *path,
                                 struct bg_error *err)
{
    FILE *memory = memory_stream(text, size);
    char block[BUFSIZ];
    size_t got, all = 0;

    /* Counted while reading, since standard input has no size to ask for. */
    while (all <= FILE_MAX_BYTES && (got = fread(block, 1, sizeof block, file)) > 0) {
        fwrite(block, 1, got, memory);
        all += got;
    }
    memory_stream_close(memory);
    if (all > FILE_MAX_BYTES) {
        return bg_error_set(err, BG_E_FORMAT, "%.200s: more than %d MB", path,
                            FILE_MAX_BYTES / 1000000);
    }
    return ferror(file) != 0
               ? bg_error_set(err, BG_E_SYSTEM, "read %.200s: %s", path, strerror(errno))
               : BG_OK;
}

enum bg_status foreign_read_file(struct foreign_file *out, const char *path,
                                 const struct foreign_user *user, struct bg_error *err)
{
    bool standard = strcmp(path, "-") == 0;
    const char *name = standard ? "standard input" : path;
    FILE *file = stdin;
    const char *why = standard ? NULL : plain_file_open(&file, path, FILE_MAX_BYTES);
    char *text = NULL;
    size_t size = 0;
    enum bg_status status;

    *out = (struct foreign_file){0};
    if (why != NULL) {
        return bg_error_set(err, BG_E_ARGUMENT, "%.200s: %s", path, why);
    }
    status = read_bytes(&text, &size, file, name, err);
    if (status == BG_OK) {
        status = foreign_read(out, text, size, name, user, err);
    }
    free(text);
    if (!standard) {
        fclose(file);
    }
    return status;
}
