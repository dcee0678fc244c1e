"""Our model: what is seen of a page as a weighted bag of words' pictures.

A small network with attention looks at a map of the page (features.py) and says for each place how much what stands there belongs to the
content. Each word's picture falls by its checksum into one of BINS bins. A page's vector has two halves: how much of its words' mass is in
each bin, and how much of that mass is content. Two pages differ by the mass of the bins that differ, weighted by content; where in the page a
word stands doesn't count, so what only moved down below a new banner is the same. Four numbers of that difference give the distance, 0 to 1.
"""

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from features import CHANNELS, cells_of

BINS = 1024
WIDTH = 16  # channels inside
DILATIONS = (1, 2, 4)
SQUEEZED = 4  # channels inside of the attention


def mass(found):
    """How much a word counts by its size: the square root of its area, in units of a word of 400 pixels, within 1/2 and 4."""
    return np.sqrt(np.clip(found[:, 2] * found[:, 3] / 400, 0.25, 16)).astype(np.float32)


class Page:
    """A picture as tensors."""

    def __init__(self, found, grid):
        at = cells_of(found)
        self.grid = torch.from_numpy(np.asarray(grid, np.float32))
        self.place = torch.from_numpy(at[:, 1] * grid.shape[2] + at[:, 0])
        self.bin = torch.from_numpy(found[:, 4] % BINS)
        self.mass = torch.from_numpy(mass(found))

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
        self.head = nn.Linear(4, 1)
        with torch.no_grad():  # begins as: more changed content is a more important change
            self.head.weight.copy_(torch.tensor([[1.0, -0.2, 0.5, 0.0]]))
            self.head.bias.fill_(-0.5)

    def content(self, grid):
        """How much each place of a map belongs to the content, 0 to 1."""
        x = functional.relu(self.enter(grid[None]))
        for step in self.steps:
            x = step(x)
        return torch.sigmoid(self.leave(self.attention(x)))[0, 0]

    def vector(self, page):
        """2 x BINS: the mass in each bin, and the mass of content."""
        weight = self.content(page.grid).flatten()[page.place]
        all_, content = torch.zeros(BINS), torch.zeros(BINS)
        return torch.stack([all_.index_add(0, page.bin, page.mass), content.index_add(0, page.bin, page.mass * weight)])

    def logit(self, a, b):
        return self.head(difference(a, b)).squeeze(-1)

    def distance(self, a, b):
        return torch.sigmoid(self.logit(a, b))


def difference(a, b):
    """Of two vectors: log of the content that changed, of the rest that changed, share of the content, log of the content there is."""
    every = (a[..., 0, :] - b[..., 0, :]).abs()
    content = torch.minimum((a[..., 1, :] - b[..., 1, :]).abs(), every)
    changed, rest = content.sum(-1), (every - content).sum(-1)
    size = torch.maximum(a[..., 1, :].sum(-1), b[..., 1, :].sum(-1))
    return torch.stack([torch.log(changed + 0.05), torch.log(rest + 0.05), changed / (size + 1), torch.log(size + 1)], -1)
