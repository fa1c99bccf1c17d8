#include "zap.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <zmq.h>

enum { VERSION, REQUEST, DOMAIN, ADDRESS, IDENTITY, MECHANISM, CREDENTIALS };

static bool is(const struct zap_question *question, int frame, const char *text)
{
    return question->size[frame] == strlen(text) &&
           memcmp(question->frame[frame], text, strlen(text)) == 0;
}

const char *zap_decide(const struct zap_question *question, const char *domain,
                       zap_owner_fn owner_of, void *user)
{
    if (question->frames != ZAP_FRAMES || !is(question, VERSION, "1.0") ||
        !is(question, DOMAIN, domain) || !is(question, MECHANISM, "CURVE") ||
        question->size[CREDENTIALS] != ZAP_KEY) {
        return NULL;
    }
    return owner_of(user, question->frame[CREDENTIALS]);
}

/* Reads all frames of a message. Returns false if there is none. */
static bool read_question(struct zap_question *out, void *rep)
{
    zmq_msg_t part;
    bool more = true;

    memset(out, 0, sizeof *out);
    while (more) {
        zmq_msg_init(&part);
        if (zmq_msg_recv(&part, rep, ZMQ_DONTWAIT) < 0) {
            zmq_msg_close(&part);
            return false; /* the frames of a message arrive together: none has come */
        }
        if (out->frames < ZAP_FRAMES) {
            size_t size = zmq_msg_size(&part);

            out->size[out->frames] = size;
            memcpy(out->frame[out->frames], zmq_msg_data(&part),
                   size < ZAP_FRAME ? size : ZAP_FRAME);
        }
        out->frames++;
        more = zmq_msg_more(&part) != 0;
        zmq_msg_close(&part);
    }
    return true;
}

static void send_frame(void *rep, const void *data, size_t size, bool more)
{
    (void)zmq_send(rep, data, size, ZMQ_DONTWAIT | (more ? ZMQ_SNDMORE : 0));
}

bool zap_serve(char address[ZAP_FRAME], void *rep, const char *domain, zap_owner_fn owner_of,
               void *user)
{
    struct zap_question question;
    const char *name, *status;
    size_t size;

    address[0] = '\0';
    if (!read_question(&question, rep)) {
        return false;
    }
    name = zap_decide(&question, domain, owner_of, user);
    status = name == NULL ? "400" : "200";
    if (name == NULL) {
        size = question.size[ADDRESS] < ZAP_FRAME ? question.size[ADDRESS] : ZAP_FRAME - 1;
        memcpy(address, question.frame[ADDRESS], size);
        address[size] = '\0';
    }
    size = question.size[REQUEST] < ZAP_FRAME ? question.size[REQUEST] : ZAP_FRAME;
    send_frame(rep, "1.0", 3, true);
    send_frame(rep, question.frame[REQUEST], size, true);
    send_frame(rep, status, strlen(status), true);
    send_frame(rep, name == NULL ? "unknown key" : "known", name == NULL ? 11 : 5, true);
    send_frame(rep, name == NULL ? "" : name, name == NULL ? 0 : strlen(name), true);
    send_frame(rep, "", 0, false);
    return true;
}
