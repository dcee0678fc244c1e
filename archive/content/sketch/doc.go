// Package sketch reduces a visible text to a [Sketch], the few kilobytes that the index keeps for each distinct text.
//
// [Of] makes one, [Sketch.AppendBinary] and [Parse] store it. [Compare] counts the terms that were added and deleted, [Similarity] says how
// alike two texts are. A sketch also says whether its text reads like a "not found" page (gone.go) or a page that did not show its content
// (wall.go).
//
// Stability: may be used by other programs; exported names may change until version 1.0.
package sketch
