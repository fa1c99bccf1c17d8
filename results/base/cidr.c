/* inet_pton() and not getaddrinfo(), which would ask the name service for a misspelt address,
 * and takes "127.1" and octal digits: a list of networks must mean the same to its writer and to
 * the kernel. Bits beyond the length are refused rather than cut, because one of the two is then
 * a slip of the pen. */
#include "cidr.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "units.h"

enum { BITS = 8 * CIDR_BYTES, MAPPED = 96 };

static const uint8_t mapped[CIDR_BYTES - 4] = {[10] = 0xff, [11] = 0xff};

static void set_v4(uint8_t out[CIDR_BYTES], const struct in_addr *address)
{
    memcpy(out, mapped, sizeof mapped);
    memcpy(out + sizeof mapped, address, 4);
}

/* Returns the number of bits that the text's family has, 0: it is not an address. A zone
 * ("fe80::1%eth0") is left out. */
static int bytes_of(uint8_t out[CIDR_BYTES], const char *text)
{
    char plain[CIDR_TEXT];
    struct in_addr v4;
    struct in6_addr v6;
    int length = (int)strcspn(text, "%");

    if (length >= CIDR_TEXT) {
        return 0;
    }
    snprintf(plain, sizeof plain, "%.*s", length, text);
    if (inet_pton(AF_INET, plain, &v4) == 1) {
        set_v4(out, &v4);
        return BITS - MAPPED;
    }
    if (inet_pton(AF_INET6, plain, &v6) == 1) {
        memcpy(out, &v6, CIDR_BYTES);
        return BITS;
    }
    return 0;
}

/* Sets all bits beyond the first `bits` to 0; returns whether one was set. */
static bool cut_bits(uint8_t bytes[CIDR_BYTES], int bits)
{
    bool was_set = false;

    for (int i = 0; i < CIDR_BYTES; i++) {
        int keep = bits - 8 * i;
        unsigned mask = keep >= 8 ? 0xff : keep <= 0 ? 0 : (0xff00U >> keep) & 0xff;

        was_set = was_set || (bytes[i] & ~mask) != 0;
        bytes[i] = (uint8_t)(bytes[i] & mask);
    }
    return was_set;
}

enum bg_status cidr_read(struct cidr *out, const char *text, struct bg_error *err)
{
    size_t length = strcspn(text, "/");
    char address[CIDR_TEXT];
    struct cidr network;
    int family = 0;

    if (length < sizeof address && strchr(text, '%') == NULL) {
        snprintf(address, sizeof address, "%.*s", (int)length, text);
        family = bytes_of(network.bytes, address);
    }
    network.bits = family;
    if (family == 0 || (text[length] == '/' && int_read(&network.bits, text + length + 1, 0,
                                                        (uint64_t)family, NULL) != BG_OK)) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "'%.60s' is not a network like 192.0.2.0/24 or 2001:db8::/32", text);
    }
    network.bits += BITS - family;
    if (cut_bits(network.bytes, network.bits)) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "'%.60s' has bits beyond its length; one address has the length %d",
                            text, family);
    }
    *out = network;
    return BG_OK;
}

void cidr_write(char out[CIDR_TEXT], const struct cidr *network)
{
    bool is_v4 = network->bits >= MAPPED && memcmp(network->bytes, mapped, sizeof mapped) == 0;
    char address[INET6_ADDRSTRLEN] = "";

    (void)inet_ntop(is_v4 ? AF_INET : AF_INET6, network->bytes + (is_v4 ? sizeof mapped : 0),
                    address, sizeof address);
    snprintf(out, CIDR_TEXT, "%s/%d", address, network->bits - (is_v4 ? MAPPED : 0));
}

static bool has(const struct cidr *network, const uint8_t address[CIDR_BYTES])
{
    uint8_t bytes[CIDR_BYTES];

    memcpy(bytes, address, sizeof bytes);
    (void)cut_bits(bytes, network->bits);
    return memcmp(bytes, network->bytes, sizeof bytes) == 0;
}

bool cidr_has(const struct cidr *network, const struct sockaddr_storage *address)
{
    uint8_t bytes[CIDR_BYTES];
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;

    if (address->ss_family == AF_INET) {
        /* Copied, because a sockaddr_storage may not be read through another type. */
        memcpy(&v4, address, sizeof v4);
        set_v4(bytes, &v4.sin_addr);
    } else if (address->ss_family == AF_INET6) {
        memcpy(&v6, address, sizeof v6);
        memcpy(bytes, &v6.sin6_addr, sizeof bytes);
    } else {
        return false;
    }
    return has(network, bytes);
}

bool cidr_has_text(const struct cidr *network, const char *address)
{
    uint8_t bytes[CIDR_BYTES];

    return bytes_of(bytes, address) != 0 && has(network, bytes);
}
