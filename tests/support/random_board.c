#include "random_board.h"

#include <string.h>

#include "match_laws.h"

/* The opponent's checkers in the numbering of the seat whose checkers are placed. */
struct placing {
    struct bg_board *board;
    const struct plain_game *game;
    uint64_t *random;
    int seat, left;
};

static int slot_of(int point)
{
    return point > BG_POINTS ? point - BG_POINTS - 1 + BG_FAR : point;
}

static int opponents_at(const struct placing *placing, int point)
{
    return placing->board
        ->at[1 - placing->seat][slot_of(plain_opponent_point(placing->game, point))];
}

/* Puts a checker on the point if the opponent allows it. */
static void put(struct placing *placing, int point)
{
    if (placing->left > 0 && opponents_at(placing, point) == 0) {
        placing->board->at[placing->seat][slot_of(point)]++;
        placing->left--;
    }
}

static void put_somewhere(struct placing *placing, int slot)
{
    placing->board->at[placing->seat][slot] += (uint8_t)placing->left;
    placing->left = 0;
}

/* A row of points, as in primes and full tables. */
static void put_row(struct placing *placing)
{
    const int low = 1 + laws_below(placing->random, placing->game->points - 6);
    const int length = 4 + laws_below(placing->random, 4);

    for (int n = low; n < low + length && n <= placing->game->points; n++) {
        put(placing, n);
    }
}

static void put_on_board(struct placing *placing)
{
    const int points = placing->game->points, sort = laws_below(placing->random, 8);
    const int reach = sort <= 1 ? 6 : sort == 2 ? 12 : points;
    const int on =
        laws_below(placing->random, 3) == 0 ? 1 + laws_below(placing->random, 4) : placing->left;

    if (sort > 1 && laws_below(placing->random, 2) == 0) {
        put_row(placing);
    }
    if (sort >= 6) { /* all the others on one or two points */
        const int a = 1 + laws_below(placing->random, points);
        const int b = laws_below(placing->random, 3) == 0 ? points : a;

        for (int i = 0; i < on; i++) {
            put(placing, i % 2 == 0 ? a : b);
        }
    }
    for (int i = 0; i < on; i++) {
        put(placing, 1 + laws_below(placing->random, reach));
    }
}

static void pin_some(struct bg_board *board, const struct plain_game *game, uint64_t *random)
{
    for (int tries = laws_below(random, 12); tries > 0; tries--) {
        const int seat = laws_below(random, 2), sort = laws_below(random, 3);
        const int mine = sort == 0 ? 24 : 1 + laws_below(random, sort == 1 ? 6 : 24);
        const int opponents = plain_opponent_point(game, mine);

        if (board->at[seat][mine] == 0 && board->at[1 - seat][opponents] > 0 &&
            board->at[seat][BG_OFF] > 0 && (board->pinned[1 - seat] >> opponents & 1) == 0) {
            board->at[seat][BG_OFF]--;
            board->at[seat][mine] = 1;
            board->pinned[seat] |= UINT64_C(1) << mine;
        }
    }
}

/* One seat's first checker near the opponent's start, which it has to pass, and all others at the
 * start. */
static void put_first(struct placing *placing)
{
    if (opponents_at(placing, 24) == 0) {
        put(placing, 9 + laws_below(placing->random, 6));
        put_somewhere(placing, 24);
    }
}

/* One seat on a single point, the other mostly on the six before it. */
static void put_stuck(struct bg_board *board, const struct plain_game *game, uint64_t *random)
{
    const int seat = laws_below(random, 2), point = 6 + laws_below(random, 6);
    struct placing opponent = {board, game, random, 1 - seat, game->checkers};

    board->at[seat][point] = (uint8_t)(1 + laws_below(random, game->checkers));
    board->at[seat][BG_OFF] = (uint8_t)(game->checkers - board->at[seat][point]);
    for (int before = 1; before <= 6 && before < point; before++) {
        put(&opponent, plain_opponent_point(game, point - before));
    }
    put_on_board(&opponent);
    put_somewhere(&opponent, BG_OFF);
}

