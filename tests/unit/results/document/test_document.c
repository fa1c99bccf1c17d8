/* The parts of a report with rules of their own: foreign texts, plots' axes, durations, times in
 * records, drawn boards, and tables of any shape as text. */
#define _GNU_SOURCE
#include "support/suite.h"

#include <document/document.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <bgref/variant.h>
#include <record/duration_histogram.h>
#include <record/record_lookup.h>
#include <record/record.h>
#include <document/axis.h>
#include <document/board_svg.h>
#include <base/foreign.h>
#include <document/markup.h>
#include <document/plain_text.h>
#include <document/width.h>

#define COUNT(rows) (sizeof(rows) / sizeof(rows)[0])

static const struct {
    const char *text, *want;
} marked[] = {
    {"plain", "plain"},
    {"<b a=\"1\" c='2'>&amp;", "&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;amp;"},
    {"\xC3\xBC\xE2\x82\xAC\xF0\x9F\x8E\xB2", "\xC3\xBC\xE2\x82\xAC\xF0\x9F\x8E\xB2"},
    {"cut \xC3", "cut \\xc3"},
    {"\xFF\xFE", "\\xff\\xfe"},
    {"overlong \xC0\xAF", "overlong \\xc0\\xaf"},
    {"surrogate \xED\xA0\x80", "surrogate \\xed\\xa0\\x80"},
    {"a\x01\x1B[2J\x7F", "a\\x01\\x1b[2J\\x7f"},
    {"tab\tline\n", "tab line\n"},
    {"\xEF\xBF\xBE", "&lt;U+FFFE&gt;"}, /* not a character */
};

TEST_ROWS(foreign_text_is_escaped_between_marks, marked)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    markup_text(out, marked[_i].text);
    fclose(out);
    ck_assert_str_eq(text, marked[_i].want);
    free(text);
}

static const struct {
    const char *text, *want;
} paths[] = {
    {"python3 /home/me/bots/bot.py --fast", "python3 bot.py --fast"},
    {"File \"/home/me/bot.py\", line 3", "File \"bot.py\", line 3"},
    {"cmd='/opt/x/y z'", "cmd='y z'"},
    {"PATH=/usr/bin:/usr/local/bin", "PATH=bin:bin"}, /* as long as a Position ID */
    {"~/bots/mine -x", "mine -x"},
    {"/ /a /a/ //", " a a "},
    {"./mybot ../other/bot", "./mybot ../other/bot"},
    {"bgref plays /PwHAAABAAAAAA 3 1 --check '24/1'",
     "bgref plays /PwHAAABAAAAAA 3 1 --check '24/1'"},
    {"bar/20 8/off", "bar/20 8/off"},
    {"", ""},
};

TEST_ROWS(published_texts_contain_no_paths, paths)
{
    char *text = foreign_public(paths[_i].text);

    ck_assert_str_eq(text, paths[_i].want);
    free(text);
    ck_assert_ptr_null(foreign_public(NULL));
}

static const double ranges[][2] = {{0, 1},       {-3.2, 4.7}, {1500, 1500},     {0, 0},
                                   {1e-9, 3e-9}, {-1e6, 1e7}, {1499.9, 1500.1}, {5, -5}};

TEST_ROWS(ticks_are_within_the_axis, ranges)
{
    double low = ranges[_i][0], high = ranges[_i][1];

    for (int ticks = 2; ticks < 9; ticks++) {
        struct axis axis;
        int count = 0;

        axis_init(&axis, low, high, 10, 110, ticks);
        for (double tick = axis.first; tick <= axis.high; tick += axis.step) {
            ck_assert(axis_at(&axis, tick) > 10 - 1e-6 && axis_at(&axis, tick) < 110 + 1e-6);
            count++;
        }
        ck_assert_msg(count >= 1 && count <= 2 * ticks + 2, "%d of %d ticks", count, ticks);
        ck_assert(axis_at(&axis, low) >= 10 && axis_at(&axis, high) <= 110);
        ck_assert_double_eq_tol(axis_kept(&axis, 1e300), 110, 1e-9);
    }
}

