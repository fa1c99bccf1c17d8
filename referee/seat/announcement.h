/* announcement.h - how a game begins, as its bot is told. */
#ifndef REFEREE_SEAT_ANNOUNCEMENT_H
#define REFEREE_SEAT_ANNOUNCEMENT_H

#include "wire/wire.h"

/* The game as it is in ask, which is from the told bot's view. number: in its match, from 0. */
struct bg_game_begin announcement_of(const struct bg_ask *ask, int number);

/* Adds a tell that a game begins as it is in ask: for decisions that belong to no table. */
void announcement_tell(struct wire_tells *tells, const struct bg_ask *ask, int number);

/* Packs the NewGame. BG_E_MEMORY. */
enum bg_status announcement_pack(struct wire_buffer *buffer, const struct bg_ask *ask, int number,
                                 struct bg_error *err);

#endif
