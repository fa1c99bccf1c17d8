/* register.h - the one message that the porch knows (porch.h), and its answer.
 *
 * Text with TABs, so that there is little to get wrong:
 *     bgref-register-1  NAME  TOKEN  NEXT  CONTACT      TOKEN, NEXT and CONTACT may be empty
 *     bgref-registered-1  WORD  TEXT                    WORD: registered, waits or refused
 * The key that asks is not in it: the connection has proved it.
 */
#ifndef REFEREE_DOOR_REGISTER_H
#define REFEREE_DOOR_REGISTER_H

#include <bgref/error.h>

#include <stdbool.h>
#include <stddef.h>

#include "proof/key_file.h"

enum {
    REGISTER_MOST = 1024,   /* bytes of a message */
    REGISTER_TOKEN = 33,    /* 32 hexadecimal digits: 128 bits; with its terminator */
    REGISTER_CONTACT = 201, /* with its terminator */
    REGISTER_TEXT = 400
};

struct register_ask {
    char name[KEY_FILE_NAME];
    char token[REGISTER_TOKEN]; /* of an invitation; "" none */
    char next[KEY_FILE_DIGITS]; /* the key that takes this one's place, small letters; "" none */
    char contact[REGISTER_CONTACT]; /* how to reach the author: clean text; "" none */
};

enum register_word { REGISTER_DONE, REGISTER_WAITS, REGISTER_REFUSED };

struct register_answer {
    enum register_word word;
    char text[REGISTER_TEXT]; /* clean */
};

/* Read a message of anybody. BG_E_FORMAT: what is wrong; never quotes a token. */
enum bg_status register_read(struct register_ask *out, const void *data, size_t size,
                             struct bg_error *err);
enum bg_status register_answer_read(struct register_answer *out, const void *data, size_t size,
                                    struct bg_error *err);

/* Write a message and return its size. The fields are as the readers leave them. */
size_t register_write(char out[REGISTER_MOST], const struct register_ask *ask);
size_t register_answer_write(char out[REGISTER_MOST], const struct register_answer *answer);

/* Whether a text is a token. */
bool register_token_is_valid(const char *text);

#endif
