"""The rendered pictures as training data: pages, pairs with labels, and which sites are left out."""

import dataclasses
import itertools
import json
import pathlib

import numpy as np

import corpus
from model import Page


@dataclasses.dataclass
class Pair:
    a: str  # names of pictures
    b: str
    site: str
    kind: str  # real or synthetic
    important: bool


def shots(folder):
    """Facts of all rendered pictures by name."""
    found = {}
    for path in sorted(pathlib.Path(folder).glob("*.json")):
        if path.with_suffix(".npz").exists():
            found[path.stem] = json.loads(path.read_text())
    return found


def pairs(facts):
    """All pairs: of real snapshots of one page, and of a page before and after it was changed on purpose."""
    real = [dict(f, name=n) for n, f in facts.items() if f["kind"] == "real"]
    real.sort(key=lambda f: (f["uri"], f["datetime"]))
    for i, j, important in corpus.pairs(real):
        yield Pair(real[i]["name"], real[j]["name"], real[i]["site"], "real", important)
    for name, fact in facts.items():
        if fact["kind"] == "synthetic" and name != fact["base"] and fact["base"] in facts:
            yield Pair(fact["base"], name, fact["site"], "synthetic", bool(fact["content"]))
    # Two variants of one page that change its furniture only differ in nothing else either.
    for a, b in itertools.combinations([n for n, f in facts.items() if f["kind"] == "synthetic" and f["furniture"] and not f["content"]], 2):
        if facts[a]["base"] == facts[b]["base"]:
            yield Pair(a, b, facts[a]["site"], "synthetic", False)


def load(folder, name):
    with np.load(pathlib.Path(folder) / f"{name}.npz") as arrays:
        return {key: arrays[key] for key in arrays.files}


def page(folder, name):
    arrays = load(folder, name)
    return Page(arrays["words"], arrays["grid"])


def split(all_pairs):
    """Pairs of training sites and of the sites left out."""
    return ([p for p in all_pairs if p.site not in corpus.LEFT_OUT], [p for p in all_pairs if p.site in corpus.LEFT_OUT])
