/* bot_host.h - the referee's end of one bot process, for tests of bots and of the client.
 *
 * Starts a program, greets it, sends decisions and collects answers; every wait has an end. Nothing
 * is judged here. A failure of the host itself says what failed and aborts the process.
 */
#ifndef BOT_HOST_H
#define BOT_HOST_H

#include <sys/types.h>

#include <bgref/ask.h>

#include "wire/wire.h"

struct bot_host;

/* Starts program with the options given as "Name=value" (NULL at the end) and greets it. Returns
 * NULL when the bot ended before it was ready; then *exit_status is that of waitpid. */
struct bot_host *bot_host_start(const char *program, const char *const *options, int *exit_status);

/* What the bot said of itself. */
const struct wire_hello *bot_host_hello(const struct bot_host *host);
pid_t bot_host_pid(const struct bot_host *host);

/* Sends count decisions in one message and waits until all are answered: answers[i] belongs to
 * asks[i]. False when the bot ended before; *exit_status is that of waitpid. */
bool bot_host_ask(struct bot_host *host, struct bg_answer *answers, const struct bg_ask *asks,
                  size_t count, int *exit_status);

/* Says goodbye and waits for the bot to end; returns what waitpid said. Frees host. */
int bot_host_end(struct bot_host *host);

#endif