TEST(durations_are_summed_in_bounded_memory)
{
    struct duration_histogram *histogram = calloc(1, sizeof *histogram);
    int64_t ns = 1000;

    ck_assert_ptr_nonnull(histogram);
    ck_assert(isnan(histogram_mean(histogram)) && isnan(histogram_quantile(histogram, 0.5)));
    ck_assert(isnan(histogram_most(histogram)));
    for (int i = 0; i < 1000; i++, ns += 1000) {
        histogram_add(histogram, ns); /* 1 to 1000 us */
    }
    ck_assert_double_eq_tol(histogram_mean(histogram), 500.5e-6, 1e-12);
    ck_assert_double_eq_tol(histogram_most(histogram), 1e-3, 1e-12);
    for (double share = 0.01; share < 1; share += 0.01) {
        ck_assert_double_eq_tol(histogram_quantile(histogram, share) / (share * 1e-3), 1, 0.045);
    }
    ck_assert(histogram_quantile(histogram, 1) <= histogram_most(histogram));
    histogram_add(histogram, 0);
    histogram_add(histogram, INT64_MAX);
    ck_assert_double_gt(histogram_most(histogram), 9e9);
    free(histogram);
}

static int place_by_logarithm(int64_t ns)
{
    int place = ns < 1 ? 0 : (int)(log2((double)ns) * HISTOGRAM_STEPS);

    return place < HISTOGRAM_PLACES ? place : HISTOGRAM_PLACES - 1;
}

/* The shortest duration that the logarithm maps to that place. */
static int64_t begin_of_place(int place)
{
    int64_t low = 0, high = INT64_MAX;

    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;

        *(place_by_logarithm(middle) >= place ? &high : &low) = middle;
    }
    return high;
}

/* Stored histograms were counted with this rule. */
TEST(durations_are_placed_by_their_logarithm)
{
    ck_assert_int_eq(histogram_place(-1), 0);
    ck_assert_int_eq(histogram_place(0), 0);
    ck_assert_int_eq(histogram_place(INT64_MAX), HISTOGRAM_PLACES - 1);
    for (int place = 1; place < HISTOGRAM_PLACES; place++) {
        int64_t first = begin_of_place(place);

        for (int64_t ns = first > 3 ? first - 3 : 0; ns < first + 3; ns++) {
            ck_assert_int_eq(histogram_place(ns), place_by_logarithm(ns));
        }
    }
    for (int64_t ns = 0; ns < 200000; ns++) {
        ck_assert_int_eq(histogram_place(ns), place_by_logarithm(ns));
    }
}

struct seen {
    int64_t spent_ns[64];
    int seat[64], count;
    int die[64], other[64], rolls;
};

static void see(void *user, int seat, int64_t spent_ns)
{
    struct seen *seen = user;

    seen->seat[seen->count] = seat;
    seen->spent_ns[seen->count++] = spent_ns;
}

static void see_roll(void *user, int die, int other)
{
    struct seen *seen = user;

    seen->die[seen->rolls] = die;
    seen->other[seen->rolls++] = other;
}

/* A looked-up value equals the value from the record reader. */
TEST(times_and_values_of_a_record)
{
    FILE *in = fopen(TEST_DATA "/record.txt", "r");
    char record[16384];
    size_t size, length = 0;
    struct record_view *view = NULL;
    struct seen seen = {.count = 0};
    const struct record_lookup_steps fns = {.time = see, .roll = see_roll, .user = &seen};
    int expected = 0, rolls = 0;
    const char *value;

    ck_assert_ptr_nonnull(in);
    size = fread(record, 1, sizeof record, in);
    fclose(in);
    ck_assert_int_eq(record_read(&view, record, size, NULL), BG_OK);
    record_lookup_steps(record, size, &fns);
    for (int i = 0; i < record_view_steps(view); i++) {
        struct bg_step step;
        int64_t spent_ns;

        record_view_step(&step, &spent_ns, view, i);
        if (spent_ns >= 0) {
            ck_assert_int_lt(expected, seen.count);
            ck_assert_int_eq(seen.seat[expected], step.seat);
            ck_assert_int_eq(seen.spent_ns[expected], spent_ns);
            expected++;
        }
        if (step.kind == BG_STEP_ROLL) {
            ck_assert_int_lt(rolls, seen.rolls);
            ck_assert_int_eq(seen.die[rolls], step.die[0]);
            ck_assert_int_eq(seen.other[rolls++], step.die[1]);
        }
    }
    ck_assert_int_eq(rolls, seen.rolls);
    ck_assert_int_gt(rolls, 1);
    ck_assert_int_eq(expected, seen.count);
    ck_assert_int_gt(expected, 5);
    value = header_lookup(&length, record, size, "version1");
    ck_assert_int_eq(strncmp(value, "alpha 0.3", length), 0);
    ck_assert_uint_eq(length, strlen("alpha 0.3"));
    ck_assert_ptr_nonnull(header_lookup(&length, record, size, "options0"));
    ck_assert_uint_eq(length, 0);
    ck_assert_ptr_null(header_lookup(&length, record, size, "version"));
    ck_assert_ptr_null(header_lookup(&length, record, size, "open"));
    for (size_t cut = 0; cut < size; cut++) { /* every prefix of it is harmless */
        char *copy = malloc(cut + 1);

        ck_assert_ptr_nonnull(copy);
        memcpy(copy, record, cut);
        seen.count = seen.rolls = 0;
        record_lookup_steps(copy, cut, &fns);
        header_lookup(&length, copy, cut, "host");
        free(copy);
    }
    record_view_destroy(view);
}

