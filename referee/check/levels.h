/* levels.h - the examinations: each asks, judges by the rules, and adds its findings. */
#ifndef REFEREE_CHECK_LEVELS_H
#define REFEREE_CHECK_LEVELS_H

#include "certificate.h"
#include "corpus.h"
#include "examiner.h"

/* What every examination needs; all lent. */
struct check_scene {
    struct examiner *examiner;
    struct certificate *certificate;
    const struct corpus *corpus;
    const struct bg_variant *variant;
    const struct competitor *bot;
    struct said said; /* what its process wrote last when it failed */
};

/* The case as a question to the bot; a case has the same game id and bot_seed whenever asked. */
void check_question(struct question *question, const struct check_scene *scene,
                    const struct corpus_case *from, size_t number);

/* Judges what came of a question, which was asked in *match: one trial of finding. */
void check_judge(struct finding *finding, const struct check_scene *scene,
                 const struct bg_match *match, const struct question *question);

/* Each returns what is not BG_OK only when the examination cannot go on: the bot does not start
 * again (BG_E_START), or our own surroundings fail. */
enum bg_status check_plays(const struct check_scene *scene, struct bg_error *err);   /* level 0 */
enum bg_status check_rules(const struct check_scene *scene, struct bg_error *err);   /* level 1 */
enum bg_status check_manners(const struct check_scene *scene, struct bg_error *err); /* level 2 */

#endif
