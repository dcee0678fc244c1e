"""Measures all models and baselines on the sites left out, and draws their ROC curves.

    python evaluate.py --shots DIR --text text.json --models DIR --svg roc.svg

DIR has model.pt, fold-N.pt and those of source.py and baselines.py. Writes figures.json there and prints a table. Thresholds, and how the picture is combined with
the text, come from training sites: of our model from distances that a model gave which was trained without the site.
"""

import argparse
import itertools
import json
import pathlib

import numpy as np
import torch

import corpus
import data
import metrics
import source
import svg
import train
from export import load
from model import BINS

ALIKE = 0.9  # alikeFrom of archive/visual/looks.go


def of_source(fit, test, folder, models):
    """The scores of the source's four models on both sets of pairs, by name, and the processor minutes of their training."""
    images = {n: data.load(folder, n)["small"] for n in {n for p in fit + test for n in (p.a, p.b)}}
    scores, minutes = {}, {}
    for branches, kind in source.VARIANTS:
        saved = torch.load(source.file_of(models, branches, kind), weights_only=True)
        net = source.Branch()
        net.load_state_dict(saved["state"])
        name = f"source: {branches} branches, {kind}"
        scores[name] = tuple(source.score(net.eval(), kind, pairs, images) for pairs in (fit, test))
        minutes[name] = saved["cpu_minutes"]
    return scores, minutes


def labels(pairs):
    return np.array([p.important for p in pairs])


def held_out(pairs, pages, folder):
    """Distances of the training pairs, with boxes and without, each from a model that was not trained on the pair's site."""
    scores = np.zeros(len(pairs)), np.zeros(len(pairs))
    for fold in range(train.FOLDS):
        inside = np.flatnonzero(train.in_fold(pairs, fold))
        model = load(folder / f"fold-{fold}.pt")
        for scores_, boxes in zip(scores, (True, False)):
            scores_[inside] = train.score(model, [pairs[n] for n in inside], pages, boxes)
    return scores


def with_text(pairs, distances, text):
    """What the combination is made of: the logit of the distance, and what the text says at its two levels."""
    d = np.clip(distances, 1e-6, 1 - 1e-6)
    answers = [text.get(f"{p.a} {p.b}", dict(content=False, text=False)) for p in pairs]
    said = np.array([[a["content"], a["text"]] for a in answers], float)
    logit = np.log(d / (1 - d))
    return np.column_stack([logit, said, logit * said[:, 0]])


def logistic(x, y, weight, steps=400):
    """Logistic regression with a little shrinkage."""
    x, y, weight = (torch.tensor(v, dtype=torch.float64) for v in (x, y.astype(float), weight))
    w, b = torch.zeros(x.shape[1], dtype=torch.float64, requires_grad=True), torch.zeros(1, dtype=torch.float64, requires_grad=True)
    optimizer = torch.optim.LBFGS([w, b], max_iter=steps, line_search_fn="strong_wolfe")

    def closure():
        optimizer.zero_grad()
        loss = (torch.nn.functional.binary_cross_entropy_with_logits(x @ w + b, y, reduction="none") * weight).mean() + 1e-3 * (w ** 2).sum()
        loss.backward()
        return loss
    optimizer.step(closure)
    return w.detach().numpy(), b.item()


def figures(scores, fit, test):
    """AUC (all, real, synthetic) and precision and recall at the threshold of the training sites."""
    fit_scores, test_scores = scores
    at = metrics.threshold(fit_scores, labels(fit))
    precision, recall = metrics.precision_recall(test_scores, labels(test), at)
    out = dict(auc=metrics.auc(test_scores, labels(test)), precision=precision, recall=recall, threshold=at,
               auc_training_sites=metrics.auc(fit_scores, labels(fit)))
    for kind in ("real", "synthetic"):
        of_kind = np.array([p.kind == kind for p in test])
        out[f"auc_{kind}"] = metrics.auc(test_scores[of_kind], labels(test)[of_kind])
    return out


