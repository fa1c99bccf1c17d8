#!/usr/bin/python3
"""Archives of matches in the dialects of servers and programs: every file is read with the same match as its
content; every illegal play is refused.

usage: test_archive.py BIN_DIRECTORY
"""
import glob
import json
import os
import re
import resource
import subprocess
import tarfile
import unittest

from harness import BIN, Case, main

GNUBG = '/usr/games/gnubg'
MAKE = os.path.join(BIN, 'make_matches')
VECTORS = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'vectors')
STEP = re.compile(r'(\d+)/(\d+)(\*?)')
ROLL = re.compile(r'([1-6])([1-6]):((?: \d+/\d+\*?)+)')


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

    def first_roll(self, text):
        """The first roll of a match; the comments before it may have words of a bot that look like one."""
        return ROLL.search(text, text.index('\n', text.rindex('\n;') + 1))

    def test_every_dialect_is_read(self):
        """tests/vectors/dialects.tar.xz has matches in sixteen dialects and seven encodings, and what bgref writes of each."""
        with tarfile.open(os.path.join(VECTORS, 'dialects.tar.xz')) as archive:
            archive.extractall(self.folder)
        names = sorted(os.listdir(self.path('archive')))
        _, talk = self.must('import', 'archive', '-r', 'all.db')
        self.assertIn(f'{len(names)} of {len(names)} files', talk)
        for note in ('bar or off in capital letters', "the loser's column has a result", 'concedes',
                     'not UTF-8', 'a line without meaning', 'points capped'):
            self.assertIn(note, talk)
        for name in names:
            with self.subTest(name):
                self.must('import', f'archive/{name}', '-r', f'{name}.db')
                self.must('export', f'{name}.db', '--format', 'mat', '--out', f'{name}.out')
                self.assertEqual(self.text(f'{name}.out/{min(os.listdir(self.path(f"{name}.out")))}'), self.text(f'plain/{name}'))
        # one player, one row, for all match lengths
        self.assertIn('matches of 1 to 7 points', self.must('rate', 'all.db')[0])

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
            found = self.first_roll(text)
            used = {abs(int(a) - int(b)) for a, b, _ in STEP.findall(found[3])}
            dice = next((c, d) for c in range(6, 0, -1) for d in range(c - 1, 0, -1)
                        if not used & {c, d, c + d})
            bad = text[:found.start()] + f'{dice[0]}{dice[1]}:' + text[found.start() + 3:]
            self.put(f'mixed/{number:02d}-bad.mat', bad.encode())
            self.put(f'mixed/{number:02d}-good.mat', text.encode())
        _, talk = self.must('import', 'mixed', '-r', 'mixed.db', status=1)
        self.assertEqual(len(re.findall(r'-bad\.mat:\d+: game 1: \w+, .*: G\d', talk)), len(texts),
                         talk)
        games = sum(text.count('\n Game ') for text in texts)
        [(count,)] = self.rows('select count(*) from game', "mixed.db")
        self.assertEqual(count, 2 * games - len(texts))  # of a bad match all but the bad game

    def test_a_bad_match_leaves_the_others_of_its_file(self):
        texts = [text.replace('alice', left).replace('bob', right) for text, (left, right) in
                 zip(self.matches(3, 'match=5', 31), (('anna', 'bert'), ('carl', 'dora'), ('emil', 'fred')))]
        found = self.first_roll(texts[1])
        texts[1] = texts[1][:found.start()] + found[1] + found[2] + ': 24/1' + texts[1][found.end():]
        self.put('three.mat', '\n'.join(texts).encode())
        talk = self.must('import', 'three.mat', '-r', 'three.db', status=1)[1]
        self.assertRegex(talk, r'three\.mat:\d+: game 1: (carl|dora), .*24/1.*: G\d')
        self.assertRegex(talk, r'three\.mat: \d+ games of 2 matches.*; 1 left out')
        self.assertIn('4 bots, 2 matches', self.must('rate', 'three.db')[0])
        lines, talk = self.must('replay', 'three.mat', status=1)
        self.assertRegex(talk, r'three\.mat:\d+: game 1: (carl|dora), .*24/1.*: G\d')
        self.assertEqual(re.findall(r'anna|carl|emil', lines), re.findall(r'anna|emil', lines))

    def test_names_stay_complete_and_distinct(self):
        text = self.matches(1, 'match=1', 5)[0]
        for number, (left, right) in enumerate([('J\u00fcrgen M\u00fcller', 'J\u00f6rgen M\u00f6ller'),
                                                ('Jurgen Muller', '\u0410\u043d\u043d\u0430'),
                                                ('J\u00f6rgen M\u00f6ller', '\u0418\u0432\u0430\u043d'),
                                                ('', 'Jurgen Muller')]):
            self.put(f'names/{number}.mat', text.replace('alice', left).replace('bob', right).encode())
        self.must('import', 'names', '-r', 'names.db')
        names = {n for row in self.rows('select a, b from game', "names.db") for n in row}
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
        now = {n for row in self.rows('select a, b from game', "names.db") for n in row}
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
            self.run_program(GNUBG, '-t', '-q', '-r', input='\n'.join(commands) + '\n',
                             env={**self.environment, 'HOME': self.folder})
            by_sgf = self.must('replay', f'{variation}.sgf')[0]
            self.assertIn('game 1  ', by_sgf)
            if variation == 'standard':
                turns = re.compile(r', \d+ turns')  # .mat does not record in whose turn somebody resigned
                by_mat = self.must('replay', f'{variation}.mat')[0]
                self.assertEqual(turns.sub('', by_mat), turns.sub('', by_sgf))
            self.must('import', f'{variation}.sgf', '-r', f'{variation}.db')


main()
