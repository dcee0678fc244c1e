// Package model says how much what is seen of a page differs from what was seen of it at another time, and whether that is
// important: whether the content changed, whatever header, footer, side bars and ads do.
//
// [Load] reads the weights that are part of the program. [Model.Vector] turns the picture of a page into a short vector, [Model.Distance]
// compares two of them, [Model.Important] is the choice that was made on the sites of the training. [BlocksScript] is what a browser
// evaluates in a page for the boxes of its blocks; the model works without them, but less well.
//
// How it works and how well, beside other measures: docs/design/visual-model.md. The training program is tools/train; words.go, features.go
// and network.go do what words.py, features.py and model.py do there, and the golden vectors of the tests come from it.
//
// Pictures must be as a browser drew them, at one pixel a CSS pixel: scaled pictures, and formats that lose something, have other words.
//
// Nothing here opens files, starts browsers or knows of captures.
//
// Stability: may be used by other programs; exported names may change until version 1.0.
package model
