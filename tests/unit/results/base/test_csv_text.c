/* Fields of CSV, and names for readers of other formats. */
#include <string.h>

#include "format/format.h"
#include "base/csv_text.h"
#include "support/suite.h"

static const struct {
    const char *text, *field;
} fields[] = {
    {"anna", "anna"},
    {"", ""},
    {"+2+3", "'+2+3"},
    {"-1", "'-1"},
    {"-", "-"},
    {"--", "'--"},
    {"@SUM(A1)", "'@SUM(A1)"},
    {"=HYPERLINK(\"x\",1)", "\"'=HYPERLINK(\"\"x\"\",1)\""},
    {"\t=1", "'\t=1"},
    {"\r=1", "\"'\r=1\""},
    {"a=1", "a=1"},
    {"a,b\"c", "\"a,b\"\"c\""},
    {"a\nb", "\"a\nb\""},
};

TEST_ROWS(a_spreadsheet_computes_no_text, fields)
{
    char out[64];

    csv_text(out, sizeof out, fields[_i].text);
    ck_assert_str_eq(out, fields[_i].field);
}

TEST(a_long_text_is_cut_and_stays_a_field)
{
    char text[100], out[20];

    memset(text, '"', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    csv_text(out, sizeof out, text);
    ck_assert_uint_lt(strlen(out), sizeof out);
    ck_assert_int_eq(out[0], '"');
    ck_assert_int_eq(out[strlen(out) - 1], '"');
    ck_assert_uint_eq(strlen(out) % 2, 0);
}

static const struct {
    const char *name[2], *out[2];
} names[] = {
    {{"a:b", "bob"}, {"a_b", "bob"}},
    {{"a:b", "a_b"}, {"a_b~1", "a_b~2"}},
    {{"", "::"}, {"-", "__"}},
};

TEST_ROWS(a_name_has_no_colon, names)
{
    char out[2][FORMAT_NAME];

    format_names(out, names[_i].name);
    ck_assert_str_eq(out[0], names[_i].out[0]);
    ck_assert_str_eq(out[1], names[_i].out[1]);
}
