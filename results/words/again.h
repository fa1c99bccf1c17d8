/* again.h - the commands of a fault's `reproduce`, apart. */
#ifndef RESULTS_WORDS_AGAIN_H
#define RESULTS_WORDS_AGAIN_H

/* The line that the rules give their verdict by (bgref plays ...), and the one that puts the bot
 * before the position again (bgref ask ...). Copies for free(), NULL where there is none. */
struct again {
    char *rules, *bot;
};

void again_init(struct again *out, const char *reproduce); /* NULL: none */
void again_deinit(struct again *again);

#endif
