"""The model of the source: a small network with attention over a grey picture of 100 x 100, in its four variants.

    python source.py --shots DIR --out DIR [--seed 1] [--branches 2]

3 x 3 convolutions with stride 1 and reflection padding, average pools that keep the size, CBAM, a projection of three layers to a short
vector. Two branches learn with the contrastive loss, three with the triplet loss; vectors are compared by Euclidean or cosine distance.
The source doesn't say how wide its projection is; HIDDEN is ours.
"""

import argparse
import pathlib
import random
import time

import numpy as np
import torch
from torch import nn
from torch.nn import functional

import data

SIDE = 100
HIDDEN, OUT = 64, 8
TRIPLES = 150  # a site
MARGINS = {"euclidean": 2.0, "cosine": 0.5}
EPOCHS = {2: 3, 3: 1}  # an epoch of triples has four times as many pictures
VARIANTS = [(branches, distance) for branches in (2, 3) for distance in ("euclidean", "cosine")]


class Cbam(nn.Module):
    """Attention to channels, then to places, as Woo et al. describe it."""

    def __init__(self, channels, ratio=2):
        super().__init__()
        self.mlp = nn.Sequential(nn.Linear(channels, channels // ratio), nn.ReLU(), nn.Linear(channels // ratio, channels))
        self.space = nn.Conv2d(2, 1, 7, padding=3, padding_mode="reflect")

    def forward(self, x):
        scale = torch.sigmoid(self.mlp(x.mean((2, 3))) + self.mlp(x.amax((2, 3))))
        x = x * scale[:, :, None, None]
        return x * torch.sigmoid(self.space(torch.cat([x.mean(1, True), x.amax(1, True)], 1)))


def layer(into, out):
    return nn.Sequential(nn.Conv2d(into, out, 3, padding=1, padding_mode="reflect"), nn.ReLU(), nn.ReflectionPad2d(1), nn.AvgPool2d(3, 1),
                         nn.BatchNorm2d(out))


class Branch(nn.Module):
    def __init__(self):
        super().__init__()
        self.see = nn.Sequential(layer(1, 4), layer(4, 8), layer(8, 8), Cbam(8))
        self.project = nn.Sequential(nn.Flatten(), nn.Linear(8 * SIDE * SIDE, HIDDEN), nn.ReLU(), nn.Linear(HIDDEN, HIDDEN), nn.ReLU(),
                                     nn.Linear(HIDDEN, OUT))

    def forward(self, x):
        return self.project(self.see(x))


def distance_of(kind):
    if kind == "cosine":
        return lambda a, b: 1 - functional.cosine_similarity(a, b)
    return functional.pairwise_distance


def contrastive(distance, important, margin):
    return (torch.where(important, functional.relu(margin - distance) ** 2, distance ** 2)).mean()


def triples(pairs, rng):
    """(anchor, alike, different): TRIPLES a site, or as many as there are."""
    sites = {}
    for p in pairs:
        for a, b in ((p.a, p.b), (p.b, p.a)):
            sites.setdefault(p.site, {}).setdefault(a, ([], []))[p.important].append(b)
    for site in sorted(sites):
        anchors = [(a, alike, different) for a, (alike, different) in sites[site].items() if alike and different]
        for _ in range(TRIPLES if anchors else 0):
            a, alike, different = rng.choice(anchors)
            yield a, rng.choice(alike), rng.choice(different)


def train(pairs, images, branches, kind, seed, batch=32):
    """A branch trained on pairs; images is a dict of 100 x 100 arrays by name. Equal pictures teach nothing and are passed over."""
    pairs = [p for p in pairs if not np.array_equal(images[p.a], images[p.b])]
    torch.manual_seed(seed)
    rng = random.Random(seed)
    net, distance = Branch(), distance_of(kind)
    optimizer = torch.optim.Adam(net.parameters(), lr=5e-4)

    def see(names):
        return net(tensor(images, names))
    for _ in range(EPOCHS[branches]):
        items = list(pairs) if branches == 2 else list(triples(pairs, rng))
        rng.shuffle(items)
        for chunk in (items[i:i + batch] for i in range(0, len(items), batch)):
            if len(chunk) < 2:
                continue
            if branches == 2:
                d = distance(see([p.a for p in chunk]), see([p.b for p in chunk]))
                loss = contrastive(d, torch.tensor([p.important for p in chunk]), MARGINS[kind])
            else:
                anchor, alike, different = (see(names) for names in zip(*chunk))
                loss = functional.relu(distance(anchor, alike) - distance(anchor, different) + MARGINS[kind] / 2).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    return net.eval()


def tensor(images, names):
    return torch.from_numpy(np.stack([images[n] for n in names])).float()[:, None] / 255


@torch.no_grad()
def score(net, kind, pairs, images):
    names = sorted({n for p in pairs for n in (p.a, p.b)})
    vectors = dict(zip(names, torch.cat([net(tensor(images, names[i:i + 64])) for i in range(0, len(names), 64)])))
    distance = distance_of(kind)
    return np.array([distance(vectors[p.a][None], vectors[p.b][None]).item() for p in pairs])


def file_of(folder, branches, kind):
    return pathlib.Path(folder) / f"source-{branches}-{kind}.pt"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shots", required=True, type=pathlib.Path)
    parser.add_argument("--out", required=True, type=pathlib.Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--branches", type=int, choices=(2, 3))
    args = parser.parse_args()
    torch.set_num_threads(1)
    pairs, _ = data.split(list(data.pairs(data.shots(args.shots), args.shots)))
    images = {n: data.load(args.shots, n)["small"] for n in {n for p in pairs for n in (p.a, p.b)}}
    for branches, kind in VARIANTS:
        if args.branches not in (None, branches):
            continue
        wall, cpu = time.time(), time.process_time()
        net = train(pairs, images, branches, kind, args.seed)
        torch.save(dict(state=net.state_dict(), minutes=(time.time() - wall) / 60, cpu_minutes=(time.process_time() - cpu) / 60),
                   file_of(args.out, branches, kind))
        print(branches, kind, f"{time.time() - wall:.0f} s", flush=True)


if __name__ == "__main__":
    main()
