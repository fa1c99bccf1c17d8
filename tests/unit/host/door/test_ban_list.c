/* Who is kept out of a host: networks, and the file of bans. */
#include "support/suite.h"

#include "door/ban_list.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ------------------------------------------------------------------ networks */

static const struct {
    const char *text, *written; /* written NULL: refused */
} networks[] = {
    {"192.0.2.0/24", "192.0.2.0/24"},
    {"192.0.2.7", "192.0.2.7/32"},
    {"0.0.0.0/0", "0.0.0.0/0"},
    {"2001:db8::/32", "2001:db8::/32"},
    {"2001:DB8:0:0::1", "2001:db8::1/128"},
    {"::/0", "::/0"},
    {"::ffff:192.0.2.0/120", "192.0.2.0/24"},
    {"192.0.2.1/24", NULL},
    {"192.0.2.0/33", NULL},
    {"192.0.2.0/", NULL},
    {"192.0.2.0/-1", NULL},
    {"192.0.2.0/24x", NULL},
    {"192.0.2/24", NULL},
    {"192.0.2.0.1", NULL},
    {"2001:db8::/129", NULL},
    {"2001:db8::1/64", NULL},
    {"fe80::1%lo", NULL},
    {"/8", NULL},
    {"", NULL},
    {"example.org", NULL},
};

TEST_ROWS(a_network_is_read_strictly_and_written_in_one_form, networks)
{
    struct cidr network = {.bits = -1};
    char text[CIDR_TEXT] = "";
    enum bg_status status = cidr_read(&network, networks[_i].text, &error);

    if (networks[_i].written == NULL) {
        ck_assert_msg(status == BG_E_ARGUMENT, "%s", networks[_i].text);
        ck_assert_int_eq(network.bits, -1);
        ck_assert_str_ne(error.text, "");
    } else {
        ck_assert_msg(status == BG_OK, "%s: %s", networks[_i].text, error.text);
        cidr_write(text, &network);
        ck_assert_str_eq(text, networks[_i].written);
    }
}

static const struct {
    const char *network, *address;
    bool has;
} addresses[] = {
    {"192.0.2.0/24", "192.0.2.255", true},
    {"192.0.2.0/24", "192.0.3.0", false},
    {"192.0.2.0/24", "::ffff:192.0.2.9", true},
    {"192.0.2.0/31", "192.0.2.1", true},
    {"192.0.2.0/31", "192.0.2.2", false},
    {"0.0.0.0/0", "198.51.100.1", true},
    {"0.0.0.0/0", "2001:db8::1", false},
    {"::/0", "198.51.100.1", true},
    {"2001:db8::/33", "2001:db8:7fff::", true},
    {"2001:db8::/33", "2001:db8:8000::", false},
    {"fe80::/10", "fe80::1%eth0", true},
    {"192.0.2.0/24", "?", false},
    {"::/0", "", false},
};

static void fill(struct sockaddr_storage *out, const char *text)
{
    struct sockaddr_in v4 = {.sin_family = AF_INET};
    struct sockaddr_in6 v6 = {.sin6_family = AF_INET6};

    *out = (struct sockaddr_storage){.ss_family = AF_UNSPEC};
    if (inet_pton(AF_INET, text, &v4.sin_addr) == 1) {
        memcpy(out, &v4, sizeof v4);
    } else if (inet_pton(AF_INET6, text, &v6.sin6_addr) == 1) {
        memcpy(out, &v6, sizeof v6);
    }
}

TEST_ROWS(an_address_is_in_its_networks, addresses)
{
    struct sockaddr_storage from;
    struct cidr network;

    ck_assert_int_eq(cidr_read(&network, addresses[_i].network, NULL), BG_OK);
    ck_assert_msg(cidr_has_text(&network, addresses[_i].address) == addresses[_i].has, "%s in %s",
                  addresses[_i].address, addresses[_i].network);
    fill(&from, addresses[_i].address);
    if (strchr(addresses[_i].address, '%') == NULL) {
        ck_assert_msg(cidr_has(&network, &from) == addresses[_i].has, "%s in %s",
                      addresses[_i].address, addresses[_i].network);
    }
}

