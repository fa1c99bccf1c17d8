/* JSON has no NaN and no infinity: a value that is unknown is null everywhere, never 0, which
 * would be an estimate. */
#include "json_value.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/foreign.h"

json_t *json_of(double x)
{
    return isfinite(x) ? json_real(x) : json_null();
}

json_t *json_of_count(double x)
{
    return json_integer((json_int_t)x);
}

json_t *json_of_cell(const struct doc_cell *cell, bool counts)
{
    switch (cell->kind) {
    case DOC_NUMBER:
        return counts && isfinite(cell->number) && cell->number == floor(cell->number) &&
                       fabs(cell->number) < 9e15
                   ? json_integer((json_int_t)cell->number)
                   : json_of(cell->number);
    case DOC_TEXT:
        return foreign_json(cell->text);
    case DOC_FLAG:
        return json_boolean(cell->number != 0);
    case DOC_NONE:
    default:
        return json_null();
    }
}

json_t *json_of_range(const double x[2])
{
    return isnan(x[0]) ? json_null() : json_pack("[o, o]", json_of(x[0]), json_of(x[1]));
}

json_t *json_of_group(int group)
{
    return group < 0 ? json_null() : json_integer(group);
}

/* 17 digits give the same double again, which shorter numbers do not. */
enum bg_status json_put(FILE *out, json_t *json, enum json_part part, struct bg_error *err)
{
    size_t flags = JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(17);
    enum bg_status status = BG_OK;

    if (json == NULL) {
        return bg_error_set(err, BG_E_MEMORY, "results as json");
    }
    if (json_dumpf(json, out, part == JSON_INSIDE ? flags | JSON_EMBED : flags) != 0) {
        status = bg_error_set(err, BG_E_SYSTEM, "write json: %s", strerror(errno));
    }
    json_decref(json);
    return status;
}

enum bg_status json_line(FILE *out, json_t *json, struct bg_error *err)
{
    enum bg_status status = json_put(out, json, JSON_WHOLE, err);

    if (status == BG_OK && fputc('\n', out) == EOF) {
        status = bg_error_set(err, BG_E_SYSTEM, "write json: %s", strerror(errno));
    }
    return status;
}
