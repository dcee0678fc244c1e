"""Renders the training data in Chromium: snapshots of the corpus out of varve's replay, and pages changed on purpose.

    python render.py --corpus DIR --server http://127.0.0.1:PORT/web --out DIR [--part 0/2]

Per snapshot the folder gets NAME.png, the whole page, and NAME.json: site, page, labels, boxes of blocks, visible text. What is there
already is left as it is, so a run that was stopped goes on. Parts may run side by side.
"""

import argparse
import hashlib
import json
import pathlib
import random
import sys
import time

import corpus
from chromium import Chromium

HERE = pathlib.Path(__file__).parent
MODEL = HERE.parent.parent / "archive" / "visual" / "model"  # scripts that the server evaluates, too
BASES = 3  # pages of a site that are changed on purpose
TRAINING_BASES = 8  # of a site that is trained on
CUT = 2200  # rows to which these are cut before they are dressed
VARIANTS = 8  # changes made in each


def name_of(*parts):
    return hashlib.sha256("|".join(map(str, parts)).encode()).hexdigest()[:16]


def keep(chromium, out, name, facts):
    """Takes the picture, the boxes and the text of the page as it stands."""
    chromium.call("Runtime.evaluate", expression="scrollTo(0, 0)")
    chromium.evaluate((MODEL / "overlays.js").read_text())
    facts["boxes"] = chromium.evaluate((MODEL / "blocks.js").read_text())
    if facts["kind"] == "synthetic":
        facts["truth"] = chromium.evaluate("varveSynthetic.truth()")
    facts["text"] = chromium.evaluate("document.body ? document.body.innerText : ''")
    (out / f"{name}.png").write_bytes(chromium.picture())
    (out / f"{name}.json").write_text(json.dumps(facts))


def render_real(chromium, server, out, snapshot):
    name = name_of(snapshot["uri"], snapshot["datetime"])
    if (out / f"{name}.json").exists():
        return
    chromium.load(f"{server}/{snapshot['datetime']}mp_/{snapshot['uri']}")
    keep(chromium, out, name, dict(snapshot, kind="real"))


def plan_variants(rng):
    """Half of the variants change the content, some of these furniture too; the others change furniture alone."""
    furniture = ["ad", "banner", "theme", "menu", "footer", "sidebar", "notice", "header"]
    content = ["edited", "edited", "price", "added", "removed", "picture", "heading"]
    for n in range(VARIANTS):
        if n % 2:
            yield rng.sample(furniture, rng.choice([0, 0, 1, 2])), [rng.choice(content)]
        else:
            yield rng.sample(furniture, rng.choice([1, 1, 2, 3])), []


def render_synthetic(chromium, server, out, snapshot, seed):
    """A page, cut and perhaps dressed, and variants of it."""
    base = name_of("synthetic", snapshot["uri"], snapshot["datetime"], seed)
    if (out / f"{base}-{VARIANTS - 1}.json").exists():
        return
    chromium.load(f"{server}/{snapshot['datetime']}mp_/{snapshot['uri']}")
    chromium.evaluate((HERE / "synthetic.js").read_text())
    if chromium.evaluate(f"varveSynthetic.prepare({seed * 7919 + 1}, {CUT})") < 4:
        return
    facts = dict(site=snapshot["site"], uri=snapshot["uri"], datetime=snapshot["datetime"], kind="synthetic", base=base)
    chromium.evaluate("varveSynthetic.save(), varveSynthetic.change(1, [], [])")
    keep(chromium, out, base, dict(facts, furniture=[], content=[], html=chromium.evaluate("varveSynthetic.html()")))
    for n, (furniture, content) in enumerate(plan_variants(random.Random(seed))):
        chromium.evaluate("varveSynthetic.restore()")
        chromium.evaluate(f"varveSynthetic.change({seed * 31 + n + 2}, {json.dumps(furniture)}, {json.dumps(content)})")
        keep(chromium, out, f"{base}-{n}", dict(facts, furniture=furniture, content=content, html=chromium.evaluate("varveSynthetic.html()")))


def work(corpus_dir, server, out):
    """Everything there is to render, as functions of a Chromium; real and synthetic turn about, so that a stopped run has both."""
    snapshots = corpus.sample(corpus_dir)
    rng = random.Random(2)
    rng.shuffle(snapshots)
    by_site = {}
    for snapshot in snapshots:
        by_site.setdefault(snapshot["site"], []).append(snapshot)
    synthetic = [(s, int(name_of(s["uri"], s["datetime"])[:5], 16)) for n in range(1, TRAINING_BASES + 1)
                 for site in sorted(by_site) if n <= BASES or site not in corpus.LEFT_OUT for s in by_site[site][n:n + 1]]
    pages = {}
    for snapshot in snapshots:  # whole pages together: only pairs are of use
        pages.setdefault(snapshot["uri"], []).append(snapshot)
    for n, page in enumerate(pages.values()):
        for snapshot in page:
            yield lambda c, s=snapshot: render_real(c, server, out, s)
        if n < len(synthetic):
            yield lambda c, s=synthetic[n]: render_synthetic(c, server, out, *s)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", required=True)
    parser.add_argument("--server", required=True)
    parser.add_argument("--out", required=True, type=pathlib.Path)
    parser.add_argument("--part", default="0/1")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    part, parts = map(int, args.part.split("/"))
    start, failed = time.time(), 0
    tasks = list(work(args.corpus, args.server.rstrip("/"), args.out))[part::parts]
    chromium = Chromium()
    for n, task in enumerate(tasks):
        try:
            task(chromium)
        except Exception as error:  # a page that hangs or crashes its browser costs only itself
            failed += 1
            print(f"{n}: {type(error).__name__}: {error}", file=sys.stderr, flush=True)
            chromium.__exit__()
            chromium = Chromium()
        if n % 20 == 0:
            print(f"{n} of {len(tasks)}, {failed} failed, {time.time() - start:.0f} s", flush=True)
    chromium.__exit__()
    print(f"done: {len(tasks)} tasks, {failed} failed, {time.time() - start:.0f} s", flush=True)


if __name__ == "__main__":
    main()
