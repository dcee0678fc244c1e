"""Writes a trained model for Go: weights.bin, and golden vectors of pictures that are drawn here and, the same, in the test of Go.

    python export.py --models DIR --to ../../archive/visual/model

DIR has model.pt.

The format of weights.bin is described in archive/visual/model/weights.go.
"""

import argparse
import json
import pathlib
import struct
import zlib

import numpy as np
import torch

import features
import words
from model import Model, Page

MAGIC = b"varve-visual-2\n"
# seed, width, height, with boxes
PICTURES = [(1, 1280, 900, True), (1, 1280, 900, False), (2, 1280, 900, True), (3, 390, 1500, True), (4, 33, 20, False)]


def load(path):
    saved = torch.load(path, weights_only=True)
    model = Model()
    model.load_state_dict(saved["state"])
    return model.eval()


def weights(model):
    """The bytes of weights.bin."""
    tensors = {name: tensor.numpy() for name, tensor in model.state_dict().items()}
    out = MAGIC + struct.pack("<I", len(tensors))
    for name, values in sorted(tensors.items()):
        numbers = values.astype("<f4").ravel()
        out += struct.pack("<B", len(name)) + name.encode() + struct.pack("<I", len(numbers)) + numbers.tobytes()
    return out + struct.pack("<I", zlib.crc32(out))


class Chance:
    """A linear congruential generator, so that Go draws the same."""

    def __init__(self, seed):
        self.state = seed

    def below(self, n):
        self.state = (self.state * 1664525 + 1013904223) & 0xFFFFFFFF
        return (self.state >> 16) % n


def draw(seed, width, height):
    """A picture like a page: lines of words of noise on a plain ground, some in colour."""
    chance = Chance(seed)
    rgb = np.empty((height, width, 3), np.uint8)
    rgb[:] = [200 + chance.below(56) for _ in range(3)]
    y = 6
    while y + 14 < height:
        x = 5 + chance.below(60)
        tall = 6 + chance.below(8)
        colour = [chance.below(120) for _ in range(3)]
        while x + 40 < width:
            w = 6 + chance.below(34)
            for yy in range(y, y + tall):
                for xx in range(x, x + w):
                    if chance.below(2):
                        rgb[yy, xx] = colour
            x += w + 4 + chance.below(40)
        y += tall + 3 + chance.below(20)
    return rgb


def boxes(seed, width, height):
    chance = Chance(seed + 1000)
    return [dict(kind=features.KINDS[n % len(features.KINDS)], x=chance.below(width), y=chance.below(height), w=chance.below(width),
                 h=chance.below(height // 2)) for n in range(20)]


def vector(model, rgb, boxes_):
    bits = words.ink(rgb)
    found = words.cut(bits)
    return model.vector(Page(found, features.grid(rgb, bits, found, boxes_)))


@torch.no_grad()
def golden(model):
    vectors = [vector(model, draw(s, w, h), boxes(s, w, h) if with_ else None) for s, w, h, with_ in PICTURES]
    pictures = [dict(seed=s, width=w, height=h, blocks=with_, vector={n: round(v, 6) for n, v in enumerate(vec.flatten().tolist()) if v})
                for (s, w, h, with_), vec in zip(PICTURES, vectors)]
    return dict(pictures=pictures, distances=[[model.distance(a, b).item() for b in vectors] for a in vectors])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--models", required=True, type=pathlib.Path)
    parser.add_argument("--to", required=True, type=pathlib.Path)
    args = parser.parse_args()
    model = load(args.models / "model.pt")
    (args.to / "weights.bin").write_bytes(weights(model))
    (args.to / "testdata").mkdir(exist_ok=True)
    (args.to / "testdata" / "golden.json").write_text(json.dumps(golden(model)) + "\n")


if __name__ == "__main__":
    main()
