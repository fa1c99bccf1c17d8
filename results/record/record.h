/* record.h - one game as its list of steps: writing, reading, replaying.
 *
 * A record is plain UTF-8 text, described in docs/record.md: a header of `key value` lines, a line
 * `steps`, one line per step, one `end` line, and a chain hash over everything. A step's time is at
 * the end of its line after `@`, in nanoseconds, so the canonical form is the same text without
 * times. A record holds everything needed to replay the game through bg_match_step.
 */
#ifndef RESULTS_RECORD_RECORD_H
#define RESULTS_RECORD_RECORD_H

#include <bgref/ask.h>
#include <bgref/dice.h>
#include <bgref/match.h>
#include <bgref/thought.h>

enum { RECORD_HASH = 65 };

/* The data before the first step. Strings are lent to record_begin, which copies them. */
struct record_header {
    const char *game_id; /* "A|B|pair|leg|game" */
    const char *alias;   /* the id that the bots saw instead (bgref/dice.h); NULL: game_id */
    const char *event;
    const char *seat_name[2];     /* bots on seat 0 and seat 1 */
    const char *seat_program[2];  /* digest of the program; "-" unknown */
    const char *seat_version[2];  /* name and version from Hello */
    const char *seat_options[2];  /* "Ply=0 Noise=0.02", "" none */
    const struct bg_match *start; /* before the first step: from bg_match_begin, bg_match_begin_at
                                     or BG_STEP_NEXT, which is not recorded itself */
    bool has_clock;
    const char *clock;  /* "none", "bank=60s,inc=100ms"; if the seats' clocks differ, seat 0's and
                           1's with " / " between */
    int64_t left_ns[2]; /* by seat, at the beginning of the game */
    const char *prev;   /* hash of the leg's previous game; "" for the first */
    const char *dice;   /* "keyed" or "reproducible", ... */
    const char *key;    /* digest of the key of the dice; NULL: no line */
    uint64_t attempt;   /* how often the pair was restarted */
    const char *trust;  /* "own", "strangers"; NULL: no line */
    const char *host;   /* "" or free text without line breaks */
};

struct record_part;

/* A record being written. A zeroed value is ready for record_begin, which may be called for one
 * game after another. */
struct record {
    char *text; /* owned; the whole record, terminated, once record_end was called */
    size_t size, room;
    struct record_part *parts; /* owned; what is before text while it is written, newest first */
    int steps;
    uint16_t check; /* running check of the lines */
};

void record_deinit(struct record *record);
void record_begin(struct record *record, const struct record_header *header);

/* The time of one step. */
struct record_time {
    int64_t spent_ns;  /* charged to the acting bot; -1: not measured */
    int64_t waited_ns; /* what it has waited for a core besides, which is not charged; 0: not, or
                          not measured */
};

/* A step that was made in a running game, for who looks on; all is lent. */
struct record_made {
    const struct bg_step *step;
    const struct bg_match *after; /* the match that it leads to */
    int number;                   /* in its game, from 1 */
    bool has_clock;
    int64_t spent_ns, left_ns[2]; /* -1: not measured; on the clocks, by seat */
};

/* Appends one step. spent_ns: time charged to the acting bot; -1 if not measured. */
void record_append(struct record *record, const struct bg_step *step, int64_t spent_ns);

void record_append_timed(struct record *record, const struct bg_step *step,
                         const struct record_time *time);

/* Appends what the acting bot thought of the step appended last. Values are rounded to four
 * decimals. */
void record_append_thought(struct record *record, const struct bg_thought *thought);

/* Appends the end line (result, clocks left) and the chain hash; also copies the hash to hash[]. */
void record_end(struct record *record, const struct bg_result *result, const int64_t left_ns[2],
                char hash[RECORD_HASH]);

/* A record that was read. Its pointers refer to a copy of the text, made by record_read. */
struct record_view;

enum bg_status record_read(struct record_view **out, const char *text, size_t size,
                           struct bg_error *err);
void record_view_destroy(struct record_view *view);

const char *record_view_value(const struct record_view *view, const char *key); /* NULL: none */
uint64_t record_view_attempt(const struct record_view *view); /* how often the pair was restarted */
int record_view_steps(const struct record_view *view);
void record_view_step(struct bg_step *step, int64_t *spent_ns, const struct record_view *view,
                      int i);
int64_t record_view_waited(const struct record_view *view, int i); /* record_time.waited_ns */
/* What the acting bot thought of step i. Returns false if it told nothing. */
bool record_view_thought(struct bg_thought *out, const struct record_view *view, int i);
/* Returns the line number (from 1) of step i. */
int record_view_line(const struct record_view *view, int i);
const char *record_view_hash(const struct record_view *view);

/* Computes the match before the first step from the header (score, cube, Crawford, position,
 * rules). */
enum bg_status record_view_start(struct bg_match *out, const struct record_view *view,
                                 struct bg_error *err);
void record_view_result(struct bg_result *result, int64_t left_ns[2],
                        const struct record_view *view);

/* Replays every step from record_view_start; *out is the match after the last step. BG_E_MISMATCH:
 * the message has the step and the broken rule. */
enum bg_status record_replay(struct bg_match *out, const struct record_view *view,
                             struct bg_error *err);

/* Recomputes the chain hash. BG_E_MISMATCH: the message has the first wrong line. */
enum bg_status record_check_hash(const struct record_view *view, struct bg_error *err);

/* Appends a record's canonical text to *out: id, rules, start, steps and result; no times,
 * evidence, host, program digests or hashes. */
void record_canonical(struct record *out, const struct record_view *view);

/* Writes one step as a record line and reads it back (without time, check and LF). Writes only the
 * fields that this kind of step uses. */
enum { RECORD_STEP = 128 };
void record_step_write(char out[RECORD_STEP], const struct bg_step *step);
enum bg_status record_step_read(struct bg_step *out, const char *line, struct bg_error *err);

/* The same with the time, as in a record: "... @1500000", "... @1500000+20800000". read takes size
 * bytes of line. */
enum { RECORD_TIMED = RECORD_STEP + 44 };
void record_timed_write(char out[RECORD_TIMED], const struct bg_step *step,
                        const struct record_time *time);
enum bg_status record_timed_read(struct bg_step *out, struct record_time *time, const char *line,
                                 size_t size, struct bg_error *err);

/* A thought as a record line, and back. read takes size bytes, and accepts only what write writes.
 */
enum { RECORD_THOUGHT = 768 };
void record_thought_write(char out[RECORD_THOUGHT], const struct bg_thought *thought);
bool record_thought_read(struct bg_thought *out, const char *line, size_t size);

/* Writes rules as one line "variant=backgammon length=3 ..." and reads them back. */
enum { RECORD_RULES = 512 };
void record_rules_write(char out[RECORD_RULES], const struct bg_rules *rules);
enum bg_status record_rules_read(struct bg_rules *out, const char *line, struct bg_error *err);

#endif
