// Package sketch reduces a visible text to a [Sketch], the few kilobytes that the index keeps for each distinct text.
//
// [Of] makes one, [Sketch.AppendBinary] and [Parse] store it. [Compare] counts the terms that were added and deleted,
// [Similarity] says how alike two texts are. A sketch says too whether its text reads like that of a page that is not there
// (gone.go) or like one that did not show what it has (wall.go).
//
// Stability: may be used by other programs; exported names may change until version 1.0.
package sketch
