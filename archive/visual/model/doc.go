// Package model measures how much two pictures of a page differ, and whether the difference is important: whether the content changed,
// regardless of header, footer, side bars and ads.
//
// [Load] reads the weights, which are part of the program. [Model.Vector] reduces the picture of a page to a short vector, [Model.Distance]
// compares two of them. A browser evaluates [OverlaysScript] in a page before it is pictured, and [BlocksScript] to get the boxes of its
// blocks; the model works without them, but less well.
//
// docs/design/visual-model.md explains how it works and how well, compared with other measures. The training program is tools/train;
// words.go, features.go and network.go correspond to its words.py, features.py and model.py, which produced the golden vectors of the
// tests.
//
// Pictures must be lossless and unscaled, with one pixel per CSS pixel: otherwise words have other checksums.
//
// The package opens no files, starts no browsers and knows nothing of captures.
//
// Stability: may be used by other programs; exported names may change until version 1.0.
package model
