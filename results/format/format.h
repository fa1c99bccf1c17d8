/* format.h - exports for other programs: one row a format, one file of source each.
 *
 * A format writes one game after another into a struct format_file. Formats of matches (.mat,
 * .sgf) begin a new file with each match or money session; lists (CSV, JSON, XGID) have one.
 */
#ifndef RESULTS_FORMAT_FORMAT_H
#define RESULTS_FORMAT_FORMAT_H

#include <store/store.h>

/* A file that is being written: its bytes are those of head, then those of body. A list's head and
 * body may be emptied between games. */
struct format_file {
    bool session;     /* money games that are counted together */
    bool surplus;     /* the next game is surplus: kept, but not counted (tally/counted.h) */
    int games;        /* written so far */
    int64_t score[2]; /* session: won so far by A, by B */
    bool crawford;    /* .mat: a game that readers take for the Crawford game was written */
    struct record head, body;
};

/* Frees what a zeroed or used file owns. */
void format_file_deinit(struct format_file *file);

struct format {
    const char *name;                   /* as typed on the command line */
    const char *what;                   /* one line for --help */
    bool by_match;                      /* a file a match; else a list of games */
    const char *top, *between, *bottom; /* lists: before, between and behind the games */

    /* Appends a game; view is the record of game. BG_E_ARGUMENT names what the format cannot
     * express: the file is then as it was. BG_E_MISMATCH: the record does not replay; BG_E_MEMORY.
     */
    enum bg_status (*game)(struct format_file *file, const struct store_game *game,
                           const struct record_view *view, struct bg_error *err);
};

const struct format *format_find(const char *name); /* NULL: unknown name */
const struct format *format_at(int i);              /* NULL: past the last */

/* The rows. */
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

#endif
