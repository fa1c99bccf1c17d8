# Sourced by check_soname.sh and check_grown.sh: ./probe_1 plays against itself, once with each way of serving
# a bot, and values the games both ways. Needs $bgref, $place and fail.
# shellcheck shell=sh disable=SC2154
"$bgref" duel -engine name=pull bot=./probe_1 args=wild option.Style=wild \
    -engine name=run bot=./probe_1 args=run --pairs 2 --length 0 --sandbox off --quiet \
    --results plays.db >said 2>&1 || fail "duel: $(cat said)"
grep -q "over 4 games" said || fail "not four games: $(cat said)"
"$bgref" faults plays.db >said 2>&1 || fail "faults: $(cat said)"
grep -q 'no faults' said || fail "$(cat said)"
printf '#!/bin/sh\nexec "%s/probe_1" run\n' "$place" >runs.sh
chmod +x runs.sh
for judge in probe_1 runs.sh; do
    "$bgref" judge plays.db --judge "bot:$place/$judge" --sandbox off >said 2>&1 || fail "judge $judge: $(cat said)"
    grep -q '4 of 4 games judged' said || fail "not four games judged by $judge: $(cat said)"
done