static int times(const char *text, const char *part)
{
    int count = 0;

    while ((text = strstr(text, part)) != NULL) {
        text += strlen(part);
        count++;
    }
    return count;
}

/* All checkers of the set-up are drawn, equally many of each side, or counted. */
TEST(a_board_is_drawn_with_all_its_checkers)
{
    static const struct {
        const char *game;
        int circles, points; /* of a side; high stacks and hands are counted */
    } games[] = {{"backgammon", 15, 24},
                 {"hypergammon", 3, 24},
                 {"plakoto", 5, 24},
                 {"acey-deucey", 1, 24},
                 {"xii-scripta", 1, 36}};

    for (size_t i = 0; i < COUNT(games); i++) {
        const struct bg_rules rules = bg_rules_default(bg_variant_find(games[i].game), 0);
        struct bg_match match;
        struct doc_board board;
        char *text = NULL;
        size_t size = 0;
        FILE *out = open_memstream(&text, &size);

        ck_assert_ptr_nonnull(out);
        bg_match_begin(&match, &rules);
        board = doc_board_of(&match, 1);
        board_svg_write(out, &board, "<\"&'>");
        fclose(out);
        ck_assert_int_eq(times(text, "<text class=\"num\""), games[i].points);
        ck_assert_int_eq(times(text, "class=\"c0\""), games[i].circles);
        ck_assert_int_eq(times(text, "class=\"c1\""), games[i].circles);
        ck_assert_ptr_nonnull(strstr(text, "&lt;&quot;&amp;&#39;&gt;"));
        free(text);
    }
}

static const struct doc_column columns[] = {
    {"rank", .title = "Rank"},
    {"name", .title = "Bot"},
    {"a", "A rather long title", "points/game", .decimals = 3, .sign = true},
    {"b", "\u00b1", "95 %", .decimals = 1},
    {"c", .title = "Text that is wide"},
    {"d", "Data", .use = DOC_DATA},
    {"e", "Shown", .use = DOC_SHOWN},
    {"f", .title = "Nowhere filled"},
};

static struct doc *some_document(void)
{
    struct doc *doc = doc_create("<title>");
    struct doc_table *table;

    doc_section(doc, "one", "One & <all>");
    doc_note(doc, "a <note> %s", "\xFF");
    table = doc_table(doc, "numbers", "Numbers", columns, COUNT(columns));
    ck_assert_ptr_nonnull(table);
    table->head = 1;
    for (int row = 0; row < 40; row++) {
        doc_row(table);
        doc_number(table, 0, row);
        doc_say(table, 1, "bot %d %s", row,
                row == 3 ? "with a name that goes on and on, and on" : "");
        doc_number(table, 2, row == 0 ? NAN : row == 1 ? INFINITY : row == 2 ? -1e-9 : row * 1e5);
        doc_number(table, 3, 1.25);
        doc_small(table, 3, row % 2 == 0);
        doc_text(table, 4, row == 5 ? "" : "something\x1b[31m of a bot");
        doc_flag(table, 5, true);
        doc_text(table, 6, "shown");
    }
    return doc;
}

