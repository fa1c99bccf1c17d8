#!/usr/bin/python3
"""Exports through GNU Backgammon: what bgref writes, gnubg imports and analyses without a
complaint, and its games, results and scores are those of the records.

usage: test_formats.py BIN_DIRECTORY [MATCHES]
"""
import csv
import io
import json
import os
import re
import subprocess
import sys

MATCHES = int(sys.argv.pop(2)) if len(sys.argv) > 2 and sys.argv[2].isdigit() else 8

from harness import BIN, Case, main  # noqa: E402 (takes the folder from sys.argv)

GNUBG = '/usr/games/gnubg'
FORMATS = os.path.join(os.path.dirname(os.path.abspath(__file__)), '../../docs/formats.md')
MAKE = os.path.join(BIN, 'make_matches')
COMPLAINT = re.compile(
    r'warning|unrecogni[sz]ed|invalid|not a valid|record found but|garbage|unknown keyword|'
    r'no game in progress|no such file|syntax|cannot|could not|illegal', re.I)
HARMLESS = re.compile(r'no match equity|cannot double|Could not open.*gnubgrc', re.I)

# Rules that .mat can express, one line each, and the gnubg commands that set them.
MATCHES_BY_CHANCE = [
    ('match=1', 'on'), ('match=3', 'on'), ('match=5', 'on'), ('match=7', 'on'),
    ('money', 'on'), ('money jacoby=0', 'off'), ('money beavers', 'on'),
    ('money beavers raises=-1', 'on'), ('match=5 cube=0', 'on'), ('match=5 holland', 'on'),
    ('match=5 single', 'on'), ('match=7 opening=reroll next=winner', 'on'),
    ('money opening=choice', 'on'), ('money cube=0', 'off'),
]
ONLY_SGF = ['match=5 crawford=0', 'money auto=3', 'match=3 game=nackgammon']

TO_THE_BAR = 'open 31, 0 play 8/5 6/5, 1 roll 64, 1 play 24/18 13/9, '
SET = [  # games that begin elsewhere
    'money; on=1 x=25:1,6:1,0:13 y=6:2,5:2,4:2,3:2,2:2,1:2,0:3; '
    '1 roll 61, 1 play 6/off 2/1, 0 roll 55, 1 roll 66, 1 play 6/off 5/off 5/off 4/off, '
    '0 fault late',
    'money; cube=4@1 on=1 x=25:1,6:1,0:13 y=6:2,5:2,4:2,3:2,2:2,1:2,0:3; 1 double, 0 pass',
    'money; cube=2@0 on=0 x=1:1,0:14 y=20:1,1:1,0:13; 0 double, 1 take, 0 roll 21, 0 play 1/off',
    'match=5; score=3-2 game=4 on=0 x=24:2,13:5,8:3,6:5 y=24:2,13:5,8:3,7:1,6:4; '
    '0 double, 1 take, 0 roll 31, 0 play 8/5 6/5, 1 resign 1, 0 accept',
]
RARE = [  # rules; start; steps, with every kind of end
    'money beavers raises=1; ; ' + TO_THE_BAR +
    '0 double, 1 raise, 0 raise, 1 take, 0 roll 21, 0 resign 1, 1 accept',
    'money beavers; ; ' + TO_THE_BAR + '0 double, 1 raise, 0 pass',
    'money beavers raises=1; ; ' + TO_THE_BAR + '0 double, 1 raise, 0 raise, 1 pass',
    'money beavers; ; ' + TO_THE_BAR + '0 double, 1 raise, 0 fault late',
    'money; ; ' + TO_THE_BAR + '0 double, 1 fault late',
    'money; ; ' + TO_THE_BAR + '0 fault late',
    'money; ; open 31, 1 fault late',
    'money; ; open 13, 0 fault crash',
    'money; ; ' + TO_THE_BAR + '0 roll 65, 0 resign 3, 1 accept',
    'money jacoby=0; ; ' + TO_THE_BAR + '0 roll 65, 0 resign 3, 1 accept',
    'money; ; ' + TO_THE_BAR + '0 double, 1 take, 0 roll 65, 0 resign 2, 1 accept',
    'money; ; ' + TO_THE_BAR + '0 resign 1, 1 refuse, 0 double, 1 pass',
]


