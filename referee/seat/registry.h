/* registry.h - bots by name: bundled ones, plus the user's bots.yaml under XDG config. */
#ifndef REGISTRY_H
#define REGISTRY_H

#include "../config.h"

struct registry; /* names to config_bot */

enum bg_status registry_open(struct registry **out, struct bg_error *err);
void registry_close(struct registry *registry);

int registry_count(const struct registry *registry);
const struct config_bot *registry_at(const struct registry *registry, int i); /* sorted by name */
/* Where entry i comes from: "bundled" or the path of the file. */
const char *registry_origin(const struct registry *registry, int i);

/* Resolves what a user wrote: a registry name, a path to a program ("./mybot", anything with '/'),
 * into *out with a default name. BG_E_ARGUMENT lists close names. */
enum bg_status registry_resolve(struct config_bot *out, const struct registry *registry,
                                const char *text, struct bg_error *err);

/* Reads the words after -engine: "name=X cmd=... dir=... option.Ply=2 instances=2 clock=...";
 * a word without '=' is a registry name or path. */
enum bg_status registry_engine(struct config_bot *out, const struct registry *registry,
                               const char *const *words, int count, struct bg_error *err);

#endif
