"""Trains our model and writes it as model.pt.

    python train.py --shots DIR --out DIR [--epochs 5] [--end-epochs 30] [--seed 1] [--without 0]

With --without N the sites of fold N are not trained on, and the model is written as fold-N.pt: evaluate.py has the threshold from such models,
because a model knows the pairs too well that it was trained on.

The loss is the cross entropy of the distance of a pair against its label, and of the weights of words against what is known of them. Sites
weigh the same, and so do the two labels in each.
"""

import argparse
import collections
import json
import pathlib
import random
import time

import numpy as np
import torch
from torch.nn import functional

import data
import metrics
from model import Model, bags

FOLDS = 3  # into which the training sites are parted
GROUP = 14
BATCH = 12
RATE = 1e-2
REGIONS = 0.5  # how much the weights of words whose place is known count beside the distances
WITHOUT_BOXES = 0.25  # share of training pairs whose boxes are hidden, so that the model works without any


def in_fold(pairs, fold):
    """Which pairs are of sites of a fold."""
    sites = sorted({p.site for p in pairs})
    return np.array([sites.index(p.site) % FOLDS == fold for p in pairs])


def weights(pairs):
    """A weight for each pair: sites, kinds and labels weigh the same together; a group with few pairs a little less."""
    groups = collections.Counter((p.site, p.kind, p.important) for p in pairs)
    raw = np.array([1 / (groups[p.site, p.kind, p.important] + 10) for p in pairs])
    return raw / raw.mean()


def train(pairs, pages, seed, epochs, log=print):
    """A model trained on pairs; pages is a dict of Page by name."""
    torch.manual_seed(seed)
    rng = random.Random(seed)
    model = Model()
    pairs = [p for p in pairs if differ(pages[p.a], pages[p.b])]
    optimizer = torch.optim.AdamW(model.parameters(), lr=RATE, weight_decay=1e-3)
    steps = epochs * (len(drawn(pairs, random.Random(seed))) // BATCH + 2)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, RATE, total_steps=steps)

    def look(name, bare):
        page = pages[name].without_boxes() if bare else pages[name]
        return page, model.weights(page)
    for epoch in range(epochs):
        start, losses = time.time(), []
        chosen = drawn(pairs, rng)
        weight = weights(chosen)
        for batch in batches(chosen, rng):
            loss = batch_loss(model, [(chosen[n], weight[n]) for n in batch], look, rng)
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            schedule.step()
            losses.append(loss.item())
        log(f"epoch {epoch}: {len(chosen)} pairs, loss {np.mean(losses):.4f}, {time.time() - start:.0f} s", flush=True)
    return model.eval()


class Seen:
    """A page as the end of the network sees it: what the steps before made of each word's place is worked out once."""

    def __init__(self, model, page):
        with torch.no_grad():
            x = functional.relu(model.enter(page.grid[None]))
            for step in model.steps:
                x = step(x)
            self.deep = model.attention(x)[0].flatten(1)[:, page.place]
            self.plain = page.grid.flatten(1)[:, page.place]
        self.page = page

    def look(self, model):
        weight = torch.sigmoid(model.leave.weight[0, :, 0, 0] @ self.deep + model.leave.bias + model.direct.weight[0, :, 0, 0] @ self.plain)
        return self.page, weight


def finish(model, pairs, pages, seed, epochs, log=print):
    """Trains the end of the network alone, which takes little: the weights of the last layer, and how a difference becomes a distance."""
    rng = random.Random(seed + 100)
    pairs = [p for p in pairs if differ(pages[p.a], pages[p.b])]
    names = {n for p in pairs for n in (p.a, p.b)}
    seen = {(n, bare): Seen(model, pages[n].without_boxes() if bare else pages[n]) for n in sorted(names) for bare in (False, True)}
    parameters = [q for m in (model.leave, model.direct, model.head, model.bend) for q in m.parameters()]
    optimizer = torch.optim.AdamW(parameters, lr=RATE / 2, weight_decay=1e-2)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, epochs)
    for epoch in range(epochs):
        chosen, losses = drawn(pairs, rng), []
        weight = weights(chosen)
        for batch in batches(chosen, rng):
            loss = batch_loss(model, [(chosen[n], weight[n]) for n in batch], lambda n, bare: seen[n, bare].look(model), rng)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        schedule.step()
        if epoch % 5 == 0:
            log(f"end, epoch {epoch}: loss {np.mean(losses):.4f}", flush=True)
    return model