TEST(numbers_are_rounded_for_readers)
{
    struct doc *doc = some_document();
    const struct doc_table *table = (const struct doc_table *)doc->first->first->next;
    char text[DOC_CELL];

    ck_assert_str_eq(doc_shown(text, table, 0, 2), "-");
    ck_assert_str_eq(doc_shown(text, table, 1, 2), "-");
    ck_assert_str_eq(doc_shown(text, table, 2, 2), "+0.000");
    ck_assert_str_eq(doc_shown(text, table, 3, 2), "+300000.000");
    ck_assert_str_eq(doc_shown(text, table, 2, 3), "1.2" DOC_SMALL);
    ck_assert_str_eq(doc_shown(text, table, 5, 4), "-");
    ck_assert(doc_is_shown(table, 6) && !doc_is_shown(table, 5) && !doc_is_shown(table, 7));
    doc_destroy(doc);
}

TEST(no_chance_is_shown_as_certain)
{
    static const struct doc_column chances[] = {{"p", "P", "%", .decimals = 1, .chance = true}};
    static const struct {
        double percent;
        const char *shown;
    } rows[] = {{0, "<0.1"}, {0.04, "<0.1"}, {0.06, "0.1"}, {99.94, "99.9"}, {100, ">99.9"}};
    struct doc *doc = doc_create("chances");
    struct doc_table *table;
    char text[DOC_CELL];

    doc_section(doc, "one", "One");
    table = doc_table(doc, "chances", "Chances", chances, 1);
    for (size_t i = 0; i < COUNT(rows); i++) {
        doc_row(table);
        doc_number(table, 0, rows[i].percent);
        ck_assert_str_eq(doc_shown(text, table, (int)i, 0), rows[i].shown);
    }
    doc_destroy(doc);
}

TEST(a_document_in_three_forms)
{
    static enum bg_status (*const forms[])(FILE * out, const struct doc *doc,
                                           struct bg_error *err) = {document_plain, document_html,
                                                                    document_json};
    struct doc *doc = some_document();

    for (size_t i = 0; i < COUNT(forms); i++) {
        char *text = NULL;
        size_t size = 0;
        FILE *out = open_memstream(&text, &size);

        ck_assert_int_eq(forms[i](out, doc, NULL), BG_OK);
        fclose(out);
        ck_assert_ptr_null(strstr(text, "nan"));
        ck_assert_ptr_null(strchr(text, '\x1b'));
        ck_assert_ptr_null(strstr(text, "Nowhere filled</th>"));
        if (i == 0) {
            for (char *rest = NULL, *line = strtok_r(text, "\n", &rest); line != NULL;
                 line = strtok_r(NULL, "\n", &rest)) {
                ck_assert_msg(width_columns(line) <= 80, "%s", line);
                ck_assert_msg(line[strlen(line) - 1] != ' ', "'%s'", line);
            }
        }
        free(text);
    }
    doc_destroy(doc);
}

static const struct {
    const char *text, *want;
} paragraphs[] = {
    {"", "\n"},
    {"  ok    two  words ", "  ok    two  words\n"},
    {"one\ntwo", "one two\n"},
    {"a123456789 b123456789 c123456789 d123456789 e123456789 f123456789 g123456789 h12  i",
     "a123456789 b123456789 c123456789 d123456789 e123456789 f123456789 g123456789 h12\n    i\n"},
};

TEST_ROWS(a_paragraph_keeps_its_blanks_inside_a_line, paragraphs)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    plain_paragraph(out, 4, paragraphs[_i].text);
    fclose(out);
    ck_assert_str_eq(text, paragraphs[_i].want);
    free(text);
}

/* Fifty bots; of one the bar is not known, of one it has no end, of one it is as long as the road.
 */
