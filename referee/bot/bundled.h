/* bundled.h - the bots that come with the program, and where they and the user's own are found. */
#ifndef REFEREE_BOT_BUNDLED_H
#define REFEREE_BOT_BUNDLED_H

#include <stdbool.h>
#include <stddef.h>

#include "competitor.h"

/* For messages: those of them that judges are made of. */
#define BUNDLED_EVALUATORS "td, bkg, greedy and gnubg"

int bundled_count(void);
/* Returns true if this bundled bot does not value positions, so that it cannot judge. */
bool bundled_only_plays(const char *name);

/* Returns bundled bot i, with its program in this folder. BG_E_ARGUMENT: the folder's path is
 * too long. */
enum bg_status bundled_bot(struct competitor *out, int i, const char *folder, struct bg_error *err);

/* Finds the folder of the bundled programs: BGREF_BOTS_DIR, or beside the running program. */
void bundled_find_folder(char *out, size_t size);

/* Finds the path of the user's bots.yaml, whether it exists or not; "" without a home folder. */
void bundled_find_user_file(char *out, size_t size);

#endif
