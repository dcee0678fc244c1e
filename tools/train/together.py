"""Measures what varve says of pairs of pictures that it made itself: its comparison of blocks, the model, and both together.

    python together.py --shots DIR --corpus DIR --varve BINARY --models DIR --data DIR

A new index in --data has the corpus, and the pages changed on purpose as captures of one address each. "varve render" pictures the captures of
the pairs, a server compares them, and the model (--models has its model.pt) compares the vectors that stand beside the pictures. The least
distance that is important is the one with the best F1 on real pairs of the training sites; the table is of the sites left out.
"""

import argparse
import collections
import json
import pathlib
import subprocess
import urllib.parse
import urllib.request

import numpy as np
import torch
import zstandard

import corpus
import data
import metrics
import text
from export import load

CORPORA = ("backbone", "i18n", "lucene", "wild-dating")


def address(facts, name):
    """The URI and the datetime of a picture in the index."""
    fact = facts[name]
    if fact["kind"] == "real":
        return fact["uri"], fact["datetime"]
    variant = 0 if name == fact["base"] else 1 + int(name.rsplit("-", 1)[1])
    return f"http://{fact['base']}.example/page", f"20{20 + variant}0101000000"


def changed_pages(path, names, facts):
    """Writes the pages changed on purpose as a WARC file."""
    with open(path, "wb") as file:
        for name in sorted(names):
            uri, datetime = address(facts, name)
            file.write(text.record(uri, f"{datetime[:4]}-01-01T00:00:00Z", facts[name]["html"]))


def picture(varve, folder, wanted):
    """Has varve picture the captures of each page from the first to the last that is wanted."""
    for n, (uri, datetimes) in enumerate(sorted(wanted.items())):
        span = ["--from", min(datetimes), "--to", max(datetimes)]
        subprocess.run([varve, "render", uri, "--captures", *span, "--data", str(folder)], check=True, capture_output=True)
        print(f"{n + 1} of {len(wanted)} pages", end="\r", flush=True)


def vectors(folder):
    """The vectors beside the pictures, by URI and datetime."""
    found = {}
    for path in (folder / "pictures" / "records").rglob("*-1280"):
        record = json.loads(zstandard.ZstdDecompressor().decompressobj().decompress(path.read_bytes()))
        if record.get("vector"):
            found[record["url"], str(record["time"])] = torch.tensor(record["vector"])
    return found


def ask(server, a, b):
    """Whether the content differs between two captures of a page: by its blocks alone, and as varve says it."""
    answers = []
    for choice in (dict(block="content"), {}):
        query = urllib.parse.urlencode(dict(url=a[0], **{"from": a[1], "to": b[1]}, **choice))
        with urllib.request.urlopen(f"{server}/visual?{query}") as answer:
            answers.append(json.load(answer)["important"])
    return answers


def measure(server, model, pairs, facts, known):
    """The answers of blocks and of both, and the model's distance, for each pair of which there are two pictures."""
    rows = []
    for p in pairs:
        a, b = address(facts, p.a), address(facts, p.b)
        if a in known and b in known:
            rows.append((p, *ask(server, a, b), model.distance(known[a], known[b]).item()))
    return rows


def table(rows, least):
    for kind in ("real", "synthetic"):
        of_kind = [r for r in rows if r[0].kind == kind]
        labels = np.array([r[0].important for r in of_kind])
        blocks, both, distances = (np.array([r[n] for r in of_kind], float) for n in (1, 2, 3))
        print(f"{kind}: {len(of_kind)} pairs, the model's AUC {metrics.auc(distances, labels):.3f}")
        for name, said in (("blocks", blocks), ("model", (distances >= least).astype(float)), ("together", both)):
            precision, recall = metrics.precision_recall(said, labels, 0.5)
            print(f"| {name} | {precision:.2f} | {recall:.2f} | {metrics.f1(precision, recall):.3f} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("shots", "corpus", "models", "data"):
        parser.add_argument("--" + name, required=True, type=pathlib.Path)
    parser.add_argument("--varve", required=True)
    args = parser.parse_args()
    torch.set_grad_enabled(False)
    facts = data.shots(args.shots)
    fit, test = data.split(list(data.pairs(facts, args.shots)))
    pairs = [p for p in fit if p.kind == "real"] + test
    names = {n for p in pairs for n in (p.a, p.b)}
    args.data.mkdir(parents=True, exist_ok=True)
    changed_pages(args.data / "changed.warc", [n for n in names if facts[n]["kind"] == "synthetic"], facts)
    stored = [str(args.corpus / n) for n in CORPORA] + [str(args.data / "changed.warc")]
    subprocess.run([args.varve, "index", "--data", str(args.data), *stored], check=True, capture_output=True)
    wanted = collections.defaultdict(set)
    for uri, datetime in (address(facts, n) for n in names):
        wanted[uri].add(datetime)
    picture(args.varve, args.data, wanted)
    server = subprocess.Popen([args.varve, "serve", "--data", str(args.data), "--listen", "127.0.0.1:0"], stdout=subprocess.PIPE, text=True,
                              stderr=subprocess.DEVNULL)
    try:
        at = server.stdout.readline().split()[-1] + "web"
        rows = measure(at, load(args.models / "model.pt"), pairs, facts, vectors(args.data))
    finally:
        server.terminate()
        server.wait()
    known = [r for r in rows if r[0].site not in corpus.LEFT_OUT]
    least = metrics.threshold([r[3] for r in known], [r[0].important for r in known])
    print(f"least distance {least:.3f}")
    table([r for r in rows if r[0].site in corpus.LEFT_OUT], least)


if __name__ == "__main__":
    main()
