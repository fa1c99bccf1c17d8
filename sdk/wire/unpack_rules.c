/* Rules from the wire become values of this library: a variant that it does not know is an error
 * with its name, not a guess, since a bot that plays by other rules would only collect faults. */
#include "unpack.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------- rules */

static enum bg_status variant_read(const struct bg_variant **out, struct wire_reader *reader,
                                   const char *text, struct bg_error *err)
{
    char id[WIRE_VARIANT];
    enum bg_status status;

    if (reader->variant != NULL && strcmp(bg_variant_id(reader->variant), text) == 0) {
        *out = reader->variant;
        return BG_OK;
    }
    status = unpack_text(id, sizeof id, text, "rules: variant", err);
    if (status != BG_OK) {
        return status;
    }
    *out = bg_variant_find(id);
    if (*out == NULL) {
        return bg_error_set(err, BG_E_FORMAT, "rules: variant %s: not known here", id);
    }
    reader->variant = *out;
    return BG_OK;
}

static enum bg_status rotation_read(const struct bg_rotation **out, const char *text,
                                    struct bg_error *err)
{
    char id[WIRE_VARIANT];
    enum bg_status status;

    *out = NULL;
    if (text[0] == '\0') {
        return BG_OK;
    }
    status = unpack_text(id, sizeof id, text, "rules: rotation", err);
    if (status != BG_OK) {
        return status;
    }
    *out = bg_rotation_find(id);
    return *out != NULL ? BG_OK
                        : bg_error_set(err, BG_E_FORMAT, "rules: rotation %s: not known here", id);
}

enum bg_status unpack_rules(struct bg_rules *out, struct wire_reader *reader,
                            const Bgref__V1__Rules *in, struct bg_error *err)
{
    const struct unpack_range ranges[] = {
        {"rules: length", in->length, 10000},
        {"rules: opening", (uint32_t)in->opening, BG_OPENING_COUNT - 1},
        {"rules: raises + 1", (uint64_t)((int64_t)in->raises + 1), BG_CUBE_LOG2_MAX + 1},
        {"rules: auto_doubles", in->auto_doubles, BG_CUBE_LOG2_MAX},
        {"rules: turn_cap", in->turn_cap, INT_MAX},
        {"rules: next", (uint32_t)in->next, BG_NEXT_COUNT - 1},
        {"rules: cube_limit", in->cube_limit, 1 << 30},
    };
    enum bg_status status = unpack_ranges(ranges, sizeof ranges / sizeof ranges[0], err);

    if (status != BG_OK) {
        return status;
    }
    if (in->n_options > 0) {
        char option[WIRE_TEXT];

        status = unpack_text(option, sizeof option, in->options[0], "rules: option", err);
        return status != BG_OK
                   ? status
                   : bg_error_set(err, BG_E_FORMAT, "rules: option %s: not known here", option);
    }
    out->length_points = (int)in->length;
    out->opening = (enum bg_opening)in->opening;
    out->cube = in->cube;
    out->jacoby = in->jacoby && in->cube; /* earlier referees set it without a cube too */
    out->beavers = in->beavers;
    out->raises = in->raises;
    out->auto_doubles = (int)in->auto_doubles;
    out->crawford = in->crawford;
    out->holland = in->holland;
    out->forfeit_single = in->forfeit_single;
    out->fault_match = in->fault_match;
    out->flag_match = in->flag_match;
    out->turn_cap = (int)in->turn_cap;
    out->next = (enum bg_next)in->next;
    out->cube_limit = (int)in->cube_limit;
    status = rotation_read(&out->rotation, in->rotation, err);
    return status != BG_OK ? status : variant_read(&out->variant, reader, in->variant, err);
}

/* ---------------------------------------------------------------- settings */

static enum bg_status time_read(struct unpack_settings *out, const Bgref__V1__TimeControl *in,
                                struct bg_error *err)
{
    static const Bgref__V1__TimeControl none = BGREF__V1__TIME_CONTROL__INIT;
    const Bgref__V1__TimeControl *time = in == NULL ? &none : in;
    const struct unpack_range ranges[] = {
        {"time: own_increment_ns", time->own_increment_ns, INT64_MAX},
        {"time: opponent_increment_ns", time->opponent_increment_ns, INT64_MAX},
        {"time: own_delay_ns", time->own_delay_ns, INT64_MAX},
        {"time: opponent_delay_ns", time->opponent_delay_ns, INT64_MAX},
    };

    out->increment_ns[0] = (int64_t)time->own_increment_ns;
    out->increment_ns[1] = (int64_t)time->opponent_increment_ns;
    out->delay_ns[0] = (int64_t)time->own_delay_ns;
    out->delay_ns[1] = (int64_t)time->opponent_delay_ns;
    return unpack_ranges(ranges, sizeof ranges / sizeof ranges[0], err);
}

static enum bg_status settings_read(struct unpack_settings *out, struct wire_reader *reader,
                                    const Bgref__V1__Settings *in, struct bg_error *err)
{
    const struct unpack_range ceiling = {"ceiling_ns", in->ceiling_ns, INT64_MAX};
    enum bg_status status;

    if (in->rules == NULL) {
        return bg_error_set(err, BG_E_FORMAT, "rules: missing");
    }
    if ((status = unpack_rules(&out->rules, reader, in->rules, err)) != BG_OK ||
        (status = unpack_ranges(&ceiling, 1, err)) != BG_OK ||
        (status = time_read(out, in->time, err)) != BG_OK ||
        (status = unpack_text(out->opponent, sizeof out->opponent, in->opponent, "opponent",
                              err)) != BG_OK) {
        return status;
    }
    out->ceiling_ns = (int64_t)in->ceiling_ns;
    out->opponent_size = strlen(out->opponent) + 1;
    return BG_OK;
}

enum bg_status unpack_settings(struct unpack_settings *out, struct wire_reader *reader,
                               const uint8_t *data, size_t size, struct bg_error *err)
{
    struct unpack_kept *kept = &reader->kept;
    Bgref__V1__Settings *message;
    enum bg_status status;

    if (size > 0 && size == kept->size && memcmp(data, kept->bytes, size) == 0) {
        *out = kept->settings;
        return BG_OK;
    }
    message = bgref__v1__settings__unpack(&reader->allocator, size, data);
    if (message == NULL) {
        return unpack_garbled(reader, "Settings", size, err);
    }
    status = settings_read(out, reader, message, err);
    if (status == BG_OK && size <= sizeof kept->bytes) {
        memcpy(kept->bytes, data, size);
        kept->size = size;
        kept->settings = *out;
    }
    return status;
}
