/* The dice that people enter, as the digits of one number. */
#include "wire.h"

uint32_t wire_digits_of_dice(const uint8_t *die, size_t count)
{
    uint32_t digits = 0;

    if (count < 1 || count > WIRE_DICE) {
        return 0;
    }
    for (uint8_t number = 6; number >= 1; number--) {
        for (size_t i = 0; i < count; i++) {
            digits = die[i] == number ? 10 * digits + number : digits;
        }
    }
    for (size_t i = 0; i < count; i++) {
        if (die[i] < 1 || die[i] > 6) {
            return 0;
        }
    }
    return digits;
}

size_t wire_dice_of_digits(uint8_t die[WIRE_DICE], uint32_t digits)
{
    size_t count = 0;

    for (size_t i = 0; i < WIRE_DICE; i++) {
        die[i] = 0;
    }
    for (uint32_t rest = digits; rest > 0 && count < WIRE_DICE; rest /= 10) {
        count++;
    }
    for (size_t i = count; i-- > 0; digits /= 10) {
        die[i] = (uint8_t)(digits % 10);
    }
    return count;
}