def by_site(scores, test):
    return {site: metrics.auc(scores[[p.site == site for p in test]], labels([p for p in test if p.site == site]))
            for site in sorted({p.site for p in test})}


@torch.no_grad()
def alike(model, test, pages, facts):
    """How often two pictures look alike to /similar: of pairs whose content stayed the same, and of pages at different addresses."""
    vectors = {n: model.vector(pages[n])[BINS:2 * BINS] for n in {n for p in test for n in (p.a, p.b)}}

    def share(pairs):
        return float(np.mean([torch.cosine_similarity(vectors[a], vectors[b], dim=0).item() >= ALIKE for a, b in pairs]))
    one_each = list({facts[n]["uri"] + facts[n]["datetime"]: n for n in sorted(vectors) if facts[n]["kind"] == "real"}.values())
    others = [(a, b) for a, b in itertools.combinations(one_each, 2) if facts[a]["uri"] != facts[b]["uri"]]
    same = {kind: [(p.a, p.b) for p in test if p.kind == kind and not p.important] for kind in ("real", "synthetic")}
    return {kind: share(pairs) for kind, pairs in same.items()} | {"other addresses": share(others), "of pairs": len(others)}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shots", required=True, type=pathlib.Path)
    parser.add_argument("--text", required=True, type=pathlib.Path)
    parser.add_argument("--models", required=True, type=pathlib.Path)
    parser.add_argument("--svg", required=True, type=pathlib.Path)
    args = parser.parse_args()
    torch.set_num_threads(1)
    facts = data.shots(args.shots)
    all_pairs = list(data.pairs(facts, args.shots))
    fit, test = data.split(all_pairs)
    text = json.loads(args.text.read_text())
    pages = data.pages(args.shots, facts, all_pairs)
    inside = np.array([p.site not in corpus.LEFT_OUT for p in all_pairs])
    with np.load(args.models / "baselines.npz") as known:
        scores = {name: (known[name][inside], known[name][~inside]) for name in known.files}
    of_them, minutes = of_source(fit, test, args.shots, args.models)
    scores |= of_them
    model = load(args.models / "model.pt")
    ours, bare = held_out(fit, pages, args.models)
    scores["ours, without boxes"] = bare, train.score(model, test, pages, boxes=False)
    scores["ours"] = ours, train.score(model, test, pages)
    x, y = with_text(fit, ours, text), with_text(test, scores["ours"][1], text)
    weight, bias = logistic(x, labels(fit), train.weights(fit))
    scores["varve's text alone"] = x[:, 1:3] @ [1, 0.1], y[:, 1:3] @ [1, 0.1]
    scores["ours with text"] = x @ weight + bias, y @ weight + bias
    result = dict(models={n: figures(s, fit, test) for n, s in scores.items()}, minutes=minutes,
                  by_site={n: by_site(scores[n][1], test) for n in ("ours", "ours with text")},
                  pairs={name: {f"{k} {i}": sum(p.kind == k and p.important == i for p in pairs) for k in ("real", "synthetic")
                                for i in (True, False)} for name, pairs in (("training", fit), ("left out", test))},
                  alike=alike(model, test, pages, facts), pictures=len(facts), sites=dict(training=sorted({p.site for p in fit}), left_out=sorted({p.site for p in test})))
    (args.models / "figures.json").write_text(json.dumps(result, indent=1))
    np.savez(args.models / "scores.npz", **{f"{n} {k}": v for n, s in scores.items() for k, v in zip(("fit", "test"), s)})
    shown = ["SimHash of the text", "1 - SSIM", "source: 3 branches, euclidean", "ours, without boxes", "ours", "ours with text"]
    args.svg.write_text(svg.roc({n: metrics.roc(scores[n][1], labels(test)) for n in shown}, {n: result["models"][n]["auc"] for n in shown}))
    for name, f in result["models"].items():
        print(f"| {name} | {f['auc']:.4f} | {f['auc_real']:.4f} | {f['auc_synthetic']:.4f} | {f['precision']:.2f} | {f['recall']:.2f} |")


if __name__ == "__main__":
    main()
