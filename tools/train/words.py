"""Cuts a picture into words: small pieces between blank rows and columns, each with a checksum of its ink.

The same is done in Go (archive/visual/model/words.go), bit for bit: all of it is whole numbers. Ink is where the brightness bends both
ways (the mixed second difference), so plain areas, straight borders and gradients have none, and light on dark is as dark on light.
"""

import zlib

import numpy as np

BEND = 32  # least second difference, of 255, that is ink
COLUMN = 24  # blank columns of pixels that part columns of a layout
SPACE = 3  # blank columns that part words
ROUNDS = 3  # how often rows and columns are cut in turn


def ink(rgb):
    """The ink of an H x W x 3 picture, as (H-1) x (W-1) booleans."""
    light = (rgb[..., 0].astype(np.int16) + 2 * rgb[..., 1].astype(np.int16) + rgb[..., 2]) >> 2
    bend = light[:-1, :-1] - light[1:, :-1] - light[:-1, 1:] + light[1:, 1:]
    return np.abs(bend) > BEND


def runs(profile, gap):
    """Where a profile is set: (start, end) of runs; runs with less than gap blank places between them are one."""
    at = np.flatnonzero(profile)
    if not len(at):
        return []
    breaks = np.flatnonzero(np.diff(at) > gap)  # a difference of 1 is no blank place
    return list(zip(at[np.r_[0, breaks + 1]].tolist(), (at[np.r_[breaks, len(at) - 1]] + 1).tolist()))


def cut(bits):
    """The words of a picture's ink: rows of (x, y, w, h, checksum) in the order in which they are found."""
    cells = [(0, 0, bits.shape[1], bits.shape[0])]
    for _ in range(ROUNDS):
        cells = [(x0, y0 + a, x1, y0 + b) for x0, y0, x1, y1 in cells for a, b in runs(bits[y0:y1, x0:x1].any(1), 1)]
        cells = [(x0 + a, y0, x0 + b, y1) for x0, y0, x1, y1 in cells for a, b in runs(bits[y0:y1, x0:x1].any(0), COLUMN)]
    found = []
    for x0, y0, x1, y1 in cells:
        for row_a, row_b in runs(bits[y0:y1, x0:x1].any(1), 1):
            for a, b in runs(bits[y0 + row_a:y0 + row_b, x0:x1].any(0), SPACE):
                found.append(word(bits, x0 + a, y0 + row_a, x0 + b, y0 + row_b))
    return np.array(found, np.int64).reshape(-1, 5)


def word(bits, x0, y0, x1, y1):
    rows = np.flatnonzero(bits[y0:y1, x0:x1].any(1))
    y0, y1 = y0 + rows[0], y0 + rows[-1] + 1
    packed = np.packbits(bits[y0:y1, x0:x1], axis=1, bitorder="little").tobytes()
    return x0, y0, x1 - x0, y1 - y0, zlib.crc32(packed, x1 - x0)