def differ(a, b):
    """Whether two pictures have different words: nothing is to be learnt from equal ones."""
    return len(a.ink) != len(b.ink) or not torch.equal(a.ink.sort().values, b.ink.sort().values)


def drawn(pairs, rng):
    """The pairs of one epoch: of a site's real and synthetic, important and other pairs at most GROUP each."""
    groups = collections.defaultdict(list)
    for p in pairs:
        groups[p.site, p.kind, p.important].append(p)
    return [p for group in groups.values() for p in rng.sample(group, min(GROUP, len(group)))]


def batches(pairs, rng):
    """Indexes of pairs in batches. Pairs of one page stand together, so that a batch looks at few pictures."""
    pages = collections.defaultdict(list)
    for n, pair in enumerate(pairs):
        pages[pair.a].append(n)
    chunks = []
    for members in pages.values():
        rng.shuffle(members)
        chunks += [members[i:i + 4] for i in range(0, len(members), 4)]
    rng.shuffle(chunks)
    order = [n for chunk in chunks for n in chunk]
    return [order[i:i + BATCH] for i in range(0, len(order), BATCH)]


def batch_loss(model, batch, look, rng):
    """The loss of a batch; look gives a picture by its name, with boxes or bare, and the weights of its words."""
    hidden = rng.random() < WITHOUT_BOXES
    seen = {name: look(name, hidden) for name in dict.fromkeys(n for p, _ in batch for n in (p.a, p.b))}
    vectors = {name: bags(*page_and_weight) for name, page_and_weight in seen.items()}
    a, b = (torch.stack([vectors[getattr(p, side)] for p, _ in batch]) for side in "ab")
    label = torch.tensor([float(p.important) for p, _ in batch])
    weight = torch.tensor([w for _, w in batch], dtype=torch.float32)
    distances = functional.binary_cross_entropy_with_logits(model.logit(a, b), label, reduction="none") * weight
    return distances.mean() + REGIONS * torch.stack([regions_loss(*s) for s in seen.values()]).mean()


def regions_loss(page, weight):
    """How far the weights of words are from what is known of them. Running text and furniture count the same."""
    losses = []
    for value in (0, 1):
        at = page.known == value
        if at.any():
            right, mass = (weight[at] if value else 1 - weight[at]).clamp(1e-4), page.mass[at]
            losses.append(-(torch.log(right) * mass).sum() / mass.sum())
    return torch.stack(losses).mean() if losses else torch.zeros(())


@torch.no_grad()
def score(model, pairs, pages, boxes=True):
    """The distance of each pair."""
    names = {n for p in pairs for n in (p.a, p.b)}
    vectors = {n: model.vector(pages[n] if boxes else pages[n].without_boxes()) for n in names}
    return np.array([model.distance(vectors[p.a], vectors[p.b]).item() for p in pairs])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shots", required=True, type=pathlib.Path)
    parser.add_argument("--out", required=True, type=pathlib.Path)
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--end-epochs", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--without", type=int)
    parser.add_argument("--threads", type=int, default=1)
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    args.out.mkdir(parents=True, exist_ok=True)
    facts = data.shots(args.shots)
    pairs, _ = data.split(list(data.pairs(facts, args.shots)))
    name = "model"
    if args.without is not None:
        pairs, name = [p for p, inside in zip(pairs, in_fold(pairs, args.without)) if not inside], f"fold-{args.without}"
    pages = data.pages(args.shots, facts, pairs)
    wall, cpu = time.time(), time.process_time()
    model = finish(train(pairs, pages, args.seed, args.epochs), pairs, pages, args.seed, args.end_epochs)
    told = dict(minutes=(time.time() - wall) / 60, cpu_minutes=(time.process_time() - cpu) / 60, pairs=len(pairs), seed=args.seed,
                 epochs=args.epochs, auc_training=metrics.auc(score(model, pairs, pages), [p.important for p in pairs]))
    torch.save(dict(state=model.state_dict(), **told), args.out / f"{name}.pt")
    print(json.dumps(told, indent=1))


if __name__ == "__main__":
    main()
