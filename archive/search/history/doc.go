// Package history keeps what the versions of a page said, small enough to be stored and exact enough to count in.
//
// A [Builder] takes the versions of a page one after the other. It cuts each text into passages at places that its
// words decide, so that an insertion moves no other cut, and keeps each distinct passage once: as words in the form of
// [tokenize.Terms], joined by spaces. A version is a list of passages. A [Part] is a stretch of a history whose passages
// fit in memory; it begins with the last version of the part before, so that the step between two parts is exact too.
//
// [ParseTable] reads a part back as a [Table]. [Table.Count] tells how often a word or phrase occurs in
// each version, across the ends of passages too.
//
// The package knows nothing of inverted indexes.
package history
