#!/usr/bin/python3
"""Compares `bgref rate --input --json` with slow, plain implementations on random results.

The methods are different on purpose: steps of bounded length instead of step halving, existence by
transitive closure, variances by Gauss-Jordan elimination of the grounded matrix. usage: rate_oracle.py BGREF
[SEED [ROUNDS]]
"""
import json
import math
import random
import subprocess
import sys

Z = 1.959963984540054
LOG10 = math.log(10)
ROUNDS = 25


def phi(x):
    return 0.5 * math.erfc(-x / math.sqrt(2))


def los(difference, error):
    if error < 1e-6:
        return 0.5 if abs(difference) < 1e-6 else float(difference > 0)
    return phi(difference / error)


def chance(difference, n):
    x = difference * math.sqrt(n) * LOG10 / 2000
    return 1 / (1 + math.exp(-x)) if x > -700 else 0.0


def inverse(matrix):
    n = len(matrix)
    rows = [list(row) + [float(i == j) for j in range(n)] for i, row in enumerate(matrix)]
    for i in range(n):
        best = max(range(i, n), key=lambda r: abs(rows[r][i]))
        rows[i], rows[best] = rows[best], rows[i]
        pivot = rows[i][i]
        rows[i] = [x / pivot for x in rows[i]]
        for r in range(n):
            if r != i and rows[r][i] != 0:
                factor = rows[r][i]
                rows[r] = [x - factor * y for x, y in zip(rows[r], rows[i])]
    return [row[n:] for row in rows]


def laplacian(members, weights):
    place = {p: i for i, p in enumerate(members)}
    matrix = [[0.0] * len(members) for _ in members]
    for (a, b), w in weights:
        i, j = place[a], place[b]
        matrix[i][i] += w
        matrix[j][j] += w
        matrix[i][j] -= w
        matrix[j][i] -= w
    return matrix


def pinv(matrix):
    """Grounds the last node, inverts the rest, then centres rows and columns."""
    n = len(matrix)
    small = inverse([row[:-1] for row in matrix[:-1]])
    full = [row + [0.0] for row in small] + [[0.0] * n]
    rows = [sum(row) / n for row in full]
    total = sum(rows) / n
    return [[full[i][j] - rows[i] - rows[j] + total for j in range(n)] for i in range(n)]


def product(a, b):
    return [[sum(x * y for x, y in zip(row, column)) for column in zip(*b)] for row in a]


def components(count, pairs):
    reach = [{i} for i in range(count)]
    changed = True
    while changed:
        changed = False
        for a, b in pairs:
            union = reach[a] | reach[b]
            if union != reach[a] or union != reach[b]:
                changed = True
                for member in union:
                    reach[member] = union
    found = {tuple(sorted(r)) for r in reach if len(r) > 1}
    return sorted(found, key=lambda g: (-len(g), g[0]))


def strongly_connected(members, beaten):
    closure = {(a, b): (a, b) in beaten for a in members for b in members}
    for k in members:
        for i in members:
            for j in members:
                closure[i, j] = closure[i, j] or (closure[i, k] and closure[k, j])
    return all(closure[a, b] for a in members for b in members if a != b)


def climb(members, terms):
    """terms: (a, b, n, wins of a, wins of b), virtual draws included. Steps of at most 200 points
    along Newton's direction until the score equations hold."""
    rating = dict.fromkeys(members, 0.0)
    for _ in range(3000):
        pull = dict.fromkeys(members, 0.0)
        weights = []
        for a, b, n, won, lost in terms:
            k, p = LOG10 * math.sqrt(n) / 2000, chance(rating[a] - rating[b], n)
            pull[a] += k * (won - (won + lost) * p)
            pull[b] -= k * (won - (won + lost) * p)
            weights.append(((a, b), k * k * (won + lost) * p * (1 - p)))
        v = pinv(laplacian(members, weights))
        step = [sum(x * pull[m] for x, m in zip(row, members)) for row in v]
        longest = max(abs(x) for x in step)
        for m, x in zip(members, step):
            rating[m] += x * min(1, 200 / longest) if longest else 0
        if longest < 1e-7:
            mean = sum(rating.values()) / len(members)
            return {m: r - mean for m, r in rating.items()}
    raise ArithmeticError('no convergence')


