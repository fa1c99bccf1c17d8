/* registry.h - bots by name: bundled ones, plus the user's bots.yaml under XDG config. */
#ifndef REFEREE_BOT_REGISTRY_H
#define REFEREE_BOT_REGISTRY_H

#include "competitor.h"

struct yaml;
struct registry; /* maps names to competitors */

/* Loads the bundled bots, then $XDG_CONFIG_HOME/bgref/bots.yaml (or ~/.config/bgref/bots.yaml)
 * if it exists. BG_E_CONFIG: the message has file:line: key and the remedy. */
enum bg_status registry_open(struct registry **out, struct bg_error *err);
void registry_close(struct registry *registry);

int registry_count(const struct registry *registry);
const struct competitor *registry_at(const struct registry *registry, int i); /* sorted by name */
/* Returns the source of entry i: "bundled" or the path of the file. */
const char *registry_origin(const struct registry *registry, int i);
/* Returns whether entry i of the user's file replaces a bundled bot with the same name. */
bool registry_replaces(const struct registry *registry, int i);

/* Returns true if this text means a bundled bot that does not value positions. */
bool registry_only_plays(const struct registry *registry, const char *text);

/* Returns the path of the user's file, whether it exists or not; "" without a home folder. Lent. */
const char *registry_user_file(const struct registry *registry);
/* Returns the folder of the bundled bots: BGREF_BOTS_DIR, or beside the running program. Lent. */
const char *registry_bots_dir(const struct registry *registry);

/* Resolves a user's text into *out with a default name: a registry name, or a path to a program
 * ("./mybot", anything with '/'). BG_E_ARGUMENT: the message lists similar names. */
enum bg_status registry_resolve(struct competitor *out, const struct registry *registry,
                                const char *text, struct bg_error *err);

/* Reads one bot from a YAML file: a text (as registry_resolve) or a map {name, bot|cmd, args,
 * dir, options, instances, clock}. what: the bot's description in messages. name: the name if it
 * is already known (a key of bots.yaml, whose text value is a command), or NULL. BG_E_CONFIG:
 * the message has file:line and the remedy. */
enum bg_status registry_read(struct competitor *out, const struct registry *registry,
                             const struct yaml *yaml, int node, const char *what, const char *name,
                             struct bg_error *err);

/* Reads bots.yaml from memory into the registry; origin is the file name used in messages. */
enum bg_status registry_parse(struct registry *registry, const char *origin, const void *bytes,
                              size_t size, struct bg_error *err);

/* Reads the words after -engine: "name=X cmd=... dir=... option.Ply=2 instances=2 clock=..."; a
 * word without '=' is a registry name or path. Later words override earlier ones, so the words
 * of -each come first. */
enum bg_status registry_engine(struct competitor *out, const struct registry *registry,
                               const char *const *words, int count, struct bg_error *err);

#endif
