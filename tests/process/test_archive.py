#!/usr/bin/python3
"""Archives of matches in the dialects of servers and programs: every file is read with the same match as its
content; every illegal play is refused. The archive is written here, from random matches.

usage: test_archive.py BIN_DIRECTORY
"""
import glob
import json
import os
import random
import re
import resource
import shutil
import sqlite3
import subprocess
import unittest

from harness import BIN, Case, main

GNUBG = '/usr/games/gnubg'
MAKE = os.path.join(BIN, 'make_matches')
RULES = ['match=1', 'match=3', 'match=5', 'match=7', 'match=3 single']
WINS = re.compile(r'^( *)Wins (\d+) points?$', re.M)
STEP = re.compile(r'(\d+)/(\d+)(\*?)')
ROLL = re.compile(r'([1-6])([1-6]):((?: \d+/\d+\*?)+)')


# ---- dialects: text of a .mat as bgref writes it -> text in another program's dialect -----------

def each_roll(text, change):
    """change(high, low, [(from, to, hit)]) -> moves as text, for each roll with moves."""
    def replace(found):
        steps = [(int(a), int(b), c == '*') for a, b, c in STEP.findall(found[3])]
        moves = change(int(found[1]), int(found[2]), steps)
        return f'{found[1]}{found[2]}:' + (' ' + moves if moves else '').ljust(len(found[3]))
    return ROLL.sub(replace, text)


def plain(steps):
    return ' '.join(f'{a}/{b}{"*" if hit else ""}' for a, b, hit in steps)


def capitals(text, _chance):
    return each_roll(text, lambda _h, _l, steps: plain(steps).replace('25/', 'Bar/').replace(
        '/0', '/Off'))


def merge(steps):
    """13/10 10/8 becomes 13/8, unless it hits on its way."""
    steps = list(steps)
    for i, (a, b, hit) in enumerate(steps):
        for j, (c, d, other) in enumerate(steps):
            if i != j and b == c and not hit:
                rest = [s for k, s in enumerate(steps) if k not in (i, j)]
                return merge(rest + [(a, d, other)])
    return steps


def merged(text, _chance):
    return each_roll(text, lambda high, low, steps: plain(merge(steps) if high != low else steps))


def repeated(text, _chance):
    def change(_high, _low, steps):
        out = []
        for a, b, hit in steps:
            if out and out[-1][:2] == [a, b]:
                out[-1][2] |= hit
                out[-1][3] += 1
            else:
                out.append([a, b, hit, 1])
        return ' '.join(f'{a}/{b}{"*" if hit else ""}{f"({n})" if n > 1 else ""}'
                        for a, b, hit, n in out)
    return each_roll(text, change)


def swapped_bear_off(text, _chance):
    """7/1 1/0 for 7/4 4/0, as GNU Backgammon writes a merged 7/off."""
    def change(high, low, steps):
        if len(steps) == 2 and high != low and steps[0][1] == steps[1][0] and steps[1][1] == 0:
            first = steps[0][0]
            other = high if first - steps[0][1] == low else low
            if first - other > 0 and not steps[0][2]:
                return f'{first}/{first - other} {first - other}/0'
        return plain(steps)
    return each_roll(text, change)


def low_first(text, chance):
    return re.sub(r'\b([1-6])([1-6]):',
                  lambda f: f'{f[2]}{f[1]}:' if chance.random() < .5 else f[0], text)


def length_of(text):
    return int(re.search(r'^ (\d+) point match$', text, re.M)[1])


def both_columns(text, _chance):
    """' 28)  Losses 1 point      Wins 1 point and the match', points capped."""
    length, score, number = length_of(text), [0, 0], 0
    out = []
    for line in text.splitlines():
        before = re.match(r' \S.* : (\d+) .* : (\d+)$', line)
        if before:
            score = [int(before[1]), int(before[2])]
        numbered = re.match(r' *(\d+)\)', line)
        number = int(numbered[1]) if numbered else number
        found = WINS.match(line)
        if found:
            right = len(found[1]) > 20
            need = length - score[right]
            points = min(int(found[2]), need) if length else int(found[2])
            ends = ' and the match' if length and points == need else ''
            words = [f'Losses {points} point', f'Wins {points} point{ends}']
            left, other = words if right else words[::-1]
            line = f'{number + 1:3d})  {left:26} {other}'
        out.append(line)
    return '\n'.join(out) + '\n'