def rate(data):
    names = data['players']
    index = {name: i for i, name in enumerate(names)}
    options = data['options']
    start = options.get('anchor_rating', 1500)
    anchor = options.get('anchor', 'mean')
    prior = options.get('prior', 'auto')
    rows = []
    for r in data['results']:
        a, b = index[r['a']], index[r['b']]
        pairs = r.get('pairs')
        if pairs:
            won, lost = pairs[1] + 2 * pairs[2], pairs[1] + 2 * pairs[0]
        else:
            won, lost = r['wins_a'], r['wins_b']
        if won + lost > 0:
            rows.append((a, b, r['length'], won, lost, pairs))
    robust = any(row[5] for row in rows)
    played = [sum(r[3] + r[4] for r in rows if i in r[:2]) for i in range(len(names))]
    wins = [sum(r[3] if r[0] == i else r[4] for r in rows if i in r[:2])
            for i in range(len(names))]
    out = [{'name': names[i], 'rating': None, 'se': None, 'robust_se': None, 'group': None,
            'prior': False, 'matches': played[i], 'wins': wins[i], 'expected_wins': None,
            'flag': 'unplayed' if not played[i] else 'winless' if not wins[i] else
                    'unbeaten' if wins[i] == played[i] else 'ok'} for i in range(len(names))]
    table = [[None] * len(names) for _ in names]
    groups = components(len(names), [r[:2] for r in rows])
    for number, members in enumerate(groups):
        mine = [r for r in rows if r[0] in members]
        beaten = {(r[0], r[1]) for r in mine if r[3]} | {(r[1], r[0]) for r in mine if r[4]}
        exists = strongly_connected(members, beaten)
        draws = (0 if exists else 1) if prior == 'auto' else 0 if prior == 'none' else prior
        for p in members:
            out[p]['group'] = number
        if draws == 0 and not exists:
            continue
        terms = []
        for a, b, n, won, lost, _ in mine:
            extra = draws / 2 * ((won + lost) / played[a] + (won + lost) / played[b])
            terms.append((a, b, n, won + extra / 2, lost + extra / 2))
        rating = climb(members, terms)
        beta = [LOG10 * math.sqrt(r[2]) / 2000 for r in mine]
        share = [chance(rating[r[0]] - rating[r[1]], r[2]) for r in mine]
        v = pinv(laplacian(members, [((t[0], t[1]), k * k * (t[3] + t[4]) * p * (1 - p))
                                     for t, k, p in zip(terms, beta, share)]))
        vr = None
        if robust:
            scores = []
            for r, k, p in zip(mine, beta, share):
                if r[5]:
                    q = sum(count * (s - 2 * p) ** 2 for s, count in enumerate(r[5]))
                else:
                    q = r[3] * (1 - p) ** 2 + r[4] * p ** 2
                scores.append(((r[0], r[1]), k * k * q))
            vr = product(product(v, laplacian(members, scores)), v)
        at = {p: i for i, p in enumerate(members)}
        fixed = index[anchor] if anchor != 'mean' and index[anchor] in members else None

        def error(matrix, a, b=None):
            i = at[a]
            if b is None:
                return math.sqrt(max(0, matrix[i][i]))
            j = at[b]
            return math.sqrt(max(0, matrix[i][i] + matrix[j][j] - 2 * matrix[i][j]))
        shift = start - (rating[fixed] if fixed is not None else 0)
        for p in members:
            out[p].update(rating=rating[p] + shift, prior=draws > 0, se=error(v, p, fixed),
                          robust_se=error(vr, p, fixed) if robust else None,
                          expected_wins=sum((r[3] + r[4]) * (q if r[0] == p else 1 - q)
                                            for r, q in zip(mine, share) if p in r[:2]))
            for o in members:
                table[p][o] = 0.5 if o == p else los(rating[p] - rating[o],
                                                     error(vr or v, p, o))
    answer = {'players': out, 'los': table, 'groups': len(groups),
              'los_se': 'robust' if robust else 'fisher'}
    if 'performance' in data:
        answer['performance'] = [perform(p) for p in data['performance']]
    return answer


def perform(opponents):
    won = sum(o[2] for o in opponents)
    if not won or not sum(o[3] for o in opponents):
        return None
    low, high = -1e6, 1e6
    for _ in range(200):
        middle = (low + high) / 2
        if sum((w + l) * chance(middle - r, n) for r, n, w, l in opponents) > won:
            high = middle
        else:
            low = middle
    return low


def money(data):
    clusters = [c for c in data['clusters'] if c]
    m, games = len(clusters), [g for c in clusters for g in c]
    out = {'clusters': m, 'games': len(games), 'points': sum(games), 'ppg': None, 'se': None,
           'ci': None, 'los': None, 'sd_game': None, 'design_effect': None}
    if m >= 1:
        out['ppg'] = ppg = sum(games) / len(games)
    if m >= 2:
        n = len(games)
        se = math.sqrt(m / (m - 1) * sum((sum(c) - len(c) * ppg) ** 2 for c in clusters)) / n
        se = 0.0 if se < 1e-12 else se
        sd = math.sqrt(sum((g - ppg) ** 2 for g in games) / (n - 1))
        sd = 0.0 if sd < 1e-12 else sd
        out.update(se=se, ci=[ppg - Z * se, ppg + Z * se], sd_game=sd,
                   los=phi(ppg / se) if se else 0.5 if not ppg else float(ppg > 0),
                   design_effect=se ** 2 / (sd ** 2 / n) if sd else None)
    return out


