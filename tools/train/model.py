"""Our model: what is seen of a page as two weighted bags of words' pictures.

A small network with attention looks at a map of the page (features.py) and says for each place how much what stands there belongs to the
content. Each word's picture falls by its checksum into one of BINS bins, and by its width and height into up to four of BINS more: another
theme changes the ink of all words, but the shapes of few, and most of those by a pixel. A page's vector says of both how much of its words' mass
is in each bin, and how much of that mass is content; its last number is how many words of content there are, which another font doesn't change.
Two pages differ by the mass of the bins that differ, weighted by content; where in the page a word stands doesn't count, so what only moved down
below a new banner is the same. A few numbers of that difference give the distance, 0 to 1.
"""

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from features import CHANNELS, KINDS, cells_of

BINS = 512
WIDTH = 16  # channels inside
DILATIONS = (1, 2, 4)
SQUEEZED = 4  # channels inside of the attention
WIDE, TALL = 4, 2  # pixels from one bin of shapes to the next
FEATURES = 10  # numbers of a difference
HIDDEN = 12  # numbers inside of the head
# Where the training begins: how much a kind of block says for or against content.
PRIOR = dict(content=2, article=1, header=-3, footer=-3, sidebar=-3, menu=-3, ad=-3, notice=-4, search=-2, comments=-2, logo=-2, links=-1)


def mass(found):
    """How much a word counts by its size: the square root of its area, in units of a word of 400 pixels, within 1/2 and 4."""
    return np.sqrt(np.clip(found[:, 2] * found[:, 3] / 400, 0.25, 16)).astype(np.float32)


