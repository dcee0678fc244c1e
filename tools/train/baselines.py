"""Measures that nobody trains: hashes of text and of pictures, structural similarity, the share of pixels that differ. Higher: differs more.

    python baselines.py --shots DIR --out DIR

writes baselines.npz: by name the scores of all pairs, in the order of data.pairs.
"""

import argparse
import hashlib
import pathlib
import re

import numpy as np
from PIL import Image

import data


def simhash(text):
    """64 bits of the words of a text (Charikar)."""
    total = np.zeros(64, np.int64)
    for word in re.findall(r"\w+", text.lower()):
        bits = np.unpackbits(np.frombuffer(hashlib.blake2b(word.encode(), digest_size=8).digest(), np.uint8))
        total += bits.astype(np.int64) * 2 - 1
    return total > 0


def dhash(grey):
    small = np.asarray(Image.fromarray(grey).resize((9, 8), Image.Resampling.BOX), np.int16)
    return (small[:, 1:] > small[:, :-1]).ravel()


def phash(grey):
    small = np.asarray(Image.fromarray(grey).resize((32, 32), Image.Resampling.BOX), float)
    n = np.arange(32)
    cosines = np.cos(np.pi * (2 * n[None] + 1) * n[:, None] / 64)
    low = (cosines @ small @ cosines.T)[:8, :8].ravel()
    return low > np.median(low[1:])


def bits_apart(a, b):
    return int((a != b).sum())


def padded(a, b):
    """Both with as many rows as the taller; what is missing is white."""
    rows = max(len(a), len(b))
    return tuple(np.pad(x, ((0, rows - len(x)), (0, 0)), constant_values=255).astype(np.float32) for x in (a, b))


def pixels_apart(a, b):
    if np.array_equal(a, b):
        return 0.0
    a, b = padded(a, b)
    return float((np.abs(a - b) > 16).mean())


def means(x, side=8):
    rows, columns = x.shape[0] // side * side, x.shape[1] // side * side
    return x[:rows, :columns].reshape(rows // side, side, -1, side).mean((1, 3))


def dssim(a, b):
    """1 - SSIM over windows of 8 x 8."""
    if np.array_equal(a, b):
        return 0.0
    a, b = padded(a, b)
    ma, mb = means(a), means(b)
    va, vb, cov = means(a * a) - ma * ma, means(b * b) - mb * mb, means(a * b) - ma * mb
    c1, c2 = (0.01 * 255) ** 2, (0.03 * 255) ** 2
    similarity = (2 * ma * mb + c1) * (2 * cov + c2) / ((ma * ma + mb * mb + c1) * (va + vb + c2))
    return float(1 - similarity.mean()) if similarity.size else 0.0


def scores(pairs, folder, facts):
    """The scores of all measures by name."""
    names = sorted({n for p in pairs for n in (p.a, p.b)})
    wide = {n: data.load(folder, n)["wide"] for n in names}
    hashes = {n: (phash(wide[n]), dhash(wide[n]), simhash(facts[n]["text"])) for n in names}

    def of(known, measure):
        return np.array([measure(known[p.a], known[p.b]) for p in pairs], float)
    return {
        "SimHash of the text": of(hashes, lambda a, b: bits_apart(a[2], b[2])),
        "pHash": of(hashes, lambda a, b: bits_apart(a[0], b[0])),
        "dHash": of(hashes, lambda a, b: bits_apart(a[1], b[1])),
        "1 - SSIM": of(wide, dssim),
        "pixels that differ": of(wide, pixels_apart),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shots", required=True)
    parser.add_argument("--out", required=True, type=pathlib.Path)
    args = parser.parse_args()
    facts = data.shots(args.shots)
    np.savez(args.out / "baselines.npz", **scores(list(data.pairs(facts, args.shots)), args.shots, facts))


if __name__ == "__main__":
    main()