def wilson(w, n):
    if not n:
        return None
    p = w / n
    centre = (p + Z * Z / (2 * n)) / (1 + Z * Z / n)
    half = Z * math.sqrt(p * (1 - p) / n + Z * Z / (4 * n * n)) / (1 + Z * Z / n)
    return [max(0, centre - half), min(1, centre + half)]


def interval(data):
    out = []
    for row in data['rows']:
        if 'pairs' not in row:
            out.append({'wilson': wilson(row['wins'], row['matches'])})
            continue
        scores = [s for s, n in enumerate(row['pairs']) for _ in range(n)]
        m, n, w = len(scores), 2 * len(scores), sum(scores)
        p, se, deff = (w / n if n else None), None, 1.0
        if m >= 2 and 0 < w < n:
            var = sum((s / 2 - p) ** 2 for s in scores) / (m * (m - 1))
            se, deff = math.sqrt(var), max(var / (p * (1 - p) / n), 1 / n)
        out.append({'matches': n, 'wins': w, 'rate': p, 'se': se, 'deff': deff,
                    'wilson': wilson(w / deff, n / deff)})
    return out


def ppg_table(data):
    names = data['players']
    index = {name: i for i, name in enumerate(names)}
    rows = [(index[a], index[b], d, s) for a, b, d, s in data['encounters']]
    out = [{'name': n, 'ppg_rating': None, 'se': None, 'group': None} for n in names]
    chi2, dof = 0.0, len(rows)
    for number, members in enumerate(components(len(names), [r[:2] for r in rows])):
        mine = [r for r in rows if r[0] in members]
        v = pinv(laplacian(members, [((a, b), 1 / s ** 2) for a, b, _, s in mine]))
        at = {p: i for i, p in enumerate(members)}
        pull = [0.0] * len(members)
        for a, b, d, s in mine:
            pull[at[a]] += d / s ** 2
            pull[at[b]] -= d / s ** 2
        rating = [sum(x * y for x, y in zip(row, pull)) for row in v]
        for p in members:
            out[p].update(ppg_rating=rating[at[p]], se=math.sqrt(v[at[p]][at[p]]), group=number)
        chi2 += sum((d - rating[at[a]] + rating[at[b]]) ** 2 / s ** 2 for a, b, d, s in mine)
        dof -= len(members) - 1
    return {'players': out, 'chi2': chi2, 'dof': dof}


def standings(data):
    names = data['players']
    against = {n: {} for n in names}
    diff = dict.fromkeys(names, 0)
    for a, b, sa, sb, d in data['encounters']:
        against[a][b] = against[a].get(b, 0) + sa
        against[b][a] = against[b].get(a, 0) + sb
        diff[a] += d
        diff[b] -= d
    score = {n: sum(against[n].values()) for n in names}
    sb = {n: sum(v * score[f] for f, v in against[n].items()) for n in names}
    wins = {n: sum(v > against[f][n] for f, v in against[n].items()) for n in names}
    tiebreak = dict.fromkeys(names)

    def parts(group, key):
        return [[n for n in group if key(n) == k]
                for k in sorted({key(n) for n in group}, reverse=True)]

    def direct(group):
        if len(group) < 2 or any(f not in against[n] for n in group for f in group if f != n):
            return [group]
        split = parts(group, lambda n: sum(against[n].get(f, 0) for f in group))
        if len(split) == 1:
            return split
        for n in group:
            tiebreak[n] = 'direct'
        return [g for part in split for g in direct(part)]

    groups = [g for part in parts(names, score.get) for g in direct(part)]
    for word, key in (('sb', sb), ('wins', wins), ('diff', diff)):
        after = []
        for group in groups:
            split = parts(group, key.get)
            if len(split) > 1:
                for n in group:
                    tiebreak[n] = word
            after += split
        groups = after
    out, rank = [], 1
    for group in groups:
        for n in group:
            out.append({'name': n, 'rank': rank, 'shared': len(group) > 1, 'score': score[n],
                        'sb': sb[n], 'wins': wins[n], 'diff': diff[n], 'tiebreak': tiebreak[n]})
        rank += len(group)
    return out