def shapes(found):
    """The four bins of each word's width and height, and its share of each: a pixel more or less moves only a part of it to the next bin."""
    bins, shares = [], []
    for right, low in ((0, 0), (0, 1), (1, 0), (1, 1)):
        share = 1.0
        for size, unit, next_ in ((found[:, 2], WIDE, right), (found[:, 3], TALL, low)):
            share = share * (size % unit / unit if next_ else 1 - size % unit / unit)
        bins.append(((found[:, 2] // WIDE + right) * 31 + found[:, 3] // TALL + low) % BINS)
        shares.append(share.astype(np.float32))
    return np.stack(bins), np.stack(shares)


def known_of(found, truth):
    """Of each word 1 if it is running text, 0 if it is furniture that was made, -1 if that isn't known."""
    known = np.full(len(found), -1, np.int8)
    x, y = found[:, 0] + found[:, 2] // 2, found[:, 1] + found[:, 3] // 2
    for kind, value in (("content", 1), ("furniture", 0)):
        for left, top, width, height in truth.get(kind, ()):
            known[(x >= left) & (x < left + width) & (y >= top) & (y < top + height)] = value
    return known


class Page:
    """A picture as tensors. truth has the boxes of its running text and of its made furniture, where they are known."""

    def __init__(self, found, grid, truth=None):
        at = cells_of(found)
        self.grid = torch.from_numpy(np.asarray(grid, np.float32))
        self.place = torch.from_numpy(at[:, 1] * grid.shape[2] + at[:, 0])
        self.ink = torch.from_numpy(found[:, 4] % BINS)
        self.shapes, self.shares = map(torch.from_numpy, shapes(found))
        self.mass = torch.from_numpy(mass(found))
        self.known = torch.from_numpy(known_of(found, truth or {}))

    def without_boxes(self):
        page = object.__new__(Page)
        page.__dict__.update(self.__dict__)
        page.grid = self.grid.clone()
        page.grid[8:] = 0
        return page


class Step(nn.Module):
    """A depthwise 3 x 3 convolution with a dilation, then one of 1 x 1, added to what came in. The edge is repeated outwards."""

    def __init__(self, dilation):
        super().__init__()
        self.dilation = dilation
        self.depth = nn.Conv2d(WIDTH, WIDTH, 3, dilation=dilation, groups=WIDTH)
        self.point = nn.Conv2d(WIDTH, WIDTH, 1)

    def forward(self, x):
        padded = functional.pad(x, [self.dilation] * 4, mode="replicate")
        return x + functional.relu(self.point(self.depth(padded)))


class Attention(nn.Module):
    """Which channels count on this page: a shared MLP over their averages and maxima, as in CBAM."""

    def __init__(self):
        super().__init__()
        self.down = nn.Linear(WIDTH, SQUEEZED)
        self.up = nn.Linear(SQUEEZED, WIDTH)

    def forward(self, x):
        def mlp(v):
            return self.up(functional.relu(self.down(v)))
        scale = torch.sigmoid(mlp(x.mean((2, 3))) + mlp(x.amax((2, 3))))
        return x * scale[:, :, None, None]


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.enter = nn.Conv2d(len(CHANNELS), WIDTH, 1)
        self.steps = nn.ModuleList(Step(d) for d in DILATIONS)
        self.attention = Attention()
        self.leave = nn.Conv2d(WIDTH, 1, 1)
        self.direct = nn.Conv2d(len(CHANNELS), 1, 1, bias=False)
        self.head = nn.Linear(FEATURES, 1)
        self.bend = nn.Sequential(nn.Linear(FEATURES, HIDDEN), nn.ReLU(), nn.Linear(HIDDEN, 1))
        self.begin()

    def begin(self):
        """The training begins at rules of thumb: kinds say what is content, and more changed content is a more important change."""
        with torch.no_grad():
            self.direct.weight.zero_()
            for kind, weight in PRIOR.items():
                self.direct.weight[0, len(CHANNELS) - len(KINDS) + KINDS.index(kind)] = weight
            self.head.weight.copy_(torch.tensor([[0.5, 0.5] + [0.0] * (FEATURES - 2)]))
            self.head.bias.fill_(-0.5)

    def content(self, grid):
        """How much each place of a map belongs to the content, 0 to 1."""
        x = functional.relu(self.enter(grid[None]))
        for step in self.steps:
            x = step(x)
        return torch.sigmoid(self.leave(self.attention(x)) + self.direct(grid[None]))[0, 0]

    def weights(self, page):
        """How much each word belongs to the content."""
        return self.content(page.grid).flatten()[page.place]

    def vector(self, page):
        return bags(page, self.weights(page))

    def logit(self, a, b):
        x = difference(a, b)
        return (self.head(x) + self.bend(x)).squeeze(-1)

    def distance(self, a, b):
        return torch.sigmoid(self.logit(a, b))


def bags(page, weight):
    """4 x BINS + 1 numbers: the mass in each bin of ink, and the mass of content by the weight of each word; the same of shapes; how many
    words of content there are."""
    content = page.mass * weight
    rows = [torch.zeros(BINS).index_add(0, page.ink, m) for m in (page.mass, content)]
    rows += [torch.zeros(BINS).index_add(0, page.shapes.flatten(), (m * page.shares).flatten()) for m in (page.mass, content)]
    return torch.cat(rows + [weight.sum()[None]])


def changed(a, b):
    """The content that changed: what changed of a bin's content, and no more than changed of the bin."""
    return torch.minimum((a[..., 1, :] - b[..., 1, :]).abs(), (a[..., 0, :] - b[..., 0, :]).abs()).sum(-1)


def difference(a, b):
    """Of two vectors: the content whose ink and whose shape changed; the same of all words; by how many words the contents differ. Of each the
    logarithm and the share."""
    words = a[..., -1], b[..., -1]
    a, b = (v[..., :-1].unflatten(-1, (4, BINS)) for v in (a, b))
    size = torch.maximum(a[..., 1, :].sum(-1), b[..., 1, :].sum(-1)) + 1
    whole = torch.maximum(a[..., 0, :].sum(-1), b[..., 0, :].sum(-1)) + 1
    amounts = [(changed(a[..., :2, :], b[..., :2, :]), size), (changed(a[..., 2:, :], b[..., 2:, :]), size),
               ((a[..., 0, :] - b[..., 0, :]).abs().sum(-1), whole), ((a[..., 2, :] - b[..., 2, :]).abs().sum(-1), whole),
               ((words[0] - words[1]).abs(), torch.maximum(*words) + 1)]
    logs, shares = [torch.log(amount + LEAST) for amount, _ in amounts], [amount / of for amount, of in amounts]
    return torch.stack(logs + shares, -1)


LEAST = 0.05  # of a word's mass, so that no change has a logarithm