# Messages about the .mat that this test requests for inspection and that cannot express the game.
EDITED = 'Warning: this game was edited during play and cannot be exported correctly in this format.'


def messages(text):
    """gnubg's lines of words, without boards, tables and echoed names."""
    return [line for line in text.splitlines()
            if COMPLAINT.search(line) and not HARMLESS.search(line)]


def parsed(text):
    """A .mat as a list for each game: rolls, plays, doubles and drops. Without the parts that gnubg may write
    differently: hit marks, order of steps, line breaks, consequences of the roll after a beaver; and without
    points won, which are compared with the records."""
    action = re.compile(r'(\d\d:)((?: *\d+/\d+\*?)*)|(?:Double|Beaver|Raccoon)s => \d+|Drops')
    games = []
    for game in re.split(r'^ *Game \d+$', text, flags=re.M)[1:]:
        lines = [re.sub(r'^ *\d+\)', '', line) for line in game.splitlines()[2:]]
        games.append([
            ' '.join([found[1], *sorted(re.findall(r'\d+/\d+', found[2]))]) if found[1]
            else found[0].replace('Beaver', 'Double').replace('Raccoon', 'Double')
            for line in lines for found in action.finditer(line)])
    return games


def same(ours, theirs):
    """A last roll that was given up unplayed may be omitted, or be played if there is only one play."""
    def differs(one, other):
        return one != other and one[:-1] != other and one != other[:-1] and (
            one[:-1] != other[:-1] or other[-1][:3] != one[-1][:3])
    return len(ours) == len(theirs) and not any(map(differs, ours, theirs))


def nodes_before_play(text):
    """Position and cube as .sgf sets them up, in any order of checkers. gnubg always saves PL[W]."""
    nodes = re.findall(r';(?:PL|CV|CP).*', text)
    properties = re.compile(r'(A[WBE]|C[VP])((?:\[[^]]*\])+)')
    return [{key: sorted(values) for key, values in properties.findall(node)} for node in nodes]


class Gnubg:
    """One gnubg process that reads file after file."""

    def __init__(self, case):
        self.case = case
        self.environment = {**case.environment, 'HOME': case.folder}

    def look_at(self, files):
        """files: (path, jacoby). Yields (gnubg's messages, its .mat, its .sgf) for each."""
        commands = ['set confirm new off', 'set confirm save off', 'set automatic game off',
                    'set display off', 'set threads 1',
                    'set analysis chequerplay evaluation plies 0',
                    'set analysis cubedecision evaluation plies 0']
        for i, (path, jacoby) in enumerate(files):
            load = 'import mat' if path.endswith('.mat') else 'load match'
            commands += [f'set jacoby {jacoby}', f'help MARK{i}', f'{load} "{path}"',
                         'analyse match', 'show statistics match', 'show score',
                         f'export match mat "{path}.rt.mat"', f'save match "{path}.rt.sgf"']
        commands += ['set jacoby on', f'help MARK{len(files)}', 'quit', '']
        done = subprocess.run([GNUBG, '-t', '-q', '-r'], input='\n'.join(commands), text=True,
                              capture_output=True, timeout=1500, env=self.environment,
                              cwd=self.case.folder, errors='replace', check=False)
        parts = re.split(r'.*MARK\d+.*\n?', done.stdout)
        self.case.assertEqual(len(parts), len(files) + 2, done.stdout[-2000:] + done.stderr)
        for (path, _), said in zip(files, parts[1:]):
            yield path, said, read(path + '.rt.mat'), read(path + '.rt.sgf')


def read(path):
    if not os.path.exists(path):
        return ''
    with open(path, encoding='utf-8') as file:
        return file.read()


