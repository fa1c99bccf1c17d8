/* Who may connect from another machine: a key decides, and only a complete question by CURVE. */
#include <door/zap.h>

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include <zmq.h>

static const uint8_t known[ZAP_KEY] = {1, 2, 3};
static const uint8_t other[ZAP_KEY] = {1, 2, 4};

static const char *owner_of(void *user, const uint8_t key[ZAP_KEY])
{
    (void)user;
    return memcmp(key, known, sizeof known) == 0 ? "anna" : NULL;
}

static void put(struct zap_question *question, const void *data, size_t size)
{
    memcpy(question->frame[question->frames], data, size);
    question->size[question->frames++] = size;
}

/* A question with one frame replaced; -1: none. */
static struct zap_question question_with(int frame, const char *text, const uint8_t *key)
{
    static const char *const plain[] = {"1.0", "7", ZAP_DOMAIN, "127.0.0.1", "", "CURVE"};
    struct zap_question question = {.frames = 0};

    for (int i = 0; i < ZAP_FRAMES - 1; i++) {
        const char *word = i == frame ? text : plain[i];

        put(&question, word, strlen(word));
    }
    put(&question, key, ZAP_KEY);
    return question;
}

START_TEST(the_key_decides)
{
    struct zap_question question = question_with(-1, "", known);

    ck_assert_str_eq(zap_decide(&question, ZAP_DOMAIN, owner_of, NULL), "anna");
    question = question_with(4, "bert", known); /* what it says of itself is not asked */
    ck_assert_str_eq(zap_decide(&question, ZAP_DOMAIN, owner_of, NULL), "anna");
    question = question_with(-1, "", other);
    ck_assert_ptr_null(zap_decide(&question, ZAP_DOMAIN, owner_of, NULL));
}
END_TEST

static const struct {
    int frame;
    const char *text;
} wrong[] = {
    {0, "1.1"}, {0, ""}, {2, "porch"}, {2, ""}, {5, "NULL"}, {5, "PLAIN"}, {5, "CURVES"}, {5, ""},
};

START_TEST(another_question_is_refused)
{
    struct zap_question question = question_with(wrong[_i].frame, wrong[_i].text, known);

    ck_assert_ptr_null(zap_decide(&question, ZAP_DOMAIN, owner_of, NULL));
}
END_TEST

START_TEST(missing_and_further_frames_are_refused)
{
    struct zap_question question = question_with(-1, "", known);

    question.frames = ZAP_FRAMES - 1;
    ck_assert_ptr_null(zap_decide(&question, ZAP_DOMAIN, owner_of, NULL));
    question.frames = ZAP_FRAMES + 1;
    ck_assert_ptr_null(zap_decide(&question, ZAP_DOMAIN, owner_of, NULL));
    question.frames = ZAP_FRAMES;
    question.size[ZAP_FRAMES - 1] = ZAP_KEY - 1;
    ck_assert_ptr_null(zap_decide(&question, ZAP_DOMAIN, owner_of, NULL));
    question.size[ZAP_FRAMES - 1] = 2 * ZAP_KEY;
    ck_assert_ptr_null(zap_decide(&question, ZAP_DOMAIN, owner_of, NULL));
}
END_TEST

static void ask(void *req, int frames, size_t longest)
{
    static const char *const plain[] = {"1.0", "7", ZAP_DOMAIN, "127.0.0.1", "", "CURVE"};
    static const uint8_t zeros[1000];

    for (int i = 0; i < frames; i++) {
        const void *data = i < ZAP_FRAMES - 1 ? (const void *)plain[i] : known;
        size_t size = i < ZAP_FRAMES - 1 ? strlen(plain[i]) : ZAP_KEY;

        data = i == 1 && longest > 0 ? zeros : data;
        size = i == 1 && longest > 0 ? longest : size;
        ck_assert_int_ge(zmq_send(req, data, size, i + 1 < frames ? ZMQ_SNDMORE : 0), 0);
    }
}

static const struct {
    int frames;
    size_t longest;
    const char *status;
} asked[] = {{7, 0, "200"}, {1, 0, "400"},  {6, 0, "400"},
             {8, 0, "400"}, {20, 0, "400"}, {7, 1000, "200"}};

/* A REP socket that leaves a question without an answer answers none any more. */
START_TEST(every_question_gets_one_answer)
{
    void *context = zmq_ctx_new();
    void *rep = zmq_socket(context, ZMQ_REP), *req = zmq_socket(context, ZMQ_REQ);
    char address[ZAP_FRAME], text[ZAP_FRAME];
    const int wait_ms = 5000;

    ck_assert_int_eq(zmq_bind(rep, ZAP_ENDPOINT), 0);
    zmq_setsockopt(req, ZMQ_RCVTIMEO, &wait_ms, sizeof wait_ms);
    ck_assert_int_eq(zmq_connect(req, ZAP_ENDPOINT), 0);
    ck_assert(!zap_serve(address, rep, ZAP_DOMAIN, owner_of, NULL));
    for (size_t i = 0; i < sizeof asked / sizeof asked[0]; i++) {
        zmq_pollitem_t item = {rep, 0, ZMQ_POLLIN, 0};

        ask(req, asked[i].frames, asked[i].longest);
        ck_assert_int_eq(zmq_poll(&item, 1, wait_ms), 1);
        ck_assert(zap_serve(address, rep, ZAP_DOMAIN, owner_of, NULL));
        ck_assert_int_eq(address[0] == '\0',
                         strcmp(asked[i].status, "200") == 0 || asked[i].frames < 4);
        for (int frame = 0; frame < 6; frame++) {
            int size = zmq_recv(req, text, sizeof text - 1, 0);

            ck_assert_int_ge(size, 0);
            text[size < ZAP_FRAME ? size : ZAP_FRAME - 1] = '\0';
            if (frame == 2) {
                ck_assert_str_eq(text, asked[i].status);
            }
        }
    }
    zmq_close(req);
    zmq_close(rep);
    zmq_ctx_term(context);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("zap");
    TCase *laws = tcase_create("laws");
    SRunner *runner;
    int failed;

    tcase_add_test(laws, the_key_decides);
    tcase_add_loop_test(laws, another_question_is_refused, 0,
                        (int)(sizeof wrong / sizeof wrong[0]));
    tcase_add_test(laws, missing_and_further_frames_are_refused);
    tcase_add_test(laws, every_question_gets_one_answer);
    suite_add_tcase(suite, laws);
    runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