TEST(bars_stay_in_their_frame)
{
    static const struct doc_column heads[] = {{"bot", .title = "Bot"},
                                              {"rating", .title = "Rating", .decimals = 1},
                                              {"bar", .title = "Bar", .decimals = 1}};
    struct doc *doc = doc_create("bars");
    struct doc_table *table;
    struct doc_plot *plot;
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    int open = 0, points = 0;

    doc_section(doc, "ratings", "Ratings");
    table = doc_table(doc, "ratings", "Ratings", heads, 3);
    table->data = true;
    for (int i = 0; i < 50; i++) {
        doc_row(table);
        doc_say(table, 0, "bot%d", i);
        doc_number(table, 1, 1500 + i);
        doc_number(table, 2, i == 7 ? (double)NAN : i == 8 ? (double)INFINITY : i == 9 ? 1e9 : 20);
    }
    plot = doc_plot(doc, DOC_PLOT_DOTS, table, "Ratings");
    plot->series[0] = (struct doc_series){.name = "rating", .value = 1, .error = 2};
    plot->series_count = 1;
    plot->axis[0] = "rating";
    plot->zero = NAN;
    ck_assert_int_eq(document_html(out, doc, NULL), BG_OK);
    fclose(out);
    for (const char *at = strstr(text, "<svg"); (at = strstr(at, "class=\"bar")) != NULL; at++) {
        double x[2], y[2];

        if (sscanf(strstr(at, "d=\"M"), "d=\"M%lf %lfL%lf %lf", &x[0], &y[0], &x[1], &y[1]) == 4) {
            ck_assert_msg(x[0] >= 0 && x[1] <= 480, "%.60s", at);
            /* The long one is cut, and does not press the others together. */
            ck_assert_msg(y[0] != y[1] || x[1] - x[0] > 20, "%.60s", at);
        }
    }
    for (const char *at = strstr(text, "<svg"); (at = strstr(at, "<circle")) != NULL; at++) {
        points++;
        open += strncmp(at, "<circle class=\"s0 open\"", 23) == 0;
    }
    ck_assert_int_eq(points, 50);
    ck_assert_int_eq(open, 2);
    free(text);
    doc_destroy(doc);
}

TEST(a_terminal_gets_the_parts_alone)
{
    static const struct doc_column two[] = {{"bot", .title = "Bot"},
                                            {"net", "Net", .unit = "points"}};
    struct doc *doc = doc_create("title");
    struct doc_table *table;
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    doc_section(doc, "one", "Heading");
    table = doc_table(doc, "net", "", two, COUNT(two));
    doc_row(table);
    doc_text(table, 0, "ant");
    doc_number(table, 1, 3);
    table->compact = true;
    doc_note(doc, "A note.");
    ck_assert_int_eq(document_blocks(out, doc, NULL), BG_OK);
    fclose(out);
    ck_assert_str_eq(text, "Bot  Net\nant    3\n\n* A note.\n");
    free(text);
    doc_destroy(doc);
}

static const struct {
    const char *text;
    double most, front;
    const char *want;
} fitted[] = {
    {"short", 5, WIDTH_NAME, "short"},
    {"a-name-of-somebody-07", 10, WIDTH_NAME, "a-nam~y-07"},
    {"a-name-of-somebody-07", 10, WIDTH_TEXT, "a-name-of~"},
    {"\u6771\u4eac\u6771\u4eac", 8, WIDTH_NAME, "\u6771\u4eac\u6771\u4eac"},
    {"\u6771\u4eac\u6771\u4eac", 7, WIDTH_NAME, "\u6771~\u6771\u4eac"},
    {"e\u0301e\u0301", 2, WIDTH_NAME, "e\u0301e\u0301"},
    {"two\nlines", 9, WIDTH_TEXT, "two lines"},
    {"\x1b[31m", 8, WIDTH_TEXT, "\\x1b[31m"},
    {"", 3, WIDTH_NAME, ""},
};

TEST_ROWS(names_are_shortened_in_their_common_part, fitted)
{
    char out[WIDTH_FIT], endless[3 * WIDTH_FIT];

    width_fit(out, fitted[_i].text, fitted[_i].most, fitted[_i].front, "~", width_column);
    ck_assert_str_eq(out, fitted[_i].want);
    ck_assert(width_columns(out) <= fitted[_i].most);
    memset(endless, 'x', sizeof endless);
    endless[sizeof endless - 1] = '\0';
    width_fit(out, endless, 1e6, fitted[_i].front, "~", width_column);
    ck_assert_uint_lt(strlen(out), WIDTH_FIT);
}

TEST(an_axis_of_any_time_has_a_few_steps)
{
    struct axis axis;
    char text[32];

    memset(text, 'x', sizeof text);
    axis_init(&axis, 1, 253402300799, 0, 600, 5); /* a clock without a battery, and year 9999 */
    axis_time(&axis);
    ck_assert_double_lt((axis.high - axis.first) / axis.step, 12);
    axis_init(&axis, 60, 7200, 0, 600, 5);
    axis_time(&axis);
    axis_time_text(text, &axis, 0);
    ck_assert_str_eq(text, " ");
    axis_time_text(text, &axis, 3600);
    ck_assert_str_eq(text, "01-01 01:00");
}