def results_of_sgf(text):
    """(score before, result) of each game of a gnubg .sgf, from White's view."""
    games = []
    for root in re.findall(r'\(;FF\[4\].*?(?=\n;(?:[WB]\[|PL|C[VP])|\)\s*(?:\(;|\Z))', text, re.S):
        white, black = re.search(r'\[ws:(-?\d+)\]\[bs:(-?\d+)\]', root).groups()
        result = re.search(r'RE\[([WB])\+(\d+)R?\]', root)
        points = int(result[2]) * (1 if result[1] == 'W' else -1) if result else 0
        games.append(((int(white), int(black)), points))
    return games


class Exports(Case):

    def make(self, name, *words):
        subprocess.run([MAKE, self.path(name), *words], check=True, timeout=600)
        return self.path(name)

    def games(self, results):
        """Games by file stem, as the JSON lines have them."""
        lines = self.must('export', results, '--format', 'jsonl')[0].splitlines()
        files = {}
        for game in map(json.loads, lines):
            session = game['rules']['length'] == '0'
            stem = ['alice', 'bob'] + ([] if session else [str(game['pair']), str(game['leg'])])
            files.setdefault(','.join(stem), []).append(game)
        return files

    def compare(self, stem, games, said, sgf):
        self.assertEqual(messages(said), [], f'{stem}\n{said[:3000]}')
        told = sum('thought' in step and step['step'] not in ('resign', 'accept', 'refuse', 'fault')
                   for game in games for step in game['steps'])  # .sgf has no node for offers
        self.assertEqual(sgf.count('wins 62.0 %'), told, 'gnubg keeps what the bots thought')
        self.assertIn('Overall statistics', said, stem)
        session = games[0]['rules']['length'] == '0'
        before, expected = [0, 0], []
        if not session:
            before = [int(n) for n in games[0]['start']['score'].split(':')]
            before = before if games[0]['leg'] == 0 else before[::-1]
        for game in games:
            result = game['result']
            points = {'alice': 1, 'bob': -1, None: 0}[result['winner']] * result['points']
            expected.append((tuple(before), points))
            if session:
                before[0] += max(points, 0)
                before[1] += max(-points, 0)
            else:
                before = list(result['score'])
        self.assertEqual(results_of_sgf(sgf), expected, stem)
        score = re.search(r'The score \(after (\d+) games?\) is: alice (\d+), bob (\d+)', said)
        self.assertIsNotNone(score, said[-500:])
        first = 0 if session else int(games[0]['start']['game'])
        self.assertEqual([int(s) for s in score.groups()], [first + len(games), *before], stem)

    def through_gnubg(self, cases):
        """cases: (results, jacoby, formats)."""
        files, expected, written = [], {}, {}
        for number, (results, jacoby, formats) in enumerate(cases):
            games = self.games(results)
            for name in formats:
                folder = self.path(f'{name}{number}')
                self.must('export', results, '--format', name, '--out', folder)
                self.assertEqual(sorted(os.listdir(folder)),
                                 sorted(f'{stem}.{name}' for stem in games))
                for stem in games:
                    path = os.path.join(folder, f'{stem}.{name}')
                    expected[path] = games[stem]
                    files.append((path, jacoby))
                    if name == 'mat':
                        written[number, stem] = parsed(read(path))
        for path, said, mat, sgf in Gnubg(self).look_at(files):
            folder, name = os.path.split(path)
            stem, kind = os.path.splitext(name)
            said = said.replace(EDITED, '')
            original = written.get((int(re.search(r'\d+$', folder)[0]), stem))
            with self.subTest(path=path, text=read(path)[:3000]):
                self.compare(path, expected[path], said, sgf)
                if original is not None and not any(g['result']['winner'] is None
                                                    for g in expected[path]):
                    self.assertTrue(same(original, parsed(mat)), f'{kind}\n{original}\n{parsed(mat)}')
        return len(files)

    def test_gnubg_reads_random_matches_as_played(self):
        cases, each = [], MATCHES // len(MATCHES_BY_CHANCE) + 1
        if each > 1:  # long matches when there is time
            cases.append((self.make('long.db', 'chance', '2', '3', 'match=64'), 'on', ['mat', 'sgf']))
        for seed, (rules, jacoby) in enumerate(MATCHES_BY_CHANCE, 1):
            if each == 1 and seed % 3 != 0 and rules != 'money cube=0':
                continue  # a third of them in the everyday run
            results = self.make(f'chance{seed}.db', 'chance', str(each + 1), str(seed * 77), rules)
            cases.append((results, jacoby, ['mat', 'sgf']))
        for seed, rules in enumerate(ONLY_SGF, 100):
            results = self.make(f'chance{seed}.db', 'chance', str(each + 1), str(seed * 77), rules)
            cases.append((results, 'on', ['sgf']))
        self.assertGreaterEqual(self.through_gnubg(cases), MATCHES)

    def test_no_cube_is_said_in_every_format(self):
        """gnubg applies Jacoby's rule also without a cube; the rules of such games say jacoby, to no effect."""
        results = self.make('cubeless.db', 'chance', '3', '7', 'money cube=0')
        games = self.games(results)['alice,bob']
        self.assertTrue(any(game['result']['level'] > 1 for game in games))
        self.assertEqual({(game['rules']['cube'], game['rules']['jacoby']) for game in games}, {('off', 'off')})
        for name in ('sgf', 'mat'):
            self.must('export', results, '--format', name, '--out', f'{name}-out')
        mat = read(self.path('mat-out/alice,bob.mat'))
        self.assertIn('; [Jacoby "Off"]\n', mat)
        self.assertIn('; [CubeLimit "1"]\n', mat)
        path = self.path('sgf-out/alice,bob.sgf')
        for _, _, _, sgf in Gnubg(self).look_at([(path, 'on')]):
            self.assertEqual(re.findall(r'RU\[(.*?)\]', sgf), ['NoCube'] * len(games))
        for source in (path, self.path('mat-out/alice,bob.mat')):
            self.must('import', source, '--results', source + '.db')
            again = self.must('export', source + '.db', '--format', 'jsonl')[0].splitlines()
            rules = {(game['rules']['cube'], game['rules']['jacoby']) for game in map(json.loads, again)}
            self.assertEqual(rules, {('off', 'off')}, source)
        text = self.must('export', results, '--format', 'xgid')[0]
        ids = re.findall(r'XGID=\S+', text)
        self.assertGreater(len(ids), 20)
        self.assertEqual({found.split(':')[7] for found in ids}, {'0'}, 'the rules of an XGID')

    def test_rare_ends_of_games(self):
        """All in one session, so that an effect of one game on the next would be noticed."""
        cases = []
        for number, jacoby in enumerate(['on', 'off']):
            rare = [line for line in RARE if ('jacoby=0' in line) == (jacoby == 'off')]
            lines = self.write(f'rare{number}.txt', '\n'.join(rare) + '\n')
            cases.append((self.make(f'rare{number}.db', 'lines', lines), jacoby, ['mat', 'sgf']))
        self.through_gnubg(cases)

    def test_lists(self):
        results = self.make('lists.db', 'chance', '4', '5', 'match=5')
        games = [json.loads(line) for line in
                 self.must('export', results, '--format', 'jsonl')[0].splitlines()]
        document = json.loads(self.must('export', results, '--format', 'json')[0])
        self.assertEqual((document['schema'], document['version'], document['games']), ('bgref-games', 2, games))
        table = self.must('export', results, '--format', 'csv', '--out', 'games.csv') and read(
            self.path('games.csv'))
        self.assertTrue(table.startswith(
            'game,engine_x,engine_o,winner,outcome,points_x,points_o,points_a,points_b,plies,'))
        rows = list(csv.DictReader(io.StringIO(table)))
        self.assertEqual([int(row['game']) for row in rows], list(range(1, len(games) + 1)))
        for row, game in zip(rows, games):
            result = game['result']
            self.assertEqual((row['id'], row['winner'], row['event']),
                             (game['id'], result['winner'], 'by chance, "quoted"'))
            sign = 1 if result['winner'] == 'alice' else -1
            self.assertEqual(int(row['points_a']), sign * result['points'])
            x, o = game['bots'][1]['bot'], game['bots'][0]['bot']
            self.assertEqual((row['engine_x'], row['engine_o']), (x, o))
            self.assertEqual(int(row['points_x']), int(row['points_' + x[0]]))
            self.assertEqual(int(row['plies']), result['plies'])
        self.compare_decisions(results, games)

    def compare_decisions(self, results, games):
        """A line for each step of a bot; gnubg reads every XGID."""
        text = self.must('export', results, '--format', 'xgid')[0]
        lines = list(csv.DictReader(io.StringIO(text), delimiter='\t', quoting=csv.QUOTE_NONE))
        bots = sum(step.get('seat', -1) >= 0 for game in games for step in game['steps'])
        forced = sum(line['choice'] == 'roll' for line in lines)
        self.assertLessEqual(len(lines), bots)
        self.assertGreater(forced, 0)
        plays = [line for line in lines if line['decision'] == 'play' and line['xgid'] != '-'][:40]
        said = subprocess.run(
            [GNUBG, '-t', '-q', '-r'], text=True, capture_output=True, timeout=120, check=False,
            env={**self.environment, 'HOME': self.folder},
            input=''.join(f'set xgid {line["xgid"]}\n' for line in plays) + 'quit\n').stdout
        self.assertEqual(messages(said), [])
        self.assertGreaterEqual(len(re.findall('Position ID', said)), len(plays))

    def test_export_selection_is_checked(self):
        results = self.make('asked.db', 'chance', '3', '5', 'match=3')
        one = self.must('export', results, '--format', 'mat', 'alice|bob|0|1')[0]
        self.assertEqual(one.count('\n Game '), len([
            game for game in self.games(results)['alice,bob,0,1']]))
        self.must('export', results, '--format', 'mat', '--out', 'one.mat', 'alice|bob|0|1')
        self.assertEqual(read(self.path('one.mat')), one)
        for words, message in [
                (['--format', 'pgn'], 'expected one of mat, sgf, '),
                (['--format', 'mat'], 'give a folder'),
                (['--format', 'mat', '--out', 'all.mat'], 'give a folder'),
                (['--format', 'mat', 'alice|bob|7'], "game 'alice|bob|7': no such game"),
                ([], 'what to export is missing')]:
            self.assertIn(message, self.must('export', results, *words, status=2)[1], words)
        self.assertFalse(os.path.exists(self.path('all.mat')))
        names = re.search('expected one of (.*);', self.must('export', results, '--format', 'pgn', status=2)[1])
        with open(FORMATS, encoding='utf-8') as page:
            rows = re.findall(r'(?m)^\| (`[a-z`, ]+`) \|', page.read())
        self.assertEqual(set(names[1].split(', ')), set(re.findall('[a-z]+', ' '.join(rows))))
        self.must('export', results, '--format', 'mat', '--out', '/proc/none', status=5)
        other = self.make('other.db', 'chance', '1', '5', 'money game=plakoto')
        self.assertIn('plakoto', self.must('export', other, '--format', 'sgf', status=1)[1])
        self.must('export', other, '--format', 'xgid')
        free = self.make('free.db', 'chance', '6', '5', 'match=3 crawford=0')
        self.assertIn('for the Crawford game; use sgf',
                      self.must('export', free, '--format', 'mat', '--out', 'free', status=1)[1])

    def test_round_trip(self):
        """Exported, imported and exported again: the same games under new records."""
        for seed, rules in enumerate(['match=5', 'match=1', 'money beavers raises=1',
                                      'match=7 opening=reroll next=winner']):
            results = self.make(f'trip{seed}.db', 'chance', '4', str(seed + 900), rules)
            done = self.run_bgref('export', results, '--format', 'mat', '--out', f'trip{seed}')
            self.assertTrue(done.returncode == 0 or 'the cube reaches' in done.stderr, done.stderr)
            files = sorted(os.listdir(self.path(f'trip{seed}')))
            paths = [os.path.join(self.path(f'trip{seed}'), name) for name in files]
            back = self.path(f'back{seed}.db')
            talk = self.must('import', *paths, '--results', back)[1]
            self.assertIn('already', self.must('import', paths[0], '-r', back, status=2)[1])
            self.must('export', back, '--format', 'mat', '--out', f'back{seed}')
            again = [read(os.path.join(self.path(f'back{seed}'), name))
                     for name in sorted(os.listdir(self.path(f'back{seed}')))]
            ours = sorted(parsed(read(path)) for path in paths)
            theirs = sorted(map(parsed, again))
            self.assertEqual(len(ours), len(theirs))
            if 'out of turn' not in talk:  # such a play is missing in the second export
                self.assertTrue(all(map(same, ours, theirs)), talk)
            won = re.compile(r'Wins \d+')
            self.assertEqual(sorted(won.findall(''.join(map(read, paths)))),
                             sorted(won.findall(''.join(again))))
            self.must('rate', back)

    def test_replay(self):
        vectors = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'vectors')
        match = os.path.join(vectors, 'gnubg-match3.mat')
        lines = self.must('replay', match)[0].splitlines()
        self.assertEqual(lines[1], 'game 2  Bob +2 (resign, gammon), 47 turns, score 2-2, Crawford')
        self.assertEqual(len(lines), 3)
        self.assertIn('Alice plays', self.must('replay', match, '--draw')[0])
        text = read(match)
        for old, new, status, message in (
                ('62: 22/16 16/14', '62: 22/16 16/15', 1, 'game 2: Alice, '),
                ('Alice : 2 ', 'Alice : 3 ', 1, 'game 2: the score does not follow from the games before'),
                ('Doubles => 4', 'Doubles => 8', 1, 'the cube would come to 4'),
                ('Wins 2 points', 'Wins 3 points', 0, "the file's points are not those of the rules"),
                ('32: 25/22 25/23', '32:            ', 0, 'read as its only legal play'),
                (' Takes', ' Hopes', 1, "'Hopes': expected a roll")):
            with self.subTest(message):
                bad = self.write('bad.mat', text.replace(old, new, 1))
                printed = self.must('replay', bad, status=status)[1]
                self.assertRegex(printed, r'bad.mat:\d+: ')
                self.assertIn(message, printed)
        self.must('import', bad, '--results', 'bad.db', status=2)  # a line that cannot be read
        self.assertIn('No such file', self.must('replay', 'none.mat', status=2)[1])
        self.must('import', match, '--results', 'good.db')
        other = os.path.join(vectors, 'hand-match5.mat')
        self.must('import', other, '-r', 'good.db')
        self.assertIn('matches of 3 to 5 points', self.must('rate', 'good.db')[0])
        own = self.make('own.db', 'chance', '1', '5', 'match=3')
        self.assertIn('contains an event', self.must('import', match, '-r', own, status=2)[1])
        self.assertIn('Bob', self.must('show', 'good.db')[0])

    def test_set_positions(self):
        """Games from other positions: only .sgf can express them. gnubg must have the record's position."""
        cases = []
        for number, line in enumerate(SET):
            lines = self.write(f'set{number}.txt', line + '\n')
            cases.append((self.make(f'set{number}.db', 'lines', lines), 'on', ['sgf']))
        self.through_gnubg(cases)
        for number, (results, _, _) in enumerate(cases):
            [path] = [os.path.join(self.path(f'sgf{number}'), name)
                      for name in os.listdir(self.path(f'sgf{number}')) if 'rt' not in name]
            self.assertEqual(nodes_before_play(read(path + '.rt.sgf')),
                             nodes_before_play(read(path)))
            text = self.must('export', results, '--format', 'mat', '--out', 'none', status=1)[1]
            self.assertIn('use sgf', text)
            self.assertEqual(os.listdir(self.path('none')), [])


main()
