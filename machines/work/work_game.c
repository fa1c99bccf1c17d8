/* The columns travel beside the record, so that the coordinator can look at a game without playing
 * it again; that they say what the record says is for it to prove. */
#include "work.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* A text that protobuf-c may pack, though it does not change it. */
static char *lent(const char *text)
{
    return (char *)(uintptr_t)(text == NULL ? protobuf_c_empty_string : text);
}

static void lend_evidence(Bgref__Work__V1__Evidence *out, const struct store_fault *evidence)
{
    bgref__work__v1__evidence__init(out);
    out->bot = lent(evidence->bot);
    out->fault = evidence->fault;
    out->decision = evidence->decision;
    out->rule = lent(evidence->rule);
    out->position_id = lent(evidence->position_id);
    out->xgid = lent(evidence->xgid);
    out->dice = lent(evidence->dice);
    out->reply = lent(evidence->reply);
    out->stderr_tail = lent(evidence->stderr_tail);
    out->legal = lent(evidence->legal);
    out->story = lent(evidence->story);
    out->reproduce = lent(evidence->reproduce);
}

void work_game_of(Bgref__Work__V1__Game *out, const struct store_game *game, const char *prev,
                  const char *message)
{
    bgref__work__v1__game__init(out);
    out->pair = game->pair;
    out->leg = (uint32_t)game->leg;
    out->game = (uint32_t)game->game;
    out->hash = lent(game->hash);
    out->prev = lent(prev);
    out->text = (ProtobufCBinaryData){game->text_size, (uint8_t *)game->text};
    out->at_s = game->at_s;
    out->winner = game->winner;
    out->points = game->points;
    out->level = game->level;
    out->end = game->end;
    out->fault = game->fault;
    out->turns = game->turns;
    out->score_a = game->score_a;
    out->score_b = game->score_b;
    out->match_over = game->match_over;
    out->match_winner = game->match_winner;
    out->left_a_ns = game->left_ns[0];
    out->left_b_ns = game->left_ns[1];
    out->length_points = game->length_points;
    out->message = lent(message);
    if (game->evidence != NULL) {
        out->evidence = memory_zeroed(1, sizeof *out->evidence);
        lend_evidence(out->evidence, game->evidence);
        out->lacks_evidence =
            protobuf_c_message_get_packed_size(&out->evidence->base) > WORK_EVIDENCE;
    }
    if (out->lacks_evidence) {
        work_game_deinit(out);
    }
}

void work_game_deinit(Bgref__Work__V1__Game *message)
{
    free(message->evidence);
    message->evidence = NULL;
}

/* Texts that were never there stay NULL, as at a table here. */
static char *kept(const char *text)
{
    return text[0] == '\0' ? NULL : memory_text(text);
}

static struct store_fault *read_evidence(const Bgref__Work__V1__Evidence *evidence, const char *id)
{
    struct store_fault *out = memory_zeroed(1, sizeof *out);

    out->game_id = memory_text(id);
    out->bot = memory_text(evidence->bot);
    out->fault = (enum bg_fault)evidence->fault;
    out->decision = evidence->decision;
    out->rule = kept(evidence->rule);
    out->position_id = kept(evidence->position_id);
    out->xgid = kept(evidence->xgid);
    out->dice = kept(evidence->dice);
    out->reply = kept(evidence->reply);
    out->stderr_tail = kept(evidence->stderr_tail);
    out->legal = kept(evidence->legal);
    out->story = kept(evidence->story);
    out->reproduce = kept(evidence->reproduce);
    return out;
}

struct store_game *work_game_read(const Bgref__Work__V1__Game *message, const char *a,
                                  const char *b)
{
    struct store_game *game = memory_zeroed(1, sizeof *game);
    struct game_id id = game_id_of_leg(a, b, message->pair, (int)message->leg);
    char text[BG_GAME_ID];

    id.game = (int)message->game;
    game_id_write(text, &id);
    game->id = memory_text(text);
    game->a = memory_text(a);
    game->b = memory_text(b);
    game->pair = message->pair;
    game->leg = (int)message->leg;
    game->game = (int)message->game;
    game->length_points = message->length_points;
    game->winner = message->winner;
    game->points = message->points;
    game->level = message->level;
    game->end = (enum bg_end)message->end;
    game->fault = (enum bg_fault)message->fault;
    game->turns = message->turns;
    game->score_a = message->score_a;
    game->score_b = message->score_b;
    game->match_over = message->match_over;
    game->match_winner = message->match_winner;
    game->left_ns[0] = message->left_a_ns;
    game->left_ns[1] = message->left_b_ns;
    game->at_s = message->at_s;
    memcpy(game->hash, message->hash, RECORD_HASH);
    game->text = memory_text_of((const char *)message->text.data, message->text.len);
    game->text_size = message->text.len;
    if (message->evidence != NULL) {
        game->evidence = read_evidence(message->evidence, text);
    }
    return game;
}
