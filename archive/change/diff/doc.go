// Package diff compares two visible texts word by word.
//
// [Texts] marks what was deleted, inserted and moved, block by block. [Steps] gives the same as positions in the two texts, for an
// animation that turns one page into the other. They build on [Align], which aligns two sequences of numbers.
//
// Stability: may be used by other programs; exported names may change until version 1.0.
package diff
