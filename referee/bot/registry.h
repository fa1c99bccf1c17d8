/* registry.h - bots by name: bundled ones, plus the user's bots.yaml under XDG config. */
#ifndef REFEREE_BOT_REGISTRY_H
#define REFEREE_BOT_REGISTRY_H

#include "competitor.h"

struct yaml;
struct registry; /* names to competitor */

/* Bundled bots, then $XDG_CONFIG_HOME/bgref/bots.yaml (or ~/.config/bgref/bots.yaml) where it
 * exists. BG_E_CONFIG: file:line: key and the remedy. */
enum bg_status registry_open(struct registry **out, struct bg_error *err);
void registry_close(struct registry *registry);

int registry_count(const struct registry *registry);
const struct competitor *registry_at(const struct registry *registry, int i); /* sorted by name */
/* Where entry i comes from: "bundled" or the path of the file. */
const char *registry_origin(const struct registry *registry, int i);
/* Whether entry i of the user's file stands in for a bundled bot of that name. */
bool registry_replaces(const struct registry *registry, int i);

/* The user's file, whether it exists or not; "" without a home. Lent. */
const char *registry_user_file(const struct registry *registry);
/* The folder of the bundled bots: BGREF_BOTS_DIR, or beside the running program. Lent. */
const char *registry_bots_dir(const struct registry *registry);

/* Resolves what a user wrote: a registry name, a path to a program ("./mybot", anything with '/'),
 * into *out with a default name. BG_E_ARGUMENT lists close names. */
enum bg_status registry_resolve(struct competitor *out, const struct registry *registry,
                                const char *text, struct bg_error *err);

/* Reads one bot of a YAML file: a text (as registry_resolve) or a map {name, bot|cmd, args, dir,
 * options, instances, clock}. what names it in messages. name: the name it has already (a key of
 * bots.yaml, where a text is a command), or NULL. BG_E_CONFIG: file:line and the remedy. */
enum bg_status registry_read(struct competitor *out, const struct registry *registry,
                             const struct yaml *yaml, int node, const char *what, const char *name,
                             struct bg_error *err);

/* Reads bots.yaml from memory into the registry; origin stands for the file. */
enum bg_status registry_parse(struct registry *registry, const char *origin, const void *bytes,
                              size_t size, struct bg_error *err);

/* Reads the words after -engine: "name=X cmd=... dir=... option.Ply=2 instances=2 clock=...";
 * a word without '=' is a registry name or path. Later words override earlier ones, so what -each
 * says comes first. */
enum bg_status registry_engine(struct competitor *out, const struct registry *registry,
                               const char *const *words, int count, struct bg_error *err);

#endif
