/* A match equity table of the project's own model, as numbers and not computed at the start:
 * bots must not depend on results/, where the model is, and the file is the same for each
 * machine. Rows hold only the leader's side; the trailer's chance is the rest of 1. Beyond the
 * table a rule of thumb is near enough. */
#include "score.h"

#include <stdint.h>

static const double UNIT = 1e-4; /* of the tables, which are from the project's own model: */

/* leader[i][j]: needs i + 1 points, the trailer i + j + 2, before a game, where that is the
 * Crawford game too. `bgref met --away=25` prints it. */
static const uint16_t leader[SCORE_TABLE - 1][SCORE_TABLE - 1] = {
    {6775, 7517, 8148, 8416, 8873, 9072, 9327, 9440, 9595, 9665, 9757, 9799,
     9854, 9879, 9912, 9927, 9947, 9956, 9968, 9974, 9981, 9984, 9988, 9991},
    {6031, 6744, 7449, 8001, 8410, 8744, 9003, 9222, 9382, 9518, 9617, 9702,
     9764, 9816, 9855, 9887, 9911, 9931, 9945, 9958, 9966, 9974, 9980},
    {5755, 6508, 7136, 7637, 8061, 8413, 8717, 8952, 9156, 9313, 9450,
     9554, 9644, 9712, 9771, 9816, 9854, 9882, 9907, 9925, 9941, 9953},
    {5774, 6428, 6985, 7453, 7873, 8232, 8531, 8784, 8995, 9174, 9320,
     9444, 9545, 9630, 9698, 9755, 9801, 9839, 9870, 9895, 9915},
    {5668, 6265, 6783, 7257, 7671, 8026, 8335, 8598, 8827, 9017,
     9182, 9319, 9436, 9533, 9615, 9683, 9740, 9786, 9825, 9857},
    {5620, 6162, 6673, 7125, 7527, 7878, 8187, 8457, 8690, 8891, 9064, 9214, 9340, 9448, 9539, 9616,
     9681, 9735, 9781},
    {5554, 6087, 6565, 7002, 7390, 7738, 8047, 8319, 8558, 8767, 8949, 9107, 9243, 9360, 9461, 9546,
     9619, 9681},
    {5540, 6034, 6493, 6908, 7287, 7628, 7933, 8205, 8447, 8660, 8848, 9012, 9155, 9279, 9387, 9480,
     9559},
    {5502, 5977, 6413, 6818, 7186, 7521, 7824, 8096, 8340, 8557, 8749, 8919, 9069, 9199, 9314,
     9413},
    {5482, 5931, 6354, 6743, 7103, 7431, 7730, 8001, 8245, 8465, 8660, 8834, 8989, 9125, 9244},
    {5455, 5889, 6295, 6674, 7023, 7346, 7642, 7912, 8156, 8377, 8575, 8753, 8911, 9052},
    {5439, 5854, 6247, 6613, 6956, 7272, 7564, 7831, 8075, 8296, 8497, 8677, 8838},
    {5420, 5822, 6201, 6558, 6892, 7203, 7491, 7756, 7999, 8220, 8422, 8604},
    {5406, 5793, 6162, 6509, 6836, 7141, 7425, 7687, 7929, 8150, 8352},
    {5391, 5767, 6124, 6464, 6783, 7083, 7363, 7622, 7862, 8083},
    {5379, 5743, 6092, 6423, 6736, 7030, 7306, 7563, 7801},
    {5367, 5722, 6061, 6385, 6691, 6981, 7252, 7506},
    {5357, 5702, 6033, 6350, 6650, 6935, 7203},
    {5347, 5684, 6007, 6317, 6612, 6892},
    {5339, 5667, 5983, 6287, 6576},
    {5330, 5651, 5961, 6258},
    {5323, 5637, 5940},
    {5316, 5623},
    {5309},
};

/* trailer[i]: needs i + 1 points, the leader one, the Crawford game past. */
static const uint16_t trailer[SCORE_TABLE] = {5000, 4868, 3225, 3116, 1900, 1818, 1153, 1096, 693,
                                              654,  418,  393,  251,  235,  151,  141,  91,   85,
                                              55,   51,   33,   31,   20,   18,   12};

/* Returns the chance of the side that needs fewer points, both at least one. */
static double leader_chance(double needs, double other, bool crawford_over)
{
    if (other > SCORE_TABLE) {
        /* Janowski: 85 % of the lead, as a share of what the trailer needs plus six. */
        return 0.5 + 0.85 * (other - needs) / (other + 6.0);
    }
    if (needs == 1.0 && crawford_over) {
        return 1.0 - UNIT * trailer[(int)other - 1];
    }
    return UNIT * leader[(int)needs - 1][(int)(other - needs) - 1];
}

double score_chance(const struct score *score)
{
    if (score->own <= 0.0 || score->opponent <= 0.0) {
        return score->own <= 0.0 ? 1.0 : 0.0;
    }
    if (score->own == score->opponent) {
        return 0.5;
    }
    return score->own < score->opponent
               ? leader_chance(score->own, score->opponent, score->crawford_over)
               : 1.0 - leader_chance(score->opponent, score->own, score->crawford_over);
}
