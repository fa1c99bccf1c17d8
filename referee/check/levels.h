/* levels.h - the examinations: each asks, judges by the rules, and adds its findings. */
#ifndef REFEREE_CHECK_LEVELS_H
#define REFEREE_CHECK_LEVELS_H

#include "certificate.h"
#include "corpus.h"
#include "examiner.h"
#include "opened.h"

/* Context of every examination; all pointers are lent. */
struct check_run {
    struct examiner *examiner;
    struct certificate *certificate;
    const struct corpus *corpus;
    const struct bg_variant *variant;
    const struct competitor *bot;
    int64_t start_ns;      /* most time until a process is ready */
    int64_t limit_ns;      /* on its clock, where one runs */
    struct said said;      /* the last output of its process, if it failed */
    struct opened *opened; /* what it opens; NULL: nobody asks */
};

/* Builds the question of a case. A case has the same game id and bot_seed each time. */
void check_question(struct examiner_question *question, const struct check_run *run,
                    const struct corpus_case *from, size_t number);

/* Judges the result of a question about *match; counts as one trial of finding. */
void check_judge(struct finding *finding, const struct check_run *run, const struct bg_match *match,
                 const struct examiner_question *question);

/* Records a failure of this question with all details that are kept of a fault in play: position,
 * answer, commands. */
void check_fail(struct finding *finding, const struct check_run *run, const struct bg_match *match,
                const struct examiner_question *question, enum bg_fault fault, const char *message);

/* Each returns BG_OK unless the examination cannot continue: the bot does not restart
 * (BG_E_START), or the referee's own system fails. */
enum bg_status check_plays(const struct check_run *run, struct bg_error *err);    /* level 0 */
enum bg_status check_rules(const struct check_run *run, struct bg_error *err);    /* level 1 */
enum bg_status check_protocol(const struct check_run *run, struct bg_error *err); /* level 2 */
/* Level 2: asks a new process each class of position (position_class.h) before anything else. */
enum bg_status check_first(const struct check_run *run, struct bg_error *err);

#endif