def losses_only(text, chance):
    """Only the loser's column has a result."""
    text = both_columns(text, chance)
    return re.sub(r'Wins (\d+) point( and the match)?$|Wins (\d+) point( and the match)?(?=  )',
                  lambda f: ' ' * len(f[0]), text, flags=re.M)


def concedes(text, _chance):
    """The player who resigns has a line of his own for it before the points."""
    return WINS.sub(lambda f: ' ' * (34 if len(f[1]) < 20 else 6) + 'Concedes\n' + f[0], text)


def shouting(text, _chance):
    return text.replace(' point match', ' Point Match').replace('Wins', 'wins').replace(
        'Doubles =>', 'Redoubles to').replace(' Takes', ' Accepts').replace(' Drops', ' Rejects')


def cannot_move(text, _chance):
    return re.sub(r'([1-6][1-6]:) (?=\s{8}|$)', r'\1 Cannot Move', text, flags=re.M)


def comments(text, _chance):
    return ('; [Site "A server"]\n; [Match ID "77"]\n; [Player 1 "x"]\n; [Player 1 Elo "1500.00/0"]\n'
            '; [EventTime "12.00"]\n; [Transcriber "-"]\n; [Variation "Backgammon"]\n'
            '; [Crawford "On"]\n; [CubeLimit "1024"]\n# by hand\n' + text.replace(
                '\n Game ', '\n; a game begins\n Game '))


def preface(text, _chance):
    return 'Match between two players\nround 3, table 12\n\n' + text + '\nanalysed by nobody\n'


def ratings(text, _chance):
    return re.sub(r'^ (\w+) : (\d+) +(\w+) : ', r' \1,1666 : \2              \3, : ', text, flags=re.M)


def tabs(text, _chance):
    text = re.sub(r'^( *\d+\)) {20,}', r'\1\t\t', text, flags=re.M)
    return re.sub(r'(?<=[^)\s]) {4,}(?=\d\d:)', '\t', text)


def thrice(text, _chance):
    """A second match between other players is in the file."""
    second = text.replace(' alice : ', ' carol : ').replace(' bob : ', ' dave : ')
    return text + '\n\n' + second[second.index('\n ' + str(length_of(text)) + ' point match') + 1:]


def broken_off(text, _chance):
    return text + '\n Game 99\n' + ' alice : 0                      bob : 0\n  1) 31: 8/5 6/5\n' \
        if length_of(text) == 0 else text


DIALECTS = [capitals, merged, repeated, swapped_bear_off, low_first, both_columns, losses_only,
            concedes, shouting, cannot_move, comments, preface, ratings, tabs, thrice, broken_off]

def latin1(text):
    return text.replace('alice', 'J\u00fcrgen').replace('bob', 'J\u00f6rgen').encode('latin-1')


ENCODINGS = [lambda text: text.encode(), lambda text: text.replace('\n', '\r\n').encode(),
             lambda text: b'\xef\xbb\xbf' + text.encode(), lambda text: text.rstrip('\n').encode(),
             lambda text: text.replace('\n', '\r').encode(), latin1,
             lambda text: b'\xff\xfe' + text.encode('utf-16-le')]


# ---- the content of a match -------------------------------------------------------------------

def names(game):
    """Left and right: the bot with the smaller name is on the left of an export."""
    found = re.search(r'^ (.*?) : \d+ +(.*?) : \d+$', game, re.M)
    return [{'J\u00fcrgen': 'alice', 'J\u00f6rgen': 'bob'}.get(name, name) for name in found.groups()]


def parsed(text):
    """Each game as its rolls and words, without marks, order of steps and line breaks."""
    action = re.compile(r'(\d\d:)((?: *\d+/\d+\*?)*)|(?:Double|Beaver|Raccoon)s => \d+|Drops|Takes')
    games = []
    for game in re.split(r'^ *Game \d+$', text, flags=re.M)[1:]:
        body = '\n'.join(re.sub(r'^ *\d+\)', '', line) for line in game.splitlines()[2:])
        games.append([' '.join([found[1], *sorted(re.findall(r'\d+/\d+', found[2]))])
                      if found[1] else found[0] for found in action.finditer(body)] +
                     [f'{names(game)[len(w[0]) > 20]} wins {w[1]}'
                      for w in re.findall(r'^(.*)Wins (\d+)', game, re.M)])
    return games


