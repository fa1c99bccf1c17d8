/* format.h - exports for other programs: one table row and one source file per format.
 *
 * A format writes one game after another into a struct format_file. Match formats (.mat, .sgf)
 * begin a new file for each match or money session; lists (CSV, JSON, XGID) have one file.
 */
#ifndef RESULTS_FORMAT_FORMAT_H
#define RESULTS_FORMAT_FORMAT_H

#include <store/store.h>

/* A file being written: its bytes are head, then body. A list's head and body may be emptied
 * between games. */
struct format_file {
    bool session;     /* money games that are counted together */
    bool surplus;     /* the next game is surplus: kept, but not counted (store/counted.h) */
    int games;        /* games written */
    int64_t score[2]; /* in a session: points won so far by A, by B */
    bool crawford;    /* .mat: already contains the game that readers take for the Crawford game */
    struct record head, body;
};

/* Frees what a zeroed or used file owns. */
void format_file_deinit(struct format_file *file);

struct format {
    const char *name;                   /* as typed on the command line */
    const char *what;                   /* one line for --help */
    bool by_match;                      /* one file per match; false: one list of games */
    const char *top, *between, *bottom; /* lists: text before, between and after the games */

    /* Appends a game; view is its record. BG_E_ARGUMENT: the format cannot express the game, the
     * message has the reason, and the file is unchanged. BG_E_MISMATCH: the record cannot be
     * replayed. */
    enum bg_status (*game)(struct format_file *file, const struct store_game *game,
                           const struct record_view *view, struct bg_error *err);
};

const struct format *format_find(const char *name); /* NULL: unknown name */
const struct format *format_at(int i);              /* NULL: past the last format */

/* The functions in the table's rows. */
enum bg_status mat_game(struct format_file *file, const struct store_game *game,
                        const struct record_view *view, struct bg_error *err);
enum bg_status sgf_game(struct format_file *file, const struct store_game *game,
                        const struct record_view *view, struct bg_error *err);
enum bg_status csv_game(struct format_file *file, const struct store_game *game,
                        const struct record_view *view, struct bg_error *err);
enum bg_status json_game(struct format_file *file, const struct store_game *game,
                         const struct record_view *view, struct bg_error *err);
enum bg_status jsonl_game(struct format_file *file, const struct store_game *game,
                          const struct record_view *view, struct bg_error *err);
enum bg_status xgid_game(struct format_file *file, const struct store_game *game,
                         const struct record_view *view, struct bg_error *err);
extern const char csv_top[], xgid_top[];

/* --- what the formats share: text that grows in memory -------------------------------------- */

struct text {
    struct record *out; /* appended to; stays terminated */
};

void text_put(struct text *text, const char *format, ...) BG_PRINTF(2, 3);

/* Writes the bytes of value, with `mark` before each byte that is in `marked`. */
void text_put_marked(struct text *text, const char *value, const char *marked, char mark);

/* Removes everything written after size. */
void text_cut(struct text *text, size_t size);

/* --- and player names, for programs that accept at most 31 bytes --------------------------- */

enum { FORMAT_NAME = 32 /* including the terminator */ };

/* Returns the display names of seats 0 and 1: for imported games the foreign file's, else the bots'
 * names. Lent by view. */
void format_players(const char *name[2], const struct record_view *view);

/* Cuts both names to the allowed length, between UTF-8 characters, and keeps different names
 * different: names that would become equal end in `~1` and `~2`. An empty name becomes "-",
 * and a colon, at which gnubg's reader of .mat ends its program, '_'. */
void format_names(char out[2][FORMAT_NAME], const char *const name[2]);

#endif
