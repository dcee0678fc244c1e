"""What models and baselines see of a picture, worked out once and kept beside it as NAME.npz.

    python features.py --shots DIR [--part 0/2]

words  N x 5 whole numbers, from words.py
grid   channels x rows x columns, one column and row for 32 pixels: CHANNELS below
small  100 x 100 grey, the input of the source's models; wide 320 pixels wide, grey, for SSIM and the difference of pixels
"""

import argparse
import json
import pathlib

import numpy as np
from PIL import Image

import words

Image.MAX_IMAGE_PIXELS = None
CELL = 32
KINDS = ("header", "footer", "content", "sidebar", "logo", "menu", "title", "links", "table", "comments", "ad", "image", "video", "article",
         "search", "notice")
CHANNELS = ("ink", "light", "colour", "words", "height", "across", "top", "bottom", "boxes") + KINDS


def sums(plane, rows, columns):
    """The sum of a plane in each cell of the grid."""
    across = np.add.reduceat(plane, np.arange(0, plane.shape[1], CELL), axis=1, dtype=np.int64)
    both = np.add.reduceat(across, np.arange(0, plane.shape[0], CELL), axis=0)
    out = np.zeros((rows, columns), np.int64)
    out[: both.shape[0], : both.shape[1]] = both
    return out


def grid(rgb, bits, found, boxes):
    """The map over the picture that the model weighs words by. Without boxes their channels are zero."""
    height, width = rgb.shape[:2]
    rows, columns = -(-height // CELL), -(-width // CELL)
    out = np.zeros((len(CHANNELS), rows, columns), np.float32)
    r, g, b = (rgb[..., n].astype(np.int16) for n in range(3))
    out[0] = np.minimum(1, sums(bits, rows, columns) / 256)
    out[1] = sums((r + 2 * g + b) >> 2, rows, columns) / (255 * CELL * CELL)
    out[2] = sums(np.abs(r - b), rows, columns) / (255 * CELL * CELL)
    at = cells_of(found)
    count = np.zeros((rows, columns))
    tall = np.zeros((rows, columns))
    np.add.at(count, (at[:, 1], at[:, 0]), 1)
    np.add.at(tall, (at[:, 1], at[:, 0]), found[:, 3])
    out[3] = np.minimum(1, count / 8)
    out[4] = np.minimum(1, tall / np.maximum(1, count) / 64)
    out[5] = (np.arange(columns) + 0.5) / columns
    out[6] = (1 / (1 + np.arange(rows) / 8))[:, None]
    out[7] = (1 / (1 + np.arange(rows)[::-1] / 8))[:, None]
    paint(out, boxes, rows, columns)
    return out


def cells_of(found):
    """The (column, row) of the grid in which the middle of each word lies."""
    return np.stack([(found[:, 0] + found[:, 2] // 2) // CELL, (found[:, 1] + found[:, 3] // 2) // CELL], 1)


def paint(out, boxes, rows, columns):
    if not boxes:
        return
    out[8] = 1
    for box in boxes:
        x0, y0 = (max(0, box["x"]) + CELL // 2) // CELL, (max(0, box["y"]) + CELL // 2) // CELL
        x1, y1 = (max(0, box["x"] + box["w"]) + CELL // 2) // CELL, (max(0, box["y"] + box["h"]) + CELL // 2) // CELL
        channel = 9 + KINDS.index(box["kind"])
        out[channel, min(y0, rows - 1):max(y1, y0 + 1), min(x0, columns - 1):max(x1, x0 + 1)] = 1


def extract(png, boxes):
    picture = Image.open(png).convert("RGB")
    rgb = np.asarray(picture)
    bits = words.ink(rgb)
    found = words.cut(bits)
    grey = picture.convert("L")
    wide = grey.resize((320, max(1, picture.height // 4)), Image.Resampling.BOX)
    return dict(words=found, grid=grid(rgb, bits, found, boxes).astype(np.float16), height=picture.height,
                small=np.asarray(grey.resize((100, 100), Image.Resampling.BOX)), wide=np.asarray(wide))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shots", required=True, type=pathlib.Path)
    parser.add_argument("--part", default="0/1")
    args = parser.parse_args()
    part, parts = map(int, args.part.split("/"))
    pictures = [p for p in args.shots.glob("*.json") if not p.with_suffix(".npz").exists()]
    pictures.sort(key=lambda p: (p.with_suffix(".png").stat().st_size, p.stem))  # equal ones side by side
    known = {}
    for path in pictures[len(pictures) * part // parts:len(pictures) * (part + 1) // parts]:
        boxes = json.loads(path.read_text())["boxes"]
        key = hash((path.with_suffix(".png").read_bytes(), json.dumps(boxes)))
        if key not in known:
            known = {key: extract(path.with_suffix(".png"), boxes)}
        np.savez(path.with_suffix(".npz"), **known[key])


if __name__ == "__main__":
    main()
