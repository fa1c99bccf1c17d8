#!/bin/sh
# bgref plays as users and scripts run them.
#     test_plays_position.sh BGREF VECTORS
set -u
bgref=$1
vectors=$2
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0

fail() {
    echo "FAIL: $*"
    failed=1
}

# refuses STATUS STORY COMMAND...: the command ends with STATUS and prints STORY on stderr.
refuses() {
    status=$1
    story=$2
    shift 2
    "$@" >"$work/out" 2>"$work/err"
    got=$?
    [ "$got" -eq "$status" ] || fail "$*: status $got, expected $status"
    grep -qF -e "$story" "$work/err" || fail "$*: no '$story' in: $(cat "$work/err")"
}

# shows TEXT COMMAND...: the command succeeds and prints TEXT.
shows() {
    text=$1
    shift
    "$@" >"$work/out" 2>"$work/err" || fail "$*: status $?: $(cat "$work/err")"
    grep -qF -e "$text" "$work/out" || fail "$*: no '$text' in: $(cat "$work/out")"
}

# rows LINES COMMAND...: runs the command with LINES as standard input.
rows() {
    printf '%b' "$1" >"$work/in"
    shift
    "$@" <"$work/in"
}

# Every row of the vectors, comments skipped, further columns ignored.
grep -v '^#' "$vectors/backgammon-moves.tsv" | cut -f1-5 >"$work/want"
"$bgref" plays --tsv <"$vectors/backgammon-moves.tsv" >"$work/got" || fail "plays --tsv: status $?"
cmp "$work/want" "$work/got" || fail "plays --tsv: rows differ"
gzip -dc "$vectors/variants.tsv.gz" >"$work/stages"
grep -v '^#' "$work/stages" >"$work/want"
"$bgref" plays --stages <"$work/stages" >"$work/got" || fail "plays --stages: status $?"
cmp "$work/want" "$work/got" || fail "plays --stages: rows differ"
grep -v '^#' "$vectors/matchid.tsv" | cut -f1-18 >"$work/want"
"$bgref" plays --board --tsv <"$vectors/matchid.tsv" >"$work/got" || fail "plays --board --tsv: status $?"
cmp "$work/want" "$work/got" || fail "plays --board --tsv: rows differ"

# The first bad row ends the command, with its number; earlier rows are printed.
refuses 2 'line 2: die 1 "7"' rows '4HPwATDgc/ABMA\t3\t1\n4HPwATDgc/ABMA\t7\t1\n' "$bgref" plays --tsv
grep -q '^4HPwATDgc/ABMA	3	1	16	' "$work/out" || fail "plays --tsv: row before a bad one is lost"
refuses 2 'line 1: needs 3 columns' rows '4HPwATDgc/ABMA\t3\n' "$bgref" plays --tsv
refuses 2 'line 3: needs 3 columns' rows '#\n#\n\n' "$bgref" plays --tsv
refuses 2 'line 1: position ID "4HPwATDgc"' rows '4HPwATDgc\t3\t1\n' "$bgref" plays --tsv
refuses 2 'line 1: the line has a zero byte' rows '4HPwATDgc/ABMA\t3\t1\000\n' "$bgref" plays --tsv
refuses 2 'line 1: match ID "x"' rows '4HPwATDgc/ABMA\tx\n' "$bgref" plays --board --tsv
refuses 2 'line 1: needs 2 columns' rows '4HPwATDgc/ABMA\n' "$bgref" plays --board --tsv
nardi='w15-----/------/b15-----/------|0,0|0,0|0,0|w|-'
refuses 2 'line 1: game "nordi": unknown' rows "nordi\t$nardi\t63\n" "$bgref" plays --stages
refuses 2 'line 1: stage "36": the high' rows "fevga\t$nardi\t36\n" "$bgref" plays --stages
refuses 2 'line 1: needs 3 columns' rows "fevga\t$nardi\n" "$bgref" plays --stages
refuses 2 'not understood at character' rows "gulbara\t$nardi\t63\n" "$bgref" plays --stages
rows '' "$bgref" plays --tsv >"$work/out" || fail "plays --tsv: no rows: status $?"
[ -s "$work/out" ] && fail "plays --tsv: output without rows"
refuses 5 'write standard output' sh -c "'$bgref' plays --tsv <'$vectors/backgammon-moves.tsv' >/dev/full"

# On the command line.
opening='-b----E-C---eE---c-e----B-'
shows '8/5 6/5' "$bgref" plays 4HPwATDgc/ABMA 3 1
shows '24/18 18/13' "$bgref" plays "$opening:0:0:1:65:0:0:3:0:10"
shows 'no legal play' "$bgref" plays 3pwDOACABwDwfw 3 3
shows '24/18(2)' "$bgref" plays --variant long-nardi "$nardi" 66
shows '24/22 24/23' "$bgref" plays --variant long-nardi:head=any "$nardi" 21
shows 'no legal play' "$bgref" plays --variant asodio '------/------/------/------|0,0|15,15|0,0|w|-' 63
shows 'XGID='"$opening"':1:1:1:00:2:3:0:7:10' "$bgref" plays --board 4HPwATDgc/ABMA:UQngADAAEAAE
shows 'Match ID     UQngADAAEAAE' "$bgref" plays --board "$opening:1:1:1:00:2:3:0:7:10"
shows 'XGID         -' "$bgref" plays --board 4HPwATDgc/ABMA:UQogAUAAIAAE
refuses 2 'die 2 "0"' "$bgref" plays 4HPwATDgc/ABMA 3 0
refuses 2 'has no dice' "$bgref" plays 4HPwATDgc/ABMA
refuses 2 'position and two dice' "$bgref" plays
refuses 2 'position and two dice' "$bgref" plays 4HPwATDgc/ABMA 3
refuses 2 'are enough' "$bgref" plays 4HPwATDgc/ABMA 3 1 1
refuses 2 'give no position' "$bgref" plays --tsv 4HPwATDgc/ABMA
refuses 2 'give no position' "$bgref" plays --stages 4HPwATDgc/ABMA
refuses 2 'choose one of' "$bgref" plays --stages --tsv
refuses 2 'needs a position and a stage' "$bgref" plays --variant fevga "$nardi"
refuses 2 'no such value "head=two"' "$bgref" plays --variant long-nardi:head=two "$nardi" 63
refuses 2 'a position is needed' "$bgref" plays --board
refuses 2 'one position is enough' "$bgref" plays --board 4HPwATDgc/ABMA 3 1
refuses 2 'rows of backgammon' "$bgref" plays --board --stages
refuses 2 'choose one of' "$bgref" plays --board --check 8/5 4HPwATDgc/ABMA
refuses 2 'board character 26' "$bgref" plays --board "XGID=-b----E-C---eE---c-e----B:0"
refuses 2 'there is no flag --nonsense' "$bgref" plays --board --nonsense

exit $failed