/* ------------------------------------------------------------------ bans */

#define DIGITS "0a1ea2ccf4b0d2a0d5e5e5e5e5f4b1c2d3e4f5a6b7c8d9e0f1a2b3c4d5e6f700"

static struct ban ban_of(const char *what, int64_t until_s)
{
    struct ban ban = {.until_s = until_s, .reason = "why not"};

    ck_assert_int_eq(ban_read_what(&ban, what, NULL), BG_OK);
    return ban;
}

TEST(a_ban_is_about_a_name_a_key_or_a_network)
{
    struct ban ban;

    ck_assert_int_eq(ban_of("anna", 0).kind, BAN_NAME);
    ck_assert_int_eq(ban_of("192.0.2.1", 0).kind, BAN_FROM);
    ck_assert_int_eq(ban_of("2001:db8::", 0).kind, BAN_FROM);
    ban = ban_of("0A1EA2CCF4B0D2A0D5E5E5E5E5F4B1C2D3E4F5A6B7C8D9E0F1A2B3C4D5E6F700", 0);
    ck_assert_int_eq(ban.kind, BAN_KEY);
    ck_assert_str_eq(ban.what, DIGITS);
    ck_assert_int_eq(ban_read_what(&ban, "a b", NULL), BG_E_ARGUMENT);
    ck_assert_int_eq(ban_read_what(&ban, "", NULL), BG_E_ARGUMENT);
}

TEST(a_bot_is_found_by_name_and_by_key)
{
    struct ban_list list = {.list = NULL};
    struct ban name = ban_of("anna", 0), key = ban_of(DIGITS, 0), from = ban_of("::/0", 0);

    ck_assert_int_eq(ban_list_add(&list, &from, NULL), BG_OK);
    ck_assert_ptr_null(ban_list_find(&list, "anna", DIGITS));
    ck_assert_int_eq(ban_list_add(&list, &key, NULL), BG_OK);
    ck_assert_int_eq(ban_list_find(&list, "bert", DIGITS)->kind, BAN_KEY);
    ck_assert_int_eq(ban_list_add(&list, &name, NULL), BG_OK);
    ck_assert_int_eq(ban_list_find(&list, "anna", "00")->kind, BAN_NAME);
    ck_assert(ban_list_remove(&list, BAN_NAME, "anna"));
    ck_assert(!ban_list_remove(&list, BAN_NAME, "anna"));
    ck_assert_ptr_null(ban_list_find(&list, "anna", "00"));
    ck_assert_int_eq(ban_list_add(&list, &key, NULL), BG_OK);
    ck_assert_int_eq(list.count, 2); /* replaced */
    ban_list_deinit(&list);
}

TEST(a_ban_ends_when_its_time_has_come)
{
    struct ban_list list = {.list = NULL};
    struct ban bans[] = {ban_of("c", 300), ban_of("never", 0), ban_of("a", 100), ban_of("b", 200)};
    struct ban ended;

    for (size_t i = 0; i < sizeof bans / sizeof bans[0]; i++) {
        ck_assert_int_eq(ban_list_add(&list, &bans[i], NULL), BG_OK);
    }
    ck_assert_int_eq(ban_list_due(&list), 100);
    ck_assert(!ban_list_expire(&ended, &list, 99));
    ck_assert(ban_list_expire(&ended, &list, 100));
    ck_assert_str_eq(ended.what, "a");
    ck_assert(!ban_list_expire(&ended, &list, 199));
    ck_assert(ban_list_expire(&ended, &list, 1000));
    ck_assert(ban_list_expire(&ended, &list, 1000));
    ck_assert(!ban_list_expire(&ended, &list, INT64_MAX));
    ck_assert_int_eq(ban_list_due(&list), 0);
    ck_assert_int_eq(list.count, 1);
    ban_list_deinit(&list);
}

