/* bot_host.h - the referee's end of one bot process, for tests of bots and of the client.
 *
 * Starts a program, greets it, sends decisions and collects answers; every wait has a time limit.
 * Plays are not judged here. A failure of the host itself prints its cause and aborts the process.
 */
#ifndef BOT_HOST_H
#define BOT_HOST_H

#include <sys/types.h>

#include <bgref/ask.h>

#include "wire/wire.h"

struct bot_host;

/* Starts program with the options given as "Name=value" (NULL at the end) and greets it. Returns
 * NULL if the bot ended before it was ready; then *exit_status is waitpid's. */
struct bot_host *bot_host_start(const char *program, const char *const *options, int *exit_status);

/* The bot's Hello. */
const struct wire_hello *bot_host_hello(const struct bot_host *host);

/* Sends count decisions in one message and waits until all are answered: answers[i] belongs to
 * asks[i]. Returns false if the bot ended before; *exit_status is waitpid's. */
bool bot_host_ask(struct bot_host *host, struct bg_answer *answers, const struct bg_ask *asks,
                  size_t count, int *exit_status);

/* Sends Goodbye and waits for the bot to end; returns waitpid's status. Frees host. */
int bot_host_end(struct bot_host *host);

#endif
