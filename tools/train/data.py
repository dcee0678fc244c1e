"""The rendered pictures as training data: pages, pairs with labels, and which sites are left out."""

import dataclasses
import itertools
import json
import pathlib

import numpy as np

import corpus
from chromium import TALLEST
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


def pairs(facts, folder):
    """All pairs: of real snapshots of one page, and of a page before and after it was changed on purpose. Important changes that are in no
    picture are left out: those below the last row of two pictures, and pictures put where a page doesn't show them."""
    real = [dict(f, name=n) for n, f in facts.items() if f["kind"] == "real"]
    real.sort(key=lambda f: (f["uri"], f["datetime"]))
    for i, j, important in corpus.pairs(real):
        if important and below(folder, real[i]["name"], real[j]["name"]):
            continue
        yield Pair(real[i]["name"], real[j]["name"], real[i]["site"], "real", important)
    for name, fact in facts.items():
        if fact["kind"] == "synthetic" and name != fact["base"] and fact["base"] in facts:
            if fact["content"] and png(folder, fact["base"]) == png(folder, name):
                continue
            yield Pair(fact["base"], name, fact["site"], "synthetic", bool(fact["content"]))
    # Two variants of one page that change its furniture only differ in nothing else either.
    for a, b in itertools.combinations([n for n, f in facts.items() if f["kind"] == "synthetic" and f["furniture"] and not f["content"]], 2):
        if facts[a]["base"] == facts[b]["base"]:
            yield Pair(a, b, facts[a]["site"], "synthetic", False)


def below(folder, a, b):
    """Whether two pictures are cut at their last row and have the same words up to there."""
    a, b = load(folder, a), load(folder, b)
    return min(a["height"], b["height"]) >= TALLEST and np.array_equal(np.sort(a["words"][:, 4]), np.sort(b["words"][:, 4]))


def png(folder, name):
    return (pathlib.Path(folder) / f"{name}.png").read_bytes()


def load(folder, name):
    with np.load(pathlib.Path(folder) / f"{name}.npz") as arrays:
        return {key: arrays[key] for key in arrays.files}


def pages(folder, facts, all_pairs):
    """The pictures of pairs as tensors, by name."""
    loaded = {}
    for name in {n for p in all_pairs for n in (p.a, p.b)}:
        arrays = load(folder, name)
        loaded[name] = Page(arrays["words"], arrays["grid"], facts[name].get("truth"))
    return loaded


def split(all_pairs):
    """Pairs of training sites and of the sites left out."""
    return ([p for p in all_pairs if p.site not in corpus.LEFT_OUT], [p for p in all_pairs if p.site in corpus.LEFT_OUT])