TEST(there_are_at_most_so_many_bans)
{
    struct ban_list list = {.list = NULL};
    struct ban ban = ban_of("x", 0);

    for (int i = 0; i < BAN_LIST_MOST; i++) {
        snprintf(ban.what, sizeof ban.what, "bot%d", i);
        ck_assert_int_eq(ban_list_add(&list, &ban, NULL), BG_OK);
    }
    ck_assert_int_eq(ban_list_add(&list, &ban, NULL), BG_OK); /* in the place of itself */
    snprintf(ban.what, sizeof ban.what, "one-more");
    ck_assert_int_eq(ban_list_add(&list, &ban, NULL), BG_E_ARGUMENT);
    ban_list_deinit(&list);
}

/* ------------------------------------------------------------------ the file */

TEST(a_stored_list_is_read_back)
{
    char folder[] = "/tmp/bgref-bans-XXXXXX", path[64], draft[80];
    struct ban_list list = {.list = NULL}, back;
    struct ban bans[] = {ban_of("anna", 0), ban_of(DIGITS, 4000000000), ban_of("192.0.2.0/24", 7)};

    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/bans", folder);
    ck_assert_int_eq(ban_list_load(&back, path, NULL), BG_OK); /* not there: empty */
    ck_assert_int_eq(back.count, 0);
    for (size_t i = 0; i < sizeof bans / sizeof bans[0]; i++) {
        ck_assert_int_eq(ban_list_add(&list, &bans[i], NULL), BG_OK);
    }
    list.kick_number = 12;
    snprintf(list.kicked, sizeof list.kicked, "bert");
    ck_assert_int_eq(ban_list_save(&list, path, NULL), BG_OK);
    ck_assert_int_eq(ban_list_load(&back, path, NULL), BG_OK);
    ck_assert_int_eq(back.count, 3);
    for (int i = 0; i < back.count; i++) {
        ck_assert_int_eq(back.list[i].kind, list.list[i].kind);
        ck_assert_str_eq(back.list[i].what, list.list[i].what);
        ck_assert_int_eq(back.list[i].until_s, list.list[i].until_s);
        ck_assert_str_eq(back.list[i].reason, "why not");
    }
    ck_assert_uint_eq(back.kick_number, 12);
    ck_assert_str_eq(back.kicked, "bert");
    ban_list_deinit(&back);
    ban_list_deinit(&list);
    snprintf(draft, sizeof draft, "%s.new", path);
    ck_assert_int_ne(unlink(draft), 0); /* nothing is left beside it */
    unlink(path);
    rmdir(folder);
}

static const char *const broken[] = {
    "bgref-gate 2\n",
    "bgref-gate 1\nban\tname\tanna\t0\n",
    "bgref-gate 1\nban\tname\tanna\t0\twhy\tmore\n",
    "bgref-gate 1\nban\tkey\tanna\t0\twhy\n",
    "bgref-gate 1\nban\tfrom\t10.0.0.1/8\t0\twhy\n",
    "bgref-gate 1\nban\tname\tanna\tsoon\twhy\n",
    "bgref-gate 1\nkick\t1\n",
    "bgref-gate 1\nkick\t0\tanna\n",
    "bgref-gate 1\nporch\ttcp://h:5556\n",
    "bgref-gate 1\n\n",
};

TEST_ROWS(a_broken_file_is_refused, broken)
{
    struct ban_list list;
    FILE *in = fmemopen((void *)(uintptr_t)broken[_i], strlen(broken[_i]), "r");

    ck_assert_msg(ban_list_read(&list, in, "bans", &error) == BG_E_FORMAT, "%s", broken[_i]);
    ck_assert_ptr_nonnull(strstr(error.text, "bans:"));
    ck_assert_ptr_null(list.list);
    fclose(in);
}