def skeleton(games, capped):
    """The facts that do not depend on how moves are merged; capped: points are not those won."""
    return [[step[:3] if re.match(r'\d\d:', step) else
             re.sub(r'wins \d+', 'wins', step) if capped else step for step in game]
            for game in games]


class Archive(Case):
    def read(self, path):
        with open(path, encoding='utf-8') as file:
            return file.read()

    def put(self, name, data):
        path = self.path(name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, 'wb') as file:
            file.write(data)
        return path

    def matches(self, count, rules, seed):
        """Texts of random matches as bgref exports them."""
        name = f'made{seed}'
        subprocess.run([MAKE, self.path(name + '.db'), 'chance', str(count), str(seed), rules],
                       check=True, timeout=300)
        self.must('export', name + '.db', '--format', 'mat', '--out', name)
        return [self.read(path) for path in sorted(glob.glob(self.path(name + '/*')))]

    def test_every_dialect_is_read(self):
        originals, made = {}, 0
        for number, rules in enumerate(RULES):
            for text in self.matches(8, rules, 7000 + number):
                chance = random.Random(made)
                dialect = DIALECTS[made % len(DIALECTS)]
                written = dialect(text, chance)
                if made % 3 == 0:
                    written = DIALECTS[(made * 7 + 3) % 5](written, chance)
                encode = ENCODINGS[made // 3 % len(ENCODINGS)]
                name = f'archive/{made % 4}/{made:03d}-{dialect.__name__}.mat'
                self.put(name, encode(written))
                originals[name] = text
                made += 1
        _, talk = self.must('import', 'archive', '-r', 'all.db')
        self.assertIn(f'{made} of {made} files', talk)
        for note in ('bar or off in capital letters', "the loser's column has a result", 'concedes',
                     'not UTF-8', 'a line without meaning', 'points capped'):
            self.assertIn(note, talk)
        for name, text in originals.items():
            shutil.rmtree(self.path('one'), ignore_errors=True)
            if os.path.exists(self.path('one.db')):
                os.remove(self.path('one.db'))
            _, notes = self.must('import', name, '-r', 'one.db')
            self.must('export', 'one.db', '--format', 'mat', '--out', 'one')
            again = parsed(self.read(sorted(glob.glob(self.path('one/*')))[0]))
            with self.subTest(name=name, notes=notes):
                if 'out of turn' not in notes and 'only legal play' not in notes:
                    capped = 'points capped' in notes
                    self.assertEqual(skeleton(again, capped), skeleton(parsed(text), capped))
        # one player, one row, for all match lengths
        table = self.must('rate', 'all.db')[0]
        self.assertIn('matches of 1 to 7 points', table)

    def test_merged_moves_are_read_by_their_marks(self):
        """42: 14/8 past a blot, and 7/1 1/0 for a 7/off that no order of steps gives."""
        lines = self.write('lines.txt', '\n'.join([
            'match=5; on=0 x=14:1,6:7,5:7 y=6:13,15:1,1:1; 0 roll 42, 0 play 14/12 12/8, '
            '1 resign 1, 0 accept',
            'match=5; on=0 x=7:1,3:2,0:12 y=13:15; 0 roll 63, 0 play 7/4 4/off, '
            '1 resign 1, 0 accept']) + '\n')
        self.must_make(lines)
        for path in sorted(glob.glob(self.path('sgf/*'))):
            text = self.read(path)
            written = text.replace('W[42nllh]', 'W[42nh]').replace('W[63gddz]', 'W[63gaaz]')
            self.assertNotEqual(text, written)
            self.write('as-it-was.sgf', text)
            self.write('written.sgf', written)
            plain_lines, plain_talk = self.must('replay', 'as-it-was.sgf', '--draw')
            lines, talk = self.must('replay', 'written.sgf', '--draw')
            self.assertEqual((plain_talk, plain_lines), ('', lines))
            self.assertRegex(talk, 'several readings|impossible one by one')

    def must_make(self, lines):
        subprocess.run([MAKE, self.path('lines.db'), 'lines', lines], check=True, timeout=60)
        self.must('export', 'lines.db', '--format', 'sgf', '--out', 'sgf')

    def test_illegal_plays_are_refused_by_their_rule_and_the_others_imported(self):
        texts = self.matches(10, 'match=5', 31)
        for number, text in enumerate(texts):
            found = ROLL.search(text)
            used = {abs(int(a) - int(b)) for a, b, _ in STEP.findall(found[3])}
            dice = next((c, d) for c in range(6, 0, -1) for d in range(c - 1, 0, -1)
                        if not used & {c, d, c + d})
            bad = text[:found.start()] + f'{dice[0]}{dice[1]}:' + text[found.start() + 3:]
            self.put(f'mixed/{number:02d}-bad.mat', bad.encode())
            self.put(f'mixed/{number:02d}-good.mat', text.encode())
        _, talk = self.must('import', 'mixed', '-r', 'mixed.db', status=1)
        self.assertEqual(len(re.findall(r'-bad\.mat:\d+: game 1: \w+, .*: G\d', talk)), len(texts),
                         talk)
        games = sum(text.count(' Game ') for text in texts)
        with sqlite3.connect(self.path('mixed.db')) as database:
            [(count,)] = database.execute('select count(*) from game')
        self.assertEqual(count, 2 * games - len(texts))  # of a bad match all but the bad game

    def test_names_stay_complete_and_distinct(self):
        text = self.matches(1, 'match=1', 5)[0]
        for number, (left, right) in enumerate([('J\u00fcrgen M\u00fcller', 'J\u00f6rgen M\u00f6ller'),
                                                ('Jurgen Muller', '\u0410\u043d\u043d\u0430'),
                                                ('J\u00f6rgen M\u00f6ller', '\u0418\u0432\u0430\u043d'),
                                                ('', 'Jurgen Muller')]):
            self.put(f'names/{number}.mat', text.replace('alice', left).replace('bob', right).encode())
        self.must('import', 'names', '-r', 'names.db')
        with sqlite3.connect(self.path('names.db')) as database:
            names = {n for row in database.execute('select a, b from game') for n in row}
        self.assertEqual(len(names), 6, names)
        self.must('export', 'names.db', '--format', 'mat', '--out', 'out')
        whole = ''.join(self.read(path) for path in glob.glob(self.path('out/*')))
        for name in ('J\u00fcrgen M\u00fcller', 'J\u00f6rgen M\u00f6ller', '\u0410\u043d\u043d\u0430'):
            self.assertIn(f'{name} : ', whole)
        shown = self.must('show', 'names.db')[0]
        self.assertRegex(shown, r'Names in the files\n(  .*\n)*  J.rgen-M.ller *J\u00fcrgen M\u00fcller')
        self.people_see_whole_names(shown)
        self.judged_people_too()
        # a second run recognises them
        self.put('more.mat', text.replace('alice', 'J\u00f6rgen M\u00f6ller').replace(
            'bob', 'new').encode())
        self.must('import', 'more.mat', '-r', 'names.db')
        with sqlite3.connect(self.path('names.db')) as database:
            now = {n for row in database.execute('select a, b from game') for n in row}
        self.assertEqual(now - names, {'new'})

    def test_a_long_name_is_not_cut_within_a_letter(self):
        text = self.matches(1, 'match=1', 5)[0]
        name = '\u5f20\u4f1f' * 20  # 40 letters of three bytes
        for number in range(12):
            self.put(f'long/{number:02d}.mat', text.replace('alice', f'{name}{number}').replace('bob', 'x').encode())
        self.must('import', 'long', '-r', 'long.db')
        for words in (('rate',), ('report', '--text'), ('report', '--html', '--out', '-'), ('show',)):
            shown = self.must(words[0], 'long.db', *words[1:])[0]
            self.assertNotIn('\\x', shown, words)
            if words[0] != 'show':  # lines are broken within a name that is wider than a line
                self.assertIn(f'for{name}11', re.sub(r'\s', '', shown), words)

    def people_see_whole_names(self, shown):
        """Tables, crosstables, reports and the last games have the names of the files; ids appear in commands
        and in JSON in addition."""
        names = ('J\u00fcrgen M\u00fcller', 'J\u00f6rgen M\u00f6ller', '\u0418\u0432\u0430\u043d')
        table = self.must('rate', 'names.db')[0]
        self.must('report', 'names.db', '--out', 'names.html')
        for text in (table, self.must('report', 'names.db', '--text')[0], self.path('names.html')):
            text = self.read(text) if text.endswith('.html') else text
            for name in names:
                self.assertGreaterEqual(text.count(name), 3, name)
            self.assertNotRegex(text, r'\d=? +J.rgen-M.ller')
        self.assertRegex(table, r'in commands\s+write[^.]*Jorgen-Moller\s+for\s+J\u00f6rgen\s+M\u00f6ller')
        rows = [line for line in table.splitlines() if re.match(r' +\d=? ', line)][:6]
        self.assertEqual(len({len(row) for row in rows}), 1, 'columns in line')
        self.assertRegex(shown, r'Jurgen-Muller.*\|0  (Jurgen Muller|J\u00fcrgen M\u00fcller|\w+) \+')
        rows = json.loads(self.must('rate', 'names.db', '--json')[0])['standings']
        self.assertEqual({(row['bot'], row.get('display')) for row in rows if 'M.ller' in row['bot']
                          or row['bot'].startswith('Jorgen')},
                         {('Jorgen-Moller', 'J\u00f6rgen M\u00f6ller')})
        rows = json.loads(self.must('report', 'names.db', '--json')[0])['tables']['standings']['rows']
        self.assertIn('Jorgen-Moller', {row['bot'] for row in rows})

    def judged_people_too(self):
        judged = self.must('judge', 'names.db', '--judge', 'greedy')[0]
        pairings = self.must('judge', 'names.db', '--judge', 'greedy', '--pairings')[0]
        adjusted = self.must('rate', 'names.db', '--adjusted')[0]
        for text in (judged, pairings, adjusted[adjusted.index('JUDGE') if 'JUDGE' in adjusted else 0:]):
            for name in ('J\u00fcrgen M\u00fcller', 'J\u00f6rgen M\u00f6ller'):
                self.assertIn(name, text)
            self.assertNotRegex(text, r'(\d |vs |\n)J.rgen-M.ller')

    def test_files_without_a_good_match_leave_no_database(self):
        self.write('bad.mat', 'not a match\n')
        os.mkdir(self.path('empty'))
        self.must('import', 'bad.mat', '-r', 'none.db', status=2)
        self.assertIn('no .mat', self.must('import', 'empty', '-r', 'none.db', status=2)[1])
        self.assertEqual(glob.glob(self.path('none.db*')), [])

    def test_money_and_matches_stay_separate(self):
        match, money = self.matches(1, 'match=3', 6)[0], self.matches(2, 'money', 8)[0]
        self.put('both/a.mat', match.encode())
        self.put('both/b.mat', money.encode())
        talk = self.must('import', 'both', '-r', 'both.db', status=2)[1]
        self.assertIn('b.mat: money games, but the database holds matches', talk)
        self.assertIn('1 of 2 files', talk)
        self.assertIn('in the database already',
                      self.must('import', 'both/a.mat', '-r', 'both.db', status=2)[1])

    def test_a_file_with_money_and_matches_is_split(self):
        match, money = self.matches(1, 'match=3', 6)[0], self.matches(2, 'money', 8)[0]
        self.put('both.mat', (match + '\n' + money).encode())
        talk = self.must('import', 'both.mat', '-r', 'matches.db', status=2)[1]
        self.assertIn("both.mat: money games, but the database holds matches", talk)
        self.assertIn("'bgref import --only money --results ANOTHER.db'", talk)
        self.must('import', '--only', 'money', 'both.mat', '-r', 'money.db')
        self.assertIn('1 match to 3', self.must('rate', 'matches.db')[0])
        self.assertIn('2 money games', self.must('rate', 'money.db')[0])
        talk = self.must('import', '--only', 'matches', 'both.mat', '-r', 'only.db')[1]
        self.assertIn('1 money session passed over', talk)

    def test_a_money_session_that_has_grown_adds_its_new_games(self):
        text = self.matches(3, 'money', 8)[0]
        first = text[:text.index('\n Game 2')]
        self.put('session.mat', first.encode())
        self.must('import', 'session.mat', '-r', 'r.db')
        self.put('session.mat', text.encode())
        talk = self.must('import', 'session.mat', '-r', 'r.db')[1]
        self.assertIn(': 2 games after 1 that is in the database already', talk)
        self.assertIn('3 money games', self.must('rate', 'r.db')[0])
        self.must('verify', 'r.db')
        self.must('import', 'session.mat', '-r', 'r.db', status=2)

    def test_a_bad_match_leaves_the_others_of_its_file(self):
        texts = self.matches(3, 'match=5', 31)
        names = (('anna', 'bert'), ('carl', 'dora'), ('emil', 'fred'))
        texts = [text.replace('alice', left).replace('bob', right)
                 for text, (left, right) in zip(texts, names)]
        found = ROLL.search(texts[1])
        texts[1] = texts[1][:found.start()] + found[1] + found[2] + ': 24/1' + texts[1][found.end():]
        self.put('three.mat', '\n'.join(texts).encode())
        talk = self.must('import', 'three.mat', '-r', 'three.db', status=1)[1]
        self.assertRegex(talk, r'three\.mat:\d+: game 1: (carl|dora), .*24/1.*: G\d')
        self.assertRegex(talk, r'three\.mat: \d+ games of 2 matches.*; 1 left out')
        self.assertIn('4 bots, 2 matches', self.must('rate', 'three.db')[0])
        lines, talk = self.must('replay', 'three.mat', status=1)
        self.assertRegex(talk, r'three\.mat:\d+: game 1: (carl|dora), .*24/1.*: G\d')
        self.assertRegex(lines, r'anna|bert')
        self.assertRegex(lines, r'emil|fred')
        self.assertNotRegex(lines, r'carl|dora')

    def cpu(self):
        """CPU seconds of all programs that this test has run."""
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return used.ru_utime + used.ru_stime

    def test_import_time_is_proportional_to_content(self):
        text = self.matches(1, 'match=1', 9)[0]
        spent = []
        for count in (60, 240):
            for number in range(count):
                self.put(f'many{count}/{number:04d}.mat',
                         text.replace('bob', f'bob{number % 7}-{number}').encode())
            begun = self.cpu()
            self.must('import', f'many{count}', '-r', f'many{count}.db')
            spent.append(self.cpu() - begun)
        self.assertLess(spent[1], 8 * spent[0] + .2)

    def test_sgf_round_trips(self):
        """An .sgf of bgref is read without changes: games, results, cube, position, resignations."""
        for seed, rules in enumerate(['match=5', 'money jacoby=0', 'money beavers raises=1',
                                      'match=3 game=nackgammon', 'match=3 game=hypergammon',
                                      'money auto=3', 'match=5 crawford=0', 'match=5 cube=0']):
            name = f'round{seed}'
            subprocess.run([MAKE, self.path(name + '.db'), 'chance', '4', str(seed + 40), rules],
                           check=True, timeout=300)
            self.must('export', name + '.db', '--format', 'sgf', '--out', name)
            _, talk = self.must('import', name, '-r', name + '-back.db')
            self.must('export', name + '-back.db', '--format', 'sgf', '--out', name + '-back')
            ours, theirs = ([re.sub(r'EV\[.*?\]|C\[.*?(?<!\\)\]', '', self.read(path)) for path in
                             sorted(glob.glob(self.path(of + '/*')))] for of in
                            (name, name + '-back'))
            with self.subTest(rules=rules, talk=talk):
                if 'out of turn' not in talk and 'without an end' not in talk:
                    self.assertEqual(sorted(map(self.nodes, ours)), sorted(map(self.nodes, theirs)))

    def nodes(self, text):
        return [(''.join(sorted(node[3:])) if node[:1] in 'WB' else node)
                for node in re.sub(r'PW.*?PB\[.*?\]', '', text).split(';')]

    @unittest.skipUnless(os.path.exists(GNUBG), 'gnubg is not installed')
    def test_files_of_gnubg_are_read(self):
        for variation, length in (('standard', 5), ('nackgammon', 3), ('3-hypergammon', 3)):
            commands = [f'set variation {variation}', 'set defaultnames Alice Bob',
                        'set player 0 gnubg', 'set player 1 gnubg']
            commands += [f'set player {p} {k} evaluation plies 0' for p in (0, 1)
                         for k in ('chequerplay', 'cubedecision')]
            commands += ['set display off', 'set automatic game on', 'set seed 11',
                         'set confirm save off', 'set confirm new off', f'new match {length}',
                         f'save match {variation}.sgf', f'export match mat {variation}.mat', 'quit']
            subprocess.run([GNUBG, '-t', '-q', '-r'], input='\n'.join(commands) + '\n', text=True,
                           capture_output=True, timeout=200, cwd=self.folder, check=False,
                           env={**self.environment, 'HOME': self.folder})
            by_sgf = self.must('replay', f'{variation}.sgf')[0]
            self.assertIn('game 1  ', by_sgf)
            if variation == 'standard':
                turns = re.compile(r', \d+ turns')  # .mat does not record in whose turn somebody resigned
                by_mat = self.must('replay', f'{variation}.mat')[0]
                self.assertEqual(turns.sub('', by_mat), turns.sub('', by_sgf))
            self.must('import', f'{variation}.sgf', '-r', f'{variation}.db')


if __name__ == '__main__':
    main()