def solve(f, low, high):
    """Root of a falling function, by bisection."""
    for _ in range(300):
        middle = (low + high) / 2
        if f(middle) > 0:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def constrained(p, s):
    """The most likely distribution with mean s, by Lagrange's multiplier."""
    a = [i / (len(p) - 1) - s for i in range(len(p))]
    t = solve(lambda t: sum(q * x / (1 + t * x) for q, x in zip(p, a)),
              -1 / a[-1] * (1 - 1e-14), -1 / a[0] * (1 - 1e-14))
    return [q / (1 + t * x) for q, x in zip(p, a)]


def ratio(test):
    """Log likelihood ratio and Wald's form."""
    h0, h1 = test.get('h0'), test.get('h1')
    if test['model'] in ('normal', 'normal_summary'):
        if 'x' in test:
            m = len(test['x'])
            mean = sum(test['x']) / m if m else 0
            v = sum((x - mean) ** 2 for x in test['x']) / m if m else 0
        else:
            m, mean, v = test['m'], test['mean'], test['var']
        if v < 1e-20 or m == 0:
            return None, None
        return (m / 2 * (math.log(v + (mean - h0) ** 2) - math.log(v + (mean - h1) ** 2)),
                m * (h1 - h0) * (2 * mean - h0 - h1) / (2 * v))
    if test['model'] == 'binomial':
        return sum(w * math.log(chance(h1, n) / chance(h0, n))
                   + l * math.log(chance(-h1, n) / chance(-h0, n))
                   for n, w, l in test['rows']), None
    n = [c or 0.001 for c in test['counts']]
    p = [c / sum(n) for c in n]
    s0, s1 = (test['s0'], test['s1']) if 's0' in test else \
        (chance(h0, test['length']), chance(h1, test['length']))
    return sum(c * math.log(y / x)
               for c, x, y in zip(n, constrained(p, s0), constrained(p, s1))), None


def sprt(data):
    out = []
    for test in data['tests']:
        alpha, beta = test.get('alpha', 0.05), test.get('beta', 0.05)
        low, high = math.log(beta / (1 - alpha)), math.log((1 - beta) / alpha)
        llr, wald = ratio(test)
        row = {'bounds': [low, high], 'llr': llr}
        if test['model'].startswith('normal'):
            row['llr_wald'] = wald
        row['state'] = 'continue' if llr is None else \
            'H1' if llr >= high else 'H0' if llr <= low else 'continue'
        out.append(row)
    return out


def fibs(data):
    start, (top, slope) = 1500, (5, 100)
    if 'options' in data:
        start, (top, slope) = data['options']['start'], data['options']['ramp']
    rating = dict.fromkeys(data['players'], start)
    played = dict.fromkeys(data['players'], 0)
    after = []
    for w, l, n in data['matches']:
        gap = abs(rating[w] - rating[l])
        upset = 1 / (1 + 10 ** (gap * math.sqrt(n) / 2000))
        p = upset if rating[w] >= rating[l] else 1 - upset
        for x, sign in ((w, 1), (l, -1)):
            rating[x] += sign * 4 * max(1, top - played[x] / slope) * math.sqrt(n) * p
            played[x] += n
        after.append([rating[w], rating[l]])
    return {'final': {x: {'rating': rating[x], 'experience': played[x]} for x in rating},
            'after': after}


def errors(data):
    out, moves = {}, sum(d['kind'] == 'move' for d in data['decisions'])
    for side in 'AB':
        counted = [d['error'] for d in data['decisions'] if d['side'] == side
                   and not d.get('forced')
                   and (d['kind'] != 'nodouble' or d.get('close') or d['error'])]
        n, total = len(counted), sum(counted)
        out[side] = {'decisions': n, 'error': total, 'er_milli': 1000 * total / n if n else None,
                     'pr': 500 * total / n if n else None,
                     'snowie': 1000 * total / moves if moves else None}
    return out


ROLLS = [(high, low) for high in range(1, 7) for low in range(1, high + 1)]


def luck(data):
    rolls, total = [], {'A': 0, 'B': 0}
    mwc = data.get('unit') == 'mwc'
    for roll in data['rolls']:
        throws = [roll['after'][ROLLS.index((max(d), min(d)))]
                  for d in ((x, y) for x in range(1, 7) for y in range(1, 7))]
        throws = [v for v in throws if v is not None]
        if 'other' in roll:
            throws = [roll['after'][i] for i, (x, y) in enumerate(ROLLS) if x != y]
            throws += [1 - roll['other'][i] if mwc else -roll['other'][i]
                       for i, (x, y) in enumerate(ROLLS) if x != y]
        mean = sum(throws) / len(throws)
        actual = roll['after'][ROLLS.index((max(roll['dice']), min(roll['dice'])))]
        rolls.append({'mean': mean, 'luck': actual - mean})
        total[roll['side']] += actual - mean
    adjusted = data['result_a'] - total['A'] + total['B']
    return {'rolls': rolls, 'luck_a': total['A'], 'luck_b': total['B'], 'adjusted_a': adjusted,
            'adjusted_b': 1 - adjusted if mwc else -adjusted}


