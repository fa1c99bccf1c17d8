/* clock.h - time controls as arithmetic. Time is an argument; this module reads no clock.
 *
 *     none                     no clock
 *     move=50ms                this time for every decision
 *     bank=60s,inc=100ms       a reserve, and an increment added to it after every turn
 *     bank=2m/pt,delay=12s     the backgammon clock: a reserve (for each point of length with /pt)
 *                        and a delay per turn that is not saved
 */
#ifndef RESULTS_RECORD_CLOCK_H
#define RESULTS_RECORD_CLOCK_H

#include <bgref/error.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum clock_kind { CLOCK_NONE, CLOCK_MOVE, CLOCK_INCREMENT, CLOCK_DELAY, CLOCK_KIND_COUNT };

struct clock_control {
    enum clock_kind kind;
    int64_t move_ns, bank_ns, inc_ns, delay_ns;
    bool bank_per_point;
};

/* Reads the texts above. Times need a unit (ns, us, ms, s, m, h) and may be up to a week. "inf" is
 * "none", "reserve" is "bank", and a bank alone has no increment. BG_E_ARGUMENT: the message has
 * the defect. */
enum bg_status clock_control_read(struct clock_control *out, const char *text,
                                  struct bg_error *err);
void clock_control_write(char *out, size_t size, const struct clock_control *control);

/* Whether the control has a reserve, which lasts for a whole match. */
bool clock_has_bank(const struct clock_control *control);

/* One seat's clock in one match. */
struct clock {
    struct clock_control control;
    int64_t left_ns;       /* reserve left; CLOCK_MOVE: always move_ns; CLOCK_NONE: 0 */
    int64_t delay_left_ns; /* CLOCK_DELAY: delay left in this turn */
};

void clock_begin(struct clock *clock, const struct clock_control *control, int length_points);
/* Continues a match with the recorded reserve. */
void clock_resume(struct clock *clock, int64_t left_ns);
/* Begins a new turn of this seat: resets the delay. */
void clock_turn(struct clock *clock);
/* Returns the longest time the next decision may take, without margin; -1: no limit. */
int64_t clock_allowed(const struct clock *clock);
/* Charges a decision that took spent_ns. Returns false if the flag fell (it took longer than
 * allowed plus margin_ns). end_of_turn: adds the increment. */
bool clock_charge(struct clock *clock, int64_t spent_ns, int64_t margin_ns, bool end_of_turn);

#endif
