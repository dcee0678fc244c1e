"""Would a learnt model decide better than the rules which differences of texts are a change of content?

Pairs of neighbouring captures of all labelled sets whose visible text differs; features of the blocks that differ, with what the rules say
as one of them. Each set is left out once: the models learn from the others. Prints precision and recall of the rules and of each model.

    python content.py --corpus DIR --server http://127.0.0.1:18765/web [--seed 1] [--pages 400]
"""
import argparse
import collections
import glob
import gzip
import json
import os
import re
import urllib.parse
import urllib.request

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

VISIBLE = {'timestamp', 'ad', 'counter'}
REGIONS = ('main', 'title', 'furniture')
WORD = re.compile(r'\w+')


def get(server, path, **query):
    with urllib.request.urlopen(server + path + '?' + urllib.parse.urlencode(query)) as r:
        return json.load(r)


def wild(file):
    """Yields address, captures and labels of pages from the live web."""
    fixes = {}
    for f in glob.glob(os.path.join(os.path.dirname(file), '*.corrections.jsonl')):
        for line in open(f):
            fix = json.loads(line)
            fixes[fix['url'], fix['ts']] = fix['what']
    pages = collections.defaultdict(list)
    for line in gzip.open(file, 'rt'):
        t = json.loads(line)
        t.update(fixes.get((t['uri'], t['datetime']), {}))
        pages[t['uri']].append(t)
    for uri, list_ in pages.items():
        yield uri, [(t['datetime'], t['change'] if t['shown'] else None) for t in list_]


def lab(file):
    """Yields the same of the versioned sites. Where only furniture changed, either answer is fair, so there is no label."""
    pages = collections.defaultdict(list)
    for line in gzip.open(file, 'rt'):
        t = json.loads(line)
        if 'text_sha' in t:
            fair = t['text_changed_from_prev'] != t['main_changed_from_prev'] or t.get('boilerplate_only') or t.get('furniture_maybe')
            pages[t['uri']].append((t['datetime'], None if fair else t['main_changed_from_prev']))
    for uri, list_ in pages.items():
        yield uri, sorted(list_, key=lambda c: c[0])


def region(block):
    r = block['region']
    return r if r in REGIONS else 'furniture'


def masked(text):
    return re.sub(r'\d+', '0', text)


def edits_of(diff):
    for block in diff['blocks']:
        for e in block['edits']:
            if e['op'] != 'equal':
                yield region(block), e['op'], e['text']


def features(diff, rule, often, pairs):
    """Of one pair: often counts in how many pairs of the page each edit is, without its digits."""
    words = collections.Counter()
    digits = total = blocks = rare = 0
    longest, seen = 0, []
    for where, op, text in edits_of(diff):
        w = WORD.findall(text)
        words[where, op] += len(w)
        digits += sum(any(c.isdigit() for c in x) for x in w)
        total += len(w)
        longest = max(longest, len(w))
        blocks += 1
        seen.append(often[masked(text)] / pairs)
        rare += len(w) if often[masked(text)] == 1 else 0
    row = [float(rule)]
    row += [np.log1p(words[r, op]) for r in REGIONS for op in ('insert', 'delete', 'move')]
    row += [np.log1p(total), digits / max(total, 1), np.log1p(longest), np.log1p(blocks), np.log1p(rare), rare / max(total, 1)]
    row += [min(seen, default=0), max(seen, default=0), (diff.get('change') or {}).get('similarity') or 0, np.log1p(pairs)]
    return row


def rows_of(server, uri, captures):
    """Yields features, label and what the rules say of each labelled pair whose text differs, and of the others only the latter."""
    cuts = {level: {r['first'] for r in get(server, '/changes', url=uri, level=level)['ranges'][1:]} for level in ('text', 'content')}
    diffs = []
    for (before, _), (at, label) in zip(captures, captures[1:]):
        if label is None:
            continue
        if at not in cuts['text'] and at not in cuts['content']:
            yield None, label, False
            continue
        diffs.append((get(server, '/diff', url=uri, level='text', **{'from': before, 'to': at}), label, at in cuts['content']))
    often = collections.Counter(t for d, _, _ in diffs for t in {masked(t) for _, _, t in edits_of(d)})
    for diff, label, rule in diffs:
        yield features(diff, rule, often, len(diffs)), label, rule


def measure(said, labels):
    tp = sum(s and l for s, l in zip(said, labels))
    p, r = tp / max(1, sum(said)), tp / max(1, sum(labels))
    return p, r, 2 * p * r / max(1e-9, p + r)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--corpus', required=True)
    parser.add_argument('--server', required=True)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--pages', type=int, default=400, help='of a set, at most')
    a = parser.parse_args()
    sets = {}
    files = [(f, wild) for f in glob.glob(a.corpus + '/*/*.wild.jsonl.gz')] + [(f, lab) for f in glob.glob(a.corpus + '/*/*.truth.jsonl.gz')]
    for file, read in sorted(files):
        rows = []
        pages = [p for p in read(file) if len(p[1]) > 2]
        np.random.default_rng(a.seed).shuffle(pages)
        for uri, captures in pages[:a.pages]:
            rows += rows_of(a.server, uri, captures)
        sets[os.path.basename(os.path.dirname(file))] = rows
    models = {
        'logistic': lambda: make_pipeline(StandardScaler(), LogisticRegression(max_iter=2000, class_weight='balanced')),
        'boosted trees': lambda: HistGradientBoostingClassifier(max_depth=4, max_iter=150, random_state=a.seed),
    }
    for out, rows in sets.items():
        labels, rules = [bool(l) for _, l, _ in rows], [r for _, _, r in rows]
        print('%-12s %5d pairs, %4d changes: rules          %.4f %.4f F1 %.4f' % (out, len(rows), sum(labels), *measure(rules, labels)))
        train = [r for name, other in sets.items() if name != out for r in other if r[0]]
        for name, make in models.items():
            model = make().fit(np.array([f for f, _, _ in train]), [bool(l) for _, l, _ in train])
            asked = [i for i, r in enumerate(rows) if r[0]]
            said = [False] * len(rows)
            for i, s in zip(asked, model.predict(np.array([rows[i][0] for i in asked]))):
                said[i] = bool(s)
            print('%-12s %29s %-14s %.4f %.4f F1 %.4f' % ('', '', name, *measure(said, labels)))


if __name__ == '__main__':
    main()