TOLERANCE = {'rating': 1e-4, 'se': 1e-4, 'robust_se': 1e-4, 'performance': 1e-4, 'los': 1e-6,
             'expected_wins': 1e-5}


def differences(kind, want, got, key='', path=''):
    if isinstance(want, dict) and isinstance(got, dict) and want.keys() == got.keys():
        return [d for k in want for d in differences(kind, want[k], got[k], k, f'{path}.{k}')]
    if isinstance(want, list) and isinstance(got, list) and len(want) == len(got):
        return [d for i, (w, g) in enumerate(zip(want, got))
                for d in differences(kind, w, g, key, f'{path}[{i}]')]
    plain = (int, float)
    if type(want) in plain and type(got) in plain:
        limit = TOLERANCE.get(key, 1e-7) if kind == 'ratings' else 1e-7
        if abs(want - got) <= limit * max(1, abs(want) / 1000):
            return []
    elif want == got and type(want) is type(got):
        return []
    return [f'{path}: wanted {want}, got {got}']


def random_ratings(dice):
    count = dice.choice([1, 2, 3, 4, 6, 9])
    names = [f'e{i}' for i in dice.sample(range(100), count)]
    lengths = dice.choice([[1], [5], [1, 3, 7, 25]])
    lopsided = dice.random() < 0.4
    results = []
    for _ in range(dice.randrange(0, 3 * count) if count > 1 else 0):
        a, b = dice.sample(names, 2)
        row = {'a': a, 'b': b, 'length': dice.choice(lengths)}
        if dice.random() < 0.3:
            row['pairs'] = [dice.choice([0, 1, 20]) for _ in range(3)]
        else:
            row['wins_a'] = dice.choice([0, 0, 1, 400]) if lopsided else dice.randrange(15)
            row['wins_b'] = dice.choice([0, 1, 3]) if lopsided else dice.randrange(15)
        results.append(row)
    options = {}
    if dice.random() < 0.5:
        options['prior'] = dice.choice(['auto', 'none', 0, 1, 0.25, 3])
    if dice.random() < 0.5:
        options['anchor'] = dice.choice(names + ['mean'])
        options['anchor_rating'] = dice.choice([0, 1500, 1777.5])
    data = {'players': names, 'options': options, 'results': results}
    if dice.random() < 0.3:
        data['performance'] = [[[dice.uniform(1000, 2000), dice.choice([1, 7]),
                                 dice.randrange(4), dice.randrange(4)]
                                for _ in range(dice.randrange(4))] for _ in range(3)]
    return data


def random_money(dice):
    points = dice.choice([[1, -1], [0], [2], [-8, -2, -1, 1, 2, 3, 4]])
    mirror = dice.random() < 0.3
    clusters = []
    for _ in range(dice.choice([0, 1, 2, 3, 40])):
        game = dice.choice(points)
        clusters.append([game, -game] if mirror
                        else [dice.choice(points) for _ in range(dice.choice([0, 1, 2, 2, 3]))])
    return {'clusters': clusters}


