#!/usr/bin/python3
"""bgref show and bgref rate on the results of a real event.

usage: test_show.py BIN_DIRECTORY
"""
import json
import os
import re
import subprocess
import sys
import tempfile

BGREF = os.path.join(os.path.abspath(sys.argv[1]), 'bgref')


def run(*words, status=0):
    done = subprocess.run([BGREF, *words], capture_output=True, text=True, timeout=120,
                          stdin=subprocess.DEVNULL)
    assert done.returncode == status, f'{words}: exit {done.returncode}, {done.stderr}'
    return done.stdout if status == 0 else done.stderr


def check_readable(text):
    assert 'nan' not in text and 'inf' not in text, text
    assert all(len(line) <= 100 for line in text.splitlines()), text


def check_match_event(path):
    run('duel', 'random', 'greedy', '--length', '3', '--pairs', '4', '--seed', '11', '--results',
        path)
    table = run('rate', path)
    check_readable(table)
    shown = run('show', path)
    check_readable(shown)
    assert table in shown and 'event complete' in shown
    assert 'act 1' in run('desk', path, 'note', 'state=paused', '--reason', 'tried') and 'paused' not in run('show', path)

    event = json.loads(run('rate', path, '--json'))
    assert [row['bot'] for row in event['standings']] == ['greedy', 'random']
    assert sum(row['won'] for row in event['standings']) == 8
    encounter = event['encounters'][0]
    assert sum(encounter['pairs']) == 4
    fixed = json.loads(run('rate', path, '--json', '--anchor', 'random', '--anchor-rating', '1000'))
    fixed = {row['bot']: row for row in fixed['standings']}
    assert fixed['random']['rating'] == 1000

    # the same counts given as JSON lead to the same numbers
    pairs = encounter['pairs']
    row = {'a': encounter['bot'], 'b': encounter['opponent'], 'length': 3, 'pairs': pairs}
    text = {'kind': 'ratings', 'input': {'players': ['greedy', 'random'], 'results': [row]}}
    given = subprocess.run([BGREF, 'rate', '--input', '-', '--json'], input=json.dumps(text),
                           capture_output=True, text=True, timeout=60)
    answer = {p['name']: p for p in json.loads(given.stdout)['players']}
    for row in event['standings']:
        assert answer[row['bot']]['wins'] == row['won'], given.stdout
        if row['won'] < 8 and row['lost'] < 8:  # the field as a prior draws them together
            assert abs(row['rating'] - 1500) < abs(answer[row['bot']]['rating'] - 1500) + 1e-6, given.stdout
    return shown


def check_games(path, shown):
    games = re.findall(r'^  (greedy\|random\|\d+\|[01]\|\d+)  (.*)$', shown, re.M)
    assert len(games) == min(10, json.loads(run('rate', path, '--json'))['games'])
    for game, result in games:
        drawn = run('show', path, game)
        check_readable(drawn)
        winner, points = re.match(r'(\w+) \+(\d+)', result).groups()
        assert f'{winner} wins {points} point' in drawn, drawn
        assert '+13-14-15' in drawn and ' plays ' in drawn


def check_misuse(path, folder):
    other = os.path.join(folder, 'notes.txt')
    with open(other, 'w', encoding='utf-8') as out:
        out.write('no results here\n')
    for words, place in ((('rate', folder + '/none.db'), 'none.db'), (('show', other), 'notes.txt'),
                         (('show', path, 'greedy|random|0'), 'greedy|random|0'),
                         (('show', path, 'greedy|random|77|0|0'), 'greedy|random|77|0|0'),
                         (('rate', path, '--anchor', 'nobody'), 'nobody'),
                         (('rate', path, '--prior', '-1'), '-1'), (('rate', path, '--prior', '1'), '--input'), (('rate',), 'database')):
        message = run(*words, status=2)
        assert place in message, message


def main():
    with tempfile.TemporaryDirectory(prefix='bgref-show-') as folder:
        path = os.path.join(folder, 'match.db')
        check_games(path, check_match_event(path))
        check_misuse(path, folder)
        money = os.path.join(folder, 'money.db')
        run('duel', 'random', 'greedy', '--pairs', '4', '--seed', '12', '--results', money)
        check_readable(run('show', money))
        rows = json.loads(run('rate', money, '--json'))['standings']
        assert abs(sum(row['rating'] for row in rows)) < 1e-9
    print('ok')


if __name__ == '__main__':
    main()
