#include "evaluate.h"

/* Found by self-play: hundredths of log-odds for each unit of the term. Each row has the
 * weights of its classes: race, late, opening, middle.
 *
 * Rows stand in the order of the terms (terms.h), without their names as indices, so that the whole
 * table is seen at once; who adds a term adds its row at the same place. At a 0 the term
 * explained nothing in that class, or the fit would have turned its sign, which no weight may. */
const struct weights weights =
    {
        .win =
            {
                {102, 8, 9, 35},   /* pips */
                {62, 4, 18, 17},   /* throw_first */
                {153, 218, 0, 62}, /* men_left */
                {70, 21, 96, 106}, /* wasted */
                {39, 46, 82, 0},   /* gaps */
                {47, 25, 0, 0},    /* crossovers */
                {66, 45, 30, 73},  /* pips_at_risk */
                {180, 14, 0, 7},   /* lead_at_risk */
                {0, 10, 0, 18},    /* risk_of_board */
                {0, 3, 8, 30},     /* later_risk */
                {19, 11, 7, 7},    /* on_bar */
                {68, 0, 0, 0},     /* shut_out */
                {0, 3, 2, 84},     /* closed_out */
                {4, 7, 31, 5},     /* board */
                {67, 18, 0, 0},    /* board_at_work */
                {0, 9, 0, 0},      /* key_points */
                {0, 24, 15, 8},    /* prime */
                {0, 10, 16, 4},    /* hold */
                {22, 0, 0, 0},     /* attack */
                {0, 4, 2, 2},      /* builders */
                {0, 0, 6, 2},      /* back_men */
                {0, 0, 8, 0},      /* anchor_behind */
                {0, 0, 2, 0},      /* safe_landing */
                {0, 24, 0, 47},    /* escape */
                {0, 9, 0, 0},      /* to_pass */
                {0, 0, 4, 5},      /* stacks */
                {5, 0, 13, 7},     /* dead_men */
                {26, 4, 7, 46},    /* split */
                {60, 6, 0, 0},     /* timing_behind */
                {26, 10, 7, 0},    /* midpoint */
                {92, 0, 0, 0},     /* holes_at_home */
                {85, 0, 1, 0},     /* uneven_top */
            },
        .gammon =
            {
                {2, 236, 109, 182}, /* rare */
                {136, 10, 10, 6},   /* throws_short */
                {0, 19, 5, 7},      /* to_save */
                {19, 5, 0, 0},      /* not_home */
                {0, 0, 3, 1},       /* opponent_back */
                {33, 36, 8, 37},    /* opponent_on_bar */
                {0, 47, 58, 76},    /* opponent_shut_out */
                {32, 21, 0, 46},    /* opponent_anchor */
                {0, 0, 6, 19},      /* opponent_blots */
                {0, 0, 15, 12},     /* own_board */
            },
        .backgammon =
            {
                {290, 204, 95, 140}, /* rare */
                {49, 17, 12, 4},     /* throws_short */
                {0, 0, 0, 0},        /* to_save */
                {0, 0, 0, 0},        /* not_home */
                {0, 17, 4, 0},       /* opponent_back */
                {0, 0, 10, 0},       /* opponent_on_bar */
                {0, 0, 17, 0},       /* opponent_shut_out */
                {0, 0, 0, 0},        /* opponent_anchor */
                {0, 0, 5, 2},        /* opponent_blots */
                {0, 0, 10, 0},       /* own_board */
            },
};