/* Before its first checker has passed, a side has all others at the start. */
static void send_back(struct bg_board *board, const struct plain_game *game, int seat)
{
    int away = 0;

    for (int n = 1; n <= game->first; n++) {
        if (board->at[seat][n] > 0) {
            return;
        }
    }
    if (game->first == 0 || board->at[seat][BG_OFF] > 0) {
        return;
    }
    for (int n = 23; n >= 1; n--) {
        const int moved = board->at[seat][n] - (away == 0 && board->at[seat][n] > 0);

        away += board->at[seat][n] - moved;
        board->at[seat][n] = (uint8_t)(board->at[seat][n] - moved);
        board->at[seat][24] = (uint8_t)(board->at[seat][24] + moved);
    }
}

static void random_piles(struct bg_board *board, uint64_t *random)
{
    for (int seat = 0; seat < 2; seat++) {
        const bool lowered = laws_below(random, 2) == 0;

        for (int n = 1; n <= 6; n++) {
            const int pile = n >= 4 ? 3 : 2;
            const int left = lowered ? laws_below(random, pile + 1) : pile;

            board->at[seat][n] = (uint8_t)left;
            board->at[seat][BG_OFF] += (uint8_t)(pile - left);
            board->stacked[seat][n] = (uint8_t)(lowered ? 0 : laws_below(random, pile));
        }
    }
}

static void random_side(struct bg_board *board, const struct plain_game *game, int seat,
                        uint64_t *random)
{
    struct placing placing = {board, game, random, seat, game->checkers};
    const bool hits = game->contact == PLAIN_HIT, hand = game->setup[0] == '\0';

    if (hits && laws_below(random, 4) == 0) {
        board->at[seat][BG_BAR] = (uint8_t)(1 + laws_below(random, 2));
        placing.left -= board->at[seat][BG_BAR];
    }
    if (hand && laws_below(random, 2) == 0) {
        const int all = laws_below(random, 6) == 0;

        board->at[seat][BG_HAND] = (uint8_t)(all ? placing.left : laws_below(random, placing.left));
        placing.left -= board->at[seat][BG_HAND];
    }
    if (game->first > 0 && laws_below(random, 4) == 0) {
        put_first(&placing);
    }
    put_on_board(&placing);
    if (hand && laws_below(random, 2) == 0) {
        put_somewhere(&placing, BG_HAND);
    } else if (game->first > 0 && laws_below(random, 2) == 0 && opponents_at(&placing, 24) == 0) {
        put_somewhere(&placing, 24);
    } else {
        put_somewhere(&placing, BG_OFF);
    }
}

void random_board(struct bg_board *out, const struct plain_game *game, uint64_t *random)
{
    do {
        memset(out, 0, sizeof *out);
        if (game->contact == PLAIN_PILES) {
            random_piles(out, random);
            continue;
        }
        if (game->open_prime && laws_below(random, 3) == 0) {
            put_stuck(out, game, random);
            continue;
        }
        for (int i = 0, seat = laws_below(random, 2); i < 2; i++, seat = 1 - seat) {
            random_side(out, game, seat, random);
        }
        if (game->contact == PLAIN_PIN) {
            pin_some(out, game, random);
        }
        for (int seat = 0; seat < 2; seat++) {
            if (out->at[1 - seat][plain_opponent_point(game, 24) % 25] == 0) {
                send_back(out, game, seat);
            }
            out->may_hit[seat] =
                game->right == PLAIN_RIGHT_KEPT && laws_below(random, 3) != 0 ? 1 : 0;
        }
    } while (plain_over(game, out));
}

struct plain_stage random_stage(const struct plain_game *game, uint64_t *random)
{
    int die[3];

    for (int i = 0; i < 3; i++) {
        die[i] = 1 + laws_below(random, 6);
    }
    if (game->dice == 2 && laws_below(random, 8) == 0) { /* more doubles than in real dice */
        die[1] = die[0];
    }
    if (game->handover && laws_below(random, 4) == 0) {
        return (struct plain_stage){1 + laws_below(random, 4), {die[0], die[0], die[0], die[0]}};
    }
    if (game->gate != PLAIN_GATE_FREE && laws_below(random, 4) == 0) {
        return (struct plain_stage){2, {2, 1}};
    }
    return plain_stage_roll(game, die[0], die[1], die[2]);
}
