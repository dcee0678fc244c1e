// Package history stores what the versions of a page said, in a form that is small and in which every word and phrase can be counted.
//
// A [Builder] takes the versions of a page one after the other. It cuts each text into passages and stores each distinct passage once: its
// words in the form of [tokenize.Terms], joined by spaces. Cuts depend only on nearby words, so an insertion moves no other cut. A version
// is a list of passages. A [Part] is a stretch of a history whose passages fit in memory. It begins with the last version of the part
// before, so that the step between two parts is exact too.
//
// [ParseTable] reads a part back as a [Table]. [Table.Count] counts a word or phrase in each version, across passages too.
//
// The package knows nothing of inverted indexes.
package history