def random_interval(dice):
    rows = []
    for _ in range(6):
        n = dice.choice([0, 1, 2, 10, 5000])
        rows.append({'wins': dice.choice([0, n, n // 2, n // 3]), 'matches': n})
        rows.append({'pairs': [dice.choice([0, 0, 1, 9, 300]) for _ in range(3)]})
    return {'rows': rows}


def random_ppg_table(dice):
    names = [f'e{i}' for i in range(dice.choice([1, 2, 3, 5, 8]))]
    rows = [dice.sample(names, 2) + [dice.gauss(0, 0.5), dice.uniform(0.01, 0.3)]
            for _ in range(dice.randrange(3 * len(names)) if len(names) > 1 else 0)]
    return {'players': names, 'encounters': rows}


def random_standings(dice):
    names = [f'e{i}' for i in dice.sample(range(20), dice.choice([1, 2, 3, 4, 5, 8]))]
    rows, top = [], dice.choice([1, 2, 6])
    for i, a in enumerate(names):
        for b in names[:i]:
            if dice.random() < 0.9:
                won = dice.randrange(top + 1)
                rows.append([a, b, won, top - won, dice.choice([0, 0, 1, -3, 2 * won])])
    dice.shuffle(rows)
    return {'players': names, 'encounters': rows}


def random_sprt(dice):
    tests = []
    for _ in range(3):
        h0 = dice.uniform(-0.2, 0.2)
        h = {'h0': h0, 'h1': h0 + dice.uniform(0.01, 0.3)}
        if dice.random() < 0.5:
            h['alpha'], h['beta'] = dice.choice([0.01, 0.05, 0.2]), dice.choice([0.01, 0.1])
        far = {'h0': dice.randrange(-90, 50), 'h1': dice.randrange(51, 99)}
        scores = [dice.choice([-2, -0.5, 0, 0, 1, 4]) for _ in range(dice.choice([0, 1, 2, 90]))]
        counts = [dice.choice([0, 1, 40, 700]) for _ in range(dice.choice([2, 3, 5]))]
        s0 = dice.uniform(0.1, 0.6)
        tests += [{'model': 'normal', 'x': scores, **h},
                  {'model': 'normal', 'x': [0.5] * dice.randrange(9), **h},
                  {'model': 'normal_summary', 'm': dice.randrange(1, 9999),
                   'mean': dice.gauss(0, 0.2), 'var': dice.uniform(0.01, 9), **h},
                  {'model': 'binomial', **far,
                   'rows': [[dice.choice([1, 5, 25]), dice.randrange(300), dice.randrange(300)]
                            for _ in range(dice.randrange(4))]},
                  {'model': 'multinomial', 'counts': counts, 'length': dice.choice([1, 7]), **far},
                  {'model': 'multinomial', 'counts': counts, 's0': s0,
                   's1': s0 + dice.uniform(0.01, 0.3)}]
    return {'tests': tests}


def random_fibs(dice):
    names = [f'e{i}' for i in range(dice.choice([2, 3, 8]))]
    data = {'players': names,
            'matches': [dice.sample(names, 2) + [dice.choice([1, 3, 5, 7, 25])]
                        for _ in range(dice.choice([0, 1, 200]))]}
    if dice.random() < 0.3:
        data['options'] = {'start': 1000, 'ramp': [2, 400]}
    return data


def random_errors(dice):
    rows = []
    for _ in range(dice.choice([0, 1, 5, 80])):
        kind = dice.choice(['move', 'move', 'move', 'nodouble', 'double', 'take', 'drop'])
        forced = kind == 'move' and dice.random() < 0.2
        rows.append({'side': dice.choice('AB'), 'kind': kind, 'forced': forced,
                     'close': dice.random() < 0.3,
                     'error': 0 if forced or dice.random() < 0.6 else dice.uniform(0, 0.1)})
    return {'decisions': rows}


def random_luck(dice):
    mwc, rolls = dice.random() < 0.5, []
    for i in range(dice.choice([0, 1, 30])):
        def values():
            return [dice.random() if mwc else dice.gauss(0, 1) for _ in ROLLS]
        roll = {'side': dice.choice('AB'), 'dice': list(dice.choice(ROLLS)), 'after': values()}
        if i == 0:
            roll['dice'] = list(dice.choice([r for r in ROLLS if r[0] != r[1]]))
            if dice.random() < 0.5:
                roll['other'] = values()
            else:
                roll['after'] = [None if x == y else v for v, (x, y) in zip(roll['after'], ROLLS)]
        rolls.append(roll)
    data = {'rolls': rolls, 'result_a': dice.choice([0, 1]) if mwc else dice.choice([-4, 1, 2])}
    if mwc:
        data['unit'] = 'mwc'
    return data


# Of the prior: degrees of freedom of Student's t (0: two groups), power of s, the least s.
FIELDS = [(2, 2, 0.1), (30, 4, 0.1), (0, 4, 0.4)]
MIDDLES = 2  # deviation of the groups' middles
MOST = 4  # the largest s
MOST_SKEW = 0.7


def pivots(matrix):
    """The diagonal after elimination: its product is the determinant."""
    matrix = [list(row) for row in matrix]
    for i in range(len(matrix)):
        for r in range(i + 1, len(matrix)):
            share = matrix[r][i] / matrix[i][i] if matrix[i][i] else 0
            matrix[r] = [x - share * y for x, y in zip(matrix[r], matrix[i])]
    return [matrix[i][i] for i in range(len(matrix))]


def is_hill(matrix):
    return all(x > 0 for x in pivots(matrix))


def log_normal(values, precision):
    """The logarithm of a normal density around 0."""
    size = range(len(values))
    squares = sum(values[i] * precision[i][j] * values[j] for i in size for j in size)
    return (sum(math.log(x) for x in pivots(precision)) - squares - len(values) * math.log(2 * math.pi)) / 2


def groups_of(strengths):
    """Two groups of indices, split where the squares about the groups' means are least."""
    order = sorted(range(len(strengths)), key=lambda i: strengths[i])

    def squares(part):
        mean = sum(strengths[i] for i in part) / len(part)
        return sum((strengths[i] - mean) ** 2 for i in part)
    cut = min(range(1, len(order)), key=lambda k: squares(order[:k]) + squares(order[k:]))
    return order[:cut], order[cut:]


def posterior(members, rows, freedom, power, s, groups):
    """The maximum for one prior by coordinates, each by bisection; its covariance, information, weight and third
    derivatives of the rows."""
    size = range(len(members))
    same = [[any(i in group and j in group for group in groups) for j in size] for i in size]
    prior = inverse([[(i == j) * s * s + same[i][j] * MIDDLES ** 2 for j in size] for i in size])  # of two groups
    at = {p: i for i, p in enumerate(members)}
    strength = [0.0] * len(members)
    mine = [[(at[r[0] if r[1] == p else r[1]], r[2], r[3] if r[0] == p else r[4],
              r[3] + r[4]) for r in rows if p in r[:2]] for p in members]

    def pull(x):
        return (freedom + 1) / (freedom * s * s + x * x)

    def slope(i):
        x = strength[i]
        push = -sum(prior[i][j] * strength[j] for j in size) if freedom == 0 else -x * pull(x)
        return push + sum(k * (won - n / (1 + math.exp(-k * (x - strength[o])))) for o, k, won, n in mine[i])

    def climb(part):
        """Moves these together to the top; returns how far."""
        low, high, start = -200.0, 200.0, [strength[i] for i in part]
        while high - low > 1e-12:
            middle = (low + high) / 2
            for i, x in zip(part, start):
                strength[i] = x + middle
            low, high = (middle, high) if sum(slope(i) for i in part) > 0 else (low, middle)
        return abs(low)
    parts = [[i] for i in size] + (list(groups) if freedom == 0 else [])
    while max([climb(part) for part in parts]) > 1e-9:
        pass
    ps = [1 / (1 + math.exp(-r[2] * (strength[at[r[0]]] - strength[at[r[1]]]))) for r in rows]
    known = laplacian(members, [(r[:2], r[2] ** 2 * (r[3] + r[4]) * p * (1 - p))
                                for r, p in zip(rows, ps)])
    bend = [0] * len(members) if freedom == 0 else [
        (freedom + 1) * (freedom * s * s - x * x) / (freedom * s * s + x * x) ** 2 for x in strength]
    full = [[x + (i == j) * bend[i] + (prior[i][j] if freedom == 0 else 0) for j, x in enumerate(row)]
            for i, row in enumerate(known)]
    if not is_hill(full):
        full = [[x + (i == j) * pull(strength[i]) for j, x in enumerate(row)] for i, row in enumerate(known)]
    v = inverse(full)
    means = [sum(row) / len(members) for row in v]
    v = [[x - means[i] - means[j] + sum(means) / len(members) for j, x in enumerate(row)] for i, row in enumerate(v)]
    log = sum(r[3] * math.log(p) + r[4] * math.log(1 - p) for r, p in zip(rows, ps))
    if freedom == 0:
        log += log_normal(strength, prior) - len(members) * math.log(2)
    else:
        log += sum(math.lgamma((freedom + 1) / 2) - math.lgamma(freedom / 2) - math.log(freedom * math.pi) / 2 -
               math.log(s) - (freedom + 1) / 2 * math.log1p((x / s) ** 2 / freedom) for x in strength)
    log -= sum(math.log(x) for x in pivots(full)) / 2
    third = [(at[r[0]], at[r[1]], (r[3] + r[4]) * p * (1 - p) * (2 * p - 1) * r[2] ** 3) for r, p in zip(rows, ps)]
    middle = sum(strength) / len(members)
    return ([x - middle for x in strength], v, [known[i][i] for i in range(len(members))],
            log + power * math.log(s / MOST) + math.log(power), third)


def below_zero(grid, weights, i, j):
    """The chance that i is weaker than j: a mixture of normal parts, each shifted by its skewness."""
    chance = 0
    for (strength, v, _, _, third), weight in zip(grid, weights):
        variance = v[i][i] + v[j][j] - 2 * v[i][j]
        cumulant = sum(t * (v[i][a] - v[j][a] - v[i][b] + v[j][b]) ** 3 for a, b, t in third)
        k = min(max(cumulant / variance ** 1.5, -MOST_SKEW), MOST_SKEW) / 6
        z = -(strength[i] - strength[j]) / math.sqrt(variance)
        root = 1 + 4 * k * (z + k)
        if k != 0:
            z = (-math.inf if k > 0 else math.inf) if root <= 0 else 2 * (z + k) / (1 + math.sqrt(root))
        chance += weight * (1 + math.erf(z / math.sqrt(2))) / 2
    return chance


def field(data):
    """Ratings with the field as a prior, of single matches."""
    names = data['players']
    index = {name: i for i, name in enumerate(names)}
    rows = [(index[r['a']], index[r['b']], math.sqrt(r['length']), r['wins_a'], r['wins_b'])
            for r in data['results'] if r['wins_a'] + r['wins_b'] > 0]
    matches = sum(r[3] + r[4] for r in rows)
    mean = sum((r[3] + r[4]) * r[2] ** 2 for r in rows) / matches if matches else 1
    unit = 2000 / LOG10 / math.sqrt(mean)
    out = {name: None for name in names}
    table = [[None] * len(names) for _ in names]
    for members in components(len(names), [r[:2] for r in rows]):
        mine = [(a, b, k / math.sqrt(mean), w, l) for a, b, k, w, l in rows if a in members]
        grid, groups = [], []
        for kind in FIELDS if len(members) >= 6 else FIELDS[:2]:
            if kind[0] == 0:
                groups = groups_of(max(grid, key=lambda g: g[3])[0])
            grid += [posterior(members, mine, *kind[:2], kind[2] * (MOST / kind[2]) ** (g / 11), groups) for g in range(12)]
        most = max(g[3] for g in grid)
        weights = [math.exp(g[3] - most) for g in grid]
        weights = [w / sum(weights) for w in weights]
        size = range(len(members))
        strength = [sum(w * g[0][i] for w, g in zip(weights, grid)) for i in size]
        v = [[sum(w * (g[1][i][j] + (g[0][i] - strength[i]) * (g[0][j] - strength[j]))
                  for w, g in zip(weights, grid)) for j in size] for i in size]
        known = [sum(w * g[2][i] for w, g in zip(weights, grid)) for i in size]
        share = [k / sum(known) for k in known]
        anchor = sum(x * y for x, y in zip(share, strength))
        for i in size:
            against = [(i == j) - share[j] for j in size]
            se = math.sqrt(sum(against[j] * v[j][k] * against[k] for j in size for k in size))
            out[names[members[i]]] = {'rating': 1500 + unit * (strength[i] - anchor), 'se': unit * se}
            for j in size:
                table[members[i]][members[j]] = 0.5 if i == j else 1 - below_zero(grid, weights, i, j)
    return {'players': out, 'los': table}


def field_wrong(dice, bgref):
    """What differs in the table's mode, whose answer has more fields; a text, or nothing."""
    names = [f'e{i}' for i in range(dice.choice([2, 3, 5, 7]))]
    lengths = dice.choice([[1], [5], [1, 7]])
    data = {'players': names, 'options': {'mode': 'table'}, 'results': [
        {'a': a, 'b': b, 'length': dice.choice(lengths), 'wins_a': dice.choice([0, 0, 1, 3, 20]),
         'wins_b': dice.choice([0, 1, 2, 30])}
        for a, b in (dice.sample(names, 2) for _ in range(2 * len(names)))]}
    text = json.dumps({'kind': 'ratings', 'input': data})
    run = subprocess.run([bgref, 'rate', '--input', '-', '--json'], input=text,
                         capture_output=True, text=True, timeout=60)
    if run.returncode:
        return f'{run.stderr}\n  {text}'
    answer = json.loads(run.stdout)
    got = {'players': {p['name']: None if p['rating'] is None else
                       {'rating': p['rating'], 'se': p['rating_se']} for p in answer['players']},
           'los': answer['los']}
    wrong = differences('ratings', field(data), got)
    return f'{wrong[:4]}\n  {text}' if wrong else None


KINDS = {'ratings': (random_ratings, rate), 'money': (random_money, money),
         'interval': (random_interval, interval), 'ppg_table': (random_ppg_table, ppg_table),
         'standings': (random_standings, standings), 'sprt': (random_sprt, sprt),
         'fibs': (random_fibs, fibs), 'errors': (random_errors, errors),
         'luck': (random_luck, luck)}


def main():
    bgref = sys.argv[1]
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else ROUNDS
    dice, failures = random.Random(seed), 0
    for turn in range(rounds):
        for kind, (make, solve) in KINDS.items():
            data = make(dice)
            text = json.dumps({'kind': kind, 'input': data})
            run = subprocess.run([bgref, 'rate', '--input', '-', '--json'], input=text,
                                 capture_output=True, text=True, timeout=60)
            wrong = [f'exit {run.returncode}: {run.stderr}'] if run.returncode else \
                differences(kind, solve(data), json.loads(run.stdout))
            if wrong:
                failures += 1
                print(f'round {turn}, {kind}: {wrong[:4]}\n  {text}')
        wrong = field_wrong(dice, bgref) if turn % 5 == 0 else None
        if wrong:
            failures += 1
            print(f'round {turn}, the field: {wrong}')
    print(f'{rounds} rounds of {len(KINDS)} kinds, {failures} wrong')
    return 1 if failures else 0


if __name__ == '__main__':
    sys.exit(main())
