/* offers.h - the options that a bot offers, for people: asked of the bot itself. */
#ifndef REFEREE_BOT_OFFERS_H
#define REFEREE_BOT_OFFERS_H

#include <stdio.h>

#include "wire/wire.h"

/* Writes one line per option: name, accepted values, default, help. */
void offers_write(FILE *out, const struct wire_option *offers, size_t count);

#endif
